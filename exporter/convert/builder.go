package convert

import (
	"errors"
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/google/pprof/profile"
	"go.opentelemetry.io/collector/pdata/pprofile"
)

// buildIDAttribute of a mapping is the GNU build id of its file (OpenTelemetry semantic
// conventions, process registry).
const buildIDAttribute = "process.executable.build_id.gnu"

// builder makes one pprof profile out of references into a dictionary; each table entry is
// converted once.
type builder struct {
	dict      pprofile.ProfilesDictionary
	out       *profile.Profile
	stacks    map[int32][]*profile.Location
	locations map[int32]*profile.Location
	functions map[int32]*profile.Function
	mappings  map[int32]*profile.Mapping
}

func newBuilder(dict pprofile.ProfilesDictionary) *builder {
	return &builder{
		dict:      dict,
		out:       &profile.Profile{},
		stacks:    map[int32][]*profile.Location{},
		locations: map[int32]*profile.Location{},
		functions: map[int32]*profile.Function{},
		mappings:  map[int32]*profile.Mapping{},
	}
}

func (b *builder) header(p pprofile.Profile) error {
	sampleType, err := b.sampleType(p)
	if err != nil {
		return err
	}
	periodType, err := b.valueType("period type", p.PeriodType())
	if err != nil {
		return err
	}
	if periodType.Type == "" {
		periodType = &profile.ValueType{Type: sampleType.Type, Unit: sampleType.Unit}
	}
	if p.DurationNano() > math.MaxInt64 {
		return fmt.Errorf("duration of %d ns", p.DurationNano())
	}
	if p.Time() > math.MaxInt64 {
		return fmt.Errorf("time of %d ns", p.Time())
	}
	b.out.SampleType = []*profile.ValueType{sampleType}
	b.out.PeriodType = periodType
	b.out.Period = p.Period()
	b.out.TimeNanos = int64(p.Time())
	b.out.DurationNanos = int64(p.DurationNano())
	return nil
}

func (b *builder) sampleType(p pprofile.Profile) (*profile.ValueType, error) {
	t, err := b.valueType("sample type", p.SampleType())
	switch {
	case err != nil:
		return nil, err
	case t.Type == "":
		return nil, errors.New("sample type has no name")
	case strings.Contains(t.Type, "-"):
		return nil, fmt.Errorf("sample type %q: Pyroscope refuses a hyphen", t.Type)
	}
	return t, nil
}

func (b *builder) valueType(what string, v pprofile.ValueType) (*profile.ValueType, error) {
	name, err := b.text(v.TypeStrindex())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	unit, err := b.text(v.UnitStrindex())
	if err != nil {
		return nil, fmt.Errorf("unit of %s: %w", what, err)
	}
	return &profile.ValueType{Type: name, Unit: unit}, nil
}

// text is a string of the table as valid UTF-8: Pyroscope refuses a whole profile for one bad
// string.
func (b *builder) text(index int32) (string, error) {
	s, err := stringAt(b.dict, index)
	return strings.ToValidUTF8(s, "\uFFFD"), err
}

func (b *builder) stack(index int32) ([]*profile.Location, error) {
	if s, ok := b.stacks[index]; ok {
		return s, nil
	}
	if index < 0 || int(index) >= b.dict.StackTable().Len() {
		return nil, fmt.Errorf("stack index %d outside of the table of %d", index, b.dict.StackTable().Len())
	}
	indices := b.dict.StackTable().At(int(index)).LocationIndices()
	stack := make([]*profile.Location, 0, indices.Len())
	for _, i := range indices.All() {
		l, err := b.location(i)
		if err != nil {
			return nil, fmt.Errorf("stack %d: %w", index, err)
		}
		stack = append(stack, l)
	}
	if len(stack) == 0 {
		stack = append(stack, b.synthetic(noStack))
	}
	b.stacks[index] = stack
	return stack, nil
}

// noStack is the frame of samples that came without any: Pyroscope shows nothing for an empty
// stack.
const noStack = "[no stack]"

// synthetic is a location of one frame that stands for no code.
func (b *builder) synthetic(name string) *profile.Location {
	l := &profile.Location{Line: []profile.Line{{Function: b.named(name)}}}
	b.addLocation(l)
	return l
}

func (b *builder) addLocation(l *profile.Location) {
	l.ID = uint64(len(b.out.Location) + 1)
	b.out.Location = append(b.out.Location, l)
}

func (b *builder) named(name string) *profile.Function {
	f := &profile.Function{Name: name, SystemName: name}
	b.addFunction(f)
	return f
}

func (b *builder) addFunction(f *profile.Function) {
	f.ID = uint64(len(b.out.Function) + 1)
	b.out.Function = append(b.out.Function, f)
}

// unsymbolized names a location without lines by file and address, unless its build id lets the
// server find the symbols. Pyroscope drops every sample with a location that has neither lines nor
// an address.
func (b *builder) unsymbolized(l *profile.Location) {
	if m := l.Mapping; m != nil && m.BuildID != "" && l.Address != 0 {
		return
	}
	name := fmt.Sprintf("0x%x", l.Address)
	if m := l.Mapping; m != nil && m.File != "" {
		name = fmt.Sprintf("%s+0x%x", path.Base(m.File), l.Address-m.Start+m.Offset)
	}
	l.Line = []profile.Line{{Function: b.named(name)}}
}

func (b *builder) location(index int32) (*profile.Location, error) {
	if l, ok := b.locations[index]; ok {
		return l, nil
	}
	if index < 0 || int(index) >= b.dict.LocationTable().Len() {
		return nil, fmt.Errorf("location index %d outside of the table of %d", index, b.dict.LocationTable().Len())
	}
	in := b.dict.LocationTable().At(int(index))
	l := &profile.Location{Address: in.Address()}
	var err error
	if l.Mapping, err = b.mapping(in.MappingIndex()); err != nil {
		return nil, fmt.Errorf("location %d: %w", index, err)
	}
	for _, line := range in.Lines().All() {
		f, err := b.function(line.FunctionIndex())
		if err != nil {
			return nil, fmt.Errorf("location %d: %w", index, err)
		}
		l.Line = append(l.Line, profile.Line{Function: f, Line: line.Line(), Column: line.Column()})
	}
	if len(l.Line) == 0 {
		b.unsymbolized(l)
	}
	b.addLocation(l)
	b.locations[index] = l
	return l, nil
}

func (b *builder) function(index int32) (*profile.Function, error) {
	if f, ok := b.functions[index]; ok {
		return f, nil
	}
	if index < 0 || int(index) >= b.dict.FunctionTable().Len() {
		return nil, fmt.Errorf("function index %d outside of the table of %d", index, b.dict.FunctionTable().Len())
	}
	in := b.dict.FunctionTable().At(int(index))
	f := &profile.Function{StartLine: in.StartLine()}
	var err error
	if f.Name, err = b.text(in.NameStrindex()); err != nil {
		return nil, fmt.Errorf("name of function %d: %w", index, err)
	}
	if f.SystemName, err = b.text(in.SystemNameStrindex()); err != nil {
		return nil, fmt.Errorf("system name of function %d: %w", index, err)
	}
	if f.Filename, err = b.text(in.FilenameStrindex()); err != nil {
		return nil, fmt.Errorf("file name of function %d: %w", index, err)
	}
	b.addFunction(f)
	b.functions[index] = f
	return f, nil
}

// mapping converts an entry of the mapping table; entry 0 means none.
func (b *builder) mapping(index int32) (*profile.Mapping, error) {
	if index == 0 {
		return nil, nil
	}
	if m, ok := b.mappings[index]; ok {
		return m, nil
	}
	if index < 0 || int(index) >= b.dict.MappingTable().Len() {
		return nil, fmt.Errorf("mapping index %d outside of the table of %d", index, b.dict.MappingTable().Len())
	}
	in := b.dict.MappingTable().At(int(index))
	m := &profile.Mapping{Start: in.MemoryStart(), Limit: in.MemoryLimit(), Offset: in.FileOffset()}
	var err error
	if m.File, err = b.text(in.FilenameStrindex()); err != nil {
		return nil, fmt.Errorf("file name of mapping %d: %w", index, err)
	}
	if m.BuildID, err = b.buildID(in); err != nil {
		return nil, fmt.Errorf("mapping %d: %w", index, err)
	}
	m.ID = uint64(len(b.out.Mapping) + 1)
	b.out.Mapping = append(b.out.Mapping, m)
	b.mappings[index] = m
	return m, nil
}

func (b *builder) buildID(m pprofile.Mapping) (string, error) {
	for _, index := range m.AttributeIndices().All() {
		if index < 0 || int(index) >= b.dict.AttributeTable().Len() {
			return "", fmt.Errorf("attribute index %d outside of the table of %d", index, b.dict.AttributeTable().Len())
		}
		kv := b.dict.AttributeTable().At(int(index))
		key, err := b.text(kv.KeyStrindex())
		if err != nil {
			return "", fmt.Errorf("key of attribute %d: %w", index, err)
		}
		if key == buildIDAttribute {
			return strings.ToValidUTF8(kv.Value().AsString(), "\uFFFD"), nil
		}
	}
	return "", nil
}
