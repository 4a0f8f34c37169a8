package codemap

import (
	"sort"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// find is the interval in force, or the next one if nothing is and the next one comes soon. The
// caller holds the lock.
func (m *Map) find(t jvmlog.MonoTime, addr uint64) (v *interval, early bool) {
	if v = m.pages.at(t, addr); v != nil {
		return v, false
	}
	v = m.pages.next(t, addr)
	if v == nil || !v.replayed && v.from-t > jvmlog.MonoTime(m.settings.GapLimit) {
		return nil, false
	}
	return v, true
}

// ResolveStack appends the frames of a stack at time t to dst. Its addresses come leaf first: an
// interrupted instruction, then return addresses. The frames of each come innermost first: inlined
// methods, then the compiled method itself. Each address has at least one frame. It is of kind
// Unknown if no record covers the address. To ends it appends the length of dst behind the frames
// of each address.
func (m *Map) ResolveStack(t jvmlog.MonoTime, addrs []uint64, dst []Frame, ends []int) ([]Frame, []int) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	m.recent.mu.Lock()
	defer m.recent.mu.Unlock()
	for i, addr := range addrs {
		dst = m.resolve(t, addr, i == 0, dst)
		ends = append(ends, len(dst))
	}
	return dst, ends
}

// resolve appends the frames that stood at an address. leaf says that it is of an interrupted
// instruction. The last frame of dst, if any, is taken for the callee's. The caller holds both
// locks.
func (m *Map) resolve(t jvmlog.MonoTime, addr uint64, leaf bool, dst []Frame) []Frame {
	inside, afterLeaf := addr, false
	if !leaf {
		inside-- // a call may be the last instruction of its code
	}
	if inside < m.low || inside >= m.high { // native code, which every stack ends in
		return append(dst, Frame{Addr: addr})
	}
	if !leaf {
		afterLeaf = afterLeafCall(dst)
		if out, ok := m.recent.frames(t, addr, afterLeaf, dst); ok {
			if out[len(dst)].Repaired {
				m.counts.repaired.Add(1)
			}
			return out
		}
	}
	v, early := m.find(t, inside)
	if v == nil {
		m.countUnknown(t, inside)
		return append(dst, Frame{Addr: addr})
	}
	if early {
		m.counts.early.Add(1)
	}
	var out []Frame
	switch {
	case v.code != nil:
		out = m.resolveJava(v, addr, early, call{leaf, afterLeaf}, dst)
	case v.interpreter():
		out = append(dst, Frame{Kind: Interpreted, Addr: addr, Early: early})
	default:
		out = append(dst, Frame{Kind: Stub, Method: v.name, Addr: addr, Early: early})
	}
	if !leaf && !early {
		m.recent.remember(v, addr, afterLeaf, out[len(dst):])
	}
	return out
}

// countUnknown counts an address without code, if it lies where code should be.
func (m *Map) countUnknown(t jvmlog.MonoTime, addr uint64) {
	for _, h := range m.heaps {
		if addr < h.Low || addr >= h.High {
			continue
		}
		if t < m.watermark {
			m.counts.unknownCode.Add(1)
		} else {
			m.counts.pendingCode.Add(1)
		}
		return
	}
}

// call says how an address came to be in a stack.
type call struct {
	leaf      bool // it is the interrupted instruction's
	afterLeaf bool // it is a return address behind a call that is no safepoint
}

// resolveJava names an address of an nmethod by its region, or by the method alone where no region
// is known.
func (m *Map) resolveJava(v *interval, addr uint64, early bool, by call, dst []Frame) []Frame {
	code := v.code
	frame := Frame{Kind: Java, Level: code.level, Early: early, Addr: addr}
	var t *table
	if code.small() {
		t = spareTables.Get().(*table)
		defer spareTables.Put(t)
		t.unpack(code.packed)
	} else {
		t = m.tables.of(code)
	}
	offset := uint32(addr - v.start)
	i := regionAt(t.regions, offset, by.leaf)
	if i < 0 {
		return append(dst, m.named(frame, code.method, -1))
	}
	at := t.regions[i].chain
	if safepoint := !by.leaf && t.regions[i].end == offset && !by.afterLeaf; !safepoint {
		at = t.regions[m.believed(code, t, i, offset)].chain
	}
	if at != t.regions[i].chain {
		frame.Repaired = true
		m.counts.repaired.Add(1)
	}
	if at == noLink {
		return append(dst, m.named(frame, code.method, -1))
	}
	for at != noLink {
		l := t.links[at]
		frame.Inlined = l.outer != noLink
		dst = append(dst, m.named(frame, l.method, l.bci))
		at = l.outer
	}
	return dst
}

// regionAt is the index of the region that an offset lies in; -1 behind the last. A region ends
// before its end for an interrupted instruction; a return address equal to it belongs to the call
// that ends there.
func regionAt(regions []region, offset uint32, leaf bool) int {
	i := sort.Search(len(regions), func(i int) bool {
		if leaf {
			return regions[i].end > offset
		}
		return regions[i].end >= offset
	})
	if i == len(regions) {
		return -1
	}
	return i
}

// named fills in names and line.
func (m *Map) named(f Frame, id jvmlog.MethodID, bci int32) Frame {
	method, ok := m.methods.byID[id]
	if !ok {
		m.counts.unknownMethods.Add(1)
		return f
	}
	return m.methods.name(f, method, bci)
}

// Method fills in names, loader and the line of a bytecode, -1 for none, of a method by its number.
// false: it is not known, or had to make room.
func (m *Map) Method(id jvmlog.MethodID, bci int32, f Frame) (Frame, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	method, ok := m.methods.byID[id]
	if !ok {
		return f, false
	}
	return m.methods.name(f, method, bci), true
}

// Knows reports whether a method is known by its number.
func (m *Map) Knows(id jvmlog.MethodID) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	_, ok := m.methods.byID[id]
	return ok
}
