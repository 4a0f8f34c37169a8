package convert_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/planflame/planflame/exporter/convert"
)

// TestEveryField writes another value into each field and expects each at its place: a mix-up of
// two fields cannot pass.
func TestEveryField(t *testing.T) {
	f := newFixture()
	f.profile.PeriodType().SetTypeStrindex(f.text("task-clock"))
	f.profile.PeriodType().SetUnitStrindex(f.text("microseconds"))
	f.profile.SetPeriod(5003)
	f.profile.SetTime(pcommon.Timestamp(1_700_000_000_000_000_007))
	f.profile.SetDurationNano(15_000_000_011)
	m := f.mapping(0x1000, 0x9000, 0x30, "/usr/lib/libjava.so", "abc123")
	inner := f.function("Inner.run", "inner$sys", "Inner.java", 13)
	outer := f.function("Outer.call", "outer$sys", "Outer.java", 17)
	base := f.function("main", "main_sys", "main.c", 19)
	leaf := f.location(m, 0x2023, line{inner, 29, 31}, line{outer, 37, 41})
	root := f.location(0, 0x43, line{base, 47, 53})
	query := f.attribute("spark.query.name", "nightly")
	stage := f.attribute("spark.stage.id", int64(59))
	hidden := f.attribute("thread.name", "worker-61")
	f.sample(f.stack(leaf, root), []int64{67}, nil, hidden, stage, query)

	c := convert.New(f.dict, attributes("spark.query.name", "spark.stage.id", "absent"), 100)
	got, err := c.Profile(f.profile, nil)
	require.NoError(t, err)
	require.Equal(t, []int{0}, got.Origin)
	p := got.Profile
	require.NoError(t, p.CheckValid())

	require.Len(t, p.SampleType, 1)
	assert.Equal(t, profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, *p.SampleType[0])
	assert.Equal(t, profile.ValueType{Type: "task-clock", Unit: "microseconds"}, *p.PeriodType)
	assert.Equal(t, int64(5003), p.Period)
	assert.Equal(t, int64(1_700_000_000_000_000_007), p.TimeNanos)
	assert.Equal(t, int64(15_000_000_011), p.DurationNanos)

	require.Len(t, p.Sample, 1)
	s := p.Sample[0]
	assert.Equal(t, []int64{67}, s.Value)
	assert.Equal(t, map[string][]string{"spark_query_name": {"nightly"}, "spark_stage_id": {"59"}}, s.Label)
	assert.Empty(t, s.NumLabel)
	require.Len(t, s.Location, 2)

	assert.Equal(t, uint64(0x2023), s.Location[0].Address)
	require.Len(t, s.Location[0].Line, 2)
	assertLine(t, s.Location[0].Line[0], "Inner.run", "inner$sys", "Inner.java", 13, 29, 31)
	assertLine(t, s.Location[0].Line[1], "Outer.call", "outer$sys", "Outer.java", 17, 37, 41)
	mapping := s.Location[0].Mapping
	require.NotNil(t, mapping)
	assert.Equal(t, []uint64{0x1000, 0x9000, 0x30}, []uint64{mapping.Start, mapping.Limit, mapping.Offset})
	assert.Equal(t, []string{"/usr/lib/libjava.so", "abc123"}, []string{mapping.File, mapping.BuildID})

	assert.Equal(t, uint64(0x43), s.Location[1].Address)
	assert.Nil(t, s.Location[1].Mapping)
	require.Len(t, s.Location[1].Line, 1)
	assertLine(t, s.Location[1].Line[0], "main", "main_sys", "main.c", 19, 47, 53)

	var wire bytes.Buffer
	require.NoError(t, p.Write(&wire))
	again, err := profile.Parse(&wire)
	require.NoError(t, err)
	assert.Equal(t, p.String(), again.String())
}

func assertLine(t *testing.T, l profile.Line, name, system, file string, start, line, column int64) {
	t.Helper()
	assert.Equal(t, []string{name, system, file}, []string{l.Function.Name, l.Function.SystemName, l.Function.Filename})
	assert.Equal(t, []int64{start, line, column}, []int64{l.Function.StartLine, l.Line, l.Column})
}

func TestSampleValues(t *testing.T) {
	for name, test := range map[string]struct {
		values []int64
		times  []uint64
		want   int64
		err    string
	}{
		"one value":                   {values: []int64{5}, want: 5},
		"a value per timestamp":       {values: []int64{5, 7}, times: []uint64{11, 13}, want: 12},
		"values without timestamps":   {values: []int64{5, 7, 9}, want: 21},
		"timestamps count one each":   {times: []uint64{11, 13, 17}, want: 3},
		"more values than timestamps": {values: []int64{5, 7}, times: []uint64{11}, err: "2 values for 1 timestamps"},
		"nothing":                     {err: "neither values nor timestamps"},
		"negative":                    {values: []int64{5, -3}, err: "negative value -3"},
		"overflow":                    {values: []int64{math.MaxInt64, 1}, err: "overflows"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture()
			f.sample(f.stack(f.location(0, 1)), test.values, test.times)
			c := convert.New(f.dict, nil, 100)
			weights, werr := c.Weights(f.profile, nil)
			got, err := c.Profile(f.profile, nil)
			if test.err != "" {
				require.ErrorContains(t, err, test.err)
				require.ErrorContains(t, err, "sample 0")
				require.ErrorContains(t, werr, test.err)
				return
			}
			require.NoError(t, err)
			require.NoError(t, werr)
			assert.Equal(t, []int64{test.want}, got.Profile.Sample[0].Value)
			assert.Equal(t, map[convert.Set]int64{"": test.want}, weights)
		})
	}
}

// Samples of one stack and one set of listed attributes become one; other attributes make no
// difference.
func TestMergeAndFold(t *testing.T) {
	f := newFixture()
	a := f.stack(f.location(0, 0, line{f.function("a", "", "", 0), 0, 0}))
	b := f.stack(f.location(0, 0, line{f.function("b", "", "", 0), 0, 0}))
	red, blue := f.attribute("color", "red"), f.attribute("color", "blue")
	t1, t2 := f.attribute("thread", "1"), f.attribute("thread", "2")
	f.sample(a, []int64{3}, nil, red, t1)
	f.sample(b, []int64{5}, nil, red, t1)
	f.sample(a, []int64{7}, nil, red, t2)
	f.sample(a, []int64{0}, nil, red)
	f.sample(a, []int64{11}, nil, blue)
	f.sample(a, []int64{13}, nil)

	c := convert.New(f.dict, attributes("color"), 100)
	weights, err := c.Weights(f.profile, nil)
	require.NoError(t, err)
	assert.Equal(t, map[convert.Set]int64{"red": 15, "blue": 11, "": 13}, weights)

	got, err := c.Profile(f.profile, nil)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 1, 0, convert.Nowhere, 2, 3}, got.Origin)
	assert.Equal(t, []int64{10, 5, 11, 13}, values(got.Profile))
	assert.Equal(t, []string{"red", "red", "blue", ""}, labels(got.Profile, "color"))

	folded, err := c.Profile(f.profile, func(s convert.Set) convert.Set {
		if s == "blue" {
			return "red"
		}
		return s
	})
	require.NoError(t, err)
	assert.Equal(t, []int64{21, 5, 13}, values(folded.Profile))
	assert.Equal(t, []int{0, 1, 0, convert.Nowhere, 0, 2}, folded.Origin)
}

func values(p *profile.Profile) (v []int64) {
	for _, s := range p.Sample {
		v = append(v, s.Value...)
	}
	return v
}

func labels(p *profile.Profile, name string) (v []string) {
	for _, s := range p.Sample {
		v = append(v, strings.Join(s.Label[name], "+"))
	}
	return v
}

// What Pyroscope would drop without a word gets a name: empty stacks, and locations without lines.
func TestFramesWithoutNames(t *testing.T) {
	f := newFixture()
	plain := f.mapping(0x1000, 0x9000, 0x200, "/opt/lib/libz.so.1", "")
	built := f.mapping(0x1000, 0x9000, 0x200, "/opt/lib/libz.so.1", "beef")
	f.sample(0, []int64{3}, nil)
	f.sample(f.stack(f.location(0, 0)), []int64{5}, nil)
	f.sample(f.stack(f.location(0, 0xabc)), []int64{7}, nil)
	f.sample(f.stack(f.location(plain, 0x1023)), []int64{11}, nil)
	f.sample(f.stack(f.location(built, 0x1023)), []int64{13}, nil)
	got, err := convert.New(f.dict, nil, 100).Profile(f.profile, nil)
	require.NoError(t, err)
	var names []string
	for _, s := range got.Profile.Sample {
		require.Len(t, s.Location, 1)
		name := "unsymbolized"
		if len(s.Location[0].Line) > 0 {
			name = s.Location[0].Line[0].Function.Name
		}
		names = append(names, name)
	}
	assert.Equal(t, []string{"[no stack]", "0x0", "0xabc", "libz.so.1+0x223", "unsymbolized"}, names)
}

func TestBadReferences(t *testing.T) {
	for name, test := range map[string]struct {
		break_ func(f *fixture)
		err    string
	}{
		"stack":         {func(f *fixture) { f.sample(99, []int64{1}, nil) }, "sample 1: stack index 99 outside"},
		"negative":      {func(f *fixture) { f.sample(-1, []int64{1}, nil) }, "stack index -1 outside"},
		"location":      {func(f *fixture) { f.sample(f.stack(98), []int64{1}, nil) }, "location index 98 outside"},
		"function":      {func(f *fixture) { f.sample(f.stack(f.location(0, 1, line{97, 1, 1})), []int64{1}, nil) }, "function index 97 outside"},
		"mapping":       {func(f *fixture) { f.sample(f.stack(f.location(96, 1)), []int64{1}, nil) }, "mapping index 96 outside"},
		"attribute":     {func(f *fixture) { f.sample(0, []int64{1}, nil, 95) }, "attribute index 95 outside"},
		"type":          {func(f *fixture) { f.profile.SampleType().SetTypeStrindex(94) }, "sample type: string index 94 outside"},
		"unit":          {func(f *fixture) { f.profile.SampleType().SetUnitStrindex(93) }, "unit of sample type: string index 93 outside"},
		"period type":   {func(f *fixture) { f.profile.PeriodType().SetTypeStrindex(92) }, "period type: string index 92 outside"},
		"no type":       {func(f *fixture) { f.profile.SampleType().SetTypeStrindex(0) }, "sample type has no name"},
		"hyphen":        {func(f *fixture) { f.profile.SampleType().SetTypeStrindex(f.text("off-cpu")) }, "hyphen"},
		"duration":      {func(f *fixture) { f.profile.SetDurationNano(math.MaxUint64) }, "duration"},
		"time":          {func(f *fixture) { f.profile.SetTime(math.MaxUint64) }, "time"},
		"function name": {func(f *fixture) { f.dict.FunctionTable().At(1).SetNameStrindex(91) }, "name of function 1: string index 91"},
		"file name":     {func(f *fixture) { f.dict.FunctionTable().At(1).SetFilenameStrindex(90) }, "file name of function 1: string index 90"},
		"sum overflows": {func(f *fixture) { f.sample(1, []int64{math.MaxInt64}, nil) }, "overflows"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture()
			f.sample(f.stack(f.location(0, 1, line{f.function("f", "", "", 0), 1, 1})), []int64{1}, nil)
			test.break_(f)
			_, err := convert.New(f.dict, attributes("x"), 100).Profile(f.profile, nil)
			require.ErrorContains(t, err, test.err)
		})
	}
}

func TestNothingToSend(t *testing.T) {
	f := newFixture()
	_, err := convert.New(f.dict, nil, 100).Profile(f.profile, nil)
	require.ErrorIs(t, err, convert.ErrNoSamples)
	f.sample(0, []int64{0}, nil)
	_, err = convert.New(f.dict, nil, 100).Profile(f.profile, nil)
	require.ErrorIs(t, err, convert.ErrNoSamples)
}

func TestLabels(t *testing.T) {
	for in, want := range map[string]string{
		"service.name": "service_name", "9lives": "_9lives", "a-b/c": "a_b_c", "ünder": "_nder", "": "", "ok_1": "ok_1",
	} {
		assert.Equal(t, want, convert.LabelName(in), in)
	}
	for _, test := range []struct {
		in    string
		limit int
		want  string
		cut   bool
	}{
		{"plain", 5, "plain", false},
		{"plain", 4, "plai", true},
		{"aé", 2, "a", true}, // é is two bytes and is not cut in half
		{"a\x00b", 9, "a\uFFFDb", false},
		{"a\xffb", 9, "a\uFFFDb", false},
		{"é", 1, "", true},
	} {
		got, cut := convert.LabelValue(test.in, test.limit)
		assert.Equal(t, test.want, got, "%q", test.in)
		assert.Equal(t, test.cut, cut, "%q", test.in)
	}
}

func TestLongValuesAreCutAndCounted(t *testing.T) {
	f := newFixture()
	long := f.attribute("k", strings.Repeat("x", 9))
	f.sample(0, []int64{3}, nil, long)
	f.sample(0, []int64{5}, nil, long)
	c := convert.New(f.dict, attributes("k"), 4)
	got, err := c.Profile(f.profile, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"xxxx"}, labels(got.Profile, "k"))
	assert.Equal(t, uint64(1), c.CutValues)
}
