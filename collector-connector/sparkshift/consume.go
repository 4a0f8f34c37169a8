package sparkshift

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
)

// take puts the points of a request to their runs. Points that make no sense are counted; other
// metrics are passed over.
func (e *engine) take(ctx context.Context, md pmetric.Metrics) {
	e.mu.Lock()
	t := taker{open: &e.open, labels: e.config.Labels, now: e.now()}
	dropped := t.take(md)
	e.mu.Unlock()
	e.countDropped(ctx, "point", dropped)
}

// Runs are the runs that requests tell of, in the order of their ends, put together from their
// parts as the connector does it, and how many points made no sense. Runs of which only executors
// told that left before the end, and those that were not sampled, are not among them. now is the
// clock that ends are held against.
func Runs(requests []pmetric.Metrics, now time.Time) (runs []*shift.Run, dropped int) {
	c := defaultConfig()
	c.Waiting.MaxOpenRuns = math.MaxInt
	open := newOpenRuns(c)
	t := taker{open: &open, labels: c.Labels, now: now}
	for _, md := range requests {
		dropped += t.take(md)
	}
	for _, r := range open.rest() {
		if r.ended && !r.leftOut {
			runs = append(runs, r.Run)
		}
	}
	return runs, dropped
}

// taker puts points to their runs.
type taker struct {
	open   *openRuns
	labels []string // Config.Labels
	now    time.Time
}

// take returns how many points make no sense.
func (t *taker) take(md pmetric.Metrics) (dropped int) {
	for _, rm := range md.ResourceMetrics().All() {
		resource := t.resource(rm.Resource().Attributes())
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				dropped += t.takeMetric(m, resource)
			}
		}
	}
	return dropped
}

// resource is what a resource says of all its points.
func (t *taker) resource(a pcommon.Map) header {
	h := header{id: shift.RunID{Application: text(a, semconv.ApplicationID)}, executor: text(a, semconv.ExecutorID), host: text(a, semconv.HostName), version: text(a, semconv.SparkVersion),
		labels: map[string]string{}}
	for _, l := range t.labels {
		if v := text(a, l); v != "" {
			h.labels[l] = v
		}
	}
	return h
}

// takeMetric returns how many points make no sense.
func (t *taker) takeMetric(m pmetric.Metric, resource header) (dropped int) {
	switch m.Name() {
	case semconv.MetricExecutionOperatorCPU, semconv.MetricExecutionOperatorVariance, semconv.MetricExecutionOperatorRows, semconv.MetricExecutionOperatorSamples, semconv.MetricExecutionCPU:
	default:
		return 0
	}
	var points pmetric.NumberDataPointSlice
	switch m.Type() {
	case pmetric.MetricTypeGauge:
		points = m.Gauge().DataPoints()
	case pmetric.MetricTypeSum:
		points = m.Sum().DataPoints()
		if m.Sum().AggregationTemporality() != pmetric.AggregationTemporalityDelta {
			return points.Len()
		}
	default:
		return 1
	}
	for _, p := range points.All() {
		if !t.takePoint(m.Name(), p, resource) {
			dropped++
		}
	}
	return dropped
}

// takePoint tells whether the point makes sense and found room.
func (t *taker) takePoint(metric string, p pmetric.NumberDataPoint, h header) bool {
	value := p.DoubleValue()
	if p.ValueType() == pmetric.NumberDataPointValueTypeInt {
		value = float64(p.IntValue())
	}
	a := p.Attributes()
	execution, ok := a.Get(semconv.ExecutionID)
	h.query = text(a, semconv.QueryFingerprint)
	if !ok || execution.Type() != pcommon.ValueTypeInt || h.query == "" || h.id.Application == "" || p.Timestamp() == 0 ||
		p.Flags().NoRecordedValue() || math.IsNaN(value) || math.IsInf(value, 0) || value < 0 {
		return false
	}
	h.id.Execution, h.end = execution.Int(), p.Timestamp().AsTime()
	if h.end.After(t.now.Add(shift.MostAhead)) {
		return false
	}
	ended, said := a.Get(semconv.ExecutionEnded)
	h.left = said && ended.Type() == pcommon.ValueTypeBool && !ended.Bool()
	sampled, said := a.Get(semconv.ExecutionSampled)
	h.leftOut = said && sampled.Type() == pcommon.ValueTypeBool && !sampled.Bool()
	h.name, h.plan = text(a, semconv.QueryName), text(a, semconv.QueryPlan)
	h.operator, h.operatorName, h.stage = text(a, semconv.OperatorID), text(a, semconv.OperatorName), text(a, semconv.StagePlace)
	if h.operator == "" && metric != semconv.MetricExecutionCPU {
		return false
	}
	part := t.open.part(&h, t.now)
	if part == nil {
		return false
	}
	if metric == semconv.MetricExecutionCPU {
		part.cpu = value
		return true
	}
	c := part.cost(&h)
	if c == nil {
		return false
	}
	switch metric {
	case semconv.MetricExecutionOperatorCPU:
		c.CPU = value
	case semconv.MetricExecutionOperatorVariance:
		c.Variance = value
	case semconv.MetricExecutionOperatorRows:
		c.Rows = value
		delete(part.noRows, c.Key)
	case semconv.MetricExecutionOperatorSamples:
		c.Samples = value
	}
	return true
}

func text(a pcommon.Map, key string) string {
	v, ok := a.Get(key)
	if !ok {
		return ""
	}
	return v.AsString()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
