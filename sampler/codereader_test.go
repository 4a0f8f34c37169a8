package sampler

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/hotspot"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

// standing says of compile ids whether their methods stand: nil, or what reading says.
type standing struct {
	codeCache
	gone  map[uint32]error
	asked int
}

var errGone = errors.New("gone")

func (s *standing) Stands(n *hotspot.NMethod) (bool, error) {
	s.asked++
	if err := s.gone[n.CompileID]; err != errGone {
		return err == nil, err
	}
	return false, nil
}

func (s *standing) Contains(uint64) bool { return true }

func (s *standing) Reads() uint64 { return 0 }

func (s *standing) Find(uint64) (hotspot.NMethod, error) {
	return hotspot.NMethod{}, hotspot.ErrNoCode
}

// A compiled method that does not stand any more ends with the round before. Frames there are
// ambiguous in this round. Each that samples meet is looked at once in an interval. Nothing ends if
// the JVM has.
func TestGoneCodeEnds(t *testing.T) {
	memory := &standing{gone: map[uint32]error{}}
	j := &jvm{totals: &Totals{}, said: map[string]bool{}}
	j.reading = codeReader{on: true, cache: memory, none: map[uint64]struct{}{0x999: {}}}
	j.code.find, j.code.stands = j.findCode, j.stands
	j.methods.start(time.Now(), time.Minute)
	j.held = []*heldSample{{}}
	for i, start := range []uint64{0x30000, 0x10000, 0x20000} {
		require.True(t, j.code.add(&entry{
			Code: unwind.Code{Start: start, End: start + 0x100, Kind: unwind.Compiled},
			read: &readCode{NMethod: hotspot.NMethod{CompileID: uint32(start >> 16)}, told: true, number: jvmlog.MethodID(5 + i)},
		}))
	}
	look := func(want ...bool) {
		t.Helper()
		for i, want := range want {
			addr := uint64(i+1)<<16 + 0x10
			_, there := j.code.Lookup(addr)
			assert.Equal(t, want, there, "%#x", addr)
		}
	}
	const first = 3 * codeCheckInterval
	j.checkCode(first)
	assert.Empty(t, j.reading.none, "of the round before")
	look(true, true, true)

	memory.gone[2], memory.gone[3] = errGone, errGone
	j.checkCode(first + codeCheckInterval - 1)
	look(true, true, true)
	held := j.held
	j.held = nil
	j.checkCode(first + codeCheckInterval)
	look(true, true, true)
	assert.Equal(t, 3, memory.asked, "no interval begins without a sample")
	j.held = held
	const before, next = first + codeCheckInterval, first + codeCheckInterval + 1
	j.checkCode(next)
	require.Empty(t, j.unwoundNow)
	for _, addr := range []uint64{0x30010, 0x20010, 0x10010} {
		j.code.Lookup(addr)
	}
	require.Equal(t, []unwound{
		{record: &jvmlog.CodeUnload{Address: 0x30000, Method: 5}, time: before}, {record: &jvmlog.CodeUnload{Address: 0x20000, Method: 7}, time: before},
	}, j.unwoundNow)
	look(true, false, false)

	j.meetCode(before+1, []uint64{0x10010, 0x20100}, true)
	assert.EqualValues(t, 1, j.totals.AmbiguousCode, "a return address behind the last instruction")
	j.meetCode(before+1, []uint64{0x30010}, true)
	assert.EqualValues(t, 2, j.totals.AmbiguousCode)
	j.meetCode(before, []uint64{0x20010}, true)
	assert.EqualValues(t, 3, j.totals.AmbiguousCode, "a sample that waited meets what is there now")
	j.meetCode(before+1, []uint64{0x20100}, true)
	assert.EqualValues(t, 3, j.totals.AmbiguousCode, "behind the code")
	j.checkCode(next + 1)
	j.meetCode(next+1, []uint64{0x20010}, true)
	assert.EqualValues(t, 3, j.totals.AmbiguousCode, "what is there now was found since")

	memory.gone[1] = unix.ESRCH
	j.checkCode(next + codeCheckInterval)
	look(true, false, false)
	memory.gone[1] = unix.EPERM
	j.checkCode(next + 2*codeCheckInterval)
	look(true, false, false)
	assert.ErrorIs(t, j.reading.refused, unix.EPERM, "for the next round")
}

// What no sample meets again ends too.
func TestCodeIsSwept(t *testing.T) {
	memory := &standing{gone: map[uint32]error{}}
	j := &jvm{totals: &Totals{}, said: map[string]bool{}, held: []*heldSample{{}}}
	j.reading = codeReader{on: true, cache: memory}
	j.code.find, j.code.stands = j.findCode, j.stands
	j.methods.start(time.Now(), time.Minute)
	const n = 3 * sweptAtOnce
	for i := range uint64(n) {
		e := &entry{Code: unwind.Code{Start: i << 12, End: i<<12 + 1, Kind: unwind.Compiled}, read: &readCode{NMethod: hotspot.NMethod{CompileID: uint32(i)}}}
		require.True(t, j.code.add(e))
		j.reading.met = append(j.reading.met, e)
		memory.gone[uint32(i)] = errGone
	}
	const round = jvmlog.MonoTime(mostRoundInterval - 20*time.Millisecond) // each looks, though it comes early
	for i := range jvmlog.MonoTime(4) {
		j.checkCode((1 + i) * round)
	}
	assert.Zero(t, j.code.entries)
	j.checkCode(5 * round)
	assert.Empty(t, j.reading.met)
}

func TestSameCode(t *testing.T) {
	code := func() *jvmlog.CodeLoad {
		return &jvmlog.CodeLoad{
			Address: 0x1000, Size: 64, Level: 4, Method: 3, FrameBytes: 48, FrameComplete: 12, CompileID: 7, PCs: []jvmlog.PCRegion{{End: 16, First: 0, Count: 2}},
			Frames: []jvmlog.CodeFrame{{Method: 4, BCI: 5}, {Method: 3, BCI: 9}}, Proofs: []jvmlog.PCProof{{End: 8, Trap: 16}},
		}
	}
	assert.True(t, sameCode(code(), code()))
	for what, x := range map[string]struct {
		change func(r *jvmlog.CodeLoad)
		same   bool
	}{
		"size":             {func(r *jvmlog.CodeLoad) { r.Size++ }, false},
		"level":            {func(r *jvmlog.CodeLoad) { r.Level-- }, false},
		"frame":            {func(r *jvmlog.CodeLoad) { r.FrameBytes += 8 }, false},
		"prologue":         {func(r *jvmlog.CodeLoad) { r.FrameComplete++ }, false},
		"method":           {func(r *jvmlog.CodeLoad) { r.Method++ }, false},
		"unknown method":   {func(r *jvmlog.CodeLoad) { r.Method, r.Frames[1].Method = 0, 0 }, true},
		"region":           {func(r *jvmlog.CodeLoad) { r.PCs[0].End++ }, false},
		"no regions":       {func(r *jvmlog.CodeLoad) { r.PCs = nil }, false},
		"depth":            {func(r *jvmlog.CodeLoad) { r.PCs[0].Count = 1 }, false},
		"inlined method":   {func(r *jvmlog.CodeLoad) { r.Frames[0].Method++ }, false},
		"bytecode":         {func(r *jvmlog.CodeLoad) { r.Frames[1].BCI++ }, false},
		"proof":            {func(r *jvmlog.CodeLoad) { r.Proofs[0].End++ }, false},
		"chains elsewhere": {func(r *jvmlog.CodeLoad) { r.Frames = append([]jvmlog.CodeFrame{{}}, r.Frames...); r.PCs[0].First = 1 }, true},
	} {
		read := code()
		x.change(read)
		assert.Equal(t, x.same, sameCode(code(), read), what)
	}
}

// What could not be read of a compiled method is read again after a while. The sink is told more
// only if there is more, and the end of what it was told.
func TestNamelessCodeIsReadAgain(t *testing.T) {
	whole := &jvmlog.CodeLoad{
		Address: 0x10000, Size: 0x100, Level: 4, Method: 3, CompileID: 7, PCs: []jvmlog.PCRegion{{End: 0x20, First: 0, Count: 1}}, Frames: []jvmlog.CodeFrame{{Method: 3, BCI: 8}},
	}
	memory := &agreeing{code: whole, err: errGone}
	j := &jvm{totals: &Totals{}, said: map[string]bool{}}
	j.code.stands = func(*entry) bool { return true }
	j.reading = codeReader{on: true, cache: memory}
	e := &entry{
		Code: unwind.Code{Start: 0x10000, End: 0x10100, Kind: unwind.Compiled}, read: &readCode{NMethod: hotspot.NMethod{Size: 0x100, Level: 4, CompileID: 7, Method: 0xa0}},
	}
	require.True(t, j.code.add(e))
	code := codemap.New(codemap.Settings{})
	code.Apply(1, &jvmlog.Method{ID: 3, Class: "a.B", Name: "run", Lines: []jvmlog.LineEntry{{StartBCI: 8, Line: 17}}})
	meet := func(at jvmlog.MonoTime, loads int) (lines []int) {
		t.Helper()
		j.methods.start(time.Now(), time.Minute)
		j.methods.numbered[0xa0] = 3
		j.reading.loads, j.reading.names, j.reading.bytes = loads, codeNamesPerRound, loadBytesPerRound
		j.meet(at, 0x10010)
		for _, u := range j.unwoundNow {
			code.Apply(u.time, u.record)
		}
		j.unwoundNow = j.unwoundNow[:0]
		frames, _ := code.ResolveStack(at, []uint64{0x10010}, nil, nil)
		for _, f := range frames {
			lines = append(lines, f.Line)
		}
		return lines
	}
	const first, later = jvmlog.MonoTime(1000), 2 * mostCodeWait
	require.Equal(t, []int{0}, meet(first, 1))
	memory.err = nil
	require.Equal(t, []int{0}, meet(first+later-1, 1), "not yet")
	require.Equal(t, []int{0}, meet(first+later, 0), "no room: it does not wait for it")
	require.Empty(t, j.reading.waiting)
	require.Equal(t, []int{17}, meet(first+2*later, 1))
	require.EqualValues(t, 2, j.stats.NameFailures)
	require.EqualValues(t, 3, e.read.number)
	require.Equal(t, []int{17}, meet(first+3*later, 1))
	require.EqualValues(t, 2, memory.loads, "it lacks nothing")

	e.read.again, memory.err = first, hotspot.ErrReplaced
	j.meet(first+4*later, 0x10010)
	assert.True(t, e.dead)
	assert.Equal(t, []unwound{{record: &jvmlog.CodeUnload{Address: 0x10000, Method: 3}}}, j.unwoundNow)
	assert.EqualValues(t, 1, j.totals.AmbiguousCode)
}

// The agent alone knows the loaders of generated classes. In a replay it tells them last, so code
// of such a class waits longer for its name.
func TestCodeWaitsForTheEndOfAReplay(t *testing.T) {
	const since, agents = jvmlog.MonoTime(1000), 5
	for name, c := range map[string]struct {
		replay   uint32
		answered bool
		waits    jvmlog.MonoTime
	}{
		"no replay": {0, false, generatedPatience}, "after it": {1, true, generatedPatience}, "in it": {1, false, mostCodeWait},
	} {
		for _, told := range []bool{true, false} {
			j, memory, _ := reusing(t)
			memory.load("org/apache/spark/sql/catalyst/expressions/GeneratedClass$A", metaspaceBase+0x400)
			j.totals, j.replay, j.answered = &Totals{}, c.replay, c.answered
			j.code.stands = func(*entry) bool { return true }
			j.reading = codeReader{on: true, cache: &agreeing{code: &jvmlog.CodeLoad{Address: 0x10000, Size: 0x100}}, loads: 10, names: codeNamesPerRound}
			require.True(t, j.code.add(&entry{
				Code: unwind.Code{Start: 0x10000, End: 0x10100, Kind: unwind.Compiled}, read: &readCode{NMethod: hotspot.NMethod{Size: 0x100, Method: reusedMethod}},
			}))
			j.meet(since, 0x10010)
			j.tellWaitingCode(since + c.waits)
			require.Empty(t, j.unwoundNow, name)
			if told {
				j.methods.fromAgent(&jvmlog.Method{ID: agents, Ptr: reusedMethod, Class: generatedPrefix + "$A", Name: "run", Descriptor: "()V", Loader: 9})
			}
			j.tellWaitingCode(since + c.waits + 1)
			load := j.unwoundNow[len(j.unwoundNow)-1].record.(*jvmlog.CodeLoad)
			assert.Equal(t, told, load.Method == agents, name)
			assert.Equal(t, !told, load.Method == FirstOwnMethod, name)
		}
	}
}

// agreeing is a code cache that has what the agent tells.
type agreeing struct {
	codeCache
	code  *jvmlog.CodeLoad
	err   error // of Load
	loads int
}

func (a *agreeing) Find(addr uint64) (hotspot.NMethod, error) {
	return hotspot.NMethod{Code: a.code.Address, Size: a.code.Size, CompileID: a.code.CompileID}, nil
}

func (a *agreeing) Load(n hotspot.NMethod, _ uint64, number func(uint64) jvmlog.MethodID) (*jvmlog.CodeLoad, error) {
	a.loads++
	read := *a.code
	read.Method = number(n.Method)
	return &read, a.err
}

func (a *agreeing) Contains(uint64) bool { return true }

func (a *agreeing) Reads() uint64 { return 0 }

// leased is a control page whose lease is ours.
func leased(t *testing.T) *jvmlog.Control {
	t.Helper()
	fd, err := unix.MemfdCreate("control", unix.MFD_ALLOW_SEALING)
	require.NoError(t, err)
	f := os.NewFile(uintptr(fd), "control")
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	_, err = f.Write(append([]byte("PLFLMCTL\x01\x00"), make([]byte, jvmlog.ControlBytes-10)...))
	require.NoError(t, err)
	_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	require.NoError(t, err)
	c, err := jvmlog.OpenControl(f)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	require.NoError(t, c.Acquire(7, jvmlog.RankAll, jvmlog.Now()))
	return c
}

// From the last agreement on no compiled method is one that was told. It is found when a sample
// meets it, so that it is looked at again. The sink hears the ends of those that were told.
func TestTheLastAgreedMethodIsFoundAgain(t *testing.T) {
	told := &jvmlog.CodeLoad{Address: 0x10000, Size: 0x100, Level: 4, Method: 3, CompileID: 7}
	j := &jvm{totals: &Totals{}, said: map[string]bool{}, control: leased(t)}
	j.methods.namer = &hotspot.Namer{}
	j.reading = codeReader{cache: &agreeing{code: told}, trap: 1, agreed: agreements - 2}
	require.True(t, j.apply(told))
	require.False(t, j.reading.on)
	require.False(t, j.apply(told))
	require.True(t, j.reading.on)
	assert.Zero(t, j.code.entries)
	j.checkCode(codeCheckInterval)
	_, found := j.code.Lookup(0x10010)
	require.True(t, found)
	require.Len(t, j.reading.met, 1)
	assert.NotNil(t, j.code.known(0x10010).read)
	assert.True(t, j.apply(&jvmlog.CodeUnload{Address: 0x10000, Method: 3}))
	_, found = j.code.Lookup(0x10010)
	assert.True(t, found, "until memory says so")
}

// A compiled method without room in a round waits. It is handed on without debug info at last.
func TestCodeWaitsForItsTurn(t *testing.T) {
	j := &jvm{totals: &Totals{}, said: map[string]bool{}}
	j.code.stands = func(*entry) bool { return true }
	j.reading = codeReader{on: true, findReads: 1}
	j.methods.start(time.Now(), -1) // its time is over
	e := &entry{
		Code: unwind.Code{Start: 0x10000, End: 0x10100, Kind: unwind.Compiled, FrameBytes: 48, FrameComplete: 12, Method: 0xa0},
		read: &readCode{NMethod: hotspot.NMethod{Size: 0x100, Level: 4, CompileID: 7, Method: 0xa0}},
	}
	require.True(t, j.code.add(e))
	const since = jvmlog.MonoTime(1000)
	j.meetCode(since, []uint64{0x10010, 0x10020}, true)
	require.Len(t, j.reading.waiting, 1, "once")
	assert.Equal(t, since, j.reading.oldestWaiting(since+1), "its sample holds back the watermark")
	j.tellWaitingCode(since + mostCodeWait)
	require.Empty(t, j.unwoundNow)
	j.tellWaitingCode(since + mostCodeWait + 1)
	assert.Empty(t, j.reading.waiting)
	assert.Equal(t, []unwound{{time: since, record: &jvmlog.CodeLoad{
		Address: 0x10000, Size: 0x100, Level: 4, FrameBytes: 48, FrameComplete: 12, CompileID: 7, Flags: jvmlog.CodeReplayed,
	}}}, j.unwoundNow)
	assert.EqualValues(t, 1, j.stats.NameFailures)

	_, later := j.methodNumber(since, 0xb0, false)
	assert.True(t, later, "a name has its turn later")
	number, later := j.methodNumber(since, 0xb0, true)
	assert.False(t, later)
	assert.Zero(t, number)
	assert.EqualValues(t, 1, j.stats.NamesDeferred)
}

// A few bytes of debug info may stand for many frames. They count as much as what was read.
func TestFramesOfCodeAreBounded(t *testing.T) {
	const frames = 1000
	memory := &agreeing{code: &jvmlog.CodeLoad{Frames: make([]jvmlog.CodeFrame, frames)}}
	j := &jvm{totals: &Totals{}, said: map[string]bool{}}
	j.code.stands = func(*entry) bool { return true }
	j.reading = codeReader{on: true, cache: memory, loads: 3, names: codeNamesPerRound, bytes: 2*16*frames - 1}
	j.methods.start(time.Now(), time.Minute)
	j.methods.numbered[0] = 0
	for i := range uint64(3) {
		start := (i + 1) << 16
		require.True(t, j.code.add(&entry{Code: unwind.Code{Start: start, End: start + 0x100, Kind: unwind.Compiled}, read: &readCode{}}))
		j.meet(1, start)
	}
	assert.Equal(t, 2, memory.loads)
	assert.Len(t, j.reading.waiting, 1)
}

// forged finds a compiled method at every address, by so many reads.
type forged struct {
	codeCache
	reads, each uint64
}

func (f *forged) Contains(addr uint64) bool { return addr < 1<<41 }

func (f *forged) Reads() uint64 { return f.reads }

func (f *forged) Find(addr uint64) (hotspot.NMethod, error) {
	f.reads += f.each
	return hotspot.NMethod{Blob: addr, Code: addr, Size: 1}, nil
}

// Finding costs a round no more reads than the bound says, and what there is no room for is counted
// and not kept.
func TestFindingIsBounded(t *testing.T) {
	memory := &forged{each: 64}
	j := &jvm{totals: &Totals{}, said: map[string]bool{}}
	j.reading = codeReader{on: true, cache: memory, none: map[uint64]struct{}{}}
	j.code.find, j.code.stands = j.findCode, j.stands
	j.code.enclose(0, 1<<40)
	j.methods.start(time.Now(), time.Minute)
	j.checkCode(codeCheckInterval)
	for i := range uint64(findReadsPerRound) {
		j.code.Lookup(1<<20 + i<<codePageBits)
	}
	assert.LessOrEqual(t, memory.reads, uint64(findReadsPerRound+64))
	j.meet(1, 1<<39)
	assert.EqualValues(t, 1, j.stats.NamesDeferred)

	memory.each, j.reading.findReads = 0, 1
	for i := range uint64(mostInPage + 100) {
		j.code.Lookup(1<<30 + i)
	}
	assert.EqualValues(t, 100, j.totals.RefusedCode)
	kept := len(j.reading.met)
	for range 10 {
		j.code.Lookup(1<<30 + mostInPage)
	}
	assert.Len(t, j.reading.met, kept)
	assert.EqualValues(t, 100, j.totals.RefusedCode, "an address once a round")

	none := len(j.reading.none)
	j.reading.findReads = 1
	j.code.enclose(0, 1<<48) // as stubs far away do
	for i := range uint64(1000) {
		j.code.Lookup(1<<42 + i)
	}
	assert.Equal(t, none, len(j.reading.none), "nothing is kept of what lies in no code heap")
}

// Without a Namer compiled code has no names, and is not read.
func TestCodeWithoutNamer(t *testing.T) {
	j := &jvm{totals: &Totals{}, said: map[string]bool{}}
	j.reading = codeReader{cache: &forged{}, trap: 1, names: 1}
	j.methods.start(time.Now(), time.Minute)
	number, later := j.methodNumber(1, 0xb0, false)
	assert.False(t, later)
	assert.Zero(t, number)
	j.compareCode(&jvmlog.CodeLoad{Address: 0x1000})
	assert.Zero(t, j.reading.agreed)
}

// A name that is asked for outlives many that are not.
func TestSaidIsKeptIfAskedFor(t *testing.T) {
	var m methodNames
	m.remember(&jvmlog.Method{Ptr: 8, ID: 7})
	for i := range uint64(3 * mostSaid) {
		m.remember(&jvmlog.Method{Ptr: 16 + 8*i, ID: 9})
		if i%(mostSaid/4) == 0 {
			said, known := m.saidOf(8)
			require.True(t, known)
			require.EqualValues(t, 7, said.id)
		}
	}
	_, known := m.saidOf(16)
	assert.False(t, known)
	assert.LessOrEqual(t, len(m.said)+len(m.older), mostSaid)
}
