package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/sampler/recording"
)

func cost(cpu, rows float64) costmodel.Side {
	return costmodel.Side{There: true, CPU: cpu, Rows: rows, RowsKnown: true, Variance: 1e-6, Sample: 1e-9}
}

// joined are the sides of a query: a scan, a filter, and a join of either kind.
func joined(physical, stage string, sides map[string]costmodel.Side) *querySides {
	s := &querySides{query: "q1-3", name: "nightly", runs: 1, sample: 0.002, by: map[placed]costmodel.Side{}, planned: map[plannedOperator]bool{}, rows: map[[2]string]float64{}}
	for _, o := range []placed{
		{"Scan", "scan@1", "Scan lineitem", stage}, {"Filter", "filter@2", "Filter like(?)", stage}, {physical, "join@3", physical + " a = b", stage},
	} {
		s.planned[plannedOperator{o.physical, o.operator}], s.rows[[2]string{o.operator, "result"}] = true, 5
		if side, sampled := sides[o.physical]; sampled {
			s.by[o] = side
			s.order = append(s.order, o)
		}
	}
	return s
}

func TestAgainstMatchesByPhysicalOperator(t *testing.T) {
	old := joined("BroadcastHashJoin", "result", map[string]costmodel.Side{"Scan": cost(2, 2e6), "Filter": cost(1, 2e6), "BroadcastHashJoin": cost(3, 100)})
	new := joined("SortMergeJoin", "exchange>join", map[string]costmodel.Side{"Scan": cost(6, 6e6), "SortMergeJoin": cost(11, 100)})
	m := &matched{query: "q1-3", name: "nightly"}
	m.match(old, new)
	got := m.bridge(costmodel.Common{})
	assert.Equal(t, []string{"SortMergeJoin"}, got.Came)
	assert.Equal(t, []string{"BroadcastHashJoin"}, got.Went, "one logical operator, two physical ones")
	assert.InDelta(t, 4, got.Rows.Seconds-filterRows(&got), 1e-6, "the scan's, in another stage of its plan")
	assert.InDelta(t, 8, got.Plan.Seconds, 1e-9)
	require.Len(t, got.Operators, 4)
	assert.Equal(t, "Filter like(?)", got.Operators[2].Name, "the plan has it, no sample does")
	assert.Equal(t, 5.0, *got.Operators[2].RowsNew)
	assert.InDelta(t, 17-6, got.Rows.Seconds+got.Plan.Seconds+got.Run.Seconds+got.Code.Seconds, 1e-9)
}

// filterRows is the rows' part of the operator that has no sample on one side.
func filterRows(q *queryBridge) float64 { return q.Operators[2].Rows.Seconds }

func TestAgainstText(t *testing.T) {
	m := &matched{query: "q1-3", name: "nightly"}
	m.match(joined("BroadcastHashJoin", "result", map[string]costmodel.Side{"Scan": cost(2, 2e6), "Filter": cost(1, 1e6), "BroadcastHashJoin": cost(3, 100)}),
		joined("SortMergeJoin", "exchange>join", map[string]costmodel.Side{"Scan": cost(6, 6e6), "Filter": cost(2, 1e6), "SortMergeJoin": cost(11, 100)}))
	r := &bridgeReport{Old: "monday", New: "tuesday", Common: 1, Queries: []queryBridge{m.bridge(costmodel.Common{})}}
	var b strings.Builder
	require.NoError(t, r.text(&b))
	assert.Equal(t, `planflame: seconds of CPU of a run, in operators
  new  tuesday
  old  monday

nightly   6.00 → 19.0 s of CPU   + 13.0
  rows          + 4.00 ± 0.00    Scan lineitem  2.0 M → 6.0 M rows
  plan          + 8.00 ± 0.00    SortMergeJoin came; BroadcastHashJoin went
  whole run     + 0.00 ± 0.00    all operators alike, × 1.00
  code          + 1.00 ± 0.00    Filter like(?)  1000 → 2000 ns/row
`, b.String())
}

func TestAgainstRefuses(t *testing.T) {
	drawn, _ := columns.NewBuilder(recording.Meta{}).Model()
	all, _ := columns.NewBuilder(recording.Meta{}).Model()
	drawn.Meta.RunFraction = 0.5
	_, err := against(all, drawn, "monday", "tuesday", "")
	assert.ErrorContains(t, err, "--against: in tuesday runs were drawn")
	_, err = against(all, all, "monday", "tuesday", "nightly")
	assert.ErrorContains(t, err, `--query "nightly": not in both recordings`)
	for want, args := range map[string][]string{
		`--format "html": with --against text or json`: {"report", "x", "--against", "y", "--format", "html"},
		"open recording":                      {"report", t.TempDir(), "--against", t.TempDir()},
		"[against stage] were all set":        {"report", "x", "--against", "y", "--stage", "3"},
		"[against run-fraction] were all set": {"report", "x", "--against", "y", "--run-fraction", "0.5"},
	} {
		root := newRoot()
		root.SetArgs(args)
		assert.ErrorContains(t, root.Execute(), want)
	}
}
