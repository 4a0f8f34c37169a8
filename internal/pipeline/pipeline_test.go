package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

func TestLabelsInsideATask(t *testing.T) {
	s := newScenario(Settings{Hold: time.Second})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Plan(7, jvmtest.At(1), 4)
	s.p.Thread(7, jvmlog.Thread{TID: 41, StartTime: 1, Name: "Executor task launch worker-3"})
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 20, System: 5})
	s.Stage(7, jvmtest.At(10.1), 6, 4)
	s.Sample(7, jvmtest.At(10.5), 41, jvmtest.ScanCode+9, jvmtest.RunCode+17)
	s.p.Watermark(7, jvmtest.At(11.4))
	require.Empty(t, s.got.samples, "held for a second")
	s.p.Watermark(7, jvmtest.At(11.6))
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
	}, stackOf(&l))
	require.Equal(t, Counts{Samples: 1, Labelled: 1}, s.p.Counts())
}

// Spark deserializes a task before the plugin hears of it, so what runs between two tasks belongs
// to the second; what runs after the last belongs to none.
func TestTaskBoundaries(t *testing.T) {
	s := newScenario(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 20, System: 5})
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(12), 41, 900, 6, 4, jvmtest.Clocks{CPU: 30, System: 8})
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(13), 41, 901, 6, 4, jvmtest.Clocks{CPU: 31, System: 8})
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(14), 41, 901, 6, 4, jvmtest.Clocks{CPU: 40, System: 9})
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(11), 42, 902, 6, 4, jvmtest.Clocks{CPU: 3, System: 1})
	for _, moment := range []float64{9, 11, 12.5, 13.5, 15} {
		s.Sample(7, jvmtest.At(moment), 41, jvmtest.ScanCode+9)
	}
	s.Sample(7, jvmtest.At(11.5), 42, jvmtest.ScanCode+9) // another thread at the same time
	s.Sample(7, jvmtest.At(11.5), 43, jvmtest.ScanCode+9) // a thread of which nothing is known
	s.Sample(7, jvmtest.At(12.6), 41, jvmtest.RunCode+9)
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
	s := newScenario(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, -1, jvmtest.Clocks{CPU: 1})
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(12), 41, 900, 6, -1, jvmtest.Clocks{CPU: 2})
	for _, moment := range []float64{10, 12} {
		s.Sample(7, jvmtest.At(moment), 41, 0x77)
	}
	s.p.JVMGone(7)
	require.Equal(t, []verdict{{"", "", attribution.BucketNoPlan, 900, true}, {"", "", attribution.BucketNoPlan, 900, true}}, s.got.verdicts())
	require.Equal(t, []sampler.JVMID{7}, s.got.gone)
	require.Len(t, s.got.tasks, 1)
}

// A sample waits for its plan and its stage beyond the hold, without holding up others.
func TestLatePlan(t *testing.T) {
	s := newScenario(Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 20, System: 5})
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 42, 901, 9, -1, jvmtest.Clocks{CPU: 20, System: 5})
	s.Sample(7, jvmtest.At(10.5), 41, jvmtest.ScanCode+9)
	s.Sample(7, jvmtest.At(10.6), 42, jvmtest.ScanCode+9)
	s.p.Watermark(7, jvmtest.At(15))
	require.Equal(t, []verdict{{"", "", attribution.BucketNoPlan, 901, true}}, s.got.verdicts(), "a task outside SQL waits for no plan")
	s.Plan(7, jvmtest.At(15.1), 4)
	s.p.Watermark(7, jvmtest.At(16))
	require.Len(t, s.got.samples, 1, "the stage's accumulators are not there yet")
	s.p.Record(7, jvmtest.At(16.1), &jvmlog.Stage{Stage: 6, Execution: 4, Accumulators: []tasksample.AccumulatorID{777}})
	s.p.Watermark(7, jvmtest.At(16.2))
	require.Len(t, s.got.samples, 1, "the stage runs nodes of an update of the plan that is not there yet")
	s.Stage(7, jvmtest.At(16.3), 6, 4)
	s.p.Watermark(7, jvmtest.At(17))
	require.Equal(t, verdict{"q1-of4", "scan@22", "", 900, true}, s.got.verdicts()[1])
	require.Zero(t, s.p.Counts().Pending)
}

func TestPlanThatNeverCame(t *testing.T) {
	s := newScenario(Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 20, System: 5})
	s.Sample(7, jvmtest.At(10.5), 41, jvmtest.ScanCode+9)
	s.p.Watermark(7, jvmtest.At(21.4))
	require.Empty(t, s.got.samples)
	require.EqualValues(t, 1, s.p.Counts().Held)
	s.p.Watermark(7, jvmtest.At(21.6))
	require.Equal(t, []verdict{{"", "", attribution.BucketPending, 900, true}}, s.got.verdicts())
	require.Equal(t, Counts{Samples: 1, Labelled: 1, Pending: 1}, s.p.Counts())
}

// Code runs before its record is written.
func TestLateCode(t *testing.T) {
	s := newScenario(Settings{Hold: 2 * time.Second})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 20, System: 5})
	s.Sample(7, jvmtest.At(10.5), 41, jvmtest.ScanCode+9)
	s.p.Watermark(7, jvmtest.At(11))
	s.Load(7, jvmtest.At(11.2), jvmtest.ScanCode, 1, "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1", "hasNext")
	s.p.Watermark(7, jvmtest.At(13))
	require.Equal(t, []verdict{{"q1-of4", "scan@22", "", 900, true}}, s.got.verdicts())
}

// Two JVMs whose ids, addresses and threads are all the same are kept apart.
func TestSeveralJVMs(t *testing.T) {
	s := newScenario(Settings{Hold: time.Second})
	for _, id := range []sampler.JVMID{7, 8} {
		s.JVM(id, sampler.ModeSelfOpened)
		s.TaskEvent(id, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, 4, jvmtest.Clocks{CPU: 20, System: 5})
		s.Stage(id, jvmtest.At(10), 6, 4)
		s.Plan(id, jvmtest.At(10), 4)
	}
	s.Load(7, jvmtest.At(1), 0x1000, 1, "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1", "hasNext")
	s.Load(8, jvmtest.At(1), 0x1000, 1, "org.apache.spark.shuffle.sort.UnsafeShuffleWriter", "write")
	s.Sample(7, jvmtest.At(11), 41, 0x1009)
	s.Sample(8, jvmtest.At(11), 41, 0x1009)
	s.p.Watermark(8, jvmtest.At(20))
	require.Equal(t, []verdict{{"q1-of4", "exchange@11", "", 900, true}}, s.got.verdicts(), "each JVM has a watermark of its own")
	s.p.JVMGone(7)
	require.Equal(t, "scan@22", s.got.samples[1].Operator)
	require.EqualValues(t, 7, s.got.samples[1].JVM)
	s.Sample(7, jvmtest.At(12), 41, 0x1009)
	require.EqualValues(t, 1, s.p.Counts().UnknownJVM, "a JVM that is gone")
}

func TestMemoryIsBounded(t *testing.T) {
	s := newScenario(Settings{Hold: UntilEnd, MaxHeld: 3})
	s.JVM(7, sampler.ModeSelfOpened)
	for i := range 5 {
		s.Sample(7, jvmtest.At(float64(10+i)), 41, 0x77)
	}
	require.Len(t, s.got.samples, 2, "the oldest are labelled with what is known")
	require.Equal(t, jvmtest.At(10), s.got.samples[0].Time)
	require.EqualValues(t, 2, s.p.Counts().Early)
	s.p.Finish()
	require.Len(t, s.got.samples, 5)
	require.Equal(t, s.p.Counts().Samples, s.p.Counts().Labelled)
}

func TestExecutionsAreBounded(t *testing.T) {
	s := newScenario(Settings{Hold: time.Second, MaxExecutions: 2})
	s.JVM(7, sampler.ModeSelfOpened)
	for _, execution := range []int{3, 4, 5} {
		s.Plan(7, jvmtest.At(1), execution)
	}
	require.EqualValues(t, 1, s.p.Counts().ForgottenPlan)
	require.Nil(t, s.p.jvms[7].ops.plan(3), "the least recently used is gone")
	require.NotNil(t, s.p.jvms[7].ops.plan(5))
}

// A plan is forgotten when its execution has ended and no sample waits any more: 1 s, 10 s for a
// plan, 2 s out of order. A task that outlives its execution keeps the plan.
func TestEndedExecutionsAreForgotten(t *testing.T) {
	s := newScenario(Settings{Hold: time.Second, PlanWait: 10 * time.Second})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	const running, outlived, ended, later = 1, 2, 3, 4
	for _, execution := range []int{running, outlived, ended, later} {
		s.Plan(7, jvmtest.At(1), execution)
	}
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(2), 41, 900, 6, outlived, jvmtest.Clocks{CPU: 1})
	s.Over(7, 6, outlived, false)
	s.Over(7, 6, ended, false)
	s.Over(7, 8, later, false)
	ops := s.p.jvms[7].ops
	s.p.Watermark(7, jvmtest.At(19))
	require.NotNil(t, ops.plan(ended), "13 s later a sample may wait")
	s.p.Watermark(7, jvmtest.At(20))
	require.Nil(t, ops.plan(ended))
	require.NotNil(t, ops.plan(later))
	s.p.Watermark(7, jvmtest.At(30))
	require.NotNil(t, ops.plan(outlived), "its task runs")
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(31), 41, 900, 6, outlived, jvmtest.Clocks{CPU: 2})
	s.p.Watermark(7, jvmtest.At(42))
	require.NotNil(t, ops.plan(outlived), "samples of its task may wait")
	s.p.Watermark(7, jvmtest.At(43))
	require.Nil(t, ops.plan(outlived))
	require.NotNil(t, ops.plan(running))
	require.Zero(t, s.p.Counts().ForgottenPlan, "nothing was lost")
}

func TestBadRecordsAreCounted(t *testing.T) {
	s := newScenario(Settings{})
	s.JVM(7, sampler.ModeSelfOpened)
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
	s := newScenario(Settings{Hold: UntilEnd, Symbols: func(sampler.JVM) Symbolizer { return symbols }})
	s.JVM(7, sampler.ModePrivileged)
	s.Code(7)
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, -1, jvmtest.Clocks{CPU: 20, System: 5})
	s.p.Sample(7, sampler.Sample{Time: jvmtest.At(11), TID: 41, Addrs: []uint64{0xffffffff81000010, 0xffffffff82000000, 0x7f0000000010, jvmtest.RunCode + 5, 0x99}, Kernel: 2})
	s.p.Finish()
	require.Equal(t, []StackFrame{
		{Name: "copy_page", File: "vmlinux", Type: FrameKernel},
		{Name: "[kernel]", Type: FrameKernel},
		{Name: "inflate", File: "libz.so.1", Type: FrameNative},
		{Name: "org.apache.spark.executor.Executor$TaskRunner.run", Line: 20, Type: FrameJVM},
		{Name: "[task framework]", Type: FrameOperator}, // TaskRunner decided
		{Name: "[unknown]", Type: FrameNative},
	}, stackOf(&s.got.samples[0]))
	require.EqualValues(t, 1, s.p.Counts().UnnamedFrames)
}

func TestOrderIsKept(t *testing.T) {
	s := newScenario(Settings{Hold: time.Second})
	s.JVM(7, sampler.ModeSelfOpened)
	s.TaskEvent(7, jvmlog.TaskStart, 10, 41, 900, 6, -1, jvmtest.Clocks{CPU: 20, System: 5})
	s.Sample(7, 11, 41, 0x77)
	s.TaskEvent(7, jvmlog.TaskEnd, 12, 41, 900, 6, -1, jvmtest.Clocks{CPU: 22, System: 5})
	s.p.Watermark(7, 12) // all samples of the task have come
	s.Sample(7, 13, 41, 0x77)
	s.p.Finish()
	require.Equal(t, []string{"sample 11", "task 900", "sample 13"}, s.got.order)
}
