package sampler

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/unwind"
)

// What was looked up once is looked up anew when the answer may have changed.
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
