package sparkshift

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
)

// take puts the points of a request to their runs. Points that make no sense are counted; other
// metrics are passed over.
func (e *engine) take(ctx context.Context, md pmetric.Metrics) {
	e.mu.Lock()
	t := taker{open: &e.open, labels: labelsOf(e.config), now: e.now()}
	dropped := t.take(md)
	e.mu.Unlock()
	e.countDropped(ctx, "point", dropped)
}

// Runs returns the runs that the requests report, in the order of their ends, put together from
// their parts like in the connector. It also returns how many points were invalid. Runs of which
// only executors told that left before the end, runs that were not sampled and runs of a trial
// are not among them. now is the clock that ends are held against.
func Runs(requests []pmetric.Metrics, now time.Time) (runs []*shift.Run, dropped int) {
	c := defaultConfig()
	c.Waiting.MaxOpenRuns = math.MaxInt
	open := newOpenRuns(c)
	t := taker{open: &open, labels: labelsOf(c), now: now}
	for _, md := range requests {
		dropped += t.take(md)
	}
	for _, r := range open.rest() {
		if r.ended && r.dropped() == "" {
			runs = append(runs, r.Run)
		}
	}
	return runs, dropped
}

// labelsOf are the attributes of the resource that runs keep. Only runs that are dropped have a
// trial, so events and gauges have none.
func labelsOf(c *Config) []string { return append(slices.Clone(c.Labels), semconv.Trial) }

// taker puts points to their runs.
type taker struct {
	open   *openRuns
	labels []string // labelsOf
	now    time.Time
}

// take returns how many points make no sense, or found no room.
func (t *taker) take(md pmetric.Metrics) (dropped int) {
	return costmetrics.ReadExecutions(md, t.labels, t.put)
}

// put reports whether a value found room. One from a future beyond the clocks' differences does
// not.
func (t *taker) put(by *costmetrics.Teller, p *costmetrics.ExecutionPoint) bool {
	if p.End.After(t.now.Add(shift.MostAhead)) {
		return false
	}
	part := t.open.part(by, p, t.now)
	if part == nil {
		return false
	}
	if p.Told == costmetrics.ToldCPU {
		part.cpu = p.Value
		return true
	}
	c := part.cost(p)
	if c == nil {
		return false
	}
	switch p.Told {
	case costmetrics.ToldOperatorCPU:
		c.CPU = p.Value
	case costmetrics.ToldOperatorVariance:
		c.Variance = p.Value
	case costmetrics.ToldOperatorRows:
		c.Rows = p.Value
		delete(part.noRows, c.Key)
	case costmetrics.ToldOperatorSamples:
		c.Samples = p.Value
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
