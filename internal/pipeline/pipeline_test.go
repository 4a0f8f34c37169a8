package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

func TestLabelsInsideATask(t *testing.T) {
	s := newScenario(t, Settings{Hold: time.Second})
	s.jvm(7, sampler.ModeSelfOpened)
	s.code(7)
	s.plan(7, at(1), 4)
	s.p.Thread(7, jvmlog.Thread{TID: 41, StartTime: 1, Name: "Executor task launch worker-3"})
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, 4, clocksAt{20, 5})
	s.stage(7, at(10.1), 6, 4)
	s.sample(7, at(10.5), 41, scanCode+9, runCode+17)
	s.p.Watermark(7, at(11.4))
	require.Empty(t, s.got.samples, "held for a second")
	s.p.Watermark(7, at(11.6))
	require.Len(t, s.got.samples, 1)
	l := s.got.samples[0]
	require.Equal(t, Labels{
		JVM: 7, Query: "q1-of4", QueryName: "query 4", Plan: "p1-of4", Execution: 4, Stage: 6, StageAttempt: 0, StagePlace: "exchange>result",
		Operator: "scan@22", OperatorName: "Scan t", Role: "scan", Task: 900, Partition: 3,
	}, l.Labels)
	require.Equal(t, "FileScan parquet [a#4]", l.NodeText)
	require.Equal(t, 5*time.Millisecond, l.Weight)
	require.Equal(t, "Executor task launch worker-3", l.Thread)
	require.True(t, l.InTask)
	require.Equal(t, []StackFrame{
		{Name: "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1.hasNext", Line: 10, Type: FrameJVM},
		{Name: "Scan t", Type: FrameOperator},
		{Name: "org.apache.spark.executor.Executor$TaskRunner.run", Line: 20, Type: FrameJVM},
	}, l.Stack())
	require.Equal(t, Counts{Samples: 1, Labelled: 1}, s.p.Counts())
}

// Spark deserialises a task before the plugin hears of it, so what runs between two tasks belongs
// to the second; what runs after the last belongs to none.
func TestTaskBoundaries(t *testing.T) {
	s := newScenario(t, Settings{Hold: UntilEnd})
	s.jvm(7, sampler.ModeSelfOpened)
	s.code(7)
	s.plan(7, at(1), 4)
	s.stage(7, at(1), 6, 4)
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, 4, clocksAt{20, 5})
	s.taskEvent(7, jvmlog.TaskEnd, at(12), 41, 900, 6, 4, clocksAt{30, 8})
	s.taskEvent(7, jvmlog.TaskStart, at(13), 41, 901, 6, 4, clocksAt{31, 8})
	s.taskEvent(7, jvmlog.TaskEnd, at(14), 41, 901, 6, 4, clocksAt{40, 9})
	s.taskEvent(7, jvmlog.TaskStart, at(11), 42, 902, 6, 4, clocksAt{3, 1})
	for _, moment := range []float64{9, 11, 12.5, 13.5, 15} {
		s.sample(7, at(moment), 41, scanCode+9)
	}
	s.sample(7, at(11.5), 42, scanCode+9) // another thread at the same time
	s.sample(7, at(11.5), 43, scanCode+9) // a thread of which nothing is known
	s.sample(7, at(12.6), 41, runCode+9)
	require.Empty(t, s.got.samples)
	s.p.Finish()
	scan := func(task int, inside bool) verdict {
		return verdict{"q1-of4", "scan@22", "", tasksample.TaskAttemptID(task), inside}
	}
	require.Equal(t, []verdict{
		scan(900, false), scan(900, true), scan(901, false), scan(901, true),
		{"", "", attribution.BucketFramework, -1, false},
		scan(902, true),
		{"", "", attribution.BucketFramework, -1, false},
		{"q1-of4", "", attribution.BucketFramework, 901, false},
	}, s.got.verdicts())
	require.EqualValues(t, 2, s.p.Counts().OutsideTasks)
}

func TestTheEndOfATaskBelongsToIt(t *testing.T) {
	s := newScenario(t, Settings{Hold: UntilEnd})
	s.jvm(7, sampler.ModeSelfOpened)
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, -1, clocksAt{1, 0})
	s.taskEvent(7, jvmlog.TaskEnd, at(12), 41, 900, 6, -1, clocksAt{2, 0})
	for _, moment := range []float64{10, 12} {
		s.sample(7, at(moment), 41, 0x77)
	}
	s.p.JVMGone(7)
	require.Equal(t, []verdict{{"", "", attribution.BucketNoPlan, 900, true}, {"", "", attribution.BucketNoPlan, 900, true}}, s.got.verdicts())
	require.Equal(t, []sampler.JVMID{7}, s.got.gone)
	require.Len(t, s.got.tasks, 1)
}

// A sample waits for its plan and its stage beyond the hold, without holding up others.
func TestLatePlan(t *testing.T) {
	s := newScenario(t, Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.jvm(7, sampler.ModeSelfOpened)
	s.code(7)
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, 4, clocksAt{20, 5})
	s.taskEvent(7, jvmlog.TaskStart, at(10), 42, 901, 9, -1, clocksAt{20, 5})
	s.sample(7, at(10.5), 41, scanCode+9)
	s.sample(7, at(10.6), 42, scanCode+9)
	s.p.Watermark(7, at(15))
	require.Equal(t, []verdict{{"", "", attribution.BucketNoPlan, 901, true}}, s.got.verdicts(), "a task outside SQL waits for no plan")
	s.plan(7, at(15.1), 4)
	s.p.Watermark(7, at(16))
	require.Len(t, s.got.samples, 1, "the stage's accumulators are not there yet")
	s.p.Record(7, at(16.1), &jvmlog.Stage{Stage: 6, Execution: 4, Accumulators: []tasksample.AccumulatorID{777}})
	s.p.Watermark(7, at(16.2))
	require.Len(t, s.got.samples, 1, "the stage runs nodes of an update of the plan that is not there yet")
	s.stage(7, at(16.3), 6, 4)
	s.p.Watermark(7, at(17))
	require.Equal(t, verdict{"q1-of4", "scan@22", "", 900, true}, s.got.verdicts()[1])
	require.Zero(t, s.p.Counts().Pending)
}

func TestPlanThatNeverCame(t *testing.T) {
	s := newScenario(t, Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.jvm(7, sampler.ModeSelfOpened)
	s.code(7)
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, 4, clocksAt{20, 5})
	s.sample(7, at(10.5), 41, scanCode+9)
	s.p.Watermark(7, at(21.4))
	require.Empty(t, s.got.samples)
	require.EqualValues(t, 1, s.p.Counts().Held)
	s.p.Watermark(7, at(21.6))
	require.Equal(t, []verdict{{"", "", attribution.BucketPending, 900, true}}, s.got.verdicts())
	require.Equal(t, Counts{Samples: 1, Labelled: 1, Pending: 1}, s.p.Counts())
}

// Code runs before its record is written.
func TestLateCode(t *testing.T) {
	s := newScenario(t, Settings{Hold: 2 * time.Second})
	s.jvm(7, sampler.ModeSelfOpened)
	s.plan(7, at(1), 4)
	s.stage(7, at(1), 6, 4)
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, 4, clocksAt{20, 5})
	s.sample(7, at(10.5), 41, scanCode+9)
	s.p.Watermark(7, at(11))
	s.load(7, at(11.2), scanCode, 1, "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1", "hasNext")
	s.p.Watermark(7, at(13))
	require.Equal(t, []verdict{{"q1-of4", "scan@22", "", 900, true}}, s.got.verdicts())
}

// Two JVMs whose ids, addresses and threads are all the same are kept apart.
func TestSeveralJVMs(t *testing.T) {
	s := newScenario(t, Settings{Hold: time.Second})
	for _, id := range []sampler.JVMID{7, 8} {
		s.jvm(id, sampler.ModeSelfOpened)
		s.taskEvent(id, jvmlog.TaskStart, at(10), 41, 900, 6, 4, clocksAt{20, 5})
		s.stage(id, at(10), 6, 4)
		s.plan(id, at(10), 4)
	}
	s.load(7, at(1), 0x1000, 1, "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1", "hasNext")
	s.load(8, at(1), 0x1000, 1, "org.apache.spark.shuffle.sort.UnsafeShuffleWriter", "write")
	s.sample(7, at(11), 41, 0x1009)
	s.sample(8, at(11), 41, 0x1009)
	s.p.Watermark(8, at(20))
	require.Equal(t, []verdict{{"q1-of4", "exchange@11", "", 900, true}}, s.got.verdicts(), "each JVM has a watermark of its own")
	s.p.JVMGone(7)
	require.Equal(t, "scan@22", s.got.samples[1].Operator)
	require.EqualValues(t, 7, s.got.samples[1].JVM)
	s.sample(7, at(12), 41, 0x1009)
	require.EqualValues(t, 1, s.p.Counts().UnknownJVM, "a JVM that is gone")
}

func TestMemoryIsBounded(t *testing.T) {
	s := newScenario(t, Settings{Hold: UntilEnd, MaxHeld: 3})
	s.jvm(7, sampler.ModeSelfOpened)
	for i := range 5 {
		s.sample(7, at(float64(10+i)), 41, 0x77)
	}
	require.Len(t, s.got.samples, 2, "the oldest are labelled with what is known")
	require.Equal(t, at(10), s.got.samples[0].Time)
	require.EqualValues(t, 2, s.p.Counts().Early)
	s.p.Finish()
	require.Len(t, s.got.samples, 5)
	require.Equal(t, s.p.Counts().Samples, s.p.Counts().Labelled)
}

func TestExecutionsAreBounded(t *testing.T) {
	s := newScenario(t, Settings{Hold: time.Second, MaxExecutions: 2})
	s.jvm(7, sampler.ModeSelfOpened)
	for _, execution := range []int{3, 4, 5} {
		s.plan(7, at(1), execution)
	}
	require.EqualValues(t, 1, s.p.Counts().ForgottenPlan)
	require.Nil(t, s.p.jvms[7].ops.plan(3), "the least recently used is gone")
	require.NotNil(t, s.p.jvms[7].ops.plan(5))
}

// Of executions that are over the last ones are kept, for tasks that outlive them; of those that
// are not, all.
func TestEndedExecutionsAreForgotten(t *testing.T) {
	s := newScenario(t, Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.jvm(7, sampler.ModeSelfOpened)
	s.code(7)
	const running, last = 1, 41
	s.plan(7, at(1), running)
	for execution := running + 1; execution <= last; execution++ {
		s.plan(7, at(float64(execution)), execution)
		s.over(7, float64(execution)+0.5, execution, false)
	}
	ops := s.p.jvms[7].ops
	s.p.Watermark(7, at(20))
	require.Len(t, ops.executions, 36, "of 2 to 6, which ended before 7, no sample waits any more: 1 s, 10 s for a plan, 2 s out of order")
	require.Nil(t, ops.plan(6))
	require.NotNil(t, ops.plan(7))
	s.p.Watermark(7, at(1000))
	require.Len(t, ops.executions, 33, "the last 32, and the one that runs")
	require.Nil(t, ops.plan(9))
	require.NotNil(t, ops.plan(10))
	require.NotNil(t, ops.plan(running))
	require.Zero(t, s.p.Counts().ForgottenPlan, "nothing was lost")
}

func TestBadRecordsAreCounted(t *testing.T) {
	s := newScenario(t, Settings{})
	s.jvm(7, sampler.ModeSelfOpened)
	s.p.Record(7, 1, &jvmlog.Dictionary{Execution: 4, JSON: []byte(`{"version": 1}`)})
	s.p.Record(7, 1, &jvmlog.Dictionary{Execution: 4, JSON: []byte(`{"version": 1, "execution_id": 5}`)})
	s.p.Record(7, 1, &jvmlog.Application{JSON: []byte(`{`)})
	s.p.Record(7, 1, &jvmlog.Source{Loader: 3, Class: "", Body: ""})
	s.p.Record(7, 1, &jvmlog.Application{JSON: []byte(`{"application_id": "app-1", "application_name": "nightly", "executor_id": "5", "spark_version": "4.3.0", "user": "u", "labels": {"a": "b"}, "dropped_labels": 5}`)})
	s.p.Record(7, 1, &jvmlog.Application{JSON: []byte(`{"application_id": "app-1", "application_name": "nightly", "executor_id": "5", "spark_version": "4.3.0", "user": "u", "labels": {"a": "b"}, "dropped_labels": 5}`)})
	require.Equal(t, Counts{BadPlans: 2, BadRecords: 1, BadSources: 1, DroppedLabels: 5}, s.p.Counts(), "an application's record comes again and again")
	app := Application{ID: "app-1", Name: "nightly", ExecutorID: "5", SparkVersion: "4.3.0", User: "u", Attributes: map[string]string{"a": "b"}}
	require.Equal(t, []Application{{}, app, app}, s.got.jvms)
}

// table is a Symbolizer.
type table map[uint64]codemap.Frame

func (t table) Symbol(addr uint64) (codemap.Frame, bool) { f, ok := t[addr]; return f, ok }

func TestNativeAndKernelFrames(t *testing.T) {
	symbols := table{
		0xffffffff81000010: {Kind: codemap.Kernel, Method: "copy_page", File: "vmlinux"},
		0x7f0000000010:     {Kind: codemap.Native, Method: "inflate", File: "libz.so.1"},
	}
	s := newScenario(t, Settings{Hold: UntilEnd, Symbols: func(sampler.JVM) Symbolizer { return symbols }})
	s.jvm(7, sampler.ModePrivileged)
	s.code(7)
	s.taskEvent(7, jvmlog.TaskStart, at(10), 41, 900, 6, -1, clocksAt{20, 5})
	s.p.Sample(7, sampler.Sample{Time: at(11), TID: 41, Addrs: []uint64{0xffffffff81000010, 0xffffffff82000000, 0x7f0000000010, runCode + 5, 0x99}, Kernel: 2})
	s.p.Finish()
	require.Equal(t, []StackFrame{
		{Name: "copy_page", File: "vmlinux", Type: FrameKernel},
		{Name: "[kernel]", Type: FrameKernel},
		{Name: "inflate", File: "libz.so.1", Type: FrameNative},
		{Name: "org.apache.spark.executor.Executor$TaskRunner.run", Line: 20, Type: FrameJVM},
		{Name: "[task framework]", Type: FrameOperator}, // TaskRunner decided
		{Name: "[unknown]", Type: FrameNative},
	}, s.got.samples[0].Stack())
	require.EqualValues(t, 1, s.p.Counts().UnnamedFrames)
}

func TestOrderIsKept(t *testing.T) {
	s := newScenario(t, Settings{Hold: time.Second})
	s.jvm(7, sampler.ModeSelfOpened)
	s.taskEvent(7, jvmlog.TaskStart, 10, 41, 900, 6, -1, clocksAt{20, 5})
	s.sample(7, 11, 41, 0x77)
	s.taskEvent(7, jvmlog.TaskEnd, 12, 41, 900, 6, -1, clocksAt{22, 5})
	s.p.Watermark(7, 12) // all samples of the task have come
	s.sample(7, 13, 41, 0x77)
	s.p.Finish()
	require.Equal(t, []string{"sample 11", "task 900", "sample 13"}, s.got.order)
}
