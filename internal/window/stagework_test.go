package window

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler/jvmlog"
)

func TestWorkOfStages(t *testing.T) {
	a := New(Settings{Work: true})
	s := scenarioInto(pipeline.Settings{Hold: time.Second}, a)
	s.JVMOfMinor(7, 2)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.Task(7, 10, 11, 900, 6, 4, 20)
	s.Task(7, 12, 13, 901, 6, 4, 20)
	n := s.Event[7]
	s.Event[7]++
	s.p.TaskEvent(7, jvmlog.TaskEvent{Index: n, Time: jvmtest.At(14), Kind: jvmlog.TaskEnd, TID: 43, Task: 902, Stage: 6, Execution: 4, Flags: jvmlog.TaskFailed, ThreadCPUNanos: 3e6})
	s.Rows(7, 15, 6, 4, 1, 700)
	s.Rows(7, 15.1, 6, 4, 1, 1100)
	s.p.Watermark(7, jvmtest.At(30))
	require.Equal(t, []pipeline.PlanOutline{{Query: "q1-of4", Plan: "p1-of4", Execution: 4, Nodes: s.p.Plans(7)[0].Nodes}}, s.p.Plans(7))
	p := a.Take()
	require.Empty(t, p.Executions, "not asked for")
	require.Equal(t, []StageWork{{
		Labels: pipeline.Labels{JVM: 7, Query: "q1-of4", QueryName: "query 4", Plan: "p1-of4", Execution: 4, Stage: 6, StagePlace: "exchange>result", Task: -1, Partition: -1},
		Tasks:  2, Counted: 2, Rows: []pipeline.OperatorRows{
			{Operator: "exchange@11", OperatorName: "ShuffleExchange a (write)", Role: "exchange", Rows: 180},
			{Operator: "scan@22", OperatorName: "Scan t", Role: "scan", Rows: 1800, Above: "exchange@11"},
		},
	}}, p.JVMs[0].Work)
	require.Empty(t, a.Take().JVMs[0].Work)
	s.p.JVMGone(7)
	require.Empty(t, s.p.Plans(7))
}
