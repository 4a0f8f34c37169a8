package pipeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// Frames of the interpreter get the name of the method that their Method* was at the time, and the
// line of their bytecode.
func TestInterpretedFrames(t *testing.T) {
	const interpreterCode, method = 0x9000, 0x7f00deadbe00
	s := newScenario(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.p.Record(7, 1, &jvmlog.Stub{Address: interpreterCode, Size: 0x1000, Name: "Interpreter"})
	named := func(at jvmlog.MonoTime, id jvmlog.MethodID, class string, loader jvmlog.LoaderID) {
		s.p.Record(7, at, &jvmlog.Method{ID: id, Ptr: method, Class: class, Name: "run", SourceFile: class + ".java", Loader: loader,
			Lines: []jvmlog.LineEntry{{StartBCI: 0, Line: 30}, {StartBCI: 8, Line: 31}}})
	}
	named(100, 5, "a.First", 3)
	named(150, sampler.FirstOwnMethod, "a.First", 0) // the sampler's own record says nothing new
	named(200, 6, "b.Second", 4)                     // the class was unloaded and its memory used again
	for _, at := range []jvmlog.MonoTime{50, 170, 250} {
		s.p.Sample(7, sampler.Sample{Time: at, TID: 41, Period: time.Millisecond, Addrs: []uint64{interpreterCode + 8, interpreterCode + 9, interpreterCode + 10},
			Interpreted: []sampler.Interpreted{{Frame: 0, Method: method, BCI: 9}, {Frame: 2, Method: method + 8, BCI: 1}}})
	}
	s.p.Finish()
	for i, want := range []codemap.Frame{
		{Class: "a.First", Loader: 3}, // ran before its record was written
		{Class: "a.First", Loader: 3},
		{Class: "b.Second", Loader: 4},
	} {
		want.Kind, want.Method, want.File, want.Line, want.Addr = codemap.Interpreted, "run", want.Class+".java", 31, interpreterCode+8
		got := s.got.samples[i].Frames
		got[0].Early = false
		require.Equal(t, want, got[0], "sample %d", i)
		require.Empty(t, got[1].Class, "nothing is known of it")
		require.Empty(t, got[2].Class, "its Method* has no record")
	}
}

// The sampler may name a generated method before the agent does; the agent's record, which has the
// loader, counts for samples before it, too.
func TestTheAgentsNameTakesThePlaceOfTheSamplers(t *testing.T) {
	n := newInterpreter(codemap.New(codemap.Settings{}))
	add := func(at jvmlog.MonoTime, m *jvmlog.Method) {
		n.code.Apply(at, m)
		n.add(at, m)
	}
	add(100, &jvmlog.Method{ID: 2, Ptr: 8, Class: "a.Old", Name: "run", Loader: 3})
	add(200, &jvmlog.Method{ID: sampler.FirstOwnMethod, Ptr: 8, Class: "G", Name: "run"})
	add(205, &jvmlog.Method{ID: 5, Ptr: 8, Class: "G", Name: "run", Loader: 7})
	add(300, &jvmlog.Method{ID: 6, Ptr: 8, Class: "G", Name: "run", Loader: 9})
	for at, want := range map[jvmlog.MonoTime]jvmlog.LoaderID{150: 3, 200: 7, 299: 7, 300: 9} {
		require.Equal(t, want, n.name(at, sampler.Interpreted{Method: 8, BCI: -1}, codemap.Frame{}).Loader, "at %d", at)
	}
}

// A generated class takes the memory of an unloaded one. The agent writes its methods a little
// later, with the time when the class was prepared. No sample taken since gets the old name, and no
// sample before it the new name.
func TestAReusedMethodHasItsNameFromTheStart(t *testing.T) {
	n := newInterpreter(codemap.New(codemap.Settings{}))
	add := func(at jvmlog.MonoTime, m *jvmlog.Method) {
		n.code.Apply(at, m)
		n.add(at, m)
	}
	add(100, &jvmlog.Method{ID: 2, Ptr: 8, Class: "G", Name: "run", Loader: 3})
	add(400, &jvmlog.Method{ID: sampler.FirstOwnMethod, Ptr: 8, Class: "accessor", Name: "invoke"}) // the second that took it, told before the first
	add(300, &jvmlog.Method{ID: 5, Ptr: 8, Class: "G", Name: "run", Loader: 7})
	add(505, &jvmlog.Method{ID: 6, Ptr: 8, Class: "G", Name: "run", Loader: 9}) // when it was compiled
	add(500, &jvmlog.Method{ID: 6, Ptr: 8, Class: "G", Name: "run", Loader: 9}) // when it was prepared
	require.Equal(t, 4, n.count)
	for at, want := range map[jvmlog.MonoTime]jvmlog.LoaderID{100: 3, 299: 3, 300: 7, 399: 7, 400: 0, 499: 0, 500: 9, 504: 9} {
		require.Equal(t, want, n.name(at, sampler.Interpreted{Method: 8, BCI: -1}, codemap.Frame{}).Loader, "at %d", at)
	}
}

// What the code map has dropped is dropped here, too.
func TestInterpreterFollowsTheCodeMap(t *testing.T) {
	n := newInterpreter(codemap.New(codemap.Settings{MaxMethodBytes: 1 << 20}))
	name := strings.Repeat("n", 100)
	const reused = 7
	most, id := 0, jvmlog.MethodID(1)
	add := func(ptr uint64, class string) {
		m := &jvmlog.Method{ID: id, Ptr: ptr, Class: class, Name: fmt.Sprint(id, name), Flags: jvmlog.MethodGenerated}
		n.code.Apply(jvmlog.MonoTime(id), m)
		n.add(jvmlog.MonoTime(id), m)
		most = max(most, n.count)
		id++
	}
	add(reused, "First")
	add(8, "Gone")
	for range 3 * leastInterpreted {
		add(1000+uint64(id), "C")
	}
	require.LessOrEqual(t, most, leastInterpreted, "of some five thousand that are known")
	require.False(t, n.code.Knows(1))
	require.NotContains(t, n.methods, uint64(8))
	for i := range 50 {
		add(reused, fmt.Sprint("Again", i))
	}
	n.tidy()
	f := n.name(jvmlog.MonoTime(id), sampler.Interpreted{Method: reused, BCI: -1}, codemap.Frame{})
	require.Equal(t, "Again49", f.Class)
	f = n.name(jvmlog.MonoTime(id-2), sampler.Interpreted{Method: reused, BCI: -1}, codemap.Frame{})
	require.Equal(t, "Again48", f.Class, "those before are kept for late samples")
	count := len(n.methods)
	for _, before := range n.before {
		count += len(before)
	}
	require.Equal(t, count, n.count)
}

func TestInterpreterIsBounded(t *testing.T) {
	n := newInterpreter(codemap.New(codemap.Settings{}))
	n.code.Apply(1, &jvmlog.Method{ID: 1})
	for i := range uint64(maxInterpreted + 3) {
		n.add(1, &jvmlog.Method{ID: 1, Ptr: 1 + i})
	}
	require.Len(t, n.methods, 3)
	n.add(1, &jvmlog.Method{Class: "no Method*"})
	require.Len(t, n.methods, 3)
}

// A method that the interpreter runs may be any operator's: unless it has a name, no operator gets
// its sample.
func TestAnUnnamedInterpretedMethodIsNoOperatorsCost(t *testing.T) {
	const interpreterCode, method = 0x9000, 0x7f00deadbe00
	s := newScenario(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 20, System: 5})
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(12), 41, 900, 6, 4, jvmtest.Clocks{CPU: 30, System: 8})
	s.p.Record(7, 1, &jvmlog.Stub{Address: interpreterCode, Size: 0x1000, Name: "Interpreter"})
	s.p.Record(7, jvmtest.At(10), &jvmlog.Method{ID: 70, Ptr: method, Class: "com.example.Hash", Name: "mix"})
	for i, of := range []uint64{method, method + 8} {
		s.p.Sample(7, sampler.Sample{Time: jvmtest.At(11) + jvmlog.MonoTime(i), TID: 41, Period: time.Millisecond, Addrs: []uint64{interpreterCode + 8, jvmtest.ScanCode + 9, jvmtest.RunCode + 9},
			Interpreted: []sampler.Interpreted{{Frame: 0, Method: of, BCI: 0}}})
	}
	s.p.Finish()
	require.Len(t, s.got.samples, 2)
	named, unnamed := s.got.samples[0], s.got.samples[1]
	require.Equal(t, "scan@22", string(named.Operator))
	require.False(t, named.Verdict.Weak)
	require.Empty(t, unnamed.Operator)
	require.Equal(t, attribution.BucketUnknown, unnamed.Bucket)
	require.True(t, unnamed.Verdict.Weak)
	require.EqualValues(t, 1, s.p.Counts().UnnamedMethod)
}

// The names of generated classes' methods come last in a replay: a sample waits for them as it does
// for a plan, and no longer.
func TestASampleWaitsForTheNamesOfItsMethods(t *testing.T) {
	const interpreterCode, method = 0x9000, 0x7f00deadbe00
	s := newScenario(Settings{Hold: 2 * time.Second, PlanWait: 10 * time.Second})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 20, System: 5})
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(12), 41, 900, 6, 4, jvmtest.Clocks{CPU: 30, System: 8})
	s.p.Record(7, 1, &jvmlog.Stub{Address: interpreterCode, Size: 0x1000, Name: "Interpreter"})
	for i, of := range []uint64{method, method + 8} {
		s.p.Sample(7, sampler.Sample{Time: jvmtest.At(11) + jvmlog.MonoTime(i), TID: 41, Period: time.Millisecond, Addrs: []uint64{interpreterCode + 8, jvmtest.ScanCode + 9, jvmtest.RunCode + 9},
			Interpreted: []sampler.Interpreted{{Frame: 0, Method: of, BCI: 0}}})
	}
	s.p.Watermark(7, jvmtest.At(15))
	require.Empty(t, s.got.samples, "neither has its name")
	require.Empty(t, s.got.tasks)
	s.p.Record(7, jvmtest.At(16), &jvmlog.Method{ID: 70, Ptr: method, Class: "com.example.Hash", Name: "mix"})
	s.p.Watermark(7, jvmtest.At(17))
	require.Len(t, s.got.samples, 1)
	require.Equal(t, "scan@22", s.got.samples[0].Operator)
	require.Empty(t, s.got.tasks, "the end of a task comes after all its samples")
	s.p.Watermark(7, jvmtest.At(24))
	require.Len(t, s.got.samples, 2)
	require.Len(t, s.got.tasks, 1)
	require.Equal(t, attribution.BucketUnknown, s.got.samples[1].Bucket)
}
