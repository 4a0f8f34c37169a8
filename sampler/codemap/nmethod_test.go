package codemap

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// chainAt is the chain of a region as the record had it.
func (n *nmethod) chainAt(i int) []jvmlog.CodeFrame {
	var out []jvmlog.CodeFrame
	for at := n.regions[i].chain; at != noLink; at = n.links[at].outer {
		out = append(out, jvmlog.CodeFrame{Method: n.links[at].method, BCI: n.links[at].bci})
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
	want := [][]jvmlog.CodeFrame{{a, root}, {b, root}, {a, root}, {root}, nil, {a, later}, nil}
	for i := range want {
		assert.Equal(t, want[i], n.chainAt(i), "region %d", i)
		assert.Equal(t, r.PCs[i].End, n.regions[i].end)
	}
	assert.Len(t, n.links, 5, "root, a and b in it, later, a in that")
	assert.Equal(t, n.regions[0].chain, n.regions[2].chain)
	n.regions, n.links = nil, nil
	assert.Equal(t, nmethod{method: 11, level: 4, flags: jvmlog.CodeInlines, compileID: 19, frameBytes: 48, frameComplete: 23}, *n)
}

// What one record left in the shared table is not seen by the next.
func TestNMethodsDoNotMeet(t *testing.T) {
	of := func(f jvmlog.CodeFrame) *nmethod {
		return newNMethod(&jvmlog.CodeLoad{PCs: []jvmlog.PCRegion{{End: 4, Count: 1}}, Frames: []jvmlog.CodeFrame{f}})
	}
	first, second := of(jvmlog.CodeFrame{Method: 3, BCI: 5}), of(jvmlog.CodeFrame{Method: 7, BCI: 9})
	assert.Equal(t, []link{{method: 3, bci: 5, outer: noLink}}, first.links)
	assert.Equal(t, []link{{method: 7, bci: 9, outer: noLink}}, second.links)
}
