package jvmlog

import (
	"fmt"
	"sync/atomic"
)

// Slots reads the thread slots of one Log again and again, and decodes only those that were written
// since it last did: a JVM has some hundred threads, and almost none of their slots changes between
// two looks. The zero value is ready. Not safe for concurrent use.
type Slots struct {
	known []knownSlot // :: slot
}

// knownSlot is a slot as it was at a sequence number.
type knownSlot struct {
	read   bool
	seq    uint32
	live   bool // thread holds something
	thread Thread
}

// Changed tells whether a slot was written since the last call of Threads. It costs an atomic load
// for each slot in use.
func (s *Slots) Changed(l *Log) bool {
	for i := range l.slotsInUse() {
		if i >= len(s.known) || !s.known[i].read || s.known[i].seq != atomic.LoadUint32(l.slotSeq(i)) {
			return true
		}
	}
	return false
}

// Threads appends the live threads to dst, as Log.Threads does. A slot that does not decode is
// counted each time it was written.
func (s *Slots) Threads(l *Log, dst []Thread) []Thread {
	n := l.slotsInUse()
	for len(s.known) < n {
		s.known = append(s.known, knownSlot{})
	}
	for i := range n {
		k := &s.known[i]
		if !k.read || k.seq != atomic.LoadUint32(l.slotSeq(i)) {
			*k = l.readSlot(i)
		}
		if k.live {
			dst = append(dst, k.thread)
		}
	}
	return dst
}

// slotsInUse is the number of slots that may hold something.
func (l *Log) slotsInUse() int {
	return int(min(atomic.LoadUint32(word32(l.mem, hdrThreadsHighWater)), l.geometry.ThreadSlots))
}

// slotSeq is the sequence number of slot i.
func (l *Log) slotSeq(i int) *uint32 {
	return word32(l.mem, int(l.geometry.ThreadsOffset)+i*l.threadBytes+thrSeq)
}

// readSlot reads slot i; what it returns is not read when the slot was being written at every try,
// which is counted.
func (l *Log) readSlot(i int) knownSlot {
	var b [ThreadSlotBytes]byte
	seq, ok := l.copyThread(b[:], i)
	if !ok {
		l.tornThreads.Add(1)
		return knownSlot{}
	}
	k := knownSlot{read: true, seq: seq}
	if le.Uint32(b[thrTID:]) == 0 {
		return k
	}
	t, err := DecodeThread(b[:])
	if err != nil {
		l.bad(&l.badThreads, fmt.Errorf("slot %d: %w", i, err))
		return k
	}
	k.thread, k.live = t, true
	k.thread.Slot = i
	return k
}
