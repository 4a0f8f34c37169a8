package sampler

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

// bytesAt is a memory of one stretch.
type bytesAt struct {
	low uint64
	b   []byte
}

func (m *bytesAt) ReadAt(dst []byte, addr uint64) error {
	if addr < m.low || addr-m.low > uint64(len(m.b)) || uint64(len(m.b))-(addr-m.low) < uint64(len(dst)) {
		return errors.New("not mapped")
	}
	copy(dst, m.b[addr-m.low:])
	return nil
}

func (m *bytesAt) put(addr, v uint64) { binary.LittleEndian.PutUint64(m.b[addr-m.low:], v) }

func (m *bytesAt) symbol(addr uint64, s string) {
	binary.LittleEndian.PutUint16(m.b[addr-m.low+4:], uint16(len(s)))
	copy(m.b[addr-m.low+6:], s)
}

const layoutJSON = `{"offsets":{"Method._constMethod":8,"ConstMethod._constants":16,"ConstMethod._name_index":34,"ConstMethod._signature_index":36,
	"ConstantPool._pool_holder":24,"Klass._name":32,"Symbol._length":4,"Symbol._body":6},"addresses":{},"sizes":{"ConstMethod":56,"ConstantPool":72}}`

// world lays out one Method* at 0x1000: org/a/B.run(J)V.
func world(t *testing.T) (hotspot, *bytesAt) {
	t.Helper()
	m := &bytesAt{low: 0x1000, b: make([]byte, 0x1000)}
	m.put(0x1008, 0x1100)        // Method → ConstMethod
	m.put(0x1110, 0x1200)        // → ConstantPool
	m.put(0x1120, 3<<16|7<<32)   // name index 3 at +34, signature index 7 at +36
	m.put(0x1218, 0x1400)        // → Klass
	m.put(0x1420, 0x1500)        // → Symbol
	m.put(0x1200+72+8*3, 0x1600) // constants
	m.put(0x1200+72+8*7, 0x1700)
	m.symbol(0x1500, "org/a/B")
	m.symbol(0x1600, "run")
	m.symbol(0x1700, "(J)V")
	h, err := newHotspot(m, &jvmlog.VMLayout{JSON: []byte(layoutJSON)})
	require.NoError(t, err)
	return h, m
}

func TestMethodName(t *testing.T) {
	h, _ := world(t)
	class, name, descriptor, ok := h.methodName(0x1000)
	require.True(t, ok)
	assert.Equal(t, []string{"org/a/B", "run", "(J)V"}, []string{class, name, descriptor})

	for what, damage := range map[string]func(h *hotspot, m *bytesAt){
		"no method":                   func(_ *hotspot, m *bytesAt) { m.put(0x1008, 0) },
		"a method of nowhere":         func(_ *hotspot, m *bytesAt) { m.put(0x1008, 0x9000) },
		"no pool":                     func(_ *hotspot, m *bytesAt) { m.put(0x1110, 0) },
		"no holder":                   func(_ *hotspot, m *bytesAt) { m.put(0x1218, 0) },
		"no class name":               func(_ *hotspot, m *bytesAt) { m.put(0x1420, 0) },
		"a name index of nowhere":     func(_ *hotspot, m *bytesAt) { m.put(0x1120, 0xffff<<16) },
		"an empty name":               func(_ *hotspot, m *bytesAt) { m.put(0x1600, 0) },
		"a name that is too long":     func(_ *hotspot, m *bytesAt) { m.put(0x1600, 0xffff<<32) },
		"a name with a zero byte":     func(_ *hotspot, m *bytesAt) { m.b[0x607] = 0 },
		"a layout that lacks a field": func(h *hotspot, _ *bytesAt) { delete(h.offsets, "Klass._name") },
		"a layout that lacks a size":  func(h *hotspot, _ *bytesAt) { delete(h.sizes, "ConstantPool") },
		"a layout without symbols":    func(h *hotspot, _ *bytesAt) { delete(h.offsets, "Symbol._body") },
	} {
		h, m := world(t)
		damage(&h, m)
		_, _, _, ok := h.methodName(0x1000)
		assert.False(t, ok, what)
	}
	_, _, _, ok = hotspot{}.methodName(0x1000)
	assert.False(t, ok, "no layout yet")
	_, err := newHotspot(nil, &jvmlog.VMLayout{JSON: []byte("{")})
	assert.ErrorContains(t, err, "layout of the JVM")
}

func TestBCI(t *testing.T) {
	h, _ := world(t)
	const base = 0x1100 + 56
	for want, bcp := range map[int32][2]uint64{
		0:  {base, 0},
		17: {base + 17, base + 3},
		3:  {0xdead0000, base + 3}, // the register held something else
		-1: {base - 1, base + 65535},
	} {
		assert.Equal(t, want, h.bci(unwind.Interpreted{Method: 0x1000, BCP: bcp}))
	}
	assert.Equal(t, int32(-1), h.bci(unwind.Interpreted{Method: 0x9000, BCP: [2]uint64{base}}))
	assert.Equal(t, int32(-1), hotspot{}.bci(unwind.Interpreted{Method: 0x1000, BCP: [2]uint64{base}}))
}

func TestMethodsAreNamedOnceAndAgainWhenTheirMemoryIsUsedAgain(t *testing.T) {
	h, m := world(t)
	var names methodNames
	now := time.Unix(100, 0)
	want := &jvmlog.Method{ID: FirstOwnMethod, Ptr: 0x1000, Class: "org.a.B", Name: "run", Descriptor: "(J)V"}
	assert.Equal(t, want, names.name(0x1000, h, now))
	m.symbol(0x1600, "fly")
	assert.Nil(t, names.name(0x1000, h, now.Add(recheckNames-1)), "checked lately")
	again := names.name(0x1000, h, now.Add(recheckNames))
	require.NotNil(t, again)
	assert.Equal(t, []any{FirstOwnMethod + 1, "fly"}, []any{again.ID, again.Name})
	assert.Nil(t, names.name(0x1000, h, now.Add(3*recheckNames)), "the same still")

	names.fromAgent(&jvmlog.Method{ID: 5, Ptr: 0x1000})
	m.symbol(0x1600, "run")
	assert.Nil(t, names.name(0x1000, h, now.Add(9*recheckNames)), "the agent has named it")
	assert.Nil(t, names.name(0x9000, h, now), "cannot be read")
	for i := range mostMethods + 5 {
		names.fromAgent(&jvmlog.Method{Ptr: uint64(i) + 1})
	}
	assert.LessOrEqual(t, len(names.known), mostMethods)
}
