package outcome

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// Inference of a CSV's schema runs the scan of a plan in a job outside of every execution: the
// stage is the job's, its samples are the plan's. What is known of the stage counts for the scan.
func TestCertaintyOfAPlanThatRanOutsideOfItsExecution(t *testing.T) {
	scan := labelsOf(1, "raw", tasksample.NoExecution, 5, "result", "scan@1", "Scan raw")
	stage := labelsOf(1, "infer", tasksample.NoExecution, 5, "result", "", "")
	estimate := tasksample.Estimate{CPU: 10 * ms, SE: 3 * ms, Low: 4 * ms, High: 17 * ms}
	p := window.Profile{Calibrated: true,
		Stages: []window.StageStatistics{{Labels: stage, Estimate: tasksample.Result[semconv.Operator]{
			Keys: map[semconv.Operator]tasksample.Estimate{scan.Key(): estimate}, Valid: true,
		}}},
		JVMs: []window.JVMProfile{{Entries: []window.Entry{{Labels: scan, Samples: 3, CPU: 10 * ms}}, Totals: window.Totals{Samples: 3, TaskCPU: 10 * ms, Tasks: 2}}},
	}
	got := Summarize(p, 100).Queries[0].Operators[0]
	require.True(t, got.Valid, "%s", got.Why)
	require.InDeltaSlice(t, []float64{0.004, 0.017}, got.CI95[:], 1e-9)

	p.Stages[0].Labels.Execution = 7 // not where the plan ran
	require.Nil(t, Summarize(p, 100).Queries[0].Operators[0].CI95)

	// Both ran in 7, which runs for 6.
	j := &p.JVMs[0]
	p.Stages[0].Application, j.Application.ID, j.Entries[0].Labels.Execution = "app-7", "app-7", 7
	j.Times.Executions = []pipeline.ExecutionTimes{{ApplicationID: "app-7", ID: 7, Root: 6, Inner: true}}
	require.NotNil(t, Summarize(p, 100).Queries[0].Operators[0].CI95)
}
