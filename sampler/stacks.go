package sampler

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

// Code runs before its record is written.
const (
	// settling is how long a sample waits for the records of the code on its stack: the agent lets
	// events gather for 10 ms (agent-jvmti/native/gather.h). A stack that goes on beyond its copy
	// cannot wait.
	settling = jvmlog.MonoTime(30 * time.Millisecond)
	// mostRounds is how many rounds it waits beyond that if the code that it interrupted is still
	// not known. It does not if it is older than mostPatience by then, as rounds may be a second
	// apart.
	mostRounds   = 2
	mostPatience = jvmlog.MonoTime(500 * time.Millisecond)
)

// waits reports whether a held sample is to wait for another round, and counts that round; taken is
// when the rings were read last.
func (j *jvm) waits(h *heldSample, taken jvmlog.MonoTime) bool {
	if !h.deep && h.time+settling > taken {
		return true
	}
	if h.rounds >= mostRounds || h.time+mostPatience < taken || !j.code.expected(h.ip) {
		return false
	}
	h.rounds++
	return true
}

// unwindHeld turns held samples into stacks and delivers them in the order of time, those that need
// not wait or, where all is set, all of them.
func (j *jvm) unwindHeld(taken jvmlog.MonoTime, now time.Time, all bool) {
	most := mostRoundTime
	if all {
		most = mostLastTime
	}
	j.refreshMappings(now)
	j.methods.start(now, most)
	j.checkCode(taken)
	j.unwinder.Begin()
	slices.SortStableFunc(j.held, func(a, b *heldSample) int { return cmp.Compare(a.time, b.time) })
	kept := j.held[:0]
	for _, h := range j.held {
		if !all && j.waits(h, taken) {
			kept = append(kept, h)
			continue
		}
		if !j.claims.sample(h) {
			j.totals.CutCPU++
			j.once("samples of this JVM stand for more CPU than its process has used", errors.New("its rings are not right"))
		} else if kept, ok := j.keeps(h, now); ok {
			s := j.unwound(h)
			s.Kept = kept
			j.unwoundNow = append(j.unwoundNow, unwound{sample: &s})
		}
		j.done = append(j.done, h)
	}
	if all {
		j.tellWaitingCode(math.MaxUint64)
	}
	j.deliver(now)
	clear(j.held[len(kept):])
	j.held = kept
	j.rings.giveBack(j.done)
	clear(j.done)
	j.done = j.done[:0]
}

// unwound is a sample, or a record that names a method of one.
type unwound struct {
	sample *Sample
	record jvmlog.Record
	time   jvmlog.MonoTime // of the record
}

// deliver delivers what was unwound, for which the memory of the process was read by its pid: if it
// is not what published the log any more, nothing.
func (j *jvm) deliver(now time.Time) {
	if len(j.unwoundNow) > 0 && j.memory != nil && j.memory.WasRead() {
		_ = j.check(now) // that it has ended is no harm: a zombie keeps its pid
	}
	for _, u := range j.unwoundNow {
		switch {
		case j.changed != nil:
		case u.sample != nil:
			j.sink.Sample(j.info.ID, *u.sample)
		default:
			j.sink.Record(j.info.ID, u.time, u.record)
		}
	}
	clear(j.unwoundNow)
	j.unwoundNow = j.unwoundNow[:0]
}

// keeps reports whether a sample is delivered, and with which probability it was to be; 0 stands
// for 1.
func (j *jvm) keeps(h *heldSample, now time.Time) (kept float64, ok bool) {
	switch kept = j.runs.part(h.tid, h.time, now); {
	case kept == 1:
		return 0, true
	case kept == 0:
		j.stats.LeftOut++
		return 0, false
	}
	if !j.runs.draw(h.tid, kept) {
		j.stats.Thinned++
		return 0, false
	}
	return kept, true
}

// unwound makes the stack of a sample.
func (j *jvm) unwound(h *heldSample) Sample {
	s := Sample{Time: h.time, Slot: h.slot, TID: h.tid, Period: h.period, Base: h.base, Detail: h.detail, Gap: h.gap, Kernel: len(h.kernel)}
	addrs := append(j.addrs[:0], h.kernel...)
	complete := false
	if h.regs {
		var r unwind.Result
		addrs, r = j.unwinder.Unwind(unwind.Input{
			IP: h.ip, SP: h.sp, FP: h.fp, BCP: h.bcp, Method: h.method, Return: h.ret, Chain: h.chain, Stack: h.stack,
		}, addrs)
		complete = r.Complete
		if len(r.Inserted) > 0 {
			s.Repaired = make([]int, 0, len(r.Inserted))
		}
		for _, i := range r.Inserted {
			s.Repaired = append(s.Repaired, len(h.kernel)+i)
		}
		s.Interpreted = j.interpreted(h.time, r.Interpreted, len(h.kernel))
	} else if len(h.kernel) == 0 {
		addrs = append(addrs, h.ip)
	}
	j.addrs = addrs
	j.meetCode(h.time, addrs[len(h.kernel):], len(h.kernel) == 0)
	s.Addrs = slices.Clone(addrs)
	j.stats.Samples++
	if len(s.Repaired) > 0 {
		j.stats.Repaired++
	}
	if !complete {
		s.Flags |= SampleTruncated
		j.stats.Truncated++
	}
	if len(addrs) <= len(h.kernel)+1 {
		s.Flags |= SampleNoStack
	}
	return s
}

// refreshMappings reads the JVM's executable mappings when a held sample points outside of all that
// is known, at most once a second. That happens when a library was loaded since.
func (j *jvm) refreshMappings(now time.Time) {
	if len(j.held) == 0 || now.Before(j.mapsNext) {
		return
	}
	stale := j.code.mappings == nil
	for _, h := range j.held {
		stale = stale || j.code.foreign(h.ip)
	}
	if !stale {
		return
	}
	j.mapsNext = now.Add(time.Second)
	m, err := j.fs.Executable(j.info.PID)
	if err != nil {
		j.once("executable mappings of this JVM could not be read", err)
		return
	}
	if len(m) > 0 { // a process that is ending has none left
		j.code.setMappings(m)
	}
}

// watermark is the time before which everything has been delivered. It is the start of the round,
// less what a writer may need between taking the time and being visible: a task thread can be
// preempted there. If a sample still waits, it is the time of the oldest one.
func (j *jvm) watermark(roundStart jvmlog.MonoTime) jvmlog.MonoTime {
	const visible = jvmlog.MonoTime(50 * time.Millisecond)
	return min(roundStart-min(visible, roundStart), j.oldestHeld())
}

// oldestHeld is the time of the oldest sample that waits, or whose code does; the end of all times
// where none does.
func (j *jvm) oldestHeld() jvmlog.MonoTime {
	oldest := jvmlog.MonoTime(math.MaxUint64)
	for _, h := range j.held {
		oldest = min(oldest, h.time)
	}
	return j.reading.oldestWaiting(oldest)
}

// once logs a kind of trouble of this JVM once; it is counted wherever it counts.
func (j *jvm) once(what string, err error) {
	if j.said[what] {
		return
	}
	j.said[what] = true
	j.logger.Warn(what, zap.Int("pid", j.info.PID), zap.Uint32("uid", j.owner.UID), zap.Error(err))
}
