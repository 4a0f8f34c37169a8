package hotspot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// Memory reads the memory of the JVM. Its error may be anything; nothing is written through dst
// beyond its length.
type Memory interface {
	ReadAt(dst []byte, addr uint64) error
}

// Bounds of what is read.
const (
	mostCode  = 65535   // bytes of code in a method (JVMS 4.7.3)
	mostConst = 2 << 20 // bytes of a ConstMethod: code, line table, exception table, annotations' pointers …
	mostLines = 1 << 17 // bytes of a line table: a 65,535-byte method of 65,535 lines has about as many
	mostPool  = 65535   // slots of a constant pool (JVMS 4.1)
	nativeBit = 0x0100  // ACC_NATIVE (JVMS 4.6)
	linesBit  = 1       // ConstMethod::_has_linenumber_table
)

// errImpossible says that memory does not hold what it should.
var errImpossible = errors.New("impossible")

// Method is a method that was named.
type Method struct {
	code uint64 // address of its bytecodes
	size uint32 // their bytes; 0 for native and abstract methods
}

// BCI is the index of the bytecode at address bcp, or -1 when bcp does not point into the method's
// code.
func (m *Method) BCI(bcp uint64) int32 {
	if bcp < m.code || bcp-m.code >= uint64(m.size) {
		return -1
	}
	return int32(bcp - m.code)
}

// First is the index of the first bytecode, or -1 when the method has no code.
func (m *Method) First() int32 { return m.BCI(m.code) }

// identity is what two looks at a Method* must agree in to have seen the same method. Metadata of
// an unloaded class is overwritten by the pool of the next: another pool, or the same pool with
// other names.
type identity struct {
	constMethod uint64
	pool        uint64
	name        uint64 // its Symbol
	words       uint32
	code        uint16
	nameIndex   uint16
	sigIndex    uint16
}

// image is what a Method* leads to, read and checked for plausible sizes.
type image struct {
	identity
	native bool
	lines  bool
}

// reader reads structures of one JVM.
type reader struct {
	layout Layout
	memory Memory
	buffer [512]byte
	taken  uint64 // bytes, by texts and line tables so far
}

// bytes reads n ≤ len(buffer) bytes; valid until the next call.
func (r *reader) bytes(addr, n uint64) ([]byte, error) {
	if addr == 0 || addr+n < addr {
		return nil, fmt.Errorf("address %#x: %w", addr, errImpossible)
	}
	b := r.buffer[:n]
	return b, r.memory.ReadAt(b, addr)
}

// pointer reads the pointer at addr, which must be a multiple of 8 and not 0.
func (r *reader) pointer(what string, addr uint64) (uint64, error) {
	b, err := r.bytes(addr, 8)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	p := binary.LittleEndian.Uint64(b)
	if p == 0 || p%8 != 0 {
		return 0, fmt.Errorf("%s %#x: %w", what, p, errImpossible)
	}
	return p, nil
}

// image reads what a Method* leads to, as far as it identifies the method.
func (r *reader) image(ptr uint64) (image, error) {
	l, le := &r.layout, binary.LittleEndian
	var m image
	if ptr == 0 || ptr%8 != 0 {
		return m, fmt.Errorf("Method* %#x: %w", ptr, errImpossible)
	}
	b, err := r.head(ptr, l.methodBytes())
	if err != nil {
		return m, fmt.Errorf("Method: %w", err)
	}
	m.constMethod, m.native = le.Uint64(b[l.methodConst:]), le.Uint16(b[l.methodAccess:])&nativeBit != 0
	if m.constMethod == 0 || m.constMethod%8 != 0 {
		return m, fmt.Errorf("ConstMethod* %#x: %w", m.constMethod, errImpossible)
	}
	if b, err = r.head(m.constMethod, l.constBytes); err != nil {
		return m, fmt.Errorf("ConstMethod: %w", err)
	}
	m.pool, m.words, m.code = le.Uint64(b[l.constPool:]), le.Uint32(b[l.constSize:]), le.Uint16(b[l.constCodeSize:])
	m.nameIndex, m.sigIndex = le.Uint16(b[l.constName:]), le.Uint16(b[l.constSignature:])
	m.lines = le.Uint16(b[l.constFlags:])&linesBit != 0
	bytes := 8 * uint64(m.words)
	if bytes > mostConst || bytes < l.constBytes+uint64(m.code) || m.pool == 0 || m.pool%8 != 0 || m.nameIndex == 0 || m.sigIndex == 0 {
		return m, fmt.Errorf("ConstMethod of %d bytes with %d of code, pool %#x, name %d, descriptor %d: %w",
			bytes, m.code, m.pool, m.nameIndex, m.sigIndex, errImpossible)
	}
	m.name, err = r.slot("name", m.pool, m.nameIndex)
	return m, err
}

// head reads a structure of a size that the layout claims.
func (r *reader) head(addr, n uint64) ([]byte, error) {
	if n > uint64(len(r.buffer)) {
		return nil, fmt.Errorf("%d bytes: %w", n, errImpossible)
	}
	return r.bytes(addr, n)
}

// slot reads the Symbol* in a slot of a constant pool.
func (r *reader) slot(what string, pool uint64, index uint16) (uint64, error) {
	return r.pointer("symbol of the "+what, pool+r.layout.poolBytes+8*uint64(index))
}

// symbol reads the text of a Symbol.
func (r *reader) symbol(what string, addr uint64) (string, error) {
	body := r.layout.symbolBody
	head, err := r.bytes(addr, symbolBytes)
	if err != nil { // fewer can be read there
		if head, err = r.bytes(addr, body); err != nil {
			return "", fmt.Errorf("%s: %w", what, err)
		}
	}
	n := uint64(binary.LittleEndian.Uint16(head[r.layout.symbolLength:]))
	r.taken += n
	b := head[body:]
	if n > uint64(len(b)) {
		b = make([]byte, n)
		if err := r.memory.ReadAt(b, addr+body); err != nil {
			return "", fmt.Errorf("%s of %d bytes: %w", what, n, err)
		}
	}
	text, err := decodeText(b[:n])
	if err != nil {
		return "", fmt.Errorf("%s: %w", what, err)
	}
	return text, nil
}

// method names what image has found at ptr.
func (r *reader) method(ptr uint64, m image) (*Method, *jvmlog.Method, error) {
	l, le := &r.layout, binary.LittleEndian
	b, err := r.head(m.pool, l.poolBytes)
	if err != nil {
		return nil, nil, fmt.Errorf("ConstantPool: %w", err)
	}
	klass, slots, source := le.Uint64(b[l.poolHolder:]), le.Uint32(b[l.poolLength:]), le.Uint16(b[l.poolSource:])
	linker := m.linker(slots)
	if linker {
		source = 0 // never set
	}
	if slots > mostPool || klass == 0 || klass%8 != 0 || uint32(max(m.nameIndex, m.sigIndex, source)) >= slots {
		return nil, nil, fmt.Errorf("ConstantPool of %d slots of class %#x: %w", slots, klass, errImpossible)
	}
	if !linker {
		if back, err := r.pointer("pool of the class", klass+l.klassConstants); err != nil || back != m.pool {
			return nil, nil, errors.Join(fmt.Errorf("class %#x has the pool %#x, not %#x: %w", klass, back, m.pool, errImpossible), err)
		}
	}
	rec := &jvmlog.Method{Ptr: ptr}
	if err := r.texts(rec, m, klass, source); err != nil {
		return nil, nil, err
	}
	if linker && !strings.HasPrefix(rec.Class, "java.lang.invoke.") {
		return nil, nil, fmt.Errorf("%s with a pool of its own: %w", rec.Class, errImpossible)
	}
	out := &Method{code: m.constMethod + l.constBytes, size: uint32(m.code)}
	switch {
	case m.native:
		rec.Flags, out.size = jvmlog.MethodNative, 0
	case m.lines && m.code > 0:
		if rec.Lines, err = r.lines(m); err != nil {
			return nil, nil, err
		}
		rec.Flags = jvmlog.MethodHasLines
	}
	return out, rec, nil
}

// linker reports whether the JVM made the method for MethodHandle.linkToStatic or its like. Such
// methods have a constant pool of their own, with nothing but name and descriptor (method.cpp,
// make_method_handle_intrinsic).
func (m *image) linker(slots uint32) bool { return slots == 3 && m.nameIndex == 1 && m.sigIndex == 2 }

// texts reads and checks the names.
func (r *reader) texts(rec *jvmlog.Method, m image, klass uint64, source uint16) error {
	symbol, err := r.pointer("name of the class", klass+r.layout.klassName)
	if err != nil {
		return err
	}
	internal, err := r.symbol("name of the class", symbol)
	if err != nil {
		return err
	}
	if rec.Class, err = binaryName(internal); err != nil {
		return err
	}
	if rec.Name, err = r.symbol("name", m.name); err != nil {
		return err
	}
	if err := checkMethodName(rec.Name); err != nil {
		return err
	}
	if symbol, err = r.slot("descriptor", m.pool, m.sigIndex); err != nil {
		return err
	}
	if rec.Descriptor, err = r.symbol("descriptor", symbol); err != nil {
		return err
	}
	if err := checkDescriptor(rec.Descriptor); err != nil {
		return err
	}
	if source == 0 { // classes without a SourceFile attribute
		return nil
	}
	if symbol, err = r.slot("source file", m.pool, source); err != nil {
		return err
	}
	rec.SourceFile, err = r.symbol("source file", symbol)
	return err
}

// lines reads the line table, which stands behind the bytecodes and ends before the ConstMethod
// does.
func (r *reader) lines(m image) ([]jvmlog.LineEntry, error) {
	from := r.layout.constBytes + uint64(m.code)
	b := make([]byte, min(8*uint64(m.words)-from, mostLines))
	r.taken += 8 * uint64(len(b)) // each may be an entry of so many
	if len(b) > 0 {
		if err := r.memory.ReadAt(b, m.constMethod+from); err != nil {
			return nil, fmt.Errorf("line table: %w", err)
		}
	}
	return decodeLines(b, r.layout.feature, uint32(m.code))
}
