package pipeline

import (
	"reflect"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// A JVM may run one Spark application after the other: PySpark's gateway JVM outlives spark.stop(),
// and a notebook starts Spark again in it. Ids of executions, stages and tasks then begin again at
// 0. So consumers see each application as a JVM of its own, with an id of its own. What the JVM
// knows of its code, its threads and its CPU goes on.

// FirstLater is the first id of an application that is not its JVM's first; the sampler's own ids
// are below.
const FirstLater sampler.JVMID = 1 << 31

// succession is the place of an application among the applications of its JVM.
type succession struct {
	since  jvmlog.MonoTime // it began then; 0: with the JVM
	until  jvmlog.MonoTime // the next one began then
	before *jvm            // the one before, while samples of it may come; nil: none
	stats  sampler.Stats   // the JVM's as told last
	base   sampler.Stats   // of which before this application
}

// mostSuccessors is how many applications of a JVM may begin within the hold, beside the first.
// Consumers keep each until their window ends. No one starts Spark more than twice a second.
const mostSuccessors = 4

// crowded reports whether no more applications may begin now.
func (j *jvm) crowded() bool {
	n := 0
	for app := j.before; app != nil; app = app.before {
		n++
	}
	return n >= mostSuccessors && j.p.settings.Hold != UntilEnd
}

// next begins a new application in the JVM.
func (j *jvm) next(t jvmlog.MonoTime) *jvm {
	info := j.info
	info.ID, info.FoundAt, info.Header.AgentCPUNanos = FirstLater+j.p.later, t, 0 // share tells the agent's CPU from 0
	j.p.later++
	n := &jvm{p: j.p, info: info, budget: j.budget, ops: j.ops.next(), timeline: j.timeline, code: j.code, interp: j.interp, symbols: j.symbols, accounts: j.accounts,
		executions: newExecutions(), seen: j.seen}
	j.until = t
	n.since, n.before, n.stats, n.base = t, j, j.stats, j.stats
	for id, current := range j.p.jvms {
		if current == j {
			j.p.jvms[id] = n
		}
	}
	return n
}

// owns reports whether a task that started then is the application's.
func (j *jvm) owns(start jvmlog.MonoTime) bool {
	return start >= j.since && (j.until == 0 || start < j.until)
}

// of returns the application that a moment on a thread belongs to: the one whose task runs there,
// else the one of that time.
func (j *jvm) of(tid uint32, t jvmlog.MonoTime) *jvm {
	if j.before == nil {
		return j
	}
	if task, inside := j.timeline.at(tid, t); inside {
		t = task.Start
	}
	for j.before != nil && t < j.since {
		j = j.before
	}
	return j
}

// endBefore ends the applications before this one of which nothing more comes. now is the JVM's
// watermark.
func (j *jvm) endBefore(now jvmlog.MonoTime) {
	hold := j.p.settings.Hold
	if j.before == nil || hold == UntilEnd {
		return
	}
	j.before.endBefore(now)
	if now >= j.since+jvmlog.MonoTime(hold) {
		j.before.end()
		j.before = nil
	}
}

// end delivers all that is held of an application, and of those before it, and says that it is
// gone.
func (j *jvm) end() {
	if j.before != nil {
		j.before.end()
		j.before = nil
	}
	j.drain()
	j.endAllExecutions(true)
	if j.until != 0 {
		j.ops.forgetAll() // the code stays
	}
	j.p.out.JVMGone(j.info.ID)
}

// told is what is delivered, of the applications before too: all before the first that waits, or t.
func (j *jvm) told(t jvmlog.MonoTime) jvmlog.Told {
	for app := j; app != nil; app = app.before {
		for _, it := range app.waiting {
			t = min(t, it.time())
		}
	}
	out := jvmlog.Told{Before: t}
	for app := j; app != nil; app = app.before {
		out.Later += app.delivered.since(t)
	}
	return out
}

// drainAll labels everything that waits, of the applications before too.
func (j *jvm) drainAll() {
	if j.before != nil {
		j.before.drainAll()
	}
	j.drain()
}

// share is the application's part of the JVM's counts.
func (j *jvm) share(s sampler.Stats) sampler.Stats {
	j.stats = s
	part, base := reflect.ValueOf(&s).Elem(), reflect.ValueOf(j.base)
	for i := range part.NumField() {
		part.Field(i).SetUint(part.Field(i).Uint() - base.Field(i).Uint())
	}
	return s
}
