package window

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

const ms = time.Millisecond

// One task of 100 ms, of which 20 in the kernel and 10 of user time before its thread's event was
// opened; 12 samples of 5 ms.
func oneTask(s *scenario) {
	s.p.Thread(7, jvmlog.Thread{TID: 41, StartTime: 1, CPUNanosAtOpen: 12e6, Flags: jvmlog.ThreadTask})
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 11, System: 2})
	for i := range 12 {
		code := uint64(jvmtest.ScanCode)
		if i >= 9 {
			code = jvmtest.ShuffleCode
		}
		s.Sample(7, jvmtest.At(10)+jvmlog.MonoTime(i), 41, code+5, jvmtest.RunCode+5)
	}
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(12), 41, 900, 6, 4, jvmtest.Clocks{CPU: 100, System: 20})
}

func TestCalibratesToTheThreadsCPU(t *testing.T) {
	p, _ := run(t, Settings{Calibrate: true}, sampler.ModeSelfOpened, oneTask)
	// 70 ms of user CPU could be sampled; 60 ms of samples stand for them: 9 : 3.
	require.Equal(t, map[string]time.Duration{
		"Scan t": 52500 * time.Microsecond, "ShuffleExchange a (write)": 17500 * time.Microsecond,
		"[kernel (not sampled)]": 20 * ms, "[task deserialization]": 10 * ms,
	}, cpuOf(p))
	require.Equal(t, Totals{
		Samples: 12, Raw: 60 * ms, TaskCPU: 100 * ms, Kernel: 20 * ms, Unsampled: 10 * ms, ExecutorCPU: 7 * ms, Tasks: 1,
	}, p.Totals)
	requireSum(t, p)
}

func TestPrivilegedSamplesCoverTheKernel(t *testing.T) {
	p, _ := run(t, Settings{Calibrate: true}, sampler.ModePrivileged, oneTask)
	// 90 of 100 ms could be sampled, the kernel's included.
	require.Equal(t, map[string]time.Duration{
		"Scan t": 67500 * time.Microsecond, "ShuffleExchange a (write)": 22500 * time.Microsecond, "[task deserialization]": 10 * ms,
	}, cpuOf(p))
	require.Zero(t, p.Totals.Kernel)
	requireSum(t, p)
}

// Of the 10 ms that a task used before its event was opened, the reader before has told 4, in its
// profiles. A cost is told when its task ends: it has all 10.
func TestWhatTheReaderBeforeHasTold(t *testing.T) {
	p, _ := run(t, Settings{Executions: true}, sampler.ModePrivileged, func(s *scenario) {
		s.p.Thread(7, jvmlog.Thread{TID: 41, StartTime: 1, CPUNanosAtOpen: 21e6, BasePeriodNS: 5e6, Flags: jvmlog.ThreadTask})
		event := jvmlog.TaskEvent{Index: 3, Kind: jvmlog.TaskStart, Time: jvmtest.At(10), TID: 41, Task: 900, Stage: 6, Execution: 4, ThreadCPUNanos: 11e6, BeforeNanos: 4e6}
		s.p.TaskEvent(7, event)
		event.Index, event.Kind, event.Time, event.ThreadCPUNanos, event.BeforeNanos = 4, jvmlog.TaskEnd, jvmtest.At(12), 28e6, 0
		s.p.TaskEvent(7, event)
	})
	require.Equal(t, map[string]time.Duration{"[task deserialization]": 6 * ms}, cpuOf(p))
	require.Equal(t, 13*ms, p.Totals.TaskCPU)
	var known []time.Duration
	for _, k := range p.Known {
		known = append(known, k.CPU)
	}
	require.ElementsMatch(t, []time.Duration{10 * ms, 17 * ms}, known, "of the bucket, and of the query")
}

// A window holds parts of tasks, so its weights stay; the kernel time of tasks that ended in it is
// added.
func TestWindowKeepsWeights(t *testing.T) {
	p, _ := run(t, Settings{}, sampler.ModeSelfOpened, oneTask)
	require.Equal(t, map[string]time.Duration{
		"Scan t": 45 * ms, "ShuffleExchange a (write)": 15 * ms, "[kernel (not sampled)]": 20 * ms, "[task deserialization]": 10 * ms,
	}, cpuOf(p))
}

func TestStageWithoutSamples(t *testing.T) {
	p, _ := run(t, Settings{Calibrate: true}, sampler.ModeSelfOpened, func(s *scenario) {
		oneTask(s)
		s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(13), 41, 901, 8, 4, jvmtest.Clocks{CPU: 100, System: 20})
		s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(14), 41, 901, 8, 4, jvmtest.Clocks{CPU: 104, System: 21})
	})
	require.Equal(t, 3*ms, cpuOf(p)["[no samples]"])
	require.Equal(t, 21*ms, cpuOf(p)["[kernel (not sampled)]"])
	require.Equal(t, 52500*time.Microsecond, cpuOf(p)["Scan t"], "the other stage is as before")
	for _, e := range p.Entries {
		if e.Labels.Bucket == attribution.BucketNoSamples {
			require.EqualValues(t, 8, e.Labels.Stage)
			require.Equal(t, "q1-of4", e.Labels.Query)
			require.Equal(t, []pipeline.StackFrame{{Name: "[no samples]", Type: pipeline.FrameOperator}}, stackOf(p.Stacks, e.Stack))
		}
	}
	requireSum(t, p)
}

// Where no end was seen the samples' weight is all that is known of a task's CPU.
func TestTaskThatNeverEnded(t *testing.T) {
	p, _ := run(t, Settings{Calibrate: true}, sampler.ModeSelfOpened, func(s *scenario) {
		s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{})
		for i := range 3 {
			s.Sample(7, jvmtest.At(11)+jvmlog.MonoTime(i), 41, jvmtest.ScanCode+5)
		}
	})
	require.Equal(t, map[string]time.Duration{"Scan t": 15 * ms}, cpuOf(p))
	require.Equal(t, 15*ms, p.Totals.Unaccounted)
	require.Equal(t, 15*ms, p.Totals.TaskCPU)
	requireSum(t, p)
}

// Samples that were labelled while their task ran count as its own once it has ended.
func TestSamplesBeforeTheEndOfTheirTask(t *testing.T) {
	acc := New(Settings{Calibrate: true})
	s := scenarioInto(pipeline.Settings{Hold: time.Second}, acc)
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{})
	s.Sample(7, jvmtest.At(11), 41, jvmtest.ScanCode+5)
	s.p.Watermark(7, jvmtest.At(15))
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(20), 41, 900, 6, 4, jvmtest.Clocks{CPU: 8})
	s.p.Finish()
	p := acc.Take().JVMs[0]
	require.Equal(t, map[string]time.Duration{"Scan t": 8 * ms}, cpuOf(p))
	requireSum(t, p)
}

// A task that spans windows counts once over all of them, with what its samples said first and the
// rest when it ends.
func TestTaskOverWindows(t *testing.T) {
	for name, test := range map[string]struct {
		cpu  time.Duration
		want []time.Duration // Totals.TaskCPU by window
	}{
		"more than its samples said":          {17 * ms, []time.Duration{10 * ms, 5 * ms, 2 * ms, 4 * ms}},
		"less, the next task makes up for it": {12 * ms, []time.Duration{10 * ms, 5 * ms, 0, 1 * ms}},
	} {
		t.Run(name, func(t *testing.T) {
			acc := New(Settings{})
			of := pipeline.Task{ID: 900, Stage: 6}
			l := pipeline.Labels{JVM: 7, Stage: 6, Task: 900}
			var got []time.Duration
			take := func() { got = append(got, acc.Take().JVMs[0].Totals.TaskCPU) }
			sample := func() { acc.Sample(&pipeline.Labelled{Labels: l, Weight: 5 * ms, Of: &of}) }
			sample()
			sample()
			take()
			sample()
			take()
			acc.Task(pipeline.TaskCPU{Labels: l, Of: of, CPU: test.cpu, KernelSampled: true})
			take()
			acc.Task(pipeline.TaskCPU{Labels: l, Of: pipeline.Task{ID: 901, Stage: 6}, CPU: 4 * ms, KernelSampled: true})
			take()
			require.Equal(t, test.want, got)
		})
	}
}

func TestTakeStartsAnew(t *testing.T) {
	_, acc := run(t, Settings{}, sampler.ModeSelfOpened, oneTask)
	p := acc.Take()
	require.Len(t, p.JVMs, 1, "the JVM is still there")
	require.Empty(t, p.JVMs[0].Entries)
	require.Zero(t, p.JVMs[0].Totals)
	acc.SamplerStats(7, sampler.Stats{Lost: 3})
	acc.JVMGone(7)
	p = acc.Take()
	require.True(t, p.JVMs[0].Gone)
	require.EqualValues(t, 3, p.JVMs[0].Sampler.Lost)
	require.Empty(t, acc.Take().JVMs, "a JVM that is gone is taken once")
}

func TestTaskLabels(t *testing.T) {
	without, _ := run(t, Settings{}, sampler.ModeSelfOpened, oneTask)
	with, _ := run(t, Settings{TaskLabels: true}, sampler.ModeSelfOpened, oneTask)
	for _, e := range without.Entries {
		require.EqualValues(t, -1, e.Labels.Task)
		require.EqualValues(t, -1, e.Labels.Partition)
	}
	for _, e := range with.Entries {
		require.EqualValues(t, 900, e.Labels.Task)
		require.EqualValues(t, 3, e.Labels.Partition)
	}
}

func TestStacksAreBounded(t *testing.T) {
	acc := New(Settings{MaxStacks: 2})
	s := scenarioInto(pipeline.Settings{Hold: pipeline.UntilEnd}, acc)
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	for i, code := range []uint64{jvmtest.ScanCode, jvmtest.RunCode, jvmtest.ShuffleCode, jvmtest.ScanCode + 0x1_0000, jvmtest.ScanCode} {
		s.Sample(7, jvmtest.At(float64(i)), 41, code)
	}
	s.p.Finish()
	p := acc.Take()
	require.EqualValues(t, 3, p.FoldedStacks)
	require.Len(t, p.JVMs[0].Entries, 3)
	raw := time.Duration(0)
	for _, e := range p.JVMs[0].Entries {
		raw += e.Raw
	}
	require.Equal(t, 25*ms, raw, "their weight is kept")
}

func TestTruncatedWeakAndFailed(t *testing.T) {
	acc := New(Settings{})
	acc.Sample(&pipeline.Labelled{Labels: pipeline.Labels{JVM: 7, Stage: pipeline.NoStage}, Weight: 5 * ms, Flags: sampler.SampleTruncated, Verdict: attribution.Verdict{Weak: true}})
	acc.Sample(&pipeline.Labelled{Labels: pipeline.Labels{JVM: 7, Stage: pipeline.NoStage}, Weight: 7 * ms, Flags: sampler.SampleNoStack, Verdict: attribution.Verdict{Disputed: true}})
	acc.Sample(&pipeline.Labelled{Labels: pipeline.Labels{JVM: 7, Stage: pipeline.NoStage}, Weight: 11 * ms})
	acc.Task(pipeline.TaskCPU{Labels: pipeline.Labels{JVM: 7, Stage: 3}, Failed: true, CPU: 13 * ms, KernelSampled: true})
	p := acc.Take().JVMs[0]
	require.Equal(t, Totals{Samples: 3, Truncated: 2, Raw: 23 * ms, TaskCPU: 36 * ms, Unaccounted: 23 * ms, Tasks: 1, FailedTasks: 1}, p.Totals)
	require.Len(t, p.Entries, 1)
	require.Equal(t, 5*ms, p.Entries[0].Weak)
	require.Equal(t, 7*ms, p.Entries[0].Disputed)
}

// A failed attempt is given up when its execution is over, perhaps windows after it ended: its
// statistics still say of which query they are.
func TestGivenUpAttemptKeepsItsQuery(t *testing.T) {
	acc := New(Settings{Executions: true})
	of := pipeline.Labels{JVM: 7, Execution: 5, Stage: 6, Query: "q1-abc", QueryName: "tpch q06", Plan: "p1-def"}
	acc.Task(pipeline.TaskCPU{Labels: of, Of: pipeline.Task{ID: 900, Stage: 6, Partition: 3, Execution: 5}, Failed: true, CPU: 13 * ms, KernelSampled: true})
	require.Empty(t, acc.Take().Stages, "another attempt may come")
	acc.ExecutionOver(pipeline.ExecutionOver{JVM: 7, Execution: 5})
	stages := acc.Take().Stages
	require.Len(t, stages, 1)
	require.EqualValues(t, 1, stages[0].Statistics.Fragments)
	got := stages[0].Labels
	require.Equal(t, []any{of.Execution, of.Query, of.QueryName, of.Plan}, []any{got.Execution, got.Query, got.QueryName, got.Plan})
}
