package sampler

import (
	"errors"
	"fmt"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// What one JVM may take of a round, and of many: the next JVM waits. The rest comes in the next
// round.
const (
	mostRoundBytes = 1 << 20 // of records; an agent that replays waits for room
	mostRoundTime  = 50 * time.Millisecond
	mostLastTime   = 500 * time.Millisecond // of a JVM's last round
	// A JVM that goes on writing more than floodRate is let go when it is floodBytes above it: a
	// replay writes a log at most, once.
	floodRate  = 16 << 20 // bytes a second
	floodBytes = 384 << 20
	// An executor runs no more tasks a second than its driver can send it.
	mostEventRate = 10_000 // task events a second, and so many at once
)

// errFlood says that a JVM has written more than anyone has to read.
var errFlood = errors.New("it writes too much")

// roundBudget is what is left of a round, and of a JVM's patience. One goroutine.
type roundBudget struct {
	bytes int
	until time.Time
	level float64 // bytes above floodRate
	last  time.Time

	events   float64 // that may still come
	eventsAt jvmlog.MonoTime
}

// event reports whether a task event may be taken at a time.
func (b *roundBudget) event(now jvmlog.MonoTime) bool {
	if now > b.eventsAt {
		b.events = min(mostEventRate, b.events+mostEventRate*time.Duration(now-b.eventsAt).Seconds())
		b.eventsAt = now
	}
	if b.events < 1 {
		return false
	}
	b.events--
	return true
}

// begin begins a round.
func (b *roundBudget) begin(now time.Time, all bool) {
	b.bytes, b.until = mostRoundBytes, now.Add(mostRoundTime)
	if all {
		b.bytes, b.until = floodBytes, now.Add(mostLastTime)
	}
	if !b.last.IsZero() {
		b.level = max(0, b.level-floodRate*now.Sub(b.last).Seconds())
	}
	b.last = now
}

// read charges bytes, and reports whether the round may go on.
func (b *roundBudget) read(bytes uint64) bool {
	b.bytes -= int(bytes)
	b.level += float64(bytes)
	return b.bytes > 0 && time.Now().Before(b.until)
}

// behind takes note that a round ended before all was read.
func (j *jvm) behind() error {
	j.due = time.Now()
	j.totals.Behind++
	j.once("this JVM writes more than is read in a round", fmt.Errorf("%d bytes wait", j.log.Waiting(j.nextRecord)))
	if j.budget.level > floodBytes {
		return errFlood
	}
	return nil
}
