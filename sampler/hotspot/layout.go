package hotspot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Layout is where one JVM keeps what names a method: offsets in bytes from the start of each
// structure, and sizes. Make one with ParseLayout; the zero value names nothing.
type Layout struct {
	feature uint32 // JDK feature release

	methodConst  uint64 // Method::_constMethod
	methodAccess uint64 // Method::_access_flags; its low 16 bits are the class file's

	constPool      uint64 // ConstMethod::_constants
	constSize      uint64 // ConstMethod::_constMethod_size, a 32-bit count of words
	constFlags     uint64 // ConstMethod::_flags
	constCodeSize  uint64 // ConstMethod::_code_size, 16 bits
	constName      uint64 // ConstMethod::_name_index, 16 bits
	constSignature uint64 // ConstMethod::_signature_index, 16 bits
	constBytes     uint64 // sizeof(ConstMethod): the bytecodes follow

	poolHolder uint64 // ConstantPool::_pool_holder
	poolLength uint64 // ConstantPool::_length, 32 bits
	poolSource uint64 // ConstantPool::_source_file_name_index, 16 bits
	poolBytes  uint64 // sizeof(ConstantPool): the slots follow, a word each

	klassName      uint64 // Klass::_name
	klassConstants uint64 // InstanceKlass::_constants

	symbolLength uint64 // Symbol::_length, 16 bits
	symbolBody   uint64 // Symbol::_body
}

// mostOffset bounds what a layout may claim: the largest of these structures, InstanceKlass, has
// some 500 bytes of fields.
const mostOffset = 4096

// ParseLayout reads the JSON of a VM_LAYOUT record of a JVM of a feature release. The error names
// what is missing or out of range; nothing is guessed.
func ParseLayout(text []byte, feature uint32) (Layout, error) {
	var tables struct {
		Offsets map[string]uint64 `json:"offsets"`
		Sizes   map[string]uint64 `json:"sizes"`
	}
	if err := json.Unmarshal(text, &tables); err != nil {
		return Layout{}, fmt.Errorf("read the JVM's layout: %w", err)
	}
	l := Layout{feature: feature}
	var missing []string
	for _, f := range []struct {
		to    *uint64
		from  map[string]uint64
		names []string // as the releases call it
	}{
		{&l.methodConst, tables.Offsets, []string{"Method._constMethod"}},
		{&l.methodAccess, tables.Offsets, []string{"Method._access_flags"}},
		{&l.constPool, tables.Offsets, []string{"ConstMethod._constants"}},
		{&l.constSize, tables.Offsets, []string{"ConstMethod._constMethod_size"}},
		{&l.constFlags, tables.Offsets, []string{"ConstMethod._flags", "ConstMethod._flags._flags"}}, // before JDK 21, since
		{&l.constCodeSize, tables.Offsets, []string{"ConstMethod._code_size"}},
		{&l.constName, tables.Offsets, []string{"ConstMethod._name_index"}},
		{&l.constSignature, tables.Offsets, []string{"ConstMethod._signature_index"}},
		{&l.constBytes, tables.Sizes, []string{"ConstMethod"}},
		{&l.poolHolder, tables.Offsets, []string{"ConstantPool._pool_holder"}},
		{&l.poolLength, tables.Offsets, []string{"ConstantPool._length"}},
		{&l.poolSource, tables.Offsets, []string{"ConstantPool._source_file_name_index"}},
		{&l.poolBytes, tables.Sizes, []string{"ConstantPool"}},
		{&l.klassName, tables.Offsets, []string{"Klass._name"}},
		{&l.klassConstants, tables.Offsets, []string{"InstanceKlass._constants"}},
		{&l.symbolLength, tables.Offsets, []string{"Symbol._length"}},
		{&l.symbolBody, tables.Offsets, []string{"Symbol._body", "Symbol._body[0]"}},
	} {
		i := slices.IndexFunc(f.names, func(name string) bool { _, ok := f.from[name]; return ok })
		if i < 0 {
			missing = append(missing, f.names[0])
			continue
		}
		if *f.to = f.from[f.names[i]]; *f.to > mostOffset {
			return Layout{}, fmt.Errorf("read the JVM's layout: %s is %d, at most %d can be right", f.names[i], *f.to, mostOffset)
		}
	}
	if len(missing) > 0 {
		return Layout{}, fmt.Errorf("read the JVM's layout: %s missing", strings.Join(missing, ", "))
	}
	return l, l.check()
}

// check says which structure is smaller than the fields that are read with it.
func (l *Layout) check() error {
	for _, s := range []struct {
		name string
		size uint64
		last uint64 // end of the last field
	}{
		{"ConstMethod", l.constBytes, max(l.constPool+8, l.constSize+4, l.constFlags+2, l.constCodeSize+2, l.constName+2, l.constSignature+2)},
		{"ConstantPool", l.poolBytes, max(l.poolHolder+8, l.poolLength+4, l.poolSource+2)},
	} {
		if s.size < s.last || s.size%8 != 0 {
			return fmt.Errorf("read the JVM's layout: %s has %d bytes, its fields end at %d", s.name, s.size, s.last)
		}
	}
	if l.symbolLength+2 > l.symbolBody || l.symbolBody >= symbolBytes {
		return fmt.Errorf("read the JVM's layout: Symbol has its length at %d, its text at %d", l.symbolLength, l.symbolBody)
	}
	return nil
}

// symbolBytes is what is read of a Symbol at first. Most are shorter.
const symbolBytes = 64

// methodBytes is how much of a Method is read.
func (l *Layout) methodBytes() uint64 { return max(l.methodConst+8, l.methodAccess+2) }
