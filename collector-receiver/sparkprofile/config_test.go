package sparkprofile

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/confmap"
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
	cfg, err := load(map[string]any{
		"window": "3s", "mode": "self", "sampling_hz": 7, "scan_interval": "11s", "drain_interval": "13ms", "stack_bytes": 1704,
		"ring_pages": 32, "hold": "19s", "plan_wait": "23s", "max_stacks": 29, "service_name": "s31", "task_attributes": true,
		"query_summary": true, "sample_counts": true,
	})
	require.NoError(t, err)
	assert.Equal(t, &Config{
		Window: 3 * time.Second, Mode: "self", SamplingHz: 7, ScanInterval: 11 * time.Second, DrainInterval: 13 * time.Millisecond, StackBytes: 1704,
		RingPages: 32, Hold: 19 * time.Second, PlanWait: 23 * time.Second, MaxStacks: 29, ServiceName: "s31", TaskAttributes: true,
		QuerySummary: true, SampleCounts: true,
	}, cfg)
	assert.Equal(t, 142_857_143*time.Nanosecond, cfg.period())
}

func TestDefaultsAreValid(t *testing.T) {
	cfg, err := load(nil)
	require.NoError(t, err)
	assert.Equal(t, 15*time.Second, cfg.Window)
	assert.Zero(t, cfg.RingPages, "as many as the rate needs")
}

// Every refusal names its key.
func TestConfigRefusals(t *testing.T) {
	for key, values := range map[string][]any{
		"window":         {"0s", "-5s", "999ms", "11m"},
		"mode":           {"", "root", "Auto"},
		"sampling_hz":    {0, -1, 10_001, 0.01, 1184},
		"scan_interval":  {"0s", "2h"},
		"drain_interval": {"0s", "3s"},
		"stack_bytes":    {-8, 7, 65_536},
		"ring_pages":     {-1, 3, 2048},
		"hold":           {"0s", "2m"},
		"plan_wait":      {"-1s", "11m"},
		"max_stacks":     {0, -3},
		"windw":          {"5s"},
	} {
		for _, v := range values {
			_, err := load(map[string]any{key: v})
			require.ErrorContains(t, err, key, "%s: %v", key, v)
		}
	}
}

// The agent refuses, whole, settings by which it would copy more than 40 MB in a second of a thread's CPU; who opens events itself may.
func TestConfigThatTheAgentWouldRefuse(t *testing.T) {
	for _, test := range []struct {
		mode   string
		hz     float64
		stack  int
		passes bool
	}{
		{"auto", 1183, 32768, true},
		{"auto", 1184, 32768, false},
		{"self", 5000, 6976, true},
		{"self", 5000, 6984, false},
		{"privileged", 5000, 32768, true},
	} {
		_, err := load(map[string]any{"mode": test.mode, "sampling_hz": test.hz, "stack_bytes": test.stack})
		if test.passes {
			require.NoError(t, err, "%+v", test)
			continue
		}
		require.ErrorContains(t, err, "sampling_hz", "%+v", test)
		require.ErrorContains(t, err, "stack_bytes", "%+v", test)
	}
}
