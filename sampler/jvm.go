package sampler

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"time"

	"go.uber.org/zap"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/unwind"
)

// jvm is one JVM whose lease this sampler holds.
type jvm struct {
	info     JVM
	process  procfs.Process
	choosing choosing
	settings Settings
	sink     Sink
	logger   *zap.Logger
	totals   *Totals
	fs       procfs.FS

	handle  *procfs.Handle
	claims  claims
	budget  roundBudget
	origin  *procfs.Origin
	owner   procfs.Owner
	changed error // a *procfs.ChangedError: nothing more is read
	checked time.Time
	logFD   int // of the log in the process, when it was mapped
	log     *jvmlog.Log
	control *jvmlog.Control
	tids    *procfs.Threads
	memory  *unwind.ProcessMemory

	code       liveCode
	methods    methodNames
	reading    codeReader
	unwinder   unwind.Unwinder
	rings      rings
	opened     []*thread // with an event that confirm has not seen
	rates      rates
	load       *load
	readers    *readers
	runs       runFilter
	unwoundNow []unwound          // of this round
	held       []*heldSample      // taken from rings, not delivered
	done       []*heldSample      // delivered
	events     []jvmlog.TaskEvent // read, not delivered
	due        time.Time          // of the next round
	mapsNext   time.Time

	leasedAt      jvmlog.MonoTime
	toldBefore    jvmlog.MonoTime // dwells and times of tasks before it were handed on by another reader
	nextEvent     uint64
	history       history
	lost          lostTasks
	nextRecord    uint64
	replay        uint32    // generation asked for last; 0 none
	answered      bool      // that replay
	droppedBefore uint64    // the agent's dropped records, at the last look
	dropped       bool      // since the last replay that was asked for because of it
	askedAt       time.Time // for that
	quickUntil    time.Time // slots are looked at between rounds up to then

	openFailures uint64     // of this sampler's attempts
	ringCounts   ringCounts // as taken last

	stats, reported Stats // as they are, and as the sink got them last
	said            map[string]bool
	slots           jvmlog.Slots
	threads         []jvmlog.Thread // as read last
	addrs           []uint64
}

// errNotYet says that a JVM has to be looked at again later: it is starting, or another reader
// holds its lease.
var errNotYet = errors.New("not yet")

// errDenied says that this user may not open a JVM's memory. Its mappings can be seen all the same:
// newer kernels, such as 6.18, show them with CAP_PERFMON alone.
var errDenied = errors.New("access denied")

// errNotItsOwn says that a process holds the memory of another: a child between fork and exec.
var errNotItsOwn = errors.New("the memory is another process's")

// openJVM maps a JVM's memory, takes the lease and writes the control page. The error is errNotYet,
// wrapped, when it is worth another try.
func openJVM(p procfs.Process, s *Sampler) (*jvm, error) {
	j := &jvm{
		process: p, settings: s.settings, sink: s.sink, logger: s.settings.Logger, totals: &s.counts, load: &s.load, readers: &s.readers,
		rings: rings{watch: s.watch, threads: map[threadKey]*thread{}, events: map[uint32]*thread{}, room: ringRoom{all: &s.rings}, held: heldSamples{buffers: &s.buffers}, stackBytes: s.settings.StackBytes}, said: map[string]bool{},
		info: JVM{PID: p.PID, StartTicks: p.StartTicks, FoundAt: jvmlog.Now()},
	}
	if err := j.mapAll(p); err != nil {
		return nil, errors.Join(fmt.Errorf("jvm of pid %d: %w", p.PID, err), j.close())
	}
	return j, nil
}

func (j *jvm) mapAll(p procfs.Process) (err error) {
	if j.handle, err = procfs.OpenHandle(p.PID); err != nil {
		return err
	}
	memory, err := p.Memory(j.handle)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %w", errDenied, err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, memory.Close()) }()
	j.logFD = memory.LogFD
	if j.log, err = jvmlog.Open(memory.Log); err != nil {
		return notYet(err)
	}
	if j.info.Header, err = j.log.Header(); err != nil {
		return err
	}
	switch h := j.info.Header; h.State {
	case jvmlog.StateStarting:
		return fmt.Errorf("%w: the agent is starting", errNotYet)
	case jvmlog.StateOff:
		return fmt.Errorf("its agent is off: %s", h.OffReason)
	}
	if err := j.identify(p); err != nil {
		return err
	}
	j.owner = memory.Owner
	if j.origin, err = p.Origin(j.handle, memory.Owner); err != nil {
		return err
	}
	if j.control, err = jvmlog.OpenControl(memory.Control); err != nil {
		return notYet(err)
	}
	j.introduce()
	return nil
}

// introduce says who takes the lease, so that the reader after us need not wait for us.
func (j *jvm) introduce() {
	self, err := holder(j.fs)
	if err != nil {
		j.logger.Debug("dead readers are known by their heartbeat alone", zap.Error(err))
		return
	}
	j.control.Introduce(self, func(other jvmlog.Holder) bool { return isDead(j.fs, self, other) })
}

// notYet marks the error of memory that its agent is still preparing.
func notYet(err error) error {
	if errors.Is(err, jvmlog.ErrNotReady) {
		return fmt.Errorf("%w: %w", errNotYet, err)
	}
	return err
}

// identify makes sure that the memory is this process's own: a child holds its parent's descriptors
// between fork and exec.
func (j *jvm) identify(p procfs.Process) error {
	var err error
	if j.tids, err = j.fs.Threads(p.PID); err != nil {
		return err
	}
	ids, err := j.fs.NSpid(p.PID, 0)
	if err != nil {
		return err
	}
	if own := ids[len(ids)-1]; uint32(own) != j.info.Header.PID {
		return fmt.Errorf("%w: pid %d", errNotItsOwn, j.info.Header.PID)
	}
	return nil
}

// acquire takes the lease and starts sampling. owner is this sampler's number.
func (j *jvm) acquire(id JVMID, owner uint64) error {
	j.leasedAt = jvmlog.Now()
	if err := j.control.Acquire(owner, j.settings.rank(), j.leasedAt); err != nil {
		return err
	}
	mode, why := chooseMode(j.settings.Mode, j.info.PID, j.handle.FD(), j.logFD)
	j.info.ID, j.info.Mode = id, mode
	if mode == ModeNone {
		j.logger.Warn("no samples of this JVM, task totals only", zap.Int("pid", j.info.PID), zap.Error(why))
	}
	j.memory = unwind.NewProcessMemory(j.info.PID)
	if err := j.readers.allow(j.memory); err != nil {
		return err
	}
	j.unwinder = unwind.Unwinder{
		Code: &j.code, Memory: j.memory,
		FramePointers: j.info.Header.Flags&jvmlog.FlagPreserveFramePointer != 0,
	}
	// A reader before us may have acknowledged more than we know: nothing may be recycled now
	// before it is read.
	h, err := j.log.Header()
	if err != nil {
		return err
	}
	j.nextRecord = h.RecordsTail
	j.history, j.nextEvent = newHistory(j.control.EventsRead(), &h)
	if j.history.until > 0 {
		j.info.TookOver = j.leasedAt
	}
	j.lost = j.newLostTasks()
	j.toldBefore = j.leasedAt
	if j.lost.To != 0 {
		j.toldBefore = j.lost.From
	}
	if j.settings.Tells {
		if err := j.control.SetTold(jvmlog.Told{Before: j.leasedAt}); err != nil {
			return err
		}
	}
	if err := j.control.Ack(j.nextRecord); err != nil {
		return err
	}
	j.droppedBefore = h.DroppedRecords
	if j.nextRecord > 0 || h.DroppedRecords > 0 || j.control.CodeWasRead() {
		if err := j.requestReplay(); err != nil {
			return err
		}
	}
	j.info.Replays = j.replay != 0
	if j.claims, err = newClaims(j.fs, j.info.PID, j.tids); err != nil {
		return err
	}
	j.rates = newRates(j.settings, j.load)
	j.rates.leasedAt = j.leasedAt
	j.runs = newRunFilter(j.settings)
	j.rates.runs = &j.runs
	if err := j.control.Write(j.rates.control(mode)); err != nil {
		return err
	}
	if j.info.Header.Minor < 2 {
		j.once("the JVM's agent is older and counts no rows", fmt.Errorf("format %d.%d", j.info.Header.Major, j.info.Header.Minor))
	}
	if j.info.Header.Minor < 1 && j.settings.DetailPeriod != 0 {
		j.once("the JVM's agent is older and selects no tasks: all have the base rate alone", fmt.Errorf("format %d.%d", j.info.Header.Major, j.info.Header.Minor))
	}
	j.quickUntil = time.Now().Add(quickAtFirst)
	j.startComparing()
	if place, err := j.fs.Place(j.info.PID); err != nil {
		j.once("container, pod and user of this JVM are not known", err)
	} else {
		j.info.Place = &place
	}
	j.sink.JVMFound(j.info)
	return nil
}

func (j *jvm) requestReplay() (err error) {
	j.answered = false
	j.replay, err = j.control.RequestReplay()
	return err
}

// round reads everything once. done says that the JVM is no more, or not ours any more: this was
// its last round.
func (j *jvm) round(now time.Time) (done bool, err error) {
	start := jvmlog.Now()
	exited, err := j.handle.Exited()
	if err != nil {
		return true, err
	}
	if exited {
		if err := j.memory.Close(); err != nil { // its pid may be another's soon
			return true, err
		}
	}
	if j.isChanged(now) {
		return true, j.changed
	}
	if err := j.control.Heartbeat(start); err != nil {
		return true, j.last(now, err)
	}
	h, err := j.log.Header()
	if err != nil {
		return true, j.last(now, err)
	}
	j.stats.PerfOpenFailures = j.openFailures + h.PerfOpenFailures
	j.stats.agent(&h)
	j.totals.LogFill = max(j.totals.LogFill, j.logFill(&h))
	if h.State == jvmlog.StateOff {
		exited = true
		j.once("the agent of this JVM switched itself off", errors.New(h.OffReason))
	}
	j.attachThreads(now)
	if j.changed != nil {
		return true, j.changed
	}
	err = j.read(now, exited)
	if err == nil {
		err = j.afterRead(h)
	}
	if err == nil && j.lacks(&h, now) {
		err = j.requestReplay() // there is room again
	}
	j.report(start)
	return exited || err != nil, err
}

// checkInterval is the time between two looks at whether the process is what it was.
const checkInterval = time.Second

// isChanged reports whether the process must not be looked into any more.
func (j *jvm) isChanged(now time.Time) bool {
	if j.changed == nil && now.Sub(j.checked) >= checkInterval {
		j.check(now)
	}
	return j.changed != nil
}

// check looks whether the process is what it was. An error says that what was just opened by its
// pid may be another's.
func (j *jvm) check(now time.Time) error {
	j.checked = now
	err := j.origin.Check()
	if changed := (*procfs.ChangedError)(nil); errors.As(err, &changed) {
		j.changed = err
	}
	return err
}

// logFill is the part of the log that we have not read, 0 … 1: what the agent may not recycle yet.
func (j *jvm) logFill(h *jvmlog.Header) float64 {
	if h.RecordsBytes == 0 || h.RecordsCommitted <= j.nextRecord {
		return 0
	}
	return min(float64(h.RecordsCommitted-j.nextRecord)/float64(h.RecordsBytes), 1)
}

// last reads what there still is; cause is why this is the end.
func (j *jvm) last(now time.Time, cause error) error {
	start := jvmlog.Now()
	err := j.read(now, true)
	j.report(start)
	if cause == nil && err == nil {
		err = j.control.SetEventsRead(j.nextEvent)
	}
	return errors.Join(cause, err)
}

// read empties the rings, then the records, then the task events, so that the code of nearly every
// sample is known by then. It delivers records, task events and samples in that order.
func (j *jvm) read(now time.Time, all bool) error {
	taken := jvmlog.Now()
	j.budget.begin(time.Now(), all)
	j.takeSamples()
	if err := j.readCode(); err != nil {
		return err
	}
	j.claims.now = taken
	missed, err := j.readRecords()
	err = errors.Join(err, j.readEvents())
	if !all {
		err = errors.Join(err, j.adjust(now))
	}
	for _, e := range j.events {
		j.sink.TaskEvent(j.info.ID, e)
	}
	j.events = j.events[:0]
	j.unwindHeld(taken, now, all)
	j.runs.forget(min(taken, j.oldestHeld()))
	if missed > 0 && err == nil && (j.replay == 0 || j.answered) {
		err = j.requestReplay()
	}
	return err
}

// askAgain is the least time between two replays for what the agent has dropped: a record that
// finds no room in any replay must not bring one after the other.
const askAgain = time.Minute

// lacks reports whether a replay should be asked for, since the agent has dropped records and is in
// no replay now.
func (j *jvm) lacks(h *jvmlog.Header, now time.Time) bool {
	j.dropped = j.dropped || h.DroppedRecords != j.droppedBefore
	j.droppedBefore = h.DroppedRecords
	if !j.dropped || h.ReplayGeneration < j.replay || now.Sub(j.askedAt) < askAgain {
		return false
	}
	j.dropped, j.askedAt = false, now
	return true
}

// errPause ends a walk through the records in order to acknowledge them.
var errPause = errors.New("pause")

// recordsPerAck is a small part of a log: what an agent writes meanwhile, as in a replay, finds
// room before we are through.
const recordsPerAck = 512

// readRecords takes in the records, a log's size of them at most, and acknowledges on the way.
func (j *jvm) readRecords() (missed uint64, err error) {
	from := j.nextRecord
	for again := true; again; again = again && err == nil && j.nextRecord-from < j.log.RecordsBytes() {
		n, begin := 0, j.nextRecord
		j.log.Most = uint64(max(j.budget.bytes, 1))
		var skipped, bad uint64
		j.nextRecord, skipped, bad, err = j.log.Records(j.nextRecord, func(t jvmlog.MonoTime, r jvmlog.Record) error {
			if j.inTime(t) && j.apply(r) && !j.ofAnotherReader(t, r) {
				j.sink.Record(j.info.ID, t, r)
			}
			if n++; n == recordsPerAck || !time.Now().Before(j.budget.until) {
				return errPause
			}
			return nil
		})
		missed += skipped
		j.stats.MissedRecords += skipped
		j.stats.BadRecords += bad
		left := j.budget.read(j.nextRecord - begin)
		if !left && err == nil && j.log.Waiting(j.nextRecord) > 0 {
			err = errPause
		}
		if again = errors.Is(err, errPause); again {
			err = j.control.Ack(j.nextRecord)
			if again = left; !left && err == nil {
				err = j.behind()
			}
		}
	}
	return missed, err
}

// readEvents takes in the task events, which are delivered in the round.
func (j *jvm) readEvents() error {
	if err := j.claims.begin(jvmlog.Now()); err != nil {
		return err
	}
	var missed uint64
	j.nextEvent, missed = j.log.Events(j.nextEvent, func(e jvmlog.TaskEvent) {
		j.lost.event(&e, e.Index < j.history.until)
		if !j.history.holds(e) && j.admit(&e) {
			j.tellOpen()
			j.taskEvent(e)
		}
	})
	j.tellOpen()
	j.countUntold()
	j.stats.MissedTaskEvents += missed
	return nil
}

// tellOpen tells of the tasks that ran when the reader before us ended.
func (j *jvm) tellOpen() {
	for _, e := range j.history.take() {
		if cpu, ok := j.threadCPU(e.TID); ok && e.Kind == jvmlog.TaskStart && j.settings.Tells { // else all is for itself
			e.BeforeNanos = j.lost.before(&e, jvmlog.Now(), uint64(cpu))
		}
		j.taskEvent(e)
	}
}

func (j *jvm) taskEvent(e jvmlog.TaskEvent) {
	j.runs.event(&e)
	j.events = append(j.events, e)
	j.rates.event(e)
	if told, ok := j.alwaysOn(e); ok {
		j.events = append(j.events, told)
	}
}

// ofAnotherReader reports whether a record of time t counts for the reader before us, as some count
// once. Rows do if it had the lease, dwells and the times of tasks if it has handed them on.
func (j *jvm) ofAnotherReader(t jvmlog.MonoTime, r jvmlog.Record) bool {
	switch r := r.(type) {
	case *jvmlog.Rows:
		return t < j.leasedAt
	case *jvmlog.Dwell:
		return t < j.toldBefore
	case *jvmlog.Times:
		var of struct{ Kind string }
		return t < j.toldBefore && json.Unmarshal(r.JSON, &of) == nil && of.Kind == "tasks"
	}
	return false
}

// takeSamples empties the rings into j.held.
func (j *jvm) takeSamples() {
	held, c, err := j.rings.take(j.held)
	if err != nil {
		j.logger.Warn("perf event could not be closed", zap.Error(err))
	}
	if trouble := j.rings.takeTrouble(); trouble != nil {
		j.once("the period of a perf event could not be changed", trouble)
	}
	j.held = held
	j.stats.Lost, j.stats.Throttled, j.stats.Overrun = c.lost, c.throttled, c.overrun
	j.totals.BadSamples += c.bad - j.ringCounts.bad
	j.totals.DamagedRings += c.damaged - j.ringCounts.damaged
	j.ringCounts = c
}

// apply takes in what a record says for unwinding, and reports whether the sink may have it: code
// that is refused here is kept nowhere.
func (j *jvm) apply(r jvmlog.Record) bool {
	switch r := r.(type) {
	case *jvmlog.VMLayout:
		j.layout(r)
		j.codeLayout(r)
	case *jvmlog.Method:
		j.methods.fromAgent(r)
	case *jvmlog.Application:
		j.application(r)
		j.runs.apply(r)
	case *jvmlog.Dictionary:
		j.runs.plan(r, time.Now())
	case *jvmlog.Unknown:
		if r.Type >= jvmlog.FirstOfReader {
			j.stats.BadRecords++
			j.once("this JVM writes records that only a reader may", fmt.Errorf("type %#x", uint16(r.Type)))
			return false
		}
	case *jvmlog.CodeLoad:
		j.compareCode(r)
		if j.reading.on {
			return false // it is found again
		}
		return j.applyCode(r)
	case *jvmlog.CodeUnload:
		return j.reading.on || j.applyCode(r) // the sink still has what was told before
	case *jvmlog.Stub:
		if r.Name == trapBlob {
			j.reading.trap = r.Address
		}
		return j.applyCode(r)
	default:
		return j.applyCode(r)
	}
	return true
}

// applyCode takes in a record of code; false: it is refused.
func (j *jvm) applyCode(r jvmlog.Record) bool {
	if !j.code.apply(r) {
		j.totals.RefusedCode++
		j.once("this JVM tells of more code than is kept", fmt.Errorf("%d pieces in %d places of pages", j.code.entries, j.code.listed))
		return false
	}
	return true
}

// afterRead tells the agent what has been read.
func (j *jvm) afterRead(h jvmlog.Header) error {
	if j.replay != 0 && h.ReplayGeneration >= j.replay {
		j.answered = true
	}
	return errors.Join(j.control.Ack(j.nextRecord), j.control.SetEventsRead(j.nextEvent))
}

// report tells the sink how far this round came.
func (j *jvm) report(start jvmlog.MonoTime) {
	if j.stats != j.reported {
		j.reported = j.stats
		j.sink.Stats(j.info.ID, j.stats)
	}
	j.sink.Watermark(j.info.ID, j.watermark(start))
}

// close gives everything back; what was read has been delivered.
func (j *jvm) close() error {
	var errs []error
	errs = append(errs, j.rings.close())
	if j.control != nil {
		if j.settings.Tells {
			j.control.TellAll(jvmlog.Now())
		}
		errs = append(errs, j.control.Release(), j.control.Close())
	}
	if j.log != nil {
		errs = append(errs, j.log.Close())
	}
	if j.memory != nil {
		errs = append(errs, j.memory.Close())
	}
	if j.origin != nil {
		j.origin.Close()
	}
	if j.handle != nil {
		errs = append(errs, j.handle.Close())
	}
	return errors.Join(errs...)
}

// newOwner is a number that no other reader has: 0 is no one.
func newOwner() uint64 { return rand.Uint64() | 1 }
