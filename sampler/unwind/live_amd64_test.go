package unwind

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// deep is a thread of 200 frames of A below B and native code that uses the frame pointer for other
// things: the kernel has the leaf only.
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
	assert.Len(t, r.Inserted, len(want)-1)
}

// A whole stack costs no reading of the thread's memory, which takes a system call and is of
// another time.
func TestTheStackIsReadOnlyWhereItsCopyEnds(t *testing.T) {
	m, want := deep()
	memory := &countingMemory{Memory: m}
	u := m.unwinder()
	u.Memory = memory
	whole := m.sample(libz+0x1800, int(stackTop-m.sp))
	got, r := u.Unwind(whole, nil)
	assert.Equal(t, want, got)
	assert.True(t, r.Complete)
	assert.Zero(t, memory.stack)

	_, r = u.Unwind(m.sample(libz+0x1800, 4096), nil)
	assert.True(t, r.Complete)
	assert.Positive(t, memory.stack)
}

// countingMemory counts readings of the stack.
type countingMemory struct {
	Memory
	stack int
}

func (c *countingMemory) ReadAt(dst []byte, addr uint64) error {
	if addr >= stackTop-1<<20 {
		c.stack++
	}
	return c.Memory.ReadAt(dst, addr)
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

// native is native code with a large buffer on the stack, called by the interpreter: of all frames
// above it the copy has nothing.
func native(depth int) (*machine, []uint64, []Interpreted) {
	m := newMachine()
	m.live = true
	m.base()
	var methods []Interpreted
	for i := range depth {
		m.interpreted(m.sp + 8)
		m.mem[m.fp-24] = uint64(0x5000 + 8*i)
		m.mem[m.fp-64] = uint64(0x6000 + 16*i)
		m.push(interpreter + 0x800)
		methods = slices.Insert(methods, 0, Interpreted{Frame: depth - i, Method: uint64(0x5000 + 8*i), BCP: [2]uint64{uint64(0x6000 + 16*i)}})
	}
	m.enter(16 << 10)
	m.push(0x77)
	return m, slices.Concat([]uint64{libz + 0x1800}, slices.Repeat([]uint64{interpreter + 0x800}, depth), baseAddrs), methods
}

func TestInterpretersBeyondTheCopyTellTheirMethods(t *testing.T) {
	m, want, methods := native(5)
	in := m.sample(libz+0x1800, 8192)
	got, r := m.unwinder().Unwind(in, nil)
	assert.Equal(t, want, got)
	assert.Equal(t, want, in.Chain[:len(want)], "the kernel had them all")
	assert.True(t, r.Complete)
	assert.Equal(t, methods, r.Interpreted)

	for what, change := range map[string]func(){
		"it has returned":          func() { m.mem[in.FP+8] = interpreter + 0x900 },
		"the thread has gone on":   func() { m.mem[in.FP] = 0x1111 },
		"memory cannot be read":    func() { m.live = false },
		"another stack is there":   func() { m.mem[m.mem[in.FP]+8] = interpreter + 0x900 },
		"the kernel had something": func() { in.Chain = slices.Insert(slices.Clone(in.Chain), 2, libz+0x10) },
	} {
		m, _, _ = native(5)
		in = m.sample(libz+0x1800, 8192)
		change()
		got, r := m.unwinder().Unwind(in, nil)
		assert.Equal(t, in.Chain[:len(got)], got, what)
		assert.GreaterOrEqual(t, len(got), len(want), what)
		assert.Empty(t, r.Interpreted, what)
	}
}
