package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/jvmlog"
)

func outlined(parent int, place, operator string) attribution.Node {
	return attribution.Node{Parent: parent, Stage: place, Operator: operator}
}

// The last update comes first; what only an earlier one has stands below the same operator.
func TestOutlineOfAPlanThatChanged(t *testing.T) {
	plan := &attribution.Plan{Query: "q1-5", Plan: "p1-6", Updates: []attribution.Tree{
		{Nodes: []attribution.Node{outlined(-1, "result", "sort@1"), outlined(0, "", ""), outlined(1, "result", "join@2"), outlined(2, "old", "scan@3"), outlined(2, "right", "scan@4")}},
		{Update: 1, Nodes: []attribution.Node{outlined(-1, "", ""), outlined(0, "result", "sort@1"), outlined(1, "result", "join@2"), outlined(2, "right", "scan@4"),
			outlined(1, "result", "join@2")}},
	}}
	got := outlineOf(&execution{id: 7, plan: plan})
	for i := range got.Nodes {
		require.NotZero(t, got.Nodes[i].Subplan)
		got.Nodes[i].Subplan = 0
	}
	require.Equal(t, PlanOutline{Query: "q1-5", Plan: "p1-6", Execution: 7, Nodes: []OutlineNode{
		{Parent: -1, StagePlace: "result", Operator: "sort@1"},
		{Parent: 0, StagePlace: "result", Operator: "join@2"},
		{Parent: 1, StagePlace: "right", Operator: "scan@4"},
		{Parent: 1, StagePlace: "old", Operator: "scan@3"},
	}}, got)
}

// A subplan is the same under another root, with other numbers of Spark's and in other wrappers;
// with another literal it is another.
func TestSubplans(t *testing.T) {
	scan := func(parent int, literal string) attribution.Node {
		n := outlined(parent, "s", "scan@1")
		n.Text = "Scan t(a#7L) a#7L > " + literal + " [plan_id=33]"
		return n
	}
	alone := subplansOf([]attribution.Node{outlined(-1, "s", "sort@2"), scan(0, "5")})
	other := scan(2, "5")
	other.Text = "Scan t(a#12L) a#12L > 5 [plan_id=40]"
	wrapped := subplansOf([]attribution.Node{outlined(-1, "s", "write@3"), outlined(0, "s", "sort@2"), outlined(1, "", ""), other})
	require.Equal(t, alone, []uint64{wrapped[1], wrapped[3]})
	require.Equal(t, wrapped[3], wrapped[2])
	literal := subplansOf([]attribution.Node{outlined(-1, "s", "sort@2"), scan(0, "6")})
	require.NotEqual(t, alone[0], literal[0])
	require.NotEqual(t, alone[1], literal[1])
}

func TestWorkOfStages(t *testing.T) {
	a := NewAccumulator(AccumulatorSettings{Work: true})
	s := newScenario(t, Settings{Hold: time.Second})
	s.p = New(Settings{Hold: time.Second}, a)
	s.tellingJVM(7, true)
	s.plan(7, at(1), 4)
	s.stage(7, at(1), 6, 4)
	s.task(7, 10, 11, 900, 6, 4, 20)
	s.task(7, 12, 13, 901, 6, 4, 20)
	n := s.event[7]
	s.event[7]++
	s.p.TaskEvent(7, jvmlog.TaskEvent{Index: n, Time: at(14), Kind: jvmlog.TaskEnd, TID: 43, Task: 902, Stage: 6, Execution: 4, Flags: jvmlog.TaskFailed, ThreadCPUNanos: 3e6})
	s.rows(7, 15, 6, 4, 1, 700)
	s.rows(7, 15.1, 6, 4, 1, 1100)
	s.p.Watermark(7, at(30))
	require.Equal(t, []PlanOutline{{Query: "q1-of4", Plan: "p1-of4", Execution: 4, Nodes: s.p.Plans(7)[0].Nodes}}, s.p.Plans(7))
	p := a.Take()
	require.Empty(t, p.Executions, "not asked for")
	require.Equal(t, []StageWork{{
		Labels: Labels{JVM: 7, Query: "q1-of4", QueryName: "query 4", Plan: "p1-of4", Execution: 4, Stage: 6, StagePlace: "exchange>result", Task: -1, Partition: -1},
		Tasks:  2, Counted: 2, Rows: []OperatorRows{
			{Operator: "exchange@11", OperatorName: "ShuffleExchange a (write)", Role: "exchange", Rows: 180},
			{Operator: "scan@22", OperatorName: "Scan t", Role: "scan", Rows: 1800},
		},
	}}, p.JVMs[0].Work)
	require.Empty(t, a.Take().JVMs[0].Work)
	s.p.JVMGone(7)
	require.Empty(t, s.p.Plans(7))
}
