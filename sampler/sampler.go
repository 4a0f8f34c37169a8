package sampler

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/selector"
)

// Sampler finds JVMs and samples them. Make one with New, call Run once.
type Sampler struct {
	settings Settings
	sink     Sink
	owner    uint64
	scanner  procfs.Scanner
	jvms     map[procfs.Identity]*jvm
	waiting  map[procfs.Identity]*waiter
	left     map[procfs.Identity]*waiter // JVMs that Settings.Select does not want
	refused  map[procfs.Identity]bool    // JVMs that will not do, said once
	denied   map[procfs.Identity]bool    // JVMs whose memory this user may not open
	lastID   JVMID
	counts   Totals
	late     lateDrain
	busy     []*rings // of jvms
	load     load
	buffers  heldBuffers
	watch    *ringWatch // nil: there is none
	rings    int        // bytes of all JVMs'
	readers  readers
	told     told

	saidUnreadable, saidUnjudged bool

	stop    chan struct{}
	stopped chan struct{} // closed when Run has ended
	once    sync.Once
	started sync.Once

	mu        sync.Mutex
	published Totals
	running   bool
}

// Totals counts what a Sampler did over all JVMs. Counters only grow; Live, Waiting, Left and
// Unreadable are of now, LogFill is since the last call of Sampler.Totals.
type Totals struct {
	Live          int    // JVMs being read
	Waiting       int    // JVMs that are starting, or whose lease another reader holds
	Left          int    // JVMs that Settings.Select does not want
	Unreadable    int    // processes called java, and JVMs with an agent, that this user may not look into
	Found         uint64 `event:"found"`         // JVMs read so far
	Refused       uint64 `event:"refused"`       // JVMs whose agent is off, of another version, or whose memory is not right
	LeaseRefused  uint64 `event:"lease_refused"` // attempts at a lease that another reader held
	Unjudged      uint64 `event:"unjudged"`      // JVMs that did not say their application or all of their labels, though Settings.Select asks for them
	BadSamples    uint64 `problem:"bad_sample"`  // perf records that did not decode
	DamagedRings  uint64 `event:"ring_damaged"`  // rings whose pointers or sizes could not be right
	ScanErrors    uint64 `event:"scan_failed"`
	LetGo         uint64 `event:"let_go"`               // JVMs that are not read any more because they wrote too much, or their memory does not answer
	Behind        uint64 `problem:"behind"`             // rounds of a JVM that ended before all of its records were read
	RefusedCode   uint64 `problem:"code_refused"`       // pieces of code that are larger, or more, than is kept of a JVM
	AmbiguousCode uint64 `problem:"ambiguous_code"`     // frames in compiled code that may be other code: it was replaced about the time of their sample, before it was read
	Ahead         uint64 `problem:"ahead"`              // records and task events that were refused because their time is yet to come
	RefusedEvents uint64 `problem:"task_event_refused"` // beyond what anyone runs in a second
	CutCPU        uint64 `problem:"cut_cpu"`            // task events, and samples, that claim more CPU than the process has used
	// RefusedThreads counts threads without samples because two slots claim them, or because their
	// JVM, or all together, have the rings that they may have.
	RefusedThreads uint64 `problem:"thread_refused"`
	Changed        uint64 `event:"changed"` // JVMs whose process is not, or no longer, the user's or the program that made its memory
	// UntoldTasks are those whose samples were lost with a reader that died before it had handed
	// them on. They used UntoldCPU meanwhile.
	UntoldTasks uint64 `problem:"untold_task"`
	UntoldCPU   time.Duration
	Rounds      uint64
	// PushedOutQueries are those that Settings.QueryBudget forgot, because there were too many.
	PushedOutQueries uint64  `problem:"pushed_out_query"`
	LogFill          float64 // part of a JVM's log that was waiting to be read, 0 … 1: the most of all JVMs and rounds
}

// waiter is a JVM that is tried again later.
type waiter struct {
	process procfs.Process
	next    time.Time
	wait    time.Duration // up to next, while the JVM is starting
	jvm     *jvm          // opened, but its lease is another reader's
	said    bool
}

// Times of the loop.
const (
	quickInterval = 10 * time.Millisecond // between two looks for what must be known soon (jvm.quick)
	retryJVM      = 50 * time.Millisecond // a JVM that is starting, at first
	retryLease    = time.Second           // a JVM whose lease is held
)

// later puts off the next look at a JVM that is starting: twice as long each time, up to
// retryLease. Each look searches its descriptors, and it may never start.
func (w *waiter) later(now time.Time) {
	w.wait = min(max(2*w.wait, retryJVM), retryLease)
	w.next = now.Add(w.wait)
}

// New makes a Sampler that delivers to sink. An error names the setting that is out of range.
func New(settings Settings, sink Sink) (*Sampler, error) {
	if err := settings.Validate(); err != nil {
		return nil, err
	}
	if sink == nil {
		return nil, errors.New("sampler settings: no sink")
	}
	return &Sampler{
		settings: settings.withDefaults(), sink: sink, owner: newOwner(),
		jvms: map[procfs.Identity]*jvm{}, waiting: map[procfs.Identity]*waiter{}, left: map[procfs.Identity]*waiter{}, refused: map[procfs.Identity]bool{}, denied: map[procfs.Identity]bool{},
		stop: make(chan struct{}), stopped: make(chan struct{}), told: told{news: make(chan struct{}, 1)}, late: lateDrain{interval: settings.withDefaults().DrainInterval},
	}, nil
}

// Run samples until ctx ends or Shutdown is called, then reads everything once more, gives the
// leases back and returns nil. It calls the sink from its own goroutine. Only the first call does
// anything; others get an error.
func (s *Sampler) Run(ctx context.Context) error {
	err := errors.New("sampler: Run was called before")
	s.started.Do(func() { err = s.run(ctx) })
	return err
}

// Shutdown ends Run and waits until everything is delivered, or ctx ends. Idempotent; before Run it
// makes Run return at once.
func (s *Sampler) Shutdown(ctx context.Context) error {
	s.once.Do(func() { close(s.stop) })
	s.mu.Lock()
	running := s.running
	s.mu.Unlock()
	if !running {
		return nil
	}
	select {
	case <-s.stopped:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("sampler: shut down: %w", ctx.Err())
	}
}

// Totals may be called at any time from any goroutine; it is as of the end of the last round.
// LogFill begins again with each call.
func (s *Sampler) Totals() Totals {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.published
	s.published.LogFill = 0
	return now
}

// Peek is Totals without a new beginning for LogFill: for who watches the sampler beside the one
// that counts.
func (s *Sampler) Peek() Totals {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.published
}

func (s *Sampler) run(ctx context.Context) error {
	s.mu.Lock()
	s.running = true
	s.mu.Unlock()
	defer close(s.stopped)
	defer s.watchRings()()
	wake := time.NewTimer(0)
	defer wake.Stop()
	var scan, drain time.Time
	for {
		select {
		case <-ctx.Done():
			return s.finish()
		case <-s.stop:
			return s.finish()
		default:
		}
		now := time.Now()
		due, drained := false, !now.Before(drain)
		if drained {
			due = s.drain(now)
		} else {
			for _, j := range s.jvms {
				due = j.quick(now) || due
			}
		}
		if due || len(s.waiting) > 0 || !now.Before(scan) {
			s.late.start(s.allRings())
			if !now.Before(scan) {
				s.scan()
				scan = now.Add(s.settings.ScanInterval)
			}
			s.tryWaiting(now)
			s.round(now)
			s.late.end()
		}
		// After all that may have found a thread, whose ring fills from now on.
		if next := time.Now().Add(jvmlog.UntilTick(s.drainInterval())); drained || next.Before(drain) {
			drain = next
		}
		wake.Reset(time.Until(s.nextWake(scan, drain)))
		select {
		case <-ctx.Done():
		case <-s.stop:
		case <-wake.C:
		case <-s.told.news:
			s.storeTold()
		case <-s.rung():
			s.rouse()
			drain = time.Time{}
		}
	}
}

// watchRings begins to watch rings, if that is to be had, until the function that it returns is
// called.
func (s *Sampler) watchRings() (end func()) {
	var err error
	if s.watch, err = newRingWatch(); err != nil {
		s.settings.Logger.Warn("rings are read more often", zap.Error(err))
		return func() {}
	}
	return func() {
		if err := s.watch.close(); err != nil {
			s.settings.Logger.Warn("end the watch of rings", zap.Error(err))
		}
	}
}

// rung receives when the watch has reported a ring. It is nil if there is no watch.
func (s *Sampler) rung() <-chan struct{} {
	if s.watch == nil {
		return nil
	}
	return s.watch.woken
}

// drain reads what cannot wait of every JVM, and reports whether the round of one is due.
func (s *Sampler) drain(now time.Time) (due bool) {
	for _, j := range s.jvms {
		j.drain(now)
		due = due || !now.Before(j.due)
	}
	return due
}

// mostDrainInterval is how long a thread that is new in privileged mode may be without a ring,
// where it is not looked for more often (hasQuick).
const mostDrainInterval = 250 * time.Millisecond

// drainInterval is the time between two drains: from the set one up to the longest, as long as
// nothing is lost and no one waits. It is a whole part of the time between rounds, so that both
// fall together.
func (s *Sampler) drainInterval() time.Duration {
	least := s.settings.DrainInterval
	round := min(max(2*least, s.settings.RoundInterval), max(least, mostRoundInterval))
	longest := min(round, max(2*least, mostDrainInterval))
	next := longest
	for _, j := range s.jvms {
		next = min(next, j.drainInterval(longest))
	}
	parts := (round + next - 1) / next
	return max(round/parts, least)
}

// allRings is valid until the next call.
func (s *Sampler) allRings() []*rings {
	s.busy = s.busy[:0]
	for _, j := range s.jvms {
		s.busy = append(s.busy, &j.rings)
	}
	return s.busy
}

// nextWake is when there is something to do again.
func (s *Sampler) nextWake(scan, drain time.Time) time.Time {
	next := scan
	if len(s.jvms) > 0 {
		next = drain // a scan can wait for it
	}
	sooner := func(t time.Time) {
		if t.Before(next) {
			next = t
		}
	}
	now := time.Now()
	for _, j := range s.jvms {
		if j.hasQuick(now) || j.reading.isComparing(now) {
			sooner(now.Add(quickInterval))
			break
		}
	}
	for _, w := range s.waiting {
		sooner(w.next)
	}
	return next
}

// scan looks for JVMs.
func (s *Sampler) scan() {
	r, err := s.scanner.Scan(s.settings.PIDs)
	if err != nil {
		s.counts.ScanErrors++
		s.settings.Logger.Warn("scan for JVMs failed; trying again", zap.Error(err))
		return
	}
	for _, gaveUp := range []map[procfs.Identity]bool{s.refused, s.denied} {
		for id := range gaveUp {
			if !s.alive(id) {
				delete(gaveUp, id)
			}
		}
	}
	s.unreadable(r.Unreadable)
	for _, p := range r.Found {
		if s.jvms[p.Identity] == nil && s.waiting[p.Identity] == nil && s.left[p.Identity] == nil && !s.refused[p.Identity] && !s.denied[p.Identity] {
			s.waiting[p.Identity] = &waiter{process: p}
		}
	}
	s.lookAtLeft(time.Now())
}

// unreadable counts the processes called java that cannot be looked at and that no rule leaves to
// others, and the JVMs whose memory was denied. It says once that there are some.
func (s *Sampler) unreadable(pids []int) {
	if s.settings.Select != nil {
		pids = slices.DeleteFunc(pids, func(pid int) bool {
			p, err := s.processOf(pid)
			return err != nil || s.settings.Select.Judge(p, nil) == selector.No
		})
	}
	for id := range s.denied {
		pids = append(pids, id.PID)
	}
	s.counts.Unreadable = len(pids)
	if s.saidUnreadable || len(pids) == 0 {
		return
	}
	uid, err := s.scanner.FS.UID(pids[0])
	if err != nil {
		return // ended since
	}
	s.saidUnreadable = true
	s.settings.Logger.Warn("processes called java cannot be looked at and are not sampled: give CAP_SYS_PTRACE or run as their user, see docs/use/permissions.md",
		zap.Int("processes", len(pids)), zap.Int("pid", pids[0]), zap.Int("uid", uid), zap.Int("own_uid", os.Geteuid()))
}

// tryWaiting opens JVMs that were found, and asks again for leases.
func (s *Sampler) tryWaiting(now time.Time) {
	for id, w := range s.waiting {
		if now.Before(w.next) {
			continue
		}
		if w.jvm == nil && !s.open(id, w, now) {
			continue
		}
		switch s.judge(w.jvm, now) {
		case selector.Yes:
			s.tryLease(id, w, now)
		case selector.No:
			s.leave(id, w)
		case selector.Later:
			w.next = now.Add(retryJVM)
			if exited, err := w.jvm.handle.Exited(); exited || err != nil {
				delete(s.waiting, id)
				s.closeUnread(id, errors.Join(err, w.jvm.close()))
			}
		}
	}
}

// open maps a JVM's memory, unless its process is not wanted. If it does not, the JVM is dealt
// with.
func (s *Sampler) open(id procfs.Identity, w *waiter, now time.Time) bool {
	process, err := s.processOf(id.PID)
	if err == nil {
		if s.settings.Select.Judge(process, nil) == selector.No {
			s.leave(id, w)
			return false
		}
		w.jvm, err = openJVM(w.process, s)
	}
	switch {
	case err == nil:
		w.jvm.choosing = choosing{process: process, verdict: selector.Later}
		return true
	case errors.Is(err, errNotYet) && s.alive(id):
		w.later(now)
	case errors.Is(err, errNotItsOwn), errors.Is(err, fs.ErrNotExist):
		delete(s.waiting, id)
		s.scanner.NotFound(id.PID) // it may become a JVM by exec
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE), errors.Is(err, unix.ENOMEM):
		w.next = now.Add(retryLease) // our own shortage, which may pass
		if !w.said {
			w.said = true
			s.settings.Logger.Warn("memory of a JVM cannot be opened; trying again", zap.Int("pid", id.PID), zap.Error(err))
		}
	case errors.Is(err, errDenied):
		delete(s.waiting, id)
		s.denied[id] = true // counted by the next scan
	default:
		s.refuse(id, err)
	}
	return false
}

func (s *Sampler) tryLease(id procfs.Identity, w *waiter, now time.Time) {
	err := w.jvm.acquire(s.lastID+1, s.owner)
	switch {
	case err == nil:
		s.lastID++
		s.counts.Found++
		s.jvms[id] = w.jvm
		delete(s.waiting, id)
	case errors.Is(err, jvmlog.ErrLeaseHeld) && s.alive(id):
		s.counts.LeaseRefused++
		w.next = now.Add(retryLease)
		if !w.said {
			w.said = true
			s.settings.Logger.Info("another reader samples this JVM; waiting for it", zap.Int("pid", id.PID), zap.Error(err))
		}
	default:
		s.refuse(id, errors.Join(err, w.jvm.close()))
	}
}

// refuse gives a JVM up for good.
func (s *Sampler) refuse(id procfs.Identity, err error) {
	delete(s.waiting, id)
	if !s.alive(id) {
		return // ended while it was looked at
	}
	s.refused[id] = true
	switch changed := (*procfs.ChangedError)(nil); {
	case errors.As(err, &changed):
		s.counts.Changed++
	case letsGo(err):
		s.counts.LetGo++
	default:
		s.counts.Refused++
	}
	s.settings.Logger.Warn("this JVM is not sampled", s.who(id, err)...)
}

// letsGo reports whether an error is why a JVM is let go: it would harm the others.
func letsGo(err error) bool {
	return errors.Is(err, errFlood) || errors.Is(err, errStuck) || errors.Is(err, errPanic)
}

// who names a process, its user, and what is wrong with it, in a log line.
func (s *Sampler) who(id procfs.Identity, err error) []zap.Field {
	fields := []zap.Field{zap.Int("pid", id.PID)}
	if changed := (*procfs.ChangedError)(nil); errors.As(err, &changed) {
		fields = append(fields, zap.Uint32("uid", changed.Owner.UID))
	} else if uid, uidErr := s.scanner.FS.UID(id.PID); uidErr == nil {
		fields = append(fields, zap.Int("uid", uid))
	}
	return append(fields, zap.Error(err))
}

func (s *Sampler) alive(id procfs.Identity) bool {
	st, err := s.scanner.FS.Stat(id.PID)
	return err == nil && st.StartTicks == id.StartTicks && st.State != 'Z' && st.State != 'X'
}

// round reads every JVM once whose round is due.
func (s *Sampler) round(now time.Time) {
	for id, j := range s.jvms {
		if now.Before(j.due) {
			continue
		}
		j.due = now.Add(jvmlog.UntilTick(s.settings.RoundInterval))
		if j.reading.isComparing(now) {
			j.due = now.Add(quickInterval)
		}
		if s.judge(j, now) == selector.No {
			s.letGo(id, j, now)
			continue
		}
		var done bool
		var err error
		if stuck := s.readers.run(j.memory, func() { done, err = j.round(now) }); stuck != nil {
			done, err = true, stuck
		}
		if err != nil && !errors.Is(err, jvmlog.ErrLeaseLost) && !letsGo(err) && j.changed == nil {
			s.settings.Logger.Warn("JVM could not be read", s.who(id, err)...)
		}
		if !done {
			continue
		}
		s.gone(id, j)
		switch {
		case errors.Is(err, jvmlog.ErrLeaseLost):
			s.settings.Logger.Warn("another reader took this JVM over", zap.Int("pid", id.PID))
		case j.changed != nil, letsGo(err):
			s.refuse(id, err)
		case s.alive(id): // its agent is off, or its memory is not right
			s.refused[id] = true
		}
	}
	s.buffers.shrink(now)
	s.counts.Rounds++
	s.publish()
}

// gone lets go of a JVM.
func (s *Sampler) gone(id procfs.Identity, j *jvm) {
	delete(s.jvms, id)
	s.scanner.Forget(id.PID) // its number may be another's, or it may be ours again
	if l, wants := s.sink.(Leaver); wants && s.alive(id) {
		l.JVMLeft(j.info.ID)
	}
	s.sink.JVMGone(j.info.ID)
	if err := j.close(); err != nil && !errors.Is(err, jvmlog.ErrLeaseLost) {
		s.settings.Logger.Warn("JVM could not be closed", zap.Int("pid", id.PID), zap.Error(err))
	}
}

// finish reads everything once more and gives it back.
func (s *Sampler) finish() error {
	now := time.Now()
	for id, j := range s.jvms {
		j.attachThreads(now)
		if err := s.last(j, now); err != nil {
			s.settings.Logger.Warn("last reading of JVM failed", zap.Int("pid", id.PID), zap.Error(err))
		}
		s.gone(id, j)
	}
	for _, unread := range []map[procfs.Identity]*waiter{s.waiting, s.left} {
		for id, w := range unread {
			if w.jvm != nil {
				s.closeUnread(id, w.jvm.close())
			}
		}
		clear(unread)
	}
	s.scanner.Close()
	s.publish()
	return nil
}

// last reads what there still is of a JVM.
func (s *Sampler) last(j *jvm, now time.Time) (err error) {
	stuck := s.readers.run(j.memory, func() { err = j.last(now, nil) })
	if stuck != nil {
		return stuck
	}
	return err
}

// closeUnread says what went wrong when a JVM that was not read was closed.
func (s *Sampler) closeUnread(id procfs.Identity, err error) {
	if err != nil {
		s.settings.Logger.Warn("JVM could not be closed", zap.Int("pid", id.PID), zap.Error(err))
	}
}

// publish makes the counts readable from other goroutines.
func (s *Sampler) publish() {
	s.counts.Live, s.counts.Waiting = len(s.jvms), len(s.waiting)
	s.counts.Left = len(s.left)
	if b := s.settings.QueryBudget; b != nil {
		s.counts.PushedOutQueries = b.PushedOut()
	}
	s.mu.Lock()
	s.counts.LogFill = max(s.counts.LogFill, s.published.LogFill) // what no one has asked for yet
	s.published = s.counts
	s.mu.Unlock()
	s.counts.LogFill = 0
}
