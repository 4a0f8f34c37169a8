package convert_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/planflame/planflame/exporter/convert"
)

// FuzzProfile feeds arbitrary OTLP profiles: each either converts into a valid pprof profile with
// the same sum, or is refused.
func FuzzProfile(f *testing.F) {
	seed := newFixture()
	seed.profile.SetTime(pcommon.Timestamp(7))
	a := seed.attribute("color", "red")
	m := seed.mapping(0x1000, 0x2000, 3, "lib.so", "id")
	seed.sample(seed.stack(seed.location(m, 0x1001, line{seed.function("f", "g", "h", 1), 2, 3})), []int64{5}, []uint64{9}, a)
	seed.sample(0, []int64{7}, nil)
	seed.sample(1, nil, []uint64{1, 2})
	wire, err := (&pprofile.ProtoMarshaler{}).MarshalProfiles(seed.profiles)
	require.NoError(f, err)
	f.Add(wire)
	f.Fuzz(func(t *testing.T, wire []byte) {
		profiles, err := (&pprofile.ProtoUnmarshaler{}).UnmarshalProfiles(wire)
		if err != nil {
			return
		}
		c := convert.New(profiles.Dictionary(), attributes("color", "shape"), 16)
		for _, rp := range profiles.ResourceProfiles().All() {
			for _, sp := range rp.ScopeProfiles().All() {
				for _, p := range sp.Profiles().All() {
					check(t, c, p)
				}
			}
		}
	})
}

func check(t *testing.T, c *convert.Converter, p pprofile.Profile) {
	weights, werr := c.Weights(p, nil)
	got, err := c.Profile(p, nil)
	if err != nil {
		if werr == nil && errors.Is(err, convert.ErrNoSamples) {
			for set, w := range weights {
				require.Zero(t, w, set)
			}
		}
		return
	}
	require.NoError(t, werr)
	require.NoError(t, got.Profile.CheckValid())
	require.Len(t, got.Origin, p.Samples().Len())
	sums := map[string]uint64{}
	for _, s := range got.Profile.Sample {
		require.Len(t, s.Value, 1)
		require.Positive(t, s.Value[0])
		key := ""
		for _, name := range []string{"color", "shape"} {
			if v := s.Label[name]; len(v) > 0 {
				require.LessOrEqual(t, len(v[0]), 16)
				key += v[0]
			}
			key += "\x00"
		}
		sums[key[:len(key)-1]] += uint64(s.Value[0])
	}
	for set, w := range weights {
		if w > 0 {
			require.LessOrEqual(t, uint64(w), uint64(math.MaxInt64))
			require.Equal(t, uint64(w), sums[string(set)], "set %q", set)
		}
	}
}
