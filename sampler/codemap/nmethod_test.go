package codemap

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// chainAt is the chain of a region as the record had it.
func (t *table) chainAt(i int) []jvmlog.CodeFrame {
	var out []jvmlog.CodeFrame
	for at := t.regions[i].chain; at != noLink; at = t.links[at].outer {
		out = append(out, jvmlog.CodeFrame{Method: t.links[at].method, BCI: t.links[at].bci})
	}
	return out
}

func TestNMethodKeepsEveryChainOnce(t *testing.T) {
	a, b := jvmlog.CodeFrame{Method: 3, BCI: 5}, jvmlog.CodeFrame{Method: 3, BCI: 7}
	root, later := jvmlog.CodeFrame{Method: 11, BCI: 13}, jvmlog.CodeFrame{Method: 11, BCI: 17}
	r := &jvmlog.CodeLoad{
		Address: 0x1000, Size: 64, Method: 11, Level: 4, Flags: jvmlog.CodeInlines, CompileID: 19, FrameBytes: 48, FrameComplete: 23,
		PCs: []jvmlog.PCRegion{
			{End: 4, First: 0, Count: 2}, {End: 8, First: 2, Count: 2}, {End: 12, First: 4, Count: 2}, {End: 16, First: 6, Count: 1},
			{End: 20, First: 7, Count: 0}, {End: 24, First: 7, Count: 2}, {End: 28, First: 8, Count: 9},
		},
		Frames: []jvmlog.CodeFrame{a, root, b, root, a, root, root, a, later},
	}
	n := newNMethod(r)
	kept := unpack(n.packed)
	want := [][]jvmlog.CodeFrame{{a, root}, {b, root}, {a, root}, {root}, nil, {a, later}, nil}
	for i := range want {
		assert.Equal(t, want[i], kept.chainAt(i), "region %d", i)
		assert.Equal(t, r.PCs[i].End, kept.regions[i].end)
	}
	assert.Len(t, kept.links, 5, "root, a and b in it, later, a in that")
	assert.Equal(t, kept.regions[0].chain, kept.regions[2].chain)
	n.packed = nil
	assert.Equal(t, &nmethod{method: 11, level: 4, flags: jvmlog.CodeInlines, compileID: 19, regions: 7}, n)
}

// Regions may overlap in a record that no agent writes: k chains of 1 to k frames, with k(k+1)/2
// links.
func TestOverlappingChainsAreRefused(t *testing.T) {
	r := &jvmlog.CodeLoad{Address: 0x1000, Size: 64, Method: 11, Level: 4}
	for i := range uint32(8) {
		r.Frames = append(r.Frames, jvmlog.CodeFrame{Method: jvmlog.MethodID(i + 3), BCI: 5})
		r.PCs = append(r.PCs, jvmlog.PCRegion{End: i + 1, First: 0, Count: i + 1})
	}
	m := New(Settings{})
	m.Apply(1, r)
	assert.Equal(t, uint64(1), m.Stats().Refused)
	assert.Equal(t, 1, m.Stats().Intervals)
	kept := unpack(newNMethod(r).packed)
	assert.Equal(t, []jvmlog.CodeFrame{r.Frames[0], r.Frames[1]}, kept.chainAt(1))
	assert.Empty(t, kept.chainAt(7), "no room")
	assert.LessOrEqual(t, len(kept.links), 8)

	r.Frames, r.PCs = r.Frames[:2], r.PCs[:0]
	for i := range uint32(1000) { // the same chains again and again
		r.PCs = append(r.PCs, jvmlog.PCRegion{End: i + 1, First: 0, Count: 1 + i%2})
	}
	assert.True(t, newNMethod(r).refused)
}

// What one record left in the shared table is not seen by the next.
func TestNMethodsDoNotMeet(t *testing.T) {
	of := func(f jvmlog.CodeFrame) *nmethod {
		return newNMethod(&jvmlog.CodeLoad{PCs: []jvmlog.PCRegion{{End: 4, Count: 1}}, Frames: []jvmlog.CodeFrame{f}})
	}
	first, second := of(jvmlog.CodeFrame{Method: 3, BCI: 5}), of(jvmlog.CodeFrame{Method: 7, BCI: 9})
	assert.Equal(t, []link{{method: 3, bci: 5, outer: noLink}}, unpack(first.packed).links)
	assert.Equal(t, []link{{method: 7, bci: 9, outer: noLink}}, unpack(second.packed).links)
}

// Whatever numbers a record has come out of the packed form again.
func TestPackedTables(t *testing.T) {
	links := []link{
		{method: 3, bci: -1, outer: noLink}, {method: 1<<63 + 5, bci: 7, outer: 0}, {method: 2, bci: math.MaxInt32, outer: 1},
		{method: math.MaxUint64, bci: math.MinInt32, outer: 0},
	}
	regions := []region{{end: 0, chain: noLink}, {end: 8, chain: 3}, {end: 8, chain: 0}, {end: math.MaxUint32, chain: 2}}
	proofs := []proof{{end: 3, region: 2}, {end: 7, region: 0}, {end: math.MaxUint32, region: math.MaxUint32}}
	got := unpack(pack(nil, regions, links, proofs))
	assert.Equal(t, links, got.links)
	assert.Equal(t, regions, got.regions)
	assert.Equal(t, proofs, got.proofs)
	assert.Empty(t, unpack(pack(nil, nil, nil, nil)).regions)
	var methods []jvmlog.MethodID
	packedMethods(pack(nil, regions, links, proofs), func(id jvmlog.MethodID) { methods = append(methods, id) })
	assert.Equal(t, []jvmlog.MethodID{3, 1<<63 + 5, 2, math.MaxUint64}, methods)
	packedMethods(pack(nil, nil, nil, nil), func(jvmlog.MethodID) { t.Error("there is none") })
}

func TestTablesAreBounded(t *testing.T) {
	var c tables
	met := newNMethod(&jvmlog.CodeLoad{PCs: make([]jvmlog.PCRegion, 3)})
	often := c.of(met)
	large := func() *nmethod {
		return newNMethod(&jvmlog.CodeLoad{PCs: make([]jvmlog.PCRegion, mostTableBytes/12/5)})
	}
	for range 40 {
		require.Len(t, c.of(large()).regions, mostTableBytes/12/5)
		require.Same(t, often, c.of(met), "what samples meet stays")
		require.LessOrEqual(t, c.bytes, mostTableBytes)
		require.LessOrEqual(t, len(c.young)+len(c.older), 10)
	}
	for range 10 {
		c.of(large())
	}
	require.NotSame(t, often, c.of(met))
}
