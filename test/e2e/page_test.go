//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/columns"
)

// pageSelection is what the page says of a selection, and what selects the same of a report.
type pageSelection struct {
	Kind      string
	Flags     []string
	CPU       float64 `json:"cpu_ns"`
	Samples   uint64
	Operators []struct {
		Query, Stage, Operator string
		CPU                    float64 `json:"cpu_ns"`
		Samples                uint64
		CI95                   *[2]float64 `json:"ci95_ns"`
		Below                  float64     `json:"below_ns"` // of Python workers
		Above                  float64     `json:"above_ns"`
	}
}

// checkPage holds what the page of a run's report.html sums up against the report of the same
// selections.
func checkPage(t *testing.T, out string) {
	t.Helper()
	sources := filepath.Join(root(t), "page")
	require.DirExists(t, filepath.Join(sources, "node_modules"), "run this through make test-e2e")
	node := exec.CommandContext(t.Context(), "node", "test/selections.mjs", filepath.Join(out, "report.html"))
	node.Dir = sources
	var errors strings.Builder
	node.Stderr = &errors
	lines, err := node.Output()
	require.NoError(t, err, "%s", &errors)
	var kinds []string
	for line := range strings.Lines(string(lines)) {
		var s pageSelection
		require.NoError(t, json.Unmarshal([]byte(line), &s))
		kinds = append(kinds, s.Kind)
		s.check(t, out)
	}
	assert.Equal(t, []string{"all", "run", "operator", "bucket", "stage", "task", "window", "search"}, kinds)
}

// checkPageDiff holds the page's comparison of a recording with itself against the report's: costs,
// intervals and rows are of real runs, however little they differ.
func checkPageDiff(t *testing.T, out string) {
	t.Helper()
	diff := func(format string) string {
		text, err := output(t, ordinaryUser.here().command(t.Context(), filepath.Dir(out), built(t, "planflame"), "diff", "--format", format, out, out))
		require.NoError(t, err, "%s", text)
		return text
	}
	html := filepath.Join(t.TempDir(), "diff.html")
	require.NoError(t, os.WriteFile(html, []byte(diff("html")), 0o600))
	node := exec.CommandContext(t.Context(), "node", "test/diff.mjs", html)
	node.Dir = filepath.Join(root(t), "page")
	var errors strings.Builder
	node.Stderr = &errors
	text, err := node.Output()
	require.NoError(t, err, "%s", &errors)
	var got, want columns.Diff
	require.NoError(t, json.Unmarshal(text, &got))
	require.NoError(t, json.Unmarshal([]byte(diff("json")), &want))
	require.NotEmpty(t, want.Queries)
	queries := map[string]*columns.QueryDiff{}
	for i := range got.Queries {
		queries[got.Queries[i].Query] = &got.Queries[i]
	}
	assert.Len(t, queries, len(want.Queries))
	for i := range want.Queries {
		q, of := &want.Queries[i], queries[want.Queries[i].Query]
		if !assert.NotNil(t, of, q.Name) {
			continue
		}
		assert.Equal(t, []any{q.Verdict, q.PlanChanged, q.RunsA, q.RunsB}, []any{of.Verdict, of.PlanChanged, of.RunsA, of.RunsB}, q.Name)
		inMicroseconds(t, q.Name, [][2]float64{{q.A, of.A}, {q.Difference, of.Difference}, {q.CI95[0], of.CI95[0]}, {q.CI95[1], of.CI95[1]}})
		operators := map[[2]string]*columns.OperatorDiff{}
		for k := range of.Operators {
			operators[[2]string{of.Operators[k].Operator, of.Operators[k].Part}] = &of.Operators[k]
		}
		assert.Len(t, operators, len(q.Operators), q.Name)
		for k := range q.Operators {
			o := &q.Operators[k]
			x := operators[[2]string{o.Operator, o.Part}]
			if !assert.NotNil(t, x, o.Name) {
				continue
			}
			assert.Equal(t, []any{o.Verdict, o.NsPerRowA == nil}, []any{x.Verdict, x.NsPerRowA == nil}, o.Name)
			if o.NsPerRowA != nil && x.NsPerRowA != nil {
				assert.InEpsilon(t, *o.NsPerRowA, *x.NsPerRowA, 1e-6, o.Name)
			}
			inMicroseconds(t, o.Name, [][2]float64{{o.A, x.A}, {o.B, x.B}, {o.Difference, x.Difference}, {o.Whole, x.Whole}, {o.CI95[0], x.CI95[0]}, {o.CI95[1], x.CI95[1]}})
		}
	}
}

func inMicroseconds(t *testing.T, of string, seconds [][2]float64) {
	t.Helper()
	for _, s := range seconds {
		assert.InDelta(t, s[0], s[1], 1e-6, of)
	}
}

func (s *pageSelection) check(t *testing.T, out string) {
	t.Helper()
	args := append([]string{"report", "--format", "json", out}, s.Flags...)
	text, err := output(t, ordinaryUser.here().command(t.Context(), filepath.Dir(out), built(t, "planflame"), args...))
	require.NoError(t, err, "%s", text)
	var want columns.Report
	require.NoError(t, json.Unmarshal([]byte(text), &want))
	const microsecond = 1e-6
	assert.Positive(t, s.CPU, s.Kind)
	assert.InDelta(t, want.CPUSeconds, s.CPU/1e9, microsecond, s.Kind)
	assert.Equal(t, want.Samples, s.Samples, s.Kind)
	operators := map[[3]string]columns.OperatorReport{}
	for _, q := range want.Queries {
		for _, o := range q.Operators {
			if o.CPUSeconds > 0 {
				operators[[3]string{q.Query, o.Stage, o.Operator}] = o
			}
		}
	}
	assert.Len(t, s.Operators, len(operators), s.Kind)
	for _, got := range s.Operators {
		of, known := operators[[3]string{got.Query, got.Stage, got.Operator}]
		if !assert.True(t, known, "%s: %s at %s", s.Kind, got.Operator, got.Stage) {
			continue
		}
		assert.InDelta(t, of.CPUSeconds, got.CPU/1e9, microsecond, "%s: %s", s.Kind, of.Name)
		assert.Equal(t, of.Samples, got.Samples, "%s: %s", s.Kind, of.Name)
		if of.CI95 == nil {
			assert.Nil(t, got.CI95, "%s: %s", s.Kind, of.Name)
			continue
		}
		if got.CI95 == nil { // the page draws no interval for CPU that is not estimated
			assert.InDelta(t, (got.CPU-got.Below)/1e9, of.CI95[0], microsecond, "%s: %s", s.Kind, of.Name)
			assert.InDelta(t, (got.CPU+got.Above)/1e9, of.CI95[1], microsecond, "%s: %s", s.Kind, of.Name)
			continue
		}
		assert.InDelta(t, of.CI95[0], got.CI95[0]/1e9, microsecond, "%s: %s", s.Kind, of.Name)
		assert.InDelta(t, of.CI95[1], got.CI95[1]/1e9, microsecond, "%s: %s", s.Kind, of.Name)
	}
}
