package sparkshift

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.uber.org/zap"

	"github.com/planflame/planflame/shift"
)

// The values of the attributes of the connector's own counters, as in metadata.yaml.
var (
	allOutcomes = []string{"judged", "late", "amended", "duplicate", "left", "not_sampled", "trial", "refused"}
	allKinds    = []string{"shift", "drift", "cheaper", "moved", "resolved", "accepted", "plan_changed", "run_slower", "query_slower", "query_recovered", "host_slower", "host_recovered"}
	allDropped  = []string{"point", "operator", "run", "late", "plan", "query", "host", "open_run", "sample", "stacks"}
	allStatuses = []string{"judged", "learning", "rows_out_of_range", "rows_not_known", "few_samples", "shifted"}
	allOutputs  = []string{"metrics", "logs", "storage"}
)

// begin makes the series of all counters, at 0: a series that is born with its first failure never
// shows that as an increase.
func (e *engine) begin(ctx context.Context) {
	for _, c := range []struct {
		counter metric.Int64Counter
		key     string
		values  []string
	}{
		{e.telemetry.ConnectorSparkShiftRuns, "outcome", allOutcomes},
		{e.telemetry.ConnectorSparkShiftEvents, "kind", allKinds},
		{e.telemetry.ConnectorSparkShiftDropped, "dropped", allDropped},
		{e.telemetry.ConnectorSparkShiftOperatorRuns, "status", allStatuses},
		{e.telemetry.ConnectorSparkShiftFailures, "output", allOutputs},
	} {
		for _, v := range c.values {
			c.counter.Add(ctx, 0, with(c.key, v))
		}
	}
}

func with(key, value string) metric.MeasurementOption {
	return metric.WithAttributes(attribute.String(key, value))
}

func (e *engine) countRun(ctx context.Context, outcome string) {
	e.telemetry.ConnectorSparkShiftRuns.Add(ctx, 1, with("outcome", outcome))
}

func (e *engine) countEvent(ctx context.Context, k shift.Kind) {
	e.telemetry.ConnectorSparkShiftEvents.Add(ctx, 1, with("kind", string(k)))
}

func (e *engine) countDropped(ctx context.Context, what string, n int) {
	if n > 0 {
		e.telemetry.ConnectorSparkShiftDropped.Add(ctx, int64(n), with("dropped", what))
	}
}

func (e *engine) countOperators(ctx context.Context, verdicts []shift.Verdict) {
	by := map[shift.Status]int{}
	for i := range verdicts {
		if verdicts[i].Observed > 0 {
			by[verdicts[i].Status]++
		}
	}
	for s, n := range by {
		e.telemetry.ConnectorSparkShiftOperatorRuns.Add(ctx, int64(n), with("status", string(s)))
	}
}

// account brings the connector's own metrics up to date. The lock is held.
func (e *engine) account(ctx context.Context) {
	d := e.fleet.Drops()
	e.countDropped(ctx, "query", int(d.Queries-e.drops.Queries))
	e.countDropped(ctx, "plan", int(d.Plans-e.drops.Plans))
	e.countDropped(ctx, "run", int(d.Runs-e.drops.Runs))
	e.countDropped(ctx, "operator", int(d.Operators-e.drops.Operators))
	e.countDropped(ctx, "host", int(d.Hosts-e.drops.Hosts))
	e.countDropped(ctx, "late", int(d.Late-e.drops.Late))
	e.countDropped(ctx, "open_run", int(e.open.pushed-e.pushed))
	e.countDropped(ctx, "stacks", e.stacks.dropped)
	e.drops, e.pushed, e.stacks.dropped = d, e.open.pushed, 0
	e.telemetry.ConnectorSparkShiftOpenRuns.Record(ctx, int64(len(e.open.by)))
	e.telemetry.ConnectorSparkShiftStackNodes.Record(ctx, int64(e.stacks.openNodes+e.stacks.nodes))
	e.telemetry.ConnectorSparkShiftQueries.Record(ctx, int64(e.fleet.Queries()))
	e.telemetry.ConnectorSparkShiftLevel.Record(ctx, e.fleet.Level())
}

// fail counts and logs what could not be delivered or stored.
func (e *engine) fail(ctx context.Context, output string, err error, fields ...zap.Field) {
	e.telemetry.ConnectorSparkShiftFailures.Add(ctx, 1, with("output", output))
	e.log.Warn("could not be delivered or stored", append(fields, zap.String("output", output), zap.Error(err))...)
}
