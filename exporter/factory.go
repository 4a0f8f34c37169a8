package exporter

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/exporterhelper"
	"go.opentelemetry.io/collector/exporter/exporterhelper/xexporterhelper"
	"go.opentelemetry.io/collector/exporter/xexporter"

	"github.com/planflame/planflame/exporter/internal/metadata"
)

// NewFactory returns the factory of the pyroscope exporter. It handles profiles only, which the
// Collector keeps behind the feature gate service.profilesSupport.
func NewFactory() exporter.Factory {
	return xexporter.NewFactory(
		metadata.Type,
		func() component.Config { return defaultConfig() },
		xexporter.WithProfiles(createProfiles, metadata.ProfilesStability),
	)
}

func createProfiles(ctx context.Context, set exporter.Settings, cfg component.Config) (xexporter.Profiles, error) {
	config := cfg.(*Config)
	e, err := newPyroscope(config, set)
	if err != nil {
		return nil, err
	}
	helped, err := xexporterhelper.NewProfiles(ctx, set, cfg, e.consume,
		exporterhelper.WithStart(e.start),
		exporterhelper.WithShutdown(e.shutdown),
		exporterhelper.WithCapabilities(consumer.Capabilities{MutatesData: false}),
		// The HTTP client bounds each push; a request of several pushes has no bound of its own.
		exporterhelper.WithTimeout(exporterhelper.TimeoutConfig{Timeout: 0}),
		exporterhelper.WithQueue(config.QueueConfig),
		exporterhelper.WithRetry(config.RetryConfig),
	)
	if err != nil {
		return nil, err
	}
	return &bounded{Profiles: helped, p: e, within: drainWithin}, nil
}
