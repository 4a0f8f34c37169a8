package shift_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/internal/scenario"
)

// caseNamed is the power case of that name.
func caseNamed(t *testing.T, name string) scenario.Case {
	t.Helper()
	cases := scenario.Cases()
	i := slices.IndexFunc(cases, func(c scenario.Case) bool { return c.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return cases[i]
}

// Where runs vary so much that five cannot show a shift, more do: it must not become part of what
// it is held against.
func TestShiftIsFoundLate(t *testing.T) {
	for name, least := range map[string]float64{"150 %, restless, within 40, after 18 runs": 0.65, "10 %, CV 5 %, within 40": 0.75} {
		t.Run(name, func(t *testing.T) {
			trials := 100
			if testing.Short() {
				trials = 40
			}
			r, err := scenario.Power(23, trials, caseNamed(t, name))
			require.NoError(t, err)
			t.Log(r)
			assert.GreaterOrEqual(t, r.Found, least)
			assert.LessOrEqual(t, r.Wrong+r.Early, 1)
			late := 0
			for _, n := range r.After[6:] {
				late += n
			}
			assert.Greater(t, late, trials/10, "found by more than five runs")
		})
	}
}

// What is said of a shift that was found late is when it began and what it was before, not what the
// runs on both sides of it give together.
func TestLateShiftIsDated(t *testing.T) {
	c := caseNamed(t, "150 %, restless, within 40, after 18 runs")
	late := 0
	for seed := range uint64(60) {
		q := scenario.New(1000+seed, 5, c.Noise)
		q.Samples = c.Samples
		q.Weigh(0, 0.2)
		set := shift.DefaultSettings()
		set.MinimumCoreHours, set.AlarmsPerWeek = 0, 0.01 // so strict that five runs seldom do
		f, err := shift.NewFleet(set)
		require.NoError(t, err)
		var usual float64
		var began time.Time
		for k := range c.History + c.Within {
			if k == c.History {
				q.Operators[0].Factor = 1 + c.Shift
			}
			r := q.Run()
			i := slices.IndexFunc(r.Operators, func(o shift.Cost) bool { return o.Operator == q.Operators[0].ID })
			switch {
			case k < c.History:
				usual += r.Operators[i].CPU / float64(c.History)
			case k == c.History:
				began = r.End
			}
			j, err := f.Add(r, r.End)
			require.NoError(t, err)
			e := slices.IndexFunc(j.Events, func(e shift.Event) bool { return e.Kind == shift.Shift })
			if e < 0 {
				continue
			}
			if k > c.History+5 {
				late++
				change := j.Events[e].Changes[0]
				assert.WithinDuration(t, began, j.Events[e].Since, 3*q.Every, "seed %d: by %d runs", seed, change.Evidence.Runs)
				assert.Equal(t, q.Operators[0].ID, change.Operator, "seed %d", seed)
				assert.InEpsilon(t, usual, change.From, 0.35, "seed %d: cost before", seed)
				assert.InEpsilon(t, 1+c.Shift, change.To/change.From, 0.35, "seed %d: ratio", seed)
			}
			break
		}
	}
	assert.Greater(t, late, 5, "shifts that took more than five runs")
}
