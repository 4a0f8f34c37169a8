package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

const ms = time.Millisecond

// run plays a scenario into an accumulator and takes the only JVM's profile.
func run(t *testing.T, settings AccumulatorSettings, mode sampler.Mode, play func(*scenario)) (JVMProfile, *Accumulator) {
	acc := NewAccumulator(settings)
	s := &scenario{t: t, p: New(Settings{Hold: UntilEnd}, acc), event: map[sampler.JVMID]uint64{}}
	s.jvm(7, mode)
	s.code(7)
	s.plan(7, at(1), 4)
	s.stage(7, at(1), 6, 4)
	s.stage(7, at(1), 8, 4)
	play(s)
	s.p.Finish()
	p := acc.Take()
	require.Len(t, p.JVMs, 1)
	require.Equal(t, settings.Calibrate, p.Calibrated)
	return p.JVMs[0], acc
}

// cpuOf is the CPU of each operator and bucket.
func cpuOf(p JVMProfile) map[string]time.Duration {
	out := map[string]time.Duration{}
	for _, e := range p.Entries {
		out[e.Labels.Name()] += e.CPU
	}
	return out
}

// One task of 100 ms, of which 20 in the kernel and 10 of user time before its thread's event was
// opened; 12 samples of 5 ms.
func oneTask(s *scenario) {
	s.p.Thread(7, jvmlog.Thread{TID: 41, StartTime: 1, CPUNanosAtOpen: 12e6, Flags: jvmlog.ThreadTask})
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, 4, clocksAt{11, 2})
	for i := range 12 {
		code := uint64(scanCode)
		if i >= 9 {
			code = shuffleCode
		}
		s.sample(7, at(10)+jvmlog.MonoTime(i), 41, code+5, runCode+5)
	}
	s.taskEvent(7, jvmlog.TaskEnd, at(12), 41, 900, 6, 4, clocksAt{100, 20})
}

func TestCalibratesToTheThreadsCPU(t *testing.T) {
	p, _ := run(t, AccumulatorSettings{Calibrate: true}, sampler.ModeSelfOpened, oneTask)
	// 70 ms of user CPU could be sampled; 60 ms of samples stand for them: 9 : 3.
	require.Equal(t, map[string]time.Duration{
		"Scan t": 52500 * time.Microsecond, "ShuffleExchange a (write)": 17500 * time.Microsecond,
		"[kernel (not sampled)]": 20 * ms, "[task deserialization]": 10 * ms,
	}, cpuOf(p))
	require.Equal(t, Totals{
		Samples: 12, Raw: 60 * ms, TaskCPU: 100 * ms, Kernel: 20 * ms, Unsampled: 10 * ms, ExecutorCPU: 7 * ms, ExecutorDeserialize: 2 * ms, Tasks: 1,
	}, p.Totals)
	requireSum(t, p)
}

func TestPrivilegedSamplesCoverTheKernel(t *testing.T) {
	p, _ := run(t, AccumulatorSettings{Calibrate: true}, sampler.ModePrivileged, oneTask)
	// 90 of 100 ms could be sampled, the kernel's included.
	require.Equal(t, map[string]time.Duration{
		"Scan t": 67500 * time.Microsecond, "ShuffleExchange a (write)": 22500 * time.Microsecond, "[task deserialization]": 10 * ms,
	}, cpuOf(p))
	require.Zero(t, p.Totals.Kernel)
	requireSum(t, p)
}

// A window holds parts of tasks, so its weights stay; the kernel time of tasks that ended in it is
// added.
func TestWindowKeepsWeights(t *testing.T) {
	p, _ := run(t, AccumulatorSettings{}, sampler.ModeSelfOpened, oneTask)
	require.Equal(t, map[string]time.Duration{
		"Scan t": 45 * ms, "ShuffleExchange a (write)": 15 * ms, "[kernel (not sampled)]": 20 * ms, "[task deserialization]": 10 * ms,
	}, cpuOf(p))
}

func TestStageWithoutSamples(t *testing.T) {
	p, _ := run(t, AccumulatorSettings{Calibrate: true}, sampler.ModeSelfOpened, func(s *scenario) {
		oneTask(s)
		s.taskEvent(7, jvmlog.TaskStart, at(13), 41, 901, 8, 4, clocksAt{100, 20})
		s.taskEvent(7, jvmlog.TaskEnd, at(14), 41, 901, 8, 4, clocksAt{104, 21})
	})
	require.Equal(t, 3*ms, cpuOf(p)["[no samples]"])
	require.Equal(t, 21*ms, cpuOf(p)["[kernel (not sampled)]"])
	require.Equal(t, 52500*time.Microsecond, cpuOf(p)["Scan t"], "the other stage is as before")
	for _, e := range p.Entries {
		if e.Labels.Bucket == attribution.BucketNoSamples {
			require.EqualValues(t, 8, e.Labels.Stage)
			require.Equal(t, "q1-of4", e.Labels.Query)
			require.Equal(t, []StackFrame{{Name: "[no samples]", Type: FrameOperator}}, p.Stacks.Stack(e.Stack))
		}
	}
	requireSum(t, p)
}

// Where no end was seen the samples' weight is all that is known of a task's CPU.
func TestTaskThatNeverEnded(t *testing.T) {
	p, _ := run(t, AccumulatorSettings{Calibrate: true}, sampler.ModeSelfOpened, func(s *scenario) {
		s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, 4, clocksAt{0, 0})
		for i := range 3 {
			s.sample(7, at(11)+jvmlog.MonoTime(i), 41, scanCode+5)
		}
	})
	require.Equal(t, map[string]time.Duration{"Scan t": 15 * ms}, cpuOf(p))
	require.Equal(t, 15*ms, p.Totals.Unaccounted)
	require.Equal(t, 15*ms, p.Totals.TaskCPU)
	requireSum(t, p)
}

// Samples that were labelled while their task ran count as its own once it has ended.
func TestSamplesBeforeTheEndOfTheirTask(t *testing.T) {
	acc := NewAccumulator(AccumulatorSettings{Calibrate: true})
	s := &scenario{t: t, p: New(Settings{Hold: time.Second}, acc), event: map[sampler.JVMID]uint64{}}
	s.jvm(7, sampler.ModeSelfOpened)
	s.code(7)
	s.plan(7, at(1), 4)
	s.stage(7, at(1), 6, 4)
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, 4, clocksAt{0, 0})
	s.sample(7, at(11), 41, scanCode+5)
	s.p.Watermark(7, at(15))
	s.taskEvent(7, jvmlog.TaskEnd, at(20), 41, 900, 6, 4, clocksAt{8, 0})
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
			acc := NewAccumulator(AccumulatorSettings{})
			of := Task{ID: 900, Stage: 6}
			l := Labels{JVM: 7, Stage: 6, Task: 900}
			var got []time.Duration
			take := func() { got = append(got, acc.Take().JVMs[0].Totals.TaskCPU) }
			sample := func() { acc.Sample(&Labelled{Labels: l, Weight: 5 * ms, Of: &of}) }
			sample()
			sample()
			take()
			sample()
			take()
			acc.Task(TaskCPU{Labels: l, Of: of, CPU: test.cpu, KernelSampled: true})
			take()
			acc.Task(TaskCPU{Labels: l, Of: Task{ID: 901, Stage: 6}, CPU: 4 * ms, KernelSampled: true})
			take()
			require.Equal(t, test.want, got)
		})
	}
}

func TestTakeStartsAnew(t *testing.T) {
	_, acc := run(t, AccumulatorSettings{}, sampler.ModeSelfOpened, oneTask)
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
	without, _ := run(t, AccumulatorSettings{}, sampler.ModeSelfOpened, oneTask)
	with, _ := run(t, AccumulatorSettings{TaskLabels: true}, sampler.ModeSelfOpened, oneTask)
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
	acc := NewAccumulator(AccumulatorSettings{MaxStacks: 2})
	s := &scenario{t: t, p: New(Settings{Hold: UntilEnd}, acc), event: map[sampler.JVMID]uint64{}}
	s.jvm(7, sampler.ModeSelfOpened)
	s.code(7)
	for i, code := range []uint64{scanCode, runCode, shuffleCode, scanCode + 0x1_0000, scanCode} {
		s.sample(7, at(float64(i)), 41, code)
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
	acc := NewAccumulator(AccumulatorSettings{})
	acc.Sample(&Labelled{Labels: Labels{JVM: 7, Stage: NoStage}, Weight: 5 * ms, Flags: sampler.SampleTruncated, Verdict: attribution.Verdict{Weak: true}})
	acc.Sample(&Labelled{Labels: Labels{JVM: 7, Stage: NoStage}, Weight: 7 * ms, Flags: sampler.SampleNoStack, Verdict: attribution.Verdict{Disputed: true}})
	acc.Sample(&Labelled{Labels: Labels{JVM: 7, Stage: NoStage}, Weight: 11 * ms})
	acc.Task(TaskCPU{Labels: Labels{JVM: 7, Stage: 3}, Failed: true, CPU: 13 * ms, KernelSampled: true})
	p := acc.Take().JVMs[0]
	require.Equal(t, Totals{Samples: 3, Truncated: 2, Raw: 23 * ms, TaskCPU: 36 * ms, Unaccounted: 23 * ms, Tasks: 1, FailedTasks: 1}, p.Totals)
	require.Len(t, p.Entries, 1)
	require.Equal(t, 5*ms, p.Entries[0].Weak)
	require.Equal(t, 7*ms, p.Entries[0].Disputed)
}

// A failed attempt is given up when its execution is over, perhaps windows after it ended: its
// statistics still say of which query they are.
func TestGivenUpAttemptKeepsItsQuery(t *testing.T) {
	acc := NewAccumulator(AccumulatorSettings{Executions: true})
	of := Labels{JVM: 7, Execution: 5, Stage: 6, Query: "q1-abc", QueryName: "tpch q06", Plan: "p1-def"}
	acc.Task(TaskCPU{Labels: of, Of: Task{ID: 900, Stage: 6, Partition: 3, Execution: 5}, Failed: true, CPU: 13 * ms, KernelSampled: true})
	require.Empty(t, acc.Take().Stages, "another attempt may come")
	acc.ExecutionOver(ExecutionOver{JVM: 7, Execution: 5})
	stages := acc.Take().Stages
	require.Len(t, stages, 1)
	require.EqualValues(t, 1, stages[0].Statistics.Fragments)
	got := stages[0].Labels
	require.Equal(t, []any{of.Execution, of.Query, of.QueryName, of.Plan}, []any{got.Execution, got.Query, got.QueryName, got.Plan})
}
