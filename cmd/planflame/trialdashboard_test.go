package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/config/dashboards"
)

// TestTrialDashboard asks a real Prometheus each query of the dashboard of trials. The page has
// what is seen of the re-run queries: b at twice the rows, of c what is left after a restart.
func TestTrialDashboard(t *testing.T) {
	planned := time.Now().Add(-12 * time.Hour).Truncate(time.Hour)
	p, err := newPrometheus(startPrometheus(t, nights(planned)))
	require.NoError(t, err)
	at := planned.Add(6 * time.Hour)
	fill := strings.NewReplacer("$by", "team", "$owner", "margin", "$trial", "jdk25", "$usual", "7d", "$__range", "7d")
	ask := func(panel string, target int) map[string]float64 {
		for _, d := range dashboards.All(1) {
			for _, shown := range d.Panels {
				if d.UID == "planflame-trial" && shown.Title == panel {
					answer, err := p.vector(context.Background(), fill.Replace(shown.Targets[target].Expr), at)
					require.NoError(t, err)
					return byLabels(answer)
				}
			}
		}
		t.Fatalf("no panel %q", panel)
		return nil
	}
	const before, after = 1000 + 1900 + 2800, 1300 + 4900 + 3200 // of a, b and c, each run
	for panel, want := range map[string]float64{
		"Queries": 3, "Re-runs": 3, "Failed queries": 1, "Their usual cost": before / (14000 + 7 + 7.), "Change of these queries": float64(after)/before - 1,
		"Change as re-runs come in": float64(after)/before - 1,
	} {
		assert.InDelta(t, want, ask(panel, 0)[""], 1e-6, panel)
	}
	assert.InDelta(t, 3, ask("Re-runs so far", 1)[""], 1e-9)
	// Of the kinds, c has no [codegen] under the change.
	change(t, map[string]float64{"Scan scan": 7200./3600 - 1, "HashAggregate aggregate": 2000./1800 - 1, "[codegen] [codegen]": 0}, ask("By kind of operator", 2))
	change(t, map[string]float64{"margin": float64(after)/before - 1}, ask("By owner", 2))
	assert.InEpsilon(t, 7*after/3600., ask("By owner", 1)["margin"], 0.01)
	change(t, map[string]float64{"q1-a nightly a": 0.3, "q1-b nightly b": 4900./1900 - 1, "q1-c nightly c": 3200./2800 - 1}, ask("Queries of the trial", 3))
	assert.Equal(t, map[string]float64{"q1-a nightly a": 1, "q1-b nightly b": 1, "q1-c nightly c": 1, "q1-d nightly d": 0}, ask("Queries of the trial", 0))
}

func change(t *testing.T, want, got map[string]float64) {
	t.Helper()
	assert.Len(t, got, len(want), "%v", got)
	for name, x := range want {
		assert.InDelta(t, x, got[name], 1e-6, name)
	}
}

// byLabels are values by the values of their labels, in the order of the labels' names.
func byLabels(samples []*model.Sample) map[string]float64 {
	out := map[string]float64{}
	for _, s := range samples {
		var words []string
		for _, name := range []model.LabelName{"team", "operator", "role", "spark_query_fingerprint", "spark_query_name"} {
			if v, ok := s.Metric[name]; ok {
				words = append(words, string(v))
			}
		}
		out[strings.Join(words, " ")] = float64(s.Value)
	}
	return out
}
