package systemd

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension"

	"github.com/planflame/planflame/collector-extension/systemd/internal/metadata"
)

// Config has no keys: all that there is to say comes from systemd, in the environment.
type Config struct{}

// NewFactory returns the factory of the systemd extension.
func NewFactory() extension.Factory {
	return extension.NewFactory(metadata.Type,
		func() component.Config { return &Config{} },
		func(_ context.Context, set extension.Settings, _ component.Config) (extension.Extension, error) {
			return newNotifier(set.Logger), nil
		},
		metadata.ExtensionStability)
}
