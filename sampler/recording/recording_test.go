package recording

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// call is one call of a Sink.
type call struct {
	What string
	JVM  sampler.JVMID
	Arg  any
}

// calls keeps what it is called with.
type calls []call

func (c *calls) JVMFound(v sampler.JVM)                         { *c = append(*c, call{"found", v.ID, v}) }
func (c *calls) Thread(id sampler.JVMID, t jvmlog.Thread)       { *c = append(*c, call{"thread", id, t}) }
func (c *calls) TaskEvent(id sampler.JVMID, e jvmlog.TaskEvent) { *c = append(*c, call{"task", id, e}) }
func (c *calls) Sample(id sampler.JVMID, s sampler.Sample)      { *c = append(*c, call{"sample", id, s}) }
func (c *calls) Stats(id sampler.JVMID, s sampler.Stats)        { *c = append(*c, call{"stats", id, s}) }
func (c *calls) Watermark(id sampler.JVMID, t jvmlog.MonoTime) {
	*c = append(*c, call{"watermark", id, t})
}
func (c *calls) JVMGone(id sampler.JVMID)                 { *c = append(*c, call{"gone", id, nil}) }
func (c *calls) Symbol(id sampler.JVMID, f codemap.Frame) { *c = append(*c, call{"symbol", id, f}) }
func (c *calls) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	*c = append(*c, call{"record", id, []any{t, r}})
}

// header is a header whose geometry is right, with a different value in each field that tests look
// at.
func header() jvmlog.Header {
	return jvmlog.Header{
		Major: 1, PID: 41, JDKFeature: 17, JDKVersion: "17.0.15+6", StartTime: 43, ProcessStartTicks: 47, State: jvmlog.StateLive,
		Flags: jvmlog.FlagPreserveFramePointer, TotalBytes: 1 << 20, ThreadsOffset: 4096, ThreadSlots: 8, EventsOffset: 8192, EventSlots: 16,
		RecordsOffset: 16384, RecordsBytes: 1<<20 - 16384, EventsHead: 53, DroppedRecords: 59, TasksStarted: 61, TasksEnded: 60,
	}
}

// script is every call of a Sink, with different values in each field.
func script() calls {
	return calls{
		{"found", 3, sampler.JVM{ID: 3, PID: 4711, StartTicks: 99, Header: header(), Mode: sampler.ModeSelfOpened, FoundAt: 101}},
		{"thread", 3, jvmlog.Thread{Slot: 2, TID: 4712, StartTime: 102, Flags: jvmlog.ThreadTask, PerfFD: 17, PerfDetailFD: -1, RingPages: 64,
			PerfErrno: 1, BasePeriodNS: 5_000_000, DetailPeriodNS: 7, CPUNanosAtOpen: 104, Name: "Executor task launch worker-3"}},
		{"record", 3, []any{jvmlog.MonoTime(105), &jvmlog.CodeUnload{Address: 0x7f0012345678, Method: 11}}},
		{"record", 3, []any{jvmlog.MonoTime(106), &jvmlog.Source{Loader: 13, Class: "C", Body: "class C {}", Comments: []byte(`{"a":"b"}`)}}},
		{"record", 3, []any{jvmlog.MonoTime(107), &jvmlog.Unknown{Type: 999, Version: 3, Payload: []byte{1, 2, 3}}}},
		{"record", 3, []any{jvmlog.MonoTime(108), &jvmlog.Rows{StageID: 23, StageAttempt: 1, ExecutionID: 37, Tasks: 4,
			Accumulated: []jvmlog.Accumulated{{ID: 41, Sum: 4300}}}}},
		{"record", 3, []any{jvmlog.MonoTime(109), &jvmlog.ExecutionEnd{ExecutionID: 37, Failed: true, UnixNano: 1795305600000000047}}},
		{"task", 3, jvmlog.TaskEvent{Index: 107, Time: 108, Kind: jvmlog.TaskEnd, TID: 4712, Task: 19, Stage: 23, StageAttempt: 1, Partition: 29,
			Partitions: 31, Attempt: 2, Execution: 37, ThreadCPUNanos: 1000, UserNanos: 600, SystemNanos: 400, Flags: jvmlog.TaskFailed,
			InclusionProbability: 0.25, ExecutorCPUNanos: 900, ExecutorDeserializeNanos: 90, GCMillis: 5, RunProbability: 0.75, LeftOut: true}},
		{"symbol", 3, codemap.Frame{Kind: codemap.Native, Method: "memcpy", File: "libc.so.6", Line: 7, Addr: 0x7fff00000010}},
		{"sample", 3, sampler.Sample{Time: 109, Slot: 2, TID: 4712, Period: 5 * time.Millisecond, Addrs: []uint64{0xffffffff81000000, 0x7fff00000010, 1},
			Kernel: 1, Repaired: []int{1, 2}, Flags: sampler.SampleTruncated, Interpreted: []sampler.Interpreted{{Frame: 1, Method: 0x7f0011223344, BCI: -1}, {Frame: 2, Method: 5, BCI: 77}}, Base: 3, Detail: 2, Kept: 0.125, Gap: 6}},
		{"stats", 3, sampler.Stats{Samples: 1, Lost: 2, Throttled: 3, Truncated: 4, Repaired: 5, MissedTaskEvents: 6, MissedRecords: 7, BadRecords: 8, PerfOpenFailures: 9, Named: 10, NameFailures: 11, NamesDeferred: 12, Overrun: 13,
			AgentDroppedRecords: 14, AgentDroppedBytes: 15, AgentDroppedThreads: 16, AgentDroppedSources: 17, AgentDroppedDicts: 18, AgentControlRejections: 19, AgentCPUNanos: 20, AgentDroppedRows: 21, LeftOut: 22, Thinned: 23}},
		{"watermark", 3, jvmlog.MonoTime(110)},
		{"gone", 3, nil},
	}
}

// send makes the calls of a script.
func (c calls) send(t testing.TB, s Sink) {
	for _, k := range c {
		switch arg := k.Arg.(type) {
		case sampler.JVM:
			s.JVMFound(arg)
		case jvmlog.Thread:
			s.Thread(k.JVM, arg)
		case []any:
			s.Record(k.JVM, arg[0].(jvmlog.MonoTime), arg[1].(jvmlog.Record))
		case jvmlog.TaskEvent:
			s.TaskEvent(k.JVM, arg)
		case codemap.Frame:
			s.Symbol(k.JVM, arg)
		case sampler.Sample:
			s.Sample(k.JVM, arg)
		case sampler.Stats:
			s.Stats(k.JVM, arg)
		case jvmlog.MonoTime:
			s.Watermark(k.JVM, arg)
		case nil:
			s.JVMGone(k.JVM)
		default:
			t.Fatalf("script has an argument of type %T", arg)
		}
	}
}

var meta = Meta{
	Version: "1.2.3", Hz: 200, Mode: "self", Command: []string{"python", "job.py"},
	Started: time.Date(2026, 11, 21, 13, 0, 0, 5, time.UTC), ClockOffset: 17,
}

// write records a script; close says whether with the end mark.
func write(t testing.TB, script calls, end bool) []byte {
	var file bytes.Buffer
	w, err := NewWriter(&file, meta)
	require.NoError(t, err)
	script.send(t, w)
	if end {
		require.NoError(t, w.Close())
		require.Zero(t, w.Dropped())
	} else {
		require.NoError(t, w.Flush())
	}
	return file.Bytes()
}

func read(t testing.TB, file []byte) (calls, Meta, error) {
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, Meta{}, err
	}
	defer r.Close()
	var got calls
	err = r.Replay(&got)
	return got, r.Meta(), err
}

func TestRoundTrip(t *testing.T) {
	got, gotMeta, err := read(t, write(t, script(), true))
	require.NoError(t, err)
	require.Equal(t, meta, gotMeta)
	require.Equal(t, script(), got)
}

// walks are the samples of two JVMs whose stacks share callers, interpreted frames among them.
func walks(n int) (out calls) {
	random := rand.New(rand.NewPCG(1, 2))
	now := map[int]jvmlog.MonoTime{}
	for i := range n {
		s := sampler.Sample{Slot: random.IntN(3), TID: 7, Period: 5, Base: 5}
		now[s.Slot] += jvmlog.MonoTime(random.IntN(9))
		s.Time = now[s.Slot]
		for at := range random.IntN(12) {
			s.Addrs = append(s.Addrs, uint64(random.IntN(3))<<40)
			if random.IntN(5) == 0 {
				s.Interpreted = append(s.Interpreted, sampler.Interpreted{Frame: at, Method: uint64(random.IntN(2)), BCI: int32(random.IntN(3)) - 1})
			}
		}
		if i%5 == 0 && len(s.Addrs) > 0 {
			s.Kernel, s.Repaired, s.Kept = 1, []int{len(s.Addrs) - 1}, 0.5
		}
		out = append(out, call{"sample", sampler.JVMID(1 + i%2), s})
		if i%100 == 99 {
			out = append(out, call{"gone", 2, nil})
		}
	}
	return out
}

// canonical has what an empty stack is delivered as.
func (c calls) canonical() calls {
	for i := range c {
		if s, ok := c[i].Arg.(sampler.Sample); ok && s.Addrs == nil {
			s.Addrs = []uint64{}
			c[i].Arg = s
		}
	}
	return c
}

func TestStacksAreWrittenOnce(t *testing.T) {
	script := walks(2000).canonical()
	file := write(t, script, true)
	got, _, err := read(t, file)
	require.NoError(t, err)
	require.Equal(t, script, got)
	require.Less(t, len(file), len(write1(t, script.entries(t)...))/2, "bytes beside major 1")
}

// All trees begin again when there is no room, and a Reader has the same room.
func TestTreesBeginAgain(t *testing.T) {
	const frames = 8192
	var script calls
	for i := range maxNodes/frames + 3 {
		s := sampler.Sample{Slot: i % 2, Addrs: make([]uint64, frames), Time: jvmlog.MonoTime(i)}
		for k := range s.Addrs {
			s.Addrs[k] = uint64(i)<<32 | uint64(k)
		}
		script = append(script, call{"sample", sampler.JVMID(1 + i%2), s}, call{"watermark", 1, jvmlog.MonoTime(i)})
	}
	got, _, err := read(t, write(t, script, true))
	require.NoError(t, err)
	require.True(t, reflect.DeepEqual(script, got), "what was written is read") // Equal would print a million addresses
}

func TestSampleTooLarge(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, meta)
	require.NoError(t, err)
	w.Sample(1, sampler.Sample{Addrs: make([]uint64, maxFrames+1)})
	w.Sample(1, sampler.Sample{Slot: maxSlots})
	require.NoError(t, w.Close())
	require.EqualValues(t, 2, w.Dropped())
	got, _, err := read(t, file.Bytes())
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestWithoutEndMark(t *testing.T) {
	got, _, err := read(t, write(t, script(), false))
	require.ErrorIs(t, err, ErrTruncated)
	require.Equal(t, script(), got, "everything before the cut is delivered")
}

// A recording cut anywhere gives a prefix of the calls and ErrTruncated.
func TestCutAnywhere(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, meta)
	require.NoError(t, err)
	now := w.flushed
	w.now = func() time.Time { now = now.Add(FlushInterval); return now } // every entry is flushed
	script().send(t, w)
	require.NoError(t, w.Close())
	whole := file.Bytes()
	longest := 0
	for n := range len(whole) {
		got, _, err := read(t, whole[:n])
		if err == nil { // only what follows the end mark is missing: the stream's checksum
			require.Equal(t, script(), got, "cut at %d of %d", n, len(whole))
			continue
		}
		require.ErrorIs(t, err, ErrTruncated, "cut at %d of %d", n, len(whole))
		require.Equal(t, append(calls(nil), script()[:len(got)]...), got, "cut at %d", n)
		longest = max(longest, len(got))
	}
	require.Len(t, script(), longest, "without the end mark alone all calls are there")
}

func TestRefusals(t *testing.T) {
	whole := write(t, script(), true)
	change := func(at int, b byte) []byte {
		c := bytes.Clone(whole)
		c[at] = b
		return c
	}
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "read recording head: recording is cut off"},
		{"another magic", change(0, 'X'), `magic is "XLFLMREC"`},
		{"another major", change(8, 3), "format version 3.0, this program reads 1 to 2"},
		{"no zstd", append(bytes.Clone(whole[:headBytes]), "not zstd, not at all"...), "read recording meta: invalid input"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := read(t, test.file)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestBadBodies(t *testing.T) {
	tests := []struct {
		name string
		kind kind
		body []byte
		want string
	}{
		{"short jvm", kindJVM, make([]byte, 31), "decode recording entry 1: JVM of jvm 5: 31 bytes, at least 4128 are needed"},
		{"short thread", kindThread, make([]byte, 8), "THREAD of jvm 5: 8 bytes, at least 136 are needed"},
		{"record without a header", kindRecord, []byte{1}, "RECORD of jvm 5: decode record at 0: 1 bytes of a header"},
		{"short task event", kindTaskEvent, make([]byte, 127), "TASK_EVENT of jvm 5: decode task event: 127 bytes of 128"},
		{"sample that ends early", kindSample, []byte{0, 1, 2, 0}, "SAMPLE of jvm 5: ends in the middle of a number"},
		{"sample with fields of tomorrow", kindSample, []byte{0x80, 0x40, 1, 2, 0, 0}, "SAMPLE of jvm 5: fields 0x2000, at most 0x3ff are known"},
		{"sample of a slot that no log has", kindSample, []byte{0, 0x80, 0x80, 4, 2, 0, 0}, "slot 65536 of at most 65536"},
		{"sample at a node that is not there", kindSample, []byte{0, 1, 2, 1, 0}, "1 nodes back of 0"},
		{"address that was not written", kindSample, []byte{0, 1, 2, 0, 1, 1, 0}, "address 1 of 0"},
		{"more frames than bytes", kindSample, []byte{0, 1, 2, 0, 9, 2}, "9 frames, at most 1 fit"},
		{"more kernel addresses than addresses", kindSample, []byte{hasKernel, 1, 2, 1, 0, 0}, "1 kernel addresses of 0"},
		{"repaired address beyond the stack", kindSample, []byte{hasRepaired, 1, 2, 1, 1, 0, 1, 0, 2, 0}, "repaired address 1 of 1 after -1"},
		{"interpreted frame beyond the stack", kindSample, []byte{0, 1, 2, 0, 1, 0, 2, 1, 1, 5, 7}, "interpreted frame 1 of 1"},
		{"more statistics than bytes", kindStats, []byte{2, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, "STATS of jvm 5: 2 fields, 1 fit"},
		{"symbol of an unknown kind", kindSymbol, append(append(make([]byte, 8), 99), make([]byte, 15)...), "SYMBOL of jvm 5: unknown kind of frame 99"},
		{"symbol with a long name", kindSymbol, append(append(make([]byte, 16), 200), make([]byte, 7)...), "text at byte 16 does not fit into 24 bytes"},
		{"end in the wrong place", kindEnd, le.AppendUint64(nil, 77), "recording has 1 entries, its end mark says 77"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var file bytes.Buffer
			w, err := NewWriter(&file, meta)
			require.NoError(t, err)
			w.write(test.kind, 5, test.body)
			require.NoError(t, w.Close())
			_, _, err = read(t, file.Bytes())
			require.ErrorContains(t, err, test.want)
		})
	}
}

// What a newer version adds is passed over.
func TestNewerMinor(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, meta)
	require.NoError(t, err)
	w.write(77, 5, []byte("a kind of tomorrow"))
	w.write(kindWatermark, 5, append(le.AppendUint64(nil, 23), "a field of tomorrow"...))
	w.write(kindStats, 5, encodeTomorrowsStats())
	require.NoError(t, w.Close())
	r, err := NewReader(&file)
	require.NoError(t, err)
	defer r.Close()
	var got calls
	require.NoError(t, r.Replay(&got))
	require.Equal(t, calls{{"watermark", 5, jvmlog.MonoTime(23)}, {"stats", 5, sampler.Stats{Samples: 7, Lost: 8, Throttled: 9,
		Truncated: 10, Repaired: 11, MissedTaskEvents: 12, MissedRecords: 13, BadRecords: 14, PerfOpenFailures: 15, Named: 16, NameFailures: 17, NamesDeferred: 18,
		Overrun: 19, AgentDroppedRecords: 20, AgentDroppedBytes: 21, AgentDroppedThreads: 22, AgentDroppedSources: 23, AgentDroppedDicts: 24,
		AgentControlRejections: 25, AgentCPUNanos: 26, AgentDroppedRows: 27, LeftOut: 28, Thinned: 29}}}, got)
	require.EqualValues(t, 1, r.Skipped())
}

// A recording of 1.3 has three statistics less.
func TestOlderStats(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, meta)
	require.NoError(t, err)
	all := sampler.Stats{Samples: 7, AgentCPUNanos: 26, AgentDroppedRows: 27}
	b := encodeStats(nil, &all)
	le.PutUint32(b, le.Uint32(b)-3)
	w.write(kindStats, 5, b[:len(b)-24])
	require.NoError(t, w.Close())
	got, _, err := read(t, file.Bytes())
	require.NoError(t, err)
	require.Equal(t, calls{{"stats", 5, sampler.Stats{Samples: 7, AgentCPUNanos: 26}}}, got)
}

// encodeTomorrowsStats has 3 fields more than are known.
func encodeTomorrowsStats() []byte {
	n := len(statsFields(&sampler.Stats{})) + 3
	b := le.AppendUint32(nil, uint32(n))
	b = le.AppendUint32(b, 0)
	for i := range n {
		b = le.AppendUint64(b, uint64(7+i))
	}
	return b
}

// full fails after some bytes, as a full disk does.
type full struct{ left int }

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestFullDisk(t *testing.T) {
	w, err := NewWriter(&full{left: headBytes + 300}, meta)
	require.NoError(t, err)
	now := w.flushed
	w.now = func() time.Time { now = now.Add(FlushInterval); return now } // every entry is flushed
	script().send(t, w)
	require.ErrorIs(t, w.Err(), errFull)
	require.Positive(t, w.Dropped())
	require.ErrorIs(t, w.Close(), errFull)
	require.ErrorIs(t, w.Close(), errFull, "closing twice")
}

// What is older than FlushInterval is in the file, whatever happens then.
func TestFlushes(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, meta)
	require.NoError(t, err)
	now := w.flushed
	w.now = func() time.Time { return now }
	w.Watermark(1, 11)
	now = now.Add(FlushInterval)
	w.Watermark(1, 13)
	w.Watermark(1, 17)
	got, _, err := read(t, file.Bytes())
	require.ErrorIs(t, err, ErrTruncated)
	require.Equal(t, calls{{"watermark", 1, jvmlog.MonoTime(11)}, {"watermark", 1, jvmlog.MonoTime(13)}}, got)
}

func TestRecordTooLarge(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, meta)
	require.NoError(t, err)
	w.Record(1, 2, &jvmlog.Source{Body: strings.Repeat("x", jvmlog.MaxRecordBytes)})
	require.NoError(t, w.Close())
	require.EqualValues(t, 1, w.Dropped())
	got, _, err := read(t, file.Bytes())
	require.NoError(t, err)
	require.Empty(t, got)
}

func FuzzReader(f *testing.F) {
	whole := write(f, script(), true)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	for _, k := range []int{9, 20, 40} {
		c := bytes.Clone(whole)
		c[k] ^= 0x55
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		got, _, err := read(t, file)
		if err == nil && len(got) == 0 && len(file) < headBytes {
			t.Fatal("a recording out of nothing")
		}
	})
}

// FuzzEntry gives a decoder bodies that no compression protects.
func FuzzEntry(f *testing.F) {
	for _, e := range script().entries(f) {
		f.Add(uint16(1), uint16(e.kind), e.body)
	}
	w := &Writer{trees: map[sampler.JVMID]*growing{}}
	for _, c := range script() {
		if s, ok := c.Arg.(sampler.Sample); ok {
			body, err := w.encodeSample(nil, c.JVM, &s)
			require.NoError(f, err)
			f.Add(uint16(2), uint16(kindSample), body)
		}
	}
	f.Fuzz(func(t *testing.T, major, k uint16, body []byte) {
		var got calls
		r := &Reader{major: major, trees: map[sampler.JVMID]*grown{}}
		if err := r.deliver(&got, kind(k), 1, body); err == nil && len(got) > 1 {
			t.Fatalf("%d calls from one entry", len(got))
		}
	})
}

// A count that no entry holds would be 0 in every replay.
func TestEveryCountIsKept(t *testing.T) {
	var s sampler.Stats
	kept := statsFields(&s)
	for i, f := range kept {
		*f = uint64(i) + 1
	}
	v := reflect.ValueOf(s)
	require.Len(t, kept, v.NumField())
	for i := range v.NumField() {
		require.NotZero(t, v.Field(i).Uint(), "statsFields has no %s", v.Type().Field(i).Name)
	}
}
