package shift_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/internal/scenario"
)

// history is a fleet of one query under test and some others, and what was told of the first.
type history struct {
	t      *testing.T
	fleet  *shift.Fleet
	query  *scenario.Query
	others []*scenario.Query
	events []shift.Event
	last   shift.Judgement
}

func newHistory(t *testing.T, noise scenario.Noise, change func(*shift.Settings)) *history {
	set := shift.DefaultSettings()
	set.MinimumCoreHours = 0
	if change != nil {
		change(&set)
	}
	f, err := shift.NewFleet(set)
	require.NoError(t, err)
	h := &history{t: t, fleet: f, query: scenario.New(77, 8, noise)}
	for i := range 5 {
		h.others = append(h.others, scenario.New(uint64(100+i), 8, noise))
	}
	return h
}

func (h *history) run(n int) *history {
	for range n {
		for _, q := range h.others {
			r := q.Run()
			_, err := h.fleet.Add(r, r.End)
			require.NoError(h.t, err)
		}
		h.add(h.query.Run())
	}
	return h
}

func (h *history) add(r *shift.Run) {
	j, err := h.fleet.Add(r, r.End)
	require.NoError(h.t, err)
	h.last = j
	h.events = append(h.events, j.Events...)
}

func (h *history) kinds() (out []shift.Kind) {
	for _, e := range h.events {
		if e.Kind != shift.RunSlower {
			out = append(out, e.Kind)
		}
	}
	return out
}

func (h *history) verdict(operator int) shift.Verdict {
	i := slices.IndexFunc(h.last.Operators, func(v shift.Verdict) bool { return v.Operator == h.query.Operators[operator].ID })
	require.GreaterOrEqual(h.t, i, 0)
	return h.last.Operators[i]
}

// calm is noise without strays, of which short tests would have one or none.
func calm() scenario.Noise {
	n := scenario.Steady(0.03)
	n.CommonFar, n.Far = 0, 0
	return n
}

func TestDrift(t *testing.T) {
	h := newHistory(t, calm(), nil)
	h.run(26)
	for range 60 {
		h.query.Operators[0].Factor *= 1.004
		h.run(1)
	}
	require.NotEmpty(t, h.kinds())
	e := h.events[0]
	assert.Contains(t, []shift.Kind{shift.Drift, shift.Shift}, e.Kind)
	assert.Equal(t, h.query.Operators[0].ID, e.Changes[0].Operator)
	c := e.Changes[0]
	assert.LessOrEqual(t, c.Was[len(c.Was)-1].Execution, int64(25), "the reference is of before the drift")
	assert.Greater(t, c.Is[0].Execution, int64(25))
}

// What a slow drift is held against is named when it is fixed, since its runs are forgotten when
// the drift shows.
func TestReferenceOfASlowDrift(t *testing.T) {
	h := newHistory(t, calm(), nil)
	fixed := map[shift.Reference][]shift.RunID{}
	run := func() {
		h.run(1)
		for _, f := range h.last.Fixed {
			fixed[f.Reference] = f.Runs
		}
	}
	for range 40 {
		run()
	}
	require.Len(t, fixed, len(h.query.Operators))
	assert.Len(t, h.fleet.References(h.query.Name), len(fixed))
	for i := 0; len(h.kinds()) == 0 && i < 300; i++ {
		h.query.Operators[0].Factor *= 1.0007
		run()
	}
	require.Equal(t, []shift.Kind{shift.Drift}, h.kinds())
	c := h.events[0].Changes[0]
	assert.Empty(t, c.Was)
	assert.Equal(t, c.Key, c.Reference.Key)
	runs := fixed[c.Reference]
	require.GreaterOrEqual(t, len(runs), 20)
	assert.Less(t, runs[len(runs)-1].Execution, int64(40))
	assert.NotContains(t, h.fleet.References(h.query.Name), c.Reference, "the baseline begins again")
	assert.Len(t, h.fleet.References(h.query.Name), len(h.query.Operators)-1)
}

// What is no operator's doing gives no alarm.
func TestBenignChanges(t *testing.T) {
	for name, change := range map[string]func(*history){
		"three times the rows":              func(h *history) { h.query.Rows(3) },
		"a third of the rows":               func(h *history) { h.query.Rows(1. / 3) },
		"a tenth more rows":                 func(h *history) { h.query.Rows(1.1) },
		"all operators more expensive":      func(h *history) { h.factor(1.3) },
		"all operators cheaper":             func(h *history) { h.factor(0.7) },
		"a third of the samples, as coarse": func(h *history) { h.query.Hz /= 3; h.query.Samples /= 3 },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, calm(), nil)
			h.run(25)
			change(h)
			h.run(25)
			for _, e := range h.events {
				assert.False(t, e.Kind.Alarm(), "%s: %+v", e.Kind, e.Changes)
				assert.NotEqual(t, shift.Cheaper, e.Kind)
			}
		})
	}
}

// A run under test that states a larger error than the baseline has is believed; one that states a
// smaller error is not.
func TestErrorOfARunUnderTest(t *testing.T) {
	width := func(variance float64) float64 {
		h := newHistory(t, calm(), nil)
		h.query.Weigh(2, 0.02) // 400 samples: 5 %
		h.run(25)
		r := h.query.Run()
		for i := range r.Operators {
			if r.Operators[i].Operator == h.query.Operators[2].ID {
				r.Operators[i].Variance *= variance
			}
		}
		h.add(r)
		v := h.verdict(2)
		return math.Log(v.High / v.Low)
	}
	one := width(1)
	assert.Greater(t, width(3.5), 1.4*one)
	assert.InEpsilon(t, one, width(0.3), 0.1, "never narrower than the baseline's")
}

func (h *history) factor(f float64) {
	for i := range h.query.Operators {
		h.query.Operators[i].Factor = f
	}
}

func TestQueryAndHostSlower(t *testing.T) {
	h := newHistory(t, calm(), func(s *shift.Settings) { s.HostWindow = 12 * time.Hour })
	h.query.Hosts = []string{"h9"}
	h.run(25)
	h.factor(1.3)
	h.run(5)
	assert.Contains(t, h.kinds(), shift.QuerySlower)

	f, err := shift.NewFleet(shift.DefaultSettings())
	require.NoError(t, err)
	var queries []*scenario.Query
	for i := range 8 {
		q := scenario.New(uint64(i), 6, calm())
		q.Hosts = []string{fmt.Sprintf("h%d", i%2)}
		q.Every = 10 * time.Minute
		queries = append(queries, q)
	}
	var kinds []shift.Kind
	var host string
	for n := range 40 {
		for i, q := range queries {
			if n == 25 && i%2 == 1 {
				for k := range q.Operators {
					q.Operators[k].Factor = 1.2
				}
			}
			r := q.Run()
			j, err := f.Add(r, r.End)
			require.NoError(t, err)
			for _, e := range j.Events {
				kinds = append(kinds, e.Kind)
				if e.Kind == shift.HostSlower {
					host = e.Host
				}
				assert.False(t, e.Kind.Alarm())
			}
		}
	}
	assert.Contains(t, kinds, shift.HostSlower)
	assert.Equal(t, "h1", host)
}

func TestRowsOutOfRangeIsNotJudged(t *testing.T) {
	n := calm()
	n.Missing = 0
	h := newHistory(t, n, nil)
	h.run(25)
	h.query.Rows(3)
	h.run(1)
	for i := range h.query.Operators {
		v := h.verdict(i)
		assert.Contains(t, []shift.Status{shift.OutOfRange, shift.FewSamples}, v.Status)
		assert.Zero(t, v.Ratio)
	}
}

// A run may lack the rows of an operator that has them otherwise. It is not held against a line of
// rows, whether or not a shift stands, and however many such runs follow.
func TestRowsNotKnown(t *testing.T) {
	n := calm()
	n.Missing = 0
	h := newHistory(t, n, nil)
	h.query.Weigh(2, 0.2)
	without := func() {
		r := h.query.Run()
		for i := range r.Operators {
			r.Operators[i].Rows = 0
		}
		h.add(r)
	}
	h.run(25)
	without()
	for i := range h.query.Operators {
		v := h.verdict(i)
		assert.Contains(t, []shift.Status{shift.RowsUnknown, shift.FewSamples}, v.Status)
		assert.Zero(t, v.Ratio)
	}
	assert.Equal(t, shift.RowsUnknown, h.verdict(2).Status)
	h.query.Operators[2].Factor = 1.25
	h.run(3)
	require.Equal(t, []shift.Kind{shift.Shift}, h.kinds())
	for range 8 {
		without()
		assert.Zero(t, h.verdict(2).Ratio)
		assert.InDelta(t, 1.25, h.verdict(2).Active.Ratio, 0.1, "it stands nevertheless")
	}
	require.Equal(t, []shift.Kind{shift.Shift}, h.kinds())
}

// Another plan is told as such, with what both have, what came and what went; the operators that
// both have start from what was known.
func TestPlanChanged(t *testing.T) {
	h := newHistory(t, calm(), nil)
	h.run(20)
	gone, came := h.query.Operators[1].ID, "join@0000abcd"
	for n := range 12 {
		r := h.query.Run()
		for i := range r.Operators {
			if r.Operators[i].Operator == gone {
				r.Operators[i].Operator, r.Operators[i].Name = came, "SortMergeJoin a"
			}
		}
		if n > 5 {
			r.Plan = "p1" // the operators alone tell
		}
		h.add(r)
	}
	require.Equal(t, []shift.Kind{shift.PlanChanged}, h.kinds())
	e := h.events[0]
	assert.Equal(t, int64(20), e.Run.Execution)
	require.Len(t, e.Appeared, 1)
	assert.Equal(t, came, e.Appeared[0].Operator)
	require.Len(t, e.Vanished, 1)
	assert.Equal(t, gone, e.Vanished[0].Operator)
	assert.Len(t, e.Changes, 7)
	for _, c := range e.Changes {
		ratio, _, _ := c.Evidence.Ratio()
		assert.InDelta(t, 1, ratio, 0.15)
	}
}

// The number of samples decides whether an operator that was never there makes another plan. One
// sample may stand for much CPU (a short task's, calibrated) with an error that claims more.
func TestOneSampleIsNoPlan(t *testing.T) {
	for samples, want := range map[float64][]shift.Kind{1: nil, 11: nil, 13: {shift.PlanChanged}} {
		h := newHistory(t, calm(), nil)
		h.run(20)
		r := h.query.Run()
		came := shift.Cost{Key: shift.Key{Stage: r.Operators[0].Stage, Operator: "broadcast@0000abcd"}, Name: "BroadcastExchange a", CPU: 0.05 * r.CPU, Samples: samples}
		came.Variance = came.CPU * came.CPU / 14
		r.Operators = append(r.Operators, came)
		h.add(r)
		assert.Equal(t, want, h.kinds(), "%g samples", samples)
	}
}

// A run whose driver's clock is days ahead is refused: those after it are judged as ever, and the
// budget's week stays where it is.
func TestRunAheadOfTheClock(t *testing.T) {
	h := newHistory(t, calm(), func(s *shift.Settings) { s.AlarmsPerWeek = 20 })
	for _, q := range append(h.others, h.query) {
		q.Every = 10 * time.Minute
	}
	h.run(160)
	level := h.fleet.Level()
	require.Less(t, level, 0.0006, "the tests of the last day tell it: at most 20/(7·144·48)")
	r := h.query.Run()
	now := r.End
	r.End = now.Add(shift.MostAhead + 9*24*time.Hour)
	_, err := h.fleet.Add(r, now)
	require.ErrorIs(t, err, shift.ErrAhead)
	require.ErrorContains(t, err, r.ID.String())
	h.run(1)
	assert.False(t, h.last.Late)
	assert.InEpsilon(t, level, h.fleet.Level(), 0.05)
	near := h.query.Run()
	_, err = h.fleet.Add(near, near.End.Add(-shift.MostAhead))
	require.NoError(t, err)
}

func TestAddIsIdempotent(t *testing.T) {
	h := newHistory(t, calm(), nil)
	h.run(3)
	r := h.query.Run()
	h.add(r)
	before, err := h.fleet.Encode(r.Query)
	require.NoError(t, err)
	h.add(r)
	assert.True(t, h.last.Duplicate)
	after, err := h.fleet.Encode(r.Query)
	require.NoError(t, err)
	assert.JSONEq(t, string(before), string(after))

	late := *r
	late.Parts = []shift.Part{{ID: "99", Host: "h2"}}
	h.add(&late)
	assert.True(t, h.last.Amended)
	old := h.query.Run()
	old.End = r.End.Add(-90 * time.Minute)
	h.add(old)
	assert.True(t, h.last.Late)
	assert.Empty(t, h.last.Operators)
}

func TestBoundsAreKeptAndCounted(t *testing.T) {
	h := newHistory(t, calm(), func(s *shift.Settings) {
		s.MaxQueries, s.MaxPlans, s.MaxOperators, s.MaxRuns, s.BaselineRuns, s.ReferenceRuns, s.MaxHosts = 3, 2, 5, 20, 10, 10, 1
	})
	h.run(3)
	assert.Equal(t, 3, h.fleet.Queries())
	d := h.fleet.Drops()
	assert.Equal(t, uint64(3*6-3), d.Queries)
	assert.Equal(t, uint64(18*3), d.Operators)
	several := func(n int, plan string) {
		for i := range n {
			r := h.query.Run()
			r.Plan = plan
			r.Parts[0].Host = fmt.Sprint("h", i%2)
			h.add(r)
		}
	}
	several(28, "p1")
	d = h.fleet.Drops()
	assert.Equal(t, uint64(1+28-20), d.Runs, "the query's own run before, and these")
	assert.NotZero(t, d.Hosts)
	ancient := h.query.Run()
	ancient.End = ancient.End.Add(-1000 * time.Hour)
	h.add(ancient)
	assert.True(t, h.last.Late)
	assert.Equal(t, uint64(1), h.fleet.Drops().Late)
	several(1, "p2")
	several(1, "p3")
	assert.Equal(t, uint64(1), h.fleet.Drops().Plans)
}

func TestRunsThatAreUnfit(t *testing.T) {
	good := func() *shift.Run { return scenario.New(1, 3, calm()).Run() }
	for want, spoil := range map[string]func(*shift.Run){
		"application id": func(r *shift.Run) { r.ID.Application = "" },
		"query":          func(r *shift.Run) { r.Query = "" },
		"end":            func(r *shift.Run) { r.End = time.Time{} },
		"CPU NaN":        func(r *shift.Run) { r.CPU = math.NaN() },
		"twice":          func(r *shift.Run) { r.Operators[1] = r.Operators[0] },
		"variance":       func(r *shift.Run) { r.Operators[1].Variance = -1 },
		"CPU 0 s":        func(r *shift.Run) { r.Operators[1].CPU = 0 },
		"rows":           func(r *shift.Run) { r.Operators[1].Rows = math.Inf(1) },
		"33 labels": func(r *shift.Run) {
			r.Labels = map[string]string{}
			for i := range 33 {
				r.Labels[fmt.Sprint(i)] = "x"
			}
		},
		"run app-": func(r *shift.Run) { r.Operators[0].Operator = "" },
	} {
		r := good()
		require.NoError(t, r.Validate())
		spoil(r)
		f, err := shift.NewFleet(shift.DefaultSettings())
		require.NoError(t, err)
		_, err = f.Add(r, r.End)
		require.ErrorContains(t, err, want)
		assert.Zero(t, f.Queries())
	}
}

func TestSettings(t *testing.T) {
	s := shift.DefaultSettings()
	require.NoError(t, s.Validate())
	s.MaxRuns = 45
	require.ErrorContains(t, s.Validate(), "MaxRuns: 45, want at least 50")
	s = shift.DefaultSettings()
	s.ReferenceRuns = 41
	require.ErrorContains(t, s.Validate(), "ReferenceRuns")
	s.AlarmsPerWeek = 0
	require.ErrorContains(t, s.Validate(), "alarms_per_week: 0, want")
}

// The first run that is judged is the one after minimum_runs: before, it would be held against a
// baseline that it is part of.
func TestFirstJudgedRun(t *testing.T) {
	h := newHistory(t, scenario.Steady(0.03), nil)
	for n := 1; n <= 7; n++ {
		h.run(1)
		judged := 0
		for _, v := range h.last.Operators {
			if v.Status == shift.Judged {
				judged++
			}
		}
		if n <= shift.DefaultSettings().MinimumRuns {
			assert.Zero(t, judged, "run %d", n)
		} else {
			assert.Positive(t, judged, "run %d", n)
		}
	}
}
