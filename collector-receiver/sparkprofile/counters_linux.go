package sparkprofile

import (
	"context"
	"reflect"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
)

// A counter of a loss is one field: its tag names the metric and the value of the metric's
// attribute. problem: what is not as it should be. event: what befell a JVM. not_kept: samples
// that were taken and not kept, as the configuration wants it; those that were kept weigh more.
const (
	tagProblem = "problem"
	tagEvent   = "event"
	tagNotKept = "not_kept"
)

// received counts what the receiver itself leaves out: by how much it grew, for add. The other
// counters are the sampler's and the pipeline's, which only grow.
type received struct {
	AccountFailures    uint64 `problem:"account_failed"`
	FoldedStacks       uint64 `problem:"folded"`
	LostTimes          uint64 `problem:"lost_times"`
	FailedExecutions   uint64 `problem:"failed_execution"`
	NamelessExecutions uint64 `problem:"nameless_execution"`
	IncompleteRows     uint64 `problem:"incomplete_rows"`
	RefusedExecutions  uint64 `problem:"refused_execution"`
	RefusedUnits       uint64 `problem:"refused_execution"` // what they told of stages
	OverflowUnits      uint64 `problem:"overflow_unit"`
	OverflowSeries     uint64 `problem:"overflow_series"`
	PushedOutSeries    uint64 `problem:"overflow_series"` // in use, they made room
	OverflowEvents     uint64 `problem:"overflow_event"`
	RefusedEvents      uint64 `problem:"refused_event"`
	Unrecorded         uint64 `problem:"unrecorded"` // samples that are in no recording though they should be
	Gone               uint64 `event:"gone"`         // JVMs that are read no more
}

// counters are the structs with such tags.
var counters = []any{received{}, sampler.Totals{}, sampler.Stats{}, pipeline.Counts{}}

// tagged are all values of a tag, in order.
func tagged(tag string) (names []string) {
	for _, c := range counters {
		for i := range reflect.TypeOf(c).NumField() {
			if name, ok := reflect.TypeOf(c).Field(i).Tag.Lookup(tag); ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// begin makes the series of all problems and events, at 0: a series that is born with its first
// problem never shows that as an increase.
func (m *metrics) begin(ctx context.Context) {
	for _, name := range tagged(tagProblem) {
		m.t.ReceiverSparkProfileProblems.Add(ctx, 0, metric.WithAttributes(attribute.String("problem", name)))
	}
	for _, name := range tagged(tagEvent) {
		m.t.ReceiverSparkProfileJvmEvents.Add(ctx, 0, metric.WithAttributes(attribute.String("event", name)))
	}
	m.t.ReceiverSparkProfileRefusedWindows.Add(ctx, 0)
}

// add counts what the receiver left out.
func (m *metrics) add(ctx context.Context, r received) { m.grown(ctx, r, received{}) }

// grown counts by how much the counters of a struct have grown. Both are of the same type, and
// counters only grow. Nothing is recorded for 0.
func (m *metrics) grown(ctx context.Context, now, last any) {
	to, from := reflect.ValueOf(now), reflect.ValueOf(last)
	for i := range to.NumField() {
		tag := to.Type().Field(i).Tag
		if tag == "" || to.Field(i).Uint() == from.Field(i).Uint() {
			continue
		}
		n := int64(to.Field(i).Uint() - from.Field(i).Uint())
		if name, ok := tag.Lookup(tagProblem); ok {
			m.t.ReceiverSparkProfileProblems.Add(ctx, n, metric.WithAttributes(attribute.String("problem", name)))
		}
		if name, ok := tag.Lookup(tagEvent); ok {
			m.t.ReceiverSparkProfileJvmEvents.Add(ctx, n, metric.WithAttributes(attribute.String("event", name)))
		}
		if why, ok := tag.Lookup(tagNotKept); ok {
			m.t.ReceiverSparkProfileNotKeptSamples.Add(ctx, n, metric.WithAttributes(attribute.String("why", why)))
		}
	}
}
