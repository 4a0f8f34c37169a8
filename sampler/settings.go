package sampler

import (
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/selector"
	"github.com/planflame/planflame/tasksample"
)

// Policy says which modes a sampler may use.
type Policy uint32

// Policies.
const (
	PolicyAuto       Policy = iota // privileged where this process may, else self-opened, else none
	PolicyPrivileged               // the sampler opens the events, or there are no samples
	PolicySelf                     // the JVM opens the events, or there are no samples
)

// ParsePolicy reads "auto", "privileged" or "self".
func ParsePolicy(s string) (Policy, error) {
	switch s {
	case "auto":
		return PolicyAuto, nil
	case "privileged":
		return PolicyPrivileged, nil
	case "self":
		return PolicySelf, nil
	}
	return 0, fmt.Errorf("mode %q is not auto, privileged or self", s)
}

// Settings of a Sampler. Zero fields mean the default that stands beside them.
type Settings struct {
	Mode       Policy        // PolicyAuto
	BasePeriod time.Duration // thread CPU time between two samples of a task thread: 10 ms; NoBase: only selected tasks are sampled
	// DetailPeriod is the thread CPU time between two samples of tasks that are selected, besides
	// the samples of BasePeriod. Selected are Fraction of each stage's partitions, at least
	// MinTasksPerStage (tasksample.Selection), drawn under Seed. 0: no task is.
	DetailPeriod     time.Duration
	Fraction         float64
	MinTasksPerStage uint32
	Seed             uint64
	// Rates decides about rates and promotions while tasks run; nil: they stay as the fields above
	// say. It is asked by Run's goroutine.
	Rates tasksample.Policy
	// RunFraction is π of a run, which is an SQL execution of an application. Of runs that are not
	// drawn under Seed no sample is unwound or delivered, and their task events say so. The clocks
	// run all the same. 0 and 1: all runs are sampled. A run of which tasks were seen before its
	// application's id is sampled, with π 1.
	RunFraction float64
	// QueryBudget bounds the samples of each query that are unwound and delivered; nil: there is no
	// bound. It is asked by Run's goroutine.
	QueryBudget *tasksample.QueryBudget
	// Tells says that Sampler.Told says what was handed on.
	Tells         bool
	StackBytes    int           // copy of the stack in each sample: 32,768; a multiple of 8 up to 65,528; -1 none
	RingPages     int           // data pages of a thread's ring: what four drain intervals need, at least 64; a power of two; fewer where memory may not be locked
	ScanInterval  time.Duration // between two looks for new JVMs: 1 s
	DrainInterval time.Duration // between two readings of the rings: 25 ms; up to RoundInterval and mostDrainInterval, or twice that, while they hold what comes
	RoundInterval time.Duration // between two rounds, in which what was read is unwound and delivered: DrainInterval; longer is cheaper and later
	// ReadCode reads compiled code from the JVM's memory when samples meet it, and has the agent
	// tell none. The agent goes on telling where memory may not be read, or says otherwise.
	ReadCode bool
	// PIDs says which processes are looked at; nil: all. Select says which JVMs among them are
	// sampled; nil: all. Who names processes goes before who selects JVMs, and both before who
	// takes all, if two readers want one JVM (FORMAT.md, lease_rank).
	PIDs   func(pid int) bool
	Select *selector.Rules
	Logger *zap.Logger // nil: nothing is logged
}

// Defaults of Settings.
const (
	DefaultBasePeriod = 10 * time.Millisecond
	// NoBase as Settings.BasePeriod is pure task sampling.
	NoBase               = time.Duration(-1)
	DefaultStackBytes    = 32768
	DefaultRingPages     = 64 // at least; more above 75 Hz with 32 KiB of stack
	DefaultScanInterval  = time.Second
	DefaultDrainInterval = 25 * time.Millisecond
	// mostRoundInterval keeps the lease's heartbeat fresh, and bounds what waits in memory.
	mostRoundInterval = time.Second
)

// withDefaults fills the zero fields.
func (s Settings) withDefaults() Settings {
	s.BasePeriod = orDefault(s.BasePeriod, DefaultBasePeriod)
	s.DetailPeriod = unlike(s.DetailPeriod, s.BasePeriod)
	s.StackBytes = orDefault(s.StackBytes, DefaultStackBytes)
	if s.StackBytes < 0 {
		s.StackBytes = 0
	}
	s.ScanInterval = orDefault(s.ScanInterval, DefaultScanInterval)
	s.DrainInterval = orDefault(s.DrainInterval, DefaultDrainInterval)
	s.RoundInterval = orDefault(s.RoundInterval, s.DrainInterval)
	s.RingPages = orDefault(s.RingPages, s.ringPages())
	if s.Logger == nil {
		s.Logger = zap.NewNop()
	}
	return s
}

// recordBytes is about a sample in a ring without its copy of the stack: 127 addresses and
// registers.
const pageBytes, recordBytes = 4096, 2048

// ringPages is the smallest ring, but not less than DefaultRingPages, that holds the samples of
// four drain intervals of a thread.
func (s Settings) ringPages() int {
	samples := 0.0 // in a drain interval
	for _, period := range []time.Duration{s.BasePeriod, s.DetailPeriod} {
		if period > 0 {
			samples += float64(s.DrainInterval) / float64(period)
		}
	}
	bytes := 4 * samples * float64(recordBytes+s.StackBytes)
	pages := DefaultRingPages
	for float64(pages)*pageBytes < bytes && pages < jvmlog.MaxRingPages {
		pages *= 2
	}
	return pages
}

// Validate says which field is out of range.
func (s Settings) Validate() error {
	s = s.withDefaults()
	if s.Mode > PolicySelf {
		return fmt.Errorf("sampler settings: mode %d is not known", s.Mode)
	}
	if s.ScanInterval < time.Millisecond || s.DrainInterval < time.Millisecond {
		return fmt.Errorf("sampler settings: scan interval %v and drain interval %v: not less than 1ms", s.ScanInterval, s.DrainInterval)
	}
	if s.DrainInterval > jvmlog.LeaseTimeout/2 {
		return fmt.Errorf("sampler settings: drain interval %v: the lease would be lost; at most %v", s.DrainInterval, jvmlog.LeaseTimeout/2)
	}
	if most := max(s.DrainInterval, mostRoundInterval); s.RoundInterval < s.DrainInterval || s.RoundInterval > most {
		return fmt.Errorf("sampler settings: round interval %v is not in %v (the drain interval) … %v", s.RoundInterval, s.DrainInterval, most)
	}
	if s.RingPages < 1 {
		return fmt.Errorf("sampler settings: ring pages %d: at least 1", s.RingPages)
	}
	if !(s.Fraction >= 0 && s.Fraction <= 1) {
		return fmt.Errorf("sampler settings: fraction %v is not in 0 … 1", s.Fraction)
	}
	if !(s.RunFraction >= 0 && s.RunFraction <= 1) {
		return fmt.Errorf("sampler settings: run fraction %v is not in 0 … 1", s.RunFraction)
	}
	if s.BasePeriod == NoBase && s.DetailPeriod == 0 {
		return errors.New("sampler settings: neither a base period nor a detail period: nothing would be sampled")
	}
	mode := ModeSelfOpened // PolicyAuto may end there
	if s.Mode == PolicyPrivileged {
		mode = ModePrivileged
	}
	c := s.control(mode)
	if err := c.Validate(); err != nil {
		return fmt.Errorf("sampler settings: %w", err)
	}
	return nil
}

// control is what is asked of the agent of a JVM that is sampled in that mode.
func (s Settings) control(mode Mode) jvmlog.Settings {
	c := jvmlog.Settings{
		Enabled:              mode != ModeNone,
		Mode:                 jvmlog.OpenByReader,
		StackBytes:           uint32(s.StackBytes),
		BasePeriod:           s.BasePeriod,
		DetailPeriod:         s.DetailPeriod,
		RingPages:            uint32(s.RingPages),
		InclusionProbability: s.Fraction,
		MinTasksPerStage:     s.MinTasksPerStage,
		Seed:                 s.Seed,
	}
	if s.BasePeriod == NoBase {
		c.BasePeriod = 0
	}
	if mode == ModeSelfOpened {
		c.Mode = jvmlog.OpenByAgent
	}
	return c
}

func orDefault[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}
