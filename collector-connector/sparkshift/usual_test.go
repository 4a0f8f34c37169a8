package sparkshift

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
)

// usually adds what an operator usually costs, with its bounds, to a part of a request: as one that
// tells so of an operator's CPU.
func usually(md pmetric.Metrics, part int, operator string, cpu, low, high float64) pmetric.Metrics {
	sm := md.ResourceMetrics().At(part).ScopeMetrics().At(0)
	for _, m := range sm.Metrics().All() {
		dp := m.Gauge().DataPoints().At(0)
		if m.Name() != semconv.MetricExecutionOperatorCPU || text(dp.Attributes(), semconv.OperatorID) != operator {
			continue
		}
		for name, value := range map[string]float64{semconv.MetricExecutionUsualCPU: cpu, semconv.MetricExecutionUsualLower: low, semconv.MetricExecutionUsualUpper: high} {
			told := sm.Metrics().AppendEmpty()
			m.CopyTo(told)
			told.SetName(name)
			told.Gauge().DataPoints().At(0).SetDoubleValue(value)
		}
		return md
	}
	panic(operator)
}

func usualRatios(r *rig, operator string) map[string]float64 {
	out := map[string]float64{}
	for _, name := range []string{semconv.MetricCostUsual, semconv.MetricCostUsualRatio, semconv.MetricCostUsualLower, semconv.MetricCostUsualUpper} {
		if v, told := r.gauges()[name+" "+operator]; told {
			out[name] = v
		}
	}
	return out
}

// From the first run on, without a history and without an event. An executor without CPU of the
// operator counts, too.
func TestUsualCostOfTheFirstRun(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	costs := func(cpu, samples float64) []cost { return []cost{{"scan@1", "Scan t", "s1", cpu, 0.01, 1900, samples}} }
	md := request(part{"app-3", "5", "node-7", 11, begin, 12, costs(12, 1200)}, part{"app-3", "6", "node-8", 11, begin, 0, costs(0, 0)})
	usually(usually(md, 0, "scan@1", 3, 1, 20), 1, "scan@1", 1, 0.5, 8)
	r.send(md)
	assert.Equal(t, map[string]float64{
		semconv.MetricCostUsual: 4, semconv.MetricCostUsualRatio: 3, semconv.MetricCostUsualLower: 0.375, semconv.MetricCostUsualUpper: 7,
	}, usualRatios(r, "scan@1"))
	a := r.attributesOf(semconv.MetricCostUsualRatio, "scan@1")
	assert.Equal(t, []any{"q1-abc", "tpch q06", "Scan t", "s1"}, []any{a[semconv.QueryFingerprint], a[semconv.QueryName], a[semconv.OperatorName], a[semconv.StagePlace]})
	assert.NotContains(t, r.gauges(), semconv.MetricCostShifted+" scan@1", "there is no history to judge by")
	assert.Empty(t, r.events(), "what is usual is no alarm, however far it is exceeded")
}

// Nothing is told if an executor that has CPU does not tell, or of too few samples.
func TestUsualCostsThatAreNotKnown(t *testing.T) {
	of := func(samples float64, both bool) map[string]float64 {
		r := newRig(t, componenttest.NewNopHost(), nil)
		costs := []cost{{"scan@1", "Scan t", "s1", 1, 0.01, 1900, samples}}
		md := request(part{"app-3", "5", "node-7", 11, begin, 0, costs}, part{"app-3", "6", "node-8", 11, begin, 0, costs})
		usually(md, 0, "scan@1", 3, 1, 20)
		if both {
			usually(md, 1, "scan@1", 3, 1, 20)
		}
		r.send(md)
		return usualRatios(r, "scan@1")
	}
	assert.Empty(t, of(100, false), "one of two executors")
	assert.Empty(t, of(2, true), "four samples")
	assert.Len(t, of(2.5, true), 4)
}

// A cost that is far from usual is an alarm on no run, while a history is made and after.
func TestUsualCostsAreNoAlarm(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 15 {
		r.send(usually(nightly(rng, n, 1), 0, "filter@22", 1, 0.5, 2))
	}
	assert.Greater(t, usualRatios(r, "filter@22")[semconv.MetricCostUsualRatio], 100.0)
	assert.Contains(t, r.gauges(), semconv.MetricCostShifted+" filter@22", "it was judged")
	assert.Empty(t, r.events())
}

func TestUsualCostsAreBounded(t *testing.T) {
	open := newOpenRuns(defaultConfig())
	p := open.part(&costmetrics.Teller{Application: "app-3"}, &costmetrics.ExecutionPoint{}, time.Time{})
	put := func(operator string, told costmetrics.Told) bool {
		known, room := p.putUsual(&costmetrics.ExecutionPoint{OperatorAt: costmetrics.OperatorAt{Operator: operator}, Told: told, Value: 7})
		require.True(t, known)
		return room
	}
	for i := range mostOperators {
		require.True(t, put(fmt.Sprint("scan@", i), costmetrics.ToldOperatorUsual))
	}
	assert.False(t, put("scan@x", costmetrics.ToldOperatorUsual), "the point is counted as dropped")
	assert.True(t, put("scan@0", costmetrics.ToldOperatorUsualLow), "of one that is there")
	assert.Equal(t, usualCost{cpu: 7, low: 7}, p.usual[shift.Key{Operator: "scan@0"}])
}
