package sampler

import (
	"errors"
	"io/fs"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/perfevent"
)

// threadKey tells threads apart that had the same slot one after the other.
type threadKey struct {
	slot  int
	tid   uint32
	start jvmlog.MonoTime
}

func keyOf(t jvmlog.Thread) threadKey { return threadKey{slot: t.Slot, tid: t.TID, start: t.StartTime} }

// eventKey tells an event from the one that the agent opened in its place: the agent opens again when control changes.
type eventKey struct {
	fd     int32
	pages  uint32
	period uint64
	cpu    uint64
}

// thread is a task thread with its ring.
type thread struct {
	slot    jvmlog.Thread // as the sink got it last
	event   *perfevent.Event
	opened  eventKey
	retry   time.Time // an event that was refused is not tried before
	present bool      // in the slots of this round
}

// retryOpen is the time between two attempts at an event that was refused.
const retryOpen = time.Second

// attachThreads looks at the thread slots: tells the sink of task threads that are new or have changed, sees to it that each has a
// ring, and lets go of those that have ended. Only task threads get rings; another tier of threads would be chosen here.
func (j *jvm) attachThreads(now time.Time) {
	j.slots = j.log.Threads(j.slots[:0])
	for _, t := range j.threads {
		t.present = false
	}
	for _, slot := range j.slots {
		if slot.Flags&jvmlog.ThreadTask == 0 {
			continue
		}
		key := keyOf(slot)
		t := j.threads[key]
		if t == nil {
			t = &thread{}
			j.threads[key] = t
		}
		t.present = true
		j.attach(t, &slot, now)
		if slot != t.slot {
			t.slot = slot
			j.sink.Thread(j.info.ID, slot)
		}
	}
}

// attach gives a thread the event of the mode, if it has none or another. In privileged mode it writes into slot what the agent
// cannot know.
func (j *jvm) attach(t *thread, slot *jvmlog.Thread, now time.Time) {
	switch j.info.Mode {
	case ModePrivileged:
		if t.event == nil && !now.Before(t.retry) {
			j.open(t, slot, now)
		}
		if t.event != nil {
			slot.BasePeriodNS = uint64(j.settings.BasePeriod)
			slot.RingPages = uint32(t.event.RingPages())
			slot.CPUNanosAtOpen = t.opened.cpu
		}
	case ModeSelfOpened:
		if slot.PerfFD < 0 && slot.PerfErrno != 0 {
			j.once("the JVM could not open its perf event", unix.Errno(slot.PerfErrno))
		}
		want := eventKey{fd: slot.PerfFD, pages: slot.RingPages, period: slot.BasePeriodNS, cpu: slot.CPUNanosAtOpen}
		if slot.PerfFD >= 0 && (t.event == nil || t.opened != want) && !now.Before(t.retry) {
			j.takeOver(t, want, now)
		}
	}
}

func (j *jvm) open(t *thread, slot *jvmlog.Thread, now time.Time) {
	tid, err := j.tids.Outer(int(slot.TID))
	if err != nil {
		j.refused(t, now, err)
		return
	}
	cpu, err := j.fs.ThreadCPU(j.info.PID, tid)
	if err != nil {
		j.refused(t, now, err)
		return
	}
	e, err := perfevent.Open(tid, perfevent.Spec{
		Period: j.settings.BasePeriod, StackBytes: j.settings.StackBytes, RingPages: j.settings.RingPages,
	})
	if err != nil {
		j.refused(t, now, err)
		return
	}
	t.event, t.opened = e, eventKey{cpu: uint64(cpu)}
}

func (j *jvm) takeOver(t *thread, want eventKey, now time.Time) {
	layout := perfevent.Layout{SampleType: j.info.Header.PerfSampleType, RegsMask: j.info.Header.PerfRegsMask}
	e, err := perfevent.TakeOver(j.handle.FD(), int(want.fd), int(want.pages), layout)
	if err != nil {
		j.refused(t, now, err)
		return
	}
	j.letGo(t)
	t.event, t.opened = e, want
}

// refused counts an event that could not be had. A thread or process that has ended meanwhile is no failure.
func (j *jvm) refused(t *thread, now time.Time, err error) {
	if errors.Is(err, unix.ESRCH) || errors.Is(err, fs.ErrNotExist) {
		return
	}
	t.retry = now.Add(retryOpen)
	j.openFailures++
	j.once("perf event", err)
}

// letGo drains and closes the event of a thread.
func (j *jvm) letGo(t *thread) {
	if t.event == nil {
		return
	}
	j.drain(t)
	if err := t.event.Close(); err != nil {
		j.logger.Warn("close perf event", zap.Error(err))
	}
	t.event = nil
}

// drainRings empties all rings into j.held, and forgets the threads whose slots are free.
func (j *jvm) drainRings() {
	for key, t := range j.threads {
		j.drain(t)
		if !t.present {
			j.letGo(t)
			delete(j.threads, key)
		}
	}
}

func (j *jvm) drain(t *thread) {
	if t.event == nil {
		return
	}
	c := j.reader.Read(t.event, perfevent.Handler{Sample: func(s *perfevent.Sample) { j.hold(t, s) }})
	j.stats.Lost += c.Lost
	j.stats.Throttled += uint64(c.Throttle)
	j.totals.BadSamples += uint64(c.Bad)
	j.totals.DamagedRings += uint64(c.Damaged)
}

// heldSample is a sample that was read and not yet unwound; buffers are used again.
type heldSample struct {
	time       jvmlog.MonoTime
	period     time.Duration
	slot       int
	tid        uint32
	kernel     []uint64
	chain      []uint64
	ip, sp, fp uint64
	bcp        uint64
	regs       bool
	stack      []byte
	rounds     int
}

// hold copies a sample out of the reader's buffers.
func (j *jvm) hold(t *thread, s *perfevent.Sample) {
	h := &heldSample{}
	if n := len(j.free); n > 0 {
		h, j.free = j.free[n-1], j.free[:n-1]
	}
	*h = heldSample{
		time: jvmlog.MonoTime(s.Time), period: s.Period, slot: t.slot.Slot, tid: t.slot.TID,
		kernel: append(h.kernel[:0], s.Kernel...), chain: append(h.chain[:0], s.User...), stack: append(h.stack[:0], s.Stack...),
	}
	ip, ok1 := s.Reg(perfevent.RegIP)
	sp, ok2 := s.Reg(perfevent.RegSP)
	fp, ok3 := s.Reg(perfevent.RegFP)
	h.ip, h.sp, h.fp, h.regs = ip, sp, fp, ok1 && ok2 && ok3
	h.bcp, _ = s.Reg(perfevent.RegBCP)
	if !h.regs {
		h.ip = s.IP
	}
	j.held = append(j.held, h)
}
