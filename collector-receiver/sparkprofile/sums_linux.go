package sparkprofile

import (
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
)

// sums adds the additive statistics of the units that finished in a window:
// task_sampling::calibration stage. A window has max_series cells and keys at most; of the stages
// beyond it the known CPU alone is told, in few cells, and counted.
func (c *costs) sums(w delivery, out *told) {
	room := c.shape.config.MaxSeries
	resources := map[sampler.JVMID]pmetric.ResourceMetrics{}
	for i := range w.profile.Stages {
		st := &w.profile.Stages[i]
		j := jvmOf(w, st.Labels.JVM)
		if j == nil {
			continue // Take gives every JVM that it has statistics of
		}
		statistics := st.Statistics
		units := st.Statistics.Facts().Ended
		out.units += units
		if n := costmetrics.Entries(statistics); n <= room {
			room -= n
		} else {
			statistics = costmetrics.Unkeyed(statistics)
			out.unkeyed += units
		}
		rm, ok := resources[j.JVM.ID]
		if !ok {
			rm = out.metrics.ResourceMetrics().AppendEmpty()
			c.shape.resource(rm.Resource().Attributes(), j)
			resources[j.JVM.ID] = rm
		}
		costmetrics.TellStage(rm, c.scope(), w.span(), &costmetrics.StageSums{Execution: st.Labels.Execution, Stage: st.Labels.Stage, Probability: st.RunProbability,
			Query: st.Labels.Query, Name: st.Labels.QueryName, Place: st.Labels.StagePlace, Statistics: statistics})
	}
}

func (w delivery) span() costmetrics.Window {
	return costmetrics.Window{Start: w.start, End: w.start.Add(w.duration)}
}

// tellEnd adds that an execution is over for a JVM and returns of how many operators the rows are
// not known of all tasks.
func (c *costs) tellEnd(rm pmetric.ResourceMetrics, w delivery, x *window.ExecutionCost, end time.Time) (incomplete int) {
	of := costmetrics.End{Total: costmetrics.Total{Execution: executionOf(x, end), Failed: x.Over.Failed, CPU: x.CPU}}
	for i := range x.Operators {
		o := &x.Operators[i]
		if o.RowsMissing {
			incomplete++
		}
		if o.Python > 0 {
			of.Python = append(of.Python, costmetrics.PartPython{Place: o.StagePlace, Operator: o.Operator, Name: o.OperatorName, CPU: o.Python})
		}
		of.Rows = append(of.Rows, costmetrics.PartRows{Place: o.StagePlace, Operator: o.Operator, Name: o.OperatorName, Rows: o.Rows, Known: o.RowsKnown})
	}
	costmetrics.TellEnd(rm, c.scope(), w.span(), &of)
	return incomplete
}
