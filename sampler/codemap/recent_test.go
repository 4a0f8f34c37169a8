package codemap

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// oneMethod is a map with an nmethod at 0x1000 whose only call returns to 0x1010, in line 20 of
// Job.run.
func oneMethod(compile uint32, method jvmlog.MethodID, name string, line uint32) []jvmlog.Record {
	return []jvmlog.Record{
		&jvmlog.Method{ID: method, Class: "Job", Name: name, SourceFile: "Job.java", Lines: []jvmlog.LineEntry{{StartBCI: 0, Line: line}}},
		&jvmlog.CodeLoad{
			Address: 0x1000, Size: 64, Method: method, Level: 4, CompileID: compile, Flags: jvmlog.CodeInlines,
			PCs: []jvmlog.PCRegion{{End: 0x10, First: 0, Count: 1}}, Frames: []jvmlog.CodeFrame{{Method: method, BCI: 3}},
		},
	}
}

func TestRepeatedReturnAddressesAreTheirTimes(t *testing.T) {
	m := New(Settings{})
	apply := func(at jvmlog.MonoTime, records ...jvmlog.Record) {
		for _, r := range records {
			m.Apply(at, r)
		}
	}
	at := func(time jvmlog.MonoTime) Frame {
		frames := m.resolveOne(time, 0x1010, false, nil)
		require.Len(t, frames, 1)
		require.Equal(t, frames, m.resolveOne(time, 0x1010, false, nil), "the second time it is remembered")
		return frames[0]
	}
	apply(100, oneMethod(1, 3, "run", 20)...)
	assert.Equal(t, "run", at(150).Method)
	apply(200, oneMethod(2, 5, "walk", 30)...)
	assert.Equal(t, "walk", at(250).Method)
	assert.Equal(t, 30, at(250).Line)
	assert.Equal(t, "run", at(199).Method, "as it was then")
	apply(300, &jvmlog.CodeUnload{Address: 0x1000, Method: 5})
	assert.Equal(t, "walk", at(299).Method)
	assert.Equal(t, Unknown, m.resolveOne(301+jvmlog.MonoTime(m.settings.GapLimit), 0x1010, false, nil)[0].Kind)
}

// A stub that is reported within another is the nearer one from then on.
func TestAStubWithinARememberedStub(t *testing.T) {
	m := New(Settings{})
	m.Apply(100, &jvmlog.Stub{Address: 0x2000, Size: 0x1000, Name: "StubRoutines (1)"})
	for range 2 {
		assert.Equal(t, "StubRoutines (1)", m.resolveOne(150, 0x2110, false, nil)[0].Method)
	}
	m.Apply(120, &jvmlog.Stub{Address: 0x2100, Size: 64, Name: "call_stub"})
	assert.Equal(t, "call_stub", m.resolveOne(150, 0x2110, false, nil)[0].Method)
}

func TestNamesThatComeLateAreNotMissed(t *testing.T) {
	m := New(Settings{})
	records := oneMethod(1, 3, "run", 20)
	m.Apply(100, records[1])
	for range 2 {
		assert.Empty(t, m.resolveOne(150, 0x1010, false, nil)[0].Method)
	}
	m.Apply(160, records[0])
	assert.Equal(t, "run", m.resolveOne(150, 0x1010, false, nil)[0].Method)
}

// The frames of what was called decide how a return address is judged, so they are part of the
// question.
func TestWhatWasCalledIsPartOfTheQuestion(t *testing.T) {
	var r recent
	v := &interval{from: 100, until: forever}
	r.remember(v, 0x1010, true, []Frame{{Class: "Job", Method: "after a leaf call"}})
	_, ok := r.frames(150, 0x1010, false, nil)
	assert.False(t, ok)
	got, ok := r.frames(150, 0x1010, true, []Frame{{Method: "callee"}})
	assert.True(t, ok)
	assert.Equal(t, []Frame{{Method: "callee"}, {Class: "Job", Method: "after a leaf call"}}, got)
	_, ok = r.frames(99, 0x1010, true, nil)
	assert.False(t, ok)
}

func TestDeadCodeIsNotKeptForLong(t *testing.T) {
	var r recent
	v := &interval{from: 100, until: forever}
	r.remember(v, 0x1010, false, []Frame{{Class: "Job"}})
	for range 256 {
		r.dropped()
	}
	assert.Nil(t, r.slot(0x1010)[0].v)
}

// Two addresses of one slot are both remembered; of three the one that was met first goes.
func TestTwoAddressesOfOneSlot(t *testing.T) {
	var r recent
	v := &interval{from: 100, until: forever}
	same := []uint64{0x1010}
	for addr := uint64(0x1011); len(same) < 3; addr++ {
		if r.slot(addr) == r.slot(same[0]) {
			same = append(same, addr)
		}
	}
	known := func() (out []uint64) {
		for _, addr := range same {
			if frames, ok := r.frames(150, addr, false, nil); ok {
				assert.Equal(t, []Frame{{Addr: addr}}, frames)
				out = append(out, addr)
			}
		}
		return out
	}
	for i, want := range [][]uint64{same[:1], same[:2], same[1:]} {
		r.remember(v, same[i], false, []Frame{{Addr: same[i]}})
		assert.Equal(t, want, known())
	}
}

func BenchmarkResolveAgain(b *testing.B) {
	m := New(Settings{})
	for _, r := range oneMethod(1, 3, "run", 20) {
		m.Apply(100, r)
	}
	var frames []Frame
	for b.Loop() {
		frames = m.resolveOne(150, 0x1010, false, frames[:0])
		if len(frames) != 1 {
			b.Fatal(len(frames))
		}
	}
}
