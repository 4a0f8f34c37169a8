package costmodel

import (
	"slices"
	"time"

	"github.com/planflame/planflame/schedule"
)

// StragglerFactor is how many times as long as the median of its stage a straggler runs. It is the
// β of Baldacci and Golfarelli, "A cost model for Spark SQL" (IEEE TKDE 2019).
const StragglerFactor = 1.3

// Breakdown says where the time of a stage went. Wall is the sum of the parts after it, each of
// which is what a replay would save without it.
type Breakdown struct {
	Wall       time.Duration
	Work       time.Duration // of all tasks, over all slots, with stragglers as long as the median
	LastWave   time.Duration // slots without a task at the end
	Stragglers time.Duration // what they take beyond the median
	Others     time.Duration // slots that tasks of other stages held
	Gaps       time.Duration // launches, results, and the driver's work before and after
	Tasks      int
	Late       []Straggler // by falling excess
}

// Straggler is a task that ran longer than StragglerFactor times the median of its stage. Excess is
// what it took beyond the median, and the sum of the parts after it.
type Straggler struct {
	Task    int // index in its stage
	Factor  float64
	Excess  time.Duration
	CPU     time.Duration // more CPU than the median task
	GC      time.Duration // more time in garbage collection
	Waiting time.Duration // the rest: input, locks, a queue for a core
}

// Break breaks down the time of a stage of a schedule.
func Break(s *schedule.Schedule, i int) Breakdown {
	stage := &s.Stages[i]
	out := Breakdown{Wall: stage.End - stage.Start, Tasks: len(stage.Tasks)}
	if len(stage.Tasks) == 0 {
		out.Gaps = out.Wall
		return out
	}
	usual := typical(stage.Tasks)
	whole, cut := make([]time.Duration, len(stage.Tasks)), make([]time.Duration, len(stage.Tasks))
	for k := range stage.Tasks {
		whole[k] = stage.Tasks[k].Duration()
		cut[k] = whole[k]
		if late := straggler(k, &stage.Tasks[k], usual); late.Excess > 0 {
			out.Late = append(out.Late, late)
			cut[k] = usual.runs
		}
		out.Work += cut[k]
	}
	slices.SortStableFunc(out.Late, func(a, b Straggler) int { return int(b.Excess - a.Excess) })
	n := max(s.Slots, 1)
	out.Work /= time.Duration(n)
	short, long := schedule.Makespan(cut, n), schedule.Makespan(whole, n)
	out.LastWave, out.Stragglers = short-out.Work, long-short
	out.Others = min(held(s, i)/time.Duration(n), max(0, out.Wall-long))
	out.Gaps = out.Wall - long - out.Others
	return out
}

// held is slot time that tasks of other stages held while a stage was active.
func held(s *schedule.Schedule, i int) (sum time.Duration) {
	stage := &s.Stages[i]
	for k := range s.Stages {
		if k == i || s.Stages[k].End <= stage.Start || s.Stages[k].Start >= stage.End {
			continue
		}
		for t := range s.Stages[k].Tasks {
			task := &s.Stages[k].Tasks[t]
			sum += max(0, min(task.End, stage.End)-max(task.Start, stage.Start))
		}
	}
	return sum
}

// medians are the medians of the tasks of a stage.
type medians struct{ runs, cpu, gc time.Duration }

func typical(tasks []schedule.Task) medians {
	of := func(value func(*schedule.Task) time.Duration) time.Duration {
		all := make([]time.Duration, len(tasks))
		for i := range tasks {
			all[i] = value(&tasks[i])
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return medians{of((*schedule.Task).Duration), of(func(t *schedule.Task) time.Duration { return t.CPU }), of(func(t *schedule.Task) time.Duration { return t.GC })}
}

// straggler says why a task took longer than the median; Excess is 0 if it is no straggler.
func straggler(k int, t *schedule.Task, usual medians) Straggler {
	runs := t.Duration()
	if usual.runs <= 0 || float64(runs) <= StragglerFactor*float64(usual.runs) {
		return Straggler{}
	}
	out := Straggler{Task: k, Factor: float64(runs) / float64(usual.runs), Excess: runs - usual.runs}
	out.CPU = min(max(0, t.CPU-usual.cpu), out.Excess)
	out.GC = min(max(0, t.GC-usual.gc), out.Excess-out.CPU)
	out.Waiting = out.Excess - out.CPU - out.GC
	return out
}
