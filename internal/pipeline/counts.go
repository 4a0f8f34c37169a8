package pipeline

import "github.com/planflame/planflame/attribution"

// Counts tells what a Pipeline did and what it could not know; all values only grow.
type Counts struct {
	Samples       uint64 // received
	Labelled      uint64 // delivered; with Surplus and LeftOut equal to Samples when nothing is held
	Surplus       uint64 `problem:"surplus"` // of the detail clock while it should have been off: they count for nothing
	LeftOut       uint64 `not_kept:"run"`    // of runs that were not drawn, beyond those that the sampler left out: they count for nothing
	Held          uint64 // waiting at this moment (a gauge)
	Early         uint64 `problem:"early"`          // labelled before their time because MaxHeld was reached
	LostSpill     uint64 `problem:"lost_spill"`     // beyond MaxHeld, and not read back from their file
	Pending       uint64 `problem:"pending"`        // labelled without the plan of their execution
	NoStage       uint64 `problem:"no_stage"`       // labelled without the accumulators of their stage
	OutsideTasks  uint64 `problem:"outside_tasks"`  // on a task thread, with no task that follows
	UnnamedFrames uint64 `problem:"unnamed_frame"`  // frames that neither the code map nor the symbolizer knew
	UnnamedMethod uint64 `problem:"unnamed_method"` // samples left unknown because an interpreted method had no name
	Tasks         uint64 // task attempts that ended
	LostStarts    uint64 `problem:"lost_start"`      // task ends whose start was never seen
	LostEnds      uint64 `problem:"lost_end"`        // tasks whose end was never seen
	BadPlans      uint64 `problem:"bad_plan"`        // DICTIONARY records that did not parse
	BadSources    uint64 `problem:"bad_source"`      // SOURCE records that did not parse
	BadRecords    uint64 `problem:"bad_record"`      // other records with a payload that did not parse (APPLICATION, STAGE_INFO, TIMES)
	ForgottenPlan uint64 `problem:"forgotten_plan"`  // executions and plans let go to make room: MaxExecutions or the budget was reached
	UnknownJVM    uint64 `problem:"unknown_jvm"`     // calls for a JVM that was not announced
	Disputed      uint64 `problem:"disputed"`        // samples whose verdict was disputed
	Weak          uint64 `problem:"weak"`            // samples whose verdict was weak
	UnplacedRows  uint64 `problem:"unplaced_rows"`   // ROWS records of a stage whose plan never came
	IdleEnds      uint64 `problem:"idle_execution"`  // executions taken to be over because they had no task for Settings.ExecutionIdle
	EarlyEnds     uint64 `problem:"early_execution"` // executions taken to be over because MaxExecutions was reached
	// OverBudget counts records and task events that were lost because their JVM has as much kept
	// of it as may be (Settings.Budget).
	OverBudget uint64 `problem:"over_budget"`
	// CutExecutions counts executions of a local master that were not told because it ended in the
	// midst of their tasks.
	CutExecutions uint64 `problem:"cut_execution"`
	// UnplacedPython counts readings of Python workers' CPU that fit no plan node, or several.
	UnplacedPython uint64 `problem:"unplaced_python"`
	// DroppedLabels counts labels and attributes of applications that were beyond their bounds,
	// once a JVM.
	DroppedLabels uint64 `problem:"dropped_label"`
	// ClaimedLabels counts labels that JVMs said and only the node may, once for each application.
	ClaimedLabels uint64 `problem:"claimed_label"`
	// OverflowThreads counts threads whose CPU has no name because their JVM had too many names of
	// threads.
	OverflowThreads uint64 `problem:"overflow_thread"`
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
