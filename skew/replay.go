package skew

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// replay is how long a job takes, from its first stage to its last, when its tasks take as long as
// in runs. Stages and tasks are the same; durations may differ. Tasks start in the order of the
// recorded launches, on the first free slot. Of stages that are ready, the one submitted first goes
// first, as in Spark's FIFO mode. A stage is ready as long after the last stage that had ended
// before it as it was in the recording.
func replay(recorded, runs []Stage, slots int) time.Duration {
	if len(recorded) == 0 {
		return 0
	}
	r := newReplayer(recorded, runs, max(slots, 1))
	for r.events.Len() > 0 {
		e := heap.Pop(&r.events).(event)
		r.now = e.at
		r.apply(e)
		if r.events.Len() == 0 || r.events[0].at > r.now {
			r.launch()
		}
	}
	return r.end - r.begin
}

// event is something that happens in a replay.
type event struct {
	at    time.Duration
	what  eventKind
	stage int // in the order of submission
}

type eventKind int

const (
	stageReady eventKind = iota
	taskEnded
	stageEnded
)

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, k int) bool {
	return cmp.Or(cmp.Compare(e[i].at, e[k].at), cmp.Compare(e[i].what, e[k].what), cmp.Compare(e[i].stage, e[k].stage)) < 0
}
func (e events) Swap(i, k int) { e[i], e[k] = e[k], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// replayed is a stage in a replay.
type replayed struct {
	tasks     []time.Duration // durations, in the order of launch
	next      int             // first task that has not started
	open      int             // tasks that have not ended
	tail      time.Duration   // from its last task's end to its own
	ready     bool
	followers []follower
}

// follower is a stage that waits for another, with the time between.
type follower struct {
	stage int
	gap   time.Duration
}

type replayer struct {
	stages          []replayed
	events          events
	free            int
	waiting         int // no stage before has a task to start
	begin, end, now time.Duration
}

func newReplayer(recorded, runs []Stage, slots int) *replayer {
	order := make([]int, len(recorded))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(recorded[a].Submitted, recorded[b].Submitted) })
	r := &replayer{stages: make([]replayed, len(recorded)), free: slots, begin: recorded[order[0]].Submitted}
	for n, i := range order {
		r.stages[n] = newReplayed(&recorded[i], &runs[i])
		before := -1
		for k, j := range order[:n] {
			if recorded[j].Completed <= recorded[i].Submitted && (before < 0 || recorded[j].Completed > recorded[order[before]].Completed) {
				before = k
			}
		}
		if before < 0 {
			heap.Push(&r.events, event{recorded[i].Submitted, stageReady, n})
			continue
		}
		gap := recorded[i].Submitted - recorded[order[before]].Completed
		r.stages[before].followers = append(r.stages[before].followers, follower{n, gap})
	}
	return r
}

// newReplayed takes durations from the run. A stage without tasks takes as long as it did.
func newReplayed(recorded, run *Stage) replayed {
	order := make([]int, len(recorded.Tasks))
	last := time.Duration(0)
	for i := range order {
		order[i] = i
		last = max(last, recorded.Tasks[i].End)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(recorded.Tasks[a].Start, recorded.Tasks[b].Start) })
	out := replayed{open: len(order), tail: max(recorded.Completed-max(last, recorded.Submitted), 0)}
	for _, i := range order {
		out.tasks = append(out.tasks, run.Tasks[i].duration())
	}
	return out
}

func (r *replayer) apply(e event) {
	s := &r.stages[e.stage]
	switch e.what {
	case stageReady:
		s.ready = true
		r.waiting = min(r.waiting, e.stage)
		if s.open == 0 {
			heap.Push(&r.events, event{r.now + s.tail, stageEnded, e.stage})
		}
	case taskEnded:
		r.free++
		s.open--
		if s.open == 0 {
			heap.Push(&r.events, event{r.now + s.tail, stageEnded, e.stage})
		}
	case stageEnded:
		r.end = max(r.end, r.now)
		for _, f := range s.followers {
			heap.Push(&r.events, event{r.now + f.gap, stageReady, f.stage})
		}
	}
}

// launch starts tasks on the free slots.
func (r *replayer) launch() {
	for n := r.waiting; n < len(r.stages) && r.free > 0; n++ {
		s := &r.stages[n]
		for ; s.ready && s.next < len(s.tasks) && r.free > 0; s.next++ {
			r.free--
			heap.Push(&r.events, event{r.now + s.tasks[s.next], taskEnded, n})
		}
		if n == r.waiting && s.ready && s.next == len(s.tasks) {
			r.waiting++
		}
	}
}
