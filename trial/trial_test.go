package trial

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/phase"
)

func TestInclusion(t *testing.T) {
	// 2 · 50/100 reaches 1; one more is drawn of the other 50.
	assert.InDeltaSlice(t, []float64{1, 0.6, 0.2, 0.2}, Inclusion([]float64{50, 30, 10, 10}, 2), 1e-12)
	assert.InDeltaSlice(t, []float64{1, 1, 0.5, 0.5}, Inclusion([]float64{50, 30, 10, 10}, 3), 1e-12)
	assert.Equal(t, []float64{1, 1}, Inclusion([]float64{5, 1}, 7))
	assert.Equal(t, []float64{0, 0}, Inclusion([]float64{5, 1}, 0))
}

func TestLargerDrawContainsTheSmaller(t *testing.T) {
	queries, _ := fleetOf(120, 4, nil)
	for d := range 4 {
		before := []int{}
		for _, n := range []int{3, 10, 20, 30, 120} {
			p, err := NewPlan(queries, Settings{Name: strconv.Itoa(d), Runs: n})
			require.NoError(t, err)
			require.Len(t, p.Order, n)
			assert.Equal(t, before, p.Order[:len(before)])
			before = p.Order
		}
		assert.Len(t, slices.Compact(slices.Sorted(slices.Values(before))), 120)
	}
	a, err := NewPlan(queries, Settings{Name: "a", Runs: 20})
	require.NoError(t, err)
	b, err := NewPlan(queries, Settings{Name: "b", Runs: 20})
	require.NoError(t, err)
	assert.NotEqual(t, a.Order, b.Order)
}

func TestSize(t *testing.T) {
	cost := slices.Repeat([]float64{1}, 1000)
	// Equal costs: t(19) = 2.093, √(1/20 - 1/1000).
	assert.InDelta(t, 2.093*0.15*math.Sqrt(1./20-1./1000), Half(cost, 20, 0.15, Level), 1e-5)
	n := RunsFor(cost, 0.15, 0.05, Level)
	assert.LessOrEqual(t, Half(cost, n, 0.15, Level), 0.05)
	assert.Greater(t, Half(cost, n-1, 0.15, Level), 0.05)
	assert.Equal(t, 5, RunsFor([]float64{1, 1, 1, 1, 1}, 0.5, 0.0001, Level))
	assert.Zero(t, Half([]float64{1, 2, 3}, 3, 0.5, Level))
	queries, _ := fleetOf(50, 4, nil)
	p, err := NewPlan(queries, Settings{Name: "a", Within: 0.05})
	require.NoError(t, err)
	assert.LessOrEqual(t, p.Half, 0.05)
	assert.Equal(t, DefaultSpread, p.Spread)
}

// The table of docs/use/trial.md: a tenth of 2,000 queries has about six tenths of the cost.
func TestWidthsOfDocs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	cost := make([]float64, 2000)
	for i := range cost {
		cost[i] = math.Exp(1.5 * random.NormFloat64())
	}
	for _, row := range []struct {
		spread, half float64
		runs         int
	}{{0.05, 0.022, 7}, {0.15, 0.067, 33}, {0.30, 0.135, 95}} {
		assert.InEpsilon(t, row.half, Half(cost, 20, row.spread, Level), 0.05, "%g", row.spread)
		assert.InDelta(t, row.runs, RunsFor(cost, row.spread, 0.05, Level), 3, "%g", row.spread)
	}
}

func TestPlanRefuses(t *testing.T) {
	queries, _ := fleetOf(10, 4, nil)
	refused := func(queries []Query, s Settings, want string) {
		t.Helper()
		_, err := NewPlan(queries, s)
		assert.ErrorContains(t, err, want)
	}
	refused(queries[:2], Settings{Runs: 5}, "2 queries: a trial needs 3")
	refused(queries, Settings{Runs: 2}, "2 re-runs: an interval needs 3")
	refused(queries, Settings{}, "want a number of re-runs or a width")
	refused(queries, Settings{Runs: 5, Within: 0.1}, "want a number of re-runs or a width")
	refused(append(queries[:9:9], queries[0]), Settings{Runs: 5}, "query q0: twice")
	refused(append(queries[:9:9], Query{ID: "zero"}), Settings{Runs: 5}, "query zero: cost 0, not above 0")
}

// TestWholeFleetIsExact re-runs all: nothing is left open.
func TestWholeFleetIsExact(t *testing.T) {
	queries := []Query{
		{ID: "a", CPU: phase.Mix{"scan": 6, "sort": 4}, Cost: 10}, {ID: "b", CPU: phase.Mix{"scan": 20}, Cost: 20}, {ID: "c", CPU: phase.Mix{"sort": 30}, Cost: 30},
	}
	reruns := []Rerun{{0, phase.Mix{"scan": 6, "sort": 8}, 1}, {1, phase.Mix{"scan": 21}, 0}, {2, phase.Mix{"sort": 45}, 0}}
	j, err := Judge(queries, []float64{1, 1, 1}, 3, reruns)
	require.NoError(t, err)
	assert.InDelta(t, 60, j.Cost, 1e-12)
	for _, x := range []float64{j.Fleet.Change, j.Fleet.Low, j.Fleet.High} {
		assert.InDelta(t, 81./60-1, x, 1e-9)
	}
	require.Len(t, j.Kinds, 2)
	assert.Equal(t, phase.Kind("sort"), j.Kinds[0].Kind)
	assert.InDelta(t, 53./34-1, j.Kinds[0].Change.Change, 1e-9)
	assert.Equal(t, Sensitive, j.Kinds[0].Verdict)
	assert.InDelta(t, 27./26-1, j.Kinds[1].Change.Change, 1e-9)
	assert.Equal(t, Steady, j.Kinds[1].Verdict)
	_, err = Judge(queries, []float64{1, 1, 1}, 3, reruns[:2])
	assert.ErrorContains(t, err, "2 of 3 re-runs were seen: an interval needs 3")
}

// TestKindSeenOnce holds that nothing is said about a kind that one re-run has.
func TestKindSeenOnce(t *testing.T) {
	queries, after := fleetOf(30, 4, nil)
	queries[0].CPU["rare"], after[0].CPU["rare"] = 1, 5
	queries[0].Cost = queries[0].CPU.Sum()
	pi := make([]float64, len(queries))
	for i := range pi {
		pi[i] = 0.2
	}
	j, err := Judge(queries, pi, 6, after[:6])
	require.NoError(t, err)
	last := j.Kinds[len(j.Kinds)-1]
	assert.Equal(t, KindChange{Kind: "rare", Cost: 1, Seen: 1, Verdict: Open}, last)
}

// TestKindOfCertainQueries holds that nothing is said about a kind that certain re-runs alone have,
// if other queries have it too. If none has, it is known.
func TestKindOfCertainQueries(t *testing.T) {
	queries, after := fleetOf(30, 4, nil)
	pi := make([]float64, len(queries))
	for i := range pi {
		pi[i] = 0.2
	}
	for i := range 2 {
		pi[i] = 1
		queries[i].CPU["some"], queries[i].CPU["all"] = 2, 1
		after[i].CPU["some"], after[i].CPU["all"] = 10, 3
		queries[i].Cost = queries[i].CPU.Sum()
	}
	queries[20].CPU["some"] = 1
	queries[20].Cost = queries[20].CPU.Sum()
	j, err := Judge(queries, pi, 8, after[:8])
	require.NoError(t, err)
	got := map[phase.Kind]KindChange{}
	for _, k := range j.Kinds {
		got[k.Kind] = k
	}
	assert.Nil(t, got["some"].Change)
	assert.Equal(t, Open, got["some"].Verdict)
	assert.Equal(t, Sensitive, got["all"].Verdict)
	assert.Equal(t, Change{2, 2, 2}, *got["all"].Change)

	j, err = Judge(queries, pi, 9, after[:8])
	require.NoError(t, err)
	for _, k := range j.Kinds {
		got[k.Kind] = k
	}
	assert.Nil(t, got["some"].Change, "with a re-run that is missing")
	assert.NotNil(t, got["all"].Change, "with a re-run that is missing")
}

func TestAtOldRows(t *testing.T) {
	before := Runs{Count: 10, Operators: []Operator{
		{ID: "scan@1", Name: "Scan t", Kind: "scan", CPU: 40, Rows: 1000},
		{ID: "exchange@2", Name: "Exchange t (write)", Kind: "exchange", CPU: 8, Rows: 100},
		{ID: "exchange@2", Name: "Exchange t (read)", Kind: "exchange", CPU: 2, Rows: 100},
		{ID: "gone@3", Name: "ColumnarToRow of t", Kind: "columnar-to-row", CPU: 10, Rows: 1000},
		{ID: "[codegen]", Name: "[codegen]", Kind: "[codegen]", CPU: 5, Bucket: true},
	}}
	after := Runs{Count: 2, Operators: []Operator{ // half the rows a run; the exchange is another sort of plan's
		{ID: "scan@1", Name: "Scan t", Kind: "scan", CPU: 6, Rows: 100},
		{ID: "exchange@2", Name: "Exchange t", Kind: "exchange", CPU: 1, Rows: 3},
		{ID: "sort@4", Name: "Sort a", Kind: "sort", CPU: 0.5},
		{ID: "[codegen]", Name: "[codegen]", Kind: "[codegen]", CPU: 4, Bucket: true},
	}}
	c := AtOldRows(before, after)
	assert.InDelta(t, 0.5, c.Rows, 1e-12)
	assert.Equal(t, phase.Mix{"scan": 60, "exchange": 10, "columnar-to-row": 0, "[codegen]": 20}, c.CPU)
	assert.InDelta(t, 5, c.Other, 1e-12)
	assert.Equal(t, []OperatorChange{
		{"[codegen]", "[codegen]", "[codegen]", 5, 20}, {"exchange@2", "Exchange t (write)", "exchange", 10, 10}, {"gone@3", "ColumnarToRow of t", "columnar-to-row", 10, 0},
		{"scan@1", "Scan t", "scan", 40, 60}, {"sort@4", "Sort a", "sort", 0, 5},
	}, c.Operators)
	assert.InDelta(t, 5./65, c.OldOutside, 1e-12)
	assert.InDelta(t, 20./95, c.NewOutside, 1e-12)
	assert.InDelta(t, 1, AtOldRows(before, Runs{Count: 1}).Rows, 0)
}
