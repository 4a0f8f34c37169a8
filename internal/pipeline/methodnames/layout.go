package methodnames

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// layout is where HotSpot keeps what leads from a Method to its names, in bytes from the start of each structure.
type layout struct {
	constMethod uint64 // Method._constMethod
	constants   uint64 // ConstMethod._constants
	nameIndex   uint64 // ConstMethod._name_index
	poolLength  uint64 // ConstantPool._length
	poolHolder  uint64 // ConstantPool._pool_holder
	poolBase    uint64 // sizeof(ConstantPool): its entries, a word each, follow
	klassName   uint64 // Klass._name
	symbolLen   uint64 // Symbol._length
	symbolBody  uint64 // Symbol._body
}

// parseLayout reads a VM_LAYOUT record's JSON (FORMAT.md). An error names the field that is missing.
func parseLayout(text []byte) (layout, error) {
	var v struct {
		Offsets map[string]uint64 `json:"offsets"`
		Sizes   map[string]uint64 `json:"sizes"`
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return layout{}, fmt.Errorf("parse VM_LAYOUT: %w", err)
	}
	var l layout
	for _, f := range []struct {
		to   *uint64
		from map[string]uint64
		name string
	}{
		{&l.constMethod, v.Offsets, "Method._constMethod"}, {&l.constants, v.Offsets, "ConstMethod._constants"},
		{&l.nameIndex, v.Offsets, "ConstMethod._name_index"}, {&l.poolLength, v.Offsets, "ConstantPool._length"},
		{&l.poolHolder, v.Offsets, "ConstantPool._pool_holder"}, {&l.poolBase, v.Sizes, "ConstantPool"},
		{&l.klassName, v.Offsets, "Klass._name"}, {&l.symbolLen, v.Offsets, "Symbol._length"}, {&l.symbolBody, v.Offsets, "Symbol._body"},
	} {
		value, ok := f.from[f.name]
		if !ok {
			return layout{}, fmt.Errorf("parse VM_LAYOUT: %s is missing", f.name)
		}
		if value > maxOffset {
			return layout{}, fmt.Errorf("parse VM_LAYOUT: %s is %d, at most %d is believed", f.name, value, maxOffset)
		}
		*f.to = value
	}
	return l, nil
}

// maxOffset bounds offsets within HotSpot's structures.
const maxOffset = 1 << 14

// read names the method at a Method*.
func (l *layout) read(memory io.ReaderAt, method uint64) (class, name string, err error) {
	r := reader{memory: memory}
	constMethod := r.word(method + l.constMethod)
	pool := r.word(constMethod + l.constants)
	index := uint64(r.u16(constMethod + l.nameIndex))
	if length := uint64(r.u32(pool + l.poolLength)); r.err == nil && (index == 0 || index >= length) {
		return "", "", fmt.Errorf("name index %d of %d constants: no method", index, length)
	}
	name = l.symbol(&r, r.word(pool+l.poolBase+8*index))
	class = l.symbol(&r, r.word(r.word(pool+l.poolHolder)+l.klassName))
	if r.err != nil {
		return "", "", r.err
	}
	return strings.ReplaceAll(class, "/", "."), name, nil
}

// symbol reads a Symbol.
func (l *layout) symbol(r *reader, at uint64) string {
	text := r.bytes(at+l.symbolBody, int(r.u16(at+l.symbolLen)))
	if r.err == nil && !plausible(text) {
		r.err = errors.New("not a name")
	}
	return string(text)
}

// plausible says whether bytes can be the name of a class or method (JVMS 4.2.2; other characters than these are allowed, but rare).
func plausible(text []byte) bool {
	if len(text) == 0 || !utf8.Valid(text) {
		return false
	}
	for _, c := range string(text) {
		if !unicode.IsPrint(c) || strings.ContainsRune(" .;[", c) {
			return false
		}
	}
	return true
}

// reader reads memory until the first error.
type reader struct {
	memory io.ReaderAt
	err    error
	buffer [8]byte
}

var errNull = errors.New("null pointer")

// lowest is below every address that a process can map (vm.mmap_min_addr).
const lowest = 4096

func (r *reader) bytes(at uint64, n int) []byte {
	if r.err == nil && at < lowest {
		r.err = errNull
	}
	if r.err != nil {
		return nil
	}
	b := r.buffer[:]
	if n > len(b) {
		b = make([]byte, n)
	}
	if _, err := r.memory.ReadAt(b[:n], int64(at)); err != nil {
		r.err = fmt.Errorf("read %d bytes at %#x: %w", n, at, err)
		return nil
	}
	return b[:n]
}

func (r *reader) word(at uint64) uint64 {
	if b := r.bytes(at, 8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) u32(at uint64) uint32 {
	if b := r.bytes(at, 4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) u16(at uint64) uint16 {
	if b := r.bytes(at, 2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}
