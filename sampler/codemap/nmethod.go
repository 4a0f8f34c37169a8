package codemap

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// nmethod is what is kept of a CODE_LOAD record. Immutable. Its chains of bytecodes are a tree. The
// agent writes the chain of each region whole, as JVMTI gives it. But neighbors, and the copies of
// unrolled loops, have the same chain, and all others end alike, in the compiled method. As written
// they would be most of what a Map holds. Most nmethods never get a sample, so the tree is kept
// packed (packed.go).
type nmethod struct {
	method    jvmlog.MethodID
	level     jvmlog.CompileLevel
	flags     jvmlog.CodeFlags
	compileID uint32
	regions   uint32        // how many packed has
	proofs    uint32        // the same
	verdict   atomic.Uint32 // of its debug info, see Map.trusted
	packed    []byte
	refused   bool // the chains of some regions overlap
}

// region is up to end, an offset from the nmethod's start, what a chain says.
type region struct {
	end   uint32
	chain uint32 // its innermost frame: an index of links; noLink: nothing is said
}

// link is a frame of some chains.
type link struct {
	method jvmlog.MethodID
	bci    int32
	outer  uint32 // the frame that it is inlined into; noLink: it is the compiled method's
}

// noLink is no index of links.
const noLink = ^uint32(0)

// newNMethod copies what is needed out of a record. A region whose frames do not lie within the
// record's has no chain. The agent writes a chain once. If chains overlap, so that they have more
// frames than the table has room for, the regions of those that are left over have none either.
func newNMethod(r *jvmlog.CodeLoad) *nmethod {
	t := linkTables.Get().(*linkTable)
	t.start(len(r.Frames))
	t.regions = t.regions[:0]
	for _, p := range r.PCs {
		t.regions = append(t.regions, region{end: p.End, chain: t.chain(r, p)})
	}
	t.proofs = appendProofs(t.proofs[:0], t.regions, r.Proofs)
	t.packed = pack(t.packed[:0], t.regions, t.links, t.proofs)
	n := &nmethod{
		method: r.Method, level: r.Level, flags: r.Flags, compileID: r.CompileID,
		regions: uint32(len(t.regions)), proofs: uint32(len(t.proofs)), packed: slices.Clone(t.packed), refused: t.refused,
	}
	linkTables.Put(t)
	return n
}

// chainOf is the chain of a region, innermost first; empty where its indices are out of range.
func chainOf(r *jvmlog.CodeLoad, p jvmlog.PCRegion) []jvmlog.CodeFrame {
	first, end := uint64(p.First), uint64(p.First)+uint64(p.Count)
	if end > uint64(len(r.Frames)) {
		return nil
	}
	return r.Frames[first:end]
}

// linkTable is where the links of one nmethod are collected.
type linkTable struct {
	links []link
	cells []uint32 // open addressing: index of links + 1, 0 for none; a power of two, half full at most
	room  int      // frames of chains that may still be added
	begin []uint32 // :: first frame → how many frames the last chain had that began there; 0: none did
	ends  []uint32 // :: first frame → that chain

	refused bool // of the nmethod at hand, as the following
	regions []region
	proofs  []proof
	packed  []byte
}

// linkTables are used again: an nmethod has up to some thousand links.
var linkTables = sync.Pool{New: func() any { return &linkTable{} }}

// start empties the table for a record of so many frames.
func (t *linkTable) start(frames int) {
	t.links = t.links[:0]
	size := 16
	for size < 2*frames {
		size *= 2
	}
	t.cells, t.room, t.refused = emptied(t.cells, size), size/2, false
	t.begin, t.ends = emptied(t.begin, frames), emptied(t.ends, frames)
}

// emptied is n zeroes, in s's memory where that suffices.
func emptied[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// chain returns the innermost link of a region's chain; noLink for an empty one and for one that
// finds no room. The agent, too, writes many chains once.
func (t *linkTable) chain(r *jvmlog.CodeLoad, p jvmlog.PCRegion) uint32 {
	frames := chainOf(r, p)
	if len(frames) == 0 {
		return noLink
	}
	if t.begin[p.First] != p.Count {
		if len(frames) > t.room {
			t.refused = true
			return noLink
		}
		t.room -= len(frames)
		t.begin[p.First], t.ends[p.First] = p.Count, t.add(frames)
	}
	return t.ends[p.First]
}

// add returns the innermost link of a chain, innermost first.
func (t *linkTable) add(chain []jvmlog.CodeFrame) uint32 {
	at := noLink
	for _, f := range slices.Backward(chain) {
		at = t.link(link{method: f.Method, bci: f.BCI, outer: at})
	}
	return at
}

// link is the index of a link, which is added unless it is there.
func (t *linkTable) link(l link) uint32 {
	h := (uint64(l.method)*0x9e3779b97f4a7c15 ^ uint64(uint32(l.bci)) ^ uint64(l.outer)<<32) * 0xff51afd7ed558ccd
	mask := uint64(len(t.cells) - 1)
	for i := h >> 32 & mask; ; i = (i + 1) & mask {
		switch known := t.cells[i]; {
		case known == 0:
			t.links = append(t.links, l)
			t.cells[i] = uint32(len(t.links))
			return uint32(len(t.links)) - 1
		case t.links[known-1] == l:
			return known - 1
		}
	}
}

// size estimates the memory that n holds.
func (n *nmethod) size() int {
	const fixed = 76
	return fixed + cap(n.packed)
}

// same reports whether other, at the same addresses, is the very code of n again, and says no more
// of it.
func (n *nmethod) same(other *nmethod) bool {
	return n.method == other.method && n.compileID == other.compileID && n.regions >= other.regions && n.proofs >= other.proofs
}
