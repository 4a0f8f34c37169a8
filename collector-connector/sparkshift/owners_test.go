package sparkshift

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Two environments run one query in turn, one at twice the cost. Neither hides the other's shift,
// and the event has the labels of the one that shifted.
func TestEachOwnerHasAHistory(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	run := func(n int, environment string, factor float64) {
		md := nightly(rng, n, factor)
		resource := md.ResourceMetrics().At(0).Resource().Attributes()
		resource.PutStr("deployment.environment.name", environment)
		resource.PutStr("spark.application.id", "app-"+environment)
		r.send(md)
	}
	for n := range 20 {
		run(n, "production", 1)
		run(n, "staging", 2)
	}
	require.Empty(t, r.events())
	require.Equal(t, 2, r.engine.fleet.Queries())
	for n := 20; n < 22; n++ {
		run(n, "production", 1)
		run(n, "staging", 3)
	}
	require.Equal(t, []string{"spark.sql.cost.shift"}, r.events())
	rl := r.logs.AllLogs()[0].ResourceLogs().At(0)
	assert.Equal(t, "staging", text(rl.Resource().Attributes(), "deployment.environment.name"))
	assert.Equal(t, "q1-abc", text(rl.ScopeLogs().At(0).LogRecords().At(0).Attributes(), "spark.query.fingerprint"))
	assert.Equal(t, map[string]float64{"production": 0, "staging": 1}, r.byEnvironment("spark.sql.operator.cost.shifted", "filter@22"))
}

// byEnvironment are the newest values of an operator's gauge.
func (r *rig) byEnvironment(name, operator string) map[string]float64 {
	out := map[string]float64{}
	for _, md := range r.metrics.AllMetrics() {
		for _, rm := range md.ResourceMetrics().All() {
			for _, dp := range named(rm, name) {
				if text(dp.Attributes(), "spark.sql.operator.id") == operator {
					out[text(rm.Resource().Attributes(), "deployment.environment.name")] = dp.DoubleValue()
				}
			}
		}
	}
	return out
}

// named are the points of a gauge.
func named(rm pmetric.ResourceMetrics, name string) (out []pmetric.NumberDataPoint) {
	for _, sm := range rm.ScopeMetrics().All() {
		for _, m := range sm.Metrics().All() {
			if m.Name() == name {
				for _, dp := range m.Gauge().DataPoints().All() {
					out = append(out, dp)
				}
			}
		}
	}
	return out
}

// The service names no history: the names of many applications have a date. Values do not run into
// each other.
func TestHistoryOf(t *testing.T) {
	plain := historyOf("q1-abc", map[string]string{"service.name": "nightly-2026-11-28"})
	assert.Equal(t, "q1-abc", plain)
	of := map[string]bool{}
	for _, labels := range []map[string]string{{"team": "a"}, {"owner": "a"}, {"tenant": "a", "team": "b"}, {"tenant": "a\x00team=b"}} {
		of[historyOf("q1-abc", labels)] = true
		assert.Equal(t, "q1-abc", fingerprintOf(historyOf("q1-abc", labels)))
	}
	assert.Len(t, of, 4)
}
