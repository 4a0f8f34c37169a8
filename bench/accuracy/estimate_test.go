package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/bench/internal/session"
)

func ops(seconds map[string]float64) map[string]session.Operator {
	out := map[string]session.Operator{}
	for id, s := range seconds {
		out[id] = session.Operator{CPU: time.Duration(s * 1e9)}
	}
	return out
}

// onePass is one pass: level 0 costs 2 s, level 1 6 s, level 2 10 s; the filter gets part of the
// growth.
func onePass(pass int, got float64) []session.Execution {
	at := func(level string, cpu time.Duration, filter, scan float64) session.Execution {
		return session.Execution{Statement: "f/" + level, Pass: pass, TaskCPU: cpu * time.Second, Operators: ops(map[string]float64{
			"filter@" + level: filter, // another signature at every level
			"scan@s":          scan,
		})}
	}
	return []session.Execution{at("1", 6, 5, 1), at("0", 2, 1, 1), at("2", 10, 5+got, 5-got), {Statement: "other/0", Pass: pass, TaskCPU: time.Hour}}
}

func TestE(t *testing.T) {
	f := family{Name: "f", Role: "filter"}
	var executions []session.Execution
	for pass, got := range map[int]float64{-1: 400, 0: 3.9, 1: 3.7} {
		executions = append(executions, onePass(pass, got)...)
	}
	g, err := collect(f, 0, executions, "", warm)
	require.NoError(t, err)
	require.Len(t, g, 2, "the warm-up is left out")
	first, err := collect(f, 0, executions, "", cold)
	require.NoError(t, err)
	require.Len(t, first, 1, "the warm-up alone")
	assert.InDelta(t, 405, first[0].operators[2][scored], 1e-9)
	again, err := collect(f, 1, onePass(0, 4.2), "", warm)
	require.NoError(t, err)
	e := estimateE(append(g, again...), 1)
	assert.Equal(t, 3, e.Passes)
	assert.InDelta(t, 12, e.TrueSeconds, 1e-9, "three times 10 - 6")
	assert.InDelta(t, (3.9+3.7+4.2)/12-1, e.E, 1e-9)
	assert.InDeltaSlice(t, []float64{(3.9+3.7)/8 - 1, 4.2/4 - 1}, e.BySession, 1e-9)
	assert.InDelta(t, 0.5, e.ReferenceShare, 1e-9, "3 × 2 s over 12 s")
	// Leaving one out: 7.9/8, 8.1/8, 7.6/8; variance (n-1)/n Σ(x-mean)².
	assert.InDelta(t, 0.03632, e.SE, 1e-4)
	assert.InDelta(t, 0.016667+4.302653*e.SE, e.Bound, 1e-4, "t with two degrees of freedom")
	assert.InDelta(t, e.E+1, e.Growth[scored], 1e-9)
	assert.InDelta(t, 1, e.Growth[scored]+e.Growth["scan"], 1e-9, "all that grew is shown")

	absolute := estimateE(g, 0)
	assert.InDelta(t, (3.9+3.7+8)/16-1, absolute.E, 1e-9)
}

func TestBaseline(t *testing.T) {
	f := family{Name: "f", Role: "filter"}
	executions := onePass(0, 4)
	for i := range executions {
		executions[i].Baselines = map[string]map[string]session.Operator{"names": ops(map[string]float64{"scan@x": executions[i].TaskCPU.Seconds()})}
	}
	g, err := collect(f, 0, executions, "names", warm)
	require.NoError(t, err)
	e, _ := pooled(g, 1, -1)
	assert.Equal(t, -1.0, e, "by names alone all is the scan's")

	for i := range executions {
		executions[i].Metrics = map[string]time.Duration{"HashAggregate": executions[i].TaskCPU, "Scan parquet": time.Second}
	}
	g, err = collect(f, 0, executions, bySQLMetrics, warm)
	require.NoError(t, err)
	e, _ = pooled(g, 1, -1)
	assert.Equal(t, -1.0, e, "a filter has no metric of time")
	g, err = collect(family{Name: "f", Role: "aggregate"}, 0, executions, bySQLMetrics, warm)
	require.NoError(t, err)
	e, _ = pooled(g, 1, -1)
	assert.InDelta(t, 0.0, e, 1e-9, "an aggregate's holds all that is below it")
}

func TestALevelThatDidNotRunIsAnError(t *testing.T) {
	_, err := collect(family{Name: "f"}, 0, onePass(0, 4)[:2], "", warm)
	assert.ErrorContains(t, err, "f, pass 0")
	_, err = collect(family{Name: "g"}, 0, onePass(0, 4), "", warm)
	assert.ErrorContains(t, err, "g has not run")
}

func TestFamilies(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range families {
		assert.False(t, seen[f.Name], f.Name)
		seen[f.Name] = true
		texts := map[string]bool{}
		for level := range levels {
			sql := f.statement(level).SQL
			texts[sql] = true
			if f.SHA {
				assert.Equal(t, level, strings.Count(f.burn(level), "sha2("), f.Name)
				continue
			}
			if f.Column != "" {
				assert.Equal(t, max(1, level*f.Step), strings.Count(f.burn(level), f.Column), f.Name)
			}
			if f.Again != "" {
				assert.Equal(t, max(1, level*f.Step)-1, strings.Count(sql, f.Again), f.Name)
			}
			for _, sql := range append(f.setup(level, "/dir"), sql) {
				assert.NotContains(t, sql, "%[", f.Name)
			}
		}
		assert.Len(t, texts, levels, f.Name)
	}
}

func TestOwns(t *testing.T) {
	f := family{Role: "filter", Named: "murmur3hash"}
	burning := session.Operator{Name: "Filter not(murmur3hash(a) = ?)"}
	assert.True(t, f.owns("filter@1", burning))
	assert.True(t, f.owns("filter@1~2", burning))
	assert.False(t, f.owns("project@1", burning))
	assert.False(t, f.owns("filter@2", session.Operator{Name: "Filter a > ?"}), "the other of the role")
}

func TestFigures(t *testing.T) {
	at := func(group string, hz int, e, bound float64, sessions ...float64) result {
		return result{Group: group, Hz: hz, Marginal: estimate{E: e, Bound: bound, BySession: sessions}}
	}
	own := result{Group: "own", Hz: 200, Absolute: estimate{E: -0.25}}
	whole := result{Group: "whole", Hz: 200, Absolute: estimate{E: -0.13}}
	other := at("other", 200, -0.07, 0.1)
	other.Cold = &estimate{E: 0.35}
	got := figures([]result{at("pure", 200, -0.01, 0.02, -0.03, 0.01), at("pure", 1000, 0.5, 0.6, 0.5), at("llss", 200, -0.02, 0.05), at("llss", 200, 0.04, 0.045), at("llss", 1000, 0.01, 0.02), other, own, whole,
		at("udf", 200, 0.06, 0.5), at("udf", 200, -0.08, 0.1)})
	want := map[string]float64{
		"pure_error_mean": 0.02, "pure_error_worst": 0.03, "mean_abs_error_200hz": 0.03, "worst_bound_200hz": 0.05,
		"mean_abs_error_1000hz": 0.01, "worst_bound_1000hz": 0.02, "worst_error_other_200hz": 0.07, "worst_error_other_cold_200hz": 0.35,
		"llss_own_form_error_200hz": 0.25, "llss_whole_query_error_200hz": 0.13, "worst_error_udf_200hz": 0.08,
	}
	require.Len(t, got, len(want))
	for k, v := range want {
		assert.InDelta(t, v, got[k], 1e-9, k)
	}
}

func TestParse(t *testing.T) {
	o, err := parse([]string{"-rates", "200x2,20x1"})
	require.NoError(t, err)
	assert.Equal(t, []rate{{200, 2}, {20, 1}}, o.rates)
	for _, bad := range []string{"200", "0x1", "200x0", "x", "200x2,"} {
		_, err := parse([]string{"-rates", bad})
		assert.ErrorContains(t, err, "-rates", bad)
	}
	_, err = parse([]string{"-passes", "1"})
	assert.ErrorContains(t, err, "-passes 1")
	own, err := choose("pure,own")
	require.NoError(t, err)
	require.Len(t, own, 5)
	assert.Equal(t, "pure, SHA-512", own[1].Name)
	_, err = choose("pure,nothing")
	assert.ErrorContains(t, err, `"nothing"`)
}
