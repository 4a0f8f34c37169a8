package sampler

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

// hotspot reads HotSpot's own structures in a JVM's memory, by the offsets that the JVM exports (vmStructs; the VM_LAYOUT record). The JVM
// runs on meanwhile and may unload what is read: every value is checked for what it must be, and what does not fit is not known.
type hotspot struct {
	memory  unwind.Memory
	offsets map[string]uint64
	sizes   map[string]uint64
}

// newHotspot reads a VM_LAYOUT record.
func newHotspot(memory unwind.Memory, r *jvmlog.VMLayout) (hotspot, error) {
	var layout struct {
		Offsets map[string]uint64 `json:"offsets"`
		Sizes   map[string]uint64 `json:"sizes"`
	}
	if err := json.Unmarshal(r.JSON, &layout); err != nil {
		return hotspot{}, fmt.Errorf("decode the layout of the JVM: %w", err)
	}
	return hotspot{memory: memory, offsets: layout.Offsets, sizes: layout.Sizes}, nil
}

// codeBase is the address of a method's first bytecode: behind the ConstMethod that the Method points to (constMethod.hpp, code_base();
// JDK 17 to 25).
func (h hotspot) codeBase(method uint64) (uint64, bool) {
	size, ok1 := h.sizes["ConstMethod"]
	constMethod, ok2 := h.pointer(method, "Method._constMethod")
	return constMethod + size, ok1 && ok2
}

// bci is the bytecode index of the first bytecode pointer that lies within a method's code; -1 when none does.
func (h hotspot) bci(f unwind.Interpreted) int32 {
	base, ok := h.codeBase(f.Method)
	if !ok {
		return -1
	}
	const longest = 65535 // bytes of code in a method (JVMS 4.7.3)
	for _, bcp := range f.BCP {
		if bcp >= base && bcp-base < longest {
			return int32(bcp - base)
		}
	}
	return -1
}

// methodName names a Method*: Method → ConstMethod → ConstantPool, whose entries stand behind it, a word each, and whose holder is the
// class.
func (h hotspot) methodName(method uint64) (class, name, descriptor string, ok bool) {
	constMethod, ok := h.pointer(method, "Method._constMethod")
	if !ok {
		return "", "", "", false
	}
	pool, ok := h.pointer(constMethod, "ConstMethod._constants")
	if !ok {
		return "", "", "", false
	}
	holder, ok := h.pointer(pool, "ConstantPool._pool_holder")
	if !ok {
		return "", "", "", false
	}
	symbol, ok := h.pointer(holder, "Klass._name")
	if !ok {
		return "", "", "", false
	}
	class, ok1 := h.symbol(symbol)
	name, ok2 := h.poolSymbol(constMethod, "ConstMethod._name_index", pool)
	descriptor, ok3 := h.poolSymbol(constMethod, "ConstMethod._signature_index", pool)
	return class, name, descriptor, ok1 && ok2 && ok3 && name != "" && class != ""
}

// poolSymbol is the symbol whose index in the constant pool stands in a field of a structure.
func (h hotspot) poolSymbol(structure uint64, field string, pool uint64) (string, bool) {
	offset, ok1 := h.offsets[field]
	size, ok2 := h.sizes["ConstantPool"]
	index, ok3 := h.u16(structure + offset)
	if !ok1 || !ok2 || !ok3 {
		return "", false
	}
	symbol, ok := h.u64(pool + size + 8*uint64(index))
	if !ok {
		return "", false
	}
	return h.symbol(symbol)
}

// symbol reads a Symbol*: a length of 16 bits and modified UTF-8.
func (h hotspot) symbol(at uint64) (string, bool) {
	length, ok1 := h.offsets["Symbol._length"]
	body, ok2 := h.offsets["Symbol._body"]
	n, ok3 := h.u16(at + length)
	const longest = 4096 // of the names that matter; more is no symbol
	if !ok1 || !ok2 || !ok3 || n == 0 || n > longest {
		return "", false
	}
	b := make([]byte, n)
	if h.memory.ReadAt(b, at+body) != nil {
		return "", false
	}
	for _, c := range b {
		if c == 0 { // modified UTF-8 has none
			return "", false
		}
	}
	return string(b), true
}

func (h hotspot) pointer(structure uint64, field string) (uint64, bool) {
	offset, ok := h.offsets[field]
	if !ok {
		return 0, false
	}
	v, ok := h.u64(structure + offset)
	return v, ok && v != 0
}

func (h hotspot) u64(addr uint64) (uint64, bool) {
	var b [8]byte
	if h.memory.ReadAt(b[:], addr) != nil {
		return 0, false
	}
	return binary.LittleEndian.Uint64(b[:]), true
}

func (h hotspot) u16(addr uint64) (uint16, bool) {
	var b [2]byte
	if h.memory.ReadAt(b[:], addr) != nil {
		return 0, false
	}
	return binary.LittleEndian.Uint16(b[:]), true
}
