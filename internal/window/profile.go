package window

import (
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
)

// Entry is the CPU of one stack under one set of labels.
type Entry struct {
	Labels pipeline.Labels
	// Stack is a number in JVMProfile.Stacks. It holds the operator frame; for CPU that was not
	// sampled (kernel time, stages without samples) it is the bucket's frame alone.
	Stack   uint32
	Samples uint64
	// CPU is an estimate for all tasks, sampled or not; calibrated where the Profile is. If runs
	// are drawn, a window's CPU is one for all runs: drawn runs stand for runs that were left out.
	// A calibrated one is the CPU of the entry's own run.
	CPU      time.Duration
	Exact    time.Duration // part of CPU that is known without samples
	Raw      time.Duration // Σ weights of the samples, uncalibrated, for the sampled tasks alone
	Weak     time.Duration // part of CPU whose operator is uncertain (lines of C1 code)
	Disputed time.Duration // part of CPU whose rules disagree
	// Below and Above bound the CPU of Python workers that belongs to the labels: it is in [CPU -
	// Below, CPU + Above]. CPU may be 0.
	Below, Above time.Duration
}

// JVMProfile is what was accumulated of one JVM.
type JVMProfile struct {
	JVM         sampler.JVM
	Application pipeline.Application
	Entries     []Entry // sorted by Labels, then by falling CPU
	Stacks      *Stacks // of Entries
	Totals      Totals
	Sampler     sampler.Stats // cumulative since the JVM was found
	Gone        bool          // the JVM has ended
	// UserLines are the user's own lines, at most mostUserLines of each, in the order in which they
	// became known; Settings.UserLines asks for them.
	UserLines map[pipeline.UserLineOf][]string
	// Known is what the tasks that ended told beside their samples, where
	// Settings.Executions asks for it.
	Known []KnownCost
	// Times are what the driver in this JVM told since the last Take; empty of another JVM.
	Times Times
	// Work is what the tasks did by stage, where Settings.Work asks for it.
	Work []StageWork
}

// Totals are sums over the tasks of one JVM, and over what runs beside them.
type Totals struct {
	Samples     uint64
	Truncated   uint64        // samples whose stack is not whole
	Raw         time.Duration // Σ weights of all samples, uncalibrated
	TaskCPU     time.Duration // the threads' own CPU, plus the samples' weight where no end was seen; over windows it adds up
	Kernel      time.Duration // system time that samples do not cover
	Unsampled   time.Duration // user CPU before a thread's event was opened
	Unaccounted time.Duration // part of TaskCPU known by samples alone: tasks that have not ended, code outside tasks
	LeftOut     time.Duration // part of TaskCPU of runs that were not drawn, of what samples could have hit
	ExecutorCPU time.Duration // Σ Spark's executorCpuTime
	Tasks       uint64        // task attempts that ended
	FailedTasks uint64
	LostTimes   uint64 // tasks, stages and executions whose times are in no TIMES record, or found no room here; dwells without room

	// From the accounts of /proc, apart from the tasks: Process = TaskThreads + Threads.
	Process     time.Duration // the JVM's whole CPU, by its own clock
	TaskThreads time.Duration // of its task threads, as /proc has it: beside TaskCPU, from the log, a check of both
	Threads     time.Duration // of its other threads, GroupThreads
	Children    time.Duration // of its child processes, GroupChildren
	Workers     time.Duration // of its Python workers, part of Children
	Unplaced    time.Duration // part of Workers of which no plan node is known
}

// Profile is a window's or a run's result: one JVMProfile a JVM, in order of their ids.
type Profile struct {
	JVMs       []JVMProfile
	Calibrated bool
	// FoldedStacks counts samples whose stack was cut to its operator frame because
	// Settings.MaxStacks was reached.
	FoldedStacks uint64
	// Stages are the statistics of the units that finished since the last Take, one entry a stage
	// of an application, its JVMs here merged. Standard errors come from them, and they travel.
	// Calibrated entries are its estimates; a window's entries are provisional.
	Stages []StageStatistics
	// Executions are those that are over since the last Take, where Settings.Executions
	// asks for them, by JVM and id.
	Executions []ExecutionCost
	// Plans are the outlines of the plans that ran (Pipeline.Plans); the Accumulator leaves them
	// empty.
	Plans []pipeline.PlanOutline
}

// Add merges the totals of another JVM.
func (t *Totals) Add(o Totals) {
	t.Samples += o.Samples
	t.Truncated += o.Truncated
	t.Raw += o.Raw
	t.TaskCPU += o.TaskCPU
	t.Kernel += o.Kernel
	t.Unsampled += o.Unsampled
	t.Unaccounted += o.Unaccounted
	t.LeftOut += o.LeftOut
	t.ExecutorCPU += o.ExecutorCPU
	t.Tasks += o.Tasks
	t.FailedTasks += o.FailedTasks
	t.LostTimes += o.LostTimes
	t.Process += o.Process
	t.TaskThreads += o.TaskThreads
	t.Threads += o.Threads
	t.Children += o.Children
	t.Workers += o.Workers
	t.Unplaced += o.Unplaced
}
