package sampler

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/planflame/planflame/sampler/unwind"
)

// A page of a JVM's memory may never answer: its user may keep it on a file system of its own, or
// handle its faults. Whoever reads it waits in the kernel. So the rounds run on goroutines of their
// own, one at a time, and one that is stuck in a read is left behind with its JVM.
const (
	mostReadTime = time.Second // of one read; it takes microseconds
	mostChecks   = 20          // of a round, mostReadTime apart; it takes milliseconds
	mostStuck    = 64          // goroutines left behind, each with its thread; then no memory is read
)

// errStuck says that a JVM's memory did not answer.
var errStuck = errors.New("its memory does not answer")

// readers counts the goroutines that were left behind.
type readers struct {
	stuck  atomic.Int32
	checks int // that a round may take; 0: mostChecks
}

// allow closes the memory of a JVM that is new if too many do not answer.
func (r *readers) allow(m *unwind.ProcessMemory) error {
	if r.stuck.Load() < mostStuck {
		return nil
	}
	return m.Close()
}

// errPanic says that what a JVM has written made its reader panic.
var errPanic = errors.New("its reader panicked")

// run calls f, which may read memory, on a goroutine and waits for its end. It returns errStuck if
// one read of f takes longer than mostReadTime, or f reads on after mostChecks of them. Then f
// goes on no further, and what it used is the caller's again, but for what it read into. It returns
// errPanic with the stack if f panics: no JVM may end the reader of the others.
func (r *readers) run(m *unwind.ProcessMemory, f func()) error {
	ended := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("%w: %v\n%s", errPanic, p, debug.Stack())
			}
			if m.Abandoned() {
				r.stuck.Add(-1)
			}
			ended <- err
		}()
		f()
	}()
	check := time.NewTicker(mostReadTime)
	defer check.Stop()
	var last uint64
	for checks := 0; ; checks++ {
		select {
		case err := <-ended:
			return err
		case <-check.C:
		}
		last = m.Abandon(last)
		if checks >= cmp.Or(r.checks, mostChecks) {
			last = m.Abandon(last) // whichever it reads now
		}
		if m.Abandoned() {
			r.stuck.Add(1)
			return errStuck
		}
	}
}
