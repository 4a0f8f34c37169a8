package push

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"
)

// all has every field of a profile, each with a value of its own.
func all() *profile.Profile {
	mapping := &profile.Mapping{ID: 3, Start: 5, Limit: 700, Offset: 11, File: "/lib/a.so", BuildID: "b1", HasFunctions: true, HasInlineFrames: true}
	other := &profile.Mapping{ID: 300, HasFilenames: true, HasLineNumbers: true}
	f := &profile.Function{ID: 13, Name: "f", SystemName: "_f", Filename: "f.c", StartLine: 17}
	g := &profile.Function{ID: 19, Name: "g", SystemName: "g"}
	at := []*profile.Location{
		{ID: 23, Mapping: mapping, Address: 29, Line: []profile.Line{{Function: f, Line: 31, Column: 37}, {Function: g, Line: 200}}, IsFolded: true},
		{ID: 400, Mapping: other, Address: 1 << 40}, {ID: 41, Line: []profile.Line{{Line: 43}}},
	}
	shared := map[string][]string{"query": {"q1", "q2"}, "operator": {"scan"}}
	return &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}, {Type: "samples", Unit: "count"}}, DefaultSampleType: "samples",
		Sample: []*profile.Sample{
			{Location: at, Value: []int64{47, -1}, Label: shared},
			{Location: at[:2], Value: []int64{53, 59}, Label: shared},
			{Location: at[1:2], Value: []int64{0, 61}, Label: map[string][]string{"operator": {"sort"}}, NumLabel: map[string][]int64{"bytes": {67, 0}, "a": {71}},
				NumUnit: map[string][]string{"bytes": {"byte", "kilobyte"}}},
			{Value: []int64{73, 79, 83}, Label: shared},
			{Location: at[:1], Value: []int64{89}},
		},
		Mapping: []*profile.Mapping{mapping, other}, Location: at, Function: []*profile.Function{f, g},
		Comments: []string{"one", "two", "f"}, DocURL: "https://example.org", DropFrames: "drop", KeepFrames: "keep",
		TimeNanos: 1_700_000_000_123_456_789, DurationNanos: 15_000_000_000, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 5_000_000,
	}
}

// What encode makes is what google/pprof makes, byte by byte.
func TestEncode(t *testing.T) {
	for name, p := range map[string]*profile.Profile{
		"every field": all(),
		"none":        {},
		"few":         {PeriodType: &profile.ValueType{}, Comments: []string{"one"}, Sample: []*profile.Sample{{Value: []int64{3}}}},
	} {
		t.Run(name, func(t *testing.T) {
			var want bytes.Buffer
			require.NoError(t, p.WriteUncompressed(&want))
			got, timeAt := encode(p)
			require.Equal(t, want.Bytes(), got)
			require.Equal(t, p.TimeNanos != 0, timeAt != 0)
		})
	}
}

func TestAPartsTime(t *testing.T) {
	p := all()
	for _, nanos := range []int64{p.TimeNanos + 5, 7, 0, 1} { // the first in place, the others with fewer bytes
		parts, _ := Split(p, Limits{})
		require.Len(t, parts, 1)
		parts[0].Profile.TimeNanos = nanos
		raw, err := parts[0].raw()
		require.NoError(t, err)
		got, err := profile.ParseUncompressed(raw)
		require.NoError(t, err)
		require.Equal(t, nanos, got.TimeNanos)
		require.Equal(t, p.DurationNanos, got.DurationNanos)
		require.Len(t, got.Sample, len(p.Sample))
		again, err := parts[0].raw()
		require.NoError(t, err)
		require.Equal(t, raw, again)
	}
}

// BenchmarkEncode encodes a window's profile: 4,000 stacks of 60 of 6,000 frames.
func BenchmarkEncode(b *testing.B) {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, TimeNanos: time.Now().UnixNano()}
	for i := range 6000 {
		f := &profile.Function{ID: uint64(i + 1), Name: "org.apache.spark.sql.execution.Some.method" + string(rune('a'+i%26)) + string(rune('a'+i/26)), Filename: "Some.java"}
		p.Function = append(p.Function, f)
		p.Location = append(p.Location, &profile.Location{ID: uint64(i + 1), Line: []profile.Line{{Function: f, Line: int64(i % 500)}}})
	}
	labels := map[string][]string{"query": {"q1"}, "operator": {"scan"}}
	for i := range 4000 {
		s := &profile.Sample{Value: []int64{int64(i)}, Label: labels}
		for k := range 60 {
			s.Location = append(s.Location, p.Location[(i*7+k*k)%6000])
		}
		p.Sample = append(p.Sample, s)
	}
	b.ReportAllocs()
	for b.Loop() {
		raw, _ := encode(p)
		require.Greater(b, len(raw), 500_000)
	}
}
