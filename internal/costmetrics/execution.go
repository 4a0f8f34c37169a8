package costmetrics

import (
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/semconv"
)

// Execution is an SQL execution that is over, as far as the teller saw it.
type Execution struct {
	ID                int64
	Query, Name, Plan string
	End               time.Time
	Left              bool // the executor left before the execution was over
	LeftOut           bool // the run was not drawn: of its operators nothing is known
}

// OperatorCost is what an operator cost in it, at one place of stages.
type OperatorCost struct {
	Place, Operator, Name string
	CPU                   time.Duration // estimated for all tasks, and of Python workers; of 0 Rows and Usual alone are told
	Python                time.Duration // of which of Python workers: exact
	Variance              float64       // of CPU by sampling, s²
	Samples, Rows         uint64        // rows: taken in
	RowsKnown             bool
	Usual                 *UsualCPU // nil: not known
}

// UsualCPU is the CPU that an operator usually costs, in seconds. 95 % of operators of its kind
// cost between Low and High.
type UsualCPU struct{ CPU, Low, High float64 }

// Told is what a point of an execution tells: each has a gauge of its own.
type Told uint8

// What is told of an execution, and of an operator in it.
const (
	ToldCPU Told = iota // of all tasks of the execution on the executor, and of their Python workers, s
	ToldInvalidCPU
	ToldOperatorCPU
	ToldOperatorVariance
	ToldOperatorSamples
	ToldOperatorRows
	ToldOperatorUsual
	ToldOperatorUsualLow
	ToldOperatorUsualHigh
)

const textExecutionCPU = "CPU of all tasks of an execution that has ended, and of their Python workers, on this executor"

// gauges has the metric of each.
var gauges = [...]struct {
	name, unit, text string
	operator         bool // the point is an operator's
}{
	ToldCPU:               {semconv.MetricExecutionCPU, "s", textExecutionCPU, false},
	ToldInvalidCPU:        {semconv.MetricExecutionInvalidCPU, "s", "CPU of its stages whose estimates are not valid: too few tasks were sampled", false},
	ToldOperatorCPU:       {semconv.MetricExecutionOperatorCPU, "s", "CPU of an operator in the execution on this executor, estimated for all tasks, and of its Python workers", true},
	ToldOperatorVariance:  {semconv.MetricExecutionOperatorVariance, "s2", "Variance of that estimate by sampling", true},
	ToldOperatorSamples:   {semconv.MetricExecutionOperatorSamples, "{sample}", "Samples behind that estimate", true},
	ToldOperatorRows:      {semconv.MetricExecutionOperatorRows, "{row}", "Rows that the operator took in; a scan, that it gave", true},
	ToldOperatorUsual:     {semconv.MetricExecutionUsualCPU, "s", "CPU that such an operator usually costs on this host, with these rows and tasks", true},
	ToldOperatorUsualLow:  {semconv.MetricExecutionUsualLower, "s", "CPU below which 2.5 % of such operators lie", true},
	ToldOperatorUsualHigh: {semconv.MetricExecutionUsualUpper, "s", "CPU above which 2.5 % of such operators lie", true},
}

// Execution adds the CPU of all its tasks and Python workers on an executor.
func (m *Set) Execution(x *Execution, cpu time.Duration) {
	m.of(x, ToldCPU).SetDoubleValue(cpu.Seconds())
}

// Invalid adds the CPU of the stages whose estimates stand on too few tasks.
func (m *Set) Invalid(x *Execution, cpu time.Duration) {
	m.of(x, ToldInvalidCPU).SetDoubleValue(cpu.Seconds())
}

// Operator adds what an operator cost in an execution.
func (m *Set) Operator(x *Execution, o *OperatorCost) {
	point := func(told Told) pmetric.NumberDataPoint {
		dp := m.of(x, told)
		a := dp.Attributes()
		a.PutStr(semconv.StagePlace, o.Place)
		a.PutStr(semconv.OperatorID, o.Operator)
		a.PutStr(semconv.OperatorName, o.Name)
		return dp
	}
	if u := o.Usual; u != nil {
		point(ToldOperatorUsual).SetDoubleValue(u.CPU)
		point(ToldOperatorUsualLow).SetDoubleValue(u.Low)
		point(ToldOperatorUsualHigh).SetDoubleValue(u.High)
	}
	if o.RowsKnown && (o.CPU > 0 || o.Rows > 0) {
		point(ToldOperatorRows).SetIntValue(int64(o.Rows))
	}
	if o.CPU <= 0 {
		return
	}
	point(ToldOperatorCPU).SetDoubleValue(o.CPU.Seconds())
	point(ToldOperatorVariance).SetDoubleValue(o.Variance)
	if o.Python == 0 { // else a part stands on no samples
		point(ToldOperatorSamples).SetIntValue(int64(o.Samples))
	}
}

// of is a new point of a gauge of an execution.
func (m *Set) of(x *Execution, told Told) pmetric.NumberDataPoint {
	g := gauges[told]
	dp := m.gauge(g.name, g.unit, g.text)
	dp.SetTimestamp(pcommon.NewTimestampFromTime(x.End))
	a := dp.Attributes()
	a.PutInt(semconv.ExecutionID, x.ID)
	a.PutStr(semconv.QueryFingerprint, x.Query)
	a.PutStr(semconv.QueryName, x.Name)
	a.PutStr(semconv.QueryPlan, x.Plan)
	if x.Left {
		a.PutBool(semconv.ExecutionEnded, false)
	}
	if x.LeftOut {
		a.PutBool(semconv.ExecutionSampled, false)
	}
	return dp
}
