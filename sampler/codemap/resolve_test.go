package codemap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// resolveOne is ResolveStack of one address, which is a leaf or not. The last frame of dst, if any,
// is its callee's.
func (m *Map) resolveOne(t jvmlog.MonoTime, addr uint64, leaf bool, dst []Frame) []Frame {
	m.mu.RLock()
	defer m.mu.RUnlock()
	m.recent.mu.Lock()
	defer m.recent.mu.Unlock()
	return m.resolve(t, addr, leaf, dst)
}

// inlined is method 1 at 0x1000, into which 2 and 3 are inlined:
//
//	offset 0 … 8    a@-1
//	       8 … 24   b@9 < a@25     (ends with a call: return address 24)
//	      24 … 40   c@3 < b@21 < a@0
//	      40 … 64   nothing known
func inlined() *jvmlog.CodeLoad {
	return &jvmlog.CodeLoad{
		Address: 0x1000, Size: 64, Level: 4, Method: 1, FrameBytes: 48, FrameComplete: 7, CompileID: 5, Flags: jvmlog.CodeInlines,
		PCs:    []jvmlog.PCRegion{{End: 8, First: 0, Count: 1}, {End: 24, First: 1, Count: 2}, {End: 40, First: 3, Count: 3}},
		Frames: []jvmlog.CodeFrame{{Method: 1, BCI: -1}, {Method: 2, BCI: 9}, {Method: 1, BCI: 25}, {Method: 3, BCI: 3}, {Method: 2, BCI: 21}, {Method: 1, BCI: 0}},
	}
}

func TestResolve(t *testing.T) {
	m := New(Settings{})
	apply(m, names())
	m.Apply(1, inlined())
	a := func(line int) Frame {
		return Frame{Kind: Java, Class: "Ca", Method: "a", File: "a.java", Line: line, Loader: 101, Level: 4}
	}
	b := func(line int) Frame {
		return Frame{Kind: Java, Class: "Cb", Method: "b", File: "b.java", Line: line, Loader: 102, Level: 4, Inlined: true}
	}
	c := Frame{Kind: Java, Class: "Cc", Method: "c", File: "c.java", Line: 30, Loader: 103, Level: 4, Inlined: true}
	inB, inC := []Frame{b(21), a(12)}, []Frame{c, b(22), a(10)}
	for _, x := range []struct {
		name   string
		offset uint64
		leaf   bool
		want   []Frame
	}{
		{"prologue: no bytecode", 0, true, []Frame{a(0)}},
		{"last byte of a region", 7, true, []Frame{a(0)}},
		{"an interrupt at the end of a region is in the next", 8, true, inB},
		{"a return address at the end is of the call before it", 8, false, []Frame{a(0)}},
		{"inside", 20, true, inB},
		{"behind the call", 24, false, inB},
		{"interrupted behind the call", 24, true, inC},
		{"two inlined", 39, true, inC},
		{"behind the last region", 40, true, []Frame{a(0)}},
		{"return address at the last region's end", 40, false, inC},
		{"return address at the code's end", 64, false, []Frame{a(0)}},
		{"interrupted at the code's end", 64, true, []Frame{{}}},
	} {
		t.Run(x.name, func(t *testing.T) {
			for i := range x.want {
				x.want[i].Addr = 0x1000 + x.offset
			}
			before := Frame{Method: "kept"}
			got := m.resolveOne(2, 0x1000+x.offset, x.leaf, []Frame{before})
			require.Equal(t, append([]Frame{before}, x.want...), got)
			for i := range x.want {
				x.want[i].Addr = 0
			}
		})
	}
}

func TestLine(t *testing.T) {
	packed := string(packLines(nil, []jvmlog.LineEntry{{StartBCI: 4, Line: 50}, {StartBCI: 4, Line: 51}, {StartBCI: 9, Line: 49}}))
	for bci, want := range map[int32]int{-1: 0, 0: 0, 3: 0, 4: 51, 8: 51, 9: 49, 60000: 49} {
		require.Equal(t, want, lineOf(packed, bci), "bci %d", bci)
	}
	require.Zero(t, lineOf("", 7))
}
