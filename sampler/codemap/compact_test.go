package codemap

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/sampler/jvmlog"
)

func TestCompactKeepsEveryChainOnce(t *testing.T) {
	a, b, c := jvmlog.CodeFrame{Method: 3, BCI: 5}, jvmlog.CodeFrame{Method: 3, BCI: 7}, jvmlog.CodeFrame{Method: 11, BCI: -1}
	r := &jvmlog.CodeLoad{
		Address: 0x1000, Size: 64, Method: 11,
		PCs: []jvmlog.PCRegion{
			{End: 4, First: 0, Count: 2}, {End: 8, First: 2, Count: 2}, {End: 12, First: 4, Count: 2}, {End: 16, First: 6, Count: 1},
			{End: 20, First: 7, Count: 0}, {End: 24, First: 7, Count: 2},
		},
		Frames: []jvmlog.CodeFrame{a, c, b, c, a, c, c, b, c},
	}
	before := *r
	got := compact(r)
	assert.Equal(t, before, *r, "the record is the caller's")
	assert.Equal(t, []jvmlog.CodeFrame{a, c, b, c, c}, got.Frames)
	assert.Equal(t, []jvmlog.PCRegion{
		{End: 4, First: 0, Count: 2}, {End: 8, First: 2, Count: 2}, {End: 12, First: 0, Count: 2}, {End: 16, First: 4, Count: 1},
		{End: 20, First: 0, Count: 0}, {End: 24, First: 2, Count: 2},
	}, got.PCs)
	for i := range r.PCs {
		assert.Equal(t, chainOf(r, i), chainOf(got, i), "region %d", i)
	}
	assert.Equal(t, jvmlog.MethodID(11), got.Method)
}

func TestCompactLeavesWhatHasNoCopies(t *testing.T) {
	r := &jvmlog.CodeLoad{
		PCs:    []jvmlog.PCRegion{{End: 4, First: 0, Count: 1}, {End: 8, First: 1, Count: 1}},
		Frames: []jvmlog.CodeFrame{{Method: 3, BCI: 5}, {Method: 3, BCI: 9}},
	}
	assert.Same(t, r, compact(r))
	none := &jvmlog.CodeLoad{}
	assert.Same(t, none, compact(none))
}

// Regions whose chain does not lie within the frames have none, before and after.
func TestCompactOfChainsOutOfRange(t *testing.T) {
	r := &jvmlog.CodeLoad{
		PCs:    []jvmlog.PCRegion{{End: 4, First: 0, Count: 1}, {End: 8, First: 1, Count: 9}, {End: 12, First: 0, Count: 1}},
		Frames: []jvmlog.CodeFrame{{Method: 3, BCI: 5}, {Method: 3, BCI: 9}},
	}
	got := compact(r)
	assert.Equal(t, []jvmlog.PCRegion{{End: 4, First: 0, Count: 1}, {End: 8, First: 0, Count: 0}, {End: 12, First: 0, Count: 1}}, got.PCs)
	assert.Empty(t, chainOf(r, 1))
	assert.Empty(t, chainOf(got, 1))
}
