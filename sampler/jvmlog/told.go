package jvmlog

import (
	"math"
	"sync/atomic"
	"time"
)

// Told is what a reader has handed on: all that tasks used before Before, and some CPU of later.
type Told struct {
	Before MonoTime
	Later  time.Duration
}

// Lost is the time for which a reader had read a JVM and died before it handed all of it on. It has
// handed on what tasks used before From, and Later of what they used since; 0 if it did not say. To
// is 0 if it lost nothing.
type Lost struct {
	From, To MonoTime
	Later    time.Duration
}

// SetTold says what is handed on. That is for the reader after this one, in case this one dies.
func (c *Control) SetTold(t Told) error {
	if err := c.held(); err != nil {
		return err
	}
	c.storeTold(t, c.owner)
	return nil
}

func (c *Control) storeTold(t Told, owner uint64) {
	atomic.StoreUint64(word64(c.mem, ctlTold), uint64(t.Before))
	atomic.StoreUint64(word64(c.mem, ctlToldLater), uint64(t.Later))
	atomic.StoreUint64(word64(c.mem, ctlToldProof), uint64(t.Before)^uint64(t.Later)^owner)
}

// TellAll says that this holder will have handed on all that tasks used before t, when the lease is
// given back. Without a lease it does nothing.
func (c *Control) TellAll(t MonoTime) {
	if c.held() != nil {
		return
	}
	c.storeTold(Told{Before: t}, 0)
}

// Lost is what the holder before Acquire lost. It is the zero value if that holder lives or called
// neither SetTold nor TellAll.
func (c *Control) Lost() Lost { return c.lost }

// lostBy is what a holder lost that is dead, or gave the lease back: holder 0. A dead one's last
// heartbeat is about its last reading.
func (c *Control) lostBy(holder uint64) Lost {
	told, beat := atomic.LoadUint64(word64(c.mem, ctlTold)), atomic.LoadUint64(word64(c.mem, ctlHeartbeat))
	later := atomic.LoadUint64(word64(c.mem, ctlToldLater))
	if told^later^holder != atomic.LoadUint64(word64(c.mem, ctlToldProof)) {
		return Lost{}
	}
	if holder == 0 || told == 0 || beat <= told {
		beat = 0
	}
	return Lost{MonoTime(told), MonoTime(beat), time.Duration(min(later, math.MaxInt64))}
}
