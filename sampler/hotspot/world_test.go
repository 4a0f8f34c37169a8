package hotspot

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// layout17 and layout25 are the fields of VM_LAYOUT records of JDK 17.0.15 (Debian) and 25.0.3
// (Temurin) that are read here.
const (
	layout17 = `{"offsets":{"Method._constMethod":8,"Method._access_flags":40,"ConstMethod._constants":8,"ConstMethod._constMethod_size":24,
	"ConstMethod._flags":28,"ConstMethod._code_size":32,"ConstMethod._name_index":34,"ConstMethod._signature_index":36,
	"ConstantPool._pool_holder":24,"ConstantPool._source_file_name_index":54,"ConstantPool._length":60,"Klass._name":24,
	"InstanceKlass._constants":232,"Symbol._length":4,"Symbol._body":6},"addresses":{},"sizes":{"ConstMethod":48,"ConstantPool":72}}`
	layout25 = `{"offsets":{"Method._constMethod":8,"Method._access_flags":44,"ConstMethod._constants":8,"ConstMethod._constMethod_size":24,
	"ConstMethod._flags._flags":28,"ConstMethod._code_size":34,"ConstMethod._name_index":36,"ConstMethod._signature_index":38,
	"ConstantPool._pool_holder":24,"ConstantPool._source_file_name_index":54,"ConstantPool._length":60,"Klass._name":24,
	"InstanceKlass._constants":224,"Symbol._length":4,"Symbol._body":6},"addresses":{},"sizes":{"ConstMethod":56,"ConstantPool":72}}`
)

// Where the fake JVM keeps things; each in a place of its own.
const (
	base       = 0x10000
	methodAt   = base + 0x100
	constAt    = base + 0x200
	poolAt     = base + 0x400
	klassAt    = base + 0x600
	className  = base + 0x900
	methodName = base + 0xa00
	descriptor = base + 0xb00
	sourceName = base + 0xc00
	worldBytes = 0x1000
)

// world is the memory of a fake JVM: one stretch from base on, with one method.
type world struct {
	b     []byte
	reads int
	err   error // of every read, if set
}

func (w *world) ReadAt(dst []byte, addr uint64) error {
	w.reads++
	if w.err != nil {
		return w.err
	}
	if addr < base || addr-base > uint64(len(w.b)) || uint64(len(dst)) > uint64(len(w.b))-(addr-base) {
		return fmt.Errorf("%#x is not mapped", addr)
	}
	copy(dst, w.b[addr-base:])
	return nil
}

func (w *world) u16(addr uint64, v uint16) { binary.LittleEndian.PutUint16(w.b[addr-base:], v) }
func (w *world) u32(addr uint64, v uint32) { binary.LittleEndian.PutUint32(w.b[addr-base:], v) }
func (w *world) u64(addr, v uint64)        { binary.LittleEndian.PutUint64(w.b[addr-base:], v) }

func (w *world) symbol(addr uint64, text string) {
	w.u16(addr+4, uint16(len(text)))
	copy(w.b[addr-base+6:], text)
}

// newWorld lays out org/a/B.run(J)V of B.scala: 20 bytes of code, lines 7 from bytecode 0, 9 from
// 5, 300 from 17.
func newWorld(t testing.TB, json string, feature uint32) (*world, Layout) {
	t.Helper()
	l, err := ParseLayout([]byte(json), feature)
	require.NoError(t, err)
	w := &world{b: make([]byte, worldBytes)}
	w.u64(methodAt+l.methodConst, constAt)
	w.u16(methodAt+l.methodAccess, 0x0009) // public static
	w.u64(constAt+l.constPool, poolAt)
	w.u32(constAt+l.constSize, 14) // words
	w.u16(constAt+l.constFlags, 1)
	w.u16(constAt+l.constCodeSize, 20)
	w.u16(constAt+l.constName, 3)
	w.u16(constAt+l.constSignature, 5)
	w.u64(poolAt+l.poolHolder, klassAt)
	w.u32(poolAt+l.poolLength, 11)
	w.u16(poolAt+l.poolSource, 7)
	w.u64(poolAt+l.poolBytes+8*3, methodName)
	w.u64(poolAt+l.poolBytes+8*5, descriptor)
	w.u64(poolAt+l.poolBytes+8*7, sourceName)
	w.u64(klassAt+l.klassName, className)
	w.u64(klassAt+l.klassConstants, poolAt)
	w.symbol(className, "org/a/B")
	w.symbol(methodName, "run")
	w.symbol(descriptor, "(J)V")
	w.symbol(sourceName, "B.scala")
	table := []byte{0<<3 | 7, 5<<3 | 2, 0xff} // (0, +7), (+5, +2), then (+12, +291) in the long form
	coding := codingOf(feature)
	table = coding.append(coding.append(table, 12<<1), 291<<1)
	copy(w.b[constAt-base+l.constBytes+20:], append(table, 0))
	return w, l
}

// append is the inverse of read.
func (c unsigned5) append(dst []byte, v uint32) []byte {
	for range 4 {
		if v < c.low {
			break
		}
		v -= c.low
		dst = append(dst, byte(c.excluded+c.low+v%64))
		v /= 64
	}
	return append(dst, byte(v+c.excluded))
}
