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
	"github.com/planflame/planflame/tasksample"
)

// drawing plays two runs of a query: execution 4 is drawn with π 0.25, and execution 5 is left out.
// Each has a task of 100 ms, 30 of them in the kernel. The first has two samples of 50 ms in the
// scan and one of the exchange. A sample of the second has slipped through.
func drawing(t *testing.T, settings Settings) (Profile, *pipeline.Pipeline) {
	acc := New(settings)
	s := scenarioInto(pipeline.Settings{Hold: pipeline.UntilEnd}, acc)
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Thread41(jvmtest.Base)
	for i, execution := range []int{4, 5} {
		s.Plan(7, jvmtest.At(1), execution)
		s.Stage(7, jvmtest.At(1), 6+i, execution)
		begin, left := jvmtest.At(float64(10+10*i)), execution == 5
		event := func(kind jvmlog.TaskEventKind, when jvmlog.MonoTime, cpu int) {
			s.p.TaskEvent(7, jvmlog.TaskEvent{Index: s.Event[7], Time: when, Kind: kind, TID: 41, Task: tasksample.TaskAttemptID(i), Stage: tasksample.StageID(6 + i),
				Partitions: 8, Execution: tasksample.ExecutionID(execution), ThreadCPUNanos: uint64(cpu) * 1e6, SystemNanos: uint64(cpu) * 3e5,
				InclusionProbability: 1, ExecutorCPUNanos: 100e6, RunProbability: 0.25, LeftOut: left})
			s.Event[7]++
		}
		event(jvmlog.TaskStart, begin, 100*i)
		codes := []uint64{jvmtest.ScanCode, jvmtest.ShuffleCode, jvmtest.ScanCode}
		if left {
			codes = codes[:1]
		}
		for k, code := range codes {
			s.ClocksSample(begin+jvmlog.MonoTime(k+1), jvmtest.Base, jvmtest.Base, code)
		}
		event(jvmlog.TaskEnd, begin+100, 100*i+100)
		s.p.Record(7, begin+200, &jvmlog.ExecutionEnd{ExecutionID: tasksample.ExecutionID(execution), UnixNano: 7})
	}
	s.p.Finish()
	return acc.Take(), s.p
}

// In a window the samples of the run that was drawn stand for four runs, and the kernel's time is
// each run's own.
func TestWindowOfRunsThatWereDrawn(t *testing.T) {
	p, pipe := drawing(t, Settings{Executions: true})
	j := p.JVMs[0]
	got := cpuOf(j)
	require.Equal(t, 400*ms, got["Scan t"])
	require.Equal(t, 200*ms, got["ShuffleExchange a (write)"])
	require.Equal(t, 60*ms, got["[kernel (not sampled)]"])
	require.Equal(t, 200*ms, j.Totals.TaskCPU, "known, of both")
	require.Equal(t, 150*ms, j.Totals.Raw)
	require.Equal(t, 70*ms, j.Totals.LeftOut)
	require.EqualValues(t, 3, j.Totals.Samples)
	require.EqualValues(t, 1, pipe.Counts().LeftOut)
	require.EqualValues(t, pipe.Counts().Samples, pipe.Counts().Labelled+pipe.Counts().LeftOut)

	require.Len(t, p.Stages, 1, "no statistics of a run that was left out")
	require.EqualValues(t, 0.25, p.Stages[0].RunProbability)
	require.Equal(t, 70*ms, p.Stages[0].Estimate.CPU, "its own run's")

	require.Len(t, p.Executions, 2)
	in, out := p.Executions[0], p.Executions[1]
	require.False(t, in.LeftOut)
	require.Len(t, in.Operators, 2)
	require.InDelta(t, float64(70*ms)*2/3, float64(in.Operators[1].CPU), 1, "its own, not expanded")
	require.True(t, out.LeftOut)
	require.Equal(t, 100*ms, out.CPU)
	require.Empty(t, out.Operators)
	var whole time.Duration
	for _, k := range j.Known {
		if k.Operator == "" && k.Bucket == attribution.BucketNone {
			whole += k.CPU
		}
	}
	require.Equal(t, 200*ms, whole, "of the queries")
}

// A calibrated profile has each run's own CPU, and the CPU of the one that was left out apart.
func TestProfileOfRunsThatWereDrawn(t *testing.T) {
	p, _ := drawing(t, Settings{Calibrate: true})
	got := cpuOf(p.JVMs[0])
	require.Equal(t, 70*ms, got["["+string(BucketLeftOut)+"]"])
	require.InDelta(t, float64(70*ms), float64(got["Scan t"]+got["ShuffleExchange a (write)"]), 2)
	requireSum(t, p.JVMs[0])
}

func TestStagesOfRunsThatWereDrawnAreBounded(t *testing.T) {
	s := New(Settings{}).of(7)
	for i := range 2 * mostDrawn {
		s.drawnWith(tasksample.StageID(i), 0.5)
	}
	require.Len(t, s.drawn, mostDrawn)
	require.Contains(t, s.drawn, tasksample.StageID(2*mostDrawn-1))
}
