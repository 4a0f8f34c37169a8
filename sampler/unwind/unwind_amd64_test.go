package unwind

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const wholeStack = 1 << 16

// Return addresses in the methods.
const (
	inA = methodA + 0x105
	inB = methodB + 0x205
	inC = methodC + 0x305
	inW = wrapper + 0x405
)

func TestUnwind(t *testing.T) {
	cases := map[string]struct {
		build    func(m *machine)
		ip       uint64
		want     []uint64 // without ip and without the base
		repaired int
	}{
		"compiled methods, all set up": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, methodB)
				m.compiled(frameB)
			},
			ip: methodB + 0x500, want: []uint64{inA},
		},
		"an intrinsic without a frame hides its caller": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, methodB)
				m.compiled(frameB)
				m.callsTo(inB, stubS)
			},
			ip: stubS + 0x40, want: []uint64{inB, inA}, repaired: 1,
		},
		"an intrinsic that saves registers hides its caller": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, methodB)
				m.compiled(frameB)
				m.callsTo(inB, stubS)
				m.push(0x1234)
				m.push(methodA + 0x99) // a register that held an address in A: no call before it
			},
			ip: stubS + 0x40, want: []uint64{inB, inA}, repaired: 1,
		},
		"an intrinsic that uses the frame pointer for other things": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, methodB)
				m.compiled(frameB)
				m.callsTo(inB, stubS)
				m.push(m.fp)
				m.fp = 0x31337
			},
			ip: stubS + 0x40, want: []uint64{inB, inA}, repaired: 6, // the kernel has the leaf only
		},
		"first instruction of a method": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, methodB)
			},
			ip: methodB, want: []uint64{inA}, repaired: 1,
		},
		"prologue, after push rbp": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, methodB)
				m.push(m.fp)
			},
			ip: methodB + 9, want: []uint64{inA}, repaired: 1,
		},
		"prologue, the frame pointer is half made": { // sub rsp; mov [rsp+n], rbp; mov rbp, rsp; <here>; add rbp, n
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, methodB)
				m.push(m.fp)
				m.sp -= frameB - 16
				m.fp = m.sp
				m.mem[m.sp+8] = libjvm + 0x900 // remains of an older frame
			},
			ip: methodB + 12, want: []uint64{inA}, repaired: 5,
		},
		"epilogue, at ret": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, methodB)
			},
			ip: methodB + 0xff0, want: []uint64{inA}, repaired: 1,
		},
		"vtable stub": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, vtableStub)
			},
			ip: vtableStub + 8, want: []uint64{inA}, repaired: 1,
		},
		"prologue of a method that was called through a vtable stub": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, vtableStub)
			},
			ip: methodB + 4, want: []uint64{inA}, repaired: 1,
		},
		"prologue, the call was patched to a newer compilation since": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, methodB2)
			},
			ip: methodB + 4, want: []uint64{inA}, repaired: 1,
		},
		"prologue, the call's target is looked up again": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, resolver)
			},
			ip: methodB + 4, want: []uint64{inA}, repaired: 1,
		},
		"native code without frame pointers": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, wrapper)
				m.compiled(frameW)
				m.callsTo(inW, libz+0x1000)
				m.sp -= 200
				m.push(libz + 0x1500)
				m.sp -= 40
			},
			ip: libc + 0x5000, want: []uint64{inW, inA}, repaired: 1,
		},
		"native code that uses the frame pointer for other things": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, wrapper)
				m.compiled(frameW)
				m.callsTo(inW, libz+0x1000)
				m.sp -= 200
				m.fp = 5
			},
			ip: libz + 0x1800, want: []uint64{inW, inA}, repaired: 6,
		},
		"native code with frame pointers, called by native code without": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, wrapper)
				m.compiled(frameW)
				m.callsTo(inW, libz+0x1000)
				m.sp -= 200
				m.push(libz + 0x1500)
				m.enter(64)
			},
			ip: libjvm + 0x2000, want: []uint64{libz + 0x1500, inW, inA}, repaired: 1,
		},
		"an old return address of a method that calls others is not believed": {
			build: func(m *machine) {
				m.compiled(frameA)
				m.callsTo(inA, methodB)
				m.compiled(frameB)
				m.callsTo(inB, stubS)
				// A word that C's frame, ending where B's ends, would have left: but C calls A
				// there.
				m.sp -= 64
				stale := m.fp + 16 - frameC - 8
				m.mem[stale-64] = inC
				m.code[inC-5] = 0xe8
			},
			ip: stubS + 0x40, want: []uint64{inB, inA}, repaired: 1,
		},
		"an interpreted caller": {
			build: func(m *machine) {
				m.interpreted(m.sp + 8)
				sender := m.sp
				m.push(interpreter + 0x700)
				m.interpreted(sender)
				m.push(interpreter + 0x700)
				m.compiled(frameB)
			},
			ip: methodB + 0x500, want: []uint64{interpreter + 0x700, interpreter + 0x700},
		},
		"prologue, called by the interpreter": {
			build: func(m *machine) {
				m.interpreted(m.sp + 8)
				m.push(interpreter + 0x700)
			},
			ip: methodB + 2, want: []uint64{interpreter + 0x700}, repaired: 1,
		},
		"interpreted method, compiled caller extended by arguments": {
			build: func(m *machine) {
				m.compiled(frameA)
				sender := m.sp
				m.sp -= 24 // arguments
				m.callsTo(inA, interpreter)
				m.interpreted(sender)
			},
			ip: interpreter + 0x900, want: []uint64{inA},
		},
		"native code that uses the frame pointer for other things, called by the interpreter": {
			build: func(m *machine) {
				m.interpreted(m.sp + 8)
				m.push(interpreter + 0x700)
				m.interpreted(m.sp + 8)
				m.callsRegister(interpreter + 0x800)
				m.sp -= 64
				m.fp = 5
			},
			ip: libz + 0x20, want: []uint64{interpreter + 0x800, interpreter + 0x700}, repaired: 6,
		},
		"native code that keeps an anchor of the interpreter's frame and calls Java": {
			build: func(m *machine) {
				m.interpreted(m.sp + 8)
				m.callsRegister(interpreter + 0x800)
				sp := m.sp
				m.enter(64)
				m.push(libjvm + 0x300)
				m.enter(96)        // call_helper
				m.mem[m.fp-8] = sp // a saved register
				m.mem[m.fp-40], m.mem[m.fp-32], m.mem[m.fp-24] = sp, interpreter+0x800, sp+96
				m.push(libjvm + 0x200)
				m.enter(96)
				m.callsRegister(callStub + 0x80)
				m.compiled(frameB)
			},
			ip: methodB + 0x500, want: []uint64{callStub + 0x80, libjvm + 0x200, libjvm + 0x300, interpreter + 0x800},
		},
		"native code without frame pointers, called by the interpreter": {
			build: func(m *machine) {
				m.interpreted(m.sp + 8)
				m.callsRegister(interpreter + 0x800)
				m.sp -= 64
			},
			ip: libz + 0x20, want: []uint64{interpreter + 0x800}, repaired: 1,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := newMachine()
			m.base()
			c.build(m)
			in := m.sample(c.ip, wholeStack)
			got, r := m.unwinder().Unwind(in, nil)
			assert.Equal(t, slices.Concat([]uint64{c.ip}, c.want, baseAddrs), got)
			assert.True(t, r.Complete)
			assert.Len(t, r.Inserted, c.repaired)
		})
	}
}

// A code cache in huge pages is a mapped file to the kernel: a method that no one has described
// looks like native code, and hides nothing all the same.
func TestUnknownCodeOfACodeCacheThatIsAFile(t *testing.T) {
	m := newMachine()
	m.base()
	m.compiled(frameA)
	m.callsTo(inA, methodB)
	m.compiled(frameB)
	m.callsTo(inB, stubS)
	u := m.unwinder()
	code := codeList(slices.Clone(testCode))
	for i := range code {
		if code[i].Start == methodA {
			code[i] = Code{Start: methodA, End: code[i].End, Kind: Native}
		}
	}
	u.Code = code
	got, _ := u.Unwind(m.sample(stubS+0x40, wholeStack), nil)
	assert.Equal(t, slices.Concat([]uint64{stubS + 0x40, inB, inA}, baseAddrs), got)
}

func TestIndirectCallsNeedTheFramePointer(t *testing.T) {
	build := func(fp uint64) ([]uint64, Result) {
		m := newMachine()
		m.base()
		m.compiled(frameA)
		m.callsTo(inA, methodB)
		m.compiled(frameB)
		m.callsRegister(inB)
		if fp != 0 {
			m.fp = fp
		}
		return m.unwinder().Unwind(m.sample(stubS+0x40, wholeStack), nil)
	}
	got, r := build(0)
	assert.Equal(t, slices.Concat([]uint64{stubS + 0x40, inB, inA}, baseAddrs), got)
	assert.True(t, r.Complete)
	got, r = build(1)
	assert.NotContains(t, got, uint64(inB), "a call through a register may have gone anywhere")
	assert.False(t, r.Complete)
}

func TestKernelsChainGoesOnWhereTheCopyEnds(t *testing.T) {
	m := newMachine()
	m.base()
	for range 40 {
		m.compiled(frameA)
		m.callsTo(inA, methodA)
	}
	m.compiled(frameA)
	m.callsTo(inA, methodB)
	m.compiled(frameB)
	m.callsTo(inB, stubS)
	for _, copied := range []int{8, 96, 104, 112, 200, 1000, wholeStack} {
		in := m.sample(stubS+0x40, copied)
		got, r := m.unwinder().Unwind(in, nil)
		want := slices.Concat([]uint64{stubS + 0x40, inB}, slices.Repeat([]uint64{inA}, 41), baseAddrs)
		assert.Equal(t, want, got, "%d bytes", copied)
		assert.True(t, r.Complete)
	}
}

func TestWithoutFramePointersFramesGoBySize(t *testing.T) {
	m := newMachine()
	m.base()
	for _, call := range []struct{ ra, target uint64 }{{inA, methodA}, {inA, methodB}} {
		m.push(m.fp)
		m.sp -= frameA - 16
		m.fp = 77 // compiled code uses it for other things
		m.callsTo(call.ra, call.target)
	}
	m.push(m.fp)
	m.sp -= frameB - 16
	u := m.unwinder()
	u.FramePointers = false
	got, _ := u.Unwind(m.sample(methodB+0x500, wholeStack), nil)
	require.GreaterOrEqual(t, len(got), 4)
	assert.Equal(t, []uint64{methodB + 0x500, inA, inA, callStub + 0x80}, got[:4])
}

func TestCodeThatIsGoneIsRemembered(t *testing.T) {
	m := newMachine()
	m.base()
	m.compiled(frameA)
	m.callsTo(inA, methodB)
	in := m.sample(methodB, wholeStack)
	u := m.unwinder()
	first, _ := u.Unwind(in, nil)
	m.code = nil
	again, _ := u.Unwind(in, nil)
	assert.Equal(t, first, again)
	fresh, _ := m.unwinder().Unwind(in, nil)
	assert.NotContains(t, fresh, uint64(inA), "what cannot be checked is not believed")
}

// HotSpot patches calls and uses the memory of nmethods again: a call that was remembered must not
// make a good chain a bad one.
func TestCallsThatChangeAreReadAgain(t *testing.T) {
	build := func(target uint64) (*machine, Input) {
		m := newMachine()
		m.base()
		m.compiled(frameA)
		m.callsTo(inA, target)
		return m, m.sample(methodB, wholeStack) // at B's entry: only the call tells whose caller this is
	}
	before, in := build(methodC)
	u := before.unwinder()
	out, _ := u.Unwind(in, nil)
	require.NotContains(t, out, uint64(inA), "A called C, not B")
	after, in := build(methodB)
	u.Memory = after
	out, r := u.Unwind(in, nil)
	assert.Equal(t, slices.Concat([]uint64{methodB, inA}, baseAddrs), out, "patched")
	assert.True(t, r.Complete)

	reads := u.reads
	_, _ = u.Unwind(in, nil)
	assert.Equal(t, reads, u.reads, "a call that fits is not read again")
	code, ok := u.codeBefore(inA, Code{Start: methodA, Method: 77})
	assert.True(t, ok)
	assert.Equal(t, reads+1, u.reads, "other code at the same place is")
	assert.Equal(t, byte(0xe8), code[len(code)-5])
}

// In a batch code is read once, whether that told something or not: no later reading would be
// nearer to when its samples were taken.
func TestCodeIsReadOnceInABatch(t *testing.T) {
	m := newMachine()
	m.base()
	m.compiled(frameA)
	m.callsTo(inA, methodC)
	in := m.sample(methodB, wholeStack) // at B's entry, and A called C: no call fits
	for name, code := range map[string]map[uint64]byte{"it is another's": m.code, "it cannot be read": nil} {
		t.Run(name, func(t *testing.T) {
			m.code = code
			u := m.unwinder()
			u.Begin()
			_, _ = u.Unwind(in, nil)
			reads := u.reads
			require.Positive(t, reads)
			_, _ = u.Unwind(in, nil)
			assert.Equal(t, reads, u.reads)
			u.Begin()
			_, _ = u.Unwind(in, nil)
			assert.Equal(t, 2*reads, u.reads, "it may have been patched")
		})
	}
}

func TestStacksThatDoNotReachTheBase(t *testing.T) {
	u := newMachine().unwinder()
	cases := map[string]struct {
		in   Input
		want []uint64
	}{
		"no stack at all":            {Input{IP: methodA + 0x100}, []uint64{methodA + 0x100}},
		"a chain and no copy":        {Input{IP: methodA + 0x100, FP: 0x5000, Chain: []uint64{methodA + 0x100, inB}}, []uint64{methodA + 0x100, inB}},
		"an unaligned stack pointer": {Input{IP: stubS, SP: 0x5001, FP: 0x5001, Stack: make([]byte, 64)}, []uint64{stubS}},
		"a stack at the end of memory": {
			Input{IP: stubS, SP: ^uint64(7), FP: ^uint64(7), Stack: make([]byte, 64)}, []uint64{stubS},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, r := u.Unwind(c.in, nil)
			assert.Equal(t, c.want, got)
			assert.False(t, r.Complete)
		})
	}
}

func TestNonsenseBeyondTheBaseIsCut(t *testing.T) {
	u := newMachine().unwinder()
	stack := slices.Concat([]uint64{methodA + 0x100}, baseAddrs, []uint64{0xdead, libz})
	out, complete := u.trim(stack)
	assert.True(t, complete)
	assert.Equal(t, slices.Concat([]uint64{methodA + 0x100}, baseAddrs), out)

	_, complete = u.trim([]uint64{methodA + 0x100, callStub + 0x80, libjvm + 0x200})
	assert.False(t, complete, "cut within the JVM")
	_, complete = u.trim([]uint64{methodA + 0x100, callStub + 0x80, libjvm + 0x200, interpreter + 0x700})
	assert.False(t, complete, "a call_stub further in")
}

func TestStubKind(t *testing.T) {
	for name, want := range map[string]Kind{
		"Interpreter": Interpreter, "call_stub": CallStub, "vtable stub": Dispatch, "itable stub": Dispatch,
		"I2C/C2I adapters": Dispatch, "InlineCacheBuffer": Dispatch, "RuntimeStub - resolve_static_call": Resolver, "sha512_implCompress": Stub, "": Stub,
	} {
		assert.Equal(t, want, StubKind(name), name)
	}
}

func FuzzUnwind(f *testing.F) {
	m := newMachine()
	m.base()
	m.compiled(frameA)
	m.callsTo(inA, methodB)
	in := m.sample(methodB, 4096)
	f.Add(in.IP, in.SP, in.FP, in.Chain[1], in.Stack, true)
	u := m.unwinder()
	f.Fuzz(func(t *testing.T, ip, sp, fp, outer uint64, stack []byte, framePointers bool) {
		u.FramePointers = framePointers
		got, r := u.Unwind(Input{IP: ip, SP: sp, FP: fp, Chain: []uint64{ip, outer}, Stack: stack}, nil)
		if len(got) == 0 || got[0] != ip || len(got) > MaxFrames+2 || len(r.Inserted) > len(got) {
			t.Fatalf("%d addresses, %+v", len(got), r)
		}
	})
}

// countedCode counts what is looked up.
type countedCode struct {
	codeList
	lookups int
}

func (c *countedCode) Lookup(addr uint64) (Code, bool) {
	c.lookups++
	return c.codeList.Lookup(addr)
}

// A stack that was made up of frame records and return addresses, into code that no record of the
// agent gives a frame size, is not searched from each frame.
func TestSearchesAreBounded(t *testing.T) {
	const size, ra = 65528, methodA + 0x80
	in := Input{IP: ra, SP: stackTop - size, FP: stackTop - size}
	for at := in.SP; at < stackTop; at += 16 {
		in.Stack = binary.LittleEndian.AppendUint64(in.Stack, at+16)
		in.Stack = binary.LittleEndian.AppendUint64(in.Stack, ra)
	}
	in.Stack = in.Stack[:size]
	code := &countedCode{codeList: codeList{{Start: methodA, End: methodA + 0x1000, Kind: Compiled}}}
	u := &Unwinder{Code: code, Memory: newMachine()}
	for range 2 {
		code.lookups = 0
		out, _ := u.Unwind(in, nil)
		assert.Len(t, out, MaxFrames, "by the frame pointer")
		assert.Less(t, code.lookups, mostSearched+10*MaxFrames)
	}
}
