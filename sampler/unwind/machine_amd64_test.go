package unwind

import (
	"encoding/binary"
	"errors"
)

// machine is a thread whose stack a test builds as code would: from the outermost frame inwards.
// Its code lies at fixed places:
const (
	callStub    = 0x1000 // … 0x1fff
	interpreter = 0x2000 // … 0x3fff
	methodA     = 0x10000
	methodB     = 0x20000
	methodB2    = 0x28000 // another compilation of B
	methodC     = 0x2c000
	stubS       = 0x30000
	vtableStub  = 0x38000
	resolver    = 0x39000
	wrapper     = 0x40000
	libz        = 0x700000
	libjvm      = 0x800000
	libc        = 0x900000
)

// frameBytes of the compiled methods.
const (
	frameA = 64
	frameB = 96
	frameC = 48
	frameW = 80
)

var testCode = []Code{
	{Start: callStub, End: callStub + 0x1000, Kind: CallStub},
	{Start: interpreter, End: interpreter + 0x2000, Kind: Interpreter},
	{Start: methodA, End: methodA + 0x1000, Kind: Compiled, FrameBytes: frameA, FrameComplete: 16, Method: 1},
	{Start: methodB, End: methodB + 0x1000, Kind: Compiled, FrameBytes: frameB, FrameComplete: 16, Method: 2},
	{Start: methodB2, End: methodB2 + 0x1000, Kind: Compiled, FrameBytes: frameB, FrameComplete: 16, Method: 2},
	{Start: methodC, End: methodC + 0x1000, Kind: Compiled, FrameBytes: frameC, FrameComplete: 16, Method: 3},
	{Start: stubS, End: stubS + 0x1000, Kind: Stub},
	{Start: vtableStub, End: vtableStub + 0x100, Kind: Dispatch},
	{Start: resolver, End: resolver + 0x100, Kind: Resolver},
	{Start: wrapper, End: wrapper + 0x1000, Kind: Compiled, FrameBytes: frameW, FrameComplete: 16, Method: 4, Wrapper: true},
	{Start: libz, End: libz + 0x10000, Kind: Native},
	{Start: libjvm, End: libjvm + 0x10000, Kind: Native},
	{Start: libc, End: libc + 0x10000, Kind: CLibrary},
}

type codeList []Code

func (l codeList) Lookup(addr uint64) (Code, bool) {
	for _, c := range l {
		if c.contains(addr) {
			return c, true
		}
	}
	return Code{}, false
}

func (l codeList) Generated() (low, high uint64) {
	low = ^uint64(0)
	for _, c := range l {
		if !c.native() {
			low, high = min(low, c.Start), max(high, c.End)
		}
	}
	return low, high
}

type machine struct {
	sp, fp uint64
	mem    map[uint64]uint64 // stack
	code   map[uint64]byte
	live   bool // the stack can be read as it is now
}

const stackTop = 0x7fff_0000

func newMachine() *machine {
	return &machine{sp: stackTop, mem: map[uint64]uint64{}, code: map[uint64]byte{}}
}

var errUnreadable = errors.New("not mapped")

// ReadAt implements Memory for code and, where live is set, for the stack.
func (m *machine) ReadAt(dst []byte, addr uint64) error {
	const stackLow = stackTop - 1<<20
	if addr >= stackLow {
		if !m.live || addr >= stackTop {
			return errUnreadable
		}
		for i := 0; i < len(dst); i += 8 {
			binary.LittleEndian.PutUint64(dst[i:], m.mem[addr+uint64(i)])
		}
		return nil
	}
	if m.code == nil {
		return errUnreadable
	}
	for i := range dst {
		dst[i] = m.code[addr+uint64(i)]
	}
	return nil
}

func (m *machine) push(v uint64) { m.sp -= 8; m.mem[m.sp] = v }

// callsTo writes "call target" so that it returns to ra, and does it.
func (m *machine) callsTo(ra, target uint64) {
	m.code[ra-5] = 0xe8
	var rel [4]byte
	binary.LittleEndian.PutUint32(rel[:], uint32(target-ra))
	for i, b := range rel {
		m.code[ra-4+uint64(i)] = b
	}
	m.push(ra)
}

// callsRegister writes "call rax" so that it returns to ra, and does it.
func (m *machine) callsRegister(ra uint64) {
	m.code[ra-2], m.code[ra-1] = 0xff, 0xd0
	m.push(ra)
}

// enter sets up a frame that keeps the frame pointer, with room for n bytes.
func (m *machine) enter(n uint64) {
	m.push(m.fp)
	m.fp = m.sp
	m.sp -= n
}

// compiled sets up the frame of a compiled method.
func (m *machine) compiled(frameBytes uint64) { m.enter(frameBytes - 16) }

// interpreted sets up an interpreter frame; senderSP is the caller's stack pointer.
func (m *machine) interpreted(senderSP uint64) {
	m.push(m.fp)
	m.fp = m.sp
	m.push(senderSP)
	m.sp -= 80
}

// base starts a Java thread: start_thread → thread_native_entry → call_helper → call_stub, and
// call_stub calls Java at ra.
func (m *machine) base() {
	m.push(libc + 0x100) // into clone; start_thread's own frame keeps no frame pointer
	m.sp -= 32
	m.push(libc + 0x200) // into start_thread
	m.enter(48)          // thread_native_entry
	m.push(libjvm + 0x100)
	m.enter(64) // call_helper
	m.push(libjvm + 0x200)
	m.enter(96) // call_stub
	m.callsRegister(callStub + 0x80)
}

// baseAddrs are the return addresses of base, leaf first. clone's is in no chain, for start_thread
// keeps no frame pointer.
var baseAddrs = []uint64{callStub + 0x80, libjvm + 0x200, libjvm + 0x100, libc + 0x200}

// sample is the interrupt at ip, with a copy of at most n bytes of stack.
func (m *machine) sample(ip uint64, n int) Input {
	in := Input{IP: ip, SP: m.sp, FP: m.fp, Chain: []uint64{ip}}
	for addr := m.sp; addr < stackTop && len(in.Stack) < n; addr += 8 {
		in.Stack = binary.LittleEndian.AppendUint64(in.Stack, m.mem[addr])
	}
	for fp := m.fp; m.mem[fp+8] != 0; fp = m.mem[fp] {
		in.Chain = append(in.Chain, m.mem[fp+8])
	}
	return in
}

func (m *machine) unwinder() *Unwinder {
	return &Unwinder{Code: codeList(testCode), Memory: m, FramePointers: true}
}
