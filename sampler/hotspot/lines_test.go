package hotspot

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// Written by hand from compressedStream.hpp of JDK 17 and unsigned5.hpp of JDK 25.
func TestUnsigned5(t *testing.T) {
	for _, x := range []struct {
		feature uint32
		bytes   []byte
		want    uint32
	}{
		{17, []byte{0}, 0},
		{17, []byte{191}, 191},
		{17, []byte{192, 0}, 192},
		{17, []byte{193, 2}, 193 + 2*64},
		{17, []byte{255, 191}, 255 + 191*64},
		{25, []byte{1}, 0},
		{25, []byte{191}, 190},
		{25, []byte{192, 1}, 191},
		{25, []byte{193, 3}, 192 + 2*64},
	} {
		got, n := codingOf(x.feature).read(append(x.bytes, 77))
		assert.Equal(t, x.want, got, "JDK %d, % x", x.feature, x.bytes)
		assert.Equal(t, len(x.bytes), n)
	}
	for feature, b := range map[uint32][]byte{17: {192}, 25: {0, 1}, 21: {200, 200, 200, 200}, 22: {200, 0}} {
		_, n := codingOf(feature).read(b)
		assert.Zero(t, n, "JDK %d, % x", feature, b)
	}
	for _, feature := range []uint32{17, 25} {
		for _, v := range []uint32{0, 1, 190, 191, 192, 193, 12479, 12480, 1 << 20, 1<<31 - 1, math.MaxUint32} {
			c := codingOf(feature)
			got, n := c.read(c.append(nil, v))
			assert.Equal(t, v, got)
			assert.Len(t, c.append(nil, v), n)
		}
	}
}

func TestSigned(t *testing.T) {
	for v, want := range map[uint32]int32{0: 0, 1: -1, 2: 1, 3: -2, 4: 2, 582: 291} {
		assert.Equal(t, want, signed(v))
	}
}

func TestDecodeLines(t *testing.T) {
	lines := func(pairs ...uint32) (out []jvmlog.LineEntry) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, jvmlog.LineEntry{StartBCI: pairs[i], Line: pairs[i+1]})
		}
		return out
	}
	for _, x := range []struct {
		name    string
		feature uint32
		bytes   []byte
		want    []jvmlog.LineEntry
		err     string
	}{
		{"nothing", 17, []byte{0}, nil, ""},
		{"short ones", 17, []byte{7, 5<<3 | 2, 0, 99}, lines(0, 7, 5, 9), ""},
		{"a long one", 17, []byte{7, 0xff, 24, 2, 0}, lines(0, 7, 12, 8), ""},
		{"the same bytes since JDK 20", 25, []byte{7, 0xff, 25, 3, 0}, lines(0, 7, 12, 8), ""},
		{"back in the source, as loops go", 17, []byte{0xff, 0, 40, 0xff, 6, 5, 0}, lines(0, 20, 3, 17), ""},
		{"back in the code", 17, []byte{0xff, 20, 40, 0xff, 9, 2, 0}, lines(5, 21, 10, 20), ""},
		{"of two at one bytecode the last in the table counts", 17, []byte{7, 3, 0}, lines(0, 7, 0, 10), ""},
		{"no end", 17, []byte{7, 9}, nil, "no end within 2 bytes"},
		{"no bytes", 17, nil, nil, "no end within 0 bytes"},
		{"half a number", 17, []byte{0xff, 200}, nil, "number at byte 1 of 2"},
		{"an excluded byte", 25, []byte{0xff, 0, 1}, nil, "number at byte 1 of 3"},
		{"beyond the code", 17, []byte{31 << 3, 31 << 3, 31 << 3, 31 << 3, 0}, nil, "bytecode 124 of 100, line 0"},
		{"before the code", 17, []byte{0xff, 1, 2, 0}, nil, "bytecode -1 of 100, line 1"},
		{"a line below 0", 17, []byte{0xff, 2, 1, 0}, nil, "bytecode 1 of 100, line -1"},
	} {
		t.Run(x.name, func(t *testing.T) {
			got, err := decodeLines(x.bytes, x.feature, 100)
			if x.err != "" {
				require.ErrorIs(t, err, errLines)
				require.ErrorContains(t, err, x.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, x.want, got)
		})
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte{7, 5<<3 | 2, 0xff, 24, 2, 0}, uint32(17), uint32(100))
	f.Add([]byte{7, 0xff, 25, 3, 0}, uint32(25), uint32(65535))
	f.Fuzz(func(t *testing.T, b []byte, feature, code uint32) {
		lines, err := decodeLines(b, feature, code)
		if err != nil && lines != nil {
			t.Fatal("lines and an error")
		}
		if len(lines) > len(b) {
			t.Fatalf("%d lines of %d bytes", len(lines), len(b))
		}
		for i, l := range lines {
			if l.StartBCI >= code || l.Line > 65535 || i > 0 && l.StartBCI < lines[i-1].StartBCI {
				t.Fatalf("line %d: %+v of %d bytes of code", i, l, code)
			}
		}
	})
}
