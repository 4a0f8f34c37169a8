package sampler

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"runtime"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// mostAhead is how far ahead of this machine's clock a record or task event may say that it was
// written. What waits for its time would be kept until then.
const mostAhead = jvmlog.MonoTime(time.Second)

// claims hold the CPU that a JVM says its threads have used against the clock of its process, which
// has the CPU of all threads. One goroutine.
type claims struct {
	clock   func() (time.Duration, error) // of the process
	live    func() (map[int]int, error)   // its threads, by their ids in it
	threads map[uint32]uint64             // :: tid → its clock, as told last
	claimed uint64                        // by all threads, those that have ended too
	sampled [2]time.Duration              // that delivered samples of the base and the detail clock stand for

	began  time.Duration // clock when the lease was taken
	last   time.Duration // clock as read last
	readAt jvmlog.MonoTime
	tried  jvmlog.MonoTime // the now at which the clock was last asked for
	now    jvmlog.MonoTime // of this round
	looked jvmlog.MonoTime // when threads that have ended were looked for last
}

// mostClaimants bounds claims.threads: those that have ended go. One that is forgotten and lives
// counts in full again.
const mostClaimants = 4096

func newClaims(p procfs.FS, pid int, tids *procfs.Threads) (claims, error) {
	c := claims{
		clock:   func() (time.Duration, error) { return p.CPUClock(pid) },
		live:    tids.Live,
		threads: map[uint32]uint64{},
	}
	c.now = jvmlog.Now()
	err := c.read()
	c.began = c.last
	return c, err
}

// readEvery is how old a reading may be at the beginning of a round.
const readEvery = jvmlog.MonoTime(time.Second)

// begin begins a round.
func (c *claims) begin(now jvmlog.MonoTime) error {
	c.now = now
	if now-c.readAt < readEvery {
		return nil
	}
	return c.read()
}

// read reads the process's clock. It may be a tick old for each thread that runs.
func (c *claims) read() error {
	c.tried = c.now
	clock, err := c.clock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it has ended: it cannot have used more than all CPUs since then
	}
	if err != nil {
		return err
	}
	c.last, c.readAt = max(clock, c.last), c.now
	return nil
}

// tick is how old a clock of the kernel's may be.
const tick = 10 * time.Millisecond

// used is at least what the process may have used so far. The kernel adds up all its threads for
// its clock. So here it is read once a round at most, and only if what it told last has no room
// for want. If it cannot be read, as after the process's end, all CPUs may have been used since.
func (c *claims) used(want time.Duration) time.Duration {
	if want > c.last && c.tried != c.now {
		_ = c.read() // begin returns the error
	}
	cpus := time.Duration(runtime.NumCPU())
	return c.last + cpus*(tick+time.Duration(c.now-c.readAt))
}

// event cuts what an event says of its thread's clock to what the process's clock allows, and
// reports whether it did.
func (c *claims) event(e *jvmlog.TaskEvent) (cut bool) {
	if e.Kind == jvmlog.TaskClocks {
		return false
	}
	last, known := c.threads[e.TID]
	if !known && len(c.threads) >= mostClaimants {
		c.forget()
	}
	if e.ThreadCPUNanos < last { // another thread with its number
		last = 0
	}
	claimed := min(c.claimed, math.MaxInt64) + min(e.ThreadCPUNanos-last, math.MaxInt64)
	room := uint64(max(c.used(time.Duration(min(claimed, math.MaxInt64))), 0))
	room -= min(room, c.claimed)
	if e.ThreadCPUNanos-last > room {
		e.ThreadCPUNanos, cut = last+room, true
	}
	c.claimed += e.ThreadCPUNanos - last
	c.threads[e.TID] = e.ThreadCPUNanos
	return c.spark(e) || cut
}

// forget lets the threads go that have ended, which it looks for once a second at most. If there is
// none, as of a JVM that makes threads up, any one goes.
func (c *claims) forget() {
	if c.now >= c.looked+jvmlog.MonoTime(time.Second) {
		c.looked = c.now
		if live, err := c.live(); err == nil {
			maps.DeleteFunc(c.threads, func(tid uint32, _ uint64) bool {
				_, lives := live[int(tid)]
				return !lives
			})
		}
	}
	for tid := range c.threads {
		if len(c.threads) < mostClaimants {
			return
		}
		delete(c.threads, tid)
	}
}

// spark cuts Spark's own figures, and the parts of the thread's clock: neither can be more than the
// clock. The kernel's parts are read a moment after it, so a little more is no claim.
func (c *claims) spark(e *jvmlog.TaskEvent) (cut bool) {
	for _, part := range []*uint64{&e.UserNanos, &e.SystemNanos} {
		if *part > e.ThreadCPUNanos {
			cut = cut || *part-e.ThreadCPUNanos > uint64(tick)
			*part = e.ThreadCPUNanos
		}
	}
	if e.ExecutorCPUNanos > e.ThreadCPUNanos {
		e.ExecutorCPUNanos, cut = e.ThreadCPUNanos, true
	}
	if most := e.ThreadCPUNanos - e.ExecutorCPUNanos; e.ExecutorDeserializeNanos > most {
		e.ExecutorDeserializeNanos, cut = most, true
	}
	return cut
}

// sample reports whether the process can have used what a sample and earlier ones of the same clock
// stand for. A JVM that has opened the events can write into their rings. Samples are drawn, so
// some more than it used are believed.
func (c *claims) sample(h *heldSample) bool {
	const part, fixed = 1.1, time.Second
	sum := &c.sampled[0]
	if h.detail != 0 && h.period == h.detail {
		sum = &c.sampled[1]
	}
	all := *sum + h.period + h.gap
	if least := c.began + time.Duration(float64(all-fixed)/part); least > c.used(least) {
		return false
	}
	*sum = all
	return true
}

// admit cuts and refuses what cannot be of a task event, and reports whether it is to be taken.
func (j *jvm) admit(e *jvmlog.TaskEvent) bool {
	if !j.inTime(e.Time) {
		return false
	}
	e.Flags &^= jvmlog.TaskByReader
	if !j.budget.event(j.claims.now) {
		j.totals.RefusedEvents++
		j.once("this JVM tells of more tasks than anyone runs", fmt.Errorf("more than %d events a second", mostEventRate))
		return false
	}
	if j.claims.event(e) {
		j.totals.CutCPU++
		j.once("tasks of this JVM claim more CPU than its process has used", fmt.Errorf("task %d of stage %d", e.Task, e.Stage))
	}
	return true
}

// inTime reports whether a time is not too far ahead; one that is, is counted.
func (j *jvm) inTime(t jvmlog.MonoTime) bool {
	if t <= j.claims.now+mostAhead {
		return true
	}
	j.totals.Ahead++
	j.once("this JVM writes times that are yet to come", fmt.Errorf("%v ahead", time.Duration(t-j.claims.now)))
	return false
}
