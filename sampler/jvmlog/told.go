package jvmlog

import "sync/atomic"

// Lost is the time for which a reader had read a JVM and died before it handed that on. The zero
// value is no time.
type Lost struct{ From, To MonoTime }

// SetTold says that all is handed on that tasks used before t. That is for the reader after this
// one, in case this one dies.
func (c *Control) SetTold(t MonoTime) error {
	if err := c.held(); err != nil {
		return err
	}
	atomic.StoreUint64(word64(c.mem, ctlTold), uint64(t))
	atomic.StoreUint64(word64(c.mem, ctlToldProof), uint64(t)^c.owner)
	return nil
}

// Lost is what the holder before Acquire lost: nothing if it gave the lease back, lives, or did not
// call SetTold.
func (c *Control) Lost() Lost { return c.lost }

// lostBy is what a holder that is dead lost. Its last heartbeat is about its last reading.
func (c *Control) lostBy(holder uint64) Lost {
	told, beat := atomic.LoadUint64(word64(c.mem, ctlTold)), atomic.LoadUint64(word64(c.mem, ctlHeartbeat))
	if told^holder != atomic.LoadUint64(word64(c.mem, ctlToldProof)) || told == 0 || beat <= told {
		return Lost{}
	}
	return Lost{MonoTime(told), MonoTime(beat)}
}
