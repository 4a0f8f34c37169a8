package costmetrics

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/semconv"
)

var ended = time.Unix(1_000, 7).UTC()

// TestExecutionRoundTrip reads what is written, with a value of its own in each field.
func TestExecutionRoundTrip(t *testing.T) {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	for key, value := range map[string]string{semconv.ApplicationID: "app-3", semconv.ExecutorID: "5", semconv.HostName: "node-7", semconv.SparkVersion: "4.3.0", "team": "margin", "owner": ""} {
		rm.Resource().Attributes().PutStr(key, value)
	}
	set := NewSet(rm, Scope{Name: "s", Version: "v"})
	x := Execution{ID: 11, Query: "q13", Name: "tpch q17", Plan: "p19", End: ended, Left: true, LeftOut: true}
	whole := Execution{ID: 23, Query: "q29", End: ended.Add(time.Hour)}
	set.Execution(&x, 31*time.Second)
	set.Invalid(&x, 37*time.Second)
	set.Operator(&x, &OperatorCost{Place: "result>scan@41", Operator: "scan@41", Name: "Scan t", CPU: 43 * time.Second, Variance: 0.47, Samples: 53, Rows: 59, RowsKnown: true,
		Usual: &UsualCPU{CPU: 101, Low: 103, High: 107}})
	set.Operator(&whole, &OperatorCost{Place: "result", Operator: "python@61", Name: "MapInPandas f", CPU: 67 * time.Second, Python: 71 * time.Second, Variance: 0.73, Samples: 79, Rows: 83})
	set.Operator(&whole, &OperatorCost{Operator: "filter@89", Samples: 97, Rows: 131, RowsKnown: true, Usual: &UsualCPU{CPU: 109, Low: 113, High: 127}}) // no CPU: the rest is not told
	set.Operator(&whole, &OperatorCost{Operator: "sort@137", RowsKnown: true})
	set.Operator(&whole, &OperatorCost{Operator: "limit@139", Rows: 149})

	teller := Teller{Application: "app-3", Executor: "5", Host: "node-7", Version: "4.3.0", Labels: map[string]string{"team": "margin"}}
	scan, python, filter := OperatorAt{"result>scan@41", "scan@41"}, OperatorAt{"result", "python@61"}, OperatorAt{"", "filter@89"}
	var got []ExecutionPoint
	assert.Zero(t, ReadExecutions(md, []string{"team", "owner", "tenant"}, func(by *Teller, p *ExecutionPoint) bool {
		assert.Equal(t, teller, *by)
		got = append(got, *p)
		return true
	}))
	assert.ElementsMatch(t, []ExecutionPoint{
		{Execution: x, Told: ToldCPU, Value: 31},
		{Execution: x, OperatorAt: scan, OperatorName: "Scan t", Told: ToldOperatorCPU, Value: 43},
		{Execution: x, OperatorAt: scan, OperatorName: "Scan t", Told: ToldOperatorVariance, Value: 0.47},
		{Execution: x, OperatorAt: scan, OperatorName: "Scan t", Told: ToldOperatorSamples, Value: 53},
		{Execution: x, OperatorAt: scan, OperatorName: "Scan t", Told: ToldOperatorRows, Value: 59},
		{Execution: x, OperatorAt: scan, OperatorName: "Scan t", Told: ToldOperatorUsual, Value: 101},
		{Execution: x, OperatorAt: scan, OperatorName: "Scan t", Told: ToldOperatorUsualLow, Value: 103},
		{Execution: x, OperatorAt: scan, OperatorName: "Scan t", Told: ToldOperatorUsualHigh, Value: 107},
		{Execution: whole, OperatorAt: python, OperatorName: "MapInPandas f", Told: ToldOperatorCPU, Value: 67},
		{Execution: whole, OperatorAt: python, OperatorName: "MapInPandas f", Told: ToldOperatorVariance, Value: 0.73},
		{Execution: whole, OperatorAt: filter, Told: ToldOperatorRows, Value: 131},
		{Execution: whole, OperatorAt: filter, Told: ToldOperatorUsual, Value: 109},
		{Execution: whole, OperatorAt: filter, Told: ToldOperatorUsualLow, Value: 113},
		{Execution: whole, OperatorAt: filter, Told: ToldOperatorUsualHigh, Value: 127},
	}, got)
}

// Points that make no sense are counted and not read, and so are those without room.
func TestExecutionsThatMakeNoSense(t *testing.T) {
	for name, spoil := range map[string]func(rm pmetric.ResourceMetrics, m pmetric.Metric, dp pmetric.NumberDataPoint){
		"no application": func(rm pmetric.ResourceMetrics, _ pmetric.Metric, _ pmetric.NumberDataPoint) {
			rm.Resource().Attributes().Clear()
		},
		"no execution": func(_ pmetric.ResourceMetrics, _ pmetric.Metric, dp pmetric.NumberDataPoint) {
			dp.Attributes().Remove(semconv.ExecutionID)
		},
		"an execution in words": func(_ pmetric.ResourceMetrics, _ pmetric.Metric, dp pmetric.NumberDataPoint) {
			dp.Attributes().PutStr(semconv.ExecutionID, "7")
		},
		"no query": func(_ pmetric.ResourceMetrics, _ pmetric.Metric, dp pmetric.NumberDataPoint) {
			dp.Attributes().Remove(semconv.QueryFingerprint)
		},
		"no operator": func(_ pmetric.ResourceMetrics, _ pmetric.Metric, dp pmetric.NumberDataPoint) {
			dp.Attributes().Remove(semconv.OperatorID)
		},
		"no time": func(_ pmetric.ResourceMetrics, _ pmetric.Metric, dp pmetric.NumberDataPoint) { dp.SetTimestamp(0) },
		"no value": func(_ pmetric.ResourceMetrics, _ pmetric.Metric, dp pmetric.NumberDataPoint) {
			dp.SetFlags(pmetric.DefaultDataPointFlags.WithNoRecordedValue(true))
		},
		"a negative one": func(_ pmetric.ResourceMetrics, _ pmetric.Metric, dp pmetric.NumberDataPoint) { dp.SetIntValue(-1) },
		"NaN": func(_ pmetric.ResourceMetrics, _ pmetric.Metric, dp pmetric.NumberDataPoint) {
			dp.SetDoubleValue(math.NaN())
		},
		"infinite": func(_ pmetric.ResourceMetrics, _ pmetric.Metric, dp pmetric.NumberDataPoint) {
			dp.SetDoubleValue(math.Inf(1))
		},
		"a cumulative sum": func(_ pmetric.ResourceMetrics, m pmetric.Metric, dp pmetric.NumberDataPoint) {
			sum := m.SetEmptySum()
			sum.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
			dp.CopyTo(sum.DataPoints().AppendEmpty())
		},
		"no number": func(_ pmetric.ResourceMetrics, m pmetric.Metric, _ pmetric.NumberDataPoint) { m.SetEmptyHistogram() },
		"":          func(pmetric.ResourceMetrics, pmetric.Metric, pmetric.NumberDataPoint) {},
	} {
		md := pmetric.NewMetrics()
		rm := md.ResourceMetrics().AppendEmpty()
		rm.Resource().Attributes().PutStr(semconv.ApplicationID, "app-3")
		set := NewSet(rm, Scope{})
		set.gauge("spark.sql.query.cpu.time", "s", "of others")
		dp := set.of(&Execution{ID: 3, Query: "q5", End: ended}, ToldOperatorCPU)
		dp.Attributes().PutStr(semconv.OperatorID, "scan@7")
		dp.SetDoubleValue(1)
		spoil(rm, set.to.Metrics().At(1), dp)
		dropped := ReadExecutions(md, nil, func(*Teller, *ExecutionPoint) bool {
			assert.Empty(t, name)
			return false // no room
		})
		assert.Equal(t, 1, dropped, name)
	}
}
