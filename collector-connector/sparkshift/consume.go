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

// take adds the points of a request to the runs that they report. It counts points that make no
// sense, and skips other metrics.
func (e *engine) take(ctx context.Context, md pmetric.Metrics) {
	e.mu.Lock()
	t := taker{open: &e.open, labels: labelsOf(e.config), now: e.now()}
	dropped := t.take(md)
	e.mu.Unlock()
	e.countDropped(ctx, "point", dropped)
}

// Runs returns the runs that the requests report, in the order of their ends, and how many points
// were invalid. It joins the parts of a run as the connector does. It leaves out runs that were not
// sampled, runs of a trial, and runs whose executors all left before the end. A run that ends later
// than now, beyond what clocks differ, is invalid.
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

// labelsOf are the resource attributes that runs keep. Events and gauges have no trial, since runs
// of a trial are dropped.
func labelsOf(c *Config) []string { return append(slices.Clone(c.Labels), semconv.Trial) }

// taker adds points to the runs that they report.
type taker struct {
	open   *openRuns
	labels []string // labelsOf
	now    time.Time
}

// take returns how many points make no sense or found no room.
func (t *taker) take(md pmetric.Metrics) (dropped int) {
	return costmetrics.ReadExecutions(md, t.labels, t.put)
}

// put reports whether a value found room. A value whose run ends in the future, beyond what clocks
// differ, does not.
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
	if usual, room := part.putUsual(p); usual {
		return room
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
