package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/columns"
)

func TestParse(t *testing.T) {
	o, err := parse([]string{"-scale", "0.3", "-parts", "size,diff"})
	require.NoError(t, err)
	assert.Equal(t, "build/tpch/sf0.3", o.data)
	assert.Equal(t, []string{"size", "diff"}, o.parts)
	for _, args := range [][]string{{"-parts", "size,none"}, {"-hz", "0"}, {"-diff-passes", "-1"}} {
		_, err := parse(args)
		assert.ErrorContains(t, err, args[0])
	}
}

func TestP95(t *testing.T) {
	values := make([]float64, 30)
	for i := range values {
		values[i] = float64(30 - i)
	}
	assert.InDelta(t, 29, p95(values), 0, "of 30 values the second largest")
	assert.InDelta(t, 4, p95([]float64{4}), 0)
}

// The comparison counts what differs by more than a millisecond, and each count that differs.
func TestCheckerCounts(t *testing.T) {
	c := &checker{r: &results{}}
	c.seconds("a", 1, 1.0009)
	c.seconds("b", 1, 1.0011)
	c.counts("c", 7, 7)
	c.counts("d", 7, 8)
	assert.Equal(t, 4, c.checks)
	assert.Equal(t, 2, c.mismatches)
	assert.Equal(t, []string{"sums: b: 1 and 1.0011", "sums: d: 7 and 8"}, c.r.Found)
}

func TestTold(t *testing.T) {
	q := &columns.QueryDiff{Operators: []columns.OperatorDiff{
		{Name: "Scan", A: 1, Judgment: columns.Judgment{Verdict: columns.Changed, Difference: 1}}, {Name: "Project", A: 5, Judgment: columns.Judgment{Verdict: columns.Changed, Difference: 2}},
	}}
	assert.InDelta(t, 1, told(q, &results{}), 0)
	q.Operators[1].Difference = -2
	assert.Zero(t, told(q, &results{}), "it costs less")
	q.Operators[1].Difference, q.Operators[1].Verdict = 2, columns.Same
	assert.Zero(t, told(q, &results{}), "nothing is told of it")
}

func TestTotalsOfFormats(t *testing.T) {
	got, err := totalOfCollapsed([]byte("a;b c 1500000\na 500000\n"))
	require.NoError(t, err)
	assert.InDelta(t, 2, got, 1e-9)
	got, err = totalOfSpeedscope([]byte(`{"profiles": [{"unit": "microseconds", "weights": [3, 4]}, {"unit": "seconds", "weights": [5]}]}`))
	require.NoError(t, err)
	assert.InDelta(t, 5.000007, got, 1e-12)
	_, err = totalOfSpeedscope([]byte(`{"profiles": [{"unit": "none", "weights": [3]}]}`))
	assert.Error(t, err)
}
