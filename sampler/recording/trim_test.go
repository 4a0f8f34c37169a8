package recording

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// logged is a record of JVM 3 at a time.
func logged(t jvmlog.MonoTime, r jvmlog.Record) call { return call{"record", 3, []any{t, r}} }

func load(t jvmlog.MonoTime, address uint64, size uint32, methods ...jvmlog.MethodID) call {
	code := &jvmlog.CodeLoad{Address: address, Size: size, Method: methods[0], PCs: []jvmlog.PCRegion{{End: size, Count: uint32(len(methods))}}}
	for _, m := range methods {
		code.Frames = append(code.Frames, jvmlog.CodeFrame{Method: m, BCI: int32(m)})
	}
	return logged(t, code)
}

func methodOf(id jvmlog.MethodID, ptr uint64, loader jvmlog.LoaderID) call {
	m := &jvmlog.Method{ID: id, Ptr: ptr, Class: "C", Name: "m" + string(rune('a'+id)), Loader: loader}
	if loader != 0 {
		m.Flags = jvmlog.MethodGenerated
	}
	return logged(jvmlog.MonoTime(id), m)
}

func source(loader jvmlog.LoaderID) call {
	return logged(9, &jvmlog.Source{Loader: loader, Class: "G", Body: fmt.Sprintf("body %d", loader), Comments: []byte("{}")})
}

func plan(id tasksample.ExecutionID, query, name string, accumulator int) call {
	text := fmt.Sprintf(`{"query":%q,"query_name":%q,"nodes":[{"metrics":[{"id":%d}]}]}`, query, name, accumulator)
	return logged(10, &jvmlog.Dictionary{Execution: id, JSON: []byte(text)})
}

func stageRecord(stage int, id tasksample.ExecutionID, accumulators ...tasksample.AccumulatorID) call {
	return logged(11, &jvmlog.Stage{Stage: tasksample.StageID(stage), Execution: id, Accumulators: accumulators})
}

func task(kind jvmlog.TaskEventKind, at jvmlog.MonoTime, tid uint32, stage int, id tasksample.ExecutionID) call {
	return call{"task", 3, jvmlog.TaskEvent{Time: at, Kind: kind, TID: tid, Task: tasksample.TaskAttemptID(100*int(tid) + stage), Stage: tasksample.StageID(stage), Execution: id}}
}

func hit(at jvmlog.MonoTime, tid uint32, addrs ...uint64) call {
	return call{"sample", 3, sampler.Sample{Time: at, Slot: int(tid), TID: tid, Period: 5, Addrs: addrs}}
}

// interprets is a sample in an interpreted method.
func interprets(at jvmlog.MonoTime, tid uint32, addr, ptr uint64) call {
	s := hit(at, tid, addr)
	sample := s.Arg.(sampler.Sample)
	sample.Interpreted = []sampler.Interpreted{{Method: ptr, BCI: 5}}
	s.Arg = sample
	return s
}

func found(at jvmlog.MonoTime) call {
	return call{"found", 3, sampler.JVM{ID: 3, PID: 7, Header: header(), Mode: sampler.ModePrivileged, FoundAt: at}}
}

// of makes sources of files.
func of(files ...[]byte) (out []Source) {
	for _, f := range files {
		out = append(out, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f)), nil })
	}
	return out
}

// trimmed is what Trim makes of files.
func trimmed(t *testing.T, choose func(query, name string) bool, files ...[]byte) (calls, Trimmed) {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, meta)
	require.NoError(t, err)
	out, err := Trim(w, choose, of(files...)...)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	got, _, err := read(t, file.Bytes())
	require.NoError(t, err)
	return got.canonical(), out
}

func carriedOver(t *testing.T, fresh bool, files ...[]byte) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, meta)
	require.NoError(t, err)
	require.NoError(t, CarryOver(w, fresh, of(files...)...))
	require.NoError(t, w.Close())
	return file.Bytes()
}

func TestTrimLeavesOutCodeThatNoSampleMet(t *testing.T) {
	native := codemap.Frame{Kind: codemap.Native, Addr: 0x9000, Method: "memcpy"}
	unmet := codemap.Frame{Kind: codemap.Native, Addr: 0x9100, Method: "strlen"}
	kept := calls{
		found(1),
		methodOf(1, 0x11, 0), methodOf(2, 0, 0), // of code that is hit: itself, inlined
		methodOf(4, 0x44, 5), // interpreted
		load(20, 0x1000, 0x100, 1, 2),
		load(30, 0x10f0, 0x80, 3), // takes the place of what was hit, which so ends
		logged(31, &jvmlog.CodeUnload{Address: 0x10f0, Method: 3}),
		load(32, 0x3000, 0x100, 2), // a return address stands behind it
		logged(33, &jvmlog.Stub{Address: 0x5000, Size: 0x10, Name: "stub"}),
		source(5), source(6),
		{"symbol", 3, native},
		hit(40, 1, 0x1004, 0x9000, 0x3100), interprets(41, 1, 0x5000, 0x44),
		{"watermark", 3, jvmlog.MonoTime(50)}, {"gone", 3, nil},
	}
	left := calls{
		methodOf(3, 0x33, 0), // of code that no sample hit
		load(21, 0x2000, 0x100, 3, 1),
		logged(22, &jvmlog.CodeUnload{Address: 0x2000, Method: 3}),
		{"symbol", 3, unmet},
	}
	all := append(append(calls{kept[0]}, left...), kept[1:]...)
	got, out := trimmed(t, nil, write(t, all, true))
	require.Equal(t, kept.canonical(), got)
	require.Equal(t, uint64(2), out.Samples)
	require.Equal(t, uint64(2), out.Read)
}

// chosen is a choice of one query by its name.
func chosen(name string) func(string, string) bool {
	return func(_, of string) bool { return of == name }
}

func TestTrimKeepsQueries(t *testing.T) {
	other := task(jvmlog.TaskStart, 60, 2, 9, 8)
	unwanted := other.Arg.(jvmlog.TaskEvent)
	unwanted.LeftOut = true
	times := func(text string) call { return logged(12, &jvmlog.Times{JSON: []byte(text)}) }
	kept := calls{
		found(1), methodOf(1, 0, 5), load(20, 0x1000, 0x100, 1), source(5),
		plan(7, "q1-a", "nightly", 70), stageRecord(4, 7, 70), plan(9, "q1-c", "cached", 90), // whose code stage 4 runs, too
		stageRecord(5, -1, 70), // of no execution, but of its plan
		times(`{"kind":"execution","execution_id":7,"query":"q1-a","query_name":"nightly"}`), times(`{"kind":"application"}`),
		task(jvmlog.TaskStart, 30, 1, 4, 7), hit(29, 1, 0x1004), hit(31, 1, 0x1008), // between tasks: the next one's
		{"task", 3, unwanted},
		task(jvmlog.TaskEnd, 40, 1, 4, 7),
		task(jvmlog.TaskStart, 41, 1, 5, -1), hit(42, 1, 0x100c), task(jvmlog.TaskEnd, 43, 1, 5, -1),
	}
	kept[5] = stageRecord(4, 7, 70, 90)
	left := calls{
		methodOf(2, 0, 6), load(21, 0x2000, 0x100, 2), source(6), plan(8, "q1-b", "hourly", 80), stageRecord(9, 8, 80),
		times(`{"kind":"execution","execution_id":8,"query":"q1-b","query_name":"hourly"}`), times(`{"kind":"stage","execution_id":8,"stage_id":9}`),
		logged(13, &jvmlog.ExecutionEnd{ExecutionID: 8}), logged(14, &jvmlog.Rows{StageID: 9, ExecutionID: 8, Tasks: 1}),
	}
	all := append(append(calls{kept[0]}, left...), kept[1:]...)
	all = append(all, hit(61, 2, 0x2004), hit(44, 1, 0x2008)) // of the other query; behind the last task
	for i, c := range all {
		if c.What == "task" && c.Arg.(jvmlog.TaskEvent).LeftOut {
			all[i] = other
		}
	}
	got, out := trimmed(t, chosen("nightly"), write(t, all, true))
	assert.Equal(t, kept.canonical(), got)
	assert.Equal(t, Trimmed{Read: 5, Samples: 3, Tasks: 2, Times: 1}, out)

	got, out = trimmed(t, chosen("yearly"), write(t, all, true))
	assert.True(t, out.Empty())
	for _, c := range got {
		assert.NotContains(t, []string{"sample", "symbol"}, c.What)
		if c.What == "record" {
			assert.Equal(t, times(`{"kind":"application"}`), c)
		}
	}
}

// TestTrimLosesEndsOfTasks has tasks of stage 4, which is wanted, whose ends are lost. The next
// task on the thread has its own samples, even if its start is lost, too.
func TestTrimLosesEndsOfTasks(t *testing.T) {
	const start, end = jvmlog.TaskStart, jvmlog.TaskEnd
	n := newStages()
	for _, e := range []jvmlog.TaskEvent{
		{Kind: start, Time: 30, Task: 1, Stage: 4}, {Kind: start, Time: 50, Task: 2, Stage: 9}, {Kind: end, Time: 60, Task: 2, Stage: 9},
		{Kind: start, Time: 70, Task: 3, Stage: 4}, {Kind: end, Time: 80, Task: 4, Stage: 9},
		{Kind: start, Time: 90, Task: 5, Stage: 4},
	} {
		n.task(&e)
	}
	n.stage(stageKey{stage: 4}).wanted = true
	for at, want := range map[jvmlog.MonoTime]bool{40: true, 55: false, 65: true, 75: false, 85: true, 95: true} {
		assert.Equal(t, want, n.hasSample(&sampler.Sample{Time: at}), "%d", at)
	}
}

// TestParts cuts a JVM's recording in two: the second part is readable alone.
func TestParts(t *testing.T) {
	first := calls{
		found(1), logged(2, &jvmlog.VMLayout{JSON: []byte("{}")}), logged(3, &jvmlog.CodeHeap{Low: 0x1000, High: 0x9000, Name: "heap"}),
		methodOf(1, 0, 0), methodOf(2, 0x22, 5), methodOf(3, 0, 6), source(5), source(6),
		load(20, 0x1000, 0x100, 1), load(21, 0x2000, 0x100, 3), load(22, 0x3000, 0x100, 3),
		plan(7, "q1-a", "nightly", 70), plan(8, "q1-b", "hourly", 80), stageRecord(4, 7, 70), stageRecord(9, 8, 80),
		{"symbol", 3, codemap.Frame{Kind: codemap.Native, Addr: 0xa000, Method: "memcpy"}},
		hit(30, 1, 0x2004, 0xa000), logged(31, &jvmlog.CodeUnload{Address: 0x2000, Method: 3}),
		{"stats", 3, sampler.Stats{Samples: 1}}, {"watermark", 3, jvmlog.MonoTime(32)},
	}
	second := calls{
		found(40), task(jvmlog.TaskStart, 41, 1, 4, 7), hit(42, 1, 0x1010, 0xa000), interprets(43, 1, 0x8000, 0x22), task(jvmlog.TaskEnd, 44, 1, 4, 7),
		{"watermark", 3, jvmlog.MonoTime(45)}, {"gone", 3, nil},
	}
	code := carriedOver(t, false, write(t, first, false))
	got, out := trimmed(t, nil, code, write(t, second, true))
	assert.Equal(t, append(calls{
		second[0], first[1], first[2], first[3], first[4], first[6], first[8], first[11], first[13], first[15],
	}, second[1:]...).canonical(), got)
	assert.Equal(t, Trimmed{Read: 2, Samples: 2, Tasks: 1}, out)

	carried, _, err := read(t, code)
	require.NoError(t, err)
	assert.NotContains(t, carried, first[9], "unloaded")
	assert.Contains(t, carried, first[10], "not unloaded, though not met yet")
	assert.Contains(t, carried, first[12], "an execution that goes on")

	next, _, err := read(t, carriedOver(t, true, code, write(t, second, true)))
	require.NoError(t, err)
	assert.Contains(t, next, first[8], "the JVM's code stays")
	for _, c := range next {
		if c.What == "record" {
			assert.NotContains(t, []string{"*jvmlog.Dictionary", "*jvmlog.Stage"}, fmt.Sprintf("%T", c.Arg.([]any)[1]), "of the application before")
		}
	}
}

// TestCarryOverIsBounded carries over the methods that were met last.
func TestCarryOverIsBounded(t *testing.T) {
	all := calls{found(1)}
	for i := range carriedMethods + 10 {
		all = append(all, methodOf(jvmlog.MethodID(i+1), uint64(i+1), jvmlog.LoaderID(i/1000+1)))
	}
	for i := range carriedPlans + 3 {
		all = append(all, plan(tasksample.ExecutionID(i), "q1-a", "nightly", i))
	}
	for i := range carriedEnded + 2 {
		id := tasksample.ExecutionID(carriedPlans + 3 + i)
		all = append(all, plan(id, "q1-a", "nightly", i), logged(99, &jvmlog.ExecutionEnd{ExecutionID: id}))
	}
	all = append(all, interprets(50, 1, 0x8000, 4)) // the fourth was met
	got, _, err := read(t, carriedOver(t, false, write(t, all, true)))
	require.NoError(t, err)
	methods, plans := map[jvmlog.MethodID]bool{}, map[tasksample.ExecutionID]bool{}
	for _, c := range got {
		switch r := c.Arg.([]any)[1].(type) {
		case *jvmlog.Method:
			methods[r.ID] = true
		case *jvmlog.Dictionary:
			plans[r.Execution] = true
		}
	}
	assert.Len(t, methods, carriedMethods)
	assert.True(t, methods[4], "met by a sample")
	assert.False(t, methods[3] || methods[11], "the oldest")
	assert.True(t, methods[12])
	assert.Len(t, plans, carriedPlans+carriedEnded)
	assert.False(t, plans[2] || plans[carriedPlans+3] || plans[carriedPlans+4])
	assert.True(t, plans[3] && plans[carriedPlans+5])
}

// TestTrimCutOff takes a spool as far as it goes.
func TestTrimCutOff(t *testing.T) {
	whole := calls{found(1), hit(10, 1, 0x1000), hit(11, 1, 0x2000)}
	var file bytes.Buffer
	w, err := NewSpool(&file, meta)
	require.NoError(t, err)
	whole.send(t, w)
	require.NoError(t, w.Flush())
	flushed := file.Len()
	calls{hit(12, 1, 0x3000)}.send(t, w)
	require.NoError(t, w.Close())
	got, out := trimmed(t, nil, file.Bytes()[:flushed+2])
	require.Equal(t, whole.canonical(), got)
	require.Equal(t, Trimmed{Read: 2, Samples: 2}, out)
}

func TestTrimRefusals(t *testing.T) {
	w, err := NewWriter(io.Discard, meta)
	require.NoError(t, err)
	_, err = Trim(w, nil, of([]byte(strings.Repeat("x", 64)))...)
	require.ErrorContains(t, err, "no recording")
	_, err = Trim(w, nil, func() (io.ReadCloser, error) { return nil, fmt.Errorf("gone") })
	require.ErrorContains(t, err, "gone")
	_, err = MetaOf(of([]byte("PLFLMREC"))[0])
	require.ErrorIs(t, err, ErrTruncated)
}
