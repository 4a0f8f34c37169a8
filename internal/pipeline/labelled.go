package pipeline

import (
	"slices"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Task is one attempt at one task of a stage, on one thread.
type Task struct {
	ID                   tasksample.TaskAttemptID
	Stage                tasksample.StageID
	StageAttempt         tasksample.StageAttempt
	Partition            tasksample.PartitionID
	Partitions           uint32 // of the stage; 0 unknown
	Attempt              uint32 // 0 for the first attempt at the partition
	Execution            tasksample.ExecutionID
	TID                  uint32  // of its thread, in the JVM's own pid namespace
	Selected             bool    // for the detail tier
	InclusionProbability float64 // of that selection, [0, 1]
	// RunProbability is π of the run (the SQL execution) that it belongs to, 1 if all runs are
	// sampled. LeftOut says that the run was not drawn: it has no samples, and its CPU is known.
	RunProbability float64
	LeftOut        bool
	// Before is CPU of it that the reader before has told. It is part of TaskCPU.Unsampled.
	Before time.Duration
	// Detail are the times at which the detail clock was switched on, off, on … for the task; it is
	// off at the end.
	Detail []jvmlog.MonoTime
	Start  jvmlog.MonoTime
	End    jvmlog.MonoTime // 0 while it runs
}

// switched remembers that the detail clock is on, or off, from a time on.
func (t *Task) switched(at jvmlog.MonoTime, on bool) {
	if on != (len(t.Detail)%2 == 1) {
		t.Detail = append(t.Detail, at)
	}
}

// DetailOn reports whether the detail clock counts for the task at a moment.
func (t *Task) DetailOn(at jvmlog.MonoTime) bool {
	if at < t.Start || t.End != 0 && at > t.End {
		return false
	}
	switches, _ := slices.BinarySearchFunc(t.Detail, at, func(s, at jvmlog.MonoTime) int {
		if s <= at {
			return -1
		}
		return 1
	})
	return switches%2 == 1
}

// Labels say where CPU belongs. Labels are comparable: equal Labels are one series of a profile.
type Labels struct {
	JVM          sampler.JVMID
	Query        string // fingerprint "q1-…", "r1-…" of a job without SQL; "" while nothing is known
	QueryName    string
	Plan         string // fingerprint of the optimised plan "p1-…"
	Execution    tasksample.ExecutionID
	Stage        tasksample.StageID // NoStage outside any task
	StageAttempt tasksample.StageAttempt
	StagePlace   string // place of the stage in the plan, stable across runs; "" unknown
	Operator     string // stable name "aggregate@3fa91c20"; "" when Bucket is set
	OperatorName string // for people; "" when Bucket is set
	Role         string // "scan", "aggregate" …; "" when Bucket is set
	// Part is what the operator did, as far as it can be told. Of an exchange it is the end that
	// the stage works at. Of a hash join, a hash aggregate and a sort it is what the stack says.
	Part   attribution.Part
	Bucket attribution.Bucket
	Group  Group // whose CPU it is
	// Task and Partition are -1 where no task is known, or where labels are summed over tasks.
	Task      tasksample.TaskAttemptID
	Partition tasksample.PartitionID
}

// Group says whose CPU it is. Groups do not overlap, and only the first is in a task's CPU and in
// Totals.TaskCPU. A query's cost has the first and its Python workers.
type Group string

// Groups of CPU.
const (
	GroupTasks    Group = ""         // task threads
	GroupThreads  Group = "threads"  // the JVM's other threads
	GroupChildren Group = "children" // the JVM's child processes: Python workers
)

// NoStage is the Stage of Labels of a sample outside any task.
const NoStage tasksample.StageID = -1

// Name is what people see: the operator's name, or the bucket in brackets.
func (l Labels) Name() string {
	if l.Bucket != attribution.BucketNone {
		return "[" + string(l.Bucket) + "]"
	}
	return l.OperatorName
}

// Key is who the CPU of a sample with these labels is of: the operator with all its parts.
func (l Labels) Key() semconv.Operator {
	return semconv.Operator{Query: l.Query, Place: l.StagePlace, ID: l.Operator, Name: l.OperatorName, Role: l.Role, Bucket: string(l.Bucket)}
}

// Labelled is one sample with all that is known of it.
type Labelled struct {
	Labels // Task and Partition are always set here where Task is known
	Time   jvmlog.MonoTime
	TID    uint32 // in the JVM's own pid namespace
	Thread string // the thread's name; "" unknown
	// Of is the task that ran; nil outside any task. A sample between two tasks of a thread belongs
	// to the next one, with InTask false: Spark deserializes a task before the plugin hears of it.
	Of     *Task
	InTask bool
	Weight time.Duration // the CPU of its task that the sample stands for, uncalibrated: 1 / (the rate in force)
	// Expansion is how many tasks its task stands for: 1 / π where only selected tasks are sampled,
	// times 1 / π of its run; else 1.
	Expansion float64
	Verdict   attribution.Verdict
	NodeText  string          // text of the plan node in this run, with expression ids; "" when Bucket is set
	Frames    []codemap.Frame // leaf first, without the operator frame; valid until Consumer.Sample returns
	// OperatorAt is the index in Frames on whose caller's side the operator frame stands; -1 where
	// Frames is empty.
	OperatorAt int
	Flags      sampler.SampleFlags
	Repaired   int // addresses of the stack that were repaired
}

// TaskCPU is the CPU of one finished task attempt, from the thread's own accounting.
type TaskCPU struct {
	Labels // Bucket, Operator and OperatorName are empty
	Of     Task
	Failed bool
	CPU    time.Duration // the thread's CPU from the end of its previous task to the end of this one
	System time.Duration // of which in the kernel; never more than CPU
	// Unsampled is user CPU before the thread's perf event was opened, part of CPU - System.
	// Without a base clock it is what the task used before it started and after Spark's clock of it
	// stopped, when no clock runs.
	Unsampled time.Duration
	// KernelSampled is true where samples cover kernel time too (the privileged mode), so that
	// System is not apart from them.
	KernelSampled bool
	// Sampled is false where no perf event ran on the thread: nothing is known of how CPU was
	// spent.
	Sampled bool
	// Tier says which clocks sampled it.
	Tier        tasksample.Tier
	ExecutorCPU time.Duration // Spark's executorCpuTime
	GC          time.Duration // Spark's jvmGCTime: of the whole JVM while the task ran
	Late        bool          // its execution was over for this JVM already
	PlanLost    bool          // its execution's plan is not known, or was let go: samples that lack it are in buckets
}

// Consumer receives what a Pipeline knows. All calls come from the goroutine that drives the
// Pipeline.
type Consumer interface {
	// JVM is called when a JVM was found, and again when its application became known or changed.
	JVM(sampler.JVM, Application)
	// Sample is called once for every sample. The callee may keep neither the pointer nor Frames.
	Sample(*Labelled)
	// Task is called once for every task attempt that ended.
	Task(TaskCPU)
	// SamplerStats passes on the sampler's cumulative counts.
	SamplerStats(sampler.JVMID, sampler.Stats)
	// JVMGone is called after the last Sample and Task of the JVM, or of an application that is
	// followed by another one in it (FirstLater).
	JVMGone(sampler.JVMID)
}
