package unwind

import (
	"encoding/binary"
	"slices"
)

// liveBytes is how far beyond its copy a stack is followed in the thread's own memory.
const liveBytes = 256 << 10

// liveStack reads a thread's stack as it is now, a page at a time.
type liveStack struct {
	memory Memory
	pages  map[uint64][]byte // page address → content; nil: cannot be read
	free   [][]byte
}

const pageBytes = 4096

func (l *liveStack) reset(m Memory) {
	l.memory = m
	for _, b := range l.pages {
		if b != nil {
			l.free = append(l.free, b)
		}
	}
	clear(l.pages)
	if l.pages == nil {
		l.pages = map[uint64][]byte{}
	}
}

func (l *liveStack) word(addr uint64) (uint64, bool) {
	page := addr &^ (pageBytes - 1)
	b, known := l.pages[page]
	if !known {
		b = l.read(page)
		l.pages[page] = b
	}
	if b == nil {
		return 0, false
	}
	return binary.LittleEndian.Uint64(b[addr-page:]), true
}

func (l *liveStack) read(page uint64) []byte {
	b := make([]byte, 0, pageBytes)
	if n := len(l.free); n > 0 {
		b, l.free = l.free[n-1], l.free[:n-1]
	}
	b = b[:pageBytes]
	if l.memory.ReadAt(b, page) != nil {
		l.free = append(l.free, b)
		return nil
	}
	return b
}

// outer is what lies above frame f, the last that the copy of the stack has.
//
// It is the kernel's chain, where that reaches the thread's base. Where it does not (the kernel follows 127 frames at most, and none when
// the interrupted code used the frame pointer for other things), the walk goes on in the thread's own memory, which it may have changed
// since. So that is believed only if the record that led to f still stands there unchanged, so that f has not returned, or nothing has
// overwritten it; and if the walk meets the addresses that the kernel's chain does have, all of them, in their order.
func (u *Unwinder) outer(st stack, f frame, chain []uint64) []uint64 {
	rest := u.rest(f.fp, chain)
	if _, complete := u.trim(rest); complete || f.from == 0 {
		return rest
	}
	u.live.reset(u.Memory)
	saved, ok1 := u.live.word(f.from)
	ra, ok2 := u.live.word(f.from + 8)
	if !ok1 || !ok2 || saved != f.fp || ra != f.pc {
		return rest
	}
	st.live = &u.live
	notes := len(u.inter)
	var walked []uint64
	for len(walked) < MaxFrames {
		next, ok := u.step(st, f)
		if !ok {
			break
		}
		u.depth++
		walked = append(walked, next.pc)
		f = next
	}
	if !follows(walked, rest) {
		u.inter = u.inter[:notes]
		return rest
	}
	return walked
}

// follows tells whether all addresses of chain are in walked, in their order.
func follows(walked, chain []uint64) bool {
	for _, addr := range chain {
		i := slices.Index(walked, addr)
		if i < 0 {
			return false
		}
		walked = walked[i+1:]
	}
	return true
}
