package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Clocks of the tests below: a base of 50 ms and a detail of 5 ms.
const testBase, testDetail = 50 * ms, 5 * ms

func (s *scenario) clocksSample(at jvmlog.MonoTime, base, period time.Duration, code uint64) {
	s.p.Sample(7, sampler.Sample{Time: at, TID: 41, Period: period, Base: base, Detail: testDetail, Addrs: []uint64{code + 5}})
}

// event delivers a task event of thread 41 with flags and π; cpu is the thread's in milliseconds.
func (s *scenario) tierEvent(kind jvmlog.TaskEventKind, at jvmlog.MonoTime, task int, flags jvmlog.TaskFlags, pi float64, cpu uint64) {
	e := jvmlog.TaskEvent{Index: s.event[7], Time: at, Kind: kind, TID: 41, Task: tasksample.TaskAttemptID(task), Stage: 6,
		Partition: tasksample.PartitionID(task), Partitions: 8, Execution: 4, ThreadCPUNanos: cpu * 1e6, Flags: flags, InclusionProbability: pi,
		ExecutorCPUNanos: 70e6}
	if flags&jvmlog.TaskByReader == 0 {
		s.event[7]++
	} else {
		e.Index = 0
	}
	s.p.TaskEvent(7, e)
}

func (s *scenario) thread41(base time.Duration) {
	s.p.Thread(7, jvmlog.Thread{TID: 41, StartTime: 1, BasePeriodNS: uint64(base), DetailPeriodNS: uint64(testDetail), Flags: jvmlog.ThreadTask})
}

// Within a selected task both clocks run: a sample of either stands for 1 / (20 + 200 Hz). What the
// detail clock takes outside of it counts for nothing.
func TestWeightsAreTheRatesInForce(t *testing.T) {
	s := newScenario(t, Settings{Hold: UntilEnd})
	s.jvm(7, sampler.ModeSelfOpened)
	s.code(7)
	s.thread41(testBase)
	selected := jvmlog.TaskSelected | jvmlog.TaskDetail
	s.tierEvent(jvmlog.TaskStart, 100, 1, 0, 0.25, 0)
	s.clocksSample(110, testBase, testBase, scanCode)
	s.clocksSample(120, testBase, testDetail, scanCode) // left on by a task before
	s.tierEvent(jvmlog.TaskEnd, 200, 1, 0, 0.25, 100)
	s.tierEvent(jvmlog.TaskStart, 300, 2, selected, 0.25, 100)
	s.clocksSample(250, testBase, testBase, scanCode) // between the tasks
	s.clocksSample(310, testBase, testBase, scanCode)
	s.clocksSample(320, testBase, testDetail, scanCode)
	s.tierEvent(jvmlog.TaskEnd, 400, 2, selected, 0.25, 200)
	s.tierEvent(jvmlog.TaskStart, 500, 3, 0, 0.25, 200)
	s.clocksSample(510, testBase, testBase, scanCode)
	s.tierEvent(jvmlog.TaskClocks, 520, 3, jvmlog.TaskDetail|jvmlog.TaskByReader, 1, 0) // promoted
	s.clocksSample(530, testBase, testDetail, scanCode)
	s.tierEvent(jvmlog.TaskClocks, 540, 3, jvmlog.TaskByReader, 1, 0) // its events were opened anew
	s.clocksSample(550, testBase, testDetail, scanCode)
	s.clocksSample(560, testBase, testBase, scanCode)
	s.tierEvent(jvmlog.TaskEnd, 600, 3, 0, 0.25, 300)
	s.p.Finish()
	both := time.Duration(4545454) // ns: 1 s / 220
	got := map[jvmlog.MonoTime]time.Duration{}
	for _, l := range s.got.samples {
		got[l.Time] = l.Weight
		require.EqualValues(t, 1, l.Expansion)
	}
	require.Equal(t, map[jvmlog.MonoTime]time.Duration{110: testBase, 250: testBase, 310: both, 320: both, 510: testBase, 530: both, 560: testBase}, got)
	require.EqualValues(t, 2, s.p.Counts().Surplus)
	tiers := []tasksample.Tier{}
	for _, task := range s.got.tasks {
		tiers = append(tiers, task.Tier)
	}
	require.Equal(t, []tasksample.Tier{tasksample.TierBase, tasksample.TierSelected, tasksample.TierPromoted}, tiers)
}

// pure plays eight tasks of 100 ms, 70 of them by Spark's clock, of which the even ones are
// selected: two samples of the scan to one of the exchange.
func pure(s *scenario) {
	s.thread41(0)
	for i := range 8 {
		begin, flags := jvmlog.MonoTime(1e9*(10+i)), jvmlog.TaskFlags(0)
		if i%2 == 0 {
			flags = jvmlog.TaskSelected | jvmlog.TaskDetail
		}
		s.tierEvent(jvmlog.TaskStart, begin, i, flags, 0.5, uint64(100*i))
		for k, code := range []uint64{scanCode, shuffleCode, scanCode} {
			s.clocksSample(begin+jvmlog.MonoTime(k+1), 0, testDetail, code) // of the others: left on
		}
		s.tierEvent(jvmlog.TaskEnd, begin+100, i, flags, 0.5, uint64(100*i+100))
	}
}

func TestSelectedTasksSpeakForTheOthers(t *testing.T) {
	p, acc := run(t, AccumulatorSettings{Calibrate: true}, sampler.ModeSelfOpened, pure)
	require.EqualValues(t, 12, p.Totals.Samples)
	require.Equal(t, 60*ms, p.Totals.Raw)
	got := cpuOf(p)
	require.InDelta(t, float64(560*ms)*2/3, float64(got["Scan t"]), 10, "of what Spark's clock has of all tasks")
	require.InDelta(t, float64(560*ms)/3, float64(got["ShuffleExchange a (write)"]), 10)
	require.Equal(t, 240*ms, got["[task deserialization]"], "no clock ran")
	requireSum(t, p)
	require.Empty(t, acc.Take().Stages, "each unit once")
}

// A window is expanded by 1 / π, and its statistics are those of its units.
func TestWindowOfSelectedTasks(t *testing.T) {
	acc := NewAccumulator(AccumulatorSettings{})
	s := &scenario{t: t, p: New(Settings{Hold: UntilEnd}, acc), event: map[sampler.JVMID]uint64{}}
	s.jvm(7, sampler.ModeSelfOpened)
	s.code(7)
	s.plan(7, at(1), 4)
	s.stage(7, at(1), 6, 4)
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
	acc := NewAccumulator(AccumulatorSettings{})
	s := &scenario{t: t, p: New(Settings{Hold: time.Second}, acc), event: map[sampler.JVMID]uint64{}}
	s.jvm(7, sampler.ModeSelfOpened)
	s.code(7)
	s.plan(7, at(1), 4)
	s.stage(7, at(1), 6, 4)
	s.thread41(testBase)
	for i := range 2 {
		begin := at(float64(10 + 10*i))
		s.tierEvent(jvmlog.TaskStart, begin, i, 0, 0, uint64(100*i))
		s.clocksSample(begin+1, testBase, testBase, scanCode)
		if i == 1 && windows {
			s.p.Watermark(7, at(25))
			first = acc.Take()
		}
		s.clocksSample(begin+jvmlog.MonoTime(5e9), testBase, testBase, shuffleCode)
		s.tierEvent(jvmlog.TaskEnd, begin+jvmlog.MonoTime(6e9), i, 0, 0, uint64(100*i+100))
	}
	s.p.Finish()
	second = acc.Take()
	if !windows {
		return second, Profile{}
	}
	return first, second
}
