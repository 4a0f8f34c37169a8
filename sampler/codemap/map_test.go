package codemap

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

const second = jvmlog.MonoTime(time.Second)

// event is a record at a time.
type event struct {
	at  jvmlog.MonoTime
	rec jvmlog.Record
}

func apply(m *Map, events []event) {
	for _, e := range events {
		m.Apply(e.at, e.rec)
	}
}

func methodRecord(id jvmlog.MethodID, name string) *jvmlog.Method {
	return &jvmlog.Method{
		ID: id, Loader: jvmlog.LoaderID(100 + id), Class: "C" + name, Name: name, SourceFile: name + ".java",
		Lines: []jvmlog.LineEntry{{StartBCI: 0, Line: 10 * uint32(id)}, {StartBCI: 8, Line: 10*uint32(id) + 1}, {StartBCI: 20, Line: 10*uint32(id) + 2}},
	}
}

func loadRecord(method jvmlog.MethodID, addr uint64, size uint32) *jvmlog.CodeLoad {
	return &jvmlog.CodeLoad{Address: addr, Size: size, Level: 4, Method: method, CompileID: uint32(method)}
}

// methods 1 … 4, called a … d.
func names() []event {
	return []event{{0, methodRecord(1, "a")}, {0, methodRecord(2, "b")}, {0, methodRecord(3, "c")}, {0, methodRecord(4, "d")}}
}

// describe renders what stands at an address: the name, with ? where it is Early; "-" for nothing.
func describe(m *Map, t jvmlog.MonoTime, addr uint64) string {
	s := ""
	for i, f := range m.resolveOne(t, addr, true, nil) {
		if i > 0 {
			s += " < "
		}
		switch f.Kind {
		case Unknown:
			s += "-"
		case Interpreted:
			s += "interpreter"
		default:
			s += f.Method
		}
		if f.Early {
			s += "?"
		}
	}
	return s
}

func TestIntervals(t *testing.T) {
	type at struct {
		t    jvmlog.MonoTime
		addr uint64
		want string
	}
	for _, c := range []struct {
		name   string
		events []event
		asks   []at
		stats  Stats
	}{
		{
			"nothing", nil, []at{{1, 0x1000, "-"}}, Stats{},
		}, {
			"bounds", []event{{2, loadRecord(1, 0x1000, 0x10)}},
			[]at{{2, 0xfff, "-"}, {2, 0x1000, "a"}, {9 * second, 0x100f, "a"}, {2, 0x1010, "-"}},
			Stats{Loads: 1},
		}, {
			"code runs before its load",
			[]event{{10 * second, loadRecord(1, 0x1000, 0x10)}},
			[]at{{10*second - 1, 0x1000, "a?"}, {5 * second, 0x1000, "a?"}, {5*second - 1, 0x1000, "-"}},
			Stats{Loads: 1, EarlyFrames: 2},
		}, {
			"a replayed load is older than its record",
			[]event{{3600 * second, &jvmlog.CodeLoad{Address: 0x1000, Size: 16, Method: 1, Flags: jvmlog.CodeReplayed}}},
			[]at{{1, 0x1000, "a?"}, {3600 * second, 0x1000, "a"}},
			Stats{Loads: 1, EarlyFrames: 1},
		}, {
			"unload and re-use",
			[]event{{1, loadRecord(1, 0x1000, 0x20)}, {10 * second, &jvmlog.CodeUnload{Address: 0x1000, Method: 1}}, {12 * second, loadRecord(2, 0x1010, 0x40)}},
			[]at{
				{5 * second, 0x1010, "a"}, {10*second - 1, 0x1010, "a"}, {11 * second, 0x1010, "b?"}, {11 * second, 0x1000, "-"},
				{12 * second, 0x1010, "b"}, {12 * second, 0x104f, "b"},
			},
			Stats{Loads: 2, Unloads: 1, EarlyFrames: 1},
		}, {
			"a load ends what it overlaps; the unload comes late",
			[]event{
				{1, loadRecord(1, 0x1000, 0x20)}, {2, loadRecord(2, 0x1020, 0x20)}, {3, loadRecord(3, 0x1040, 0x20)},
				{5, loadRecord(4, 0x1010, 0x20)}, {6, &jvmlog.CodeUnload{Address: 0x1000, Method: 1}},
			},
			[]at{{4, 0x1000, "a"}, {5, 0x1000, "-"}, {4, 0x1010, "a"}, {5, 0x1010, "d"}, {4, 0x1030, "b"}, {5, 0x1030, "-"}, {5, 0x1040, "c"}},
			Stats{Loads: 4, Unloads: 1, EndedByLoad: 2, LateUnloads: 1},
		}, {
			"a late unload spares the new method at its address",
			[]event{{1, loadRecord(1, 0x1000, 0x20)}, {5, loadRecord(2, 0x1000, 0x20)}, {6, &jvmlog.CodeUnload{Address: 0x1000, Method: 1}}},
			[]at{{7, 0x1000, "b"}},
			Stats{Loads: 2, Unloads: 1, EndedByLoad: 1, LateUnloads: 1},
		}, {
			"an unload that is dated after the next load",
			[]event{
				{1, loadRecord(1, 0x1000, 0x20)}, {10 * second, &jvmlog.CodeUnload{Address: 0x1000, Method: 1}},
				{1, loadRecord(2, 0x2000, 0x2000)}, {10 * second, &jvmlog.CodeUnload{Address: 0x2000, Method: 2}},
				{5 * second, loadRecord(3, 0x1000, 0x40)}, {6 * second, loadRecord(4, 0x2000, 0x2000)},
			},
			[]at{{5*second - 1, 0x1000, "a"}, {5 * second, 0x1000, "c"}, {6*second - 1, 0x3000, "b"}, {6 * second, 0x3000, "d"}},
			Stats{Loads: 4, Unloads: 2},
		}, {
			"a replay says nothing new",
			[]event{
				{1, loadRecord(1, 0x1000, 0x20)},
				{5, &jvmlog.CodeLoad{Address: 0x1000, Size: 0x20, Method: 1, CompileID: 1, Flags: jvmlog.CodeReplayed}},
				{6, &jvmlog.Stub{Address: 0x3000, Size: 16, Name: "s"}}, {7, &jvmlog.Stub{Address: 0x3000, Size: 16, Name: "s"}},
			},
			[]at{{2, 0x1000, "a"}, {6, 0x3000, "s"}, {7, 0x3000, "s"}},
			Stats{Loads: 2, Stubs: 2, Repeated: 2},
		}, {
			"a replay that says something new",
			[]event{
				{1, loadRecord(1, 0x1000, 0x20)},
				{5, &jvmlog.CodeLoad{Address: 0x1000, Size: 0x20, Method: 2, CompileID: 9, Flags: jvmlog.CodeReplayed}},
			},
			[]at{{4, 0x1000, "a"}, {5, 0x1000, "b"}},
			Stats{Loads: 2, EndedByLoad: 1},
		}, {
			"a replay that knows more lines",
			[]event{
				{1, loadRecord(1, 0x1000, 0x40)},
				{5, &jvmlog.CodeLoad{
					Address: 0x1000, Size: 0x40, Method: 1, CompileID: 1, Flags: jvmlog.CodeReplayed, PCs: []jvmlog.PCRegion{{End: 64, First: 0, Count: 2}},
					Frames: []jvmlog.CodeFrame{{Method: 2, BCI: 1}, {Method: 1, BCI: 2}},
				}},
			},
			[]at{{4, 0x1000, "a"}, {5, 0x1000, "b < a"}},
			Stats{Loads: 2, EndedByLoad: 1},
		}, {
			"stubs within stubs, and an nmethod over a stub",
			[]event{
				{1, &jvmlog.Stub{Address: 0x1000, Size: 0x3000, Name: "StubRoutines (2)"}}, {1, &jvmlog.Stub{Address: 0x2000, Size: 0x100, Name: "sha512_implCompress"}},
				{1, &jvmlog.Stub{Address: 0x8000, Size: 0x100, Name: "vtable stub"}}, {5, loadRecord(1, 0x8000, 0x40)},
				{1, &jvmlog.Stub{Address: 0x9000, Size: 0x9000, Name: "Interpreter"}},
			},
			[]at{
				{2, 0x1fff, "StubRoutines (2)"}, {2, 0x2000, "sha512_implCompress"}, {2, 0x2100, "StubRoutines (2)"}, {2, 0x3fff, "StubRoutines (2)"},
				{2, 0x8000, "vtable stub"}, {5, 0x8000, "a"}, {5, 0x8040, "-"}, {5, 0xa123, "interpreter"},
			},
			Stats{Loads: 1, Stubs: 4, EndedByLoad: 1},
		}, {
			"impossible code",
			[]event{{1, loadRecord(1, 0x1000, 0)}, {1, loadRecord(1, 0x1000, 1<<31)}, {1, &jvmlog.Stub{Address: 1<<64 - 8, Size: 64, Name: "wraps"}}},
			[]at{{1, 0x1000, "-"}},
			Stats{Loads: 2, Stubs: 1, Refused: 3},
		}, {
			"a method without a name",
			[]event{{1, loadRecord(77, 0x1000, 16)}},
			[]at{{1, 0x1000, ""}},
			Stats{Loads: 1, UnknownMethods: 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := New(Settings{})
			apply(m, names())
			apply(m, c.events)
			for _, a := range c.asks {
				require.Equal(t, a.want, describe(m, a.t, a.addr), "at %d, %#x", a.t, a.addr)
			}
			got := m.Stats()
			got.Intervals, got.Methods, got.CodeBytes, got.MethodBytes = 0, 0, 0, 0
			require.Equal(t, c.stats, got)
		})
	}
}

func TestUnknownCode(t *testing.T) {
	m := New(Settings{})
	m.Apply(1, &jvmlog.CodeHeap{Low: 0x1000, High: 0x2000, Name: "a"})
	m.Apply(1, &jvmlog.CodeHeap{Low: 0x1000, High: 0x3000, Name: "a"})
	m.Watermark(50)
	m.Watermark(40)
	for _, a := range []struct {
		t    jvmlog.MonoTime
		addr uint64
	}{{49, 0x2800}, {50, 0x1000}, {51, 0x1000}, {10, 0x3000}} {
		require.Equal(t, []Frame{{Addr: a.addr}}, m.resolveOne(a.t, a.addr, true, nil))
	}
	s := m.Stats()
	require.Equal(t, []uint64{1, 2}, []uint64{s.UnknownCode, s.PendingCode}, "0x3000 is in no code heap")
	for i := range uint64(20) {
		m.Apply(1, &jvmlog.CodeHeap{Low: i << 20, High: i<<20 + 1})
	}
	require.Equal(t, uint64(20-maxHeaps+1), m.Stats().Refused)
}

func TestForget(t *testing.T) {
	m := New(Settings{})
	apply(m, names())
	apply(m, []event{{1, loadRecord(1, 0x1000, 16)}, {5, loadRecord(2, 0x1000, 16)}, {9, loadRecord(3, 0x1000, 16)}})
	require.Equal(t, 3, m.Stats().Intervals)
	before := m.Stats().CodeBytes
	m.Forget(6)
	require.Equal(t, 2, m.Stats().Intervals)
	require.Equal(t, before*2/3, m.Stats().CodeBytes)
	require.Equal(t, "b", describe(m, 6, 0x1000))
	require.Equal(t, "b?", describe(m, 2, 0x1000), "who asks for what was to be forgotten gets the next")
	m.Forget(1000 * second)
	require.Equal(t, "c", describe(m, 9, 0x1000))
	require.Equal(t, 1, m.Stats().Intervals)

	apply(m, []event{{2000 * second, &jvmlog.CodeUnload{Address: 0x1000, Method: 3}}, {1500 * second, loadRecord(4, 0x1000, 16)}})
	m.Forget(1500*second + 1)
	require.Equal(t, 1, m.Stats().Intervals, "it ended when the next one began")
}

func TestMemoryIsBounded(t *testing.T) {
	one := (&interval{start: 0x1000, end: 0x1010, code: newNMethod(&jvmlog.CodeLoad{})}).size()
	m := New(Settings{MaxCodeBytes: 10 * one})
	for i := range jvmlog.MonoTime(100) { // each ends the one before
		m.Apply(i, loadRecord(1, 0x1000, 16))
	}
	s := m.Stats()
	require.LessOrEqual(t, s.CodeBytes, 10*one)
	require.Equal(t, uint64(100-s.Intervals), s.Evicted)
	require.Greater(t, s.Intervals, 5)

	for i := range uint64(100) { // all live
		m.Apply(200, loadRecord(1, 0x10000+i*0x1000, 16))
	}
	s = m.Stats()
	require.LessOrEqual(t, s.CodeBytes, 10*one)
	require.Equal(t, uint64(100-9), s.Refused, "one of the first hundred lives on")
}

func TestMethodsAreBounded(t *testing.T) {
	var empty methods
	one := empty.size(method{name: empty.texts.add("a")})
	m := New(Settings{MaxMethodBytes: 4 * one})
	put := func(at jvmlog.MonoTime, id jvmlog.MethodID, flags jvmlog.MethodFlags) {
		m.Apply(at, &jvmlog.Method{ID: id, Class: "C", Name: string(rune('a' + id)), Flags: flags})
	}
	known := func() (out string) {
		for id := range jvmlog.MethodID(20) {
			if n, ok := m.methods.byID[id]; ok {
				out += m.methods.texts.get(n.name)
			}
		}
		return out
	}
	put(1, 0, 0)
	put(2, 1, 0)
	put(3, 2, jvmlog.MethodGenerated)
	put(4, 3, jvmlog.MethodGenerated)
	require.Equal(t, "abcd", known())
	m.Apply(4, loadRecord(2, 0x1000, 16)) // c is in use
	put(5, 4, 0)
	require.Equal(t, "bce", known(), "the generated one that no one mentions goes, then the oldest, until a tenth is free")
	put(6, 5, 0)
	require.Equal(t, "bcef", known())
	for i, id := range []jvmlog.MethodID{1, 4, 5} {
		m.Apply(7, loadRecord(id, 0x2000+uint64(i)*0x1000, 16))
	}
	put(8, 6, 0)
	require.Equal(t, "bcef", known(), "all are in use")
	require.Equal(t, uint64(1), m.Stats().Refused)
	m.Apply(8, &jvmlog.CodeUnload{Address: 0x2000, Method: 1})
	m.Forget(9)
	for i := range fullRecords - 1 {
		put(9, jvmlog.MethodID(7+i%2), 0)
	}
	require.Equal(t, "bcef", known(), "not sought again yet")
	put(10, 9, 0)
	require.Equal(t, "cefj", known(), "b is not in use any more")
	require.Equal(t, uint64(fullRecords), m.Stats().Refused)
	require.Equal(t, fmt.Sprint(uint64(3), " ", 4*one), fmt.Sprint(m.Stats().MethodsForgotten, " ", m.Stats().MethodBytes))
}

// Classes that are generated, compiled and unloaded for weeks: no one tells that they are gone.
func TestDeadMethodsAreForgotten(t *testing.T) {
	m := New(Settings{})
	name := strings.Repeat("n", 200)
	put := func(at jvmlog.MonoTime, id jvmlog.MethodID, flags jvmlog.MethodFlags) {
		m.Apply(at, &jvmlog.Method{ID: id, Class: "C", Name: fmt.Sprint(id, name), Flags: flags})
	}
	known := func(id jvmlog.MethodID) bool {
		_, ok := m.methods.byID[id]
		return ok
	}
	const library, hot, paused, first = 1, 2, 3, 10
	put(1, library, 0)
	put(1, hot, jvmlog.MethodGenerated)
	m.Apply(1, loadRecord(hot, 0x1000, 16))
	put(1, paused, jvmlog.MethodGenerated)
	m.Apply(1, loadRecord(paused, 0x2000, 16))
	id, most, last := jvmlog.MethodID(first), 0, uint64(0)
	rounds := 0
	for at := jvmlog.MonoTime(2); rounds < 4; at++ {
		put(at, id, jvmlog.MethodGenerated)
		m.Apply(at, loadRecord(id, 0x10000, 16))
		m.Apply(at, &jvmlog.CodeUnload{Address: 0x10000, Method: id})
		m.Forget(at)
		most = max(most, m.Stats().MethodBytes)
		if n := m.Stats().MethodsForgotten; n > last {
			if last = n; rounds == 0 {
				m.Apply(at, &jvmlog.CodeUnload{Address: 0x2000, Method: paused}) // its class lives on, its code does not
			}
			if rounds++; rounds == 2 {
				require.True(t, known(paused), "was in use when it was looked at last")
				require.False(t, known(first), "written before that, and not in use since")
			}
		}
		require.Less(t, id, jvmlog.MethodID(500_000), "nothing is forgotten")
		id++
	}
	require.LessOrEqual(t, most, 3*leastSpare)
	require.True(t, known(library) && known(hot), "what may come again, and what is in use")
	require.False(t, known(paused), "not in use for long")
	require.True(t, known(id-1))
	require.Zero(t, m.Stats().Refused)
	frames := m.resolveOne(jvmlog.MonoTime(id), 0x1004, false, nil)
	require.Equal(t, fmt.Sprint(hot, name), frames[0].Method)
}
