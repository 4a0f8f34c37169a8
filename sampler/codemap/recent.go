package codemap

import (
	"sync"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// recent remembers the frames at return addresses. A warm thread has a few hundred, which come back
// in sample after sample. Looking one up takes a search for its interval, its region and a method
// for each frame. Frames without a name are not remembered. An answer holds while its interval is
// in force, for what is loaded over it ends it. But stubs may lie within stubs, so a new one makes
// all be forgotten. Each address has two places. It has a lock of its own: a Map is resolved under
// its lock for reading.
type recent struct {
	mu    sync.Mutex
	slots [recentSlots][2]remembered // by address; the younger one first
	drops uint64
}

// recentSlots is a power of two: some hundred KiB a JVM.
const (
	recentBits  = 9
	recentSlots = 1 << recentBits
)

// remembered is an answer; it holds while v is in force.
type remembered struct {
	addr      uint64
	afterLeaf bool
	v         *interval // nil: nothing is remembered
	frames    []Frame
}

func (r *recent) slot(addr uint64) *[2]remembered {
	return &r.slots[addr*0x9e3779b97f4a7c15>>(64-recentBits)]
}

// frames appends what is remembered of a return address at time t; ok is false where that is
// nothing. The caller holds mu, and the map's lock for reading.
func (r *recent) frames(t jvmlog.MonoTime, addr uint64, afterLeaf bool, dst []Frame) (out []Frame, ok bool) {
	both := r.slot(addr)
	for i := range both {
		s := &both[i]
		if s.v != nil && s.addr == addr && s.afterLeaf == afterLeaf && t >= s.v.from && t < s.v.until {
			return append(dst, s.frames...), true
		}
	}
	return dst, false
}

// remember keeps the frames of a return address, unless one has no name yet. The caller holds mu,
// and the map's lock for reading.
func (r *recent) remember(v *interval, addr uint64, afterLeaf bool, frames []Frame) {
	for i := range frames {
		if frames[i].Kind == Java && frames[i].Class == "" {
			return
		}
	}
	s := r.slot(addr)
	s[0], s[1] = s[1], s[0]
	s[0] = remembered{addr: addr, afterLeaf: afterLeaf, v: v, frames: append(s[0].frames[:0], frames...)}
}

// dropped says that an interval was dropped from the map. What is remembered of it is not asked for
// any more, as it has ended; now and then everything is forgotten, so that dead code is not kept
// for long.
func (r *recent) dropped() {
	const often = 256
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.drops++; r.drops%often == 0 {
		clear(r.slots[:])
	}
}

// forget lets go of everything.
func (r *recent) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.slots[:])
}
