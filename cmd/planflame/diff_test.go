package main

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/cmd/planflame/internal/render"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/tasksample"
)

// ranFor is a recording of runs of one query. Runs of less than 0 s failed.
func ranFor(seconds ...float64) *columns.Model {
	m := &columns.Model{Head: columns.Head{
		TickNanos: 1, Queries: []columns.Query{{Query: "q1-3", Plan: "p1-4", Name: "nightly"}},
		Operators: []columns.Operator{{Place: "result", Operator: "scan@1", Name: "Scan t", Role: "scan", Parent: columns.None}},
	}}
	m.Tasks.ID = []float64{columns.None}
	for i, s := range seconds {
		m.Executions = append(m.Executions, columns.Execution{ID: tasksample.ExecutionID(i), Plan: columns.None, Run: i + 1, Failed: s < 0})
		m.Labels = append(m.Labels, columns.Label{Execution: i, Stage: columns.None, Estimate: columns.None})
		e := &m.Exact
		e.Label, e.Task, e.Start, e.End = append(e.Label, uint32(i)), append(e.Task, 0), append(e.Start, 0), append(e.End, 0)
		e.Nanos, e.Below, e.Above = append(e.Nanos, 1e9*math.Abs(s)), append(e.Below, 0), append(e.Above, 0)
	}
	return m
}

func TestDiffSaysWhichRunsFailed(t *testing.T) {
	for _, test := range []struct {
		old, new *columns.Model
		want     string
		lost     string
	}{
		{ranFor(10), ranFor(10, 10), "no change to be told (", ""},
		{ranFor(10), ranFor(-4, 10, 10), " · B: 1 of 3 runs failed\n", ""},
		{ranFor(10), ranFor(-4), " · all runs failed · B: 1 of 1 runs failed\n", "nightly: 1 of 1 runs failed in tuesday"},
		{ranFor(-4, -4), ranFor(10), " · all runs failed · A: 2 of 2 runs failed\n", "nightly: 2 of 2 runs failed in monday"},
	} {
		d := columns.Compare(test.old, test.new, "monday", "tuesday", columns.Selection{})
		var text, markdown strings.Builder
		require.NoError(t, render.DiffText(&text, d))
		assert.Contains(t, text.String(), test.want)
		require.NoError(t, render.DiffMarkdown(&markdown, d))
		assert.Equal(t, strings.Contains(text.String(), "failed"), strings.Contains(markdown.String(), "failed"))
		if test.lost == "" {
			assert.NoError(t, lostRuns(d))
			assert.Contains(t, text.String(), "Scan t · ")
			continue
		}
		assert.EqualError(t, lostRuns(d), test.lost)
		assert.NotContains(t, text.String(), "Scan t")
	}
	expected := columns.Compare(ranFor(-4), ranFor(-5, -5), "monday", "tuesday", columns.Selection{})
	assert.Equal(t, columns.Lost, expected.Queries[0].Verdict)
	assert.NoError(t, lostRuns(expected), "a statement that the program expects to fail")
}

func TestAgainstLeavesOutFailedRuns(t *testing.T) {
	r, err := against(ranFor(-4, 10), ranFor(10), "monday", "tuesday", "")
	require.NoError(t, err)
	require.Len(t, r.Queries, 1)
	assert.InDelta(t, 10, r.Queries[0].Old, 1e-9)
	var text strings.Builder
	require.NoError(t, r.text(&text))
	assert.Contains(t, text.String(), "\n  failed     1 of 2 runs of old\n")

	r, err = against(ranFor(10), ranFor(-4), "monday", "tuesday", "")
	require.NoError(t, err)
	text.Reset()
	require.NoError(t, r.text(&text))
	assert.Contains(t, text.String(), "\nnightly: 1 of 1 runs failed in tuesday\n")
	_, err = against(ranFor(10), ranFor(-4), "monday", "tuesday", "nightly")
	assert.EqualError(t, err, "--query nightly: 1 of 1 runs failed in tuesday")
}
