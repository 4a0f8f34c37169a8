package sparkprofile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/receiver/receivertest"
	"go.opentelemetry.io/collector/receiver/xreceiver"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadata"
	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadatatest"
	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// ended is when the driver says that the execution of the scenario was over.
var ended = time.Date(2026, 11, 1, 2, 3, 5, 7, time.UTC)

// rowsAndEnd plays what comes after feed: the rows of its one task, and the execution's end.
func rowsAndEnd(sink sampler.Sink, id sampler.JVMID, tasks int, failed bool) {
	sink.Record(id, seconds(31), &jvmlog.Rows{StageID: 11, StageAttempt: 2, ExecutionID: 7, Tasks: uint32(tasks), Accumulated: []jvmlog.Accumulated{{ID: 52, Sum: 1900}, {ID: 99, Sum: 5}}})
	sink.Record(id, seconds(32), &jvmlog.ExecutionEnd{ExecutionID: 7, Failed: failed, UnixNano: ended.UnixNano()})
	sink.Watermark(id, seconds(60))
}

// point is a point of a metric as the tests look at it.
type point struct {
	value      float64
	start, at  time.Time
	attributes map[string]any
}

// shown are the points of what was delivered, by metric, and the attributes of the resources that
// have such a metric.
func shown(t *testing.T, md pmetric.Metrics) (points map[string][]point, resources map[string][]map[string]any) {
	points, resources = map[string][]point{}, map[string][]map[string]any{}
	for _, rm := range md.ResourceMetrics().All() {
		for _, sm := range rm.ScopeMetrics().All() {
			assert.Equal(t, scopeName, sm.Scope().Name())
			for _, m := range sm.Metrics().All() {
				name := m.Name() + " " + m.Unit()
				resources[name] = append(resources[name], rm.Resource().Attributes().AsRaw())
				var dps pmetric.NumberDataPointSlice
				switch m.Type() {
				case pmetric.MetricTypeGauge:
					dps = m.Gauge().DataPoints()
				case pmetric.MetricTypeSum:
					dps = m.Sum().DataPoints()
					assert.True(t, m.Sum().IsMonotonic(), name)
					assert.Equal(t, pmetric.AggregationTemporalityCumulative, m.Sum().AggregationTemporality(), name)
				default:
					t.Fatalf("%s is a %s", name, m.Type())
				}
				for _, dp := range dps.All() {
					v := dp.DoubleValue()
					if dp.ValueType() == pmetric.NumberDataPointValueTypeInt {
						v = float64(dp.IntValue())
					}
					points[name] = append(points[name], point{v, dp.StartTimestamp().AsTime(), dp.Timestamp().AsTime(), dp.Attributes().AsRaw()})
				}
			}
		}
	}
	return points, resources
}

// costly is a receiver of both signals whose sampler does not run.
func costly(t *testing.T, change func(*Config)) (*sparkProfile, *consumertest.MetricsSink, *componenttest.Telemetry) {
	t.Helper()
	sink := &consumertest.MetricsSink{}
	r, tel := idle(t, consumertest.NewNop(), change)
	r.costsTo = sink
	return r, sink, tel
}

// One task of one query: 40 ms by the thread's clock, 9 of them in the kernel; two of three samples
// in the scan, one in the framework. So the scan has two thirds of 31 ms. The variance is the
// clock's (tasksample.ratioOf): 31² · (10² · 2/3 · 1/3 of the first sample + half of 10² of the one
// change between neighbors) / 30² ms².
func TestCostsOfAWindow(t *testing.T) {
	r, sink, _ := costly(t, nil)
	feed(r.collect, 1)
	rowsAndEnd(r.collect, 1, 1, false)
	began := r.collect.start
	now := began.Add(15 * time.Second)
	require.NoError(t, r.deliver(context.Background(), now))
	require.Len(t, sink.AllMetrics(), 1)
	points, resources := shown(t, sink.AllMetrics()[0])

	query := map[string]any{"spark.query.fingerprint": "q1-abc", "spark.query.name": "tpch q06"}
	operator := func(id, name string, more map[string]any) map[string]any {
		a := map[string]any{"spark.stage.name": "result>scan@22", "spark.sql.operator.id": id, "spark.sql.operator.name": name}
		for _, m := range []map[string]any{query, more} {
			for k, v := range m {
				a[k] = v
			}
		}
		return a
	}
	run := map[string]any{"spark.sql.execution.id": int64(7), "spark.query.plan": "p1-def"}
	runAndQuery := map[string]any{"spark.sql.execution.id": int64(7), "spark.query.plan": "p1-def", "spark.query.fingerprint": "q1-abc", "spark.query.name": "tpch q06"}
	scan, framework, kernel := operator("scan@22", "Scan t", nil), operator("[task framework]", "[task framework]", nil), operator("[kernel (not sampled)]", "[kernel (not sampled)]", nil)
	epoch := time.Unix(0, 0).UTC()
	began, now = began.UTC(), now.UTC()
	variance := 0.031 * 0.031 * (100.*2/9 + 50) / 900
	want := map[string][]point{
		"spark.sql.query.cpu.time s": {{0.040, began, now, query}},
		"spark.sql.operator.cpu.time s": {
			{0.0206667, began, now, scan}, {0.0103333, began, now, framework}, {0.009, began, now, kernel}},
		"spark.sql.operator.cpu.variance s2": {
			{variance, began, now, scan}, {variance, began, now, framework}, {0, began, now, kernel}},
		"spark.sql.operator.rows {row}":                 {{1900, began, now, scan}},
		"spark.sql.execution.cpu.time s":                {{0.040, epoch, ended, runAndQuery}},
		"spark.sql.execution.operator.cpu.time s":       {{0.0206667, epoch, ended, operator("scan@22", "Scan t", run)}},
		"spark.sql.execution.operator.cpu.variance s2":  {{variance, epoch, ended, operator("scan@22", "Scan t", run)}},
		"spark.sql.execution.operator.samples {sample}": {{2, epoch, ended, operator("scan@22", "Scan t", run)}},
		"spark.sql.execution.operator.rows {row}":       {{1900, epoch, ended, operator("scan@22", "Scan t", run)}},
	}
	for name, all := range want {
		require.Len(t, points[name], len(all), name)
		for _, w := range all {
			found := false
			for _, p := range points[name] {
				if assert.ObjectsAreEqual(w.attributes, p.attributes) {
					found = true
					assert.InDelta(t, w.value, p.value, 1e-6+0.001*w.value, name)
					assert.Equal(t, w.start, p.start, name)
					assert.Equal(t, w.at, p.at, name)
				}
			}
			assert.True(t, found, "%s of %v in %v", name, w.attributes, points[name])
		}
		delete(points, name)
	}
	assert.Empty(t, points, "no other metrics")
	assert.Equal(t, []map[string]any{{"service.name": "nightly", "service.instance.id": r.shape.origin.Host, "host.name": r.shape.origin.Host}}, resources["spark.sql.operator.cpu.time s"])
	assert.Equal(t, []map[string]any{{
		"service.name": "nightly", "host.name": r.shape.origin.Host, "process.pid": int64(4_100_001), "process.user.id": int64(185),
		"container.id": "c0ffee", "k8s.pod.uid": "8a1b-pod", "spark.application.id": "app-3", "spark.application.name": "nightly", "spark.executor.id": "5", "spark.version": "4.3.0",
	}}, resources["spark.sql.execution.cpu.time s"])

	// Another executor runs the same query again: the series go on, and the run is told once.
	feed(r.collect, 2)
	require.NoError(t, r.deliver(context.Background(), now.Add(15*time.Second)))
	points, _ = shown(t, sink.AllMetrics()[1])
	assert.NotContains(t, points, "spark.sql.execution.cpu.time s", "no one said that it is over")
	require.Len(t, points["spark.sql.query.cpu.time s"], 1)
	assert.InDelta(t, 0.080, points["spark.sql.query.cpu.time s"][0].value, 1e-9)
	assert.Equal(t, began, points["spark.sql.query.cpu.time s"][0].start)
	assert.InDelta(t, 1900, points["spark.sql.operator.rows {row}"][0].value, 0)
}

// Rows of stages without a sample are not told, as their CPU is no operator's. Rows of an operator
// without CPU are.
func TestRowsOfStagesWithoutASample(t *testing.T) {
	x := &window.ExecutionCost{Labels: pipeline.Labels{Query: "q1-abc"}, Operators: []window.OperatorCost{
		{Operator: "scan@1", CPU: time.Second, Samples: 100, Rows: 800, Unseen: 500, RowsKnown: true},
		{Operator: "filter@2", Rows: 70, Unseen: 50, RowsKnown: true},
		{Operator: "sort@3", Rows: 7, Unseen: 7, RowsKnown: true},
	}}
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	rm.Resource().Attributes().PutStr("spark.application.id", "app-3")
	newCosts(defaultConfig(), newTestShape()).tellExecution(costmetrics.NewSet(rm, costmetrics.Scope{}), x, ended)
	rows := map[string]float64{}
	assert.Zero(t, costmetrics.ReadExecutions(md, nil, func(_ *costmetrics.Teller, p *costmetrics.ExecutionPoint) bool {
		if p.Told == costmetrics.ToldOperatorRows {
			rows[p.Operator] = p.Value
		}
		return true
	}))
	assert.Equal(t, map[string]float64{"scan@1": 300, "filter@2": 20}, rows)
}

// What is not told is counted: executions that failed, of no known query, and rows of which some
// tasks' are missing.
func TestCostsLeftOut(t *testing.T) {
	ignore := []metricdatatest.Option{metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars()}
	problem := func(name string) []metricdata.DataPoint[int64] {
		return []metricdata.DataPoint[int64]{{Value: 1, Attributes: attribute.NewSet(attribute.String("problem", name))}}
	}
	for name, test := range map[string]struct {
		play    func(sampler.Sink)
		problem string
		told    []string
	}{
		"failed":   {func(s sampler.Sink) { feed(s, 1); rowsAndEnd(s, 1, 1, true) }, "failed_execution", nil},
		"nameless": {func(s sampler.Sink) { feed(&withoutPlan{s}, 1); rowsAndEnd(&withoutRows{s}, 1, 1, false) }, "nameless_execution", nil},
		"rows missing": {func(s sampler.Sink) { feed(s, 1); rowsAndEnd(s, 1, 0, false) }, "incomplete_rows",
			[]string{"spark.sql.execution.cpu.time s", "spark.sql.execution.operator.cpu.time s", "spark.sql.execution.operator.cpu.variance s2", "spark.sql.execution.operator.samples {sample}"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, sink, tel := costly(t, nil)
			test.play(r.collect)
			w := r.collect.take(time.Now())
			out := r.costs.window(w)
			r.metrics.costs(context.Background(), &out, r.costs.table)
			r.metrics.costs(context.Background(), &told{}, r.costs.table)
			metadatatest.AssertEqualReceiverSparkProfileProblems(t, tel, problem(test.problem), ignore...)
			points, _ := shown(t, out.metrics)
			var got []string
			for name := range points {
				if len(name) > 20 && name[:20] == "spark.sql.execution." {
					got = append(got, name)
				}
			}
			assert.ElementsMatch(t, test.told, got)
			assert.Empty(t, sink.AllMetrics())
		})
	}
}

// A series that is idle makes room, and nothing is lost. An addition without room is counted. So is
// a series in use that makes room for a tenant with less than its share.
func TestOverflowSeries(t *testing.T) {
	r, _, tel := costly(t, func(c *Config) { c.MaxSeries = 2 })
	use := func(tenant, operator string, minute int) {
		now := ended.Add(time.Duration(minute) * time.Minute)
		r.costs.table.Of(tenant, costmetrics.SeriesKey{Query: "q1-abc", Operator: operator}, "Op", now, now)
		r.metrics.costs(context.Background(), &told{}, r.costs.table)
	}
	use("pod-a", "scan@1", 0)
	use("pod-a", "filter@2", 0)
	use("pod-a", "join@3", 6) // in place of scan@1, which is idle
	use("pod-a", "filter@2", 6)
	use("pod-a", "sort@4", 6) // other
	use("pod-a", "sort@4", 7) // other
	use("pod-b", "scan@5", 7) // in place of join@3
	metadatatest.AssertEqualReceiverSparkProfileProblems(t, tel, []metricdata.DataPoint[int64]{{Value: 3, Attributes: attribute.NewSet(attribute.String("problem", "overflow_series"))}},
		metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
}

// withoutPlan keeps plans back.
type withoutPlan struct{ sampler.Sink }

func (w *withoutPlan) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	if _, plan := r.(*jvmlog.Dictionary); !plan {
		w.Sink.Record(id, t, r)
	}
}

// withoutRows keeps rows back.
type withoutRows struct{ sampler.Sink }

func (w *withoutRows) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	if _, rows := r.(*jvmlog.Rows); !rows {
		w.Sink.Record(id, t, r)
	}
}

// An executor that ends with its last task took the run's end with it; one that had nothing to do
// for long left before it, and says so.
func TestCostsOfAnExecutorThatIsGone(t *testing.T) {
	for name, test := range map[string]struct {
		at   float64 // of its end; its last task ended at 3 s
		left bool
	}{"with its last task": {12, false}, "long after": {40, true}} {
		t.Run(name, func(t *testing.T) {
			r, sink, _ := costly(t, nil)
			r.costs.now = func() jvmlog.MonoTime { return seconds(43) }
			feed(&withoutWatermark{r.collect}, 1)
			r.collect.Watermark(1, seconds(test.at))
			r.collect.JVMGone(1)
			now := r.collect.start.Add(15 * time.Second)
			require.NoError(t, r.deliver(context.Background(), now))
			points, _ := shown(t, sink.AllMetrics()[0])
			p := points["spark.sql.execution.operator.cpu.time s"]
			require.Len(t, p, 1)
			assert.Equal(t, now.Add(-40*time.Second).UTC(), p[0].at, "the last task's end")
			if test.left {
				assert.Equal(t, false, p[0].attributes["spark.sql.execution.ended"])
			} else {
				assert.NotContains(t, p[0].attributes, "spark.sql.execution.ended")
			}
		})
	}
}

// What the next consumer refuses is counted by the executions that it lost; series come again.
func TestRefusedCostsAreCounted(t *testing.T) {
	r, _, tel := costly(t, nil)
	r.costsTo = consumertest.NewErr(errors.New("queue is full"))
	feed(r.collect, 1)
	rowsAndEnd(r.collect, 1, 1, false)
	require.ErrorContains(t, r.deliverCosts(context.Background(), r.collect.take(time.Now())), "queue is full")
	metadatatest.AssertEqualReceiverSparkProfileProblems(t, tel, []metricdata.DataPoint[int64]{
		{Value: 1, Attributes: attribute.NewSet(attribute.String("problem", "refused_execution"))},
	}, metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
	sink := &consumertest.MetricsSink{}
	r.costsTo = sink
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	points, _ := shown(t, sink.AllMetrics()[0])
	assert.InDelta(t, 0.040, points["spark.sql.query.cpu.time s"][0].value, 1e-9)
	assert.NotContains(t, points, "spark.sql.execution.cpu.time s")
}

// All signals of a component id share one receiver, which is forgotten when all are shut down.
func TestSignalsShareOneReceiver(t *testing.T) {
	factory, cfg, set := NewFactory().(xreceiver.Factory), defaultConfig(), receivertest.NewNopSettings(metadata.Type)
	profiles, err := factory.CreateProfiles(context.Background(), set, cfg, consumertest.NewNop())
	require.NoError(t, err)
	metrics, err := factory.CreateMetrics(context.Background(), set, cfg, consumertest.NewNop())
	require.NoError(t, err)
	logs, err := factory.CreateLogs(context.Background(), set, cfg, consumertest.NewNop())
	require.NoError(t, err)
	assert.Same(t, profiles.(*side).receiver, metrics.(*side).receiver)
	assert.Same(t, profiles.(*side).receiver, logs.(*side).receiver)
	assert.NotNil(t, logs.(*side).receiver.slow)
	starts := 0
	metrics.(*side).receiver.start = func(context.Context, ...component.Host) error { starts++; return nil }
	require.NoError(t, logs.Start(context.Background(), componenttest.NewNopHost()))
	require.NoError(t, metrics.Start(context.Background(), componenttest.NewNopHost()))
	assert.Zero(t, starts, "what profiles are delivered to may not run yet")
	require.NoError(t, profiles.Start(context.Background(), componenttest.NewNopHost()))
	assert.Equal(t, 1, starts)
	other, err := factory.CreateMetrics(context.Background(), set, defaultConfig(), consumertest.NewNop())
	require.NoError(t, err)
	assert.NotSame(t, profiles.(*side).receiver, other.(*side).receiver)
	assert.Nil(t, other.(*side).receiver.slow, "no one asked")
	require.NoError(t, logs.Shutdown(context.Background()))
	require.NoError(t, profiles.Shutdown(context.Background()))
	require.NoError(t, profiles.Shutdown(context.Background()), "a second time")
	assert.Contains(t, receivers.by, cfg)
	require.NoError(t, metrics.Shutdown(context.Background()))
	require.NoError(t, other.Shutdown(context.Background()))
	assert.Empty(t, receivers.by)
}

// What a window costs with all series in use.
func BenchmarkSeriesOfAWindow(b *testing.B) {
	c := newCosts(defaultConfig(), newTestShape())
	now := time.Unix(1_700_000_000, 0)
	for i := range c.shape.config.MaxSeries {
		s := c.table.Of("", costmetrics.SeriesKey{Owner: costmetrics.Owner{Service: "nightly"}, Query: "q1-abc", Name: "tpch q06", Stage: "result", Operator: fmt.Sprintf("scan@%d", i)}, "Scan t", now, now)
		s.CPU, s.Variance, s.Rows, s.HasRows = 3, 5, 7, true
	}
	for b.Loop() {
		out := c.window(delivery{start: now, duration: 15 * time.Second})
		if n := out.metrics.DataPointCount(); n != 3*c.shape.config.MaxSeries {
			b.Fatalf("%d points", n)
		}
	}
	b.ReportMetric(float64(c.shape.config.MaxSeries), "series")
}

// withPython is a window of feed's task and 500 ms of Python workers in its time, of a node of its
// stage.
func withPython(r *sparkProfile) {
	feedTask(r.collect, 1)
	r.collect.Record(1, seconds(1), &jvmlog.Dictionary{Execution: 7, JSON: []byte(`{"version": 1, "execution_id": 7, "update": 1,
		"query": "q1-abc", "query_name": "tpch q06", "plan": "p1-def", "nodes": [
		{"parent": -1, "class": "org.apache.spark.sql.execution.python.MapInPandasExec", "name": "MapInPandas", "text": "MapInPandas f(a#1)#2, [b#3]",
		 "operator": "python@9", "operator_name": "MapInPandas f", "role": "python", "codegen": -1, "stage": "result>scan@22",
		 "metrics": [{"id": 52, "name": "data sent to Python workers", "type": "size"}]}]}`)})
	r.collect.locked(func(p *pipeline.Pipeline) {
		p.Account(1, seconds(1.9), pipeline.Account{})
		p.Account(1, seconds(2.9), pipeline.Account{Workers: 500 * time.Millisecond})
	})
	r.collect.Watermark(1, seconds(30))
	rowsAndEnd(r.collect, 1, 1, false)
}

// The CPU of Python workers is in the cost of the query, the operator and the execution, and by
// itself beside it. It is exact: no variance, no samples.
func TestCostsOfPythonWorkers(t *testing.T) {
	r, sink, _ := costly(t, nil)
	withPython(r)
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	points, _ := shown(t, sink.AllMetrics()[0])
	values := func(name string) map[any]float64 {
		out := map[any]float64{}
		for _, p := range points[name] {
			out[p.attributes["spark.sql.operator.id"]] = math.Round(p.value*1e6) / 1e6
		}
		return out
	}
	assert.Equal(t, map[any]float64{nil: 0.54}, values("spark.sql.query.cpu.time s"))
	assert.Equal(t, map[any]float64{nil: 0.5}, values("spark.sql.query.python.cpu.time s"))
	assert.Equal(t, map[any]float64{"scan@22": 0.020667, "python@9": 0.5, "[task framework]": 0.010333, "[kernel (not sampled)]": 0.009}, values("spark.sql.operator.cpu.time s"))
	assert.Equal(t, map[any]float64{"python@9": 0.5}, values("spark.sql.operator.python.cpu.time s"))
	assert.Equal(t, map[any]float64{nil: 0.54}, values("spark.sql.execution.cpu.time s"))
	assert.Equal(t, map[any]float64{"scan@22": 0.020667, "python@9": 0.5}, values("spark.sql.execution.operator.cpu.time s"))
	assert.Zero(t, values("spark.sql.execution.operator.cpu.variance s2")["python@9"])
	assert.Equal(t, map[any]float64{"scan@22": 2}, values("spark.sql.execution.operator.samples {sample}"))
}

// With calibration stage the executions' part travels with the end, and the receiver's series have
// Python's part alone.
func TestSumsOfPythonWorkers(t *testing.T) {
	r, sink, _ := costly(t, func(c *Config) { c.TaskSampling.Calibration = "stage" })
	withPython(r)
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	parts := partsOf(sink.AllMetrics()[0])
	require.Len(t, parts, 1)
	at := costmetrics.OperatorAt{Place: "result>scan@22", Operator: "python@9"}
	for _, p := range parts {
		assert.Equal(t, 540*time.Millisecond, p.Total.CPU)
		assert.Equal(t, map[costmetrics.OperatorAt]*costmetrics.PartPython{at: {Place: at.Place, Operator: at.Operator, Name: "MapInPandas f", CPU: 500 * time.Millisecond}}, p.Python)
	}
}

// Runs are executions that ended well while this Collector read their driver's JVM.
func TestRunsOfQueries(t *testing.T) {
	c := newCosts(defaultConfig(), newTestShape())
	const second = jvmlog.MonoTime(time.Second)
	c.now = func() jvmlog.MonoTime { return 100 * second }
	start := time.Unix(1_700_000_000, 0)
	ended := func(before time.Duration, query string, failed bool) pipeline.ExecutionTimes {
		at := start.Add(15 * time.Second).Add(-before).UnixMilli()
		return pipeline.ExecutionTimes{Query: query, QueryName: "nightly " + query, StartedMS: at - 700, EndedMS: at, Failed: failed}
	}
	j := window.JVMProfile{JVM: sampler.JVM{FoundAt: 90 * second}, Application: pipeline.Application{Name: "nightly", Attributes: map[string]string{"trial": "jdk25", "color": "red"}}}
	j.Times.Executions = []pipeline.ExecutionTimes{
		ended(9*time.Second, "q1-a", false), ended(8*time.Second, "q1-a", true), ended(7*time.Second, "q1-a", false), ended(6*time.Second, "q1-b", true),
		ended(11*time.Second, "q1-a", false), // before the JVM was found: a replay
	}
	out := c.window(delivery{start: start, duration: 15 * time.Second, profile: window.Profile{JVMs: []window.JVMProfile{j}}})
	points, resources := shown(t, out.metrics)
	got := map[any]float64{}
	for _, p := range points["spark.sql.query.runs {run}"] {
		got[p.attributes["spark.query.fingerprint"]] = p.value
	}
	assert.Equal(t, map[any]float64{"q1-a": 2, "q1-b": 0}, got)
	assert.Equal(t, []map[string]any{{"service.name": "nightly", "trial": "jdk25", "service.instance.id": "node-7", "host.name": "node-7"}}, resources["spark.sql.query.runs {run}"])
}

// A stage of foreachBatch runs code of the stream's plan. A sample's labels have the stream's name;
// estimates of later windows have its fingerprint alone.
func TestNameOfAnotherQuerysPlan(t *testing.T) {
	c := newCosts(defaultConfig(), newTestShape())
	read := semconv.Operator{Query: "q1-stream", Place: "result", ID: "scan@3", Name: "Scan kafka", Role: "scan"}
	j := window.JVMProfile{JVM: sampler.JVM{ID: 5}, Application: pipeline.Application{Name: "nightly"},
		Entries: []window.Entry{{Labels: pipeline.Labels{JVM: 5, Query: "q1-stream", QueryName: "orders"}}}}
	stage := window.StageStatistics{Labels: pipeline.Labels{JVM: 5, Query: "q1-batch", QueryName: "upsert"}, RunProbability: 1,
		Estimate: tasksample.Result[semconv.Operator]{Keys: map[semconv.Operator]tasksample.Estimate{read: {CPU: 2 * time.Second}}}}
	start := time.Unix(1_700_000_000, 0)
	for i := range 2 {
		out := c.window(delivery{start: start, duration: 15 * time.Second, profile: window.Profile{JVMs: []window.JVMProfile{j}, Stages: []window.StageStatistics{stage}}})
		points, _ := shown(t, out.metrics)
		require.Len(t, points["spark.sql.operator.cpu.time s"], 1)
		p := points["spark.sql.operator.cpu.time s"][0]
		assert.Equal(t, []any{"q1-stream", "orders", 2 * float64(i+1)}, []any{p.attributes["spark.query.fingerprint"], p.attributes["spark.query.name"], p.value})
		j.Entries, start = nil, start.Add(15*time.Second)
	}
}

func newTestShape() *shape {
	s := newShape(defaultConfig(), nil, attributes.Origin{Host: "node-7", Instance: "node-7"}, "", nil)
	return &s
}
