package sparkshift

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/connector"
	"go.opentelemetry.io/collector/connector/connectortest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"
	"go.yaml.in/yaml/v3"

	"github.com/planflame/planflame/collector-connector/internal/waiting"
	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadata"
	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadatatest"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
)

// An operator becomes 30 % more expensive and is repaired. An alarm names the right operator within
// two runs. Gauges say so as long as the shift stands, and an event says that it is over.
func TestShiftIsToldAndResolved(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	n := 0
	run := func(times int, factor float64) {
		for range times {
			r.send(nightly(rng, n, factor))
			n++
		}
	}
	run(20, 1)
	require.Empty(t, r.events())
	assert.Zero(t, r.gauges()["spark.sql.operator.cost.shifted filter@22"])
	assert.InDelta(t, 1, r.gauges()["spark.sql.operator.cost.ratio scan@11"], 0.06)

	run(2, 1.3)
	require.Equal(t, []string{"spark.sql.cost.shift"}, r.events())
	g := r.gauges()
	assert.Equal(t, 1., g["spark.sql.operator.cost.shifted filter@22"])
	assert.Equal(t, 0., g["spark.sql.operator.cost.shifted scan@11"])
	assert.InDelta(t, 1.3, g["spark.sql.operator.cost.shift_ratio filter@22"], 0.05)
	assert.InDelta(t, 1.3, g["spark.sql.operator.cost.ratio filter@22"], 0.08)
	assert.InDelta(t, float64(begin.Add(20*time.Hour).Unix()), g["spark.sql.operator.cost.shifted_since filter@22"], 0)
	assert.NotContains(t, g, "spark.sql.operator.cost.shifted_since scan@11")
	assert.Equal(t, 1., g["spark.sql.query.plan p1-def"])
	assert.Less(t, g["spark.sql.operator.cost.lower_ratio filter@22"], g["spark.sql.operator.cost.ratio filter@22"])
	assert.Greater(t, g["spark.sql.operator.cost.lower_ratio filter@22"], 1.15)
	assert.InDelta(t, 170, g["spark.sql.operator.cost.expected filter@22"], 12)

	rl := r.logs.AllLogs()[0].ResourceLogs().At(0)
	assert.Equal(t, map[string]any{"service.name": "nightly", "team": "margin"}, rl.Resource().Attributes().AsRaw())
	rec := rl.ScopeLogs().At(0).LogRecords().At(0)
	assert.Equal(t, plog.SeverityNumberWarn, rec.SeverityNumber())
	assert.Contains(t, rec.Body().Str(), "Op filter@22 of tpch q06 uses 1.30 times its earlier CPU (95 % interval 1.25 to 1.34) since run app-3/20 (2026-11-01T22:00:00Z): 220 s a run, was 170 s")
	a := rec.Attributes().AsRaw()
	assert.Equal(t, "shift", a["spark.sql.cost.event"])
	assert.Equal(t, "filter@22", a["spark.sql.operator.id"])
	assert.Equal(t, "result", a["spark.stage.name"])
	assert.Equal(t, "app-3/20", a["spark.sql.cost.since.run"])
	assert.Equal(t, "app-3/19", a["spark.sql.cost.before.run"])
	assert.InDelta(t, 1.3, a["spark.sql.cost.ratio"], 0.05)
	assert.Equal(t, int64(2), a["spark.sql.cost.runs"])
	// 168 runs a week, 51 s more each: 2.4 core-hours.
	assert.InDelta(t, 2.4, a["spark.sql.cost.core_hours_per_week"], 0.4)
	assert.Equal(t, `process_cpu:cpu:nanoseconds:cpu:nanoseconds{service_name="nightly",query="q1-abc",operator="filter@22"}`, a["pyroscope.query"])
	assert.Equal(t, "2026-11-01T21:00:00Z", a["pyroscope.before.until"])
	assert.Equal(t, "2026-11-01T21:00:00Z", a["pyroscope.after.from"])
	assert.Equal(t, "2026-11-01T23:00:00Z", a["pyroscope.after.until"])
	assert.Len(t, a["spark.sql.cost.operators"], 1)

	run(3, 1)
	assert.Equal(t, []string{"spark.sql.cost.shift", "spark.sql.cost.resolved"}, r.events())
	over := r.logs.AllLogs()[1].ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0).Body().Str()
	assert.Regexp(t, `^Op filter@22 of tpch q06 is back to its earlier cost \(before 2026-11-0\S+Z\): 1[67]\d s a run, was 2[12]\d s$`, over)
	assert.Equal(t, 0., r.gauges()["spark.sql.operator.cost.shifted filter@22"])
	assert.InDelta(t, 1, r.gauges()["spark.sql.operator.cost.ratio filter@22"], 0.06)
}

// An executor joins an application that has run for long. Runs that it does a third of are left out
// while it is new, and say nothing about the query as a whole. One that does a twenty-fifth is no
// matter, nor is it warmer by that. Where an operator takes over what another one of its stage
// cost, no one is paged.
func TestMovedCostIsNoAlarm(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 24 {
		md := nightly(rng, n, 1)
		if n >= 20 {
			md = cheaper(nightly(rng, n, 1.3), "scan@11", 0.3*170./200)
		}
		r.send(md)
	}
	require.Equal(t, []string{"spark.sql.cost.moved"}, r.events())
	g := r.gauges()
	assert.Equal(t, 0., g["spark.sql.operator.cost.shifted filter@22"])
	assert.Equal(t, 0., g["spark.sql.operator.cost.shifted scan@11"])
	rec := r.logs.AllLogs()[0].ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0)
	assert.Equal(t, plog.SeverityNumberInfo, rec.SeverityNumber())
	assert.Regexp(t, `^CPU of tpch q06 moved between operators since run app-3/20 \(2026-11-01T22:00:00Z\); their sum is unchanged: `+
		`Op filter@22 2[12]\d s a run, was 1[67]\d s; Op scan@11 1[45]\d s a run, was (19|20)\d s$`, rec.Body().Str())
	assert.Len(t, rec.Attributes().AsRaw()["spark.sql.cost.operators"], 2)
}

func TestRunsOfAJoinerAreLeftOut(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	const common, ratio = "spark.sql.query.cost.common_ratio ", "spark.sql.operator.cost.ratio filter@22"
	n := 0
	run := func(factor, share float64) map[string]float64 {
		r.metrics.Reset()
		r.send(joined(nightly(rng, n, factor), share))
		n++
		return r.gauges()
	}
	for range 20 {
		run(1, 0)
	}
	g := run(1, 0.04)
	require.Contains(t, g, common)
	assert.InDelta(t, 1, g[common], 0.06)
	for k := range 5 {
		g = run(1.5, 0.35)
		assert.NotContains(t, g, common, "run %d with the joiner", k)
		assert.InDelta(t, 1.5, g[ratio], 0.12, "what the run shows")
		assert.Less(t, g["spark.sql.operator.cost.lower_ratio filter@22"], 1.)
		assert.Equal(t, 0., g["spark.sql.operator.cost.shifted filter@22"])
	}
	require.Empty(t, r.events())
	g = run(1, 0.35)
	require.Contains(t, g, common)
	assert.InDelta(t, 1, g[ratio], 0.06)
	run(1.3, 0.35)
	run(1.3, 0.35)
	assert.Equal(t, []string{"spark.sql.cost.shift"}, r.events())
}

// Where only one point tells an executor's CPU, it is that; else what its operators had.
func TestWhoJoinedIsStored(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	stored := func(c *Config) { c.Storage = &storageID }
	r := newRig(t, storing{m}, stored)
	scan := func(cpu float64) []cost { return []cost{{"scan@1", "Scan t", "s1", cpu, 0.17, 1900, 1300}} }
	r.send(request(part{"app-3", "5", "node-7", 11, begin, 30, scan(13)}))
	r.send(request(part{"app-3", "5", "node-7", 12, begin.Add(time.Hour), 0, scan(17)}))
	r.shutdown()
	r = newRig(t, storing{m}, stored)
	r.send(request(part{"app-3", "5", "node-7", 13, begin.Add(2 * time.Hour), 19, scan(7)}, part{"app-3", "6", "node-8", 13, begin.Add(2 * time.Hour), 23, scan(11)}))
	text := string(m.values[keyQuery+history])
	assert.Contains(t, text, `"parts":[{"ID":"5","CPU":30}]`)
	assert.Contains(t, text, `"parts":[{"ID":"5","CPU":17,"Before":1}]`)
	assert.Contains(t, text, `"parts":[{"ID":"5","CPU":19,"Before":2},{"ID":"6","CPU":23}]`)
}

// What makes no sense is counted and nothing else happens.
func TestPointsWithoutSense(t *testing.T) {
	point := func(change func(pmetric.Metric, pmetric.NumberDataPoint)) pmetric.Metrics {
		md := request(part{"app-3", "5", "node-7", 11, begin, 0, []cost{{operator: "scan@1", cpu: 13}}})
		ms := md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics()
		ms.RemoveIf(func(m pmetric.Metric) bool { return m.Name() != semconv.MetricExecutionOperatorCPU })
		change(ms.At(0), ms.At(0).Gauge().DataPoints().At(0))
		return md
	}
	for name, md := range map[string]pmetric.Metrics{
		"no execution":   point(func(_ pmetric.Metric, p pmetric.NumberDataPoint) { p.Attributes().Remove(semconv.ExecutionID) }),
		"execution text": point(func(_ pmetric.Metric, p pmetric.NumberDataPoint) { p.Attributes().PutStr(semconv.ExecutionID, "11") }),
		"no query":       point(func(_ pmetric.Metric, p pmetric.NumberDataPoint) { p.Attributes().Remove(semconv.QueryFingerprint) }),
		"no operator":    point(func(_ pmetric.Metric, p pmetric.NumberDataPoint) { p.Attributes().Remove(semconv.OperatorID) }),
		"no time":        point(func(_ pmetric.Metric, p pmetric.NumberDataPoint) { p.SetTimestamp(0) }),
		"ahead of the clock": point(func(_ pmetric.Metric, p pmetric.NumberDataPoint) {
			p.SetTimestamp(pcommon.NewTimestampFromTime(begin.Add(shift.MostAhead + time.Second)))
		}),
		"negative": point(func(_ pmetric.Metric, p pmetric.NumberDataPoint) { p.SetDoubleValue(-1) }),
		"no value": point(func(_ pmetric.Metric, p pmetric.NumberDataPoint) {
			p.SetFlags(pmetric.DefaultDataPointFlags.WithNoRecordedValue(true))
		}),
		"not a number": point(func(m pmetric.Metric, _ pmetric.NumberDataPoint) { m.SetEmptyHistogram() }),
		"cumulative": point(func(m pmetric.Metric, _ pmetric.NumberDataPoint) {
			s := m.SetEmptySum()
			s.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
			s.DataPoints().AppendEmpty()
		}),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, componenttest.NewNopHost(), nil)
			r.give(md)
			metadatatest.AssertEqualConnectorSparkShiftDropped(t, r.telemetry, points("dropped", allDropped, map[string]int64{"point": 1}), metricdatatest.IgnoreTimestamp())
			assert.Empty(t, r.engine.open.by)
		})
	}
}

// Histories outlive the process: what was learned before a restart judges the runs after it, and a
// shift that stands is shown at once.
func TestHistoriesAreStored(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	stored := func(c *Config) { c.Storage = &storageID }
	rng := rand.New(rand.NewPCG(3, 5))
	r := newRig(t, storing{m}, stored)
	for n := range 20 {
		r.send(nightly(rng, n, 1))
	}
	r.shutdown()
	r = newRig(t, storing{m}, stored)
	require.Equal(t, 1, r.engine.fleet.Queries())
	for n := range 2 {
		r.send(nightly(rng, 20+n, 1.3))
	}
	require.Equal(t, []string{"spark.sql.cost.shift"}, r.events())
	r.shutdown()
	r = newRig(t, storing{m}, stored)
	r.clock = r.clock.Add(time.Hour)
	r.engine.tick(context.Background(), false)
	assert.Equal(t, 1., r.gauges()["spark.sql.operator.cost.shifted filter@22"])
}

// A query that was repaired runs under another fingerprint. The shift that stands of the old one
// ends without a run, before a restart and after it, and is not stored.
func TestShiftOfAQueryThatEnded(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	stored := func(c *Config) { c.Storage = &storageID }
	rng := rand.New(rand.NewPCG(3, 11))
	r := newRig(t, storing{m}, stored)
	for n := range 22 {
		r.send(nightly(rng, n, 1+0.3*float64(n/20)))
	}
	require.Equal(t, []string{"spark.sql.cost.shift"}, r.events())
	shifted := m.values[keyQuery+history]
	last := r.clock
	shows := func(at time.Time) bool {
		r.metrics.Reset()
		r.clock = at
		r.engine.tick(context.Background(), false)
		_, ok := r.gauges()["spark.sql.operator.cost.shifted filter@22"]
		return ok
	}
	assert.True(t, shows(last.Add(48*time.Hour)))
	assert.False(t, shows(last.Add(90*24*time.Hour)))
	assert.NotContains(t, string(m.values[keyQuery+history]), `"active"`)
	r.shutdown()

	m.values[keyQuery+history] = shifted // of a Collector that was away all the time
	r = newRig(t, storing{m}, stored)
	assert.False(t, shows(last.Add(90*24*time.Hour)))
	assert.NotContains(t, string(m.values[keyQuery+history]), `"active"`)
}

// A storage that fails loses nothing while the process lives; a history that cannot be read is
// counted and begun again.
func TestStorageFailures(t *testing.T) {
	m := &memory{values: map[string][]byte{}, fail: true}
	stored := func(c *Config) { c.Storage = &storageID }
	rng := rand.New(rand.NewPCG(3, 7))
	r := newRig(t, storing{m}, stored)
	r.send(nightly(rng, 0, 1))
	assert.Empty(t, m.values)
	failures := func(n int64) {
		t.Helper()
		metadatatest.AssertEqualConnectorSparkShiftFailures(t, r.telemetry, points("output", allOutputs, map[string]int64{"storage": n}), metricdatatest.IgnoreTimestamp())
	}
	failures(1)
	m.fail = false
	r.engine.tick(context.Background(), false)
	require.Contains(t, m.values, keyQuery+history)
	m.values[keyQuery+history] = []byte(`{"version":99}`)
	r.shutdown()
	r = newRig(t, storing{m}, stored)
	failures(1)
	assert.Zero(t, r.engine.fleet.Queries())
}

// A history that was forgotten leaves the storage, though the write that was to delete it failed at
// first.
func TestForgottenHistoryLeavesTheStorage(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	r := newRig(t, storing{m}, func(c *Config) { c.Storage, c.Judging.MaxQueries = &storageID, 1 })
	r.send(nightly(rand.New(rand.NewPCG(3, 7)), 0, 1))
	require.Contains(t, m.values, keyQuery+history)
	other := nightly(rand.New(rand.NewPCG(3, 7)), 1, 1)
	for _, metric := range other.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
		metric.Gauge().DataPoints().At(0).Attributes().PutStr("spark.query.fingerprint", "q1-other")
	}
	m.fail = true
	r.send(other)
	require.Contains(t, m.values, keyQuery+history)
	m.fail = false
	r.engine.tick(context.Background(), false)
	assert.NotContains(t, m.values, keyQuery+history)
	assert.Contains(t, m.values, keyQuery+otherHistory)
	assert.JSONEq(t, `{"queries":["`+otherHistory+`"]}`, string(m.values["index"]))
}

func TestStorageThatIsNotThere(t *testing.T) {
	cfg := defaultConfig()
	cfg.Storage = &storageID
	c, err := NewFactory().CreateMetricsToLogs(context.Background(), connectortest.NewNopSettings(metadata.Type), cfg, consumertest.NewNop())
	require.NoError(t, err)
	require.ErrorContains(t, c.Start(context.Background(), componenttest.NewNopHost()), `storage: no extension "memory" is configured`)
	require.NoError(t, c.Shutdown(context.Background()))
}

// What a consumer refuses is counted.
func TestRefusedDeliveries(t *testing.T) {
	tel := componenttest.NewTelemetry()
	cfg := defaultConfig()
	cfg.Waiting.Settle = 0
	set := connector.Settings{ID: component.NewID(metadata.Type), TelemetrySettings: tel.NewTelemetrySettings()}
	c, err := NewFactory().CreateMetricsToMetrics(context.Background(), set, cfg, consumertest.NewErr(errors.New("full")))
	require.NoError(t, err)
	c.(*side).engine.now = func() time.Time { return begin.Add(3 * time.Hour) }
	require.NoError(t, c.Start(context.Background(), componenttest.NewNopHost()))
	rng := rand.New(rand.NewPCG(3, 7))
	for n := range 3 {
		require.NoError(t, c.ConsumeMetrics(context.Background(), nightly(rng, n, 1)))
	}
	require.NoError(t, c.Shutdown(context.Background())) // judges what has settled
	require.NoError(t, c.Shutdown(context.Background()))
	metadatatest.AssertEqualConnectorSparkShiftFailures(t, tel, points("output", allOutputs, map[string]int64{"metrics": 1}), metricdatatest.IgnoreTimestamp())
	metadatatest.AssertEqualConnectorSparkShiftRuns(t, tel, points("outcome", allOutcomes, map[string]int64{"judged": 3}), metricdatatest.IgnoreTimestamp())
	require.NoError(t, tel.Shutdown(context.Background()))
}

// The series of all counters begin at 0, and their names are in metadata.yaml.
func TestCountersBeginAtZero(t *testing.T) {
	text, err := os.ReadFile("metadata.yaml")
	require.NoError(t, err)
	var described struct {
		Attributes map[string]struct{ Enum []string }
	}
	require.NoError(t, yaml.Unmarshal(text, &described))
	for key, values := range map[string][]string{"outcome": allOutcomes, "kind": allKinds, "dropped": allDropped, "status": allStatuses, "output": allOutputs} {
		assert.Equal(t, described.Attributes[key].Enum, values, key)
	}
	r := newRig(t, componenttest.NewNopHost(), nil)
	metadatatest.AssertEqualConnectorSparkShiftRuns(t, r.telemetry, points("outcome", allOutcomes, nil), metricdatatest.IgnoreTimestamp())
	metadatatest.AssertEqualConnectorSparkShiftEvents(t, r.telemetry, points("kind", allKinds, nil), metricdatatest.IgnoreTimestamp())
	metadatatest.AssertEqualConnectorSparkShiftDropped(t, r.telemetry, points("dropped", allDropped, nil), metricdatatest.IgnoreTimestamp())
	metadatatest.AssertEqualConnectorSparkShiftOperatorRuns(t, r.telemetry, points("status", allStatuses, nil), metricdatatest.IgnoreTimestamp())
	metadatatest.AssertEqualConnectorSparkShiftFailures(t, r.telemetry, points("output", allOutputs, nil), metricdatatest.IgnoreTimestamp())
}

// Operators are counted in runs that they are in.
func TestOperatorsThatOnlyStandAreNotCounted(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	r.engine.countOperators(context.Background(), []shift.Verdict{{Status: shift.ShiftedCost, Observed: 3}, {Status: shift.ShiftedCost}})
	metadatatest.AssertEqualConnectorSparkShiftOperatorRuns(t, r.telemetry, points("status", allStatuses, map[string]int64{"shifted": 1}), metricdatatest.IgnoreTimestamp())
}

func TestShutdownWithoutStart(t *testing.T) {
	c, err := NewFactory().CreateMetricsToMetrics(context.Background(), connectortest.NewNopSettings(metadata.Type), defaultConfig(), consumertest.NewNop())
	require.NoError(t, err)
	require.NoError(t, c.Shutdown(context.Background()))
	require.NoError(t, c.Shutdown(context.Background()))
	assert.Empty(t, engines.by)
}

// Every field of the configuration has its key; every refusal names it.
func TestConfig(t *testing.T) {
	load := func(keys map[string]any) (*Config, error) {
		cfg := defaultConfig()
		if err := confmap.NewFromStringMap(keys).Unmarshal(cfg); err != nil {
			return nil, err
		}
		return cfg, confmap.Validate(cfg)
	}
	cfg, err := load(map[string]any{
		"settle": "11s", "settle_open": "13m", "interval": "3s", "max_open_runs": 23, "labels": []any{"team", "owner"}, "storage": "memory",
		"minimum_effect": 0.29, "minimum_core_hours": 3.1, "alarms_per_week": 3.7, "accept_after_runs": 47, "accept_after_time": "83m", "max_queries": 61, "max_hosts": 73, "max_stack_nodes": 79,
		"dashboard_url": "https://grafana.example/below", "flame_graph_url": "http://pyroscope:4040",
	})
	require.NoError(t, err)
	set := shift.DefaultSettings()
	set.MinimumEffect, set.MinimumCoreHours, set.AlarmsPerWeek, set.AcceptAfter, set.AcceptAge, set.MaxQueries, set.MaxHosts = 0.29, 3.1, 3.7, 47, 83*time.Minute, 61, 73
	assert.Equal(t, &Config{Waiting: waiting.Settings{Settle: 11 * time.Second, SettleOpen: 13 * time.Minute, Interval: 3 * time.Second, MaxOpenRuns: 23}, Judging: judging(set),
		Labels: []string{"team", "owner"}, Storage: &storageID, MaxStackNodes: 79, DashboardURL: "https://grafana.example/below", FlameGraphURL: "http://pyroscope:4040"}, cfg)
	cfg, err = load(map[string]any{})
	require.NoError(t, err)
	assert.Equal(t, []string{"service.name", "service.namespace", "k8s.cluster.name", "k8s.namespace.name", "deployment.environment.name", "tenant", "team", "owner"}, cfg.Labels)

	for want, keys := range map[string]map[string]any{
		"settle: -1s, want":                {"settle": "-1s"},
		"settle_open: 25h0m0s, want":       {"settle_open": "25h"},
		"interval: 1ms, want":              {"interval": "1ms"},
		"max_open_runs: 0, want":           {"max_open_runs": 0},
		`labels[1]: "team" is empty or`:    {"labels": []any{"team", "team"}},
		"minimum_effect: 0, want":          {"minimum_effect": 0},
		"minimum_core_hours: -1, want":     {"minimum_core_hours": -1},
		"alarms_per_week: 0, want":         {"alarms_per_week": 0},
		"accept_after_runs: 5, want":       {"accept_after_runs": 5},
		"accept_after_time: -1s, want":     {"accept_after_time": "-1s"},
		"max_queries: 0, want":             {"max_queries": 0},
		"max_hosts: 0, want":               {"max_hosts": 0},
		"max_stack_nodes: -1, want":        {"max_stack_nodes": -1},
		`dashboard_url: "grafana.example"`: {"dashboard_url": "grafana.example"},
		`flame_graph_url: "file:///x"`:     {"flame_graph_url": "file:///x"},
		"invalid keys: baseline_runs":      {"baseline_runs": 60}, // the code's alone
		"invalid keys: unknown":            {"unknown": 1},
	} {
		_, err := load(keys)
		require.ErrorContains(t, err, want)
		if !strings.HasPrefix(want, "invalid keys") {
			assert.True(t, strings.HasPrefix(err.Error(), want), "the key comes first, and once: %v", err)
		}
	}
}
