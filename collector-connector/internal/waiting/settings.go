// Package waiting has the settings of connectors that wait until all parts of a run have come.
package waiting

import (
	"errors"
	"time"

	"github.com/planflame/planflame/internal/refusal"
)

// Settings are squashed into a connector's configuration.
type Settings struct {
	// Settle is how long after its newest part an ended run counts as complete. Executors on other
	// nodes report on their own time. So it must exceed the longest window of their receivers plus
	// the delay of their export.
	Settle time.Duration `mapstructure:"settle"`
	// SettleOpen is how long a run is waited for of which no one has told the end, Settle or more.
	SettleOpen time.Duration `mapstructure:"settle_open"`
	// Interval is the time between two looks for settled runs.
	Interval time.Duration `mapstructure:"interval"`
	// MaxOpenRuns bounds the runs that are waited for.
	MaxOpenRuns int `mapstructure:"max_open_runs"`
}

// Default waits so long for runs without an end.
func Default(open time.Duration) Settings {
	return Settings{Settle: 30 * time.Second, SettleOpen: open, Interval: 5 * time.Second, MaxOpenRuns: 10_000}
}

// Refusals says what cannot work. It is no Validate, which the Collector would call by itself and
// put the name of this struct before the key.
func (s *Settings) Refusals() error {
	return errors.Join(
		refusal.Outside("settle", s.Settle, 0, time.Hour),
		refusal.Outside("settle_open", s.SettleOpen, max(s.Settle, 0), 24*time.Hour),
		refusal.Outside("interval", s.Interval, 10*time.Millisecond, 10*time.Minute),
		refusal.Outside("max_open_runs", s.MaxOpenRuns, 1, 1_000_000),
	)
}

// Repeat is the time between two deliveries of series that no run updates, so that they do not go
// stale. Prometheus forgets a series that it has not seen for five minutes.
const Repeat = time.Minute
