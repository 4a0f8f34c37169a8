package sparkprofile

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

// partsOf are those that a request tells of.
func partsOf(md pmetric.Metrics) map[costmetrics.PartID]*costmetrics.Part {
	out := map[costmetrics.PartID]*costmetrics.Part{}
	costmetrics.Read(md, func(id costmetrics.PartID, _ pcommon.Map) *costmetrics.Part {
		if out[id] == nil {
			out[id] = costmetrics.NewPart()
		}
		return out[id]
	})
	return out
}

// The window of TestCostsOfAWindow with calibration by stage. What is exact is told as ever.
// Instead of estimates the sums of the one unit are told, of 31 ms that samples could have hit. It
// has two samples of 10 ms in the scan, one in the framework between them or after.
func TestSumsOfAWindow(t *testing.T) {
	r, sink, tel := costly(t, func(c *Config) { c.TaskSampling.Calibration = "stage" })
	feed(r.collect, 1)
	rowsAndEnd(r.collect, 1, 1, false)
	now := r.collect.start.Add(15 * time.Second)
	require.NoError(t, r.deliver(context.Background(), now))
	require.Len(t, sink.AllMetrics(), 1)
	names := map[string]float64{}
	for _, rm := range sink.AllMetrics()[0].ResourceMetrics().All() {
		for _, sm := range rm.ScopeMetrics().All() {
			for _, m := range sm.Metrics().All() {
				names[m.Name()] += m.Sum().DataPoints().At(0).DoubleValue()
			}
		}
	}
	assert.InDelta(t, 0.040, names["spark.sql.query.cpu.time"], 1e-9)
	assert.InDelta(t, 0.009, names["spark.sql.operator.cpu.time"], 1e-9, "the kernel's, which is known")
	for name := range names {
		assert.False(t, strings.HasPrefix(name, "spark.sql.execution.operator.") || name == "spark.sql.execution.cpu.time", "%s is for whom calibrates to tell", name)
	}

	got := partsOf(sink.AllMetrics()[0])
	require.Len(t, got, 1)
	for id, p := range got {
		assert.Equal(t, costmetrics.RunID{Application: "app-3", Execution: 7, Stage: -1}, id.Run)
		assert.Equal(t, now.UnixNano(), id.End)
		require.Contains(t, p.Stages, tasksample.StageID(11))
		s := p.Stages[11]
		assert.Equal(t, []any{"q1-abc", "tpch q06", "result>scan@22", 1.}, []any{s.Query, s.Name, s.Place, s.Probability})
		scan := semconv.Operator{Query: "q1-abc", Place: "result>scan@22", ID: "scan@22", Name: "Scan t", Role: "scan"}
		require.Len(t, s.Statistics.Cells, 1)
		for cell, c := range s.Statistics.Cells {
			assert.Equal(t, tasksample.ClassOf(31*time.Millisecond), cell.Class)
			assert.Equal(t, tasksample.TierBase, cell.Tier)
			assert.InDelta(t, 31e6, c.CPU, 0)
			assert.EqualValues(t, 1, c.Units)
			assert.EqualValues(t, 3, c.Samples)
			require.Contains(t, c.Keys, scan)
			assert.Equal(t, &tasksample.KeySums{Samples: 2, Weight: 20e6, Changes: 50e12, Square: 400e12, Cross: 600e12}, c.Keys[scan])
		}
		assert.Zero(t, costmetrics.MakeSound(s.Statistics))
		assert.Equal(t, &costmetrics.Total{CPU: 40 * time.Millisecond, Execution: costmetrics.Execution{ID: 7, Query: "q1-abc", Name: "tpch q06", Plan: "p1-def", End: ended}}, p.Total)
		assert.EqualValues(t, 1900, p.Rows[costmetrics.OperatorAt{Place: "result>scan@22", Operator: "scan@22"}].Rows)
	}
	_, err := tel.GetMetric("otelcol_receiver_spark_profile_estimated_cpu")
	require.Error(t, err, "nothing is estimated here")
}

// An execution that failed is over, too: its sums are not to wait.
func TestSumsOfAFailedExecution(t *testing.T) {
	r, sink, _ := costly(t, func(c *Config) { c.TaskSampling.Calibration = "stage" })
	feed(r.collect, 1)
	rowsAndEnd(r.collect, 1, 1, true)
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	for _, p := range partsOf(sink.AllMetrics()[0]) {
		require.NotNil(t, p.Total)
		assert.True(t, p.Total.Failed)
	}
}

// More sums than max_series: the units' CPU is told without their samples, counted; and what the
// next consumer refuses is.
func TestSumsAreBounded(t *testing.T) {
	r, sink, tel := costly(t, func(c *Config) { c.TaskSampling.Calibration, c.MaxSeries = "stage", 2 })
	feed(r.collect, 1)
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	for _, p := range partsOf(sink.AllMetrics()[0]) {
		e := p.Stages[11].Statistics.Estimate()
		assert.Equal(t, 31*time.Millisecond, e.CPU)
		assert.Equal(t, e.CPU, e.Unsampled)
	}
	assert.EqualValues(t, 1, problemsOf(t, tel)["overflow_unit"])

	r, _, tel = costly(t, func(c *Config) { c.TaskSampling.Calibration = "stage" })
	r.costsTo = consumertest.NewErr(context.Canceled)
	feed(r.collect, 1)
	require.ErrorIs(t, r.deliver(context.Background(), time.Now()), context.Canceled)
	assert.EqualValues(t, 1, problemsOf(t, tel)["refused_execution"])
}

// problemsOf are the problems counted so far.
func problemsOf(t *testing.T, tel *componenttest.Telemetry) map[string]int64 {
	m, err := tel.GetMetric("otelcol_receiver_spark_profile_problems")
	require.NoError(t, err)
	out := map[string]int64{}
	for _, dp := range m.Data.(metricdata.Sum[int64]).DataPoints {
		name, _ := dp.Attributes.Value("problem")
		out[name.AsString()] = dp.Value
	}
	return out
}
