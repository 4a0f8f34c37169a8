package skew

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/schedule"
)

// Limits of the judge.
const (
	leastExcess     = 1.0 // seconds
	leastRatio      = 0.5 // of the typical peer
	leastDeviations = 6.0
	fewTasks        = 60.0 // of n tasks, 1 + fewTasks/n² as many deviations: few peers often seem to agree (TestCleanStages)
	leastGain       = 0.05 // of the stage's time in the replay
	leastPeers      = 4    // fewer show no spread; TestCleanStages has the rate of false flags
	leastOfHost     = 3    // tasks on a host, and on others, that tell it apart
	mostCandidates  = 64   // of a stage, the longest
)

// Slow is a task that is slow beside its peers. Times are seconds.
type Slow struct {
	Stage, Task int // indices in what was judged
	Verdict     Verdict
	Seconds     float64 // the task's duration
	Peer        float64 // the typical peer's
	Excess      float64 // the difference, which is the sum of Parts
	Parts       Parts
	Volume      float64 // over the typical peer's, by Measure
	Measure     Measure // what differs most
	CPURatio    float64 // CPU for each of the measure, over the typical peer's; 0: the peer has no CPU
	// Culprit is the index in Report.Slow of the task in whose time the pauses of its JVM fall, if
	// its verdict is GC. It is the task's own if the verdict is another or no one explains them.
	Culprit int
	Peers   []int // the tasks that were judged together, by index, itself included; not to be changed
}

// Report is what the judge found in a job.
type Report struct {
	Slow   []Slow // by stage, then by falling duration
	Judged int    // tasks that had enough peers
	// Replayed and Without are how long the replay of the job takes, with the excess of the slow
	// tasks and without.
	Replayed, Without time.Duration
}

// Gain is how much shorter the job is without the excess of its slow tasks.
func (r *Report) Gain() time.Duration { return r.Replayed - r.Without }

// Judge finds the slow tasks of a job that has at most so many task slots.
func Judge(stages []Stage, slots int) Report {
	var out Report
	for i := range stages {
		slow, judged := judgeStage(&stages[i], slots)
		out.Judged += judged
		for k := range slow {
			slow[k].Stage = i
		}
		out.Slow = append(out.Slow, slow...)
	}
	if len(out.Slow) > 0 {
		blame(stages, out.Slow)
		out.Replayed, out.Without = replay(stages, out.Slow, slots)
	}
	return out
}

func (s *Slow) excess() time.Duration { return time.Duration(s.Excess * float64(time.Second)) }

// judgeStage finds the slow tasks of a stage, by falling duration, and counts those it could judge.
func judgeStage(s *Stage, slots int) (slow []Slow, judged int) {
	var peers []int
	for i := range s.Tasks {
		if s.Tasks[i].Succeeded {
			peers = append(peers, i)
		}
	}
	if len(peers) <= leastPeers {
		return nil, 0
	}
	crowd := newCrowd(s, peers)
	for at := len(peers) - 1; at >= len(peers)-mostCandidates && at >= len(peers)/2; at-- {
		if c, ok := crowd.judge(at); ok {
			slow = append(slow, c)
		}
	}
	return s.matter(slow, slots), len(peers)
}

// matter keeps the tasks whose excess the stage's time depends on. Without all of it the stage
// takes leastGain less time, or none is kept.
func (s *Stage) matter(slow []Slow, slots int) []Slow {
	if len(slow) == 0 {
		return nil
	}
	order, runs := launched(s), make([]time.Duration, len(s.Tasks))
	span := func(slow []Slow) float64 {
		for at, i := range order {
			runs[at] = s.Tasks[i].duration()
			if k := slices.IndexFunc(slow, func(x Slow) bool { return x.Task == i }); k >= 0 {
				runs[at] -= slow[k].excess()
			}
		}
		return schedule.Makespan(runs, slots).Seconds()
	}
	all, best := span(nil), span(slow)
	least := leastGain * all
	if all-best < least {
		return nil
	}
	for i := len(slow) - 1; i >= 0; i-- { // the smallest excess first
		rest := slices.Delete(slices.Clone(slow), i, i+1)
		if without := span(rest); without-best < least && all-without >= least {
			slow = rest
		}
	}
	return slow
}

// crowd is the tasks of a stage in order of their durations.
type crowd struct {
	stage  *Stage
	peers  []int     // indices of tasks
	tasks  []int     // :: sorted
	sorted []profile // by duration
	// first bounds the starts of the first wave: then the first task is half over. A task may start
	// just before Spark has seen the end of the one before.
	first time.Duration
}

func newCrowd(s *Stage, peers []int) *crowd {
	c := &crowd{stage: s, peers: peers, tasks: slices.Clone(peers)}
	slices.SortFunc(c.tasks, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.Tasks[a].duration(), s.Tasks[b].duration()), cmp.Compare(a, b))
	})
	half := func(t *Task) time.Duration { return (t.Start + t.End) / 2 }
	c.first = half(&s.Tasks[peers[0]])
	for _, i := range c.tasks {
		c.sorted = append(c.sorted, profileOf(&s.Tasks[i]))
		c.first = min(c.first, half(&s.Tasks[i]))
	}
	return c
}

// isCold reports whether the other tasks of a task's first wave are as slow as it: they load
// classes, and run code that the JVM has not compiled. A wave of all tasks tells nothing.
func (c *crowd) isCold(at int) bool {
	isFirst := func(at int) bool { return c.stage.Tasks[c.tasks[at]].Start < c.first }
	var wave []profile
	for i := range c.sorted {
		if i != at && isFirst(i) {
			wave = append(wave, c.sorted[i])
		}
	}
	if !isFirst(at) || len(wave) == 0 || len(wave) == len(c.sorted)-1 {
		return false
	}
	other := typical(wave)
	return c.sorted[at].duration-other.duration <= max(leastExcess, leastRatio*other.duration)
}

// judge reports whether a task is slow beside all others, by its place in the order.
func (c *crowd) judge(at int) (Slow, bool) {
	task := &c.sorted[at]
	if task.duration <= leastExcess {
		return Slow{}, false
	}
	others := slices.Delete(slices.Clone(c.sorted), at, at+1)
	peer := typical(others)
	excess := task.duration - peer.duration
	n := float64(len(c.sorted))
	if excess <= max(leastExcess, leastRatio*peer.duration) || deviations(task, others) <= leastDeviations*(1+fewTasks/(n*n)) {
		return Slow{}, false
	}
	out := Slow{Task: c.tasks[at], Seconds: task.duration, Peer: peer.duration, Excess: excess, Peers: c.peers}
	out.Volume, out.Measure = task.volume(&peer)
	if peer.parts[PartCPU] > 0 {
		out.CPURatio = task.parts[PartCPU] / peer.parts[PartCPU] / max(out.Volume, 1e-9)
	}
	out.Parts = divide(task, &peer, out.Volume, c.host(at))
	out.Verdict = out.Parts.verdict(excess)
	alone := excess - task.parts[PartHost] + peer.parts[PartHost] // as on an idle host
	if out.Verdict != Host && alone <= max(leastExcess, leastRatio*(peer.duration-peer.parts[PartHost])) {
		return Slow{}, false
	}
	return out, out.Verdict == DataSkew || !c.isCold(at)
}

// host is by how much CPU and other waits of the other tasks on a task's host exceed the same on
// other hosts, in seconds. It is 0 if there are too few to tell.
func (c *crowd) host(at int) float64 {
	name := c.stage.Tasks[c.tasks[at]].Host
	var same, other []profile
	for i := range c.sorted {
		switch {
		case i == at:
		case c.stage.Tasks[c.tasks[i]].Host == name:
			same = append(same, c.sorted[i])
		default:
			other = append(other, c.sorted[i])
		}
	}
	if len(same) < leastOfHost || len(other) < leastOfHost {
		return 0
	}
	here, there := typical(same), typical(other)
	return here.parts[PartCPU] + here.parts[PartWait] - there.parts[PartCPU] - there.parts[PartWait]
}
