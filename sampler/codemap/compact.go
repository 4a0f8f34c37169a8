package codemap

import (
	"slices"
	"sync"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// compact is r with each chain of bytecodes once. The agent writes a chain for each region, as JVMTI gives them, and neighbours, and the
// copies of unrolled loops, have the same: they are most of what a Map holds. r is not changed.
func compact(r *jvmlog.CodeLoad) *jvmlog.CodeLoad {
	if len(r.PCs) < 2 {
		return r
	}
	t := chainTables.Get().(*chainTable)
	defer t.giveBack()
	regions := slices.Clone(r.PCs)
	for i := range regions {
		chain := chainOf(r, i)
		regions[i].First, regions[i].Count = t.first(chain), uint32(len(chain))
	}
	if len(t.frames) == len(r.Frames) {
		return r
	}
	small := *r
	small.PCs, small.Frames = regions, slices.Clone(t.frames)
	return &small
}

// chainTable holds the chains of one nmethod, end to end.
type chainTable struct {
	frames []jvmlog.CodeFrame
	at     map[uint64][]stretch // :: hash of a chain → where chains of that hash stand
}

// stretch is frames[first:end].
type stretch struct{ first, end uint32 }

// chainTables are used again: an nmethod has up to some thousand chains.
var chainTables = sync.Pool{New: func() any { return &chainTable{at: map[uint64][]stretch{}} }}

func (t *chainTable) giveBack() {
	t.frames = t.frames[:0]
	clear(t.at)
	chainTables.Put(t)
}

// first is the index of the first frame of a chain, which is added unless it is there.
func (t *chainTable) first(chain []jvmlog.CodeFrame) uint32 {
	if len(chain) == 0 {
		return 0
	}
	h := hashOf(chain)
	for _, s := range t.at[h] {
		if slices.Equal(t.frames[s.first:s.end], chain) {
			return s.first
		}
	}
	s := stretch{first: uint32(len(t.frames)), end: uint32(len(t.frames) + len(chain))}
	t.frames = append(t.frames, chain...)
	t.at[h] = append(t.at[h], s)
	return s.first
}

// hashOf is FNV-1a over words.
func hashOf(chain []jvmlog.CodeFrame) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, f := range chain {
		h = (h ^ uint64(f.Method)) * prime
		h = (h ^ uint64(uint32(f.BCI))) * prime
	}
	return h
}
