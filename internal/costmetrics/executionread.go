package costmetrics

import (
	"math"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/semconv"
)

// Teller is who tells of executions: an executor, or the driver of a local application.
type Teller struct {
	Application, Executor, Host, Version string
	Labels                               map[string]string // attributes that were asked for, where they are not empty
}

// ExecutionPoint is one value of an execution or, if Operator is not empty, of an operator in it.
type ExecutionPoint struct {
	Execution
	OperatorAt
	OperatorName string
	Told         Told
	Value        float64 // not negative, and finite
}

// told names the gauges of executions that are read.
var told = func() map[string]Told {
	out := map[string]Told{}
	for t, g := range gauges {
		if Told(t) != ToldInvalidCPU { // for dashboards alone
			out[g.name] = Told(t)
		}
	}
	return out
}()

// ReadExecutions calls take with each value of executions in a request, and who tells it; take
// reports whether it had room. It returns how many points make no sense or had no room. Other
// metrics are passed over.
func ReadExecutions(md pmetric.Metrics, labels []string, take func(*Teller, *ExecutionPoint) bool) (dropped int) {
	for _, rm := range md.ResourceMetrics().All() {
		by := tellerOf(rm.Resource().Attributes(), labels)
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				what, ok := told[m.Name()]
				if !ok {
					continue
				}
				points, senseless := pointsOf(m)
				dropped += senseless
				for _, dp := range points.All() {
					p := ExecutionPoint{Told: what}
					if by.Application == "" || !p.read(dp) || !take(by, &p) {
						dropped++
					}
				}
			}
		}
	}
	return dropped
}

func tellerOf(a pcommon.Map, labels []string) *Teller {
	t := &Teller{Application: text(a, semconv.ApplicationID), Executor: text(a, semconv.ExecutorID), Host: text(a, semconv.HostName), Version: text(a, semconv.SparkVersion),
		Labels: map[string]string{}}
	for _, l := range labels {
		if v := text(a, l); v != "" {
			t.Labels[l] = v
		}
	}
	return t
}

// pointsOf are the points of a gauge, or of a sum of which each point stands for itself. Of others
// it is how many make no sense.
func pointsOf(m pmetric.Metric) (points pmetric.NumberDataPointSlice, senseless int) {
	switch m.Type() {
	case pmetric.MetricTypeGauge:
		return m.Gauge().DataPoints(), 0
	case pmetric.MetricTypeSum:
		if m.Sum().AggregationTemporality() == pmetric.AggregationTemporalityDelta {
			return m.Sum().DataPoints(), 0
		}
		return pmetric.NewNumberDataPointSlice(), m.Sum().DataPoints().Len()
	default:
		return pmetric.NewNumberDataPointSlice(), 1
	}
}

// read reports whether the point makes sense.
func (p *ExecutionPoint) read(dp pmetric.NumberDataPoint) bool {
	p.Value = dp.DoubleValue()
	if dp.ValueType() == pmetric.NumberDataPointValueTypeInt {
		p.Value = float64(dp.IntValue())
	}
	a := dp.Attributes()
	id, ok := number(a, semconv.ExecutionID)
	if !ok || dp.Timestamp() == 0 || dp.Flags().NoRecordedValue() || !(p.Value >= 0) || math.IsInf(p.Value, 1) {
		return false
	}
	p.Execution = Execution{ID: id, Query: text(a, semconv.QueryFingerprint), Name: text(a, semconv.QueryName), Plan: text(a, semconv.QueryPlan), End: dp.Timestamp().AsTime(),
		Left: denied(a, semconv.ExecutionEnded), LeftOut: denied(a, semconv.ExecutionSampled)}
	p.OperatorAt, p.OperatorName = OperatorAt{text(a, semconv.StagePlace), text(a, semconv.OperatorID)}, text(a, semconv.OperatorName)
	return p.Query != "" && (p.Operator != "" || !gauges[p.Told].operator)
}

// denied reports whether an attribute is false, and not merely missing.
func denied(a pcommon.Map, key string) bool {
	v, there := a.Get(key)
	return there && v.Type() == pcommon.ValueTypeBool && !v.Bool()
}
