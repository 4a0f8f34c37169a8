package pipeline

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// readerPlan makes a plan known that reads an RDD (metric 62).
func (s *scenario) readerPlan(at jvmlog.MonoTime, execution int) {
	s.p.Record(7, at, &jvmlog.Dictionary{Execution: tasksample.ExecutionID(execution), JSON: []byte(fmt.Sprintf(`{"version": 1, "execution_id": %d, "update": 0,
		"query": "q1-reader", "query_name": "reader", "plan": "p1-reader", "nodes": [
		{"parent": -1, "class": "org.apache.spark.sql.execution.RDDScanExec", "name": "Scan ExistingRDD", "text": "Scan ExistingRDD[a#1]",
		 "operator": "scan@33", "operator_name": "Scan", "role": "scan", "codegen": -1, "stage": "result", "metrics": [{"id": 62, "name": "number of output rows", "type": "sum"}]}]}`,
		execution))})
}

func (s *scenario) accumulators(at jvmlog.MonoTime, stage, execution int, ids ...tasksample.AccumulatorID) {
	s.p.Record(7, at, &jvmlog.Stage{Stage: tasksample.StageID(stage), Execution: tasksample.ExecutionID(execution), Accumulators: ids})
}

// TestPlanOfAnotherExecution: the stages of executions 5 and of none run the scan of execution 4.
// Its operator goes with its own query, plan and place; the execution is the one that ran it.
func TestPlanOfAnotherExecution(t *testing.T) {
	s := newScenario(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.readerPlan(jvmtest.At(1), 5)
	s.Plan(7, jvmtest.At(2), 4)
	s.accumulators(jvmtest.At(3), 6, 5, 52, 62)
	s.accumulators(jvmtest.At(3), 8, -1, 52)
	s.accumulators(jvmtest.At(3), 9, -1, 777)
	for i, task := range []struct{ stage, execution int }{{6, 5}, {8, -1}, {9, -1}} {
		tid := uint32(41 + i)
		s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), tid, 900+i, task.stage, task.execution, jvmtest.Clocks{CPU: 1})
		s.Sample(7, jvmtest.At(11), tid, jvmtest.ScanCode+9)
		s.Sample(7, jvmtest.At(11), tid, jvmtest.RunCode+9)
	}
	s.p.Finish()
	type labels struct {
		query, name, plan, place, operator string
		execution                          tasksample.ExecutionID
		bucket                             attribution.Bucket
	}
	var got []labels
	for _, l := range s.got.samples {
		got = append(got, labels{l.Query, l.QueryName, l.Plan, l.StagePlace, l.Operator, l.Execution, l.Bucket})
	}
	require.Equal(t, []labels{
		{"q1-of4", "query 4", "p1-of4", "exchange>result", "scan@22", 5, ""},
		{"q1-reader", "reader", "p1-reader", "result", "", 5, attribution.BucketFramework},
		{"q1-of4", "query 4", "p1-of4", "exchange>result", "scan@22", -1, ""},
		{"", "", "", "", "", -1, attribution.BucketFramework},
		{"", "", "", "", "", -1, attribution.BucketNoPlan},
		{"", "", "", "", "", -1, attribution.BucketFramework},
	}, got)
}

// newUsedPlan is a scenario in which execution 5 runs code of the plan of execution 4 in stage 6.
func newUsedPlan() (*scenario, *operators) {
	s := newScenario(Settings{})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Plan(7, jvmtest.At(1), 4)
	s.readerPlan(jvmtest.At(1), 5)
	s.accumulators(jvmtest.At(1), 6, 5, 52, 62)
	return s, s.p.jvms[7].ops
}

// TestUsedPlansStay: an execution that is over stays as long as another one runs its code, and the
// plan of an RDD until many more have come.
func TestUsedPlansStay(t *testing.T) {
	s, o := newUsedPlan()
	require.True(t, o.known(&Task{Stage: 6, Execution: 5}))
	tl := s.p.jvms[7].timeline
	const rdd = -2
	s.Plan(7, jvmtest.At(1), rdd)
	for _, id := range []tasksample.ExecutionID{rdd, 4} {
		o.end(id, jvmtest.At(2))
	}
	o.forgetEnded(jvmtest.At(3), tl)
	require.NotNil(t, o.plan(4), "execution 5 uses it")
	o.end(5, jvmtest.At(4))
	for i := range keptRDDPlans - 3 { // and rdd, 4 and 5 have ended
		s.Plan(7, jvmtest.At(4), rdd-1-i)
		o.end(tasksample.ExecutionID(rdd-1-i), jvmtest.At(4))
	}
	o.forgetEnded(jvmtest.At(5), tl)
	require.Nil(t, o.plan(5))
	o.forgetEnded(jvmtest.At(5), tl)
	require.Nil(t, o.plan(4), "the one that used it is gone")
	require.NotNil(t, o.plan(rdd))
	s.Plan(7, jvmtest.At(4), -1000)
	o.end(-1000, jvmtest.At(4))
	o.forgetEnded(jvmtest.At(5), tl)
	require.Nil(t, o.plan(rdd))
	require.NotNil(t, o.plan(-1000))
	for id, x := range o.holders {
		require.NotNil(t, o.executions[x.id], "the holder of accumulator %d", id)
	}
}

// An execution that runs code of a plan loses as much as the plan's own when the plan goes.
func TestUsersOfALostPlan(t *testing.T) {
	s, o := newUsedPlan()
	s.Plan(7, jvmtest.At(1), 8)
	require.True(t, o.known(&Task{Stage: 6, Execution: 5}))
	o.budget.most = o.budget.used - 1
	require.True(t, o.makeRoom(0))
	require.NotNil(t, o.plan(5))
	require.True(t, o.lost(5))
	require.True(t, o.lost(4))
	require.False(t, o.lost(tasksample.NoExecution))
	o.budget.most = 0
	s.Plan(7, jvmtest.At(1), 4)
	require.True(t, o.lost(4), "samples before lacked it")
}

// TestGeneratedFiles: classes of one name whose texts differ are different frames, and classes of
// equal texts are one.
func TestGeneratedFiles(t *testing.T) {
	s := newScenario(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	for i, column := range []string{"a", "b", "a"} {
		class, loader := generatedPackage+"$SpecificUnsafeProjection", jvmlog.LoaderID(i+1)
		body := fmt.Sprintf("public Object generate(Object[] references) {\n return new SpecificUnsafeProjection(references);\n} // %s\n", column)
		s.p.Record(7, jvmtest.At(1), &jvmlog.Source{Loader: loader, Class: generatedPackage, Body: body})
		addr, method := uint64(0x5000+0x1000*i), jvmlog.MethodID(31+i)
		s.p.Record(7, jvmtest.At(1), &jvmlog.Method{ID: method, Class: class, Name: "apply", Loader: loader, Flags: jvmlog.MethodHasLines, Lines: []jvmlog.LineEntry{{StartBCI: 0, Line: 12}}})
		s.p.Record(7, jvmtest.At(1), &jvmlog.CodeLoad{Address: addr, Size: 0x100, Level: 4, Method: method, Flags: jvmlog.CodeInlines,
			PCs: []jvmlog.PCRegion{{End: 0x100, First: 0, Count: 1}}, Frames: []jvmlog.CodeFrame{{Method: method, BCI: 0}}})
		s.Sample(7, jvmtest.At(2), 41, addr+9)
	}
	s.p.Finish()
	var frames []StackFrame
	for _, l := range s.got.samples {
		frames = append(frames, stackOf(&l)[0])
	}
	require.Len(t, frames, 3)
	require.Equal(t, StackFrame{Name: generatedPackage + "$SpecificUnsafeProjection.apply", File: "generated-0886017f.java", Line: 12, Type: FrameJVM}, frames[0])
	require.NotEqual(t, frames[0], frames[1])
	require.Equal(t, frames[0], frames[2])
}

// TestPythonOfAnotherPlan: a node that runs Python workers for a stage of another execution has
// their CPU, under its own query.
func TestPythonOfAnotherPlan(t *testing.T) {
	s := newScenario(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.readerPlan(jvmtest.At(1), 5)
	s.p.Record(7, jvmtest.At(1), &jvmlog.Dictionary{Execution: 4, JSON: []byte(`{"version": 1, "execution_id": 4, "update": 0, "query": "q1-udf", "query_name": "udf", "plan": "p1-udf", "nodes": [
		{"parent": -1, "class": "org.apache.spark.sql.execution.python.BatchEvalPythonExec", "name": "BatchEvalPython", "text": "BatchEvalPython [slow(a#1)#2]",
		 "operator": "python@44", "operator_name": "BatchEvalPython slow", "role": "python", "codegen": -1, "stage": "result", "metrics": [{"id": 71, "name": "data sent to Python workers", "type": "size"}]}]}`)})
	s.accumulators(jvmtest.At(1), 6, 5, 62, 71)
	o := s.p.jvms[7].ops
	task := &Task{Stage: 6, Execution: 5}
	nodes, ruledOut := o.pythonNodes(task)
	require.False(t, ruledOut)
	require.Len(t, nodes, 1)
	part := s.p.jvms[7].pythonNode(task, nodes[0])
	require.Equal(t, "slow", part.functions)
	require.Equal(t, []string{"q1-udf", "udf", "p1-udf", "result", "python@44"},
		[]string{part.labels.Query, part.labels.QueryName, part.labels.Plan, part.labels.StagePlace, part.labels.Operator})
	require.EqualValues(t, 5, part.labels.Execution)
}
