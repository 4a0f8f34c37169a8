package sparkcalibration

import (
	"errors"
	"fmt"
	"time"

	"github.com/planflame/planflame/internal/attributes"
)

// Config is the user's YAML of the connector.
type Config struct {
	// Settle is how long after its newest part a run is estimated that is over: more than the
	// longest window of the nodes' receivers and the delay of their export.
	Settle time.Duration `mapstructure:"settle"`
	// SettleOpen is how long a run is waited for of which no one has told the end, and a stage
	// outside of SQL: more than its longest task.
	SettleOpen time.Duration `mapstructure:"settle_open"`
	// Interval is the time between two looks for settled runs.
	Interval time.Duration `mapstructure:"interval"`
	// Repeat is the time between two deliveries of the series, where no run brings one, so that
	// they do not go stale.
	Repeat time.Duration `mapstructure:"repeat"`
	// MaxOpenRuns bounds the runs that are waited for, and those that are remembered to know what
	// is late.
	MaxOpenRuns int `mapstructure:"max_open_runs"`
	// MaxSums bounds the cells, keys and names of parts that are kept of all of them: some 200
	// bytes each.
	MaxSums int `mapstructure:"max_sums"`
	// MaxSeries bounds the cumulative series; what has none is in the series other.
	MaxSeries int `mapstructure:"max_series"`
	// Labels are the attributes of the resource, beside service.name, that the series keep.
	Labels []string `mapstructure:"labels"`
}

func defaultConfig() *Config {
	return &Config{Settle: 30 * time.Second, SettleOpen: 10 * time.Minute, Interval: 5 * time.Second, Repeat: time.Minute,
		MaxOpenRuns: 10_000, MaxSums: 1_000_000, MaxSeries: 10_000, Labels: attributes.OfOwners()}
}

// Bounds of the configuration.
const (
	mostRuns   = 1_000_000
	mostSums   = 100_000_000
	mostSeries = 100_000
)

// Validate refuses what cannot work, naming the key.
func (c *Config) Validate() error {
	var errs []error
	between := func(key string, v, low, high time.Duration) {
		if v < low || v > high {
			errs = append(errs, fmt.Errorf("%s: %s, want %s to %s", key, v, low, high))
		}
	}
	between("settle", c.Settle, 0, time.Hour)
	between("settle_open", c.SettleOpen, max(c.Settle, 0), 24*time.Hour)
	between("interval", c.Interval, 10*time.Millisecond, 10*time.Minute)
	between("repeat", c.Repeat, c.Interval, time.Hour)
	most := func(key string, v, high int) {
		if v < 1 || v > high {
			errs = append(errs, fmt.Errorf("%s: %d, want 1 to %d", key, v, high))
		}
	}
	most("max_open_runs", c.MaxOpenRuns, mostRuns)
	most("max_sums", c.MaxSums, mostSums)
	most("max_series", c.MaxSeries, mostSeries)
	return errors.Join(append(errs, attributes.ValidLabels(c.Labels)...)...)
}
