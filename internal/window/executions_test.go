package window

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// ledgerOf is a pipeline into an accumulator that keeps executions.
func ledgerOf(t *testing.T, settings pipeline.Settings) (*scenario, *Accumulator) {
	a := New(Settings{Executions: true})
	return scenarioInto(settings, a), a
}

// An execution over two windows: what it cost is told once, whole, when its end was told and
// everything before that was delivered.
func TestExecutionOverWindows(t *testing.T) {
	s, a := ledgerOf(t, pipeline.Settings{Hold: time.Second})
	s.JVMOfMinor(7, 2)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.Task(7, 10, 11, 900, 6, 4, 20)
	s.Rows(7, 11.5, 6, 4, 1, 700)
	s.p.Watermark(7, jvmtest.At(20))
	p := a.Take()
	require.Empty(t, p.Executions, "it is not over")
	require.Equal(t, []KnownCost{
		{Query: "q1-of4", QueryName: "query 4", CPU: 20 * time.Millisecond},
		{Query: "q1-of4", QueryName: "query 4", StagePlace: "exchange>result", Operator: "exchange@11", OperatorName: "ShuffleExchange a (write)", Rows: 70},
		{Query: "q1-of4", QueryName: "query 4", StagePlace: "exchange>result", Operator: "scan@22", OperatorName: "Scan t", Rows: 700},
	}, p.JVMs[0].Known)

	s.Task(7, 21, 22, 901, 6, 4, 30)
	s.Rows(7, 22.5, 6, 4, 1, 1100)
	s.Over(7, 22.6, 4, false)
	s.p.Watermark(7, jvmtest.At(24))
	require.Empty(t, a.Take().Executions, "samples of it may still come")
	s.p.Watermark(7, jvmtest.At(26))
	p = a.Take()
	require.Len(t, p.Executions, 1)
	x := p.Executions[0]
	require.Equal(t, pipeline.Labels{JVM: 7, Query: "q1-of4", QueryName: "query 4", Plan: "p1-of4", Execution: 4, Stage: pipeline.NoStage, Task: -1, Partition: -1}, x.Labels)
	require.Equal(t, pipeline.ExecutionOver{JVM: 7, Execution: 4, How: pipeline.EndTold, End: time.Unix(0, 1_700_000_000_000_000_007), LastTask: jvmtest.At(22.5)}, x.Over)
	require.Equal(t, 50*time.Millisecond, x.CPU)
	require.EqualValues(t, 2, x.Tasks)
	// All of ten samples: p(1-p)/n at p = 10.5/11.
	require.InDelta(t, 0.05*0.05*10.5*0.5/11/11/10, x.Operators[1].Variance, 1e-10)
	x.Operators[1].Variance = 0
	require.Equal(t, []OperatorCost{
		{StagePlace: "exchange>result", Operator: "exchange@11", OperatorName: "ShuffleExchange a (write)", Role: "exchange", Rows: 180, RowsKnown: true, Tasks: 2},
		{StagePlace: "exchange>result", Operator: "scan@22", OperatorName: "Scan t", Role: "scan", CPU: 50 * time.Millisecond, Samples: 10, Rows: 1800, RowsKnown: true, RowsOut: 180, Tasks: 2},
	}, x.Operators)

	// Nothing of it is told again, not even by a task that outlives it or by a replay of its end.
	s.Task(7, 30, 31, 902, 6, 4, 10)
	s.Over(7, 31, 4, false)
	s.p.Watermark(7, jvmtest.At(40))
	s.p.JVMGone(7)
	p = a.Take()
	require.Empty(t, p.Executions)
	require.Equal(t, 10*time.Millisecond, p.JVMs[0].Known[0].CPU, "the window has it")
}

// Rows of which some tasks' are missing are no measure; failed tasks have none.
func TestRowsOfSomeTasks(t *testing.T) {
	for name, test := range map[string]struct {
		counted        int
		known, missing bool
	}{"all": {2, true, false}, "one of two": {1, false, true}} {
		t.Run(name, func(t *testing.T) {
			s, a := ledgerOf(t, pipeline.Settings{Hold: time.Second})
			s.JVMOfMinor(7, 2)
			s.Plan(7, jvmtest.At(1), 4)
			s.Stage(7, jvmtest.At(1), 6, 4)
			s.Task(7, 10, 11, 900, 6, 4, 20)
			s.Task(7, 12, 13, 901, 6, 4, 20)
			n := s.Event[7]
			s.Event[7]++
			s.p.TaskEvent(7, jvmlog.TaskEvent{Index: n, Time: jvmtest.At(14), Kind: jvmlog.TaskEnd, TID: 43, Task: 902, Stage: 6, Execution: 4, Flags: jvmlog.TaskFailed, ThreadCPUNanos: 3e6})
			s.Rows(7, 15, 6, 4, test.counted, 700)
			s.Over(7, 16, 4, false)
			s.p.Watermark(7, jvmtest.At(30))
			x := a.Take().Executions[0]
			require.Equal(t, 43*time.Millisecond, x.CPU)
			require.EqualValues(t, 3, x.Tasks)
			require.EqualValues(t, 1, x.FailedTasks)
			require.Equal(t, test.known, x.Operators[1].RowsKnown)
			require.Equal(t, test.missing, x.Operators[1].RowsMissing)
		})
	}
}

// Rows that came before their stage could be placed are lost, and what is known of the others is no
// measure.
func TestRowsThatCameBeforeTheirPlan(t *testing.T) {
	s, a := ledgerOf(t, pipeline.Settings{Hold: time.Second, PlanWait: 3 * time.Second})
	s.JVMOfMinor(7, 2)
	s.Task(7, 10, 11, 900, 6, 4, 20)
	s.Rows(7, 11.5, 6, 4, 1, 700)
	s.p.Watermark(7, jvmtest.At(14))
	s.p.Watermark(7, jvmtest.At(16))
	require.EqualValues(t, 1, s.p.Counts().UnplacedRows)
	s.Plan(7, jvmtest.At(16.5), 4)
	s.Stage(7, jvmtest.At(16.5), 6, 4)
	s.Task(7, 17, 18, 901, 6, 4, 20)
	s.Rows(7, 18.5, 6, 4, 1, 700)
	s.Over(7, 19, 4, false)
	s.p.Watermark(7, jvmtest.At(30))
	x := a.Take().Executions[0]
	scan := x.Operators[slices.IndexFunc(x.Operators, func(o OperatorCost) bool { return o.Operator == "scan@22" })]
	require.EqualValues(t, 700, scan.Rows)
	require.False(t, scan.RowsKnown)
	require.True(t, scan.RowsMissing)
}

// Many stages of one execution are added up early; their sums stay whole.
func TestStagesOfAnExecutionAreBounded(t *testing.T) {
	x := newExecutionSums()
	for i := range 10 * mostStages {
		st := x.stage(tasksample.StageID(i))
		st.ended, st.counted = 1, 1
		st.rows[costKey{"result", "scan@22"}] = pipeline.OperatorRows{Operator: "scan@22", Rows: 3}
		u := tasksample.Unit[semconv.Operator]{}
		u.Sample(semconv.Operator{Place: "result", ID: "scan@22"}, 5*time.Millisecond)
		st.statistics.Add(&u, tasksample.TierBase, 7*time.Millisecond)
		require.LessOrEqual(t, len(x.stages), mostStages)
	}
	c := x.finish(pipeline.ExecutionOver{})
	// Each stage's one sample is known to 43 % of it.
	require.InDelta(t, 10*mostStages*0.007*0.007*0.1875, c.Operators[0].Variance, 1e-8)
	c.Operators[0].Variance = 0
	require.Equal(t, []OperatorCost{{StagePlace: "result", Operator: "scan@22", CPU: 10 * mostStages * 7 * time.Millisecond, Samples: 10 * mostStages, Rows: 10 * mostStages * 3, RowsKnown: true, Tasks: 10 * mostStages}}, c.Operators)
}

// Rows of a stage without a sample are unseen: no operator has the stage's CPU. Python workers'
// CPU needs no sample.
func TestRowsOfAStageWithoutASample(t *testing.T) {
	x := newExecutionSums()
	for i, rows := range []uint64{100, 10} {
		st := x.stage(tasksample.StageID(i))
		st.ended, st.counted = 1, 1
		for k, operator := range []string{"filter@2", "python@3", "scan@1"} {
			st.rows[costKey{"result", operator}] = pipeline.OperatorRows{Operator: operator, Rows: rows * uint64(k+1)}
		}
		u := tasksample.Unit[semconv.Operator]{}
		if i == 0 {
			u.Sample(semconv.Operator{Place: "result", ID: "scan@1"}, 5*time.Millisecond)
		}
		st.statistics.Add(&u, tasksample.TierBase, 7*time.Millisecond)
	}
	python := x.cost(costKey{"result", "python@3"}, operatorName{}, 0)
	python.CPU, python.Python = 5*time.Millisecond, 5*time.Millisecond
	c := x.finish(pipeline.ExecutionOver{})
	c.Operators[2].Variance = 0
	require.Equal(t, []OperatorCost{
		{StagePlace: "result", Operator: "filter@2", Rows: 110, Unseen: 10, RowsKnown: true, Tasks: 2},
		{StagePlace: "result", Operator: "python@3", CPU: 5 * time.Millisecond, Python: 5 * time.Millisecond, Rows: 220, RowsKnown: true, Tasks: 2},
		{StagePlace: "result", Operator: "scan@1", CPU: 7 * time.Millisecond, Samples: 1, Rows: 330, Unseen: 30, RowsKnown: true, Tasks: 2},
	}, c.Operators)
}

// A join knows the rows of its broadcast table from the stage that gave them.
func TestBuildOfAJoin(t *testing.T) {
	x := newExecutionSums()
	x.stage(3).rows[costKey{"broadcast>join@1", "broadcast@2"}] = pipeline.OperatorRows{Operator: "broadcast@2", Rows: 500}
	x.stage(3).rows[costKey{"broadcast>join@1", "scan@4"}] = pipeline.OperatorRows{Operator: "scan@4", Rows: 900, Above: "broadcast@2"}
	x.stage(5).rows[costKey{"result", "join@1"}] = pipeline.OperatorRows{Operator: "join@1", Rows: 70, Build: "broadcast@2"}
	got := map[string]uint64{}
	for _, o := range x.finish(pipeline.ExecutionOver{}).Operators {
		got[o.Operator] = o.Build
	}
	require.Equal(t, map[string]uint64{"broadcast@2": 0, "scan@4": 0, "join@1": 500}, got)
}

// An operator that AQE gave another physical class goes by the one that did most.
func TestNameOfAnOperatorThatChanged(t *testing.T) {
	x := newExecutionSums()
	for name, cpu := range map[string]time.Duration{"SortMergeJoin a": 3, "BroadcastHashJoin a": 5, "ShuffledHashJoin a": 4} {
		x.cost(costKey{"result", "join@1"}, operatorName{name, "join"}, cpu).CPU += cpu
	}
	x.cost(costKey{"result", "sort@2"}, operatorName{"Sort b", "sort"}, 0)
	x.cost(costKey{"result", "sort@2"}, operatorName{"Sort a", "sort"}, 0)
	require.Equal(t, []OperatorCost{
		{StagePlace: "result", Operator: "join@1", OperatorName: "BroadcastHashJoin a", Role: "join", CPU: 12},
		{StagePlace: "result", Operator: "sort@2", OperatorName: "Sort a", Role: "sort"},
	}, x.finish(pipeline.ExecutionOver{}).Operators)
}

// An execution keeps its own query, whatever plan its Python node is of.
func TestQueryOfAnExecutionWithAnotherPlansPython(t *testing.T) {
	x := newExecutionSums()
	x.task(&pipeline.TaskCPU{Labels: pipeline.Labels{Execution: 5, Query: "q1-reader", QueryName: "reader", Plan: "p1-reader"}, CPU: 7 * ms})
	x.python(&pipeline.Outside{Labels: pipeline.Labels{Execution: 5, Query: "q1-stream", QueryName: "stream", Plan: "p1-stream", Operator: "python@1", OperatorName: "MapInPandas f", Group: pipeline.GroupChildren}, CPU: 30 * ms})
	got := x.finish(pipeline.ExecutionOver{})
	require.Equal(t, []string{"q1-reader", "reader", "p1-reader"}, []string{got.Labels.Query, got.Labels.QueryName, got.Labels.Plan})
	require.Equal(t, 37*ms, got.CPU)
}

// Workers' CPU is their operator's. The CPU of the threads that feed them is no operator's; of an
// execution's cost it is the JVM's part.
func TestCostOfPython(t *testing.T) {
	acc := New(Settings{Executions: true})
	l := pipeline.Labels{JVM: 7, Query: "q1-py", QueryName: "python", Execution: 9, Stage: 20, StagePlace: "result", Task: -1, Partition: -1}
	worker, feed := l, l
	worker.Operator, worker.OperatorName, worker.Role, worker.Group = "python@slow", "BatchEvalPython slow", "python", pipeline.GroupChildren
	feed.Bucket, feed.Group = pipeline.BucketPythonFeed, pipeline.GroupThreads
	acc.Task(pipeline.TaskCPU{Labels: l, Of: pipeline.Task{ID: 50, Stage: 20, Execution: 9}, CPU: ms, KernelSampled: true})
	acc.Outside(pipeline.Outside{Labels: worker, CPU: 300 * ms})
	acc.Outside(pipeline.Outside{Labels: worker, CPU: 10 * ms})
	acc.Outside(pipeline.Outside{Labels: feed, CPU: 70 * ms})
	acc.ExecutionOver(pipeline.ExecutionOver{JVM: 7, Execution: 9})
	p := acc.Take()
	require.Len(t, p.Executions, 1)
	require.Equal(t, 381*ms, p.Executions[0].CPU)
	require.Equal(t, []OperatorCost{
		{StagePlace: "result", Operator: "[python feed]", OperatorName: "[python feed]", CPU: 70 * ms},
		{StagePlace: "result", Operator: "python@slow", OperatorName: "BatchEvalPython slow", Role: "python", CPU: 310 * ms, Python: 310 * ms},
	}, p.Executions[0].Operators)
	require.Equal(t, []KnownCost{
		{Query: "q1-py", QueryName: "python", CPU: 71 * ms, Python: 310 * ms},
		{Query: "q1-py", QueryName: "python", StagePlace: "result", Bucket: pipeline.BucketPythonFeed, CPU: 70 * ms},
		{Query: "q1-py", QueryName: "python", StagePlace: "result", Operator: "python@slow", OperatorName: "BatchEvalPython slow", Python: 310 * ms},
	}, p.JVMs[0].Known)
}

// An execution that lost its plan while it ran is told as one that was not sampled: its CPU is
// whole, its operators' is not.
func TestExecutionThatLostItsPlan(t *testing.T) {
	s, a := ledgerOf(t, pipeline.Settings{Hold: time.Second, MaxExecutions: 2})
	s.JVMOfMinor(7, 2)
	for execution := range 2 {
		s.Plan(7, jvmtest.At(1), execution)
		s.Stage(7, jvmtest.At(1), 6, execution)
		s.Task(7, 10, 11, 900+execution, 6, execution, 20)
	}
	s.p.Watermark(7, jvmtest.At(14))
	s.Plan(7, jvmtest.At(15), 2) // the first is forgotten for it
	for execution := range 2 {
		s.Task(7, 16, 17, 910+execution, 6, execution, 20)
		s.Over(7, 18, execution, false)
	}
	s.p.JVMGone(7)
	got := a.Take().Executions
	require.Len(t, got, 2)
	for execution, lost := range []bool{true, false} {
		x := got[execution]
		require.Equal(t, lost, x.LeftOut)
		require.Equal(t, fmt.Sprintf("q1-of%d", execution), x.Labels.Query)
		require.Equal(t, 40*time.Millisecond, x.CPU)
	}
}
