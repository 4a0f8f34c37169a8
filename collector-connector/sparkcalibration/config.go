package sparkcalibration

import (
	"errors"
	"time"

	"github.com/planflame/planflame/collector-connector/internal/waiting"
	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/internal/refusal"
)

// Config is the user's YAML of the connector.
type Config struct {
	// Waiting is for runs and for stages outside of SQL, of which no one tells the end either:
	// SettleOpen is more than the longest task. MaxOpenRuns bounds, too, those that are remembered
	// to know what is late.
	Waiting waiting.Settings `mapstructure:",squash"`
	// MaxSums bounds the cells, keys and names of parts that are kept of all of them: some 200
	// bytes each.
	MaxSums int `mapstructure:"max_sums"`
	// MaxSeries bounds the cumulative series; what has none is in the series other.
	MaxSeries int `mapstructure:"max_series"`
	// Labels are the attributes of the resource, beside service.name, that the series keep.
	Labels []string `mapstructure:"labels"`
}

func defaultConfig() *Config {
	return &Config{Waiting: waiting.Default(10 * time.Minute), MaxSums: 1_000_000, MaxSeries: 10_000, Labels: attributes.OfSeries()}
}

// Validate refuses what cannot work, naming the key.
func (c *Config) Validate() error {
	return errors.Join(
		c.Waiting.Refusals(),
		refusal.Outside("max_sums", c.MaxSums, 1, 100_000_000),
		refusal.Outside("max_series", c.MaxSeries, 1, 100_000),
		attributes.ValidLabels(c.Labels),
	)
}
