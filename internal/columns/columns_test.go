package columns

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
	"github.com/planflame/planflame/tasksample"
)

const (
	ms    = time.Millisecond
	begin = jvmlog.MonoTime(time.Second) // of the recording
)

// at is a moment of the recording.
func at(d time.Duration) jvmlog.MonoTime { return begin + jvmlog.MonoTime(d) }

var (
	scanPlan = &attribution.Plan{ExecutionID: 7, Query: "q1-a", QueryName: "nightly", Plan: "p1-a", Updates: []attribution.Tree{
		{Update: 0, Nodes: []attribution.Node{
			{Parent: None, Name: "HashAggregate", Operator: "aggregate@1", OperatorName: "HashAggregate k", Role: "aggregate", Codegen: None, Stage: "result"},
			{Parent: 0, Name: "Sort", Operator: "sort@2", OperatorName: "Sort k", Role: "sort", Codegen: None, Stage: "result"},
			{Parent: 1, Name: "Scan", Operator: "scan@3", OperatorName: "Scan t", Role: "scan", Codegen: None, Stage: "result"},
		}},
		{Update: 1, Nodes: []attribution.Node{
			{Parent: None, Name: "WholeStageCodegen (1)", Codegen: None, CodegenStageID: 1},
			{Parent: 0, Name: "HashAggregate", Operator: "aggregate@1", OperatorName: "HashAggregate k", Role: "aggregate", Codegen: 0, Stage: "result"},
			{Parent: 1, Name: "Scan", Operator: "scan@3", OperatorName: "Scan t", Role: "scan", Codegen: 0, Stage: "result"},
		}},
	}}
	frames = []codemap.Frame{
		{Kind: codemap.Native, Method: "memcpy", File: "libc.so"},
		{Kind: codemap.Java, Class: generated, Method: "agg_0$", File: "generated-1.java", Line: 12},
		{Kind: codemap.Java, Class: "java.lang.Thread", Method: "run", File: "Thread.java", Line: 833},
	}
)

const generated = "org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage1"

// labelled is a sample of task 41 or 42 with an operator, or of a bucket.
func labelled(t time.Duration, task *pipeline.Task, node int, weight time.Duration, frames []codemap.Frame) *pipeline.Labelled {
	l := &pipeline.Labelled{
		Labels: labelsOf(task), Time: at(t), TID: task.TID, Thread: "worker", Of: task, InTask: true, Weight: weight, Expansion: 1, Frames: frames,
	}
	l.Verdict.Frame = slices.IndexFunc(frames, func(f codemap.Frame) bool { return f.Class == generated })
	l.OperatorAt = max(l.Verdict.Frame, 0)
	if node < 0 {
		l.Bucket, l.Verdict.Frame, l.OperatorAt = attribution.BucketCodegen, -1, len(frames)-1
		return l
	}
	n := &scanPlan.Updates[1].Nodes[node]
	l.Operator, l.OperatorName, l.Role = n.Operator, n.OperatorName, n.Role
	l.Verdict.Node, l.Verdict.Plan = n, scanPlan
	return l
}

func labelsOf(task *pipeline.Task) pipeline.Labels {
	return pipeline.Labels{JVM: 1, Query: "q1-a", QueryName: "nightly", Plan: "p1-a", Execution: 7, Stage: 3, StagePlace: "result", Task: task.ID, Partition: task.Partition}
}

func taskOf(id tasksample.TaskAttemptID, tid uint32, start, end time.Duration) *pipeline.Task {
	return &pipeline.Task{ID: id, Stage: 3, Partition: tasksample.PartitionID(id - 41), Execution: 7, TID: tid, InclusionProbability: 1, RunProbability: 1, Start: at(start), End: at(end)}
}

// small is a recording of two tasks at once: of 41, 100 ms of CPU, 8 ms of it in the kernel; of 42,
// 50 ms, all sampled. Python workers use 30 ms.
func small() *Model { return smallWith(nil) }

func smallWith(more func(*Builder)) *Model {
	b := NewBuilder(recording.Meta{Started: time.Unix(100, 0), ClockOffset: 99e9, Hz: 100, Version: "test"})
	b.JVM(sampler.JVM{ID: 1, PID: 12, Mode: sampler.ModeSelfOpened}, pipeline.Application{ID: "app-1", Name: "job"})
	one, two := taskOf(41, 11, 0, 100*ms), taskOf(42, 12, 20*ms, 80*ms)
	for _, l := range []*pipeline.Labelled{
		labelled(50*ms, two, 1, 10*ms, frames), // threads are drained one after the other
		labelled(60*ms, two, 1, 10*ms, frames[1:]),
		labelled(70*ms, two, 2, 10*ms, frames),
		labelled(10*ms, one, 1, 10*ms, frames),
		labelled(30*ms, one, 2, 10*ms, frames),
		labelled(40*ms, one, 2, 10*ms, frames),
		labelled(90*ms, one, -1, 16*ms, frames[2:]),
	} {
		if l.Time == at(40*ms) {
			l.Verdict.Weak = true
		}
		b.Sample(l)
	}
	b.Task(pipeline.TaskCPU{Labels: labelsOf(one), Of: *one, CPU: 100 * ms, System: 8 * ms, Sampled: true, Tier: tasksample.TierBase, GC: 4 * ms})
	b.Task(pipeline.TaskCPU{Labels: labelsOf(two), Of: *two, CPU: 50 * ms, Sampled: true, Tier: tasksample.TierBase})
	python := labelsOf(one)
	python.Group, python.Operator, python.OperatorName, python.Role, python.Task, python.Partition = pipeline.GroupChildren, "aggregate@1", "HashAggregate k", "aggregate", -1, -1
	b.Outside(pipeline.Outside{Labels: python, CPU: 30 * ms, Above: 5 * ms, From: at(0), To: at(60 * ms), Stack: []pipeline.StackFrame{{Name: "python worker"}}})
	if more != nil {
		more(b)
	}
	b.JVMGone(1)
	m, _ := b.Model()
	return m
}

// By hand: samples weigh 76 ms, of which the two tasks used 142 ms that samples could hit. One band
// of two tasks calibrates all alike, by 142 / 76.
func TestSumsByHand(t *testing.T) {
	m := small()
	const factor = 142.0 / 76
	r := m.Report(Selection{})
	require.InDelta(t, 0.180, r.CPUSeconds, 1e-6)
	require.InDelta(t, 0.150, r.TaskCPUSeconds, 1e-6)
	require.InDelta(t, 0.030, r.PythonSeconds, 1e-9)
	require.EqualValues(t, 7, r.Samples)
	require.Equal(t, 2, r.Tasks)
	require.InDelta(t, 0.180, r.Stages[0].CPUSeconds, 1e-6, "with its Python workers")
	require.Len(t, r.Queries, 1)
	q := r.Queries[0]
	require.Equal(t, "nightly", q.Name)
	require.Len(t, q.Operators, 2)
	aggregate, scan := q.Operators[0], q.Operators[1]
	require.Equal(t, "aggregate@1", aggregate.Operator)
	require.InDelta(t, 0.030*factor+0.030, aggregate.CPUSeconds, 1e-6)
	require.InDelta(t, 0.030, aggregate.Python, 1e-9)
	require.EqualValues(t, 3, aggregate.Samples)
	require.Equal(t, 0, scan.Parent)
	require.InDelta(t, 0.030*factor, scan.CPUSeconds, 1e-6)
	require.InDelta(t, 1.0/3, scan.Weak, 1e-6)
	require.NotNil(t, scan.CI95)
	require.Less(t, scan.CI95[0], scan.CPUSeconds)
	require.Len(t, r.Buckets, 2)
	require.Equal(t, "codegen", r.Buckets[0].Name)
	require.InDelta(t, 0.016*factor, r.Buckets[0].CPUSeconds, 1e-6)
	require.Equal(t, BucketReport{Name: "kernel (not sampled)", CPUSeconds: r.Buckets[1].CPUSeconds}, r.Buckets[1])
	require.InDelta(t, 0.008, r.Buckets[1].CPUSeconds, 1e-9)
}

// The window from 35 to 65 ms has samples at 40, 50 and 60. It has 30 of 100 parts of task 41's
// kernel time and 25 of 60 parts of what Python workers used.
func TestWindowByHand(t *testing.T) {
	const factor = 142.0 / 76
	r := small().Report(Selection{From: 35 * ms, To: 65 * ms})
	require.EqualValues(t, 3, r.Samples)
	require.InDelta(t, 0.030*factor+0.0024+0.0125, r.CPUSeconds, 1e-6)
	require.InDelta(t, 0.020*factor+0.0125, r.Queries[0].Operators[0].CPUSeconds, 1e-6)
	require.InDelta(t, 0.010*factor, r.Queries[0].Operators[1].CPUSeconds, 1e-6)
	require.InDelta(t, 1, r.Queries[0].Operators[1].Weak, 1e-9)
}

func TestSelectionsByHand(t *testing.T) {
	const factor = 142.0 / 76
	m := small()
	id := func(n tasksample.TaskAttemptID) *tasksample.TaskAttemptID { return &n }
	execution, stage := tasksample.ExecutionID(8), tasksample.StageID(3)
	for _, test := range []struct {
		name    string
		s       Selection
		samples uint64
		cpu     float64
	}{
		{"task", Selection{Task: id(42)}, 3, 0.030 * factor},
		{"another execution", Selection{Execution: &execution}, 0, 0},
		{"stage", Selection{Stage: &stage}, 7, 0.180},
		{"query", Selection{Query: "nightly"}, 7, 0.180},
		{"another query", Selection{Query: "weekly"}, 0, 0},
		{"operator by its id", Selection{Operator: "scan@3"}, 3, 0.030 * factor},
		{"operator by its name", Selection{Operator: "Scan t"}, 3, 0.030 * factor},
		{"bucket", Selection{Operator: "[codegen]"}, 1, 0.016 * factor},
		{"frame, in letters of either case", Selection{Search: "MEMCPY"}, 5, 0.050 * factor},
		{"frame of an operator's task", Selection{Search: "memcpy", Operator: "scan@3", Task: id(41)}, 2, 0.020 * factor},
	} {
		r := m.Report(test.s)
		require.Equal(t, test.samples, r.Samples, test.name)
		require.InDelta(t, test.cpu, r.CPUSeconds, 1e-6, test.name)
	}
}

// An operator is its lines and what they call, its tasks, its time bins and its stacks, to the
// sample.
func TestAnOperatorIsTheSumOfItsViews(t *testing.T) {
	m := small()
	all := m.Report(Selection{Operator: "aggregate@1"})
	var bins, tasks, stacks float64
	var samples [3]uint64
	for from := time.Duration(0); from < 100*ms; from += 25 * ms {
		r := m.Report(Selection{Operator: "aggregate@1", From: from, To: from + 25*ms})
		bins, samples[0] = bins+r.CPUSeconds, samples[0]+r.Samples
	}
	for _, id := range []tasksample.TaskAttemptID{41, 42} {
		r := m.Report(Selection{Operator: "aggregate@1", Task: &id})
		tasks, samples[1] = tasks+r.CPUSeconds, samples[1]+r.Samples
	}
	itself, called := 0, 0
	for _, s := range m.StackSums(Selection{Operator: "aggregate@1"}) {
		stacks, samples[2] = stacks+s.CPU*nano, samples[2]+s.Samples
		switch decided := m.Tree.Decided[s.Stack]; {
		case s.Stack == 0: // Python workers
		case decided == m.Tree.Leaf[s.Stack]:
			itself += int(s.Samples)
			require.EqualValues(t, 12, m.Tree.Line[m.Tree.Frame[decided]])
		default:
			called += int(s.Samples)
			require.EqualValues(t, 12, m.Tree.Line[m.Tree.Frame[decided]])
		}
	}
	require.Equal(t, [3]uint64{3, 3, 3}, samples)
	require.Equal(t, 2, called)
	require.Equal(t, 1, itself, "frames[1:] begins with the generated line")
	require.InDelta(t, all.CPUSeconds, bins, 1e-9)
	require.InDelta(t, all.CPUSeconds, tasks+0.030, 1e-9, "Python workers are of no task")
	require.InDelta(t, all.CPUSeconds, stacks, 1e-9)
}

// What AQE replaced stands below the operator that it stood below.
func TestPlansMergeTheirUpdates(t *testing.T) {
	nodes := small().Plans[0].Nodes
	require.Len(t, nodes, 4)
	for i, want := range []struct {
		operator string
		parent   int
		replaced bool
		updates  [2]int
	}{{"", None, false, [2]int{1, 1}}, {"aggregate@1", 0, false, [2]int{0, 1}}, {"scan@3", 1, false, [2]int{0, 1}}, {"sort@2", 1, true, [2]int{0, 0}}} {
		require.Equal(t, want.operator, nodes[i].Operator, i)
		require.Equal(t, want.parent, nodes[i].Parent, i)
		require.Equal(t, want.replaced, nodes[i].Replaced, i)
		require.Equal(t, want.updates, nodes[i].Updates, i)
	}
	require.Equal(t, 0, nodes[2].Codegen)
}

func TestSamplesAreInOrderOfTime(t *testing.T) {
	m := small()
	require.Equal(t, []uint32{10e3, 30e3, 40e3, 50e3, 60e3, 70e3, 90e3}, m.Samples.Time)
	weights := m.Samples.Weight.Walk(len(m.Lanes))
	var got []float64
	for i := range m.Samples.Time {
		got = append(got, weights.Next(i, m.Tasks.Lane[m.Samples.Task.At(i)])/1e6)
	}
	require.Equal(t, []float64{10, 10, 10, 10, 10, 10, 16}, got)
	require.Len(t, m.Samples.Weight.At, 3, "one for each lane, and one more that changes")
}

// Ticks double where a time has no room in 32 bits.
func TestLongRecording(t *testing.T) {
	b := NewBuilder(recording.Meta{Started: time.Unix(100, 0), ClockOffset: 99e9})
	b.JVM(sampler.JVM{ID: 1}, pipeline.Application{ID: "app-1"})
	task := taskOf(41, 11, 0, 3*time.Hour)
	b.Sample(labelled(time.Minute, task, 1, 10*ms, frames))
	b.Sample(labelled(2*time.Hour, task, 1, 10*ms, frames))
	m, _ := b.Model()
	require.EqualValues(t, 2000, m.TickNanos)
	require.Equal(t, []uint32{30e6, 3600e6}, m.Samples.Time)
	require.EqualValues(t, 1, m.Report(Selection{From: time.Hour}).Samples)
}

func TestApplicationsAreWhatTheirDriversTold(t *testing.T) {
	m := smallWith(func(b *Builder) {
		for _, a := range []pipeline.ApplicationTimes{
			{ApplicationID: "app-1", StartedMS: 99_000, UntilMS: 100_060, EndedMS: 100_050, Slots: 3},
			{ApplicationID: "app-2", StartedMS: 100_070, UntilMS: 100_090, Slots: 2},
		} {
			b.Times(1, pipeline.TimesRecord{Application: &a})
		}
	})
	require.Equal(t, []Application{{"app-1", 0, 50e3, 3}, {"app-2", 70e3, 90e3, 2}}, m.Applications)
	require.Equal(t, 3, m.Meta.Slots)
}

func TestIndexGrowsWide(t *testing.T) {
	var x Index
	x.add(3)
	x.add(math.MaxUint16)
	require.Equal(t, []uint16{3, math.MaxUint16}, x.data())
	x.add(math.MaxUint16 + 1)
	require.Equal(t, []uint32{3, math.MaxUint16, math.MaxUint16 + 1}, x.data())
	require.Equal(t, 3, x.Len())
	require.EqualValues(t, 3, x.At(0))
}

// What finds no room keeps its CPU.
func TestBounds(t *testing.T) {
	b := NewBuilder(recording.Meta{Started: time.Unix(100, 0), ClockOffset: 99e9})
	b.most, b.grove.most = 2, 3
	b.JVM(sampler.JVM{ID: 1}, pipeline.Application{ID: "app-1"})
	task := taskOf(41, 11, 0, 100*ms)
	for _, f := range [][]codemap.Frame{frames, {{Kind: codemap.Native, Method: "other"}}, frames} {
		b.Sample(labelled(10*ms, task, 1, 10*ms, f))
	}
	b.Task(pipeline.TaskCPU{Labels: labelsOf(task), Of: *task, CPU: 60 * ms, Sampled: true, Tier: tasksample.TierBase})
	m, _ := b.Model()
	require.EqualValues(t, 1, m.Meta.LeftOut)
	require.EqualValues(t, 1, m.Meta.Folded)
	r := m.Report(Selection{})
	require.EqualValues(t, 2, r.Samples)
	require.InDelta(t, 0.060, r.CPUSeconds, 1e-6)
}

// Each executor of an application has its own copy of a plan. The copies are one plan.
func TestPlansOfExecutors(t *testing.T) {
	b := NewBuilder(recording.Meta{})
	for jvm := range sampler.JVMID(3) {
		b.JVM(sampler.JVM{ID: jvm}, pipeline.Application{ID: "app-1"})
		for i := range mostPlans + 2 {
			b.plan(&attribution.Plan{ExecutionID: int64(i)}, pipeline.Labels{JVM: jvm})
		}
	}
	m, _ := b.Model()
	require.Len(t, m.Plans, mostPlans)
	require.EqualValues(t, 2, m.Meta.LostPlans)
}

// Executions of two applications with one number have two plans.
func TestPlansOfApplications(t *testing.T) {
	b := NewBuilder(recording.Meta{})
	for jvm, application := range []string{"app-1", "app-2", "", ""} {
		id := sampler.JVMID(jvm)
		b.JVM(sampler.JVM{ID: id}, pipeline.Application{ID: application})
		b.plan(&attribution.Plan{ExecutionID: 7}, pipeline.Labels{JVM: id})
	}
	m, _ := b.Model()
	require.Len(t, m.Plans, 4)
	require.Zero(t, m.Meta.LostPlans)
}

// A dictionary of the second executor points to the plan that the first one's copy became.
func TestBindingOfAnotherExecutor(t *testing.T) {
	b := NewBuilder(recording.Meta{})
	unit, err := attribution.ParseUnit(1, "SpecificPredicate", "class SpecificPredicate {}", nil)
	require.NoError(t, err)
	last := scanPlan.Updates[1]
	copied := &attribution.Plan{ExecutionID: 7, Updates: []attribution.Tree{{Update: last.Update, Nodes: slices.Clone(last.Nodes)}}}
	for i, plan := range []*attribution.Plan{scanPlan, copied} {
		id := sampler.JVMID(i + 1)
		b.JVM(sampler.JVM{ID: id}, pipeline.Application{ID: "app-1"})
		l := labelled(10*ms, taskOf(tasksample.TaskAttemptID(41+i), 11, 0, 100*ms), 1, 10*ms, frames)
		l.JVM = id
		l.Of.Stage += tasksample.StageID(i)
		b.Dictionary(l, attribution.Dictionary{Unit: unit, Plan: plan, Nodes: []*attribution.Node{&plan.Updates[len(plan.Updates)-1].Nodes[1]}})
	}
	m, _ := b.Model()
	require.Len(t, m.Plans, 1)
	require.Len(t, m.Bindings, 2)
	for _, of := range m.Bindings {
		require.Zero(t, of.Plan)
		require.Equal(t, []int{1}, of.Nodes)
	}
}

// Python workers that serve two stages of jobs without SQL at once are of the query, and of no
// stage. A query in SQL has no such jobs.
func TestPythonOfJobsWithoutSQL(t *testing.T) {
	m := smallWith(func(b *Builder) {
		for i, stage := range []tasksample.StageID{5, 6} {
			task := taskOf(tasksample.TaskAttemptID(51+i), 13, 0, 100*ms)
			task.Execution, task.Stage = tasksample.NoExecution, stage
			b.Task(pipeline.TaskCPU{Labels: pipeline.Labels{JVM: 1, Query: "r1-a", Execution: tasksample.NoExecution, Stage: stage, Task: task.ID}, Of: *task, CPU: 10 * ms})
		}
		for query, cpu := range map[string]time.Duration{"r1-a": 70 * ms, "q1-a": 40 * ms, "": 20 * ms} {
			b.Outside(pipeline.Outside{
				Labels: pipeline.Labels{JVM: 1, Query: query, Execution: tasksample.NoExecution, Stage: pipeline.NoStage, Task: -1, Partition: -1, Bucket: pipeline.BucketPython, Group: pipeline.GroupChildren},
				CPU:    cpu, From: at(0), To: at(60 * ms),
			})
		}
	})
	jobs := slices.IndexFunc(m.Executions, func(x Execution) bool { return x.ID == tasksample.NoExecution })
	got := map[string]int{}
	for i := range m.Labels {
		if l := &m.Labels[i]; l.Bucket == string(pipeline.BucketPython) {
			got[l.of.Query] = l.Execution
		}
	}
	require.Equal(t, "r1-a", m.Queries[m.Executions[jobs].Query].Query)
	require.Equal(t, map[string]int{"r1-a": jobs, "q1-a": None, "": None}, got)
}

// The container's columns are where its head says.
func TestEncode(t *testing.T) {
	m := small()
	var b bytes.Buffer
	require.NoError(t, m.Encode(&b))
	data := b.Bytes()
	n := binary.LittleEndian.Uint32(data)
	var h struct {
		Version int               `json:"version"`
		Labels  []Label           `json:"labels"`
		Plans   []Plan            `json:"plans"`
		Columns map[string]column `json:"columns"`
	}
	require.NoError(t, json.Unmarshal(data[4:4+n], &h))
	require.Equal(t, Version, h.Version)
	require.Len(t, h.Labels, len(m.Labels))
	at := h.Columns["time"]
	require.Equal(t, "u32", at.Type)
	require.Zero(t, at.Offset%8)
	require.Equal(t, len(m.Samples.Time), at.Length)
	require.True(t, at.Delta)
	var sum uint32
	for i, want := range m.Samples.Time {
		sum += binary.LittleEndian.Uint32(data[at.Offset+4*i:])
		require.Equal(t, want, sum)
	}
	require.False(t, h.Columns["node_frame"].Delta)
	bounds, last := h.Columns["plan_at"], h.Columns["plan_text"]
	require.Equal(t, len(data), last.Offset+last.Length)
	require.NotEmpty(t, m.Plans)
	require.Equal(t, len(m.Plans)+1, bounds.Length)
	for i, want := range m.Plans {
		from, to := binary.LittleEndian.Uint32(data[bounds.Offset+4*i:]), binary.LittleEndian.Uint32(data[bounds.Offset+4*i+4:])
		var got Plan
		require.NoError(t, json.Unmarshal(data[last.Offset+int(from):last.Offset+int(to)], &got))
		require.Equal(t, want, got)
	}
	require.Nil(t, h.Plans, "the head has no plans")
	for name, c := range h.Columns {
		require.NotEmpty(t, c.Type, name)
	}
}

// ended is a run of one task.
type ended struct {
	cpu    time.Duration
	failed bool
}

// ranAs is a recording of the runs 7, 8 … of one query, each in a stage of its own from 3 on, of
// 150 ms each.
func ranAs(runs ...ended) *Model {
	b := NewBuilder(recording.Meta{Started: time.Unix(100, 0), ClockOffset: 99e9, Hz: 100})
	b.JVM(sampler.JVM{ID: 1}, pipeline.Application{ID: "app-1"})
	for i, r := range runs {
		id, stage, from := tasksample.ExecutionID(7+i), tasksample.StageID(3+i), time.Duration(i)*200*ms
		run(b, id, stage, from, r.cpu)
		timed(b, id, id, from, r.failed)
	}
	m, _ := b.Model()
	return m
}

// run adds a task with one sample.
func run(b *Builder, id tasksample.ExecutionID, stage tasksample.StageID, from, cpu time.Duration) {
	task := taskOf(tasksample.TaskAttemptID(41+stage), 11, from, from+100*ms)
	task.Execution, task.Stage = id, stage
	l := labelled(from+10*ms, task, 1, cpu, frames)
	l.Execution, l.Stage = id, stage
	b.Sample(l)
	labels := labelsOf(task)
	labels.Execution, labels.Stage = id, stage
	b.Task(pipeline.TaskCPU{Labels: labels, Of: *task, CPU: cpu, Sampled: true, Tier: tasksample.TierBase})
}

// timed adds what the driver told of an execution.
func timed(b *Builder, id, root tasksample.ExecutionID, from time.Duration, failed bool) {
	start := 100_000 + from.Milliseconds()
	b.Times(1, pipeline.TimesRecord{Execution: &pipeline.ExecutionTimes{
		ApplicationID: "app-1", ID: id, Root: root, Query: "q1-a", QueryName: "nightly", Plan: "p1-a", StartedMS: start, EndedMS: start + 150, Failed: failed,
	}})
}

// A batch of a stream runs an execution of its own query, whose id its tasks have.
func TestBatchesOfAStream(t *testing.T) {
	b := NewBuilder(recording.Meta{Started: time.Unix(100, 0), ClockOffset: 99e9, Hz: 100})
	b.JVM(sampler.JVM{ID: 1}, pipeline.Application{ID: "app-1"})
	for batch, outer := range []tasksample.ExecutionID{3, 5} {
		from := time.Duration(batch) * 200 * ms
		timed(b, outer, outer, from, false)
		timed(b, outer+1, outer, from, false)
		run(b, outer+1, tasksample.StageID(batch), from, 50*ms)
	}
	m, _ := b.Model()
	require.Len(t, m.Executions, 2)
	require.Equal(t, [2]int{1, 2}, [2]int{m.Executions[0].Run, m.Executions[1].Run})
	q := m.Report(Selection{}).Queries[0]
	require.Equal(t, []tasksample.ExecutionID{3, 5}, q.Executions)
	require.InDelta(t, 0.300, *q.Wall, 1e-9)
	require.InDelta(t, 0.100, q.CPUSeconds, 1e-6)
	for _, id := range []tasksample.ExecutionID{3, 4} {
		q := m.Report(Selection{Execution: &id}).Queries[0]
		require.Equal(t, []tasksample.ExecutionID{3}, q.Executions, id)
		require.InDelta(t, 0.150, *q.Wall, 1e-9)
		require.InDelta(t, 0.050, q.CPUSeconds, 1e-6)
	}
	require.Len(t, m.sides(Selection{}).queries["q1-a"].byRun, 2)
}

// A driver may tell what cannot be.
func TestExecutionsThatRunForEachOther(t *testing.T) {
	b := NewBuilder(recording.Meta{Started: time.Unix(100, 0), ClockOffset: 99e9})
	b.JVM(sampler.JVM{ID: 1}, pipeline.Application{ID: "app-1"})
	timed(b, 3, 4, 0, false)
	timed(b, 4, 3, 0, false)
	m, _ := b.Model()
	require.Len(t, m.Executions, 1)
}

// A part of an execution has no wall time, and the other executions have no part.
func TestPartsOfExecutions(t *testing.T) {
	m, stage, task := ranAs(ended{cpu: 50 * ms}, ended{cpu: 40 * ms}), tasksample.StageID(4), tasksample.TaskAttemptID(45)
	require.InDelta(t, 0.300, *m.Report(Selection{Query: "nightly"}).Queries[0].Wall, 1e-9)
	for _, s := range []Selection{{Stage: &stage}, {Task: &task}, {From: 200 * ms}} {
		q := m.Report(s).Queries[0]
		require.Equal(t, []tasksample.ExecutionID{8}, q.Executions)
		require.Equal(t, 1, q.Runs)
		require.Nil(t, q.Wall)
	}
	for _, s := range []Selection{{Operator: "aggregate@1"}, {Search: "memcpy"}} {
		require.Equal(t, 2, m.Report(s).Queries[0].Runs)
		require.Nil(t, m.Report(s).Queries[0].Wall)
	}
	require.False(t, m.Select(Selection{Stage: &stage}).Empty())
	require.True(t, m.Select(Selection{Query: "nigthly"}).Empty())
}
