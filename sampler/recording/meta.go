package recording

import (
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
)

// Meta says how a recording was made.
type Meta struct {
	Version string `json:"planflame_version"` // of the program that wrote it
	Hz      int    `json:"hz"`                // samples per second of CPU of every task; 0 where only selected ones are sampled
	// DetailHz more of the tasks that are selected: Fraction of each stage's partitions.
	DetailHz float64 `json:"detail_hz,omitempty"`
	Fraction float64 `json:"task_fraction,omitempty"`
	// RunFraction is π of runs, where less than all were sampled.
	RunFraction float64   `json:"run_fraction,omitempty"`
	Mode        string    `json:"mode"`              // "auto", "privileged", "self": what was asked for
	Command     []string  `json:"command,omitempty"` // that was run, nil where JVMs were found by themselves
	Started     time.Time `json:"started"`
	// ClockOffset is wall clock minus CLOCK_MONOTONIC at Started, in nanoseconds: turns the
	// recording's times into dates.
	ClockOffset int64 `json:"clock_offset_ns"`
}

// Sink is what a recording can be replayed into: a sampler's Sink that also takes the names of
// native code.
type Sink interface {
	sampler.Sink
	// Symbol names the native or kernel code at frame.Addr, ahead of the first sample that holds
	// the address.
	Symbol(id sampler.JVMID, frame codemap.Frame)
}
