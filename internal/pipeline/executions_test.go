package pipeline

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// ledgerOf is a pipeline into an accumulator that keeps executions; got sees all of it too.
func ledgerOf(t *testing.T, settings Settings) (*scenario, *Accumulator) {
	a := NewAccumulator(AccumulatorSettings{Executions: true})
	s := newScenario(t, settings)
	s.p = New(settings, a)
	return s, a
}

// tellingJVM announces a JVM whose agent tells the ends of executions, or is too old to.
func (s *scenario) tellingJVM(id sampler.JVMID, tells bool) {
	minor := uint16(tellsEnds - 1)
	if tells {
		minor = tellsEnds
	}
	s.p.JVMFound(sampler.JVM{ID: id, PID: 1000 + int(id), Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{Minor: minor}})
	s.code(id)
}

// task runs one task of execution 4 or another on a thread of its own: cpu ms, of which one sample
// in the scan for each 5 ms.
func (s *scenario) task(id sampler.JVMID, from, to float64, task, stage, execution, cpu int) {
	tid := uint32(task)
	s.p.Thread(id, jvmlog.Thread{TID: tid, StartTime: at(from), BasePeriodNS: 5_000_000})
	s.taskEvent(id, jvmlog.TaskStart, at(from), tid, task, stage, execution, clocksAt{0, 0})
	for i := range cpu / 5 {
		s.sample(id, at(from+(to-from)*float64(i+1)/float64(cpu/5+1)), tid, scanCode+9)
	}
	s.taskEvent(id, jvmlog.TaskEnd, at(to), tid, task, stage, execution, clocksAt{uint64(cpu), 0})
}

func (s *scenario) rows(id sampler.JVMID, t float64, stage, execution, tasks int, rows int64) {
	s.p.Record(id, at(t), &jvmlog.Rows{StageID: tasksample.StageID(stage), ExecutionID: tasksample.ExecutionID(execution), Tasks: uint32(tasks),
		Accumulated: []jvmlog.Accumulated{{ID: 51, Sum: rows / 10}, {ID: 52, Sum: rows}}})
}

func (s *scenario) over(id sampler.JVMID, t float64, execution int, failed bool) {
	s.p.Record(id, at(t), &jvmlog.ExecutionEnd{ExecutionID: tasksample.ExecutionID(execution), Failed: failed, UnixNano: 1_700_000_000_000_000_007})
}

// An execution over two windows: what it cost is told once, whole, when its end was told and
// everything before that was delivered.
func TestExecutionOverWindows(t *testing.T) {
	s, a := ledgerOf(t, Settings{Hold: time.Second})
	s.tellingJVM(7, true)
	s.plan(7, at(1), 4)
	s.stage(7, at(1), 6, 4)
	s.task(7, 10, 11, 900, 6, 4, 20)
	s.rows(7, 11.5, 6, 4, 1, 700)
	s.p.Watermark(7, at(20))
	p := a.Take()
	require.Empty(t, p.Executions, "it is not over")
	require.Equal(t, []KnownCost{
		{Query: "q1-of4", QueryName: "query 4", CPU: 20 * time.Millisecond},
		{Query: "q1-of4", QueryName: "query 4", StagePlace: "exchange>result", Operator: "exchange@11", OperatorName: "ShuffleExchange a (write)", Rows: 70},
		{Query: "q1-of4", QueryName: "query 4", StagePlace: "exchange>result", Operator: "scan@22", OperatorName: "Scan t", Rows: 700},
	}, p.JVMs[0].Known)

	s.task(7, 21, 22, 901, 6, 4, 30)
	s.rows(7, 22.5, 6, 4, 1, 1100)
	s.over(7, 22.6, 4, false)
	s.p.Watermark(7, at(24))
	require.Empty(t, a.Take().Executions, "samples of it may still come")
	s.p.Watermark(7, at(26))
	p = a.Take()
	require.Len(t, p.Executions, 1)
	x := p.Executions[0]
	require.Equal(t, Labels{JVM: 7, Query: "q1-of4", QueryName: "query 4", Plan: "p1-of4", Execution: 4, Stage: NoStage, Task: -1, Partition: -1}, x.Labels)
	require.Equal(t, ExecutionOver{JVM: 7, Execution: 4, How: EndTold, End: time.Unix(0, 1_700_000_000_000_000_007), LastTask: at(22.5)}, x.Over)
	require.Equal(t, 50*time.Millisecond, x.CPU)
	require.EqualValues(t, 2, x.Tasks)
	// All of ten samples: p(1-p)/n at p = 10.5/11.
	require.InDelta(t, 0.05*0.05*10.5*0.5/11/11/10, x.Operators[1].Variance, 1e-10)
	x.Operators[1].Variance = 0
	require.Equal(t, []OperatorCost{
		{StagePlace: "exchange>result", Operator: "exchange@11", OperatorName: "ShuffleExchange a (write)", Role: "exchange", Rows: 180, RowsKnown: true},
		{StagePlace: "exchange>result", Operator: "scan@22", OperatorName: "Scan t", Role: "scan", CPU: 50 * time.Millisecond, Samples: 10, Rows: 1800, RowsKnown: true},
	}, x.Operators)

	// Nothing of it is told again, not even by a task that outlives it or by a replay of its end.
	s.task(7, 30, 31, 902, 6, 4, 10)
	s.over(7, 31, 4, false)
	s.p.Watermark(7, at(40))
	s.p.JVMGone(7)
	p = a.Take()
	require.Empty(t, p.Executions)
	require.Equal(t, 10*time.Millisecond, p.JVMs[0].Known[0].CPU, "the window has it")
}

// The end of a short execution comes before its tasks, which are of the same reading.
func TestEndBeforeTasks(t *testing.T) {
	s, a := ledgerOf(t, Settings{Hold: time.Second})
	s.tellingJVM(7, true)
	s.plan(7, at(1), 4)
	s.stage(7, at(1), 6, 4)
	s.over(7, 10.3, 4, true)
	s.over(7, 10.3, 5, false) // no task of it ran here
	s.task(7, 10, 10.2, 900, 6, 4, 5)
	s.p.Watermark(7, at(10.5))
	s.p.Watermark(7, at(14))
	p := a.Take()
	require.Len(t, p.Executions, 1)
	require.True(t, p.Executions[0].Over.Failed)
	require.Equal(t, 5*time.Millisecond, p.Executions[0].CPU)
	require.Empty(t, s.p.jvms[7].executions.open)
}

// An end waits for samples that wait for their plan.
func TestEndWaitsForThePlan(t *testing.T) {
	s, a := ledgerOf(t, Settings{Hold: time.Second, PlanWait: 20 * time.Second})
	s.tellingJVM(7, true)
	s.stage(7, at(1), 6, 4)
	s.task(7, 10, 11, 900, 6, 4, 20)
	s.rows(7, 11.1, 6, 4, 1, 700)
	s.over(7, 11.2, 4, false)
	s.p.Watermark(7, at(20))
	require.Empty(t, a.Take().Executions)
	s.plan(7, at(20.5), 4)
	s.p.Watermark(7, at(21))
	p := a.Take()
	require.Len(t, p.Executions, 1)
	require.Equal(t, "q1-of4", p.Executions[0].Labels.Query)
	require.Equal(t, 20*time.Millisecond, p.Executions[0].Operators[1].CPU)
	require.EqualValues(t, 700, p.Executions[0].Operators[1].Rows)
	require.Zero(t, s.p.Counts().UnplacedRows)
}

// How an execution ends that no one tells the end of.
func TestEndsThatNobodyTold(t *testing.T) {
	for name, test := range map[string]struct {
		tells  bool
		play   func(*scenario)
		how    EndOfExecution
		ends   bool
		counts Counts
	}{
		"no task for long, old agent": {false, func(s *scenario) { s.p.Watermark(7, at(11+60+1+2+10)) }, EndIdle, true, Counts{IdleEnds: 1}},
		"not yet":                     {false, func(s *scenario) { s.p.Watermark(7, at(11+60+1+2+9)) }, 0, false, Counts{}},
		"new agent will tell":         {true, func(s *scenario) { s.p.Watermark(7, at(5000)) }, 0, false, Counts{}},
		"a long task": {false, func(s *scenario) {
			s.taskEvent(7, jvmlog.TaskStart, at(12), 41, 901, 6, 4, clocksAt{1, 0})
			s.p.Watermark(7, at(5000))
		}, 0, false, Counts{}},
		"with its JVM":    {true, func(s *scenario) { s.p.Watermark(7, at(20.9)); s.p.JVMGone(7) }, EndWithJVM, true, Counts{}},
		"left by its JVM": {true, func(s *scenario) { s.p.Watermark(7, at(21.1)); s.p.JVMGone(7) }, EndLeft, true, Counts{}},
		"with a local master": {true, func(s *scenario) {
			s.p.Record(7, at(12), &jvmlog.Application{JSON: []byte(`{"application_id": "local-3", "executor_id": "driver"}`)})
			s.p.Watermark(7, at(500))
			s.p.JVMGone(7)
		}, EndWithJVM, true, Counts{}},
		"cut short": {true, func(s *scenario) {
			s.taskEvent(7, jvmlog.TaskStart, at(11), 41, 901, 6, 4, clocksAt{1, 0})
			s.p.Watermark(7, at(13))
			s.p.JVMGone(7)
		}, EndLeft, true, Counts{}},
		"cut short with a local master": {true, func(s *scenario) {
			s.p.Record(7, at(12), &jvmlog.Application{JSON: []byte(`{"application_id": "local-3", "executor_id": "driver"}`)})
			s.taskEvent(7, jvmlog.TaskStart, at(12), 41, 901, 6, 4, clocksAt{1, 0})
			s.p.Watermark(7, at(13))
			s.p.JVMGone(7)
		}, 0, false, Counts{CutExecutions: 1}},
		"pushed out": {true, func(s *scenario) {
			s.task(7, 13, 14, 901, 8, 5, 5)
			s.task(7, 15, 16, 902, 9, 6, 5)
			s.p.Watermark(7, at(18))
		}, EndLeft, true, Counts{EarlyEnds: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s, a := ledgerOf(t, Settings{Hold: time.Second, ExecutionIdle: time.Minute, MaxExecutions: 2})
			s.tellingJVM(7, test.tells)
			s.plan(7, at(1), 4)
			s.stage(7, at(1), 6, 4)
			s.task(7, 10, 11, 900, 6, 4, 20)
			s.p.Watermark(7, at(12.5))
			test.play(s)
			p := a.Take()
			got := s.p.Counts()
			require.Equal(t, test.counts, Counts{IdleEnds: got.IdleEnds, EarlyEnds: got.EarlyEnds, CutExecutions: got.CutExecutions})
			if !test.ends {
				require.Empty(t, p.Executions)
				return
			}
			require.Len(t, p.Executions, 1)
			require.Equal(t, ExecutionOver{JVM: 7, Execution: 4, How: test.how, LastTask: at(11)}, p.Executions[0].Over)
			require.Equal(t, 20*time.Millisecond, p.Executions[0].CPU)
		})
	}
}

// Rows of which some tasks' are missing are no measure; failed tasks have none.
func TestRowsOfSomeTasks(t *testing.T) {
	for name, test := range map[string]struct {
		counted        int
		known, missing bool
	}{"all": {2, true, false}, "one of two": {1, false, true}} {
		t.Run(name, func(t *testing.T) {
			s, a := ledgerOf(t, Settings{Hold: time.Second})
			s.tellingJVM(7, true)
			s.plan(7, at(1), 4)
			s.stage(7, at(1), 6, 4)
			s.task(7, 10, 11, 900, 6, 4, 20)
			s.task(7, 12, 13, 901, 6, 4, 20)
			n := s.event[7]
			s.event[7]++
			s.p.TaskEvent(7, jvmlog.TaskEvent{Index: n, Time: at(14), Kind: jvmlog.TaskEnd, TID: 43, Task: 902, Stage: 6, Execution: 4, Flags: jvmlog.TaskFailed, ThreadCPUNanos: 3e6})
			s.rows(7, 15, 6, 4, test.counted, 700)
			s.over(7, 16, 4, false)
			s.p.Watermark(7, at(30))
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
	s, a := ledgerOf(t, Settings{Hold: time.Second, PlanWait: 3 * time.Second})
	s.tellingJVM(7, true)
	s.task(7, 10, 11, 900, 6, 4, 20)
	s.rows(7, 11.5, 6, 4, 1, 700)
	s.p.Watermark(7, at(14))
	s.p.Watermark(7, at(16))
	require.EqualValues(t, 1, s.p.Counts().UnplacedRows)
	s.plan(7, at(16.5), 4)
	s.stage(7, at(16.5), 6, 4)
	s.task(7, 17, 18, 901, 6, 4, 20)
	s.rows(7, 18.5, 6, 4, 1, 700)
	s.over(7, 19, 4, false)
	s.p.Watermark(7, at(30))
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
		st.rows[costKey{"result", "scan@22"}] = OperatorRows{Operator: "scan@22", Rows: 3}
		u := tasksample.Unit[semconv.Operator]{}
		u.Sample(semconv.Operator{Place: "result", ID: "scan@22"}, 5*time.Millisecond)
		st.statistics.Add(&u, tasksample.TierBase, 7*time.Millisecond)
		require.LessOrEqual(t, len(x.stages), mostStages)
	}
	c := x.finish(ExecutionOver{})
	// Each stage's one sample is known to 43 % of it.
	require.InDelta(t, 10*mostStages*0.007*0.007*0.1875, c.Operators[0].Variance, 1e-8)
	c.Operators[0].Variance = 0
	require.Equal(t, []OperatorCost{{StagePlace: "result", Operator: "scan@22", CPU: 10 * mostStages * 7 * time.Millisecond, Samples: 10 * mostStages, Rows: 10 * mostStages * 3, RowsKnown: true}}, c.Operators)
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
	}, x.finish(ExecutionOver{}).Operators)
}

// Without a plan rows say nothing and are counted; outside SQL no one waits for them.
func TestRowsWithoutPlan(t *testing.T) {
	s, a := ledgerOf(t, Settings{Hold: time.Second, PlanWait: 3 * time.Second})
	s.tellingJVM(7, true)
	s.task(7, 10, 11, 900, 6, 4, 20)
	s.rows(7, 11.5, 6, 4, 1, 700)
	s.rows(7, 11.5, 6, int(tasksample.NoExecution), 1, 700)
	s.p.Watermark(7, at(14))
	require.Zero(t, s.p.Counts().UnplacedRows)
	s.p.Watermark(7, at(16))
	require.EqualValues(t, 1, s.p.Counts().UnplacedRows)
	require.Len(t, a.Take().JVMs[0].Known, 1)
}
