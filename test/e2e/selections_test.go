//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/columns"
)

// checkSelections holds the reports of a run's selections against its summary and against each
// other: the same numbers, however they are cut.
func checkSelections(t *testing.T, out string) {
	t.Helper()
	said := func(args ...string) string {
		text, err := output(t, ordinaryUser.here().command(t.Context(), filepath.Dir(out), built(t, "planflame"), args...))
		require.NoError(t, err, "%s", text)
		return text
	}
	report := func(args ...string) (r columns.Report) {
		require.NoError(t, json.Unmarshal([]byte(said(append([]string{"report", "--format", "json", out}, args...)...)), &r))
		return r
	}
	var s struct {
		CPU     float64 `json:"cpu_seconds"`
		Samples uint64  `json:"samples"`
		Python  struct {
			Outside float64 `json:"outside_queries_seconds"`
		}
		Queries []struct {
			Query, Plan string
			Operators   []struct {
				Stage, Operator string
				CPU             float64 `json:"cpu_seconds"`
				Samples         uint64  `json:"samples"`
				Rows            *uint64 `json:"rows"`
				CI95            *[2]float64
			} `json:"operators"`
		} `json:"queries"`
	}
	readJSON(t, filepath.Join(out, "summary.json"), &s)
	whole := report()
	const millisecond = 0.001
	assert.InDelta(t, s.CPU, whole.CPUSeconds, millisecond)
	assert.Equal(t, s.Samples, whole.Samples)
	operators := map[string]columns.OperatorReport{}
	sum := 0.0
	for _, q := range whole.Queries {
		for _, o := range q.Operators {
			operators[q.Query+q.Plan+o.Stage+o.Operator] = o
			sum += o.CPUSeconds
		}
	}
	for _, b := range whole.Buckets {
		sum += b.CPUSeconds
	}
	assert.InDelta(t, whole.CPUSeconds, sum+s.Python.Outside, millisecond, "queries, buckets, and Python of no query")
	for _, q := range s.Queries {
		for _, want := range q.Operators {
			got, known := operators[q.Query+q.Plan+want.Stage+want.Operator]
			if !assert.True(t, known, "%s at %s", want.Operator, want.Stage) {
				continue
			}
			assert.InDelta(t, want.CPU, got.CPUSeconds, millisecond, want.Operator)
			assert.Equal(t, want.Samples, got.Samples, want.Operator)
			assert.Equal(t, want.Rows, got.Rows, want.Operator)
			if assert.Equal(t, want.CI95 == nil, got.CI95 == nil, want.Operator) && want.CI95 != nil {
				assert.InDelta(t, want.CI95[0], got.CI95[0], millisecond, want.Operator)
				assert.InDelta(t, want.CI95[1], got.CI95[1], millisecond, want.Operator)
			}
		}
	}
	half := fmt.Sprintf("%.6fs", whole.Span/2)
	before, after := report("--to", half), report("--from", half)
	assert.InDelta(t, whole.CPUSeconds, before.CPUSeconds+after.CPUSeconds, millisecond)
	assert.Equal(t, whole.Samples, before.Samples+after.Samples)

	var d columns.Diff
	require.NoError(t, json.Unmarshal([]byte(said("diff", "--format", "json", "--fail-above", "1%", out, out)), &d))
	require.NotEmpty(t, d.Queries)
	for _, q := range d.Queries {
		for _, o := range q.Operators {
			assert.Equal(t, columns.Same, o.Verdict, o.Name)
		}
	}
}
