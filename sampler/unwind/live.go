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
	var b []byte
	if n := len(l.free); n > 0 {
		b, l.free = l.free[n-1], l.free[:n-1]
	} else {
		b = make([]byte, pageBytes)
	}
	if l.memory.ReadAt(b, page) != nil {
		l.free = append(l.free, b)
		return nil
	}
	return b
}

// outer is what lies above frame f, the last that the copy of the stack has.
//
// It is the kernel's chain, where that reaches the thread's base and holds no interpreter frames,
// whose methods it cannot tell. But the kernel follows 127 frames at most, and none if the
// interrupted code used the frame pointer for other things. Native code with buffers on the stack,
// such as LZ4's of 16 KiB, leaves nothing of a copy for the frames above.
//
// Elsewhere the walk goes on in the thread's own memory, which it may have changed since. So that
// is believed only if f has not returned, or nothing has overwritten what shows it. The walk must
// also meet the addresses that the kernel's chain does have, all of them, in their order.
//
// While f has not returned the frames above it stand still, so what they say of their bytecodes is
// as it was, too.
func (u *Unwinder) outer(st stack, f frame, chain []uint64) []uint64 {
	rest := u.rest(f.fp, chain)
	if _, complete := u.trim(rest); complete && !u.interpret(rest) {
		return rest
	}
	u.live.reset(u.Memory)
	if !u.stands(f, rest) {
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

// stands reports whether frame f still is where it was: by the record that led to it, or, of the
// leaf, by its own, which the kernel followed.
func (u *Unwinder) stands(f frame, rest []uint64) bool {
	if f.from != 0 {
		saved, ok1 := u.live.word(f.from)
		ra, ok2 := u.live.word(f.from + 8)
		return ok1 && ok2 && saved == f.fp && ra == f.pc
	}
	if len(rest) == 0 || f.fp%8 != 0 {
		return false
	}
	ra, ok := u.live.word(f.fp + 8)
	return ok && ra == rest[0]
}

// interpret reports whether one of the frames at these return addresses is the interpreter's.
func (u *Unwinder) interpret(chain []uint64) bool {
	return slices.ContainsFunc(chain, func(ra uint64) bool {
		code, _ := u.Code.Lookup(ra - 1)
		return code.Kind == Interpreter
	})
}

// follows reports whether all addresses of chain are in walked, in their order.
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
