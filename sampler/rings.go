package sampler

import (
	"errors"
	"math"
	"sync"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/perfevent"
)

// rings are the rings of one JVM's task threads, and what was read from them. They are emptied at
// the beginning of every round, and by lateDrain while a round lasts. A ring holds some 100 ms, and
// a round may have thousands of records or a large plan to take in.
type rings struct {
	mu        sync.Mutex // guards all that follows
	threads   map[threadKey]*thread
	reader    perfevent.Reader
	held      heldSamples
	counts    ringCounts
	fullest   float64         // part of the fullest ring that was in use at the last drain
	holds     time.Duration   // the least that a ring holds, as of the last drain, or of one that came since; 0: there is none
	deep      bool            // a stack that was read since the last take goes on beyond its copy
	deepAt    jvmlog.MonoTime // when such a stack was read last
	sampledAt jvmlog.MonoTime // when a sample was read last
	trouble   error           // the last with a thread's clock, until it is taken

	watch  *ringWatch         // nil: there is none
	room   ringRoom           // of events' rings
	events map[uint32]*thread // :: tid → who has its event

	stackBytes int            // copy of the stack in each sample
	firsts     sync.WaitGroup // who waits for threads' first samples
}

// Bounds of what may wait.
const (
	mostWaitingBytes = 8 << 20 // of samples, until the next round
	mostFill         = 0.6     // of a ring that was drained in time, with some room for a timer that is late
)

// deepFor is how long after a stack that goes on beyond its copy more of them are to be expected:
// they come from one piece of a task's work.
const deepFor = jvmlog.MonoTime(250 * time.Millisecond)

// urgent reports whether what was read has to be unwound at once.
func (r *rings) urgent() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.deep || r.held.bytes > mostWaitingBytes
}

// hurried reports whether the next drain must not be late.
func (r *rings) hurried() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.deep || jvmlog.Now() < r.deepAt+deepFor || r.fullest > mostFill
}

// holdFor is how long it takes at least until a ring is full, whatever the threads do.
func (r *rings) holdFor() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.holds == 0 {
		return math.MaxInt64
	}
	return r.holds
}

// holdsFor is how long a ring of so many pages has room for samples with so many bytes of stack,
// where both clocks of its thread run all the time.
func holdsFor(pages, stackBytes int, base, detail time.Duration) time.Duration {
	perSecond := hz(base) + hz(detail)
	if perSecond == 0 {
		return math.MaxInt64
	}
	samples := float64(pages) * pageBytes / float64(recordBytes+stackBytes)
	return max(time.Duration(samples/perSecond*float64(time.Second)), 1)
}

// ringCounts are what the rings add to the statistics; they only grow.
type ringCounts struct {
	lost, throttled, overrun, bad, damaged uint64
}

// drain empties all rings into held.
func (r *rings) drain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fullest, r.holds = 0, 0
	for _, t := range r.threads {
		r.drainThread(t)
	}
}

// take empties all rings, lets go of the threads whose slots are free, and returns all that was
// read. The samples are the caller's until it gives them back; the counts come with them.
func (r *rings) take(dst []*heldSample) ([]*heldSample, ringCounts, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	r.fullest, r.holds = 0, 0
	for key, t := range r.threads {
		r.drainThread(t)
		if !t.present {
			errs = append(errs, r.letGo(t))
			delete(r.threads, key)
		}
	}
	dst = append(dst, r.held.samples...)
	clear(r.held.samples)
	r.held.samples = r.held.samples[:0]
	r.deep = false
	return dst, r.counts, errors.Join(errs...)
}

// giveBack takes samples that were unwound.
func (r *rings) giveBack(done []*heldSample) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range done {
		r.held.release(h)
	}
}

func (r *rings) close() error {
	r.mu.Lock()
	var errs []error
	for _, t := range r.threads {
		errs = append(errs, r.shut(t))
	}
	r.mu.Unlock()
	r.firsts.Wait()
	return errors.Join(errs...)
}

// beginAfter begins the base event of a thread when its first sample has been taken, at once: the
// thread's CPU until then has no samples but the first event's.
func (r *rings) beginAfter(t *thread, first *perfevent.First) {
	e := t.event
	r.firsts.Go(func() {
		if !first.Wait() {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if t.event == e {
			r.begin(t)
		}
	})
}

// begin, with mu held, begins the base event of a thread, if it has not.
func (r *rings) begin(t *thread) {
	if t.event.Begun() {
		return
	}
	if err := t.event.Begin(); err != nil {
		r.trouble = err
	}
}

// takeTrouble returns the last error with a thread's clock, once.
func (r *rings) takeTrouble() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.trouble
	r.trouble = nil
	return err
}

// holdsNow, with mu held, works out what a thread's ring holds with the periods that are in force.
func (r *rings) holdsNow(t *thread) {
	pages := t.event.RingPages()
	t.holds = holdsFor(pages, r.stackBytes, t.base.period, t.detail.period)
	t.unwatched = t.holds
	if t.switched && t.base.period != 0 {
		t.unwatched = holdsFor(pages, r.stackBytes, t.base.period, 0)
	}
	r.mind(t)
}

// letGo, with mu held, drains and closes the event of a thread.
func (r *rings) letGo(t *thread) error {
	r.drainThread(t)
	return r.shut(t)
}

// has, with mu held, takes note that a thread got an event.
func (r *rings) has(t *thread, tid uint32, e *perfevent.Event) {
	t.event, t.tid = e, tid
	r.events[tid] = t
	r.room.take(bytesOf(e.RingPages()))
}

// shut, with mu held, closes the event of a thread.
func (r *rings) shut(t *thread) error {
	if t.event == nil {
		return nil
	}
	r.room.take(-bytesOf(t.event.RingPages()))
	if r.events[t.tid] == t {
		delete(r.events, t.tid)
	}
	err := errors.Join(r.disarm(t), t.event.Close())
	t.event, t.closely, t.ended = nil, noTask, false
	return err
}

// mind sees to it, with mu held, that holds is no more than what a thread's ring holds.
func (r *rings) mind(t *thread) {
	holds := t.holds
	if t.closely == noTask {
		holds = t.unwatched
	}
	if r.holds == 0 || holds < r.holds {
		r.holds = holds
	}
}

func (r *rings) drainThread(t *thread) {
	if t.event == nil {
		return
	}
	c := r.reader.Read(t.event, perfevent.Handler{Sample: func(s *perfevent.Sample) {
		if s.StackFull {
			r.deep, r.deepAt = true, jvmlog.Now()
		}
		if !r.held.hold(t, s) {
			r.counts.overrun++
		}
	}})
	if c.Samples > 0 {
		r.sampledAt = jvmlog.Now()
	}
	r.fullest = max(r.fullest, c.Fill)
	r.mind(t)
	if t.began {
		r.begin(t)
	}
	r.redraw(t)
	r.counts.lost += c.Lost
	r.counts.throttled += uint64(c.Throttle)
	r.counts.bad += uint64(c.Bad)
	r.counts.damaged += uint64(c.Damaged)
}

// redraw, with mu held and the ring of the thread empty, draws new periods for its clocks if it is
// time.
func (r *rings) redraw(t *thread) {
	if !t.present {
		return
	}
	done, err := t.redraw()
	if err != nil {
		r.trouble = err
	}
	if done {
		r.holdsNow(t)
	}
}
