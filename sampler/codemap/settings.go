package codemap

import "time"

// Settings are a Map's settings, set by code. The zero value of a field means its default.
type Settings struct {
	// GapLimit is how long after a sample the load of its code may be written at most; default
	// DefaultGapLimit. Loads that were replayed are older than their record and know no limit.
	GapLimit time.Duration
	// MaxCodeBytes bounds the memory of intervals, by estimate; default DefaultMaxCodeBytes. Ended
	// intervals go first, the longest ended before others; when all live, a new one is refused.
	MaxCodeBytes int
	// MaxMethodBytes bounds the memory of names and line tables, by estimate; default
	// DefaultMaxMethodBytes. Methods that no interval mentions go first, generated ones before
	// others; when all are mentioned, a new one is refused. Generated ones that none has mentioned
	// for a while go anyway.
	MaxMethodBytes int
	// Unrepaired leaves regions as the JVM reported them, whatever is proven: for measuring what
	// the repair does.
	Unrepaired bool
}

// Defaults of Settings. A busy executor of 240 MiB code cache needed some 60 MiB and 20 MiB before
// they were packed.
const (
	DefaultGapLimit       = 5 * time.Second
	DefaultMaxCodeBytes   = 256 << 20
	DefaultMaxMethodBytes = 128 << 20
)

func (s Settings) withDefaults() Settings {
	if s.GapLimit == 0 {
		s.GapLimit = DefaultGapLimit
	}
	if s.MaxCodeBytes == 0 {
		s.MaxCodeBytes = DefaultMaxCodeBytes
	}
	if s.MaxMethodBytes == 0 {
		s.MaxMethodBytes = DefaultMaxMethodBytes
	}
	return s
}
