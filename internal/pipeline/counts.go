package pipeline

import "github.com/planflame/planflame/attribution"

// Counts tells what a Pipeline did and what it could not know; all values only grow.
type Counts struct {
	Samples       uint64 // received
	Labelled      uint64 // delivered; with Surplus and LeftOut equal to Samples when nothing is held
	Surplus       uint64 // of the detail clock while it should have been off: they count for nothing
	LeftOut       uint64 // of runs that were not drawn, beyond those that the sampler left out: they count for nothing
	Held          uint64 // waiting at this moment (a gauge)
	Early         uint64 // labelled before their time because MaxHeld was reached
	Pending       uint64 // labelled without the plan of their execution
	NoStage       uint64 // labelled without the accumulators of their stage
	OutsideTasks  uint64 // on a task thread, with no task that follows
	UnnamedFrames uint64 // frames that neither the code map nor the symbolizer knew
	UnnamedMethod uint64 // samples left unknown because an interpreted method had no name
	Tasks         uint64 // task attempts that ended
	LostStarts    uint64 // task ends whose start was never seen
	LostEnds      uint64 // task starts followed by another start on the thread
	BadPlans      uint64 // DICTIONARY records that did not parse
	BadSources    uint64 // SOURCE records that did not parse
	BadRecords    uint64 // other records with a payload that did not parse (APPLICATION, STAGE_INFO, TIMES)
	ForgottenPlan uint64 // executions evicted because MaxExecutions was reached
	UnknownJVM    uint64 // calls for a JVM that was not announced
	Disputed      uint64 // samples whose verdict was disputed
	Weak          uint64 // samples whose verdict was weak
	UnplacedRows  uint64 // ROWS records of a stage whose plan never came
	IdleEnds      uint64 // executions taken to be over because they had no task for Settings.ExecutionIdle
	EarlyEnds     uint64 // executions taken to be over because MaxExecutions was reached
	// CutExecutions counts executions of a local master that were not told because it ended in the midst of their tasks.
	CutExecutions uint64
	// UnplacedPython counts readings of Python workers' CPU that fit no plan node, or several.
	UnplacedPython uint64
	// DroppedLabels counts labels and attributes of applications that were beyond their bounds, once a JVM.
	DroppedLabels uint64
	// OverflowThreads counts threads whose CPU has no name because their JVM had too many names of threads.
	OverflowThreads uint64
}

// count counts one delivered sample.
func (c *Counts) count(l *Labelled) {
	c.Labelled++
	if l.Verdict.Disputed {
		c.Disputed++
	}
	if l.Verdict.Weak {
		c.Weak++
	}
	if l.Verdict.Rule == attribution.RuleUnnamed {
		c.UnnamedMethod++
	}
	if l.Of == nil {
		c.OutsideTasks++
	}
	if l.Bucket == attribution.BucketPending {
		c.Pending++
	}
}
