package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/usualcost"
)

// featuredModel is a plan of a filter over a project over a scan, and the write end of an exchange
// above them. The exchange has 40 partitions.
func featuredModel() *columns.Model {
	return &columns.Model{Head: columns.Head{
		Meta:    columns.Meta{Hz: 500},
		Queries: []columns.Query{{Query: "q1-3", Plan: "p1-4"}},
		Plans: []columns.Plan{{Query: 0, Nodes: []columns.Node{
			{Parent: columns.None, Operator: "exchange@1", OperatorName: "Exchange t → aggregate", Place: "result", Text: "Exchange hashpartitioning(a#1, b#2, 40), ENSURE_REQUIREMENTS, [plan_id=7]"},
			{Parent: 0, Operator: "aggregate@5", OperatorName: "HashAggregate a", Place: "exchange>aggregate", Mode: "partial", Text: "HashAggregate(keys=[a#1, b#2], functions=[partial_sum((c#3 * d#4)), partial_count(1)])"},
			{Parent: 1, Operator: "filter@2", OperatorName: "Filter like(?)", Place: "exchange>aggregate", Text: "Filter (NOT c#3 LIKE %x% AND (a#1 >= cast(b#2 as int)))"},
			{Parent: 2, Operator: "scan@4", OperatorName: "Scan t", Place: "exchange>aggregate", Text: "FileScan parquet [a#1,b#2,c#3] Batched: true, DataFilters: [c#3 LIKE %x%]"},
		}}},
	}}
}

func TestFeaturesAreCountedInTexts(t *testing.T) {
	tree := newPlanTree(featuredModel())
	q := &columns.QueryReport{Query: "q1-3", Plan: "p1-4", Runs: 2}
	rows := uint64(7)
	for _, test := range []struct {
		o    columns.OperatorReport
		kind string
		want map[string]float64 // of those that are not 0
	}{
		{columns.OperatorReport{Operator: "filter@2", Name: "Filter like(?)", Role: "filter", Stage: "exchange>aggregate"}, "filter Filter",
			map[string]float64{"like": 1, "comparisons": 1, "casts": 1, "calls": 1, "columns": 3, "width": 3}},
		{columns.OperatorReport{Operator: "aggregate@5", Name: "HashAggregate a", Role: "aggregate", Stage: "exchange>aggregate"}, "aggregate HashAggregate partial",
			map[string]float64{"arithmetic": 1, "sums": 1, "counts": 1, "calls": 3, "columns": 4, "keys": 2, "width": 4}},
		{columns.OperatorReport{Operator: "scan@4", Name: "Scan t", Role: "scan", Stage: "exchange>aggregate"}, "scan Scan",
			map[string]float64{"columns": 3, "width": 3}},
		{columns.OperatorReport{Operator: "exchange@1", Name: "Exchange t → aggregate (write)", Role: "exchange", Stage: "exchange>aggregate"}, "exchange Exchange (write)",
			map[string]float64{"columns": 2, "keys": 2, "calls": 1, "width": 4}},
		{columns.OperatorReport{Operator: "sort@9", Name: "Sort a", Role: "sort"}, "sort Sort", map[string]float64{}},
	} {
		var got costmodel.Operator
		test.o.Rows = &rows
		tree.describe(q, &test.o, &got)
		maps.DeleteFunc(got.Features, func(_ string, n float64) bool { return n == 0 })
		assert.Equal(t, test.kind, got.Kind)
		assert.Equal(t, test.want, got.Features, test.kind)
	}
}

func TestFeaturesAreWhatThePluginCounted(t *testing.T) {
	m := featuredModel()
	m.Plans[0].Nodes[1].Counts = map[string]int{"decimal_sums": 3, "keys": 2}
	m.Plans[0].Nodes[0].Counts = map[string]int{"text_keys": 1}
	tree, q := newPlanTree(m), &columns.QueryReport{Query: "q1-3", Plan: "p1-4", Runs: 2}
	got, known := tree.operator(q, &columns.OperatorReport{Operator: "aggregate@5", Name: "HashAggregate a", Role: "aggregate", Stage: "exchange>aggregate"}, "")
	require.True(t, known)
	assert.Equal(t, map[string]float64{"decimal_sums": 3, "keys": 2}, got.Features, "nothing of its text")
}

func TestOperatorsHaveRowsTasksAndSegments(t *testing.T) {
	m := featuredModel()
	m.Operators = []columns.Operator{{Query: 0, Place: "exchange>aggregate", Operator: "exchange@1"}}
	m.Work = []columns.Work{{Query: 0, Rows: [][2]uint64{{0, 130}}}, {Query: 0, Rows: [][2]uint64{{0, 20}}}}
	tree, q := newPlanTree(m), &columns.QueryReport{Query: "q1-3", Plan: "p1-4", Runs: 2}
	rows := uint64(600)
	got, known := tree.operator(q, &columns.OperatorReport{Operator: "aggregate@5", Name: "HashAggregate a", Role: "aggregate", Stage: "exchange>aggregate", Rows: &rows, Tasks: 4}, "")
	require.True(t, known)
	assert.Equal(t, [5]float64{600, 150, 2, 4, 0}, [5]float64{got.Rows, got.RowsOut, got.Runs, got.Tasks, got.Segments}, "the exchange takes in what the aggregate gives")
	for _, test := range []struct{ rows, tasks, want float64 }{{150, 3, 120}, {90, 3, 90}} {
		rows = uint64(test.rows)
		got, known = tree.operator(q, &columns.OperatorReport{Operator: "exchange@1", Name: "Exchange t → aggregate (write)", Role: "exchange", Stage: "exchange>aggregate", Rows: &rows, Tasks: uint64(test.tasks)}, "")
		require.True(t, known)
		assert.Equal(t, test.want, got.Segments, "one of 40 for each task, and no more than rows")
	}
}

func TestJoinsHaveRowsOfTheirBroadcast(t *testing.T) {
	m := featuredModel()
	m.Plans[0].Nodes[2] = columns.Node{Parent: 1, Operator: "join@2", OperatorName: "BroadcastHashJoin a", Place: "exchange>aggregate"}
	m.Operators = []columns.Operator{
		{Place: "exchange>aggregate", Operator: "join@2", Build: "broadcast@6"},
		{Place: "exchange>aggregate", Operator: "aggregate@5"},
		{Place: "broadcast>join@2", Operator: "broadcast@6"},
	}
	m.Work = []columns.Work{{Rows: [][2]uint64{{0, 900}, {1, 70}}}, {Rows: [][2]uint64{{2, 5}}}, {Rows: [][2]uint64{{2, 9}}}}
	tree, q := newPlanTree(m), &columns.QueryReport{Query: "q1-3", Plan: "p1-4", Runs: 2}
	for name, want := range map[string]float64{"join@2": 7, "aggregate@5": 0} {
		got, known := tree.operator(q, &columns.OperatorReport{Operator: name, Name: map[string]string{"join@2": "BroadcastHashJoin a", "aggregate@5": "HashAggregate a"}[name], Role: name[:4], Stage: "exchange>aggregate"}, "")
		require.True(t, known)
		assert.Equal(t, want, got.Build, "%s: of one run", name)
	}
}

func TestOperatorsWithoutRowsAreKindsOfTheirOwn(t *testing.T) {
	tree := newPlanTree(featuredModel())
	q := &columns.QueryReport{Query: "q1-3", Plan: "p1-4", Runs: 3}
	o, known := tree.operator(q, &columns.OperatorReport{Operator: "scan@4", Name: "Scan t", Role: "scan", CPUSeconds: 0.05}, "h")
	require.True(t, known)
	assert.Equal(t, "scan Scan without rows", o.Kind)
	assert.Equal(t, 3.0, o.Rows, "its runs")
	assert.InDelta(t, 25, o.Samples, 1e-9)
	_, known = tree.operator(q, &columns.OperatorReport{Operator: "rdd@4", Name: "map at a.py"}, "h")
	assert.False(t, known, "it is no operator of a plan")
}

func TestExpensiveIsBeyondTheErrorOfItsSamples(t *testing.T) {
	usual := costmodel.Usual{PerRow: 1e-6, Low: 5e-7, High: 2e-6}
	o := costmodel.Operator{Rows: 1000, Sample: 0.002}
	for samples, want := range map[float64]bool{1: false, 2: false, 4: false, 5: false, 10: true, 100: true} {
		o.Samples, o.Rows = samples, samples*0.002/usual.High/3
		if samples == 5 {
			o.Rows *= 4
		}
		assert.Equal(t, want, expensive(&o, usual), "%v samples", samples)
	}
}

func TestShippedModelIsReadAndPredicts(t *testing.T) {
	m, err := usualModel("")
	require.NoError(t, err)
	like := costmodel.Operator{Kind: "filter Filter", Role: "filter", Rows: 1e6, Runs: 1, Tasks: 2, Features: map[string]float64{"like": 1, "columns": 1, "width": 3}}
	bare := costmodel.Operator{Kind: "filter Filter", Role: "filter", Rows: 1e6, Runs: 1, Tasks: 2, Features: map[string]float64{"columns": 1, "width": 3}}
	assert.Greater(t, m.Predict(&like, 1).PerRow, 2*m.Predict(&bare, 1).PerRow, "a filter with LIKE costs several times as much as one without")
	assert.Less(t, m.Low, 1.0)
	assert.Greater(t, m.High, 1.0)
}

// A host that is twice as fast is no error of the model.
func TestModelIsCheckedAtTheSpeedOfEachHost(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model.json")
	text, err := json.Marshal(usualcost.Shipped())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	var slow, fast []costmodel.Operator
	for i := range 6 {
		o := costmodel.Operator{Kind: "filter Filter", Role: "filter", Group: fmt.Sprint("q1-", i%2), Host: "slow", Rows: 1e6 * float64(1+i), Runs: 1, Tasks: 2,
			Samples: 100, Sample: 0.002 * float64(1+i*i), Features: map[string]float64{"columns": 1, "width": 3}}
		slow = append(slow, o)
		o.Host, o.Sample = "fast", o.Sample/2
		fast = append(fast, o)
	}
	usual, _, err := predicted(slices.Concat(slow, fast), file)
	require.NoError(t, err)
	of, as := checkOf(slow, usual[:6]), checkOf(fast, usual[6:])
	assert.Positive(t, of.ErrorMean)
	assert.InEpsilon(t, of.ErrorMean, as.ErrorMean, 1e-9)
	assert.InEpsilon(t, of.FactorMedian, as.FactorMedian, 1e-9)
	assert.InDelta(t, of.Marked, as.Marked, 1e-9)
}

func TestModelRefuses(t *testing.T) {
	dir := t.TempDir()
	bad, old := filepath.Join(dir, "bad.json"), filepath.Join(dir, "old.json")
	require.NoError(t, os.WriteFile(bad, []byte("{"), 0o600))
	require.NoError(t, os.WriteFile(old, []byte(`{"version": 7}`), 0o600))
	out := string(recorded(t))
	for _, test := range []struct {
		want string
		args []string
	}{
		{"open recording", []string{"model", "fit", dir}},
		{"too few operators for a model: 1, at least 50", []string{"model", "fit", out, "--out", filepath.Join(dir, "m.json")}},
		{`--format "xml"`, []string{"model", "check", out, "--format", "xml"}},
		{"--model: " + bad, []string{"model", "check", out, "--model", bad}},
		{old + ": a model of version 7, not 2: fit it again", []string{"report", out, "--model", old}},
		{"--model: open " + filepath.Join(dir, "none"), []string{"report", out, "--model", filepath.Join(dir, "none")}},
	} {
		assert.ErrorContains(t, execute(test.args...), test.want, strings.Join(test.args, " "))
	}
}
