package push

import "time"

// Limits are what a Pyroscope server accepts in one profile. The zero value of a field means its
// default. The server's names stand in pkg/validation/limits.go of Pyroscope 1.21.
type Limits struct {
	// Samples is the most samples of one profile; default 16,000
	// (-validation.max-profile-stacktrace-samples).
	Samples int `mapstructure:"max_samples"`
	// Bytes is the most bytes of one profile, uncompressed. The server refuses more than 4 MiB
	// (-validation.max-profile-size-bytes), and for ever answers 429 to more than its burst of 2 MB
	// (-distributor.ingestion-burst-size-mb), so the default is 1.5 MiB.
	Bytes int `mapstructure:"max_bytes"`
}

// DefaultLimits are the defaults.
func DefaultLimits() Limits { return Limits{Samples: 16_000, Bytes: 3 << 19} }

// Limits of Pyroscope 1.21 on labels and times, with the server's defaults.
const (
	// MaxLabelNames is the most label names of a series, __name__ and the sample's labels included.
	MaxLabelNames = 30
	// MaxLabelValueBytes is the longest label value.
	MaxLabelValueBytes = 2048
	// MaxAge is how old a profile may be (-validation.reject-older-than).
	MaxAge = time.Hour
	// Resolution is how far apart two profiles of one series must be to be told apart.
	Resolution = time.Millisecond
	// MaxAhead is how far in the future a profile may be (-validation.reject-newer-than).
	MaxAhead = 10 * time.Minute
)

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	if l.Samples <= 0 {
		l.Samples = d.Samples
	}
	if l.Bytes <= 0 {
		l.Bytes = d.Bytes
	}
	return l
}
