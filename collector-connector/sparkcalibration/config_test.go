package sparkcalibration

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/confmap"

	"github.com/planflame/planflame/collector-connector/internal/waiting"
)

func load(keys map[string]any) (*Config, error) {
	cfg := NewFactory().CreateDefaultConfig().(*Config)
	if err := confmap.NewFromStringMap(keys).Unmarshal(cfg); err != nil {
		return cfg, err
	}
	return cfg, confmap.Validate(cfg)
}

// TestConfigEveryKey sets each key to a value of its own.
func TestConfigEveryKey(t *testing.T) {
	_, err := load(nil)
	require.NoError(t, err, "defaults")
	cfg, err := load(map[string]any{"settle": "3s", "settle_open": "5s", "interval": "7s", "max_open_runs": 13, "max_sums": 17, "max_series": 19, "labels": []any{"team"}})
	require.NoError(t, err)
	assert.Equal(t, &Config{Waiting: waiting.Settings{Settle: 3 * time.Second, SettleOpen: 5 * time.Second, Interval: 7 * time.Second, MaxOpenRuns: 13}, MaxSums: 17, MaxSeries: 19,
		Labels: []string{"team"}}, cfg)
}

// Every refusal names its key.
func TestConfigRefusals(t *testing.T) {
	for want, keys := range map[string]map[string]any{
		"settle: -1s, want":             {"settle": "-1s"},
		"settle_open: 3s, want 5s":      {"settle": "5s", "settle_open": "3s"},
		"interval: 1ms, want":           {"interval": "1ms"},
		"max_open_runs: 0, want":        {"max_open_runs": 0},
		"max_sums: 0, want":             {"max_sums": 0},
		"max_series: 100001, want":      {"max_series": 100001},
		`labels[1]: "team" is empty or`: {"labels": []any{"team", "team"}},
		"settel":                        {"settel": "3s"},
	} {
		_, err := load(keys)
		assert.ErrorContains(t, err, want)
	}
}
