package exporter

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/exporter/exportertest"
	"go.opentelemetry.io/collector/exporter/xexporter"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/planflame/planflame/exporter/internal/metadata"
)

// The Collector's own last profile does not hold up a shutdown.
func TestShutdownOfASelfProfile(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, silent.Close()) }()

	cfg := defaultConfig()
	cfg.ClientConfig.Endpoint = "http://" + silent.Addr().String()
	cfg.SelfProfile.Enabled = true
	made, err := NewFactory().(xexporter.Factory).CreateProfiles(context.Background(), exportertest.NewNopSettings(metadata.Type), cfg)
	require.NoError(t, err)
	require.NoError(t, made.Start(context.Background(), componenttest.NewNopHost()))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	require.NoError(t, made.Shutdown(ctx))
	assert.Less(t, time.Since(began), 2*time.Second, "one push may take %s", cfg.ClientConfig.Timeout)
}

// A server that accepts and never answers, and a full queue in memory: what cannot be pushed in
// time is given up, and each sample of it is counted.
func TestShutdownOfASilentServer(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, silent.Close()) }()

	cfg := defaultConfig()
	cfg.ClientConfig.Endpoint = "http://" + silent.Addr().String()
	tel := componenttest.NewTelemetry()
	defer func() { require.NoError(t, tel.Shutdown(context.Background())) }()
	set := exportertest.NewNopSettings(metadata.Type)
	set.TelemetrySettings = tel.NewTelemetrySettings()
	made, err := NewFactory().(xexporter.Factory).CreateProfiles(context.Background(), set, cfg)
	require.NoError(t, err)
	e := made.(*bounded)
	e.within = 50 * time.Millisecond
	require.NoError(t, e.Start(context.Background(), componenttest.NewNopHost()))
	const requests, samples = 70, 2
	for range requests {
		require.NoError(t, e.ConsumeProfiles(context.Background(), profiles(input{"nightly", time.Now(), []inputSample{{"q", "scan", 3}, {"q", "join", 5}}})))
	}
	began := time.Now()
	require.NoError(t, e.Shutdown(context.Background()))
	assert.Less(t, time.Since(began), 2*time.Second, "one push alone may take %s", cfg.ClientConfig.Timeout)
	require.NoError(t, e.Shutdown(context.Background()), "a second time")

	failed, err := tel.GetMetric("otelcol_exporter_send_failed_profile_samples")
	require.NoError(t, err)
	var lost int64
	for _, p := range failed.Data.(metricdata.Sum[int64]).DataPoints {
		lost += p.Value
	}
	assert.EqualValues(t, requests*samples, lost)
}
