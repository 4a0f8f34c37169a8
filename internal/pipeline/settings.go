package pipeline

import (
	"os"
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
)

// Settings are a Pipeline's settings, set by code. The zero value of a field means its default.
type Settings struct {
	// Hold is how far the JVM's watermark must have passed a sample before it is labelled; default
	// 2 s. UntilEnd holds samples until the JVM is gone or Finish is called.
	Hold time.Duration
	// PlanWait is how long, beyond Hold, a sample waits before it is counted as pending; default
	// 10 s. It waits for the plan of its execution, the accumulators of its stage and the names of
	// its interpreted methods.
	PlanWait time.Duration
	// MaxHeld bounds the samples held back for one JVM; default 262,144. Beyond it the
	// oldest are labelled with what is known and counted in Counts.Early.
	MaxHeld int
	// Spill makes a file for the items beyond MaxHeld, which come back when all is known; with
	// UntilEnd alone. The pipeline closes it. nil: there is none.
	Spill func() (*os.File, error)
	// MaxExecutions bounds the plans kept for one JVM, and, twice as many, the stages that have
	// none. Plans of executions that have ended go first. Default 512, and with UntilEnd a million.
	MaxExecutions int
	// Budget bounds what is kept of one JVM, in bytes, by estimate; default 48 MiB, and none with
	// UntilEnd. Beyond it plans are forgotten, items are labelled early, and what is left is lost.
	Budget int
	// ExecutionIdle is after how long without a task an SQL execution is taken to be over, where
	// the JVM's agent is too old to tell; default 5 min.
	ExecutionIdle time.Duration
	// Without leaves evidence out. The zero value uses all there is.
	Without Without
	// TrustedLabels are names of attributes that only the node gives: what a JVM says of them is
	// left out and counted in Counts.ClaimedLabels.
	TrustedLabels []string
	// Symbols gives the names of a JVM's native and kernel code; nil leaves such frames without
	// names.
	Symbols func(sampler.JVM) Symbolizer
}

const (
	defaultHold          = 2 * time.Second
	defaultPlanWait      = 10 * time.Second
	defaultMaxHeld       = 1 << 18
	defaultMaxExecutions = 512
	manyExecutions       = 1 << 20 // that wait for the end
	defaultExecutionIdle = 5 * time.Minute
	defaultBudget        = 48 << 20
)

// Without says which evidence is left out, to measure what it is worth: what a profiler sees that
// does not have it.
type Without struct {
	StackRepair bool // addresses that only the copy of the stack has: what is left is the kernel's frame-pointer chain
	LineRepair  bool // debug info that is not believed is, after all
	Lines       bool // the lines of generated code: what is left are the names of methods
}

// UntilEnd as Settings.Hold holds samples until the JVM is gone or Finish is called.
const UntilEnd time.Duration = 1<<63 - 1

// Symbolizer names an address outside of the JVM's compiled code. ok is false where it knows
// nothing of the address.
type Symbolizer interface {
	Symbol(addr uint64) (frame codemap.Frame, ok bool)
}

func (s Settings) withDefaults() Settings {
	if s.Hold == 0 {
		s.Hold = defaultHold
	}
	if s.PlanWait == 0 {
		s.PlanWait = defaultPlanWait
	}
	if s.MaxHeld == 0 {
		s.MaxHeld = defaultMaxHeld
	}
	if s.MaxExecutions == 0 {
		s.MaxExecutions = defaultMaxExecutions
		if s.Hold == UntilEnd {
			s.MaxExecutions = manyExecutions
		}
	}
	if s.Budget == 0 && s.Hold != UntilEnd {
		s.Budget = defaultBudget
	}
	if s.ExecutionIdle == 0 {
		s.ExecutionIdle = defaultExecutionIdle
	}
	return s
}
