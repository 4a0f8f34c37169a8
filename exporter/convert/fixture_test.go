package convert_test

import (
	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/planflame/planflame/exporter/convert"
)

// fixture builds a pprofile.Profiles with one profile, entry by entry; entry 0 of each table is the
// zero value.
type fixture struct {
	profiles pprofile.Profiles
	dict     pprofile.ProfilesDictionary
	profile  pprofile.Profile
}

func newFixture() *fixture {
	f := &fixture{profiles: pprofile.NewProfiles()}
	f.dict = f.profiles.Dictionary()
	f.dict.StringTable().Append("")
	f.dict.MappingTable().AppendEmpty()
	f.dict.LocationTable().AppendEmpty()
	f.dict.FunctionTable().AppendEmpty()
	f.dict.LinkTable().AppendEmpty()
	f.dict.AttributeTable().AppendEmpty()
	f.dict.StackTable().AppendEmpty()
	f.profile = f.profiles.ResourceProfiles().AppendEmpty().ScopeProfiles().AppendEmpty().Profiles().AppendEmpty()
	f.profile.SampleType().SetTypeStrindex(f.text("cpu"))
	f.profile.SampleType().SetUnitStrindex(f.text("nanoseconds"))
	return f
}

func (f *fixture) text(s string) int32 {
	for i, have := range f.dict.StringTable().All() {
		if have == s {
			return int32(i)
		}
	}
	f.dict.StringTable().Append(s)
	return int32(f.dict.StringTable().Len() - 1)
}

func (f *fixture) function(name, system, file string, start int64) int32 {
	v := f.dict.FunctionTable().AppendEmpty()
	v.SetNameStrindex(f.text(name))
	v.SetSystemNameStrindex(f.text(system))
	v.SetFilenameStrindex(f.text(file))
	v.SetStartLine(start)
	return int32(f.dict.FunctionTable().Len() - 1)
}

func (f *fixture) mapping(start, limit, offset uint64, file, buildID string) int32 {
	v := f.dict.MappingTable().AppendEmpty()
	v.SetMemoryStart(start)
	v.SetMemoryLimit(limit)
	v.SetFileOffset(offset)
	v.SetFilenameStrindex(f.text(file))
	if buildID != "" {
		v.AttributeIndices().Append(f.attribute("process.executable.build_id.gnu", buildID))
	}
	return int32(f.dict.MappingTable().Len() - 1)
}

// line is a function index, a line and a column.
type line struct {
	function     int32
	line, column int64
}

func (f *fixture) location(mapping int32, address uint64, lines ...line) int32 {
	v := f.dict.LocationTable().AppendEmpty()
	v.SetMappingIndex(mapping)
	v.SetAddress(address)
	for _, l := range lines {
		to := v.Lines().AppendEmpty()
		to.SetFunctionIndex(l.function)
		to.SetLine(l.line)
		to.SetColumn(l.column)
	}
	return int32(f.dict.LocationTable().Len() - 1)
}

func (f *fixture) stack(locations ...int32) int32 {
	f.dict.StackTable().AppendEmpty().LocationIndices().Append(locations...)
	return int32(f.dict.StackTable().Len() - 1)
}

func (f *fixture) attribute(key string, value any) int32 {
	v := f.dict.AttributeTable().AppendEmpty()
	v.SetKeyStrindex(f.text(key))
	if err := v.Value().FromRaw(value); err != nil {
		panic(err)
	}
	return int32(f.dict.AttributeTable().Len() - 1)
}

func (f *fixture) sample(stack int32, values []int64, times []uint64, attributes ...int32) {
	s := f.profile.Samples().AppendEmpty()
	s.SetStackIndex(stack)
	s.Values().Append(values...)
	s.TimestampsUnixNano().Append(times...)
	s.AttributeIndices().Append(attributes...)
}

// attributes lists sample attributes under their usual labels.
func attributes(keys ...string) (out []convert.Attribute) {
	for _, k := range keys {
		out = append(out, convert.Attribute{Key: k, Label: convert.LabelName(k)})
	}
	return out
}
