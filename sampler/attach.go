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

// eventKey tells an event from the one that the agent opened in its place: the agent opens again
// when control changes.
type eventKey struct {
	fd     int32
	pages  uint32
	period uint64
	detail uint64
	cpu    uint64
	// detailFD is the descriptor of the detail event in the JVM; -1 none
	detailFD int32
}

func keyOfEvent(slot *jvmlog.Thread) eventKey {
	return eventKey{fd: slot.PerfFD, pages: slot.RingPages, period: slot.BasePeriodNS, detail: slot.DetailPeriodNS, cpu: slot.CPUNanosAtOpen, detailFD: slot.PerfDetailFD}
}

// thread is a task thread with its ring.
type thread struct {
	slot    jvmlog.Thread // as the sink got it last
	event   *perfevent.Event
	tid     uint32 // of event
	opened  eventKey
	base    clock
	detail  clock
	watched bool          // by rings.watch
	ended   bool          // the event's thread, as seen when it was to be watched
	began   bool          // it has its first sample, or no event for that
	holds   time.Duration // what its ring holds: holdsFor, with both clocks
	// unwatched is what it holds while no task is watched closely: the same, unless this sampler
	// switches the detail clock.
	unwatched time.Duration
	switched  bool                     // this sampler switches the detail clock
	closely   tasksample.TaskAttemptID // in privileged mode: the task for which the detail event is on; noTask none
	retry     time.Time                // an event that was refused is not tried before
	present   bool                     // in the slots of this round
	refused   bool                     // Totals.RefusedThreads has it
}

// retryOpen is the time between two attempts at an event that was refused.
const retryOpen = time.Second

// attachThreads looks at the thread slots. It tells the sink of task threads that are new or have
// changed, sees to it that each has a ring, and lets go of ended ones. Only task threads get rings;
// another tier of threads would be chosen here.
func (j *jvm) attachThreads(now time.Time) {
	for _, slot := range j.attachSlots(now) {
		j.sink.Thread(j.info.ID, slot)
	}
}

// attachSlots returns the task threads that are new or have changed; valid until the next call.
func (j *jvm) attachSlots(now time.Time) []jvmlog.Thread {
	j.threads = j.slots.Threads(j.log, j.threads[:0])
	j.tids.Begin()
	changed := j.threads[:0]
	j.rings.mu.Lock()
	defer j.rings.mu.Unlock()
	defer j.confirm(now)
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

// confirm, with j.rings.mu held, keeps the events that were opened since it was called last if the
// process is what it was. Else all that is in their rings is dropped: it may be another process's.
func (j *jvm) confirm(now time.Time) {
	if len(j.opened) == 0 {
		return
	}
	if err := j.check(now); err != nil {
		for _, t := range j.opened {
			if err := j.rings.shut(t); err != nil {
				j.logger.Warn("perf event could not be closed", zap.Error(err))
			}
		}
		if j.changed != nil {
			j.due = now // the round lets it go
		}
	}
	clear(j.opened)
	j.opened = j.opened[:0]
}

// attach, with j.rings.mu held, gives a thread the event of the mode, if it has none or another. In
// privileged mode it writes into slot what the agent cannot know.
func (j *jvm) attach(t *thread, slot *jvmlog.Thread, now time.Time) {
	switch j.info.Mode {
	case ModePrivileged:
		if t.event == nil && !now.Before(t.retry) {
			j.open(t, slot, now)
		}
		if t.event != nil {
			slot.BasePeriodNS, slot.DetailPeriodNS = uint64(t.base.opened), uint64(t.detail.opened)
			slot.RingPages = uint32(t.event.RingPages())
			slot.CPUNanosAtOpen = t.opened.cpu
		}
	case ModeSelfOpened:
		if slot.PerfFD < 0 && slot.PerfErrno != 0 {
			j.once("the JVM could not open its perf event", unix.Errno(slot.PerfErrno))
		}
		if slot.PerfFD >= 0 && (t.event == nil || t.opened != keyOfEvent(slot)) && !now.Before(t.retry) {
			j.takeOver(t, slot, now)
		}
	}
}

func (j *jvm) open(t *thread, slot *jvmlog.Thread, now time.Time) {
	if err := j.rings.claim(t, slot); err != nil {
		j.crowded(t, now, err)
		return
	}
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
	asked, askedDetail := j.rates.periods()
	spread := spreadOf(asked, askedDetail, j.settings.StackBytes)
	base := drawPeriod(asked, spread)
	detail := unlike(drawPeriod(askedDetail, spread), base)
	// Without a base clock the detail clock runs all the time: it could be switched on a drain
	// interval late only, and what ran before that would have no sample. What it takes of tasks
	// that are not selected does not count.
	spec := perfevent.Spec{Period: orDefault(base, detail), StackBytes: j.settings.StackBytes, Off: true}
	if spec.RingPages = j.rings.room.pages(j.settings.RingPages, spec.LeastRingPages()); spec.RingPages == 0 {
		j.crowded(t, now, errNoRoom)
		return
	}
	e, err := perfevent.Open(tid, spec)
	if err != nil {
		j.refused(t, now, err)
		return
	}
	if !j.fs.HasThread(j.info.PID, tid) { // the number may be another process's thread by now
		j.refused(t, now, errors.Join(unix.ESRCH, e.Close()))
		return
	}
	j.opened = append(j.opened, t)
	j.rings.has(t, slot.TID, e)
	t.opened, t.closely = eventKey{cpu: uint64(cpu)}, noTask
	spread = ringSpread(&j.settings, e.RingPages(), asked, askedDetail)
	t.base, t.detail = newClock(perfevent.Base, asked, base, spread), clock{}
	if base == 0 {
		t.detail = newClock(perfevent.Base, askedDetail, detail, spread)
	} else if detail != 0 {
		spec.Period = detail
		if err := e.OpenDetail(tid, spec); err != nil {
			j.refused(t, now, err)
		} else {
			t.detail = newClock(perfevent.Detail, askedDetail, detail, spread)
		}
	}
	j.begin(t, tid, spec, now)
	t.switched = true
	j.rings.holdsNow(t)
}

// begin starts the clock of a thread that this sampler has opened, at a random moment of its
// period.
func (j *jvm) begin(t *thread, tid int, spec perfevent.Spec, now time.Time) {
	running, other := t.base.period, t.detail.period
	if running == 0 {
		running, other = t.detail.period, 0
	}
	if spec.Period = drawFirst(running, other, j.settings.StackBytes); spec.Period != 0 {
		first, err := t.event.OpenFirst(tid, spec)
		if err == nil {
			t.began = false
			j.rings.beginAfter(t, first)
			return
		}
		j.refused(t, now, err)
	}
	t.began = true
	if err := t.event.Begin(); err != nil {
		j.refused(t, now, err)
	}
}

func (j *jvm) takeOver(t *thread, slot *jvmlog.Thread, now time.Time) {
	want := keyOfEvent(slot)
	if err := j.rings.claim(t, slot); err != nil {
		j.crowded(t, now, err)
		return
	}
	if t.event == nil && bytesOf(int(want.pages)) > j.rings.room.left() {
		j.crowded(t, now, errNoRoom)
		return
	}
	layout := perfevent.Layout{SampleType: j.info.Header.PerfSampleType, RegsMask: j.info.Header.PerfRegsMask}
	e, err := perfevent.TakeOver(j.handle.FD(), int(want.fd), int(want.pages), layout)
	if err != nil {
		j.refused(t, now, err)
		return
	}
	if err := j.rings.letGo(t); err != nil {
		j.logger.Warn("perf event could not be closed", zap.Error(err))
	}
	j.opened = append(j.opened, t)
	j.rings.has(t, slot.TID, e)
	t.opened, t.began = want, false
	if want.detail != 0 && want.detailFD >= 0 {
		if err := e.TakeOverDetail(j.handle.FD(), int(want.detailFD)); err != nil {
			j.once("the periods of detail events stay as they are", err)
		}
	}
	asked, askedDetail := j.rates.periods()
	spread := ringSpread(&j.settings, e.RingPages(), asked, askedDetail)
	t.base = newClock(perfevent.Base, asked, time.Duration(want.period), spread)
	t.detail = newClock(perfevent.Detail, askedDetail, time.Duration(want.detail), spread)
	if slot.StartTime < j.leasedAt || !j.drawsPeriods() || t.base.hasty() || t.detail.hasty() {
		// A reader before us may have changed the periods, the agent has drawn none, or they are
		// too short for a ring that is small.
		if err := t.takePeriods(); err != nil {
			j.once("the periods of perf events stay as they are", err)
		}
	}
	t.switched = false // the agent does
	j.rings.holdsNow(t)
}

// claim, with mu held, sees to it that no other slot has an event of the thread of a slot. A slot
// whose thread has ended gives way.
func (r *rings) claim(t *thread, slot *jvmlog.Thread) error {
	other := r.events[slot.TID]
	if other == nil || other == t {
		return nil
	}
	if other.slot.Flags&jvmlog.ThreadEnded == 0 {
		return errSameThread
	}
	return r.letGo(other)
}

// crowded counts a thread, once, that gets no event because of what its JVM claims.
func (j *jvm) crowded(t *thread, now time.Time, err error) {
	t.retry = now.Add(retryOpen)
	if !t.refused {
		t.refused = true
		j.totals.RefusedThreads++
	}
	j.once("a thread of this JVM is not sampled", err)
}

// drawsPeriods reports whether the agent draws the periods of the events that it opens.
func (j *jvm) drawsPeriods() bool { return j.info.Header.Minor >= 5 }

// refused counts an event that could not be had. A thread or process that has ended meanwhile is no
// failure.
func (j *jvm) refused(t *thread, now time.Time, err error) {
	t.retry = now.Add(retryOpen)
	if errors.Is(err, unix.ESRCH) || errors.Is(err, fs.ErrNotExist) {
		return
	}
	j.openFailures++
	j.once("perf event of a thread could not be opened", err)
}
