package costmetrics

import "go.opentelemetry.io/collector/pdata/pmetric"

// Scope is the instrumentation scope of what is told: the component's package and the
// distribution's version.
type Scope struct{ Name, Version string }

// Set are the metrics of one scope of one resource, by name: points of a metric stand together.
type Set struct {
	to pmetric.ScopeMetrics
	by map[string]pmetric.Metric
}

// NewSet begins a scope of a resource.
func NewSet(rm pmetric.ResourceMetrics, scope Scope) *Set {
	sm := rm.ScopeMetrics().AppendEmpty()
	sm.Scope().SetName(scope.Name)
	sm.Scope().SetVersion(scope.Version)
	return &Set{to: sm, by: map[string]pmetric.Metric{}}
}

// sum is a new point of a monotonic sum.
func (m *Set) sum(name, unit, text string, temporality pmetric.AggregationTemporality) pmetric.NumberDataPoint {
	return m.metric(name, unit, text, func(m pmetric.Metric) {
		s := m.SetEmptySum()
		s.SetIsMonotonic(true)
		s.SetAggregationTemporality(temporality)
	}).Sum().DataPoints().AppendEmpty()
}

// gauge is a new point of a gauge.
func (m *Set) gauge(name, unit, text string) pmetric.NumberDataPoint {
	return m.metric(name, unit, text, func(m pmetric.Metric) { m.SetEmptyGauge() }).Gauge().DataPoints().AppendEmpty()
}

func (m *Set) metric(name, unit, text string, shape func(pmetric.Metric)) pmetric.Metric {
	metric, ok := m.by[name]
	if !ok {
		metric = m.to.Metrics().AppendEmpty()
		metric.SetName(name)
		metric.SetUnit(unit)
		metric.SetDescription(text)
		shape(metric)
		m.by[name] = metric
	}
	return metric
}
