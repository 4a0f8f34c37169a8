package sparkshift

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/planflame/planflame/internal/costmetrics"
)

// pythonNight is a run whose Python node has 2 s in the JVM, 200 samples, and python seconds in its
// workers, as a receiver tells of it.
func pythonNight(rng *rand.Rand, n int, python float64) (pmetric.Metrics, pprofile.Profiles) {
	vary := func(seconds float64) time.Duration {
		return time.Duration(seconds * (1 + 0.01*rng.NormFloat64()) * float64(time.Second))
	}
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	a := rm.Resource().Attributes()
	a.PutStr("spark.application.id", "app-3")
	a.PutStr("spark.executor.id", "5")
	a.PutStr("host.name", "node-7")
	set, x := costmetrics.NewSet(rm, costmetrics.Scope{}), costmetrics.Execution{ID: int64(n), Query: "q1-abc", Name: "scores", Plan: "p1-def", End: begin.Add(time.Duration(n) * time.Hour)}
	of := vary(python)
	operators := []costmetrics.OperatorCost{
		{Place: "result", Operator: "scan@11", Name: "Scan t", CPU: vary(40), Variance: 0.4, Samples: 4000},
		{Place: "result", Operator: "python@22", Name: "MapInPandas score", CPU: vary(2) + of, Python: of, Variance: 0.02, Samples: 200},
	}
	all := time.Duration(0)
	for i := range operators {
		all += operators[i].CPU
		set.Operator(&x, &operators[i])
	}
	set.Execution(&x, all)
	w := newWindow()
	worker := map[string]any{"spark.sql.operator.id": "python@22", "spark.cpu.group": "children"}
	w.sample(w.of("app-3", "cpu", "nanoseconds"), int64(n), "python worker score>!MapInPandas score", of.Seconds(), worker)
	return md, w.pd
}

// A function that becomes 15 % slower in Python alone is told, though the JVM's part of its
// operator is as before; the stack that grew is the worker's.
func TestGrowthInPythonIsTold(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng, n := rand.New(rand.NewPCG(1, 2)), 0
	run := func(times int, python float64) {
		for range times {
			md, pd := pythonNight(rng, n, python)
			require.NoError(t, r.stacks.ConsumeProfiles(context.Background(), pd))
			r.send(md)
			n++
		}
	}
	run(20, 100)
	require.Empty(t, r.events())
	run(2, 115)
	require.Equal(t, []string{"spark.sql.cost.shift"}, r.events())
	g := r.gauges()
	assert.InDelta(t, 117./102, g["spark.sql.operator.cost.shift_ratio python@22"], 0.03)
	assert.Zero(t, g["spark.sql.operator.cost.shifted scan@11"])
	rec := r.logs.AllLogs()[0].ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0)
	assert.Equal(t, "python@22", rec.Attributes().AsRaw()["spark.sql.operator.id"])
	assert.Contains(t, rec.Body().Str(), "python worker score")
}
