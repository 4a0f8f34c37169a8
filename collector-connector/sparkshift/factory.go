package sparkshift

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/connector"
	"go.opentelemetry.io/collector/connector/xconnector"
	"go.opentelemetry.io/collector/consumer"

	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadata"
)

// NewFactory returns the factory of the spark_shift connector. The inputs and outputs of a
// component id share one engine.
func NewFactory() connector.Factory {
	return xconnector.NewFactory(
		metadata.Type,
		func() component.Config { return defaultConfig() },
		xconnector.WithMetricsToMetrics(createMetrics, metadata.MetricsToMetricsStability),
		xconnector.WithMetricsToLogs(createLogs, metadata.MetricsToLogsStability),
		xconnector.WithProfilesToLogs(createStacks, metadata.ProfilesToLogsStability),
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

// createStacks makes the input of stacks. What they tell goes out with the logs that metrics give
// rise to, so next is not used.
func createStacks(_ context.Context, set connector.Settings, cfg component.Config, _ consumer.Logs) (xconnector.Profiles, error) {
	e, err := engineFor(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	return &stackSide{engine: e}, nil
}
