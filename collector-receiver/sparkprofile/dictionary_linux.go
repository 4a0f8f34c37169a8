package sparkprofile

import (
	"encoding/binary"

	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
)

// frameTypeAttribute of a location says what sort of code it is (OpenTelemetry semantic
// conventions, profile).
const frameTypeAttribute = "profile.frame.type"

// dictionary fills the tables that all profiles of one pprofile.Profiles share: each entry stands
// once, entry 0 is the zero value.
type dictionary struct {
	tables     pprofile.ProfilesDictionary
	strings    map[string]int32
	functions  map[functionKey]int32
	locations  map[pipeline.StackFrame]int32
	stacks     map[string]int32
	attributes map[attributeKey]int32

	of      *window.Stacks // the numbers in here are of its frames and stacks
	frame   []int32        // :: its frame → location; 0: none yet
	whole   []int32        // :: its stack → index of the table; 0: none yet
	indices []int32        // of the stack at hand
	key     []byte
}

type functionKey struct{ name, file string }

// attributeKey is an attribute with a text, or, where that is empty, a number.
type attributeKey struct {
	key, text string
	number    int64
}

// newDictionary fills tables, with room at first for so many frames and stacks.
func newDictionary(tables pprofile.ProfilesDictionary, frames, stacks int) *dictionary {
	tables.StringTable().Append("")
	tables.MappingTable().AppendEmpty()
	tables.LocationTable().AppendEmpty()
	tables.FunctionTable().AppendEmpty()
	tables.LinkTable().AppendEmpty()
	tables.AttributeTable().AppendEmpty()
	tables.StackTable().AppendEmpty()
	d := &dictionary{
		tables:     tables,
		strings:    make(map[string]int32, frames),
		functions:  make(map[functionKey]int32, frames),
		locations:  make(map[pipeline.StackFrame]int32, frames),
		stacks:     make(map[string]int32, stacks),
		attributes: map[attributeKey]int32{},
	}
	d.strings[""], d.functions[functionKey{}], d.stacks[""] = 0, 0, 0
	return d
}

func (d *dictionary) text(s string) int32 {
	i, ok := d.strings[s]
	if !ok {
		i = int32(d.tables.StringTable().Len())
		d.tables.StringTable().Append(s)
		d.strings[s] = i
	}
	return i
}

func (d *dictionary) attribute(key, text string, number int64) int32 {
	k := attributeKey{key, text, number}
	i, ok := d.attributes[k]
	if !ok {
		i = int32(d.tables.AttributeTable().Len())
		a := d.tables.AttributeTable().AppendEmpty()
		a.SetKeyStrindex(d.text(key))
		if text != "" {
			a.Value().SetStr(text)
		} else {
			a.Value().SetInt(number)
		}
		d.attributes[k] = i
	}
	return i
}

func (d *dictionary) function(name, file string) int32 {
	k := functionKey{name, file}
	i, ok := d.functions[k]
	if !ok {
		i = int32(d.tables.FunctionTable().Len())
		f := d.tables.FunctionTable().AppendEmpty()
		f.SetNameStrindex(d.text(name))
		f.SetFilenameStrindex(d.text(file))
		d.functions[k] = i
	}
	return i
}

func (d *dictionary) location(f pipeline.StackFrame) int32 {
	i, ok := d.locations[f]
	if !ok {
		i = int32(d.tables.LocationTable().Len())
		l := d.tables.LocationTable().AppendEmpty()
		line := l.Lines().AppendEmpty()
		line.SetFunctionIndex(d.function(f.Name, f.File))
		line.SetLine(int64(f.Line))
		l.AttributeIndices().Append(d.attribute(frameTypeAttribute, string(f.Type), 0))
		d.locations[f] = i
	}
	return i
}

// stack is the index of a stack of one of the JVMs.
func (d *dictionary) stack(of *window.Stacks, stack uint32) int32 {
	if d.of != of {
		d.of, d.frame, d.whole = of, make([]int32, len(of.Frames())), make([]int32, of.Len())
	}
	if d.whole[stack] == 0 {
		d.whole[stack] = d.newStack(of, of.Indices(stack))
	}
	return d.whole[stack]
}

func (d *dictionary) newStack(of *window.Stacks, frames []uint32) int32 {
	d.indices, d.key = d.indices[:0], d.key[:0]
	for _, f := range frames {
		if d.frame[f] == 0 {
			d.frame[f] = d.location(of.Frames()[f])
		}
		d.indices = append(d.indices, d.frame[f])
		d.key = binary.LittleEndian.AppendUint32(d.key, uint32(d.frame[f]))
	}
	i, ok := d.stacks[string(d.key)]
	if !ok {
		i = int32(d.tables.StackTable().Len())
		d.tables.StackTable().AppendEmpty().LocationIndices().Append(d.indices...)
		d.stacks[string(d.key)] = i
	}
	return i
}
