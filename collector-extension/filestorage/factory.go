package filestorage

import (
	"context"
	"fmt"

	contrib "github.com/open-telemetry/opentelemetry-collector-contrib/extension/storage/filestorage"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/extension"
	"go.opentelemetry.io/collector/extension/xextension/storage"
	"go.uber.org/zap"

	"github.com/planflame/planflame/collector-extension/filestorage/internal/metadata"
)

// NewFactory returns the factory of the original extension with the check before it. The keys are
// the original ones.
func NewFactory() extension.Factory {
	original := contrib.NewFactory()
	return extension.NewFactory(metadata.Type, original.CreateDefaultConfig,
		func(ctx context.Context, set extension.Settings, cfg component.Config) (extension.Extension, error) {
			created, err := original.Create(ctx, set, cfg)
			if err != nil {
				return nil, err
			}
			telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
			if err != nil {
				return nil, fmt.Errorf("metrics of %v: %w", set.ID, err)
			}
			return &checked{Extension: created.(storage.Extension), directory: cfg.(*contrib.Config).Directory, log: set.Logger, telemetry: telemetry}, nil
		},
		original.Stability())
}

// checked is the live extension.
type checked struct {
	storage.Extension
	directory string
	log       *zap.Logger
	telemetry *metadata.TelemetryBuilder
}

// Start implements component.Component. Components open their files after all extensions started.
func (c *checked) Start(ctx context.Context, host component.Host) error {
	if err := c.mend(ctx); err != nil {
		return err
	}
	return c.Extension.Start(ctx, host)
}

// Shutdown implements component.Component.
func (c *checked) Shutdown(ctx context.Context) error {
	c.telemetry.Shutdown()
	return c.Extension.Shutdown(ctx)
}
