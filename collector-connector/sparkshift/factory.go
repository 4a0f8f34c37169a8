package sparkshift

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/connector"
	"go.opentelemetry.io/collector/consumer"

	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadata"
)

// NewFactory returns the factory of the spark_shift connector. The two outputs of a component id share one engine.
func NewFactory() connector.Factory {
	return connector.NewFactory(
		metadata.Type,
		func() component.Config { return defaultConfig() },
		connector.WithMetricsToMetrics(createMetrics, metadata.MetricsToMetricsStability),
		connector.WithMetricsToLogs(createLogs, metadata.MetricsToLogsStability),
	)
}

func createMetrics(_ context.Context, set connector.Settings, cfg component.Config, next consumer.Metrics) (connector.Metrics, error) {
	e, err := engineFor(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	e.metrics = next
	return &side{engine: e}, nil
}

func createLogs(_ context.Context, set connector.Settings, cfg component.Config, next consumer.Logs) (connector.Metrics, error) {
	e, err := engineFor(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	e.logs = next
	return &side{engine: e, logs: true}, nil
}
