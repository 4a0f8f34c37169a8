package exporter

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/pprof/profile"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/exporter/exporterhelper"
	"go.opentelemetry.io/collector/exporter/exportertest"
	"go.opentelemetry.io/collector/exporter/xexporter"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"
	"go.yaml.in/yaml/v3"

	"github.com/planflame/planflame/exporter/internal/metadata"
	"github.com/planflame/planflame/exporter/internal/metadatatest"
)

// pusher is Pyroscope's push endpoint, which answers as the test wants: servers that refuse on cue
// cannot be had for real.
type pusher struct {
	pushv1connect.UnimplementedPusherServiceHandler
	mu      sync.Mutex
	answer  func(n int) error // nth push, from 1
	late    func(n int) error // the same, when the push has been stored; nil: none
	pushes  int
	times   []int64 // of the profiles stored, nanoseconds
	headers []http.Header
	stored  map[string]int64 // labels as text → value
}

func newPusher(t *testing.T, answer func(n int) error) (*pusher, string) {
	p := &pusher{answer: answer, stored: map[string]int64{}}
	mux := http.NewServeMux()
	mux.Handle(pushv1connect.NewPusherServiceHandler(p))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return p, server.URL
}

func (p *pusher) Push(_ context.Context, r *connect.Request[pushv1.PushRequest]) (*connect.Response[pushv1.PushResponse], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pushes++
	p.headers = append(p.headers, r.Header())
	if p.answer != nil {
		if err := p.answer(p.pushes); err != nil {
			return nil, err
		}
	}
	for _, s := range r.Msg.Series {
		var series []string
		for _, l := range s.Labels {
			series = append(series, l.Name+"="+l.Value)
		}
		for _, raw := range s.Samples {
			prof, err := profile.ParseData(raw.RawProfile)
			if err != nil {
				return nil, connect.NewError(connect.CodeInvalidArgument, err)
			}
			p.times = append(p.times, prof.TimeNanos)
			for _, sample := range prof.Sample {
				labels := slices.Clone(series)
				for _, name := range slices.Sorted(maps.Keys(sample.Label)) {
					labels = append(labels, name+"="+strings.Join(sample.Label[name], "+"))
				}
				p.stored[strings.Join(labels, " ")] += sample.Value[0]
			}
		}
	}
	if p.late != nil {
		if err := p.late(p.pushes); err != nil {
			return nil, err
		}
	}
	return connect.NewResponse(&pushv1.PushResponse{}), nil
}

// input builds profiles: resources × samples of {attribute value, sample value}.
type input struct {
	service string
	at      time.Time
	samples []inputSample
}

type inputSample struct {
	query, operator string
	value           int64
}

func profiles(inputs ...input) pprofile.Profiles {
	pd := pprofile.NewProfiles()
	d := pd.Dictionary()
	d.StringTable().Append("", "cpu", "nanoseconds", "query", "operator", "f")
	d.MappingTable().AppendEmpty()
	d.LinkTable().AppendEmpty()
	d.FunctionTable().AppendEmpty()
	d.FunctionTable().AppendEmpty().SetNameStrindex(5)
	d.LocationTable().AppendEmpty()
	d.LocationTable().AppendEmpty().Lines().AppendEmpty().SetFunctionIndex(1)
	d.StackTable().AppendEmpty()
	d.StackTable().AppendEmpty().LocationIndices().Append(1)
	d.AttributeTable().AppendEmpty()
	attribute := func(key int32, value string) int32 {
		a := d.AttributeTable().AppendEmpty()
		a.SetKeyStrindex(key)
		a.Value().SetStr(value)
		return int32(d.AttributeTable().Len() - 1)
	}
	for _, in := range inputs {
		rp := pd.ResourceProfiles().AppendEmpty()
		if in.service != "" {
			rp.Resource().Attributes().PutStr("service.name", in.service)
		}
		p := rp.ScopeProfiles().AppendEmpty().Profiles().AppendEmpty()
		p.SampleType().SetTypeStrindex(1)
		p.SampleType().SetUnitStrindex(2)
		p.SetTime(pcommon.NewTimestampFromTime(in.at))
		for _, s := range in.samples {
			to := p.Samples().AppendEmpty()
			to.SetStackIndex(1)
			to.Values().Append(s.value)
			if s.query != "" {
				to.AttributeIndices().Append(attribute(3, s.query))
			}
			if s.operator != "" {
				to.AttributeIndices().Append(attribute(4, s.operator))
			}
		}
	}
	return pd
}

// start runs an exporter with the change applied to its configuration, without queue so that
// results are seen at once.
func start(t *testing.T, url string, change func(*Config)) (xexporter.Profiles, *componenttest.Telemetry) {
	t.Helper()
	cfg := defaultConfig()
	cfg.ClientConfig.Endpoint = url
	cfg.QueueConfig = configoptional.None[exporterhelper.QueueBatchConfig]()
	cfg.RetryConfig.Enabled = false
	cfg.Series.SampleAttributes = []string{"query", "operator"}
	if change != nil {
		change(cfg)
	}
	require.NoError(t, cfg.Validate())
	tel := componenttest.NewTelemetry()
	set := exportertest.NewNopSettings(metadata.Type)
	set.TelemetrySettings = tel.NewTelemetrySettings()
	e, err := NewFactory().(xexporter.Factory).CreateProfiles(context.Background(), set, cfg)
	require.NoError(t, err)
	require.NoError(t, e.Start(context.Background(), componenttest.NewNopHost()))
	t.Cleanup(func() {
		require.NoError(t, e.Shutdown(context.Background()))
		require.NoError(t, tel.Shutdown(context.Background()))
	})
	return e, tel
}

func TestShutdownBeforeStart(t *testing.T) {
	cfg := defaultConfig()
	cfg.ClientConfig.Endpoint = "http://localhost:1"
	e, err := NewFactory().(xexporter.Factory).CreateProfiles(context.Background(), exportertest.NewNopSettings(metadata.Type), cfg)
	require.NoError(t, err)
	require.NoError(t, e.Shutdown(context.Background()))
}

// exporterhelper's own retry sender does not survive a second Shutdown (v0.162.0); what is ours
// does.
func TestShutdownTwice(t *testing.T) {
	cfg := defaultConfig()
	cfg.ClientConfig.Endpoint = "http://localhost:1"
	p, err := newPyroscope(cfg, exportertest.NewNopSettings(metadata.Type))
	require.NoError(t, err)
	require.NoError(t, p.start(context.Background(), componenttest.NewNopHost()))
	require.NoError(t, p.shutdown(context.Background()))
	require.NoError(t, p.shutdown(context.Background()))
}

func TestSeriesLabels(t *testing.T) {
	server, url := newPusher(t, nil)
	e, tel := start(t, url, func(c *Config) {
		c.Tenant = "team-5"
		c.BasicAuth = BasicAuth{"u7", "p11"}
		c.Series.Static = map[string]string{"env": "e13"}
		c.Series.LabelNames = map[string]string{"operator": "op", "service.name": "service_name"}
	})
	now := time.Now()
	pd := profiles(
		input{"svc-17", now, []inputSample{{"q19", "scan", 23}, {"q19", "scan", 29}, {"q19", "", 31}}},
		input{"", now, []inputSample{{"", "", 37}}},
	)
	pd.MarkReadOnly()
	require.NoError(t, e.ConsumeProfiles(context.Background(), pd))
	assert.Equal(t, map[string]int64{
		"__name__=process_cpu env=e13 service_name=svc-17 op=scan query=q19": 52,
		"__name__=process_cpu env=e13 service_name=svc-17 query=q19":         31,
		"__name__=process_cpu env=e13 service_name=unknown_service":          37,
	}, server.stored)
	for _, h := range server.headers {
		assert.Equal(t, "team-5", h.Get("X-Scope-OrgID"))
		assert.Equal(t, "Basic dTc6cDEx", h.Get("Authorization"))
	}
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopePushedSamples, point(3))
}

func TestBearerToken(t *testing.T) {
	server, url := newPusher(t, nil)
	e, _ := start(t, url, func(c *Config) { c.BearerToken = "t3" })
	require.NoError(t, e.ConsumeProfiles(context.Background(), profiles(input{"s", time.Now(), []inputSample{{"", "", 1}}})))
	assert.Equal(t, "Bearer t3", server.headers[0].Get("Authorization"))
	assert.Empty(t, server.headers[0].Get("X-Scope-OrgID"))
}

// The heaviest sets keep their values; the weight of all others stays, under "other".
func TestTopN(t *testing.T) {
	server, url := newPusher(t, nil)
	e, tel := start(t, url, func(c *Config) { c.Series.MaxValues = 2 })
	var samples []inputSample
	for i := range 10 {
		samples = append(samples, inputSample{fmt.Sprintf("q%d", i), "scan", int64(100 + i)})
	}
	samples = append(samples, inputSample{"", "", 7})
	require.NoError(t, e.ConsumeProfiles(context.Background(), profiles(input{"s", time.Now(), samples})))
	assert.Equal(t, map[string]int64{
		"__name__=process_cpu service_name=s operator=scan query=q9":     109,
		"__name__=process_cpu service_name=s operator=scan query=q8":     108,
		"__name__=process_cpu service_name=s operator=other query=other": 8*100 + 28,
		"__name__=process_cpu service_name=s":                            7,
	}, server.stored)
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopeFoldedWeight, point(828))
}

func TestResourcesAreBounded(t *testing.T) {
	server, url := newPusher(t, nil)
	e, tel := start(t, url, func(c *Config) { c.Series.MaxResources = 2 })
	now := time.Now()
	one := []inputSample{{"", "", 3}}
	require.NoError(t, e.ConsumeProfiles(context.Background(), profiles(input{"a", now, one}, input{"b", now, one}, input{"c", now, one}, input{"a", now, one})))
	assert.Equal(t, map[string]int64{
		"__name__=process_cpu service_name=a": 6, "__name__=process_cpu service_name=b": 3, "__name__=process_cpu service_name=other": 3,
	}, server.stored)
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopeFoldedResources, point(1))
}

// Whatever the server cannot take is left out, counted by reason, and does not keep the rest from
// being stored.
func TestDrops(t *testing.T) {
	server, url := newPusher(t, func(n int) error {
		if n == 2 {
			return connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("invalid labels"))
		}
		return nil
	})
	e, tel := start(t, url, nil)
	now := time.Now()
	pd := profiles(
		input{"good", now, []inputSample{{"", "", 3}}},
		input{"refused", now, []inputSample{{"", "", 5}, {"q", "", 6}}},
		input{"old", now.Add(-61 * time.Minute), []inputSample{{"", "", 7}, {"", "", 7}, {"", "", 7}}},
		input{"new", now.Add(11 * time.Minute), []inputSample{{"", "", 9}, {"", "", 9}, {"", "", 9}, {"", "", 9}}},
		input{"malformed", now, []inputSample{{"", "", -1}}},
		input{"good", now, []inputSample{{"", "", 11}}},
	)
	require.NoError(t, e.ConsumeProfiles(context.Background(), pd))
	assert.Equal(t, map[string]int64{"__name__=process_cpu service_name=good": 14}, server.stored)
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopeDroppedSamples,
		point(2, "reason", "refused"), point(3, "reason", "too_old"), point(4, "reason", "too_new"), point(1, "reason", "malformed"),
		point(0, "reason", "too_large"), point(0, "reason", "too_many_series"))
}

// The series of all counters begin at 0; the series of dropped samples have each reason of
// metadata.yaml.
func TestCountersBeginAtZero(t *testing.T) {
	text, err := os.ReadFile("metadata.yaml")
	require.NoError(t, err)
	var described struct {
		Attributes map[string]struct{ Enum []string }
		Telemetry  struct{ Metrics map[string]any }
	}
	require.NoError(t, yaml.Unmarshal(text, &described))
	_, url := newPusher(t, nil)
	_, tel := start(t, url, nil)
	var reasons []metricdata.DataPoint[int64]
	for _, r := range described.Attributes["reason"].Enum {
		reasons = append(reasons, point(0, "reason", r))
	}
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopeDroppedSamples, reasons...)
	for name := range described.Telemetry.Metrics {
		_, err := tel.GetMetric("otelcol_" + name)
		assert.NoError(t, err, name)
	}
}

// A request of which nothing could be stored fails for good and says why.
func TestRefusalSaysWhy(t *testing.T) {
	_, url := newPusher(t, func(int) error {
		return connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("maximum active series limit exceeded"))
	})
	e, _ := start(t, url, func(c *Config) { c.RetryConfig.Enabled = true })
	err := e.ConsumeProfiles(context.Background(), profiles(input{"s", time.Now(), []inputSample{{"", "", 3}}}))
	require.ErrorContains(t, err, "maximum active series limit exceeded")
	require.ErrorContains(t, err, url)
	require.ErrorContains(t, err, "400")
}

// A tenant with all series that it may have is not waited for: what needs another one is dropped.
func TestSeriesLimit(t *testing.T) {
	server, url := newPusher(t, func(n int) error {
		if n != 2 {
			return connect.NewError(connect.CodeResourceExhausted, fmt.Errorf("push: Maximum active series limit exceeded (7/7), reduce the number"))
		}
		return nil
	})
	e, tel := start(t, url, func(c *Config) { c.RetryConfig.Enabled = true })
	now := time.Now()
	refused, known := input{"a", now, []inputSample{{"q1", "", 3}, {"q2", "", 5}}}, input{"b", now, []inputSample{{"q1", "", 7}}}
	require.NoError(t, e.ConsumeProfiles(context.Background(), profiles(refused, known)))
	assert.Equal(t, map[string]int64{"__name__=process_cpu service_name=b query=q1": 7}, server.stored)
	require.ErrorContains(t, e.ConsumeProfiles(context.Background(), profiles(refused)), "-ingester.max-global-series-per-tenant")
	assert.Equal(t, 3, server.pushes)
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopeDroppedSamples, point(4, "reason", "too_many_series"),
		point(0, "reason", "refused"), point(0, "reason", "too_old"), point(0, "reason", "too_new"), point(0, "reason", "malformed"), point(0, "reason", "too_large"))
}

// What is pushed again is cut, folded and ranked once.
func TestRetryCountsOnce(t *testing.T) {
	server, url := newPusher(t, func(n int) error {
		if n > 1 && n < 5 {
			return connect.NewError(connect.CodeResourceExhausted, fmt.Errorf("push rate limit"))
		}
		return nil
	})
	e, tel := start(t, url, func(c *Config) {
		c.RetryConfig.Enabled = true
		c.RetryConfig.InitialInterval = time.Millisecond
		c.Series.MaxValues, c.Series.MaxResources = 1, 1
	})
	p, now, long := e.(*bounded).p, time.Now(), strings.Repeat("x", 2049)
	p.now = func() time.Time { return now }
	require.NoError(t, e.ConsumeProfiles(context.Background(), profiles(
		input{"a", now, []inputSample{{"q1", "", 100}}},
		input{long, now, []inputSample{{"q2", "", 5}, {long, "", 7}}},
	)))
	assert.Equal(t, map[string]int64{"__name__=process_cpu service_name=a query=q1": 100, "__name__=process_cpu service_name=other query=other": 12}, server.stored)
	assert.Equal(t, 5, server.pushes)
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopeFoldedWeight, point(12))
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopeFoldedResources, point(1))
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopeCutValues, point(2))
	var weights []float64
	for _, r := range p.ranking(profileType{"process_cpu", "cpu", "nanoseconds"}).entries {
		weights = append(weights, r.weight)
	}
	assert.ElementsMatch(t, []float64{100, 5, 7}, weights)
	for _, r := range p.resources.entries {
		assert.InDelta(t, 1, r.weight, 0)
	}
}

// What is stored of a profile counts, and only the rest is taken back until it is pushed again.
func TestRetryOfAPartCountsOnce(t *testing.T) {
	server, url := newPusher(t, func(n int) error {
		if n == 2 {
			return connect.NewError(connect.CodeResourceExhausted, fmt.Errorf("push rate limit"))
		}
		return nil
	})
	e, tel := start(t, url, func(c *Config) {
		c.RetryConfig.Enabled = true
		c.RetryConfig.InitialInterval = time.Millisecond
		c.Series.MaxValues, c.Limits.Split.Samples = 1, 1
	})
	p, now := e.(*bounded).p, time.Now()
	p.now = func() time.Time { return now }
	require.NoError(t, e.ConsumeProfiles(context.Background(), profiles(input{"a", now, []inputSample{{"q1", "", 100}, {"q2", "", 5}, {"q3", "", 7}}})))
	assert.Equal(t, map[string]int64{"__name__=process_cpu service_name=a query=q1": 100, "__name__=process_cpu service_name=a query=other": 12}, server.stored)
	assert.Equal(t, 3, server.pushes)
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopeFoldedWeight, point(12))
	var weights []float64
	for _, r := range p.ranking(profileType{"process_cpu", "cpu", "nanoseconds"}).entries {
		weights = append(weights, r.weight)
	}
	assert.ElementsMatch(t, []float64{100, 5, 7}, weights)
}

// A passing failure in the middle of a request: everything is stored, and nothing twice.
func TestRetryStoresOnce(t *testing.T) {
	server, url := newPusher(t, func(n int) error {
		switch n {
		case 3, 5:
			return connect.NewError(connect.CodeResourceExhausted, fmt.Errorf("push rate limit"))
		case 4:
			return connect.NewError(connect.CodeUnavailable, fmt.Errorf("starting"))
		}
		return nil
	})
	e, tel := start(t, url, func(c *Config) {
		c.RetryConfig.Enabled = true
		c.RetryConfig.InitialInterval = time.Millisecond
		c.Limits.Split.Samples = 2 // the first profile has three parts
	})
	now := time.Now()
	first := input{"a", now, []inputSample{{"q1", "", 1}, {"q2", "", 2}, {"q3", "", 4}, {"q1", "", 8}, {"q4", "", 16}, {"q5", "", 32}}}
	require.NoError(t, e.ConsumeProfiles(context.Background(), profiles(first, input{"b", now, []inputSample{{"q1", "", 64}}}, input{"c", now, []inputSample{{"q1", "", 128}}})))
	assert.Equal(t, map[string]int64{
		"__name__=process_cpu service_name=a query=q1": 9,
		"__name__=process_cpu service_name=a query=q2": 2,
		"__name__=process_cpu service_name=a query=q3": 4,
		"__name__=process_cpu service_name=a query=q4": 16,
		"__name__=process_cpu service_name=a query=q5": 32,
		"__name__=process_cpu service_name=b query=q1": 64,
		"__name__=process_cpu service_name=c query=q1": 128,
	}, server.stored)
	assert.Equal(t, 8, server.pushes)
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopePushedSamples, point(7))
}

// TestStoredThenRefused has a server that stores a profile and answers with its own failure. Each
// further push of the same samples has the same time, one after a refusal too, and is counted.
func TestStoredThenRefused(t *testing.T) {
	server, url := newPusher(t, func(n int) error {
		if n == 2 {
			return connect.NewError(connect.CodeResourceExhausted, fmt.Errorf("push rate limit"))
		}
		return nil
	})
	server.late = func(n int) error {
		if n < 4 {
			return connect.NewError(connect.CodeUnavailable, fmt.Errorf("stored, and went away"))
		}
		return nil
	}
	e, tel := start(t, url, func(c *Config) {
		c.RetryConfig.Enabled = true
		c.RetryConfig.InitialInterval = time.Millisecond
	})
	now := time.Now()
	in := []inputSample{{"q1", "", 1}, {"q2", "", 2}}
	require.NoError(t, e.ConsumeProfiles(context.Background(), profiles(input{"a", now, in})))
	require.NoError(t, e.ConsumeProfiles(context.Background(), profiles(input{"a", now, in})), "another process's")
	first := now.UnixNano()
	assert.Equal(t, []int64{first, first, first, first + int64(time.Millisecond)}, server.times)
	assertSum(t, tel, metadatatest.AssertEqualExporterPyroscopeRepeatedSamples, point(6))
}

func TestNoServer(t *testing.T) {
	e, _ := start(t, "http://127.0.0.1:1", nil)
	err := e.ConsumeProfiles(context.Background(), profiles(input{"s", time.Now(), []inputSample{{"", "", 3}}}))
	require.ErrorContains(t, err, "no answer")
	require.ErrorContains(t, err, "http://127.0.0.1:1")
}

func point(v int64, attributes ...string) metricdata.DataPoint[int64] {
	var kv []attribute.KeyValue
	for i := 0; i+1 < len(attributes); i += 2 {
		kv = append(kv, attribute.String(attributes[i], attributes[i+1]))
	}
	return metricdata.DataPoint[int64]{Value: v, Attributes: attribute.NewSet(kv...)}
}

type assertFunc func(*testing.T, *componenttest.Telemetry, []metricdata.DataPoint[int64], ...metricdatatest.Option)

func assertSum(t *testing.T, tel *componenttest.Telemetry, assert assertFunc, points ...metricdata.DataPoint[int64]) {
	t.Helper()
	assert(t, tel, points, metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
}
