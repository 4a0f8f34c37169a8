package window

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// pure plays eight tasks of 100 ms, 70 of them by Spark's clock, of which the even ones are
// selected: two samples of the scan to one of the exchange.
func pure(s *scenario) {
	s.Thread41(0)
	for i := range 8 {
		begin, flags := jvmlog.MonoTime(1e9*(10+i)), jvmlog.TaskFlags(0)
		if i%2 == 0 {
			flags = jvmlog.TaskSelected | jvmlog.TaskDetail
		}
		s.TierEvent(jvmlog.TaskStart, begin, i, flags, 0.5, uint64(100*i))
		for k, code := range []uint64{jvmtest.ScanCode, jvmtest.ShuffleCode, jvmtest.ScanCode} {
			s.ClocksSample(begin+jvmlog.MonoTime(k+1), 0, jvmtest.Detail, code) // of the others: left on
		}
		s.TierEvent(jvmlog.TaskEnd, begin+100, i, flags, 0.5, uint64(100*i+100))
	}
}

func TestSelectedTasksSpeakForTheOthers(t *testing.T) {
	p, acc := run(t, Settings{Calibrate: true}, sampler.ModeSelfOpened, pure)
	require.EqualValues(t, 12, p.Totals.Samples)
	require.Equal(t, 60*ms, p.Totals.Raw)
	got := cpuOf(p)
	require.InDelta(t, float64(560*ms)*2/3, float64(got["Scan t"]), 10, "of what Spark's clock has of all tasks")
	require.InDelta(t, float64(560*ms)/3, float64(got["ShuffleExchange a (write)"]), 10)
	require.Equal(t, 240*ms, got["[task deserialization]"], "no clock ran")
	requireSum(t, p)
	require.Empty(t, acc.Take().Stages, "each unit once")
}

// A window is expanded by 1 / π, and its statistics are its units'.
func TestWindowOfSelectedTasks(t *testing.T) {
	acc := New(Settings{})
	s := scenarioInto(pipeline.Settings{Hold: pipeline.UntilEnd}, acc)
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	pure(s)
	s.p.Finish()
	p := acc.Take()
	require.Equal(t, 80*ms, cpuOf(p.JVMs[0])["Scan t"], "eight samples of 5 ms, and as much of the tasks that were not selected")
	require.Len(t, p.Stages, 1)
	estimate := p.Stages[0].Estimate
	require.EqualValues(t, 8, estimate.Units)
	require.EqualValues(t, 4, estimate.Sampled)
	require.Equal(t, 560*ms, estimate.CPU)
	require.False(t, estimate.Valid, "four units of their class are one less than needed")
	for key, e := range estimate.Keys {
		require.Equal(t, "q1-of4", key.Query)
		require.Positive(t, e.SE)
	}
}

// Two windows, merged, are the statistics of one: units that span them are in the second.
func TestWindowsMergeToTheWhole(t *testing.T) {
	whole, _ := takenIn(t, false)
	first, second := takenIn(t, true)
	require.Len(t, whole.Stages, 1)
	merged := tasksample.NewStage[semconv.Operator]()
	for _, p := range []Profile{first, second} {
		for _, st := range p.Stages {
			merged.Merge(st.Statistics)
		}
	}
	require.Equal(t, whole.Stages[0].Statistics, merged)
}

// takenIn plays two tasks and takes once at the end, or in the middle of the second, too.
func takenIn(t *testing.T, windows bool) (first, second Profile) {
	acc := New(Settings{})
	s := scenarioInto(pipeline.Settings{Hold: time.Second}, acc)
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.Thread41(jvmtest.Base)
	for i := range 2 {
		begin := jvmtest.At(float64(10 + 10*i))
		s.TierEvent(jvmlog.TaskStart, begin, i, 0, 0, uint64(100*i))
		s.ClocksSample(begin+1, jvmtest.Base, jvmtest.Base, jvmtest.ScanCode)
		if i == 1 && windows {
			s.p.Watermark(7, jvmtest.At(25))
			first = acc.Take()
		}
		s.ClocksSample(begin+jvmlog.MonoTime(5e9), jvmtest.Base, jvmtest.Base, jvmtest.ShuffleCode)
		s.TierEvent(jvmlog.TaskEnd, begin+jvmlog.MonoTime(6e9), i, 0, 0, uint64(100*i+100))
	}
	s.p.Finish()
	second = acc.Take()
	if !windows {
		return second, Profile{}
	}
	return first, second
}
