package sparkcalibration

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/connector"
	"go.opentelemetry.io/collector/consumer"

	"github.com/planflame/planflame/collector-connector/sparkcalibration/internal/metadata"
)

// NewFactory returns the factory of the spark_calibration connector.
func NewFactory() connector.Factory {
	return connector.NewFactory(
		metadata.Type,
		func() component.Config { return defaultConfig() },
		connector.WithMetricsToMetrics(createMetrics, metadata.MetricsToMetricsStability),
	)
}

func createMetrics(_ context.Context, set connector.Settings, cfg component.Config, next consumer.Metrics) (connector.Metrics, error) {
	return newEngine(cfg.(*Config), set, next)
}
