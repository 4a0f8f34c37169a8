package codemap

import (
	"slices"
	"sync"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// nmethod is what is kept of a CODE_LOAD record. Immutable. Its chains of bytecodes are a tree: the agent writes the chain of each region
// whole, as JVMTI gives it, but neighbours, and the copies of unrolled loops, have the same, and all others end alike, in the compiled
// method. As written they would be most of what a Map holds.
type nmethod struct {
	method        jvmlog.MethodID
	level         jvmlog.CompileLevel
	flags         jvmlog.CodeFlags
	compileID     uint32
	frameBytes    uint32
	frameComplete uint32
	regions       []region // ascending by end
	links         []link
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

// newNMethod copies what is needed out of a record. A region whose frames do not lie within the record's has no chain.
func newNMethod(r *jvmlog.CodeLoad) *nmethod {
	n := &nmethod{
		method: r.Method, level: r.Level, flags: r.Flags, compileID: r.CompileID, frameBytes: r.FrameBytes, frameComplete: r.FrameComplete,
		regions: make([]region, len(r.PCs)),
	}
	t := linkTables.Get().(*linkTable)
	for i, p := range r.PCs {
		n.regions[i] = region{end: p.End, chain: t.add(chainOf(r, p))}
	}
	n.links = slices.Clone(t.links)
	t.links = t.links[:0]
	clear(t.at)
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
	at    map[link]uint32 // :: link → its index
}

// linkTables are used again: an nmethod has up to some thousand links.
var linkTables = sync.Pool{New: func() any { return &linkTable{at: map[link]uint32{}} }}

// add returns the innermost link of a chain, innermost first; noLink for an empty one.
func (t *linkTable) add(chain []jvmlog.CodeFrame) uint32 {
	at := noLink
	for _, f := range slices.Backward(chain) {
		l := link{method: f.Method, bci: f.BCI, outer: at}
		known, ok := t.at[l]
		if !ok {
			known = uint32(len(t.links))
			t.links = append(t.links, l)
			t.at[l] = known
		}
		at = known
	}
	return at
}

// size estimates the memory that n holds, and what judging it will add.
func (n *nmethod) size() int {
	const fixed, perRegion, perLink = 100, 8 + 4, 16
	return fixed + perRegion*len(n.regions) + perLink*len(n.links)
}

// same tells whether other, at the same addresses, is the very code of n again, and says no more of it.
func (n *nmethod) same(other *nmethod) bool {
	return n.method == other.method && n.compileID == other.compileID && len(n.regions) >= len(other.regions)
}
