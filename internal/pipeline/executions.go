package pipeline

import (
	"cmp"
	"container/heap"
	"maps"
	"slices"
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// ExecutionConsumer is a Consumer that also takes what is told of SQL executions.
type ExecutionConsumer interface {
	Consumer
	// Rows is called for what operators took in, as it becomes known: new since the call before.
	Rows(Rows)
	// ExecutionOver is called once for an execution of which a JVM ran tasks, after their last
	// Sample, Task and Rows.
	ExecutionOver(ExecutionOver)
}

// ExecutionOver says that a JVM has no more of an SQL execution.
type ExecutionOver struct {
	JVM       sampler.JVMID
	Execution tasksample.ExecutionID
	How       EndOfExecution
	Failed    bool            // told by the driver; false where it told nothing
	End       time.Time       // by the driver's clock; the zero value where it told nothing
	LastTask  jvmlog.MonoTime // the last start or end of a task here
	// Cut says that the execution began before this reader took the JVM over from another. What
	// came before is told by that one, or lost with it.
	Cut bool
}

// EndOfExecution says how an execution's end is known.
type EndOfExecution uint8

// Ends of an execution.
const (
	EndTold    EndOfExecution = iota // by the driver, through the executor
	EndWithJVM                       // its JVM ended idle within endsTogether of its last task, as an application's executors end with it, or was the driver too
	EndLeft                          // its JVM ended, perhaps in the midst of a task, and the execution may go on elsewhere; or its reader left it, or it was pushed out by others
	EndIdle                          // no task for Settings.ExecutionIdle, of a JVM whose agent tells no ends
)

const (
	// tellsEnds is the first minor version of the log with EXECUTION_END (FORMAT.md): its agent
	// asks for the end every few seconds.
	tellsEnds = 2
	// endsTogether is how soon after its last task a JVM ends with it: an executor that is let go
	// for want of work has had none for a minute (spark.dynamicAllocation.executorIdleTimeout).
	endsTogether = 10 * time.Second
	// localExecutor is the executor id of a local master (SparkContext.DRIVER_IDENTIFIER): driver
	// and only executor are one JVM.
	localExecutor = "driver"
	// disorder bounds by how much samples of one JVM come out of order: the longest time between
	// two readings of its rings.
	disorder = 2 * time.Second
	// mostOver is how many executions that are over are remembered, to tell tasks that outlive
	// them.
	mostOver = 512
)

// executions are the SQL executions of one JVM of which tasks ran here.
type executions struct {
	open map[tasksample.ExecutionID]*openExecution
	idle idleFirst // those in open, by their last task
	over map[tasksample.ExecutionID]bool
	old  []tasksample.ExecutionID // of over, oldest first
	cut  map[tasksample.ExecutionID]bool
}

type openExecution struct {
	id     tasksample.ExecutionID
	place  int                  // in executions.idle
	last   jvmlog.MonoTime      // of a start or end of a task; 0: none was seen
	told   *jvmlog.ExecutionEnd // nil: not yet
	toldAt jvmlog.MonoTime
}

func newExecutions() executions {
	return executions{open: map[tasksample.ExecutionID]*openExecution{}, over: map[tasksample.ExecutionID]bool{}, cut: map[tasksample.ExecutionID]bool{}}
}

// of returns an execution, made where it is new; nil where it is over.
func (e *executions) of(id tasksample.ExecutionID) *openExecution {
	if id == tasksample.NoExecution || e.over[id] {
		return nil
	}
	x := e.open[id]
	if x == nil {
		x = &openExecution{id: id}
		e.open[id] = x
		heap.Push(&e.idle, x)
	}
	return x
}

// ran takes note of a task of an execution.
func (e *executions) ran(x *openExecution, t jvmlog.MonoTime) {
	x.last = max(x.last, t)
	heap.Fix(&e.idle, x.place)
}

// idleFirst is a heap (container/heap) of executions: first the one that had no task for longest.
type idleFirst []*openExecution

func (h idleFirst) Len() int { return len(h) }

func (h idleFirst) Less(a, b int) bool {
	return cmp.Or(cmp.Compare(h[a].last, h[b].last), cmp.Compare(h[a].id, h[b].id)) < 0
}

func (h idleFirst) Swap(a, b int) {
	h[a], h[b] = h[b], h[a]
	h[a].place, h[b].place = a, b
}

func (h *idleFirst) Push(x any) {
	o := x.(*openExecution)
	o.place = len(*h)
	*h = append(*h, o)
}

func (h *idleFirst) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return x
}

// close forgets an execution, but for that it is over.
func (e *executions) close(id tasksample.ExecutionID) *openExecution {
	x := e.open[id]
	delete(e.open, id)
	delete(e.cut, id)
	heap.Remove(&e.idle, x.place)
	e.over[id] = true
	e.old = append(e.old, id)
	if len(e.old) > mostOver {
		delete(e.over, e.old[0])
		e.old = e.old[1:]
	}
	return x
}

// replays takes note that a replay begins or ends. What is told after the first one that this
// reader asked for is new. The log may still have a replay that another reader asked for.
func (j *jvm) replays(t jvmlog.MonoTime, begin bool) {
	if t < j.info.TookOver || !j.info.Replays {
		return
	}
	if j.replaying = begin; !begin {
		j.info.TookOver, j.info.Replays = 0, false
	}
}

// foundRunning takes note of a plan, told at a time, of an execution that began before this reader
// came. One that begins before the replay has ended is taken for such a one.
func (j *jvm) foundRunning(t jvmlog.MonoTime, id tasksample.ExecutionID) {
	if of := &j.executions; j.info.TookOver != 0 && (j.replaying || t < j.info.TookOver) && len(of.cut) < j.p.settings.MaxExecutions {
		of.cut[id] = true
	}
}

// executionTask takes note of the start or end of a task.
func (j *jvm) executionTask(e jvmlog.TaskEvent) {
	if e.Kind != jvmlog.TaskStart && e.Kind != jvmlog.TaskEnd || j.p.executions == nil {
		return
	}
	x := j.executions.of(e.Execution)
	if x == nil {
		return
	}
	j.executions.ran(x, e.Time)
	j.boundExecutions()
}

// boundExecutions ends executions early if there are too many.
func (j *jvm) boundExecutions() {
	for len(j.executions.open) > j.p.settings.MaxExecutions {
		j.p.counts.EarlyEnds++
		j.endExecution(j.executions.idle[0].id, EndLeft)
	}
}

// executionRows holds rows back until their plan is there, as a sample.
func (j *jvm) executionRows(t jvmlog.MonoTime, r *jvmlog.Rows) {
	if j.p.executions == nil || r.ExecutionID == tasksample.NoExecution {
		return
	}
	if x := j.executions.of(r.ExecutionID); x != nil {
		j.executions.ran(x, t)
		j.boundExecutions()
	}
	j.push(heldRows{r, t})
}

// executionEnd takes note that the driver told an execution's end. It may come before the tasks of
// the same reading.
func (j *jvm) executionEnd(t jvmlog.MonoTime, r *jvmlog.ExecutionEnd) {
	if j.p.executions == nil {
		return
	}
	if x := j.executions.of(r.ExecutionID); x != nil && x.told == nil {
		x.told, x.toldAt = r, t
		j.boundExecutions()
	}
}

// endExecutions ends the executions of which nothing more comes, as far as is known at a time.
func (j *jvm) endExecutions(now jvmlog.MonoTime) {
	if len(j.executions.open) == 0 {
		return
	}
	after := func(t jvmlog.MonoTime, d time.Duration) bool { return now >= t+jvmlog.MonoTime(d) }
	settled := j.p.settings.Hold + disorder
	var waiting map[tasksample.ExecutionID]bool
	waits := func(id tasksample.ExecutionID) bool {
		if waiting == nil {
			waiting = j.waitingExecutions()
		}
		return waiting[id]
	}
	var told, idle []tasksample.ExecutionID
	for id, x := range j.executions.open {
		switch {
		case x.told != nil && after(x.toldAt, settled) && !waits(id):
			told = append(told, id)
		case x.told == nil && j.info.Header.Minor < tellsEnds && after(x.last, j.p.settings.ExecutionIdle+settled+j.p.settings.PlanWait) && !j.timeline.runs(id, j.owns):
			idle = append(idle, id)
		}
	}
	slices.Sort(told)
	for _, id := range told {
		j.endExecution(id, EndTold)
	}
	slices.Sort(idle)
	for _, id := range idle {
		j.p.counts.IdleEnds++
		j.endExecution(id, EndIdle)
	}
}

// endAllExecutions ends those whose end was told, and, where the JVM is gone, all. An execution of
// which tasks still ran then was cut short. An executor's goes on elsewhere. A local master's,
// which was the driver too, never came to an end and is not told. If the JVM lives on, all go on.
func (j *jvm) endAllExecutions(gone bool) {
	for _, id := range slices.Sorted(maps.Keys(j.executions.open)) {
		switch x := j.executions.open[id]; {
		case x.told != nil:
			j.endExecution(id, EndTold)
		case j.left:
			j.endExecution(id, EndLeft)
		case gone && j.timeline.runs(id, j.owns):
			if j.app.ExecutorID == localExecutor {
				j.executions.close(id)
				j.p.counts.CutExecutions++
			} else {
				j.endExecution(id, EndLeft)
			}
		case gone && (j.app.ExecutorID == localExecutor || j.seen <= x.last+jvmlog.MonoTime(endsTogether)):
			j.endExecution(id, EndWithJVM)
		case gone:
			j.endExecution(id, EndLeft)
		}
	}
}

// endExecution delivers the end of an execution; one of which no task ran here is no one's
// business.
func (j *jvm) endExecution(id tasksample.ExecutionID, how EndOfExecution) {
	cut := j.executions.cut[id]
	x := j.executions.close(id)
	if x.last == 0 {
		return
	}
	over := ExecutionOver{JVM: j.info.ID, Execution: id, How: how, LastTask: x.last, Cut: cut}
	if x.told != nil {
		over.How, over.Failed, over.End = EndTold, x.told.Failed, time.Unix(0, x.told.UnixNano)
	}
	j.p.executions.ExecutionOver(over)
}

// waitingExecutions are the executions for whose plans something waits.
func (j *jvm) waitingExecutions() map[tasksample.ExecutionID]bool {
	out := map[tasksample.ExecutionID]bool{}
	for _, it := range j.waiting {
		it.concerns(j, func(id tasksample.ExecutionID) { out[id] = true })
	}
	return out
}
