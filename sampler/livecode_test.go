package sampler

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/unwind"
)

func TestLiveCode(t *testing.T) {
	type found struct {
		start  uint64
		kind   unwind.Kind
		method uint64
	}
	load := func(at uint64, size uint32, method jvmlog.MethodID) *jvmlog.CodeLoad {
		return &jvmlog.CodeLoad{Address: at, Size: size, Method: method, Level: 4, FrameBytes: 32, FrameComplete: 8}
	}
	cases := map[string]struct {
		records []jvmlog.Record
		at      uint64
		want    found
		none    bool
	}{
		"a method":                     {[]jvmlog.Record{load(0x10000, 0x100, 3)}, 0x100ff, found{0x10000, unwind.Compiled, 3}, false},
		"behind a method":              {[]jvmlog.Record{load(0x10000, 0x100, 3)}, 0x10100, found{}, true},
		"a method over several pages":  {[]jvmlog.Record{load(0x10f00, 0x5000, 3)}, 0x15eff, found{0x10f00, unwind.Compiled, 3}, false},
		"a load ends what it overlaps": {[]jvmlog.Record{load(0x10000, 0x3000, 3), load(0x12f00, 0x200, 5)}, 0x10000, found{}, true},
		"unloaded":                     {[]jvmlog.Record{load(0x10000, 0x100, 3), &jvmlog.CodeUnload{Address: 0x10000, Method: 3}}, 0x10000, found{}, true},
		"unloaded late, after the memory was used again": {
			[]jvmlog.Record{load(0x10000, 0x100, 3), load(0x10000, 0x80, 5), &jvmlog.CodeUnload{Address: 0x10000, Method: 3}},
			0x10000, found{0x10000, unwind.Compiled, 5}, false,
		},
		"a stub within the blob of stubs": {
			[]jvmlog.Record{&jvmlog.Stub{Address: 0x20000, Size: 0x4000, Name: "StubRoutines (1)"}, &jvmlog.Stub{Address: 0x20100, Size: 64, Name: "call_stub"}},
			0x20101, found{0x20100, unwind.CallStub, 0}, false,
		},
		"beside it": {
			[]jvmlog.Record{&jvmlog.Stub{Address: 0x20100, Size: 64, Name: "call_stub"}, &jvmlog.Stub{Address: 0x20000, Size: 0x4000, Name: "StubRoutines (1)"}},
			0x20140, found{0x20000, unwind.Stub, 0}, false,
		},
		"nothing that size":  {[]jvmlog.Record{load(0x10000, 1<<31, 3)}, 0x10000, found{}, true},
		"nothing of no size": {[]jvmlog.Record{load(0x10000, 0, 3)}, 0x10000, found{}, true},
		"nothing that wraps": {[]jvmlog.Record{load(^uint64(15), 32, 3)}, ^uint64(0), found{}, true},
		"a library":          {nil, 0x7000100, found{0x7000000, unwind.Native, 0}, false},
		"the C library":      {nil, 0x8000100, found{0x8000000, unwind.CLibrary, 0}, false},
		"anonymous memory":   {nil, 0x9000100, found{}, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			l := liveCode{mappings: procfs.Mappings{
				{Low: 0x7000000, High: 0x7001000, Path: "/lib/libz.so.1"}, {Low: 0x8000000, High: 0x8001000, Path: "/lib/libc.so.6"}, {Low: 0x9000000, High: 0x9001000},
			}}
			for _, r := range c.records {
				l.apply(r)
			}
			code, ok := l.Lookup(c.at)
			assert.Equal(t, !c.none, ok)
			assert.Equal(t, c.want, found{code.Start, code.Kind, code.Method})
		})
	}
}

func TestExpectedAndForeign(t *testing.T) {
	var l liveCode
	l.apply(&jvmlog.CodeHeap{Low: 0x10000, High: 0x20000})
	l.apply(&jvmlog.CodeHeap{Low: 0x10000, High: 0x30000}) // grown
	l.apply(&jvmlog.CodeLoad{Address: 0x10100, Size: 0x100, Method: 1})
	assert.Len(t, l.heaps, 1)
	for addr, want := range map[uint64][2]bool{ // expected, foreign
		0x10100: {false, false},
		0x10200: {true, false},
		0x2ffff: {true, false},
		0x30000: {false, true},
	} {
		assert.Equal(t, want, [2]bool{l.expected(addr), l.foreign(addr)}, "%#x", addr)
	}
	for i := range 100 {
		l.apply(&jvmlog.CodeHeap{Low: uint64(i) << 32, High: uint64(i)<<32 + 1})
	}
	assert.LessOrEqual(t, len(l.heaps), 16, "bounded")
}

func TestGenerated(t *testing.T) {
	l := liveCode{mappings: procfs.Mappings{{Low: 0x7000000, High: 0x7001000, Path: "/lib/libz.so.1"}}}
	low, high := l.Generated()
	assert.Equal(t, low, high, "nothing is known")
	l.apply(&jvmlog.CodeHeap{Low: 0x10000, High: 0x20000})
	l.apply(&jvmlog.CodeHeap{Low: 0x30000, High: 0x40000})
	l.apply(&jvmlog.Stub{Address: 0x50000, Size: 0x100, Name: "call_stub"}) // outside of what the heaps claim
	low, high = l.Generated()
	assert.Equal(t, [2]uint64{0x10000, 0x50100}, [2]uint64{low, high})
}

func TestLiveCodeForgetsWhatIsGone(t *testing.T) {
	var l liveCode
	for i := range 1000 {
		l.apply(&jvmlog.CodeLoad{Address: 0x10000 + uint64(i%10)*0x100, Size: 0x100, Method: jvmlog.MethodID(i + 1)})
	}
	assert.Equal(t, 10, l.entries)
	assert.LessOrEqual(t, len(l.pages[0x10]), 10)
}

// An answer holds for as long as what it depends on.
func TestLookupsAreRemembered(t *testing.T) {
	l := liveCode{mappings: procfs.Mappings{{Low: 0x10000, High: 0x11000, Path: "/lib/libz.so.1"}, {Low: 0x7000000, High: 0x7001000, Path: "/lib/libm.so.6"}}}
	kind := func(addr uint64) unwind.Kind {
		t.Helper()
		code, _ := l.Lookup(addr)
		again, _ := l.Lookup(addr)
		require.Equal(t, code, again)
		return code.Kind
	}
	require.Equal(t, unwind.Native, kind(0x10080))
	require.Equal(t, unwind.Native, kind(0x7000080))
	l.apply(&jvmlog.CodeLoad{Address: 0x10000, Size: 0x100, Method: 1})
	require.Equal(t, unwind.Compiled, kind(0x10080), "code may lie there now")
	require.Equal(t, unwind.Native, kind(0x7000080))
	l.setMappings(procfs.Mappings{{Low: 0x7000000, High: 0x7001000}})
	_, known := l.Lookup(0x7000080)
	require.False(t, known)

	stand := true
	l.stands = func(e *entry) bool {
		if !stand {
			l.end(e)
		}
		return stand
	}
	require.True(t, l.add(&entry{read: &readCode{}, Code: unwind.Code{Start: 0x10200, End: 0x10300, Kind: unwind.Compiled, Method: 2}}))
	require.Equal(t, unwind.Compiled, kind(0x10280))
	require.NotNil(t, l.known(0x10280))
	stand = false
	require.Nil(t, l.known(0x10280), "a remembered answer asks whether its code stands")
	_, known = l.Lookup(0x10280)
	require.False(t, known)
}

// Code that is gone gives its places back, also in pages into which nothing comes again.
func TestDeadPlacesAreUsedAgain(t *testing.T) {
	var l liveCode
	load := func(i int) *jvmlog.CodeLoad {
		return &jvmlog.CodeLoad{Address: uint64(i) << codePageBits, Size: 0x100, Method: jvmlog.MethodID(i)}
	}
	for i := 1; i <= 2*mostCodePages; i++ {
		require.True(t, l.apply(load(i)), i)
		if i > 10 {
			l.apply(&jvmlog.CodeUnload{Address: uint64(i-10) << codePageBits, Method: jvmlog.MethodID(i - 10)})
		}
	}
	assert.Equal(t, 10, l.entries)
	assert.LessOrEqual(t, l.listed, mostCodePages)
	code, ok := l.Lookup(uint64(2*mostCodePages) << codePageBits)
	assert.True(t, ok)
	assert.EqualValues(t, 2*mostCodePages, code.Method)
}
