package pipeline

import (
	"math"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

const (
	// mostPast bounds the slots of a task. A task that has more gets longer ones.
	mostPast = 256
	// mostPastTasks bounds the tasks of a JVM, whose threads run one each.
	mostPastTasks = 256
)

// pastCPU is the CPU that a running task was sampled with, by time: a dwell is told when its task
// has ended, long after most of its samples. The zero value is empty.
type pastCPU struct {
	span  jvmlog.MonoTime // of a slot
	slots []cpuSlot       // in about the order of their times
}

// cpuSlot is the CPU of an operator, or of a bucket, in a span of time.
type cpuSlot struct {
	at       jvmlog.MonoTime // its begin, a multiple of the span
	bucket   attribution.Bucket
	operator string
	cpu      time.Duration
}

// add adds CPU. It reports whether there was room: one span may have more operators than there are
// slots.
func (r *pastCPU) add(s cpuSlot) bool {
	if r.span == 0 {
		r.span = jvmlog.MonoTime(time.Second)
	}
	for !r.put(s) {
		if r.slots[0].at == s.at-s.at%r.span {
			return false
		}
		r.span *= 2
		old := r.slots
		r.slots = old[:0:0]
		for _, o := range old {
			r.put(o)
		}
	}
	return true
}

// put adds CPU to its slot. It reports false if there is no room.
func (r *pastCPU) put(s cpuSlot) bool {
	s.at -= s.at % r.span
	for i := len(r.slots) - 1; i >= 0 && r.slots[i].at >= s.at; i-- {
		if o := &r.slots[i]; o.at == s.at && o.bucket == s.bucket && o.operator == s.operator {
			o.cpu += s.cpu
			return true
		}
	}
	if len(r.slots) >= mostPast {
		return false
	}
	r.slots = append(r.slots, s)
	return true
}

// within calls f with what the task used from one time to another. Of a slot that is only partly
// within, it takes as large a part of the CPU.
func (r *pastCPU) within(from, to jvmlog.MonoTime, f func(attribution.Bucket, string, time.Duration)) {
	for _, s := range r.slots {
		if begin, end := max(from, s.at), min(to, s.at+r.span); begin < end {
			f(s.bucket, s.operator, time.Duration(float64(s.cpu)*float64(end-begin)/float64(r.span)))
		}
	}
}

// pastSample keeps the CPU of a sample for the dwells of its task that are not told yet. A JVM
// tells of itself within ten seconds; samples before that are not kept.
func (j *jvm) pastSample(l *Labelled) {
	if !j.dwelling || l.Task < 0 {
		return
	}
	r := j.past[l.Task]
	if r == nil {
		if len(j.past) >= mostPastTasks {
			j.forgetPast(j.oldestPast())
		}
		if j.past == nil {
			j.past = map[tasksample.TaskAttemptID]*pastCPU{}
		}
		r = &pastCPU{}
		j.past[l.Task] = r
	}
	if !j.fits(pastBytes) {
		return
	}
	before := len(r.slots)
	if !r.add(cpuSlot{l.Time, l.Bucket, l.OperatorName, l.Weight}) {
		j.p.counts.OverBudget++
	}
	j.budget.keep(pastBytes * (len(r.slots) - before))
}

// oldestPast is the task whose last sample came first.
func (j *jvm) oldestPast() (oldest tasksample.TaskAttemptID) {
	least := jvmlog.MonoTime(math.MaxUint64)
	for task, r := range j.past {
		last := jvmlog.MonoTime(0)
		if n := len(r.slots); n > 0 {
			last = r.slots[n-1].at
		}
		if last < least {
			oldest, least = task, last
		}
	}
	return oldest
}

func (j *jvm) forgetPast(task tasksample.TaskAttemptID) {
	if r := j.past[task]; r != nil {
		j.budget.keep(-pastBytes * len(r.slots))
		delete(j.past, task)
	}
}
