package sparkshift

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/connector"
	"go.opentelemetry.io/collector/connector/xconnector"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/extension/xextension/storage"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadata"
	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadatatest"
)

// cost is one operator of one part of a run, as a request holds it.
type cost struct {
	operator, name, stage        string
	cpu, variance, rows, samples float64
}

// part is one executor's request of a run.
type part struct {
	application, executor, host string
	execution                   int64
	end                         time.Time
	total                       float64
	costs                       []cost
}

// The histories of what request makes, and of another query of the same team.
var (
	history      = historyOf("q1-abc", map[string]string{"team": "margin"})
	otherHistory = historyOf("q1-other", map[string]string{"team": "margin"})
)

var begin = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

// request makes the metrics of parts, one resource each.
func request(parts ...part) pmetric.Metrics {
	md := pmetric.NewMetrics()
	for _, p := range parts {
		rm := md.ResourceMetrics().AppendEmpty()
		r := rm.Resource().Attributes()
		r.PutStr("spark.application.id", p.application)
		r.PutStr("spark.executor.id", p.executor)
		r.PutStr("host.name", p.host)
		r.PutStr("spark.version", "4.3.0")
		r.PutStr("service.name", "nightly")
		r.PutStr("team", "margin")
		sm := rm.ScopeMetrics().AppendEmpty()
		put := func(name string, c *cost, value float64) {
			m := sm.Metrics().AppendEmpty()
			m.SetName(name)
			dp := m.SetEmptyGauge().DataPoints().AppendEmpty()
			dp.SetDoubleValue(value)
			dp.SetTimestamp(pcommon.NewTimestampFromTime(p.end))
			a := dp.Attributes()
			a.PutInt("spark.sql.execution.id", p.execution)
			a.PutStr("spark.query.fingerprint", "q1-abc")
			a.PutStr("spark.query.name", "tpch q06")
			a.PutStr("spark.query.plan", "p1-def")
			if c != nil {
				a.PutStr("spark.sql.operator.id", c.operator)
				a.PutStr("spark.sql.operator.name", c.name)
				a.PutStr("spark.stage.name", c.stage)
			}
		}
		if p.total > 0 {
			put("spark.sql.execution.cpu.time", nil, p.total)
		}
		for i := range p.costs {
			c := &p.costs[i]
			put("spark.sql.execution.operator.cpu.time", c, c.cpu)
			put("spark.sql.execution.operator.cpu.variance", c, c.variance)
			put("spark.sql.execution.operator.samples", c, c.samples)
			if c.rows > 0 {
				put("spark.sql.execution.operator.rows", c, c.rows)
			}
		}
	}
	return md
}

// nightly makes the run number n of a query of five operators that vary by 1 % each and 2 %
// together; factor is what the filter costs more.
func nightly(rng *rand.Rand, n int, factor float64) pmetric.Metrics {
	p := part{application: "app-3", executor: "5", host: "node-7", execution: int64(n), end: begin.Add(time.Duration(n) * time.Hour), total: 700}
	common := 1 + 0.02*rng.NormFloat64()
	for i, id := range []string{"scan@11", "filter@22", "project@33", "aggregate@44", "exchange@55"} {
		c := cost{operator: id, name: "Op " + id, stage: "result", cpu: float64(200-30*i) * common * (1 + 0.01*rng.NormFloat64()), rows: 1e6}
		if id == "filter@22" {
			c.cpu *= factor
		}
		c.samples, c.variance = 100*c.cpu, c.cpu/100
		p.costs = append(p.costs, c)
	}
	return request(p)
}

// cheaper takes a part of an operator's CPU away.
func cheaper(md pmetric.Metrics, operator string, part float64) pmetric.Metrics {
	for _, m := range md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
		dp := m.Gauge().DataPoints().At(0)
		if id, ok := dp.Attributes().Get("spark.sql.operator.id"); ok && id.Str() == operator && m.Name() == "spark.sql.execution.operator.cpu.time" {
			dp.SetDoubleValue(dp.DoubleValue() * (1 - part))
		}
	}
	return md
}

// joined gives a share of all that a request's executor had to executor 6.
func joined(md pmetric.Metrics, share float64) pmetric.Metrics {
	if share == 0 {
		return md
	}
	first := md.ResourceMetrics().At(0)
	second := md.ResourceMetrics().AppendEmpty()
	first.CopyTo(second)
	second.Resource().Attributes().PutStr("spark.executor.id", "6")
	for rm, part := range map[pmetric.ResourceMetrics]float64{first: 1 - share, second: share} {
		for _, m := range rm.ScopeMetrics().At(0).Metrics().All() {
			p := m.Gauge().DataPoints().At(0)
			p.SetDoubleValue(part * p.DoubleValue())
		}
	}
	return md
}

// rig is a connector with both outputs and a clock that the test moves.
type rig struct {
	t         *testing.T
	engine    *engine
	in        []connector.Metrics
	stacks    xconnector.Profiles
	metrics   *consumertest.MetricsSink
	logs      *consumertest.LogsSink
	telemetry *componenttest.Telemetry
	clock     time.Time
}

func newRig(t *testing.T, host component.Host, change func(*Config)) *rig {
	r := &rig{t: t, metrics: new(consumertest.MetricsSink), logs: new(consumertest.LogsSink), telemetry: componenttest.NewTelemetry(), clock: begin}
	cfg := defaultConfig()
	cfg.Judging.MinimumCoreHours = 0
	cfg.Waiting.Interval = 10 * time.Minute // the test ticks
	if change != nil {
		change(cfg)
	}
	require.NoError(t, cfg.Validate())
	set := connector.Settings{ID: component.NewID(metadata.Type), TelemetrySettings: r.telemetry.NewTelemetrySettings(), BuildInfo: component.NewDefaultBuildInfo()}
	f := NewFactory()
	toMetrics, err := f.CreateMetricsToMetrics(context.Background(), set, cfg, r.metrics)
	require.NoError(t, err)
	toLogs, err := f.CreateMetricsToLogs(context.Background(), set, cfg, r.logs)
	require.NoError(t, err)
	r.in = []connector.Metrics{toMetrics, toLogs}
	r.stacks, err = f.(xconnector.Factory).CreateProfilesToLogs(context.Background(), set, cfg, r.logs)
	require.NoError(t, err)
	r.engine = toMetrics.(*side).engine
	r.engine.every = 10 * time.Minute
	r.engine.now = func() time.Time { return r.clock }
	for _, c := range r.in {
		require.NoError(t, c.Start(context.Background(), host))
	}
	require.NoError(t, r.stacks.Start(context.Background(), host))
	t.Cleanup(r.shutdown)
	return r
}

// send gives a request to all inputs, as the Collector does, not before the run's end, and lets it
// settle.
func (r *rig) send(md pmetric.Metrics) {
	if end := newestPoint(md); end.After(r.clock) {
		r.clock = end
	}
	r.give(md)
}

// newestPoint is the newest time of the gauges' points.
func newestPoint(md pmetric.Metrics) (newest time.Time) {
	for _, rm := range md.ResourceMetrics().All() {
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				if m.Type() != pmetric.MetricTypeGauge {
					continue
				}
				for _, p := range m.Gauge().DataPoints().All() {
					if at := p.Timestamp().AsTime(); at.After(newest) {
						newest = at
					}
				}
			}
		}
	}
	return newest
}

// give is send at whatever time the clock has.
func (r *rig) give(md pmetric.Metrics) {
	for _, c := range r.in {
		require.NoError(r.t, c.ConsumeMetrics(context.Background(), md))
	}
	r.clock = r.clock.Add(time.Minute)
	r.engine.tick(context.Background(), false)
}

func (r *rig) shutdown() {
	if r.in == nil {
		return
	}
	r.shutdownSides()
	require.NoError(r.t, r.telemetry.Shutdown(context.Background()))
	r.in = nil
}

func (r *rig) shutdownSides() {
	require.NoError(r.t, r.stacks.Shutdown(context.Background()))
	for _, c := range r.in {
		require.NoError(r.t, c.Shutdown(context.Background()))
	}
}

// points are a counter's, one for each value that its attribute can have: 0 where want has none.
func points(key string, values []string, want map[string]int64) (out []metricdata.DataPoint[int64]) {
	for _, v := range values {
		out = append(out, metricdata.DataPoint[int64]{Value: want[v], Attributes: attribute.NewSet(attribute.String(key, v))})
	}
	return out
}

// outcomes asserts what became of the runs so far.
func (r *rig) outcomes(want map[string]int64) {
	r.t.Helper()
	metadatatest.AssertEqualConnectorSparkShiftRuns(r.t, r.telemetry, points("outcome", allOutcomes, want), metricdatatest.IgnoreTimestamp())
}

// events are the names of the events told so far.
func (r *rig) events() (names []string) {
	for _, ld := range r.logs.AllLogs() {
		for _, rl := range ld.ResourceLogs().All() {
			for _, sl := range rl.ScopeLogs().All() {
				for _, rec := range sl.LogRecords().All() {
					names = append(names, rec.EventName())
				}
			}
		}
	}
	return names
}

// gauges are the newest values by name and operator.
func (r *rig) gauges() map[string]float64 {
	out := map[string]float64{}
	for _, md := range r.metrics.AllMetrics() {
		for _, rm := range md.ResourceMetrics().All() {
			for _, sm := range rm.ScopeMetrics().All() {
				for _, m := range sm.Metrics().All() {
					for _, dp := range m.Gauge().DataPoints().All() {
						out[m.Name()+" "+text(dp.Attributes(), "spark.sql.operator.id")+text(dp.Attributes(), "spark.query.plan")] = dp.DoubleValue()
					}
				}
			}
		}
	}
	return out
}

// memory is a storage extension in memory: the file storage is a module of its own with its own
// dependencies.
type memory struct {
	component.StartFunc
	component.ShutdownFunc
	mu     sync.Mutex
	values map[string][]byte
	fail   bool
}

var errDisk = errors.New("disk full")

func (m *memory) GetClient(context.Context, component.Kind, component.ID, string) (storage.Client, error) {
	return m, nil
}

func (m *memory) Get(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.values[key], nil
}

func (m *memory) Set(ctx context.Context, key string, value []byte) error {
	return m.Batch(ctx, storage.SetOperation(key, value))
}

func (m *memory) Delete(ctx context.Context, key string) error {
	return m.Batch(ctx, storage.DeleteOperation(key))
}

func (m *memory) Batch(_ context.Context, ops ...*storage.Operation) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail {
		return errDisk
	}
	for _, op := range ops {
		switch op.Type {
		case storage.Set:
			m.values[op.Key] = op.Value
		case storage.Delete:
			delete(m.values, op.Key)
		case storage.Get:
			op.Value = m.values[op.Key]
		}
	}
	return nil
}

func (m *memory) Close(context.Context) error { return nil }

var storageID = component.MustNewID("memory")

// storing is a host that has the storage.
type storing struct{ memory *memory }

func (h storing) GetExtensions() map[component.ID]component.Component {
	return map[component.ID]component.Component{storageID: h.memory}
}
