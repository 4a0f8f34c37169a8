package sparkprofile

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/planflame/planflame/collector-receiver/internal/keep"
	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadata"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

func TestRecordingRefusals(t *testing.T) {
	for want, section := range map[string]map[string]any{
		`recording::directory: "here" is not an absolute path`: {"directory": "here"},
		"recording::directory: missing, so nothing is kept":    {"queries": []any{"nightly"}},
		"recording::max_bytes: 16777215, want 16777216 to":     {"directory": "/x", "max_bytes": 16<<20 - 1},
		"recording::queries[1]: an empty pattern":              {"directory": "/x", "queries": []any{"*", ""}},
		"invalid keys: pattern":                                {"directory": "/x", "pattern": "*"},
	} {
		_, err := load(map[string]any{"recording": section})
		require.ErrorContains(t, err, want)
	}
	_, err := load(map[string]any{"recording": map[string]any{"max_bytes": 16 << 20}})
	require.ErrorContains(t, err, "missing, so nothing is kept")
	cfg, err := load(map[string]any{"recording": map[string]any{"directory": "/x", "queries": []any{"nightly *", "q1-abc"}}})
	require.NoError(t, err)
	assert.Equal(t, int64(1<<30), cfg.Recording.MaxBytes)
	choose, err := cfg.Recording.choose()
	require.NoError(t, err)
	assert.True(t, choose("q1-def", "nightly load"))
	assert.True(t, choose("q1-abc", "hourly"))
	assert.False(t, choose("q1-abcd", "a nightly load"))
	assert.Equal(t, int64(keep.MinBytes), int64(leastRecordingBytes))
}

// geometry gives a JVM of a test the header of a real one.
type geometry struct{ sampler.Sink }

func (g geometry) JVMFound(v sampler.JVM) {
	v.Header = jvmlog.Header{Major: 1, PID: 41, State: jvmlog.StateLive, TotalBytes: 1 << 20, ThreadsOffset: 4096, ThreadSlots: 8, EventsOffset: 8192, EventSlots: 16,
		RecordsOffset: 16384, RecordsBytes: 1<<20 - 16384}
	g.Sink.JVMFound(v)
}

// reread is a pipeline that takes a recording.
type reread struct{ *pipeline.Pipeline }

func (reread) Symbol(sampler.JVMID, codemap.Frame) {}

// operators counts samples by operator or bucket.
type operators struct {
	pipeline.Consumer
	samples map[string]int
	tasks   int
}

func (o *operators) JVM(sampler.JVM, pipeline.Application)     {}
func (o *operators) SamplerStats(sampler.JVMID, sampler.Stats) {}
func (o *operators) JVMGone(sampler.JVMID)                     {}
func (o *operators) Task(pipeline.TaskCPU)                     { o.tasks++ }
func (o *operators) Sample(l *pipeline.Labelled)               { o.samples[l.QueryName+" "+l.Name()]++ }

// TestRecordingTellsTheOperators keeps a recording beside the profiles, under the same service.
func TestRecordingTellsTheOperators(t *testing.T) {
	dir := t.TempDir()
	profiles := new(consumertest.ProfilesSink)
	r, _ := idle(t, profiles, func(c *Config) { c.Recording.Directory, c.ServiceName = dir, "etl" })
	require.NoError(t, r.collect.openKeeper(r.config, "1.2.3", r.log))
	sink := geometry{r.collect.sink(r.config)}
	feed(sink, 3)
	sink.JVMGone(3)
	require.NoError(t, r.deliver(context.Background(), r.collect.start))
	require.Equal(t, 1, len(profiles.AllProfiles()))
	r.collect.closeKeeper(context.Background())

	found, err := filepath.Glob(filepath.Join(dir, "etl", "app-3-5-*", keep.RecordingName))
	require.NoError(t, err)
	require.Len(t, found, 1)
	file, err := os.Open(found[0])
	require.NoError(t, err)
	defer file.Close()
	reader, err := recording.NewReader(file)
	require.NoError(t, err)
	defer reader.Close()
	assert.Equal(t, 20, reader.Meta().Hz)
	got := &operators{samples: map[string]int{}}
	p := pipeline.New(pipeline.Settings{Hold: pipeline.UntilEnd}, got)
	require.NoError(t, reader.Replay(reread{p}))
	assert.Equal(t, map[string]int{"tpch q06 Scan t": 2, "tpch q06 [task framework]": 1}, got.samples)
	assert.Equal(t, 1, got.tasks)
}

// TestNoRecording has neither a sink nor a goroutine more: TestMain looks for the latter.
func TestNoRecording(t *testing.T) {
	r, _ := idle(t, new(consumertest.ProfilesSink), nil)
	require.NoError(t, r.collect.openKeeper(r.config, "1.2.3", r.log))
	assert.Same(t, r.collect, r.collect.sink(r.config))
	assert.Nil(t, r.collect.keeper)
	assert.Zero(t, r.collect.keeper.Lost())
	r.collect.closeKeeper(context.Background())
}

func TestUnusableDirectoryEndsTheStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	r, _ := idle(t, new(consumertest.ProfilesSink), func(c *Config) { c.Recording.Directory = file })
	err := r.Start(context.Background())
	require.ErrorContains(t, err, "recording::directory: ")
	require.ErrorContains(t, err, file)
	require.NoError(t, r.Shutdown(context.Background()))
}

func TestUnrecordedIsCounted(t *testing.T) {
	tel := componenttest.NewTelemetry()
	defer func() { require.NoError(t, tel.Shutdown(context.Background())) }()
	builder, err := metadata.NewTelemetryBuilder(tel.NewTelemetrySettings())
	require.NoError(t, err)
	m := newMetrics(builder, calibrationWindow)
	m.unrecorded(context.Background(), 5)
	m.unrecorded(context.Background(), 12)
	m.unrecorded(context.Background(), 12)
	got, err := tel.GetMetric("otelcol_receiver_spark_profile_problems")
	require.NoError(t, err)
	points := got.Data.(metricdata.Sum[int64]).DataPoints
	require.Len(t, points, 1)
	assert.Equal(t, int64(12), points[0].Value)
	assert.Equal(t, attribute.NewSet(attribute.String("problem", "unrecorded")), points[0].Attributes)
}
