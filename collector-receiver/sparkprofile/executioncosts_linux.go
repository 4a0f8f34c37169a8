package sparkprofile

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/pipeline"
)

// What one SQL execution cost on one executor: the contract with the connector spark_shift (docs/shifts.md).
const (
	metricExecutionCPU         = "spark.sql.execution.cpu.time"
	metricExecutionOperatorCPU = "spark.sql.execution.operator.cpu.time"
	metricExecutionVariance    = "spark.sql.execution.operator.cpu.variance"
	metricExecutionRows        = "spark.sql.execution.operator.rows"
	metricExecutionSamples     = "spark.sql.execution.operator.samples"
)

// endedAttribute is false on the points of an executor that left before the execution was over; others do not have it.
const endedAttribute = "spark.sql.execution.ended"

// sampledAttribute is false on the points of a run that was not drawn: of its operators nothing is told. Others do not have it.
const sampledAttribute = "spark.sql.execution.sampled"

// execution adds the cost of an execution and returns of how many operators the rows are not known of all tasks.
func (m *metricSet) execution(x *pipeline.ExecutionCost, end pcommon.Timestamp) (incomplete int) {
	common := func(dp pmetric.NumberDataPoint) pmetric.NumberDataPoint {
		dp.SetTimestamp(end)
		a := dp.Attributes()
		a.PutInt("spark.sql.execution.id", int64(x.Labels.Execution))
		a.PutStr("spark.query.fingerprint", x.Labels.Query)
		a.PutStr("spark.query.name", x.Labels.QueryName)
		a.PutStr("spark.query.plan", x.Labels.Plan)
		if x.Over.How == pipeline.EndLeft {
			a.PutBool(endedAttribute, false)
		}
		if x.LeftOut {
			a.PutBool(sampledAttribute, false)
		}
		return dp
	}
	common(m.gauge(metricExecutionCPU, "s", "CPU of all tasks of an execution that has ended, on this executor")).SetDoubleValue(x.CPU.Seconds())
	if x.LeftOut {
		return 0 // what was sampled of it, because the Collector came in its midst, is not all of it
	}
	for i := range x.Operators {
		o := &x.Operators[i]
		if o.RowsMissing {
			incomplete++
		}
		if o.CPU <= 0 {
			continue
		}
		point := func(name, unit, text string) pmetric.NumberDataPoint {
			dp := common(m.gauge(name, unit, text))
			a := dp.Attributes()
			a.PutStr("spark.stage.name", o.StagePlace)
			a.PutStr("spark.sql.operator.id", o.Operator)
			a.PutStr("spark.sql.operator.name", o.OperatorName)
			return dp
		}
		point(metricExecutionOperatorCPU, "s", "CPU of an operator in the execution on this executor, estimated for all tasks").SetDoubleValue(o.CPU.Seconds())
		point(metricExecutionVariance, "s2", "Variance of that estimate by sampling").SetDoubleValue(o.Variance)
		point(metricExecutionSamples, "{sample}", "Samples behind that estimate").SetIntValue(int64(o.Samples))
		if o.RowsKnown {
			point(metricExecutionRows, "{row}", "Rows that the operator took in; a scan, that it gave").SetIntValue(int64(o.Rows))
		}
	}
	return incomplete
}
