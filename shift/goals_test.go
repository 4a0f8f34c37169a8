package shift_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/shift/internal/scenario"
)

// The goals of docs/measurements/shift.md, in a short form of shift/internal/simulate: few trials,
// so a band below the goal.
func TestGoals(t *testing.T) {
	trials := 100
	if testing.Short() {
		trials = 24
	}
	for _, c := range scenario.Cases() {
		if c.Goal == 0 {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			r, err := scenario.Power(11, trials, c)
			require.NoError(t, err)
			t.Log(r)
			assert.GreaterOrEqual(t, r.Found, c.Goal-0.13)
			assert.Zero(t, r.Wrong)
			assert.LessOrEqual(t, r.Early, 1)
		})
	}
}

// No page without a shift, and intervals that hold the truth as often as they say.
func TestNoPageWithoutShift(t *testing.T) {
	queries, runs := 40, 60
	if testing.Short() {
		queries, runs = 12, 40
	}
	r, err := scenario.Null(13, queries, runs, 1, scenario.Realistic())
	require.NoError(t, err)
	t.Logf("%d operator-runs judged of %d, events %v, status %v, intervals hold %.2f %%", r.OperatorRuns, r.All, r.Events, r.Status, 100*r.Covered)
	assert.Empty(t, r.Alarms)
	assert.Greater(t, r.OperatorRuns, r.All*8/10)
	assert.InDelta(t, 0.95, r.Covered, 0.015)
}

// At a hundred times the level there must be alarms, about as many as allowed: the test above could
// not fail else.
func TestLevelIsUsed(t *testing.T) {
	queries := 50
	if testing.Short() {
		queries = 25
	}
	r, err := scenario.Null(17, queries, 80, 1000, scenario.Realistic())
	require.NoError(t, err)
	allowed := float64(r.OperatorRuns) * 1000 / (7 * 200_000)
	t.Logf("%d pages where %.0f are allowed", r.Pages, allowed)
	assert.Less(t, float64(r.Pages), 2.5*allowed+5)
	assert.NotZero(t, r.Pages)
}
