package sampler

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/unwind"
)

// What was looked up once is looked up again when the answer may have changed.
func TestRecentCodeIsForgottenWhenCodeChanges(t *testing.T) {
	const addr = 0x10010
	l := &liveCode{}
	method := func() uint64 {
		c, ok := l.Lookup(addr)
		again, okAgain := l.Lookup(addr)
		assert.Equal(t, c, again)
		assert.Equal(t, ok, okAgain)
		if !ok {
			return 0
		}
		return c.Method
	}
	assert.Zero(t, method())
	l.apply(&jvmlog.CodeLoad{Address: 0x10000, Size: 64, Method: 3})
	assert.Equal(t, uint64(3), method())
	l.apply(&jvmlog.CodeLoad{Address: 0x10000, Size: 128, Method: 5})
	assert.Equal(t, uint64(5), method())
	l.apply(&jvmlog.CodeUnload{Address: 0x10000, Method: 5})
	assert.Zero(t, method())
	l.setMappings(procfs.Mappings{{Low: 0x10000, High: 0x11000, Path: "/lib/libz.so.1"}})
	c, ok := l.Lookup(addr)
	assert.True(t, ok)
	assert.Equal(t, unwind.Native, c.Kind)
}

// An answer outlives code that comes and goes elsewhere, and not what changes it: a stub within its
// stub, and the end of all code.
func TestRecentCodeOutlivesOtherCode(t *testing.T) {
	const addr, inside = 0x10010, 0x20110
	l := &liveCode{}
	l.apply(&jvmlog.CodeLoad{Address: 0x10000, Size: 64, Method: 3})
	l.apply(&jvmlog.Stub{Address: 0x20000, Size: 0x1000, Name: "StubRoutines (1)"})
	remembered := func(addr uint64) bool {
		for i := range l.recent.slots {
			if s := &l.recent.slots[i]; s.addr == addr && s.entry != nil {
				return !s.entry.dead && s.when == l.recent.nestings+1
			}
		}
		return false
	}
	for _, a := range []uint64{addr, inside} {
		_, ok := l.Lookup(a)
		assert.True(t, ok)
	}
	l.apply(&jvmlog.CodeLoad{Address: 0x30000, Size: 64, Method: 5})
	l.apply(&jvmlog.CodeUnload{Address: 0x30000, Method: 5})
	assert.True(t, remembered(addr))
	assert.True(t, remembered(inside))

	l.apply(&jvmlog.Stub{Address: 0x20100, Size: 64, Name: "call_stub"})
	assert.False(t, remembered(inside))
	c, ok := l.Lookup(inside)
	assert.True(t, ok)
	assert.Equal(t, unwind.CallStub, c.Kind)

	l.forgetCode()
	for _, a := range []uint64{addr, inside} {
		_, ok := l.Lookup(a)
		assert.False(t, ok)
	}
}

// Addresses that share a slot do not get each other's answers.
func TestRecentCodeOfManyAddresses(t *testing.T) {
	l := &liveCode{}
	for i := range uint64(4 * recentSlots) {
		l.apply(&jvmlog.CodeLoad{Address: 0x10000 + i*16, Size: 16, Method: jvmlog.MethodID(i + 1)})
	}
	for range 2 {
		for i := range uint64(4 * recentSlots) {
			c, ok := l.Lookup(0x10000 + i*16 + 3)
			assert.True(t, ok)
			assert.Equal(t, i+1, c.Method)
		}
	}
}
