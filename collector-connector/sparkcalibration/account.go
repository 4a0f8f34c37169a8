package sparkcalibration

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/planflame/planflame/tasksample"
)

// The values of the attributes of the connector's own counters, as in metadata.yaml.
var (
	allOutcomes = []string{"whole", "late", "early", "unended", "stage"}
	allDropped  = []string{"point", "duplicate", "cell"}
)

// begin makes the series of all counters, at 0: a series that is born with its first failure never
// shows that as an increase.
func (e *engine) begin(ctx context.Context) {
	for _, outcome := range allOutcomes {
		e.telemetry.ConnectorSparkCalibrationRuns.Add(ctx, 0, with("outcome", outcome))
	}
	for _, what := range allDropped {
		e.telemetry.ConnectorSparkCalibrationDropped.Add(ctx, 0, with("dropped", what))
	}
	e.telemetry.ConnectorSparkCalibrationFailures.Add(ctx, 0)
	e.telemetry.ConnectorSparkCalibrationOverflowSeries.Add(ctx, 0)
	e.telemetry.ConnectorSparkCalibrationCPU.Add(ctx, 0)
	e.telemetry.ConnectorSparkCalibrationInvalidCPU.Add(ctx, 0)
}

func with(key, value string) metric.MeasurementOption {
	return metric.WithAttributes(attribute.String(key, value))
}

// outcome says how a run came to be estimated.
func (r *run) outcome(pushed bool) string {
	switch {
	case r.told > 0:
		return "late"
	case pushed:
		return "early"
	case r.id.Execution == tasksample.NoExecution:
		return "stage"
	case !r.ended:
		return "unended"
	}
	return "whole"
}

// account brings the connector's own metrics up to date. The lock is held.
func (e *engine) account(ctx context.Context) {
	e.telemetry.ConnectorSparkCalibrationOverflowSeries.Add(ctx, int64(e.table.Folded-e.folded))
	e.folded = e.table.Folded
	e.telemetry.ConnectorSparkCalibrationOpenRuns.Record(ctx, int64(e.runs.open.Len()))
	e.telemetry.ConnectorSparkCalibrationHeld.Record(ctx, int64(e.runs.held))
}

func (e *engine) dropped(ctx context.Context, what string, n int) {
	if n > 0 {
		e.telemetry.ConnectorSparkCalibrationDropped.Add(ctx, int64(n), with("dropped", what))
	}
}
