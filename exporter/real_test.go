package exporter

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/exporter/exportertest"

	"github.com/planflame/planflame/exporter/internal/metadata"
	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// What goes in over OTLP comes out of a real Pyroscope: label values, totals by series, the merged
// flame graph.
func TestRealPyroscope(t *testing.T) {
	for name, args := range map[string][]string{"v1": nil, "v2": pyroscopetest.V2} {
		t.Run(name, func(t *testing.T) { realPyroscope(t, pyroscopetest.Start(t, args...)) })
	}
}

func realPyroscope(t *testing.T, server *pyroscopetest.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	e, _ := start(t, server.URL, func(c *Config) {
		c.Series.MaxValues = 3
	})
	now := time.Now()
	require.NoError(t, e.ConsumeProfiles(ctx, profiles(
		input{"spark", now, []inputSample{{"q1", "scan", 3_000_000}, {"q1", "join", 5_000_000}, {"q2", "scan", 7_000_000}}},
		// Another process with the same labels and the same time, and more series than there is
		// room for.
		input{"spark", now, []inputSample{{"q1", "scan", 11_000_000}, {"q3", "scan", 1_000}, {"q4", "scan", 2_000}}},
	)))

	totals := func(selector string) (int64, error) {
		p, err := server.Merged(ctx, pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: selector})
		if err != nil || p == nil {
			return 0, err
		}
		var sum int64
		for _, s := range p.Sample {
			sum += s.Value[0]
		}
		return sum, nil
	}
	for selector, want := range map[string]int64{
		`{service_name="spark"}`:                            26_003_000,
		`{service_name="spark",query="q1",operator="scan"}`: 14_000_000,
		`{service_name="spark",query="q1",operator="join"}`: 5_000_000,
		`{service_name="spark",query="q2"}`:                 7_000_000,
		`{service_name="spark",query="other"}`:              3_000,
		`{service_name="spark",query="q3"}`:                 0,
	} {
		require.NoError(t, pyroscopetest.Eventually(ctx, func() error {
			got, err := totals(selector)
			if err == nil && got != want {
				err = fmt.Errorf("%s: %d, want %d", selector, got, want)
			}
			return err
		}), selector)
	}
	query := pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="spark"}`}
	values, err := server.LabelValues(ctx, query, "operator")
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"join", "other", "scan"}, values)
	total, boxes, err := server.FlameGraph(ctx, query)
	require.NoError(t, err)
	assert.Equal(t, int64(26_003_000), total)
	assert.Equal(t, int64(26_003_000), boxes["f"])
	types, err := server.ProfileTypes(ctx, query)
	require.NoError(t, err)
	assert.Contains(t, types, pyroscopetest.CPU)
}

// The Collector's own CPU profile arrives in the same server, under its own service and with the
// tenant's and the user's labels.
func TestSelfProfile(t *testing.T) {
	server := pyroscopetest.Start(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cfg := defaultConfig()
	cfg.ClientConfig.Endpoint = server.URL
	cfg.Series.Static = map[string]string{"env": "e3"}
	cfg.SelfProfile = SelfProfile{Enabled: true, ServiceName: "collector-5", Labels: map[string]string{"role": "r7"}}
	require.NoError(t, cfg.Validate())
	p, err := newPyroscope(cfg, exportertest.NewNopSettings(metadata.Type))
	require.NoError(t, err)
	require.NoError(t, p.start(ctx, componenttest.NewNopHost()))

	second, err := newPyroscope(cfg, exportertest.NewNopSettings(metadata.Type))
	require.NoError(t, err)
	require.ErrorContains(t, second.start(ctx, componenttest.NewNopHost()), "self_profile: another exporter")
	require.NoError(t, second.shutdown(ctx))

	burned := 0
	for end := time.Now().Add(time.Second); time.Now().Before(end); burned++ {
	}
	require.Positive(t, burned)
	require.NoError(t, p.shutdown(ctx), "sends what is left")
	require.NoError(t, pyroscopetest.Eventually(ctx, func() error {
		total, _, err := server.FlameGraph(ctx, pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="collector-5",env="e3",role="r7"}`})
		if err == nil && total == 0 {
			err = errors.New("no CPU of the Collector's own")
		}
		return err
	}))
}
