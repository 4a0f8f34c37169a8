package unwind

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// deep is a thread of 200 frames of A below B and native code that uses the frame pointer for other things: the kernel has the leaf only.
func deep() (*machine, []uint64) {
	m := newMachine()
	m.live = true
	m.base()
	for range 200 {
		m.compiled(frameA)
		m.callsTo(inA, methodA)
	}
	m.compiled(frameA)
	m.callsTo(inA, wrapper)
	m.compiled(frameW)
	m.callsTo(inW, libz+0x1000)
	m.sp -= 64
	m.fp = 5
	return m, slices.Concat([]uint64{libz + 0x1800, inW}, slices.Repeat([]uint64{inA}, 201), baseAddrs)
}

func TestTheStackIsFollowedBeyondItsCopy(t *testing.T) {
	m, want := deep()
	got, r := m.unwinder().Unwind(m.sample(libz+0x1800, 4096), nil)
	assert.Equal(t, want, got)
	assert.True(t, r.Complete)
	assert.Equal(t, len(want)-1, r.Repaired)
}

func TestAStackThatHasChangedIsNotFollowed(t *testing.T) {
	m, want := deep()
	in := m.sample(libz+0x1800, 4096)
	for addr := in.SP; addr < in.SP+4096+256; addr += 8 {
		m.mem[addr] = 0x1111 // the thread has gone on
	}
	got, r := m.unwinder().Unwind(in, nil)
	assert.False(t, r.Complete)
	assert.Equal(t, want[:len(got)], got)
	assert.Less(t, len(got), 100)
}

func TestTheKernelsChainMustAgreeWithTheLiveStack(t *testing.T) {
	m := newMachine()
	m.live = true
	m.base()
	for range 200 {
		m.compiled(frameA)
		m.callsTo(inA, methodA)
	}
	m.compiled(frameA)
	in := m.sample(methodA+0x800, 4096)
	in.Chain = in.Chain[:127]
	whole, r := m.unwinder().Unwind(in, nil)
	assert.Len(t, whole, 1+200+len(baseAddrs))
	assert.True(t, r.Complete)
	in.Chain = slices.Clone(in.Chain)
	in.Chain[100] = inB // was there then, is not any more
	got, r := m.unwinder().Unwind(in, nil)
	assert.Equal(t, in.Chain, got)
	assert.False(t, r.Complete)
}
