package pipeline

import (
	"slices"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// item is what waits in the hold: a sample, the end of a task, the CPU that a reading of /proc
// brought, or the rows of a stage.
type item interface {
	// time is the moment that the JVM's watermark must have passed.
	time() jvmlog.MonoTime
	// known reports whether all that the item is labelled with is there.
	known(*jvm) bool
	// concerns calls back for each execution that the item is of, as far as is known.
	concerns(*jvm, func(tasksample.ExecutionID))
	// bytes is about what is charged to the JVM's budget for it.
	bytes() int
	// deliver labels the item and gives it to the consumer.
	deliver(*jvm)
}

// readiness tells which items wait no longer. The end of a task waits for the task's samples: an
// estimate takes no sample of a task that has ended.
type readiness struct{ waits map[*Task]bool }

// is takes the items in their order.
func (r *readiness) is(j *jvm, it item) bool {
	if end, ok := it.(*taskEnd); ok && r.waits[end.task] {
		return false
	}
	if it.known(j) {
		return true
	}
	if s, ok := it.(*heldSample); ok {
		if task, _ := j.timeline.at(s.TID, s.Time); task != nil {
			if r.waits == nil {
				r.waits = map[*Task]bool{}
			}
			r.waits[task] = true
		}
	}
	return false
}

// heldSample is a sample in the hold.
type heldSample sampler.Sample

func (s *heldSample) time() jvmlog.MonoTime { return s.Time }

// known reports whether the plan and the stage of the sample's task are there, and the names of its
// interpreted methods: records of generated classes come last in a replay.
func (s *heldSample) known(j *jvm) bool {
	if !j.interp.named(s.Interpreted) {
		return false
	}
	task, _ := j.timeline.at(s.TID, s.Time)
	return task == nil || j.ops.known(task)
}

func (s *heldSample) concerns(j *jvm, of func(tasksample.ExecutionID)) {
	if task, _ := j.timeline.at(s.TID, s.Time); task != nil {
		of(task.Execution)
	}
}

func (s *heldSample) deliver(j *jvm) {
	l := j.label((*sampler.Sample)(s))
	if l == nil {
		return
	}
	j.p.counts.count(l)
	j.dictionary(l)
	j.dwellSample(l)
	j.pastSample(l)
	j.delivered.add(s.Time, l.Weight)
	j.p.out.Sample(l)
}

func (end *taskEnd) time() jvmlog.MonoTime { return end.task.End }

func (end *taskEnd) known(j *jvm) bool { return j.ops.known(end.task) }

func (end *taskEnd) concerns(_ *jvm, of func(tasksample.ExecutionID)) { of(end.task.Execution) }

func (end *taskEnd) deliver(j *jvm) {
	j.timeline.budget.keep(-taskEndBytes)
	j.p.counts.Tasks++
	task := j.taskCPU(end)
	j.dwellTask(&task.Labels)
	if len(j.dwells[task.Task]) == 0 {
		j.forgetPast(task.Task)
	}
	j.p.out.Task(task)
}

func (s *spent) time() jvmlog.MonoTime { return s.to }

// known reports whether the plans and stages are there of all tasks that ran in the interval;
// without Python there is no need of them.
func (s *spent) known(j *jvm) bool {
	return s.account.Workers == 0 || !slices.ContainsFunc(j.timeline.during(s.from, s.to), func(r stageRun) bool { return !j.ops.known(r.task) })
}

func (s *spent) concerns(j *jvm, of func(tasksample.ExecutionID)) {
	for _, r := range j.timeline.during(s.from, s.to) {
		of(r.task.Execution)
	}
}

func (s *spent) deliver(j *jvm) {
	if i := slices.Index(j.toBook, s.from); s.account.Workers > 0 && i >= 0 {
		j.toBook = slices.Delete(j.toBook, i, i+1)
	}
	j.book(s)
}

// heldRows is a ROWS record in the hold.
type heldRows struct {
	*jvmlog.Rows
	at jvmlog.MonoTime
}

func (r heldRows) time() jvmlog.MonoTime { return r.at }

func (r heldRows) known(j *jvm) bool {
	return j.ops.known(&Task{Stage: r.StageID, StageAttempt: r.StageAttempt, Execution: r.ExecutionID})
}

func (r heldRows) concerns(_ *jvm, of func(tasksample.ExecutionID)) { of(r.ExecutionID) }

func (r heldRows) deliver(j *jvm) { j.stageRows(r.Rows) }
