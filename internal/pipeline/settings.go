package pipeline

import (
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
)

// Settings are a Pipeline's settings, set by code. The zero value of a field means its default.
type Settings struct {
	// Hold is how far the JVM's watermark must have passed a sample before it is labelled; default DefaultHold. UntilEnd holds samples
	// until the JVM is gone or Finish is called.
	Hold time.Duration
	// PlanWait is how long, beyond Hold, a sample waits for the plan of its execution and the accumulators of its stage before it is
	// counted as pending; default DefaultPlanWait.
	PlanWait time.Duration
	// MaxHeld bounds the samples held back for one JVM; default DefaultMaxHeld. Beyond it the oldest are labelled with what is known and
	// counted in Counts.Early.
	MaxHeld int
	// MaxExecutions bounds the plans kept for one JVM, the least recently used going first; default DefaultMaxExecutions.
	MaxExecutions int
	// Symbols gives the names of a JVM's native and kernel code; nil leaves such frames without names.
	Symbols func(sampler.JVM) Symbolizer
}

// Defaults of Settings.
const (
	DefaultHold          = 2 * time.Second
	DefaultPlanWait      = 10 * time.Second
	DefaultMaxHeld       = 1 << 18
	DefaultMaxExecutions = 512
)

// UntilEnd as Settings.Hold holds samples until the JVM is gone or Finish is called.
const UntilEnd time.Duration = 1<<63 - 1

// Symbolizer names an address outside of the JVM's compiled code. ok is false where it knows nothing of the address.
type Symbolizer interface {
	Symbol(addr uint64) (frame codemap.Frame, ok bool)
}

func (s Settings) withDefaults() Settings {
	if s.Hold == 0 {
		s.Hold = DefaultHold
	}
	if s.PlanWait == 0 {
		s.PlanWait = DefaultPlanWait
	}
	if s.MaxHeld == 0 {
		s.MaxHeld = DefaultMaxHeld
	}
	if s.MaxExecutions == 0 {
		s.MaxExecutions = DefaultMaxExecutions
	}
	return s
}
