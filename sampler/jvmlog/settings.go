package jvmlog

import (
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/planflame/planflame/tasksample"
)

// OpenMode says who opens a JVM's perf events.
type OpenMode uint32

// Modes of opening.
const (
	OpenByReader OpenMode = 1
	OpenByAgent  OpenMode = 2
)

// Ranges of Settings (FORMAT.md, "Control page").
const (
	MinPeriod     = tasksample.MinPeriod
	MaxPeriod     = tasksample.MaxPeriod
	MaxStackBytes = 65528
	// MostCopiedBytes is what the events that an agent opens may copy in a second of a thread's
	// CPU, base and detail together. A sample counts as SampleBytes beside its copy of the stack.
	MostCopiedBytes = 40_000_000
	SampleBytes     = 1024
	// MaxPromoted is how many running tasks can be promoted at a time.
	MaxPromoted = 64
)

// Settings are what a reader asks of an agent. The zero value is not valid: Mode and RingPages have
// no default.
type Settings struct {
	Enabled              bool
	Mode                 OpenMode
	StackBytes           uint32        // of the stack copied with a sample; 0 … MaxStackBytes, a multiple of 8
	BasePeriod           time.Duration // thread CPU time between samples of every task; 0 off, else MinPeriod … MaxPeriod
	DetailPeriod         time.Duration // the same of selected tasks
	RingPages            uint32        // data pages of a ring; a power of two, 1 … MaxRingPages
	InclusionProbability float64       // the fraction of a stage's partitions that is selected for the detail tier; 0 … 1
	Seed                 uint64        // of the task selection
	MinTasksPerStage     uint32        // … and at least so many of them (since 1.1: an older agent selects nothing)
	// Promoted are running tasks that are to be at the detail rate though not selected: at most
	// MaxPromoted. The agent switches them in mode OpenByAgent and tells with a task event of kind
	// TaskClocks (since 1.1).
	Promoted []tasksample.TaskAttemptID
}

// Validate says which field the agent would not accept, with its value and range.
func (s *Settings) Validate() error {
	switch {
	case s.Mode != OpenByReader && s.Mode != OpenByAgent:
		return fmt.Errorf("control settings: mode %d is not %d or %d", s.Mode, OpenByReader, OpenByAgent)
	case s.StackBytes > MaxStackBytes || s.StackBytes%8 != 0:
		return fmt.Errorf("control settings: stack_bytes %d is not a multiple of 8 in 0 … %d", s.StackBytes, MaxStackBytes)
	case !validPeriod(s.BasePeriod):
		return fmt.Errorf("control settings: base period %v is not 0 or in %v … %v", s.BasePeriod, MinPeriod, MaxPeriod)
	case !validPeriod(s.DetailPeriod):
		return fmt.Errorf("control settings: detail period %v is not 0 or in %v … %v", s.DetailPeriod, MinPeriod, MaxPeriod)
	case s.RingPages == 0 || s.RingPages > MaxRingPages || s.RingPages&(s.RingPages-1) != 0:
		return fmt.Errorf("control settings: ring_pages %d is not a power of two in 1 … %d", s.RingPages, MaxRingPages)
	case !(s.InclusionProbability >= 0 && s.InclusionProbability <= 1):
		return fmt.Errorf("control settings: inclusion probability %v is not in 0 … 1", s.InclusionProbability)
	case len(s.Promoted) > MaxPromoted:
		return fmt.Errorf("control settings: %d promoted tasks, at most %d", len(s.Promoted), MaxPromoted)
	case s.Mode == OpenByAgent && s.copied(s.BasePeriod)+s.copied(s.DetailPeriod) > MostCopiedBytes:
		return fmt.Errorf("control settings: stack_bytes %d every %v and %v copy more than %d bytes in a second of a thread's CPU", s.StackBytes,
			s.BasePeriod, s.DetailPeriod, MostCopiedBytes)
	}
	return nil
}

// copied is the bytes in a second of a thread's CPU, rounded as the agent does.
func (s *Settings) copied(period time.Duration) uint64 {
	if period <= 0 {
		return 0
	}
	return (uint64(s.StackBytes) + SampleBytes) * uint64(time.Second) / uint64(period)
}

func validPeriod(d time.Duration) bool { return d == 0 || d >= MinPeriod && d <= MaxPeriod }

// store writes the fields under the seqlock, each atomically: the agent copies them without a lock.
func (s *Settings) store(mem []byte) {
	enabled := uint32(0)
	if s.Enabled {
		enabled = 1
	}
	atomic.StoreUint32(word32(mem, ctlEnabled), enabled)
	atomic.StoreUint32(word32(mem, ctlMode), uint32(s.Mode))
	atomic.StoreUint32(word32(mem, ctlStackBytes), s.StackBytes)
	atomic.StoreUint64(word64(mem, ctlBasePeriod), uint64(s.BasePeriod))
	atomic.StoreUint64(word64(mem, ctlDetailPeriod), uint64(s.DetailPeriod))
	atomic.StoreUint32(word32(mem, ctlRingPages), s.RingPages)
	atomic.StoreUint64(word64(mem, ctlInclusion), math.Float64bits(s.InclusionProbability))
	atomic.StoreUint64(word64(mem, ctlSeed), s.Seed)
	atomic.StoreUint32(word32(mem, ctlLeast), s.MinTasksPerStage)
	atomic.StoreUint32(word32(mem, ctlPromotedN), uint32(len(s.Promoted)))
	for i, task := range s.Promoted {
		atomic.StoreUint64(word64(mem, ctlPromoted+8*i), uint64(task))
	}
}

// ControlPage is a decoded control page: what an agent would read. For tools and tests.
type ControlPage struct {
	Major, Minor   uint16
	LeaseOwner     uint64
	LeaseHeartbeat MonoTime
	LeasePID       uint32
	LeaseRank      Rank   // RankAll if the owner has not said one
	Seq            uint32 // odd: Settings is being written
	Settings       Settings
	RecordsAck     uint64
	ReplayRequest  uint32
}

// DecodeControl decodes a copy of a control page and validates its settings. Seq 0 says that no one
// wrote settings: they are zero.
func DecodeControl(b []byte) (ControlPage, error) {
	if len(b) < ControlBytes {
		return ControlPage{}, fmt.Errorf("decode control page: %d bytes of %d", len(b), ControlBytes)
	}
	if string(b[:8]) != controlMagic {
		return ControlPage{}, fmt.Errorf("decode control page: magic %q: %w", b[:8], ErrNotReady)
	}
	p := ControlPage{
		Major:          le.Uint16(b[ctlMajor:]),
		Minor:          le.Uint16(b[ctlMinor:]),
		LeaseOwner:     le.Uint64(b[ctlOwner:]),
		LeaseHeartbeat: MonoTime(le.Uint64(b[ctlHeartbeat:])),
		LeasePID:       le.Uint32(b[ctlPID:]),
		LeaseRank:      rankOf(le.Uint32(b[ctlRank:]), le.Uint64(b[ctlOwner:])),
		Seq:            le.Uint32(b[ctlSeq:]),
		Settings: Settings{
			Enabled:              le.Uint32(b[ctlEnabled:]) == 1,
			Mode:                 OpenMode(le.Uint32(b[ctlMode:])),
			StackBytes:           le.Uint32(b[ctlStackBytes:]),
			BasePeriod:           time.Duration(le.Uint64(b[ctlBasePeriod:])),
			DetailPeriod:         time.Duration(le.Uint64(b[ctlDetailPeriod:])),
			RingPages:            le.Uint32(b[ctlRingPages:]),
			InclusionProbability: math.Float64frombits(le.Uint64(b[ctlInclusion:])),
			Seed:                 le.Uint64(b[ctlSeed:]),
			MinTasksPerStage:     le.Uint32(b[ctlLeast:]),
		},
		RecordsAck:    le.Uint64(b[ctlRecordsAck:]),
		ReplayRequest: le.Uint32(b[ctlReplay:]),
	}
	if p.Major != Major {
		return p, fmt.Errorf("decode control page: version %d.%d, want %d.x: %w", p.Major, p.Minor, Major, ErrVersion)
	}
	if enabled := le.Uint32(b[ctlEnabled:]); enabled > 1 {
		return p, fmt.Errorf("decode control page: enabled %d is not 0 or 1", enabled)
	}
	if p.Seq == 0 {
		p.Settings = Settings{}
		return p, nil
	}
	promoted := le.Uint32(b[ctlPromotedN:])
	if promoted > MaxPromoted {
		return p, fmt.Errorf("decode control page: %d promoted tasks, at most %d", promoted, MaxPromoted)
	}
	for i := range int(promoted) {
		p.Settings.Promoted = append(p.Settings.Promoted, tasksample.TaskAttemptID(le.Uint64(b[ctlPromoted+8*i:])))
	}
	if err := p.Settings.Validate(); err != nil {
		return p, fmt.Errorf("decode control page: %w", err)
	}
	return p, nil
}
