package pipeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// timeline knows which task ran when on each task thread of one JVM.
//
// Threads are told apart by tid and, as tids are re-used, by the start of their slot or a thread
// CPU clock that went back.
type timeline struct {
	threads    map[uint32]*thread // :: tid → thread
	nextEvent  uint64             // index of the next task event if none is missing
	fromBirth  bool               // every task event since the JVM's first was seen
	lostStarts uint64
	lostEnds   uint64
	// lostSwitches of detail clocks are beyond mostSwitches of their tasks.
	lostSwitches uint64
	budget       *budget // has the tasks, and the ends that wait
}

// mostThreads bounds timeline.threads: beyond it those go that have no task.
const mostThreads = 4096

// thread is one thread's tasks and the readings of its clocks at the last task end.
type thread struct {
	slot   jvmlog.Thread
	tasks  []*Task                            // ascending by Start; all but the last have ended or lost their end
	byID   map[tasksample.TaskAttemptID]*Task // the last of tasks with an id
	open   *Task
	opened clocks // readings at open's start
	last   clocks // readings at the end of the previous task
	seen   bool   // last is meaningful
}

// clocks are cumulative readings of a thread's CPU clocks in nanoseconds.
type clocks struct{ cpu, system uint64 }

func clocksOf(e jvmlog.TaskEvent) clocks { return clocks{cpu: e.ThreadCPUNanos, system: e.SystemNanos} }

func newTimeline(b *budget) *timeline {
	return &timeline{threads: map[uint32]*thread{}, fromBirth: true, budget: b}
}

// thread takes news of a thread slot.
func (tl *timeline) thread(t jvmlog.Thread) {
	th := tl.threads[t.TID]
	if th == nil || (th.slot.StartTime != 0 && th.slot.StartTime != t.StartTime) {
		tl.drop(t.TID)
		th = &thread{}
		tl.threads[t.TID] = th
	}
	if hasEvent(th.slot) && hasEvent(t) {
		t.CPUNanosAtOpen = th.slot.CPUNanosAtOpen // opened again at other rates: what ran before was sampled too
	}
	th.slot = t
}

// hasEvent reports whether an event samples the thread.
func hasEvent(t jvmlog.Thread) bool {
	return t.PerfErrno == 0 && (t.BasePeriodNS != 0 || t.DetailPeriodNS != 0)
}

// event takes a task event in stream order. It returns the tasks that ended, with their CPU. The
// task before on the thread is one of them if its end is lost. Spark's figures for it are unknown
// (0).
func (tl *timeline) event(e jvmlog.TaskEvent) []taskEnd {
	if e.Flags&jvmlog.TaskByReader != 0 {
		tl.clocks(e)
		return nil
	}
	if e.Index != tl.nextEvent {
		tl.fromBirth = false
	}
	tl.nextEvent = e.Index + 1
	if e.Kind == jvmlog.TaskClocks {
		tl.clocks(e)
		return nil
	}
	th := tl.threads[e.TID]
	if th == nil || (th.seen && e.ThreadCPUNanos < th.last.cpu) {
		tl.drop(e.TID)
		th = &thread{}
		tl.threads[e.TID] = th
	}
	if !th.seen && tl.fromBirth {
		th.seen = true // the thread was born after the agent: all of its CPU so far belongs to its first task
	}
	switch e.Kind {
	case jvmlog.TaskStart:
		return tl.start(th, e)
	case jvmlog.TaskEnd:
		return tl.end(th, e)
	}
	return nil
}

// clocks takes news of the detail clock of a task that runs, or has just ended.
func (tl *timeline) clocks(e jvmlog.TaskEvent) {
	th := tl.threads[e.TID]
	if th == nil {
		return
	}
	task := th.byID[e.Task]
	if task == nil {
		return
	}
	if len(task.Detail) >= mostSwitches {
		tl.lostSwitches++
		return
	}
	tl.budget.keep(-bytesOf(task))
	task.switched(max(e.Time, task.Start), e.Flags&jvmlog.TaskDetail != 0)
	tl.budget.keep(bytesOf(task))
}

// mostSwitches bounds Task.Detail.
const mostSwitches = 1 << 12

// bytesOf is about what a task takes.
func bytesOf(t *Task) int { return taskBytes + switchBytes*len(t.Detail) }

func (tl *timeline) start(th *thread, e jvmlog.TaskEvent) (lost []taskEnd) {
	if th.open != nil {
		lost = append(lost, tl.loseEnd(th, e))
	}
	if !th.seen {
		th.last, th.seen = clocksOf(e), true
	}
	th.open = taskOf(e)
	th.open.Start = e.Time
	th.open.switched(e.Time, e.Flags&jvmlog.TaskDetail != 0)
	th.opened = clocksOf(e)
	tl.add(th, th.open)
	return lost
}

func (tl *timeline) end(th *thread, e jvmlog.TaskEvent) (ended []taskEnd) {
	if th.open == nil || th.open.ID != e.Task {
		tl.lostStarts++
		task := taskOf(e)
		if th.open != nil { // its end is lost too; when is not known, and Spark's figures are the other's
			at := e
			at.Time = max(th.open.Start, 1)
			at.ThreadCPUNanos -= min(e.ExecutorCPUNanos+e.ExecutorDeserializeNanos, sub(e.ThreadCPUNanos, th.last.cpu))
			ended = append(ended, tl.loseEnd(th, at))
		}
		if n := len(th.tasks); n > 0 {
			task.Start = th.tasks[n-1].End
		}
		task.switched(max(task.Start, 1), e.Flags&jvmlog.TaskDetail != 0)
		th.opened = th.last
		th.open = task
		tl.add(th, task)
	}
	return append(ended, th.finish(e))
}

// loseEnd ends the open task, whose end is lost, at an event's clocks.
func (tl *timeline) loseEnd(th *thread, e jvmlog.TaskEvent) taskEnd {
	tl.lostEnds++
	e.Flags, e.ExecutorCPUNanos, e.ExecutorDeserializeNanos, e.GCMillis = 0, 0, 0, 0
	return th.finish(e)
}

// add keeps a task until forget.
func (tl *timeline) add(th *thread, task *Task) {
	tl.budget.keep(bytesOf(task))
	th.tasks = append(th.tasks, task)
	if th.byID == nil {
		th.byID = map[tasksample.TaskAttemptID]*Task{}
	}
	th.byID[task.ID] = task
}

// drop forgets a thread.
func (tl *timeline) drop(tid uint32) {
	if th := tl.threads[tid]; th != nil {
		if th.open != nil {
			tl.lostEnds++
		}
		tl.shorten(th, len(th.tasks))
		delete(tl.threads, tid)
	}
}

// shorten forgets the first n tasks of a thread.
func (tl *timeline) shorten(th *thread, n int) {
	for _, task := range th.tasks[:n] {
		tl.budget.keep(-bytesOf(task))
		if th.byID[task.ID] == task {
			delete(th.byID, task.ID)
		}
	}
	th.tasks = slices.Delete(th.tasks, 0, n)
}

// finish ends the open task at an event's clocks.
func (th *thread) finish(e jvmlog.TaskEvent) taskEnd {
	end := taskEnd{task: th.open, executorCPU: time.Duration(e.ExecutorCPUNanos), gc: time.Duration(e.GCMillis) * time.Millisecond, failed: e.Flags&jvmlog.TaskFailed != 0}
	end.task.End = e.Time
	end.account(th, e)
	th.open, th.last, th.seen = nil, clocksOf(e), true
	return end
}

// at returns the task that a moment on a thread belongs to: the one that runs, else the next one to
// start (inside is false), else nil.
func (tl *timeline) at(tid uint32, t jvmlog.MonoTime) (task *Task, inside bool) {
	th := tl.threads[tid]
	if th == nil {
		return nil, false
	}
	// The first task that had not ended before t.
	i, _ := slices.BinarySearchFunc(th.tasks, t, func(k *Task, t jvmlog.MonoTime) int {
		if k.End != 0 && k.End < t {
			return -1
		}
		return 1
	})
	if i == len(th.tasks) {
		return nil, false
	}
	return th.tasks[i], th.tasks[i].Start <= t
}

// runs reports whether a task of an execution runs, of those that started when counts says.
func (tl *timeline) runs(id tasksample.ExecutionID, counts func(start jvmlog.MonoTime) bool) bool {
	for _, th := range tl.threads {
		if th.open != nil && th.open.Execution == id && counts(th.open.Start) {
			return true
		}
	}
	return false
}

// has reports whether a task of an execution runs, or has ended and is not forgotten.
func (tl *timeline) has(id tasksample.ExecutionID) bool {
	for _, th := range tl.threads {
		if slices.ContainsFunc(th.tasks, func(k *Task) bool { return k.Execution == id }) {
			return true
		}
	}
	return false
}

// name is the thread's name, "" unknown.
func (tl *timeline) name(tid uint32) string {
	if th := tl.threads[tid]; th != nil {
		return th.slot.Name
	}
	return ""
}

// forget drops tasks that ended before t: no sample before t will be asked for.
func (tl *timeline) forget(t jvmlog.MonoTime) {
	many := len(tl.threads) > mostThreads
	for tid, th := range tl.threads {
		n := 0
		for n < len(th.tasks) && th.tasks[n].End != 0 && th.tasks[n].End < t {
			n++
		}
		tl.shorten(th, n)
		if many && len(th.tasks) == 0 {
			tl.drop(tid)
		}
	}
}

func taskOf(e jvmlog.TaskEvent) *Task {
	return &Task{
		ID: e.Task, Stage: e.Stage, StageAttempt: e.StageAttempt, Partition: e.Partition, Partitions: e.Partitions,
		Attempt: e.Attempt, Execution: e.Execution, TID: e.TID, Selected: e.Flags&jvmlog.TaskSelected != 0,
		InclusionProbability: e.InclusionProbability, RunProbability: runProbability(e), LeftOut: e.LeftOut,
		Before: time.Duration(e.BeforeNanos),
	}
}

// runProbability is Task.RunProbability.
func runProbability(e jvmlog.TaskEvent) float64 {
	if e.RunProbability == 0 {
		return 1
	}
	return e.RunProbability
}

// stageRun is a stage attempt in an interval.
type stageRun struct {
	task     *Task           // any of the attempt's
	from, to jvmlog.MonoTime // the first start and the last end of its tasks, within the interval
	busy     time.Duration   // of all its tasks
}

// during are the stage attempts whose tasks ran at some time in [from, to], by stage.
func (tl *timeline) during(from, to jvmlog.MonoTime) []stageRun {
	var out []stageRun
	at := map[stageKey]int{} // in out
	for _, th := range tl.threads {
		i, _ := slices.BinarySearchFunc(th.tasks, from, func(k *Task, t jvmlog.MonoTime) int {
			if k.End != 0 && k.End < t {
				return -1
			}
			return 1
		})
		for ; i < len(th.tasks) && th.tasks[i].Start <= to; i++ {
			out = addRun(out, at, th.tasks[i], from, to)
		}
	}
	slices.SortFunc(out, func(a, b stageRun) int { // threads are a map
		return cmp.Or(cmp.Compare(a.task.Stage, b.task.Stage), cmp.Compare(a.task.StageAttempt, b.task.StageAttempt))
	})
	return out
}

// addRun adds a task that ran in [from, to] to its stage attempt, whose index in runs places has.
func addRun(runs []stageRun, places map[stageKey]int, k *Task, from, to jvmlog.MonoTime) []stageRun {
	start, end := max(k.Start, from), to
	if k.End != 0 {
		end = min(k.End, to)
	}
	busy := time.Duration(end - start)
	key := stageKey{k.Stage, k.StageAttempt}
	at, known := places[key]
	if !known {
		places[key] = len(runs)
		return append(runs, stageRun{k, start, end, busy})
	}
	r := &runs[at]
	r.from, r.to, r.busy = min(r.from, start), max(r.to, end), r.busy+busy
	return runs
}
