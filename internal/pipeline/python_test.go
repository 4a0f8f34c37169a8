package pipeline

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// pythonPlan makes a plan of one stage known whose nodes run the functions, each in a node of its
// own with the metrics 60, 61 …
func (s *scenario) pythonPlan(execution, stage int, functions ...string) {
	nodes, accumulators := "", []tasksample.AccumulatorID{}
	for i, f := range functions {
		if i > 0 {
			nodes += ","
		}
		nodes += fmt.Sprintf(`{"parent": %d, "class": "org.apache.spark.sql.execution.python.BatchEvalPythonExec", "name": "BatchEvalPython",
			"text": "BatchEvalPython [%s(id#0L)#%d], [pythonUDF0#5]", "operator": "python@%s", "operator_name": "BatchEvalPython %s", "role": "python",
			"stage": "result", "metrics": [{"id": %d, "name": "data sent to Python workers", "type": "size"}]}`, i-1, f, i, f, f, 60+i)
		accumulators = append(accumulators, tasksample.AccumulatorID(60+i))
	}
	s.p.Record(7, jvmtest.At(1), &jvmlog.Dictionary{Execution: tasksample.ExecutionID(execution), JSON: []byte(fmt.Sprintf(
		`{"version": 1, "execution_id": %d, "update": 0, "query": "q1-py", "query_name": "python", "plan": "p1-py", "nodes": [%s]}`, execution, nodes))})
	s.p.Record(7, jvmtest.At(1), &jvmlog.Stage{Stage: tasksample.StageID(stage), Execution: tasksample.ExecutionID(execution), Accumulators: accumulators})
}

// pythonTask runs a task on a thread of its own.
func (s *scenario) pythonTask(task, stage, execution int, from, to float64) {
	tid := uint32(task)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(from), tid, task, stage, execution, jvmtest.Clocks{})
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(to), tid, task, stage, execution, jvmtest.Clocks{CPU: 1})
}

// bounded is CPU with its bounds.
type bounded struct{ cpu, below, above time.Duration }

// workers plays a scenario in which Python workers use CPU, and returns it by the labels under
// which it stands.
func workers(t *testing.T, play func(*scenario)) (map[string]bounded, Processes, Counts) {
	s, told := newTelling(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	play(s)
	s.p.Finish()
	out := map[string]bounded{}
	for _, o := range told.outside {
		if o.Group == GroupChildren {
			require.EqualValues(t, -1, o.Task, "workers belong to no single task")
			require.Equal(t, FramePython, o.Stack[0].Type)
			key := fmt.Sprintf("%s %s %d %s", o.Name(), o.Query, o.Stage, o.Stack[0].Name)
			b := out[key]
			out[key] = bounded{b.cpu + o.CPU, b.below + o.Below, b.above + o.Above}
		}
	}
	return out, told.sums, s.p.Counts()
}

func (s *scenario) used(moment float64, worker time.Duration) { s.started(moment, worker, 0) }

// started is an account of workers of which so many have been started until then.
func (s *scenario) started(moment float64, worker time.Duration, workers uint64) {
	s.p.Account(7, jvmtest.At(moment), Account{Workers: worker, Started: workers})
}

func TestWorkersOfOnePythonNode(t *testing.T) {
	got, totals, counts := workers(t, func(s *scenario) {
		s.pythonPlan(9, 20, "slow")
		s.pythonTask(50, 20, 9, 10, 12)
		s.pythonTask(51, 20, 9, 11, 13)
		s.pythonTask(52, 6, 4, 10, 13) // of another query, without Python
		s.used(9, 0)
		s.used(11, 300*ms)
		s.used(12.5, 700*ms)
		s.used(14, 710*ms) // the last task ended in between
		s.used(15, 713*ms) // nothing ran any more, a worker tidied up
		s.used(15.5, 713*ms)
		s.used(17, 718*ms) // too late for that
	})
	require.Equal(t, map[string]bounded{
		"BatchEvalPython slow q1-py 20 python worker slow": {cpu: 713 * ms},
		"[python worker]  -1 python worker":                {cpu: 5 * ms},
	}, got)
	require.Equal(t, 718*ms, totals.Workers)
	require.Equal(t, 5*ms, totals.Unplaced)
	require.Equal(t, 718*ms, totals.Children)
	require.EqualValues(t, 1, counts.UnplacedPython)
}

// Two nodes of one stage run at once, in workers of their own: it is not known which of them used
// the CPU.
func TestWorkersOfTwoPythonNodes(t *testing.T) {
	got, totals, _ := workers(t, func(s *scenario) {
		s.pythonPlan(9, 20, "first", "second")
		s.pythonTask(50, 20, 9, 10, 12)
		s.used(9, 0)
		s.used(11, 300*ms)
		s.used(11.5, 340*ms)
	})
	require.Equal(t, map[string]bounded{
		"[python worker] q1-py 20 python worker":               {cpu: 340 * ms},
		"BatchEvalPython first q1-py 20 python worker first":   {above: 340 * ms},
		"BatchEvalPython second q1-py 20 python worker second": {above: 340 * ms},
	}, got, "the stage is known, the node is not")
	require.Equal(t, 340*ms, totals.Unplaced)
}

func TestWorkersOfTwoStages(t *testing.T) {
	got, totals, _ := workers(t, func(s *scenario) {
		s.pythonPlan(9, 20, "slow")
		s.pythonPlan(10, 21, "slow") // the same query a second time
		s.pythonPlan(11, 22, "other")
		s.pythonTask(50, 20, 9, 10, 12)
		s.pythonTask(51, 21, 10, 11, 14)
		s.pythonTask(52, 22, 11, 13, 15)
		s.used(9, 0)
		s.used(10.5, 100*ms) // the first stage alone
		s.used(11.5, 300*ms) // both stages of the same query: the same place
		s.used(13.5, 700*ms) // two functions
		s.used(14.5, 1500*ms)
	})
	require.Equal(t, map[string]bounded{
		"BatchEvalPython slow q1-py 20 python worker slow":   {cpu: 300 * ms, above: 400 * ms},
		"BatchEvalPython slow q1-py 21 python worker slow":   {above: 800 * ms},
		"BatchEvalPython other q1-py 22 python worker other": {above: 1200 * ms},
		"[python worker] q1-py -1 python worker":             {cpu: 1200 * ms},
	}, got, "what they have in common is the query")
	require.Equal(t, 1200*ms, totals.Unplaced)
}

// Stages that ran one after the other between two readings divide the CPU by their tasks' time: 1 s
// of two tasks to 0.5 s of one. A stage without Python has none of it.
func TestWorkersOfStagesInTurn(t *testing.T) {
	got, totals, _ := workers(t, func(s *scenario) {
		s.pythonPlan(9, 20, "first")
		s.pythonPlan(10, 21, "second")
		s.pythonTask(50, 20, 9, 10, 11)
		s.pythonTask(51, 20, 9, 10, 11)
		s.pythonTask(52, 6, 4, 10, 12)
		s.pythonTask(53, 21, 10, 11.5, 12.5)
		s.used(10, 0)
		s.used(12, 1000*ms)
		s.used(12.4, 1300*ms)
	})
	require.Equal(t, map[string]bounded{
		"BatchEvalPython first q1-py 20 python worker first":   {cpu: 800 * ms, below: 800 * ms, above: 200 * ms},
		"BatchEvalPython second q1-py 21 python worker second": {cpu: 500 * ms, below: 200 * ms, above: 800 * ms},
	}, got)
	require.Zero(t, totals.Unplaced)
}

// What a worker used last is read while the next stage runs, whose plan has no Python.
func TestWorkersBeforeAStageWithoutPython(t *testing.T) {
	got, _, _ := workers(t, func(s *scenario) {
		s.pythonPlan(9, 20, "slow")
		s.pythonTask(50, 20, 9, 10, 11)
		s.p.Record(7, jvmtest.At(1), &jvmlog.Stage{Stage: 21, Execution: 4, Accumulators: []tasksample.AccumulatorID{90}})
		s.p.Record(7, jvmtest.At(1), &jvmlog.Dictionary{Execution: 4, JSON: []byte(`{"version": 1, "execution_id": 4, "update": 0, "query": "q1-x", "query_name": "x", "plan": "p1-x",
			"nodes": [{"parent": -1, "class": "Sort", "name": "Sort", "text": "Sort", "operator": "sort@1", "operator_name": "Sort x", "role": "sort", "stage": "result",
			"metrics": [{"id": 90, "name": "sort time", "type": "timing"}]}]}`)})
		s.pythonTask(51, 21, 4, 11.5, 12.5)
		s.used(10, 0)
		s.used(11.2, 300*ms)
		s.used(12.4, 309*ms)
	})
	require.Equal(t, map[string]bounded{"BatchEvalPython slow q1-py 20 python worker slow": {cpu: 309 * ms}}, got)
}

// A worker that starts while no task runs plans a query on the driver. What one of the tasks'
// workers uses then is its stage's.
func TestAWorkerThatPlansAQuery(t *testing.T) {
	got, totals, _ := workers(t, func(s *scenario) {
		s.pythonPlan(9, 20, "slow")
		s.pythonTask(50, 20, 9, 10, 11)
		s.started(10, 0, 1)
		s.started(11, 300*ms, 2)
		s.started(11.5, 310*ms, 2)
		s.started(12, 350*ms, 3)
		s.started(12.5, 355*ms, 3)
	})
	require.Equal(t, map[string]bounded{
		"BatchEvalPython slow q1-py 20 python worker slow": {cpu: 310 * ms},
		"[python worker]  -1 python worker":                {cpu: 45 * ms},
	}, got)
	require.Equal(t, 45*ms, totals.Unplaced)
}

// A stage that reads an RDD may run Python for it, if no other stage has a Python node.
func TestWorkersOfAnRDDInSQL(t *testing.T) {
	play := func(other bool) func(*scenario) {
		return func(s *scenario) {
			s.p.Record(7, jvmtest.At(1), &jvmlog.Dictionary{Execution: 9, JSON: []byte(`{"version": 1, "execution_id": 9, "update": 0, "query": "q1-rdd", "query_name": "made", "plan": "p1-rdd",
				"nodes": [{"parent": -1, "class": "org.apache.spark.sql.execution.RDDScanExec", "name": "Scan ExistingRDD", "text": "Scan ExistingRDD[x#97L]", "operator": "scan@rdd",
				"operator_name": "Scan x", "role": "scan", "stage": "result", "metrics": [{"id": 70, "name": "number of output rows", "type": "sum"}]}]}`)})
			s.p.Record(7, jvmtest.At(1), &jvmlog.Stage{Stage: 20, Execution: 9, Accumulators: []tasksample.AccumulatorID{70}})
			s.pythonTask(50, 20, 9, 10, 12)
			if other {
				s.pythonPlan(10, 21, "slow")
				s.pythonTask(51, 21, 10, 10, 12)
			}
			s.used(9, 0)
			s.used(11, 300*ms)
		}
	}
	got, _, _ := workers(t, play(false))
	require.Equal(t, map[string]bounded{"Scan x q1-rdd 20 python worker": {cpu: 300 * ms}}, got)
	got, _, _ = workers(t, play(true))
	require.Equal(t, map[string]bounded{"BatchEvalPython slow q1-py 21 python worker slow": {cpu: 300 * ms}}, got)
}

// Spark 3.5 computes the rows for a worker on a thread of its own. Its CPU is of the stage that the
// worker serves, since threads were read last, and no operator's.
func TestFeedOfWorkers(t *testing.T) {
	s, out := newTelling(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.pythonPlan(9, 20, "slow")
	s.pythonTask(50, 20, 9, 10, 12)
	feed := func(moment float64, worker, threads time.Duration) {
		s.p.Account(7, jvmtest.At(moment), Account{Process: threads, Workers: worker, Threads: map[string]time.Duration{"stdout writer f": threads}})
	}
	feed(9, 0, 0)
	s.used(11, 300*ms)
	s.used(12.5, 310*ms)
	feed(13, 310*ms, 70*ms)
	s.p.Finish()
	require.Equal(t, map[string]time.Duration{"children BatchEvalPython slow q1-py 20": 310 * ms, "threads [python feed] q1-py 20": 70 * ms}, out.byGroup())
}

// byGroup is the CPU outside of tasks by its labels.
func (o *told) byGroup() map[string]time.Duration {
	got := map[string]time.Duration{}
	for _, x := range o.outside {
		got[fmt.Sprintf("%s %s %s %d", x.Group, x.Name(), x.Query, x.Stage)] += x.CPU
	}
	return got
}

// What feeds the worker of an RDD's function is its job's, and not the operator that stands for the
// stage.
func TestFeedOfAnRDD(t *testing.T) {
	s, out := newTelling(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.StageInfo(7, jvmtest.At(10), 30)
	s.pythonTask(50, 30, -1, 10, 12)
	for i, cpu := range []time.Duration{0, 70 * ms} {
		s.p.Account(7, jvmtest.At(9+2*float64(i)), Account{Process: cpu, Threads: map[string]time.Duration{"stdout writer f": cpu}})
	}
	s.p.Finish()
	require.Equal(t, map[string]time.Duration{"threads [python feed] r1-30 30": 70 * ms}, out.byGroup())
}

// A function of an RDD has no plan; its stage is known where it is the only one.
func TestWorkersOutsideOfSQL(t *testing.T) {
	got, _, _ := workers(t, func(s *scenario) {
		s.pythonTask(50, 30, -1, 10, 12)
		s.used(9, 0)
		s.used(11, 300*ms)
	})
	require.Equal(t, map[string]bounded{"[python worker]  30 python worker": {cpu: 300 * ms}}, got)
	got, _, _ = workers(t, func(s *scenario) {
		s.StageInfo(7, jvmtest.At(10), 30)
		s.pythonTask(50, 30, -1, 10, 12)
		s.used(9, 0)
		s.used(11, 300*ms)
	})
	require.Equal(t, map[string]bounded{"reduceByKey at etl.py r1-30 30 python worker": {cpu: 300 * ms}}, got, "the driver has named the stage")
}

// Workers' CPU waits for the plan as samples do.
func TestWorkersWaitForThePlan(t *testing.T) {
	s, out := newTelling(Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.JVM(7, sampler.ModeSelfOpened)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 20, 9, jvmtest.Clocks{})
	s.used(9, 0)
	s.used(11, 300*ms)
	s.p.Watermark(7, jvmtest.At(13))
	require.Zero(t, out.sums.Workers)
	s.pythonPlan(9, 20, "slow")
	s.p.Watermark(7, jvmtest.At(14))
	require.Equal(t, 300*ms, out.sums.Workers)
	require.Len(t, out.outside, 1)
	require.Equal(t, "python@slow", out.outside[0].Operator)
	require.Equal(t, "result", out.outside[0].StagePlace)
}

func TestPythonFunctions(t *testing.T) {
	for text, want := range map[string]string{
		"BatchEvalPython [slow(id#0L)#3], [pythonUDF0#5L]":                 "slow",
		"ArrowEvalPython [f(g(a#1)#2)#3, h(b#2)#4], [x#5, y#6], 200":       "f, g, h",
		"MapInPandas scale(id#0L)#7, [x#9L], false":                        "scale",
		"FlatMapGroupsInPandas [k#1], total(k#1, v#2)#3, [k#4, s#5]":       "total",
		"BatchEvalPython [<lambda>(id#0L)#3], [pythonUDF0#5L]":             "<lambda>",
		"BatchEvalPython [a(x#1)#2, b(x#1)#2, c(x#1)#2, d(x#1)#2], [z#9L]": "a, b, c, …",
		"BatchEvalPython": "",
		"":                "",
	} {
		require.Equal(t, want, pythonFunctions(text), "%q", text)
	}
}
