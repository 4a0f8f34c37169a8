package slowtask

import (
	"cmp"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/skew"
	"github.com/planflame/planflame/tasksample"
)

const (
	// mostTasks bounds the tasks that wait for the end of their stage, of 0.25 KiB each.
	mostTasks = 1 << 14
	// mostWaiting bounds the slow tasks that wait for the end of their execution.
	mostWaiting = 1 << 10
)

// Slow is a slow task with what runs it.
type Slow struct {
	Judged    skew.Slow // without Stage, Task and Peers, which are indices
	Of        pipeline.TaskTimes
	Execution tasksample.ExecutionID
	// Query, QueryName and Plan are empty outside SQL, and if the driver did not report the end of
	// the execution.
	Query, QueryName, Plan string
}

// Book judges the stages of a driver's JVM as they end. Not safe for concurrent use. The zero value
// is empty.
type Book struct {
	// Lost counts tasks that found no room, or whose driver ended before its slots were known.
	Lost uint64

	open    map[attempt]*openStage
	order   []attempt // of open, oldest first
	tasks   int       // of all in open
	slots   int       // 0: not known yet
	waiting []Slow    // for the end of their execution, oldest first
}

// attempt names a stage attempt of an application.
type attempt struct {
	application string
	id          tasksample.StageID
	attempt     tasksample.StageAttempt
}

// openStage is a stage attempt that is not judged yet.
type openStage struct {
	tasks                    []pipeline.TaskTimes
	ended                    bool
	execution                tasksample.ExecutionID
	submittedMS, completedMS int64
}

// execution names an SQL execution of an application.
type execution struct {
	application string
	id          tasksample.ExecutionID
}

// Add takes what a driver reported since the last call. It returns the slow tasks of stages that
// ended, once their execution has ended too: the driver reports the query then. isLast says that
// the JVM is gone, so nothing is left to wait for.
func (b *Book) Add(t *window.Times, isLast bool) []Slow {
	for i := range t.Applications {
		b.slots = cmp.Or(max(t.Applications[i].Slots, 0), b.slots)
	}
	for i := range t.Tasks {
		b.keep(&t.Tasks[i])
	}
	for i := range t.Stages {
		st := &t.Stages[i]
		if o := b.open[attempt{st.ApplicationID, st.ID, st.Attempt}]; o != nil { // else a replay
			o.ended, o.execution, o.submittedMS, o.completedMS = true, st.Execution, st.SubmittedMS, st.CompletedMS
		}
	}
	b.judge(isLast)
	over := map[execution]*pipeline.ExecutionTimes{}
	for i := range t.Executions {
		over[execution{t.Executions[i].ApplicationID, t.Executions[i].ID}] = &t.Executions[i]
	}
	return b.release(over, isLast)
}

// keep adds a task to its stage. Without room the oldest stage goes.
func (b *Book) keep(t *pipeline.TaskTimes) {
	for b.tasks+len(b.order) >= mostTasks {
		b.forgetOldest()
	}
	key := attempt{t.ApplicationID, t.Stage, t.StageAttempt}
	o := b.open[key]
	if o == nil {
		if b.open == nil {
			b.open = map[attempt]*openStage{}
		}
		o = &openStage{}
		b.open[key], b.order = o, append(b.order, key)
	}
	o.tasks = append(o.tasks, *t)
	b.tasks++
}

// forgetOldest makes room.
func (b *Book) forgetOldest() {
	key := b.order[0]
	n := len(b.open[key].tasks)
	delete(b.open, key)
	b.order = b.order[1:]
	b.tasks -= n
	b.Lost += uint64(n)
}

// judge judges the stages that ended, and moves their slow tasks to those that wait.
func (b *Book) judge(isLast bool) {
	still := b.order[:0]
	for _, key := range b.order {
		o := b.open[key]
		switch {
		case o.ended && b.slots > 0:
			b.waiting = append(b.waiting, o.judge(b.slots)...)
		case o.ended && isLast:
			b.Lost += uint64(len(o.tasks))
		case !isLast:
			still = append(still, key)
			continue
		}
		delete(b.open, key)
		b.tasks -= len(o.tasks)
	}
	clear(b.order[len(still):])
	b.order = still
}

func (o *openStage) judge(slots int) (out []Slow) {
	st := skew.Stage{Completed: millis(o.completedMS - o.submittedMS), Tasks: make([]skew.Task, len(o.tasks))}
	for i := range o.tasks {
		st.Tasks[i] = Task(&o.tasks[i], o.submittedMS, 0)
	}
	found := skew.Judge([]skew.Stage{st}, min(slots, len(o.tasks)))
	for _, s := range found.Slow {
		of := o.tasks[s.Task]
		s.Stage, s.Task, s.Peers = 0, 0, nil
		out = append(out, Slow{Judged: s, Of: of, Execution: o.execution})
	}
	return out
}

// release returns the slow tasks that wait for nothing more: their execution is over, they ran
// outside SQL, or they are the oldest beyond the bound.
func (b *Book) release(over map[execution]*pipeline.ExecutionTimes, all bool) (out []Slow) {
	still := b.waiting[:0]
	for i, s := range b.waiting {
		x := over[execution{s.Of.ApplicationID, s.Execution}]
		if x != nil {
			s.Query, s.QueryName, s.Plan = x.Query, x.QueryName, x.Plan
		}
		if x == nil && s.Execution != tasksample.NoExecution && !all && len(b.waiting)-i <= mostWaiting {
			still = append(still, s)
			continue
		}
		out = append(out, s)
	}
	clear(b.waiting[len(still):])
	b.waiting = still
	return out
}
