package shift_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/internal/scenario"
)

// application has the runs to come be runs of another application, of which the operator under
// test costs first times as much in its first five runs.
func (h *history) application(name string, runs int, first float64) {
	t := &h.query.Operators[2]
	usual := t.Factor
	for n := range runs {
		if t.Factor = usual; n < 5 {
			t.Factor *= first
		}
		r := h.query.Run()
		r.ID.Application = name
		h.add(r)
	}
	t.Factor = usual
}

// In an application that runs a query again and again its first runs leave nothing behind, and a
// shift is found as without them.
func TestFirstRunsDoNotWidenTheBaseline(t *testing.T) {
	h := newHistory(t, calm(), nil)
	h.query.Weigh(2, 0.2)
	h.application("server", 25, 3)
	require.Empty(t, h.kinds())
	v := h.verdict(2)
	assert.InDelta(t, 1, v.Ratio, 0.1)
	assert.Less(t, v.High/v.Low, 1.25)
	assert.Less(t, v.Detectable, 1.25)
	h.query.Operators[2].Factor = 1.25
	h.application("server", 3, 1)
	require.Equal(t, []shift.Kind{shift.Shift}, h.kinds())
}

// An application that begins again each night: its first runs are no news, and stand in an interval
// that says how little they tell.
func TestFirstRunsOfEachNight(t *testing.T) {
	h := newHistory(t, calm(), nil)
	h.query.Weigh(2, 0.2)
	for night := range 4 {
		h.application(fmt.Sprint("night ", night), 10, []float64{2, 1.2, 3, 1}[night])
	}
	require.Empty(t, h.kinds())
	steady := h.verdict(2)
	h.application("night 5", 3, 4)
	require.Empty(t, h.kinds())
	v := h.verdict(2)
	assert.Equal(t, shift.Judged, v.Status)
	assert.Greater(t, v.Ratio, 2.5, "what the run shows")
	assert.Less(t, v.Low, 1.3)
	assert.Greater(t, v.High/v.Low, 3*steady.High/steady.Low)
	assert.Zero(t, h.last.Common, "of first runs the query as a whole says nothing either")
	h.application("night 6", 10, 1)
	assert.InDelta(t, 1, h.verdict(2).Ratio, 0.1)
	assert.Positive(t, h.last.Common.SE)
	h.query.Operators[2].Factor = 1.3
	h.application("night 7", 5, 1)
	require.Empty(t, h.kinds(), "first runs")
	h.query.Operators[2].Factor = 1
	h.application("night 7", 5, 1)
	h.application("night 8", 5, 1)
	h.query.Operators[2].Factor = 1.3
	h.application("night 8", 2, 1)
	require.Equal(t, []shift.Kind{shift.Shift}, h.kinds())
	e := h.events[len(h.events)-1]
	assert.Equal(t, "night 8", e.SinceRun.Application)
	assert.Equal(t, "night 7", e.BeforeRun.Application, "the last run before that is no first one")

	// The mend is not told by first runs.
	h.query.Operators[2].Factor = 1
	h.application("night 9", 5, 1)
	require.Len(t, h.kinds(), 1)
	assert.InDelta(t, 1.3, h.verdict(2).Active.Ratio, 0.1, "as it stood")
	h.application("night 9", 3, 1)
	require.Equal(t, []shift.Kind{shift.Shift, shift.Resolved}, h.kinds())
}

// Where each run has an application of its own all are first runs, and are judged as if one
// application had them from its sixth run on.
func TestEachRunItsOwnApplication(t *testing.T) {
	n := calm()
	alone, together := newHistory(t, n, nil), newHistory(t, n, nil)
	for k := range 60 {
		factor := 1.
		if k >= 30 {
			factor = 1.2
		}
		for _, h := range []*history{alone, together} {
			h.query.Operators[2].Factor = factor
			r := h.query.Run()
			if h == alone {
				r.ID.Application = fmt.Sprint("submitted ", k)
			}
			h.add(r)
		}
	}
	require.Equal(t, []shift.Kind{shift.Shift}, alone.kinds())
	require.Equal(t, alone.kinds(), together.kinds())
	a, b := alone.events[0], together.events[0]
	assert.Equal(t, b.SinceRun.Execution, a.SinceRun.Execution)
	assert.InDelta(t, b.Changes[0].Evidence.Log, a.Changes[0].Evidence.Log, 0.02)
	assert.LessOrEqual(t, a.Changes[0].Evidence.SE, b.Changes[0].Evidence.SE*1.05, "no run is left out")
}

// Runs that come out of order, or from another Collector's history, are as old as they are, not as
// they came.
func TestAgeOfMergedRuns(t *testing.T) {
	n := calm()
	all := scenario.New(77, 8, n)
	all.Weigh(2, 0.2)
	var runs []*shift.Run
	for k := range 40 {
		all.Operators[2].Factor = 1
		if k < 5 {
			all.Operators[2].Factor = 3
		}
		runs = append(runs, all.Run())
	}
	fleet := func() *shift.Fleet {
		f, err := shift.NewFleet(shift.DefaultSettings())
		require.NoError(t, err)
		return f
	}
	add := func(f *shift.Fleet, runs ...*shift.Run) (j shift.Judgement) {
		for _, r := range runs {
			var err error
			j, err = f.Add(r, runs[len(runs)-1].End.Add(time.Hour))
			require.NoError(t, err)
		}
		return j
	}
	ratio := func(j shift.Judgement) shift.Verdict {
		for _, v := range j.Operators {
			if v.Operator == all.Operators[2].ID {
				return v
			}
		}
		require.Fail(t, "the operator is not in the judgement")
		return shift.Verdict{}
	}
	want := ratio(add(fleet(), runs...))
	assert.InDelta(t, 1, want.Ratio, 0.1)

	early, late := fleet(), fleet()
	add(early, runs[:12]...)
	add(late, runs[12:39]...)
	text, err := early.Encode(all.Name)
	require.NoError(t, err)
	_, err = late.Decode(text)
	require.NoError(t, err)
	merged := ratio(add(late, runs[39]))
	assert.InDelta(t, 1, merged.Ratio, 0.1)
	assert.InEpsilon(t, want.High/want.Low, merged.High/merged.Low, 0.05)

	shuffled := fleet()
	add(shuffled, runs[20:39]...)
	add(shuffled, runs[:20]...)
	got := ratio(add(shuffled, runs[39]))
	assert.InDelta(t, 1, got.Ratio, 0.1)
	assert.InEpsilon(t, want.High/want.Low, got.High/got.Low, 0.05)
}

// First runs in no fixed order, at a hundred times the level, where alarms without them are counted
// easily.
func TestNoPageOfFirstRuns(t *testing.T) {
	queries := 16
	if testing.Short() {
		queries = 6
	}
	for _, each := range []int{1, 6, 12} {
		n := scenario.Realistic()
		n.Restart, n.Cold = each, 5
		r, err := scenario.Null(13, queries, 70, 100, n)
		require.NoError(t, err)
		t.Logf("%d runs an application: %d operator-runs judged of %d, events %v, intervals hold %.1f %%", each, r.OperatorRuns, r.All, r.Events, 100*r.Covered)
		assert.LessOrEqual(t, float64(r.Pages), 3+float64(r.OperatorRuns)*100/(7*200_000), "%v", r.Alarms)
		assert.InDelta(t, 0.94, r.Covered, 0.04)
	}
}

// A shift that is mended for the most part is followed: it is over where what is left would not
// have been reported, and stands as what is left else.
func TestShiftIsMendedInPart(t *testing.T) {
	resolved := 0
	for left, want := range map[float64]string{1: "resolved", 1.08: "either", 1.3: "stands"} {
		for dear := range 12 {
			if dear < 2 {
				continue
			}
			h := newHistory(t, calm(), nil)
			h.query.Weigh(2, 0.2)
			h.run(25)
			h.query.Operators[2].Factor = 2.5
			h.run(dear)
			require.Equal(t, []shift.Kind{shift.Shift}, h.kinds())
			assert.InDelta(t, 2.5, h.verdict(2).Active.Ratio, 0.25)
			h.query.Operators[2].Factor = left
			h.run(10)
			standing := h.verdict(2).Active
			if want == "resolved" {
				assert.Zero(t, standing, "%g after %d dear runs: %v", left, dear, h.kinds())
				assert.Equal(t, shift.Resolved, h.kinds()[len(h.kinds())-1])
				continue
			}
			if want == "either" && standing.Ratio == 0 {
				resolved++
				assert.Equal(t, shift.Resolved, h.kinds()[len(h.kinds())-1])
				assert.Len(t, h.kinds(), 2, "what is left is not told again")
				continue
			}
			assert.InDelta(t, left, standing.Ratio, 0.1, "after %d dear runs: %v", dear, h.kinds())
			assert.True(t, standing.Costlier)
			assert.NotContains(t, h.kinds(), shift.Resolved)
		}
	}
	assert.GreaterOrEqual(t, resolved, 8, "of ten that came back to 1.08")
}

// An operator of 150 samples a run, on a busy machine: draws of what an end-to-end test does.
func TestMendIsFound(t *testing.T) {
	draws := 40
	if testing.Short() {
		draws = 12
	}
	for _, c := range scenario.MendCases() {
		r, err := scenario.Mend(3, draws, c)
		require.NoError(t, err)
		t.Log(r)
		assert.GreaterOrEqual(t, r.Found, draws*8/10, c.Name)
		switch c.Left {
		case 1:
			assert.GreaterOrEqual(t, r.Share(10), 0.9, c.Name)
		case c.Factor:
			assert.LessOrEqual(t, r.Share(10), 0.1, c.Name)
			assert.InEpsilon(t, c.Factor, r.Ratio, 0.15, c.Name)
		case 1.3:
			assert.False(t, math.Abs(r.Ratio-c.Factor) < 0.5, "%s: given as %.2f", c.Name, r.Ratio)
		}
	}
}

// crewed has the run done by executors, each with its share of the CPU.
func crewed(r *shift.Run, shares map[string]float64) *shift.Run {
	r.Parts = nil
	for id, share := range shares {
		r.Parts = append(r.Parts, shift.Part{ID: id, CPU: share * r.CPU})
	}
	return r
}

// An executor joins an application that has run for long, and its part is more expensive: its first
// runs are no news, a shift after them is.
func TestExecutorJoins(t *testing.T) {
	h := newHistory(t, calm(), nil)
	h.query.Weigh(2, 0.2)
	target := &h.query.Operators[2]
	run := func(runs int, factor float64, shares map[string]float64) {
		for range runs {
			target.Factor = factor
			h.add(crewed(h.query.Run(), shares))
		}
	}
	alone, joined := map[string]float64{"5": 1}, map[string]float64{"5": 0.65, "6": 0.35}
	run(25, 1, alone)
	steady := h.verdict(2)
	require.Positive(t, h.last.Common.SE)
	run(5, 2.2, joined)
	require.Empty(t, h.kinds())
	v := h.verdict(2)
	assert.Equal(t, shift.Judged, v.Status)
	assert.InDelta(t, 2.2, v.Ratio, 0.3, "what the run shows")
	assert.Greater(t, v.High/v.Low, 3*steady.High/steady.Low)
	assert.Zero(t, h.last.Common)
	run(1, 1, joined)
	require.Empty(t, h.kinds())
	assert.Positive(t, h.last.Common.SE)
	assert.InDelta(t, 1, h.verdict(2).Ratio, 0.1)
	assert.InEpsilon(t, steady.High/steady.Low, h.verdict(2).High/h.verdict(2).Low, 0.1, "the baseline is as it was")
	run(2, 1.25, joined)
	require.Equal(t, []shift.Kind{shift.Shift}, h.kinds())

	// That an executor leaves is no news.
	run(12, 1.25, alone)
	require.Equal(t, []shift.Kind{shift.Shift}, h.kinds())
}

// Executors that come and go with each run do not end the judgement: whether all are others, or one
// of eight is.
func TestExecutorsComeAndGo(t *testing.T) {
	for name, c := range map[string]struct {
		replaced int
		factor   float64
	}{"all": {8, 1.25}, "one of eight": {1, 1.5}} {
		h := newHistory(t, calm(), nil)
		h.query.Weigh(2, 0.2)
		for n := range 60 {
			if n == 40 {
				h.query.Operators[2].Factor = c.factor
			}
			shares := map[string]float64{}
			for k := range 8 {
				shares[fmt.Sprint(n*c.replaced+k)] = 1. / 8
			}
			h.add(crewed(h.query.Run(), shares))
		}
		require.Equal(t, []shift.Kind{shift.Shift}, h.kinds(), name)
		assert.InDelta(t, 40, float64(h.events[0].SinceRun.Execution), 1, name)
		assert.LessOrEqual(t, h.events[0].Run.Execution, int64(45), name)
	}
}

// Joiners in no fixed order, at a hundred times the level.
func TestNoPageOfJoiners(t *testing.T) {
	queries := 16
	if testing.Short() {
		queries = 6
	}
	for _, join := range []float64{0.05, 0.15} {
		n := scenario.Realistic()
		n.Join, n.JoinMost, n.Executors, n.Cold = join, 1, 8, 5
		r, err := scenario.Null(13, queries, 70, 100, n)
		require.NoError(t, err)
		t.Logf("joiners in %g of the runs: %d operator-runs judged of %d, events %v, intervals hold %.1f %%", join, r.OperatorRuns, r.All, r.Events, 100*r.Covered)
		assert.LessOrEqual(t, float64(r.Pages), 3+float64(r.OperatorRuns)*100/(7*200_000), "%v", r.Alarms)
		assert.InDelta(t, 0.94, r.Covered, 0.04)
	}
}
