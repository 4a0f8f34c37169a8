package sampler

import (
	"errors"
	"io/fs"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/perfevent"
	"github.com/planflame/planflame/tasksample"
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
	detail uint64
	cpu    uint64
}

// thread is a task thread with its ring.
type thread struct {
	slot   jvmlog.Thread // as the sink got it last
	event  *perfevent.Event
	opened eventKey
	base   time.Duration // periods of its events, for its samples; 0 none
	detail time.Duration
	holds  time.Duration // what its ring holds: holdsFor, with both clocks
	// unwatched is what it holds while no task is watched closely: the same, unless this sampler switches the detail clock.
	unwatched time.Duration
	closely   tasksample.TaskAttemptID // in privileged mode: the task for which the detail event is on; noTask none
	retry     time.Time                // an event that was refused is not tried before
	present   bool                     // in the slots of this round
}

// retryOpen is the time between two attempts at an event that was refused.
const retryOpen = time.Second

// attachThreads looks at the thread slots: tells the sink of task threads that are new or have changed, sees to it that each has a
// ring, and lets go of those that have ended. Only task threads get rings; another tier of threads would be chosen here.
func (j *jvm) attachThreads(now time.Time) {
	for _, slot := range j.attachSlots(now) {
		j.sink.Thread(j.info.ID, slot)
	}
}

// attachSlots returns the task threads that are new or have changed; valid until the next call.
func (j *jvm) attachSlots(now time.Time) []jvmlog.Thread {
	j.threads = j.slots.Threads(j.log, j.threads[:0])
	changed := j.threads[:0]
	j.rings.mu.Lock()
	defer j.rings.mu.Unlock()
	for _, t := range j.rings.threads {
		t.present = false
	}
	for _, slot := range j.threads {
		if slot.Flags&jvmlog.ThreadTask == 0 {
			continue
		}
		key := keyOf(slot)
		t := j.rings.threads[key]
		if t == nil {
			t = &thread{closely: noTask}
			j.rings.threads[key] = t
			j.quickUntil = now.Add(quickAfter)
		}
		t.present = true
		j.attach(t, &slot, now)
		if slot != t.slot {
			t.slot = slot
			changed = append(changed, slot)
		}
	}
	return changed
}

// attach, with j.rings.mu held, gives a thread the event of the mode, if it has none or another. In privileged mode it writes into slot what the agent
// cannot know.
func (j *jvm) attach(t *thread, slot *jvmlog.Thread, now time.Time) {
	switch j.info.Mode {
	case ModePrivileged:
		if t.event == nil && !now.Before(t.retry) {
			j.open(t, slot, now)
		}
		if t.event != nil {
			slot.BasePeriodNS, slot.DetailPeriodNS = uint64(t.base), uint64(t.detail)
			slot.RingPages = uint32(t.event.RingPages())
			slot.CPUNanosAtOpen = t.opened.cpu
		}
	case ModeSelfOpened:
		if slot.PerfFD < 0 && slot.PerfErrno != 0 {
			j.once("the JVM could not open its perf event", unix.Errno(slot.PerfErrno))
		}
		want := eventKey{fd: slot.PerfFD, pages: slot.RingPages, period: slot.BasePeriodNS, detail: slot.DetailPeriodNS, cpu: slot.CPUNanosAtOpen}
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
	base, detail := j.rates.periods()
	// Without a base clock the detail clock runs all the time: it could be switched on a drain interval late only, and what ran before that
	// would have no sample. What it takes of tasks that are not selected does not count.
	spec := perfevent.Spec{Period: orDefault(base, detail), StackBytes: j.settings.StackBytes, RingPages: j.settings.RingPages}
	e, err := perfevent.Open(tid, spec)
	if err != nil {
		j.refused(t, now, err)
		return
	}
	t.event, t.opened, t.base, t.detail, t.closely = e, eventKey{cpu: uint64(cpu)}, base, 0, noTask
	defer func() {
		t.holds = holdsFor(e.RingPages(), j.settings.StackBytes, t.base, t.detail)
		t.unwatched = t.holds
		if t.base != 0 {
			t.unwatched = holdsFor(e.RingPages(), j.settings.StackBytes, t.base, 0)
		}
		j.rings.mind(t)
	}()
	if detail == 0 {
		return
	}
	if base != 0 {
		spec.Period = detail
		if err := e.OpenDetail(tid, spec); err != nil {
			j.refused(t, now, err)
			return
		}
	}
	t.detail = detail
}

func (j *jvm) takeOver(t *thread, want eventKey, now time.Time) {
	layout := perfevent.Layout{SampleType: j.info.Header.PerfSampleType, RegsMask: j.info.Header.PerfRegsMask}
	e, err := perfevent.TakeOver(j.handle.FD(), int(want.fd), int(want.pages), layout)
	if err != nil {
		j.refused(t, now, err)
		return
	}
	if err := j.rings.letGo(t); err != nil {
		j.logger.Warn("close perf event", zap.Error(err))
	}
	t.event, t.opened = e, want
	t.base, t.detail = time.Duration(want.period), time.Duration(want.detail)
	t.holds = holdsFor(int(want.pages), j.settings.StackBytes, t.base, t.detail)
	t.unwatched = t.holds // the agent switches its clocks
	j.rings.mind(t)
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
