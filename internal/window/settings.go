package window

// Settings are an Accumulator's settings. The zero value is a window of a Collector.
type Settings struct {
	// Calibrate scales the samples of every stage to the stage's known CPU when the profile is
	// taken. That is right for a whole run. A window holds parts of tasks whose CPU is not known
	// yet: weights stay as they are there, and only kernel time of ended tasks is added.
	Calibrate bool
	// TaskLabels keeps tasks and partitions apart.
	TaskLabels bool
	// MaxStacks bounds the distinct (labels, stack) pairs of one JVM; default 200,000.
	// Beyond it a stack is cut to its operator frame, with its weight kept, and counted in
	// Profile.FoldedStacks.
	MaxStacks int
	// UserLines keeps the user's own lines: JVMProfile.UserLines.
	UserLines bool
	// Executions keeps what each SQL execution costs until it is over: Profile.Executions and
	// JVMProfile.Known.
	Executions bool
	// Work keeps the tasks and rows of every stage: JVMProfile.Work.
	Work bool
	// Tasks keeps Spark's figures of single tasks, and dwells, at most so many of one JVM and one
	// Take: Times.Tasks, RunQueues, Dwells. More are counted in Totals.LostTimes.
	Tasks int
}

// defaultMaxStacks is the default of Settings.MaxStacks.
const defaultMaxStacks = 200_000
