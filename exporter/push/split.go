package push

import (
	"bytes"
	"fmt"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"
)

// Part is one profile within Limits, ready to be sent.
type Part struct {
	Profile *profile.Profile
	Bytes   int // uncompressed size
	First   int // index of its first sample in the profile that was split

	encoded []byte // Profile as it was when it was split
	nanos   int64  // its TimeNanos then
}

// Holds reports whether sample i of the profile that was split is in the part.
func (p *Part) Holds(i int) bool { return i >= p.First && i < p.First+len(p.Profile.Sample) }

// Split cuts p into profiles within limits. The parts share samples, locations and functions with
// p, hold every sample exactly once and in order, and carry only the locations that they need. Each
// part's time is a millisecond later than the one before, because Pyroscope's v1 storage shows one
// profile a series and millisecond and hides all others (timestampedFingerprints in
// pkg/querier/select_merge.go). A sample that alone exceeds limits.Bytes is left out: it is counted
// in tooLarge. An error says that a profile cannot be encoded.
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
			var raw bytes.Buffer
			if err := part.WriteUncompressed(&raw); err != nil {
				return nil, 0, fmt.Errorf("encode profile of %d samples: %w", n, err)
			}
			if raw.Len() <= limits.Bytes {
				parts = append(parts, Part{Profile: part, Bytes: raw.Len(), First: first, encoded: raw.Bytes(), nanos: part.TimeNanos})
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

// subset is p with these samples and what they refer to. Locations and functions are known by their
// ids.
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
	locations, functions := newIDs(len(p.Location)), newIDs(len(p.Function))
	mappings := map[*profile.Mapping]bool{}
	for _, s := range samples {
		for _, l := range s.Location {
			if !locations.add(l.ID) {
				continue
			}
			part.Location = append(part.Location, l)
			if m := l.Mapping; m != nil && !mappings[m] {
				mappings[m] = true
				part.Mapping = append(part.Mapping, m)
			}
			for _, line := range l.Line {
				if f := line.Function; f != nil && functions.add(f.ID) {
					part.Function = append(part.Function, f)
				}
			}
		}
	}
	return part
}

// ids is a set of ids, of which most are at most the number of things that have them.
type ids struct {
	low  []bool
	high map[uint64]bool
}

func newIDs(things int) *ids { return &ids{low: make([]bool, things+1)} }

// add reports whether an id is new.
func (s *ids) add(id uint64) bool {
	if id < uint64(len(s.low)) {
		fresh := !s.low[id]
		s.low[id] = true
		return fresh
	}
	if s.high == nil {
		s.high = map[uint64]bool{}
	}
	fresh := !s.high[id]
	s.high[id] = true
	return fresh
}

// raw is the part's Profile as it goes on the wire, uncompressed. Nothing of it may have changed
// since it was split but its time.
func (p *Part) raw() ([]byte, error) {
	if p.Profile.TimeNanos == p.nanos {
		return p.encoded, nil
	}
	return withTime(p.encoded, p.Profile.TimeNanos)
}

// timeNanos is the number of that field of a profile (profile.proto, google/pprof).
const timeNanos = 9

// withTime is an encoded profile with another time.
func withTime(encoded []byte, nanos int64) ([]byte, error) {
	out := make([]byte, 0, len(encoded)+16)
	for b := encoded; len(b) > 0; {
		number, _, n := protowire.ConsumeField(b)
		if n < 0 {
			return nil, fmt.Errorf("encoded profile, at byte %d: %w", len(encoded)-len(b), protowire.ParseError(n))
		}
		if number != timeNanos {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	out = protowire.AppendTag(out, timeNanos, protowire.VarintType)
	return protowire.AppendVarint(out, uint64(nanos)), nil
}
