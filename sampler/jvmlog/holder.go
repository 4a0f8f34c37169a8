package jvmlog

import "sync/atomic"

// Holder is a process that holds a lease.
type Holder struct {
	PID        uint32 // in its own pid namespace
	Namespace  uint64 // inode of that namespace; 0: not known
	StartTicks uint64 // field 22 of /proc/PID/stat
}

// Introduce says which process takes the lease, and how to learn that another reader's process is
// no more. A Control that is not introduced waits until the heartbeat of the other is stale.
func (c *Control) Introduce(self Holder, dead func(Holder) bool) { c.self, c.dead = self, dead }

// proof belongs to one holder under one owner. It does not fit if another reader has written a part
// of the holder, so that no order of writes matters.
func (h Holder) proof(owner uint64) uint64 {
	const prime = 0x100000001b3 // FNV-1a's of 64 bits
	sum := owner
	for _, word := range [...]uint64{uint64(h.PID), h.Namespace, h.StartTicks} {
		sum = (sum ^ word) * prime
	}
	return sum
}

func (c *Control) storeHolder() {
	atomic.StoreUint32(word32(c.mem, ctlPID), c.self.PID)
	atomic.StoreUint64(word64(c.mem, ctlHolderSpace), c.self.Namespace)
	atomic.StoreUint64(word64(c.mem, ctlHolderStart), c.self.StartTicks)
	atomic.StoreUint64(word64(c.mem, ctlHolderProof), c.self.proof(c.owner))
}

// holderDead reports whether the process of an owner is known to be no more.
func (c *Control) holderDead(owner uint64) bool {
	h := Holder{
		PID:        atomic.LoadUint32(word32(c.mem, ctlPID)),
		Namespace:  atomic.LoadUint64(word64(c.mem, ctlHolderSpace)),
		StartTicks: atomic.LoadUint64(word64(c.mem, ctlHolderStart)),
	}
	return c.dead != nil && h.Namespace != 0 && h.proof(owner) == atomic.LoadUint64(word64(c.mem, ctlHolderProof)) && c.dead(h)
}
