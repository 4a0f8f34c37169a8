package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/tasksample"
)

func TestJudge(t *testing.T) {
	p := long(200, 330) // halves of 3.3 periods
	s := judge(p, design{Name: "x", Base: 20}, 300, 7)
	require.Len(t, s.Keys, 2)
	assert.InDelta(t, 20, s.Hz, 0.5)
	assert.InDelta(t, 0.5, s.Keys[0].Share, 1e-9)
	assert.Less(t, s.Error, 1.5)
	assert.Greater(t, s.Error, 0.01)
	assert.Less(t, s.Keys[0].Z, 4.0)
	assert.GreaterOrEqual(t, s.Coverage, 0.93)
	assert.Equal(t, 1.0, s.Valid)
	assert.Equal(t, s, judge(p, design{Name: "x", Base: 20}, 300, 7), "the same seed")
	assert.NotEqual(t, s.Error, judge(p, design{Name: "x", Base: 20}, 300, 8).Error)
}

// An estimator that is off must be found: half of the weights are missing here.
func TestBiasIsFound(t *testing.T) {
	p := long(50, 300)
	truth, all := p.truth()
	total := make([]sums, 2)
	for i := range 300 {
		stage := tasksample.NewStage[byte]()
		p.sample(source(3, i), design{Base: 20}, func(_ int, u *unitOf) {
			half := &tasksample.Unit[byte]{}
			half.Sample(0, time.Duration(u.unit.Samples())*25*time.Millisecond+1)
			stage.Add(half, u.tier, u.cpu)
		})
		for k := range total {
			var one sums
			one.add(stage.Estimate(), stage, byte(k), truth[k], 1, design{Base: 20})
			total[k].join(one)
		}
	}
	s := score{}
	s.summarize(p, truth, all, total)
	assert.Equal(t, 1, holm(s.ps[1:], 0.05))
	assert.Zero(t, s.CoverageWorst)
	assert.InDelta(t, 50, s.Keys[0].Bias, 1e-6)
}

func TestHolm(t *testing.T) {
	assert.Equal(t, 0, holm(nil, 0.05))
	assert.Equal(t, 0, holm([]float64{0.02, 0.03, 0.9}, 0.05))
	assert.Equal(t, 2, holm([]float64{0.9, 0.001, 0.02}, 0.05))
	assert.Equal(t, 3, holm([]float64{0.04, 0.001, 0.02}, 0.05))
}

func TestUnseenClass(t *testing.T) {
	of := func(stragglers, selected int) (*tasksample.Stage[byte], float64) {
		s, all := tasksample.NewStage[byte](), 0.0
		add := func(n int, tier tasksample.Tier, cpu time.Duration) {
			for range n {
				s.Add(nil, tier, cpu)
				all += float64(cpu)
			}
		}
		add(90, tasksample.TierNone, time.Second)
		add(10, tasksample.TierSelected, time.Second)
		add(stragglers-selected, tasksample.TierNone, 8*time.Second)
		add(selected, tasksample.TierSelected, 8*time.Second)
		return s, all
	}
	assert.False(t, unseenClass(of(0, 0)))
	assert.True(t, unseenClass(of(10, 4)))
	assert.False(t, unseenClass(of(10, 5)))
}

func TestDifference(t *testing.T) {
	a := tasksample.Result[byte]{CPU: 100, Keys: map[byte]tasksample.Estimate{3: {CPU: 50, SE: 10, Low: 30, High: 70}}, Valid: true}
	b := a
	assert.Zero(t, difference(a, b))
	b.Keys = map[byte]tasksample.Estimate{3: {CPU: 50, SE: 8, Low: 30, High: 70}}
	assert.InDelta(t, 0.2, difference(a, b), 1e-12)
	b.Valid = false
	assert.Equal(t, 1.0, difference(a, b))
}

func TestFigures(t *testing.T) {
	r := offline{Stages: []stageResult{
		{stage: stage{Name: "even"}, Merge: 1e-9, Scores: []score{
			{Design: design{Name: baseDetail, Base: 10}, Error: 0.7, Coverage: 0.95, CoverageWorst: 0.93, judged: 3, ps: []float64{0.5}},
			{Design: design{Name: tasksOnly}, Error: 0.9, Naive: 3, Valid: 1, CoverageValid: 0.96, judged: 3},
			{Design: design{Name: baseAlone, Base: 20}, Error: 0.6, Naive: 0.6, judged: 3},
			{Design: design{Name: noClock}, Error: 0.5, Naive: 2.5, Valid: 1, CoverageValid: 0.5, Undeclared: 9, judged: 3},
		}},
		{stage: stage{Name: "uneven", Uneven: true, Straggler: straggles}, Found: 0.97, Scores: []score{
			{Design: design{Name: baseDetail, Base: 10}, Error: 0.8, Coverage: 0.91, CoverageWorst: 0.90, judged: 1, ps: []float64{1e-9}},
			{Design: design{Name: tasksOnly}, Error: 5, Naive: 6, Valid: 0.5, CoverageValid: 0.90, Undeclared: 2, judged: 2},
		}},
	}}
	got := map[string]float64{}
	r.figures(got)
	want := map[string]float64{
		"base_detail_error_worst": 0.8, "coverage_mean": 0.94, "coverage_worst": 0.90, "tasks_only_error": 0.9, "tasks_only_vs_naive": 0.3,
		"tasks_only_vs_naive_floor": 0.2, "tasks_only_vs_naive_no_clock": 0.2,
		"tasks_only_coverage_valid": 0.945, "invalid_undeclared": 2, "bias_rejections": 1, "straggler_found_share": 0.97, "merge_max_difference": 1e-9,
	}
	require.Len(t, got, len(want))
	for key, v := range want {
		assert.InDelta(t, v, got[key], 1e-9, key)
	}
}

func TestParse(t *testing.T) {
	o, err := parse([]string{"-stages", "stragglers", "-parts", "offline", "-times", "100"})
	require.NoError(t, err)
	assert.Equal(t, "build/bench/tasksample/tiny-tasks.tasks", o.population(stages[3]))
	assert.True(t, o.chooses(stages[2]))
	assert.False(t, o.chooses(stages[0]))
	for flag, says := range map[string]string{"-parts=nightly,offline": `no "nightly"`, "-stages=nightly": `no "nightly"`, "-times=5": "-times 5", "-rounds=0": "-rounds 0"} {
		_, err := parse([]string{flag})
		assert.ErrorContains(t, err, says)
	}
}
