package sparkprofile

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/planflame/planflame/internal/refusal"
)

// Recording says which recordings are kept.
type Recording struct {
	// Directory is where they are kept; "": none are.
	Directory string `mapstructure:"directory"`
	// MaxBytes bounds all of its files; the oldest recordings go first.
	MaxBytes int64 `mapstructure:"max_bytes"`
	// Queries lists patterns of the queries that are kept, by name or fingerprint. Empty: all are.
	Queries []string `mapstructure:"queries"`
}

// Bounds of Recording.MaxBytes.
const (
	defaultRecordingBytes = 1 << 30
	leastRecordingBytes   = 16 << 20 // keep.MinBytes
)

// choose reads the patterns of queries. An error begins with the key.
func (r Recording) choose() (func(query, name string) bool, error) {
	if len(r.Queries) == 0 {
		return nil, nil
	}
	all, err := patterns("queries", r.Queries)
	if err != nil {
		return nil, err
	}
	return func(query, name string) bool {
		for _, p := range all {
			if p.Matches(name) || p.Matches(query) {
				return true
			}
		}
		return false
	}, nil
}

// refusals says what cannot work, naming the key.
func (r Recording) refusals() error {
	const section = "recording::"
	var errs []error
	if r.Directory != "" && !filepath.IsAbs(r.Directory) {
		errs = append(errs, fmt.Errorf("%sdirectory: %q is not an absolute path", section, r.Directory))
	}
	if r.Directory == "" && (len(r.Queries) > 0 || r.MaxBytes != defaultRecordingBytes) {
		errs = append(errs, errors.New(section+"directory: missing, so nothing is kept"))
	}
	if _, err := r.choose(); err != nil {
		errs = append(errs, fmt.Errorf("%s%w", section, err))
	}
	return errors.Join(append(errs, refusal.Outside(section+"max_bytes", r.MaxBytes, leastRecordingBytes, math.MaxInt64))...)
}
