package sparkcalibration

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"
	"go.yaml.in/yaml/v3"

	"github.com/planflame/planflame/collector-connector/sparkcalibration/internal/metadatatest"
	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

type stages = map[tasksample.StageID]*tasksample.Stage[semconv.Operator]

// Three nodes and ten windows, over OTLP, in any order, cut into single points, and some of it
// twice: what comes out is what one computation over all units gives.
func TestMergedAsOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	whole := stages{11: tasksample.NewStage[semconv.Operator](), 12: tasksample.NewStage[semconv.Operator]()}
	var pieces []pmetric.Metrics
	var cpu [3]time.Duration
	for node := range 3 {
		for window := range 10 {
			q := request{executor: fmt.Sprint(node), host: fmt.Sprint("node-", node), window: window, execution: 7,
				stages: stages{11: units(rng, 4+node, 0.7), 12: units(rng, 3, 0.2+0.02*float64(window))}}
			for id, st := range q.stages {
				whole[id].Merge(st)
				cpu[node] += st.Estimate().CPU
			}
			if window == 9 {
				q.end = over(cpu[node])
				q.rows = []costmetrics.PartRows{{Place: "result", Operator: "scan@1", Rows: 1000 + uint64(node), Known: true}, {Place: "result", Operator: "aggregate@2", Rows: 3, Known: node != 1}}
				q.python = []costmetrics.PartPython{{Place: "result", Operator: "python@4", Name: "MapInPandas f", CPU: time.Duration(1+node) * time.Second}}
				if node == 2 {
					q.python = append(q.python, costmetrics.PartPython{Place: "result", Operator: "scan@1", Name: "Scan t", CPU: 250 * time.Millisecond})
				}
			}
			pieces = append(pieces, points(q.otlp(t))...)
		}
	}
	twice := 0
	for range 500 {
		pieces = append(pieces, pieces[rng.IntN(len(pieces))])
		twice++
	}
	rng.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })

	r := newRig(t, nil, nil)
	for i, md := range pieces {
		require.NoError(t, r.engine.ConsumeMetrics(context.Background(), md))
		if i%1000 == 999 {
			r.tick(time.Second)
		}
	}
	require.Zero(t, r.out.DataPointCount(), "not before it has settled")
	r.tick(30 * time.Second)
	got := r.told()
	all := time.Duration(0)
	for _, key := range []semconv.Operator{scan, sum} {
		var want, variance, samples float64
		for _, st := range whole {
			e := st.Estimate().Keys[key]
			want += e.CPU.Seconds()
			variance += e.SE.Seconds() * e.SE.Seconds()
			samples += float64(e.Samples)
		}
		python := map[string]float64{"scan@1": 0.25}[key.ID]
		assert.InEpsilon(t, want, got["spark.sql.operator.cpu.time "+key.ID], 1e-8, "executors' own series have Python's part")
		assert.InEpsilon(t, want+python, got["spark.sql.execution.operator.cpu.time all "+key.ID], 1e-8, key.ID)
		for _, m := range []string{"spark.sql.operator.cpu.%s ", "spark.sql.execution.operator.cpu.%s all "} {
			assert.InEpsilon(t, variance, got[fmt.Sprintf(m, "variance")+key.ID], 1e-6, key.ID)
		}
		if python == 0 {
			assert.InDelta(t, samples, got["spark.sql.execution.operator.samples all "+key.ID], 0)
		}
	}
	assert.NotContains(t, got, "spark.sql.execution.operator.samples all scan@1", "a part of it stands on none")
	assert.InDelta(t, 6, got["spark.sql.execution.operator.cpu.time all python@4"], 1e-9, "no sample hit the JVM's part")
	assert.Zero(t, got["spark.sql.execution.operator.cpu.variance all python@4"])
	for i, c := range cpu {
		all += c
		assert.InDelta(t, c.Seconds(), got[fmt.Sprint("spark.sql.execution.cpu.time ", i)], 1e-9)
	}
	assert.Zero(t, got["spark.sql.execution.cpu.time all"])
	assert.Contains(t, got, "spark.sql.execution.cpu.time all", "else spark_shift would add its operators to the executors' CPU")
	assert.InDelta(t, all.Seconds(), got["spark.sql.operator.cpu.time scan@1"]+got["spark.sql.operator.cpu.time aggregate@2"]+got["spark.sql.operator.cpu.time [gc]"], 1e-6, "all of it")
	assert.InDelta(t, 3003, got["spark.sql.execution.operator.rows all scan@1"], 0)
	assert.NotContains(t, got, "spark.sql.execution.operator.rows all aggregate@2", "one executor does not know them")
	assert.NotContains(t, got, "spark.sql.execution.invalid.cpu.time all")
	r.runs(map[string]int64{"whole": 1})
	r.dropped(map[string]int64{"duplicate": int64(twice)})
}

// A stage of foreachBatch runs code of the stream's plan, of which it has the fingerprint alone. An
// earlier run told the stream's name.
func TestNameOfAnotherQuerysPlan(t *testing.T) {
	table, names := costmetrics.NewSeriesTable(10), costmetrics.NewQueryNames(10)
	run := func(query, name string) {
		st := &costmetrics.StageSums{Query: query, Name: name, Place: "result", Probability: 1}
		addSeries(table, names, &estimated{stages: []stageEstimate{{StageSums: st, result: tasksample.Result[semconv.Operator]{
			Keys: map[semconv.Operator]tasksample.Estimate{scan: {CPU: 2 * time.Second}}}}}}, begin, begin)
	}
	run("q1-abc", "orders")
	run("q1-batch", "upsert")
	md := pmetric.NewMetrics()
	table.Tell(md, costmetrics.SeriesScope{}, begin)
	cpu := md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0).Sum().DataPoints()
	require.Equal(t, 1, cpu.Len())
	assert.InDelta(t, 4, cpu.At(0).DoubleValue(), 0)
	assert.Equal(t, map[string]any{"spark.query.fingerprint": "q1-abc", "spark.query.name": "orders", "spark.stage.name": "result",
		"spark.sql.operator.id": "scan@1", "spark.sql.operator.name": "Scan t"}, cpu.At(0).Attributes().AsRaw())
}

// points cuts a request into requests of one point.
func points(md pmetric.Metrics) (out []pmetric.Metrics) {
	for _, rm := range md.ResourceMetrics().All() {
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				for _, dp := range m.Sum().DataPoints().All() {
					one := pmetric.NewMetrics()
					to := one.ResourceMetrics().AppendEmpty()
					rm.Resource().CopyTo(to.Resource())
					scope := to.ScopeMetrics().AppendEmpty()
					sm.Scope().CopyTo(scope.Scope())
					metric := scope.Metrics().AppendEmpty()
					metric.SetName(m.Name())
					s := metric.SetEmptySum()
					s.SetAggregationTemporality(m.Sum().AggregationTemporality())
					dp.CopyTo(s.DataPoints().AppendEmpty())
					out = append(out, one)
				}
			}
		}
	}
	return out
}

// firstWindow is a part of the execution that is not over.
func firstWindow(seed uint64) request {
	return request{executor: "5", host: "node-7", execution: 7, stages: stages{11: units(rand.New(rand.NewPCG(seed, 7)), 30, 0.5)}}
}

// What comes after a run was estimated is late: it is estimated by itself and adds up; what comes
// again is not counted twice, however late.
func TestLate(t *testing.T) {
	first, late := firstWindow(1), firstWindow(2)
	first.end, late.window = over(60*time.Second), 1
	cpu := func(q request) float64 { return q.stages[11].Estimate().Keys[scan].CPU.Seconds() }
	r := newRig(t, nil, nil)
	r.give(first)
	r.tick(30 * time.Second)
	one := r.told()
	assert.InDelta(t, cpu(first), one["spark.sql.operator.cpu.time scan@1"], 1e-9)
	r.give(first)
	r.tick(30 * time.Second)
	assert.Equal(t, one, r.told(), "again")
	n := int64(first.otlp(t).DataPointCount())
	r.dropped(map[string]int64{"duplicate": n})

	r.give(late)
	r.tick(29 * time.Second)
	assert.Equal(t, one, r.told())
	r.tick(time.Second)
	two := r.told()
	assert.InDelta(t, cpu(first)+cpu(late), two["spark.sql.operator.cpu.time scan@1"], 1e-9)
	assert.InDelta(t, cpu(late), two["spark.sql.execution.operator.cpu.time all scan@1"], 1e-9, "what was added, for spark_shift's history")
	assert.Len(t, executors(r.out.AllMetrics()), 3, "the executor, and two parts that spark_shift takes for different ones")
	r.runs(map[string]int64{"whole": 1, "late": 1})

	r.tick(10 * time.Minute)
	r.tick(0)
	assert.Zero(t, r.engine.runs.held, "names are forgotten at last")
	assert.Empty(t, r.engine.runs.by)
}

// executors are the values of spark.executor.id of what was told.
func executors(all []pmetric.Metrics) map[string]bool {
	out := map[string]bool{}
	for _, md := range all {
		for _, rm := range md.ResourceMetrics().All() {
			if v, ok := rm.Resource().Attributes().Get("spark.executor.id"); ok {
				out[v.Str()] = true
			}
		}
	}
	return out
}

// A run of which no one tells the end waits settle_open; one that failed, or that was not drawn,
// tells what a receiver tells of such a run.
func TestEnds(t *testing.T) {
	left, leftOut, failed := over(3*time.Second), over(5*time.Second), over(7*time.Second)
	left.Left, leftOut.LeftOut, failed.Failed = true, true, true
	cpu := firstWindow(1).stages[11].Estimate().Keys[scan].CPU.Seconds()
	for name, c := range map[string]struct {
		change  func(*request)
		wait    time.Duration
		outcome string
		told    map[string]float64 // of executions
		series  float64            // of the scan
	}{
		"no one tells": {func(*request) {}, 10 * time.Minute, "unended", map[string]float64{
			"spark.sql.execution.cpu.time all ended=false": 0, "spark.sql.execution.operator.cpu.time all scan@1 ended=false": cpu}, cpu},
		"the executor left": {func(q *request) { q.end = left }, 10 * time.Minute, "unended", map[string]float64{"spark.sql.execution.cpu.time 5 ended=false": 3,
			"spark.sql.execution.cpu.time all ended=false": 0, "spark.sql.execution.operator.cpu.time all scan@1 ended=false": cpu}, cpu},
		"not drawn": {func(q *request) { q.end, q.stages = leftOut, nil }, 30 * time.Second, "whole", map[string]float64{"spark.sql.execution.cpu.time 5 sampled=false": 5}, 0},
		"failed":    {func(q *request) { q.end = failed }, 30 * time.Second, "whole", map[string]float64{}, cpu},
		"drawn, one in four": {func(q *request) { q.end, q.probability = over(11*time.Second), 0.25 }, 30 * time.Second, "whole", map[string]float64{"spark.sql.execution.cpu.time 5": 11,
			"spark.sql.execution.cpu.time all": 0, "spark.sql.execution.operator.cpu.time all scan@1": cpu}, 4 * cpu},
		"outside of SQL": {func(q *request) { q.execution = tasksample.NoExecution }, 10 * time.Minute, "stage", map[string]float64{}, cpu},
	} {
		t.Run(name, func(t *testing.T) {
			r, q := newRig(t, nil, nil), firstWindow(1)
			c.change(&q)
			r.give(q)
			r.tick(c.wait - time.Second)
			r.runs(nil)
			r.tick(time.Second)
			r.runs(map[string]int64{c.outcome: 1})
			got, want := r.told(), c.told
			assert.InDelta(t, c.series, got["spark.sql.operator.cpu.time scan@1"], 1e-9)
			maps.DeleteFunc(got, func(k string, _ float64) bool {
				return !slices.Contains(slices.Collect(maps.Keys(want)), k) && (!contains(k, "spark.sql.execution.") || contains(k, "aggregate") || contains(k, "variance") || contains(k, "samples"))
			})
			require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
			for k, v := range want {
				assert.InDelta(t, v, got[k], 1e-9, k)
			}
		})
	}
}

func contains(s, part string) bool {
	for i := range len(s) - len(part) + 1 {
		if s[i:i+len(part)] == part {
			return true
		}
	}
	return false
}

// Few selected units: the CPU of the stage is told as not valid.
func TestInvalid(t *testing.T) {
	r, q := newRig(t, nil, nil), firstWindow(1)
	q.stages[11], q.end = units(rand.New(rand.NewPCG(1, 7)), 6, 0.5), over(13*time.Second)
	r.give(q)
	r.tick(30 * time.Second)
	e := q.stages[11].Estimate()
	require.False(t, e.Valid)
	assert.InDelta(t, e.CPU.Seconds(), r.told()["spark.sql.execution.invalid.cpu.time all"], 1e-9)
	for _, assertEqual := range []func(*testing.T, []metricdata.DataPoint[float64]){
		func(t *testing.T, want []metricdata.DataPoint[float64]) {
			metadatatest.AssertEqualConnectorSparkCalibrationInvalidCPU(t, r.telemetry, want, metricdatatest.IgnoreTimestamp())
		},
		func(t *testing.T, want []metricdata.DataPoint[float64]) {
			metadatatest.AssertEqualConnectorSparkCalibrationCPU(t, r.telemetry, want, metricdatatest.IgnoreTimestamp())
		},
	} {
		assertEqual(t, []metricdata.DataPoint[float64]{{Value: e.CPU.Seconds()}})
	}
}

// Runs beyond the bounds are estimated at once, the one told of least lately first, and nothing is
// lost: what comes of it then is late.
func TestBounds(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"max_open_runs": func(c *Config) { c.Waiting.MaxOpenRuns = 2 },
		"max_sums":      func(c *Config) { c.MaxSums = 45 }, // a part has a dozen or two
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, change, nil)
			want := 0.
			for i := range 3 {
				q := firstWindow(uint64(i))
				q.execution = tasksample.ExecutionID(i)
				want += q.stages[11].Estimate().Keys[scan].CPU.Seconds()
				r.give(q)
			}
			r.tick(time.Second)
			r.runs(map[string]int64{"early": 1})
			assert.LessOrEqual(t, r.engine.runs.held, r.engine.config.MaxSums)
			more := firstWindow(9)
			more.window, more.execution = 1, 0
			want += more.stages[11].Estimate().Keys[scan].CPU.Seconds()
			r.give(more)
			r.tick(10 * time.Minute)
			assert.InDelta(t, want, r.told()["spark.sql.operator.cpu.time scan@1"], 1e-9)
		})
	}
}

// What is kept of a long run does not grow with its windows, but for their names; sums are the
// same.
func TestFolded(t *testing.T) {
	r := newRig(t, nil, nil)
	whole, held := tasksample.NewStage[semconv.Operator](), 0
	for i := range 50 {
		q := firstWindow(3)
		q.window = i
		whole.Merge(q.stages[11])
		r.give(q)
		r.tick(time.Minute)
		if i == 0 {
			held = r.engine.runs.held
		}
		assert.Equal(t, held+i, r.engine.runs.held)
	}
	last := request{executor: "5", host: "node-7", execution: 7, window: 50, end: over(time.Second)}
	r.give(last)
	r.tick(30 * time.Second)
	assert.InEpsilon(t, whole.Estimate().Keys[scan].CPU.Seconds(), r.told()["spark.sql.operator.cpu.time scan@1"], 1e-8)
	r.runs(map[string]int64{"whole": 1})
}

// Shutdown tells what is open: of an execution that goes on as of one whose executors left, so that
// the next process's part and this one make a run.
func TestShutdownTellsWhatIsOpen(t *testing.T) {
	r, q := newRig(t, nil, nil), firstWindow(1)
	r.give(q)
	r.shutdown()
	cpu := q.stages[11].Estimate().Keys[scan].CPU.Seconds()
	got := r.told()
	assert.InDelta(t, cpu, got["spark.sql.operator.cpu.time scan@1"], 1e-9)
	assert.InDelta(t, cpu, got["spark.sql.execution.operator.cpu.time all scan@1 ended=false"], 1e-9)
}

// Series are repeated, and begin before the first run that is in them; they have no host, for they
// are of all.
func TestSeriesAreRepeated(t *testing.T) {
	r, q := newRig(t, nil, nil), firstWindow(1)
	q.end = over(time.Second)
	r.give(q)
	r.tick(30 * time.Second)
	before := r.out.DataPointCount()
	r.tick(time.Second)
	assert.Equal(t, before, r.out.DataPointCount())
	r.tick(10 * time.Minute)
	assert.Greater(t, r.out.DataPointCount(), before)
	rm := r.out.AllMetrics()[len(r.out.AllMetrics())-1].ResourceMetrics().At(0)
	got := rm.Resource().Attributes().AsRaw()
	assert.Equal(t, r.engine.by.Instance, got["service.instance.id"])
	delete(got, "service.instance.id")
	assert.Equal(t, map[string]any{"service.name": "nightly", "team": "margin"}, got)
	dp := rm.ScopeMetrics().At(0).Metrics().At(0).Sum().DataPoints().At(0)
	assert.True(t, dp.StartTimestamp().AsTime().Before(begin.Add(time.Hour+30*time.Second)))
}

// A consumer that refuses loses executions, counted, and not series; points that make no sense are
// counted.
func TestRefused(t *testing.T) {
	r := newRig(t, nil, consumertest.NewErr(errors.New("full")))
	q := firstWindow(1)
	q.end = over(time.Second)
	md := q.otlp(t)
	md.ResourceMetrics().At(0).ScopeMetrics().At(0).Scope().Attributes().PutStr("spark.stage.id", "x")
	require.NoError(t, r.engine.ConsumeMetrics(context.Background(), md))
	r.dropped(map[string]int64{"point": int64(md.DataPointCount() - 1)})
	r.tick(30 * time.Second)
	metadatatest.AssertEqualConnectorSparkCalibrationFailures(t, r.telemetry, []metricdata.DataPoint[int64]{{Value: 1}}, metricdatatest.IgnoreTimestamp())
}

// The series of all counters begin at 0, and their names are in metadata.yaml.
func TestCountersBeginAtZero(t *testing.T) {
	text, err := os.ReadFile("metadata.yaml")
	require.NoError(t, err)
	var described struct {
		Attributes map[string]struct{ Enum []string }
	}
	require.NoError(t, yaml.Unmarshal(text, &described))
	assert.Equal(t, described.Attributes["outcome"].Enum, allOutcomes)
	assert.Equal(t, described.Attributes["dropped"].Enum, allDropped)
	r := newRig(t, nil, nil)
	r.runs(nil)
	r.dropped(nil)
	metadatatest.AssertEqualConnectorSparkCalibrationFailures(t, r.telemetry, []metricdata.DataPoint[int64]{{}}, metricdatatest.IgnoreTimestamp())
	metadatatest.AssertEqualConnectorSparkCalibrationOverflowSeries(t, r.telemetry, []metricdata.DataPoint[int64]{{}}, metricdatatest.IgnoreTimestamp())
}

func TestShutdownWithoutStart(t *testing.T) {
	r := newRig(t, nil, nil)
	r.shutdown()
	e := &engine{telemetry: r.engine.telemetry, stop: make(chan struct{})}
	require.NoError(t, e.Shutdown(context.Background()))
}
