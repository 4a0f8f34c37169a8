package unwind

import "encoding/binary"

// stack is the copy of a thread's stack, and what may follow it.
type stack struct {
	low  uint64 // address of b[0]: the stack pointer
	b    []byte
	high uint64     // end of the copy
	live *liveStack // the stack beyond, as it is now; nil: nothing is known of it
}

func newStack(sp uint64, b []byte) stack {
	b = b[:len(b)&^7]
	high := sp + uint64(len(b))
	if high < sp || sp%8 != 0 { // cannot be a stack
		return stack{low: sp, high: sp}
	}
	return stack{low: sp, b: b, high: high}
}

// word reads the word at addr.
func (s stack) word(addr uint64) (uint64, bool) {
	if addr%8 != 0 || addr < s.low {
		return 0, false
	}
	if addr >= s.high {
		if s.live == nil || addr-s.high >= liveBytes {
			return 0, false
		}
		return s.live.word(addr)
	}
	return binary.LittleEndian.Uint64(s.b[addr-s.low:]), true
}

// pair reads the two words of a frame record: the saved frame pointer and the return address behind
// it.
func (s stack) pair(fp uint64) (saved, ra uint64, ok bool) {
	saved, ok = s.word(fp)
	if !ok || fp+8 < fp {
		return 0, 0, false
	}
	ra, ok = s.word(fp + 8)
	return saved, ra, ok
}
