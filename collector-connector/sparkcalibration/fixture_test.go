package sparkcalibration

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/connector"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-connector/sparkcalibration/internal/metadata"
	"github.com/planflame/planflame/collector-connector/sparkcalibration/internal/metadatatest"
	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

var begin = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

// The keys of the tests' stages.
var (
	scan = semconv.Operator{Query: "q1-abc", Place: "result", ID: "scan@1", Name: "Scan t", Role: "scan"}
	sum  = semconv.Operator{Query: "q1-abc", Place: "result", ID: "aggregate@2", Name: "HashAggregate", Role: "aggregate"}
	gc   = semconv.Operator{Query: "q1-abc", Place: "result", Bucket: "gc"}
)

// units makes a stage of n units of about 2 s of CPU, of which every third is selected and sampled
// with 100 Hz. The scan has mix of their CPU, the aggregate most of the rest.
func units(rng *rand.Rand, n int, mix float64) *tasksample.Stage[semconv.Operator] {
	s := tasksample.NewStage[semconv.Operator]()
	for i := range n {
		cpu := time.Duration(2e9 * math.Exp(0.3*rng.NormFloat64()))
		if i%3 != 0 {
			s.Add(nil, tasksample.TierNone, cpu)
			continue
		}
		var u tasksample.Unit[semconv.Operator]
		for at := time.Duration(rng.Float64() * 1e7); at < cpu; at += 10 * time.Millisecond {
			switch x := rng.Float64(); {
			case x < mix:
				u.Sample(scan, 10*time.Millisecond)
			case x < 0.95:
				u.Sample(sum, 10*time.Millisecond)
			default:
				u.Sample(gc, 10*time.Millisecond)
			}
		}
		s.Add(&u, tasksample.TierSelected, cpu)
	}
	return s
}

// request is what one executor tells of a window.
type request struct {
	executor, host string
	window         int
	application    string // "": app-3
	execution      tasksample.ExecutionID
	probability    float64 // 0: 1
	stages         map[tasksample.StageID]*tasksample.Stage[semconv.Operator]
	end            *costmetrics.Total
	rows           []costmetrics.PartRows
	python         []costmetrics.PartPython
}

// over is the end of the execution of the tests with so much CPU.
func over(cpu time.Duration) *costmetrics.Total {
	return &costmetrics.Total{CPU: cpu, Execution: costmetrics.Execution{ID: 7, Query: "q1-abc", Name: "tpch q06", Plan: "p1-def", End: begin.Add(17 * time.Second)}}
}

// otlp is the request as it comes over the wire.
func (q request) otlp(t *testing.T) pmetric.Metrics {
	t.Helper()
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	a := rm.Resource().Attributes()
	if q.application == "" {
		q.application = "app-3"
	}
	if q.probability == 0 {
		q.probability = 1
	}
	a.PutStr("spark.application.id", q.application)
	a.PutStr("spark.executor.id", q.executor)
	a.PutStr("host.name", q.host)
	a.PutInt("process.pid", 13)
	a.PutStr("service.name", "nightly")
	a.PutStr("team", "margin")
	a.PutStr("spark.version", "4.3.0")
	scope := costmetrics.Scope{Name: "receiver", Version: "v"}
	w := costmetrics.Window{Start: begin.Add(time.Duration(q.window) * 15 * time.Second), End: begin.Add(time.Duration(q.window+1) * 15 * time.Second)}
	for id, st := range q.stages {
		s := &costmetrics.StageSums{Execution: q.execution, Stage: id, Probability: q.probability, Place: "result", Statistics: st}
		if q.execution != tasksample.NoExecution {
			s.Query, s.Name = "q1-abc", "tpch q06"
		}
		costmetrics.TellStage(rm, scope, w, s)
	}
	if q.end != nil {
		costmetrics.TellEnd(rm, scope, w, &costmetrics.End{Total: *q.end, Rows: q.rows, Python: q.python})
	}
	b, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(md)
	require.NoError(t, err)
	md, err = (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(b)
	require.NoError(t, err)
	return md
}

// rig is a connector with a clock that the test moves.
type rig struct {
	t         *testing.T
	engine    *engine
	out       *consumertest.MetricsSink
	telemetry *componenttest.Telemetry
	clock     time.Time
	down      bool
}

func newRig(t *testing.T, change func(*Config), next consumer.Metrics) *rig {
	r := &rig{t: t, out: new(consumertest.MetricsSink), telemetry: componenttest.NewTelemetry(), clock: begin.Add(time.Hour)}
	cfg := defaultConfig()
	cfg.Waiting.Interval = 10 * time.Minute // the test ticks
	if change != nil {
		change(cfg)
	}
	require.NoError(t, cfg.Validate())
	if next == nil {
		next = r.out
	}
	set := connector.Settings{ID: component.NewID(metadata.Type), TelemetrySettings: r.telemetry.NewTelemetrySettings(), BuildInfo: component.NewDefaultBuildInfo()}
	c, err := NewFactory().CreateMetricsToMetrics(context.Background(), set, cfg, next)
	require.NoError(t, err)
	r.engine = c.(*engine)
	r.engine.now, r.engine.ticked = func() time.Time { return r.clock }, r.clock
	require.NoError(t, c.Start(context.Background(), componenttest.NewNopHost()))
	t.Cleanup(r.shutdown)
	return r
}

func (r *rig) shutdown() {
	if !r.down {
		require.NoError(r.t, r.engine.Shutdown(context.Background()))
		require.NoError(r.t, r.engine.Shutdown(context.Background()), "a second time")
		require.NoError(r.t, r.telemetry.Shutdown(context.Background()))
	}
	r.down = true
}

func (r *rig) give(requests ...request) {
	for _, q := range requests {
		require.NoError(r.t, r.engine.ConsumeMetrics(context.Background(), q.otlp(r.t)))
	}
}

// tick lets time pass.
func (r *rig) tick(after time.Duration) {
	r.clock = r.clock.Add(after)
	r.engine.tick(context.Background(), false)
}

// told are the newest values of what was told by metric, executor (of executions) and operator;
// sums of an operator's part under "all".
func (r *rig) told() map[string]float64 {
	out := map[string]float64{}
	for _, md := range r.out.AllMetrics() {
		for _, rm := range md.ResourceMetrics().All() {
			who := ""
			if v, ok := rm.Resource().Attributes().Get("spark.executor.id"); ok {
				who = " " + v.Str()
				if len(v.Str()) > 2 {
					who = " all"
				}
			}
			for _, sm := range rm.ScopeMetrics().All() {
				for _, m := range sm.Metrics().All() {
					points := pmetric.NewNumberDataPointSlice()
					switch m.Type() {
					case pmetric.MetricTypeGauge:
						points = m.Gauge().DataPoints()
					case pmetric.MetricTypeSum:
						points = m.Sum().DataPoints()
						require.Equal(r.t, pmetric.AggregationTemporalityCumulative, m.Sum().AggregationTemporality())
					}
					for _, dp := range points.All() {
						name := m.Name() + who
						if v, ok := dp.Attributes().Get("spark.sql.operator.id"); ok {
							name += " " + v.Str()
						}
						if v, ok := dp.Attributes().Get("spark.sql.execution.ended"); ok {
							name += fmt.Sprint(" ended=", v.Bool())
						}
						if v, ok := dp.Attributes().Get("spark.sql.execution.sampled"); ok {
							name += fmt.Sprint(" sampled=", v.Bool())
						}
						out[name] = dp.DoubleValue()
						if dp.ValueType() == pmetric.NumberDataPointValueTypeInt {
							out[name] = float64(dp.IntValue())
						}
					}
				}
			}
		}
	}
	return out
}

// counts are a counter's points, one for each value that its attribute can have: 0 where want has
// none.
func counts(key string, values []string, want map[string]int64) (out []metricdata.DataPoint[int64]) {
	for _, v := range values {
		out = append(out, metricdata.DataPoint[int64]{Value: want[v], Attributes: attribute.NewSet(attribute.String(key, v))})
	}
	return out
}

// runs asserts what became of the runs so far.
func (r *rig) runs(want map[string]int64) {
	r.t.Helper()
	metadatatest.AssertEqualConnectorSparkCalibrationRuns(r.t, r.telemetry, counts("outcome", allOutcomes, want), metricdatatest.IgnoreTimestamp())
}

// dropped asserts what was dropped so far.
func (r *rig) dropped(want map[string]int64) {
	r.t.Helper()
	metadatatest.AssertEqualConnectorSparkCalibrationDropped(r.t, r.telemetry, counts("dropped", allDropped, want), metricdatatest.IgnoreTimestamp())
}
