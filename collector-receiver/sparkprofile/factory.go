package sparkprofile

import (
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/xreceiver"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadata"
)

// NewFactory returns the factory of the spark_profile receiver. It delivers profiles, which the
// Collector keeps behind the feature gate service.profilesSupport, metrics and logs. All signals of
// a component id share one sampler.
func NewFactory() receiver.Factory {
	return xreceiver.NewFactory(
		metadata.Type,
		func() component.Config { return defaultConfig() },
		xreceiver.WithProfiles(createProfiles, metadata.ProfilesStability),
		xreceiver.WithMetrics(createMetrics, metadata.MetricsStability),
		xreceiver.WithLogs(createLogs, metadata.LogsStability),
	)
}
