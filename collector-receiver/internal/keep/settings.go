package keep

import (
	"time"

	"go.uber.org/zap"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/recording"
)

// Settings are a Keeper's, set by code.
type Settings struct {
	Directory string
	// MaxBytes bounds all files together.
	MaxBytes int64
	// Choose reports whether a query is kept, by its fingerprint and its name; nil: all are.
	Choose func(query, name string) bool
	// Service names the folder of an application's recordings.
	Service func(pipeline.Application) string
	// Symbols names native code of a JVM; nil: it has no names.
	Symbols func(sampler.JVMID) pipeline.Symbolizer
	// Meta is the META of recordings but for times.
	Meta recording.Meta
	Log  *zap.Logger
	// Now is time.Now, unless set.
	Now func() time.Time
}

// MinBytes is the least Settings.MaxBytes: the spool of one JVM needs 8 MB for the code that it
// compiles in its first minutes (`make demo`).
const MinBytes = 16 << 20

// When a part ends by itself.
const (
	// partAge is how old a part becomes. An application of a night has one part.
	partAge = time.Hour
	// partShare of MaxBytes is how large its spool becomes.
	partShare = 16
	// patience is how many times as old and as large a part becomes while an execution runs.
	patience = 2
)
