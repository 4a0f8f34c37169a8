//go:build e2e

package e2e

import (
	"encoding/json"
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
