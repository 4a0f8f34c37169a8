package sampler

import (
	"os"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/hotspot"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

// codeMemory is the memory of a JVM that is this process. It does not move.
var codeMemory [3]struct{ used, compileID uint32 }

// A compile id that has changed ends its method at the check before, and frames there since then
// are ambiguous. So does a block that is not used any more: its compile id stays while other code
// takes the end of it.
func TestGoneCodeEnds(t *testing.T) {
	const padding = 0xabcdef00
	code := &codeMemory
	*code = [3]struct{ used, compileID uint32 }{{padding | 1, 70}, {padding | 1, 80}, {padding | 1, 90}}
	at := func(word *uint32) uint64 { return uint64(uintptr(unsafe.Pointer(word))) }
	j := &jvm{memory: unwind.NewProcessMemory(os.Getpid()), totals: &Totals{}, said: map[string]bool{}}
	j.reading = codeReader{on: true, none: map[uint64]struct{}{0x999: {}}}
	j.methods.start(time.Now(), time.Minute)
	j.held = []*heldSample{{}}
	for i, start := range []uint64{0x10000, 0x20000, 0x30000} {
		e := &entry{
			Code: unwind.Code{Start: start, End: start + 0x100, Kind: unwind.Compiled},
			read: &readCode{
				NMethod: hotspot.NMethod{CompileID: code[i].compileID, CompileIDAt: at(&code[i].compileID), UsedAt: at(&code[i].used)},
				told:    true, number: jvmlog.MethodID(5 + i),
			},
		}
		require.True(t, j.code.add(e))
		j.reading.met = append(j.reading.met, e)
	}
	const first = 3 * codeCheckInterval
	j.checkCode(first)
	require.Empty(t, j.unwoundNow)
	assert.Empty(t, j.reading.none, "of the round before")

	code[1].compileID = 81
	code[2].used = padding
	j.checkCode(first + codeCheckInterval - 1)
	require.Empty(t, j.unwoundNow, "not looked at again so soon")
	held := j.held
	j.held = nil
	j.checkCode(first + codeCheckInterval)
	require.Empty(t, j.unwoundNow, "no sample asks")
	j.held = held
	j.checkCode(first + codeCheckInterval)
	require.Equal(t, []unwound{
		{record: &jvmlog.CodeUnload{Address: 0x20000, Method: 6}, time: first}, {record: &jvmlog.CodeUnload{Address: 0x30000, Method: 7}, time: first},
	}, j.unwoundNow)
	for addr, want := range map[uint64]bool{0x10010: true, 0x20010: false, 0x30010: false} {
		_, there := j.code.Lookup(addr)
		assert.Equal(t, want, there, "%#x", addr)
	}

	j.meetCode(first+1, []uint64{0x10010, 0x20100}, true)
	assert.EqualValues(t, 1, j.totals.AmbiguousCode, "a return address behind the last instruction")
	j.meetCode(first+1, []uint64{0x20100}, true)
	j.meetCode(first, []uint64{0x20010}, true)
	assert.EqualValues(t, 1, j.totals.AmbiguousCode, "behind the code; before the check that found it there")
	j.checkCode(first + 2*codeCheckInterval)
	j.meetCode(first+codeCheckInterval+1, []uint64{0x20010}, true)
	assert.EqualValues(t, 1, j.totals.AmbiguousCode, "what is there now was found since")
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

// A compiled method without room in a round waits. It is handed on without debug info at last.
func TestCodeWaitsForItsTurn(t *testing.T) {
	j := &jvm{totals: &Totals{}, said: map[string]bool{}}
	j.reading = codeReader{on: true, finds: 1}
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
