package jvmlog

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// Slots reads the thread slots of one Log again and again, and decodes only slots that were written
// since it last did. A JVM has some hundred threads, and almost none of their slots changes between
// two looks. The zero value is ready. Not safe for concurrent use.
type Slots struct {
	known []knownSlot // :: slot
	slots []byte      // as read last: only their sequence numbers count
}

// knownSlot is a slot as it was at a sequence number.
type knownSlot struct {
	read   bool // as seq says; else it was being written, and the thread is the last that was read
	seq    uint32
	live   bool // thread holds something
	thread Thread
}

// Changed reports whether a slot was written since the last call of Threads. It costs one reading
// of the slots in use.
func (s *Slots) Changed(l *Log) bool {
	for i := range s.look(l) {
		if i >= len(s.known) || !s.known[i].read || s.known[i].seq != s.seq(l, i) {
			return true
		}
	}
	return false
}

// Threads appends the live threads to dst, as Log.Threads does. A slot that does not decode is
// counted each time it was written. One that is being written counts for what it was before.
func (s *Slots) Threads(l *Log, dst []Thread) []Thread {
	n := s.look(l)
	for len(s.known) < n {
		s.known = append(s.known, knownSlot{})
	}
	for i := range n {
		k := &s.known[i]
		if seq := s.seq(l, i); !k.read || k.seq != seq {
			l.readSlot(k, i, seq)
		}
		if k.live {
			dst = append(dst, k.thread)
		}
	}
	return dst
}

// look reads the slots in use and returns how many there are.
func (s *Slots) look(l *Log) int {
	n := int(min(atomic.LoadUint32(word32(l.head, hdrThreadsHighWater)), l.geometry.ThreadSlots))
	s.slots = slices.Grow(s.slots[:0], n*l.threadBytes)[:n*l.threadBytes]
	if err := l.all.read(s.slots, l.geometry.ThreadsOffset); err != nil {
		l.bad(&l.badThreads, fmt.Errorf("thread slots: %w", err))
		return 0
	}
	return n
}

// seq is the sequence number of slot i.
func (s *Slots) seq(l *Log, i int) uint32 { return le.Uint32(s.slots[i*l.threadBytes+thrSeq:]) }

// readSlot reads slot i, whose sequence number was read before. If it is being written that is
// counted, and k asks for it again.
func (l *Log) readSlot(k *knownSlot, i int, seq uint32) {
	var b [ThreadSlotBytes]byte
	k.read = seq%2 == 0 && l.copyThread(b[:], i, seq)
	if !k.read {
		l.tornThreads.Add(1)
		return
	}
	k.seq, k.live = seq, false
	if le.Uint32(b[thrTID:]) == 0 {
		return
	}
	t, err := DecodeThread(b[:])
	if err != nil {
		l.bad(&l.badThreads, fmt.Errorf("slot %d: %w", i, err))
		return
	}
	k.thread, k.live = t, true
	k.thread.Slot = i
}

// copyThread copies slot i. False: it was written again since its sequence number was read.
func (l *Log) copyThread(dst []byte, i int, seq uint32) bool {
	off := l.geometry.ThreadsOffset + uint64(i*l.threadBytes)
	var after [8]byte
	return l.all.read(dst, off) == nil && l.all.read(after[:], off) == nil && le.Uint32(after[thrSeq:]) == seq
}
