package schedule

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// Task is a task attempt as it was recorded. A replay takes its times and Excess alone.
type Task struct {
	ID float64 // the caller's name for it
	// Start and End bound the time in which it held a slot, since an origin that all tasks and
	// stages share.
	Start, End time.Duration
	CPU        time.Duration // of its thread
	GC         time.Duration // of its JVM while it ran
	Excess     time.Duration // what a replay leaves out of the time; below 0 it adds
}

// Duration is the time in which the task held its slot.
func (t *Task) Duration() time.Duration { return max(t.End-t.Start, 0) }

// replayed is the time in which it holds a slot in a replay.
func (t *Task) replayed() time.Duration { return max(t.Duration()-t.Excess, 0) }

// Stage is a stage attempt with its tasks by their start. Start is its submission, End its
// completion.
type Stage struct {
	Start, End time.Duration
	Tasks      []Task
	// Parents are indexes of the stages that must end before it starts; all smaller than its own.
	Parents []int
}

// Schedule is how stages used the slots of an application. Stages stand by their start.
type Schedule struct {
	Stages []Stage
	Slots  int           // tasks that ran at once, at least 1
	End    time.Duration // of the application
}

// After returns the parents of a stage, which must end before it starts. These are the stages that
// Spark names, by index; below 0 is one that it skipped. If one is not over by then, or Spark names
// none, the stage also waits for the one that ended last before it: then the driver went on.
func (s *Schedule) After(stage int, named []int) (out []int) {
	ended := func(i int) bool { return s.Stages[i].End <= s.Stages[stage].Start }
	whole := len(named) > 0
	for _, i := range named {
		if i < 0 || i >= stage || !ended(i) {
			whole = false
		} else {
			out = append(out, i)
		}
	}
	last := -1
	for i := range stage {
		if ended(i) && (last < 0 || s.Stages[i].End > s.Stages[last].End) {
			last = i
		}
	}
	if !whole && last >= 0 && !slices.Contains(out, last) {
		out = append(out, last)
	}
	return out
}

// Pace is how fast the recorded driver handed out tasks.
type Pace struct {
	Launch time.Duration // from one launch to the next while slots are free
	Gap    time.Duration // from the end of a task to the start of the next one in its slot
	// First is, of each stage, the time from its submission, or from the moment when a slot was
	// free, to its first task.
	First []time.Duration
	// Gaps is, of each stage, its own Gap; Gap if no task of it waited for a slot.
	Gaps []time.Duration
}

// Pace measures the pace of a schedule: the mean of all launches that waited for the driver, and of
// all that waited for a slot.
func (s *Schedule) Pace() Pace {
	var launches, gaps mean
	own := make([]mean, len(s.Stages))
	out := Pace{First: make([]time.Duration, len(s.Stages)), Gaps: make([]time.Duration, len(s.Stages))}
	free := newSlots(max(s.Slots, 1))
	for _, of := range s.order() {
		stage := &s.Stages[of.stage]
		task := &stage.Tasks[of.task]
		slot := free.take()
		switch {
		case of.task == 0:
			out.First[of.stage] = max(0, task.Start-max(slot, stage.Start))
		case slot > stage.Start:
			gaps.add(max(0, task.Start-slot))
			own[of.stage].add(max(0, task.Start-slot))
		default:
			launches.add(task.Start - stage.Tasks[of.task-1].Start)
		}
		free.give(task.End)
	}
	out.Launch, out.Gap = launches.value(), gaps.value()
	for i := range own {
		if out.Gaps[i] = own[i].value(); own[i].n == 0 {
			out.Gaps[i] = out.Gap
		}
	}
	return out
}

// taskAt is a task of a stage.
type taskAt struct{ stage, task int }

// order are all tasks by their start.
func (s *Schedule) order() []taskAt {
	var out []taskAt
	for i := range s.Stages {
		for k := range s.Stages[i].Tasks {
			out = append(out, taskAt{i, k})
		}
	}
	start := func(of taskAt) time.Duration { return s.Stages[of.stage].Tasks[of.task].Start }
	slices.SortStableFunc(out, func(a, b taskAt) int { return cmp.Compare(start(a), start(b)) })
	return out
}

// Replay returns when each stage starts and ends on a number of slots, by list scheduling. Tasks
// run as long as they did, less their excess, in the order of their launch. A free slot takes the
// next one after the pace's gap. A stage starts as long after its parents as it did. What tasks do
// to each other on a core, a disk or a network is not modeled, so a gain is an upper bound.
func (s *Schedule) Replay(slots int, pace Pace) []Stage {
	out := make([]Stage, len(s.Stages))
	free := newSlots(max(slots, 1))
	s.inOrder(out, func(i int) {
		free.run(&s.Stages[i], &out[i], Pace{Launch: pace.Launch, Gap: pace.Gaps[i]}, pace.First[i])
	})
	return out
}

// inOrder calls run with each stage, in the order of the times when they can start. A stage is run
// before the next is looked for, so its children know when it ended.
func (s *Schedule) inOrder(out []Stage, run func(i int)) {
	missing, children := make([]int, len(s.Stages)), make([][]int, len(s.Stages))
	var ready queue
	for i := range s.Stages {
		missing[i] = len(s.Stages[i].Parents)
		for _, p := range s.Stages[i].Parents {
			children[p] = append(children[p], i)
		}
		if missing[i] == 0 {
			heap.Push(&ready, at{s.starts(i, out), i})
		}
	}
	for len(ready) > 0 {
		next := heap.Pop(&ready).(at)
		out[next.what].Start = next.when
		run(next.what)
		for _, c := range children[next.what] {
			if missing[c]--; missing[c] == 0 {
				heap.Push(&ready, at{s.starts(c, out), c})
			}
		}
	}
}

// starts is when a stage starts whose parents have ended.
func (s *Schedule) starts(i int, out []Stage) time.Duration {
	stage := &s.Stages[i]
	if len(stage.Parents) == 0 {
		return stage.Start
	}
	var was, is time.Duration
	for _, p := range stage.Parents {
		was, is = max(was, s.Stages[p].End), max(is, out[p].End)
	}
	return is + max(0, stage.Start-was)
}

// Span is how long the application takes whose stages end as a replay says.
func (s *Schedule) Span(replayed []Stage) time.Duration {
	was, is := time.Duration(0), time.Duration(0)
	for i := range replayed {
		was, is = max(was, s.Stages[i].End), max(is, replayed[i].End)
	}
	return is + s.End - was
}

// at is something at a time.
type at struct {
	when time.Duration
	what int
}

// queue has the earliest first.
type queue []at

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, k int) bool {
	return q[i].when < q[k].when || q[i].when == q[k].when && q[i].what < q[k].what
}
func (q queue) Swap(i, k int) { q[i], q[k] = q[k], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(at)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// slots are a number of slots, each free from a time on.
type slots struct{ free queue }

func newSlots(n int) *slots { return &slots{make(queue, n)} }

// take takes the slot that is free first and returns since when.
func (s *slots) take() time.Duration { return heap.Pop(&s.free).(at).when }

func (s *slots) give(end time.Duration) { heap.Push(&s.free, at{when: end}) }

// run runs the tasks of a stage from out.Start on, the first one after a pause.
func (s *slots) run(stage, out *Stage, pace Pace, pause time.Duration) {
	if len(stage.Tasks) == 0 {
		out.End = out.Start + stage.End - stage.Start
		return
	}
	last, ended := out.Start, time.Duration(0)
	for k := range stage.Tasks {
		start, slot := last+pace.Launch, s.take()
		switch {
		case k == 0:
			start = max(out.Start, slot) + pause
		case slot > out.Start:
			start = max(start, slot+pace.Gap)
		}
		last = start
		end := start + stage.Tasks[k].replayed()
		s.give(end)
		out.End, ended = max(out.End, end), max(ended, stage.Tasks[k].End)
	}
	out.End += max(0, stage.End-ended) // the driver's work between the last task and the end
}

// Makespan is how long tasks of some durations take on a number of slots, in their order and
// without any gap.
func Makespan(tasks []time.Duration, n int) (end time.Duration) {
	free := newSlots(max(n, 1))
	for _, runs := range tasks {
		at := free.take() + runs
		end = max(end, at)
		free.give(at)
	}
	return end
}

// mean is the mean of durations.
type mean struct {
	sum time.Duration
	n   int
}

func (m *mean) add(d time.Duration) { m.sum, m.n = m.sum+d, m.n+1 }

func (m *mean) value() time.Duration {
	if m.n == 0 {
		return 0
	}
	return m.sum / time.Duration(m.n)
}
