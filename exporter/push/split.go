package push

import (
	"fmt"
	"io"

	"github.com/google/pprof/profile"
)

// Part is one profile within Limits, ready to be sent.
type Part struct {
	Profile *profile.Profile
	Bytes   int // uncompressed size
	First   int // index of its first sample in the profile that was split
}

// Holds tells whether sample i of the profile that was split is in the part.
func (p *Part) Holds(i int) bool { return i >= p.First && i < p.First+len(p.Profile.Sample) }

// Split cuts p into profiles within limits. The parts share samples, locations and functions with p, hold every sample exactly once and
// in order, and carry only the locations that they need. Each part's time is a millisecond later than the one before, because Pyroscope's
// v1 storage shows one profile a series and millisecond and hides all others (timestampedFingerprints in pkg/querier/select_merge.go). A sample that alone exceeds limits.Bytes is left out: it is counted in
// tooLarge. The error is that of a profile that cannot be encoded.
func Split(p *profile.Profile, limits Limits) (parts []Part, tooLarge int, err error) {
	limits = limits.withDefaults()
	if len(p.Sample) == 0 {
		return nil, 0, nil
	}
	for first, n := 0, 0; first < len(p.Sample); first += n {
		n = min(limits.Samples, len(p.Sample)-first)
		for {
			part := subset(p, p.Sample[first:first+n])
			if p.TimeNanos > 0 {
				part.TimeNanos = p.TimeNanos + int64(len(parts))*int64(Resolution)
			}
			size, err := encodedBytes(part)
			if err != nil {
				return nil, 0, fmt.Errorf("encode profile of %d samples: %w", n, err)
			}
			if size <= limits.Bytes {
				parts = append(parts, Part{Profile: part, Bytes: size, First: first})
				break
			}
			if n == 1 {
				tooLarge++
				break
			}
			n = (n + 1) / 2
		}
	}
	return parts, tooLarge, nil
}

// subset is p with these samples and what they refer to.
func subset(p *profile.Profile, samples []*profile.Sample) *profile.Profile {
	part := &profile.Profile{
		SampleType:        p.SampleType,
		DefaultSampleType: p.DefaultSampleType,
		Sample:            samples,
		Comments:          p.Comments,
		DocURL:            p.DocURL,
		DropFrames:        p.DropFrames,
		KeepFrames:        p.KeepFrames,
		TimeNanos:         p.TimeNanos,
		DurationNanos:     p.DurationNanos,
		PeriodType:        p.PeriodType,
		Period:            p.Period,
	}
	locations := map[*profile.Location]bool{}
	functions := map[*profile.Function]bool{}
	mappings := map[*profile.Mapping]bool{}
	for _, s := range samples {
		for _, l := range s.Location {
			if locations[l] {
				continue
			}
			locations[l] = true
			part.Location = append(part.Location, l)
			if m := l.Mapping; m != nil && !mappings[m] {
				mappings[m] = true
				part.Mapping = append(part.Mapping, m)
			}
			for _, line := range l.Line {
				if f := line.Function; f != nil && !functions[f] {
					functions[f] = true
					part.Function = append(part.Function, f)
				}
			}
		}
	}
	return part
}

type byteCounter int

func (c *byteCounter) Write(b []byte) (int, error) {
	*c += byteCounter(len(b))
	return len(b), nil
}

var _ io.Writer = (*byteCounter)(nil)

func encodedBytes(p *profile.Profile) (int, error) {
	var n byteCounter
	if err := p.WriteUncompressed(&n); err != nil {
		return 0, err
	}
	return int(n), nil
}
