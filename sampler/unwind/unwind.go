package unwind

// MaxFrames bounds the stacks that an Unwinder makes; the kernel's own bound
// (kernel.perf_event_max_stack) is 127 by default.
const MaxFrames = 1024

// mostSearched bounds the words of one stack that are searched for hidden frames. A copy has up to
// 8,191 words, and 32,768 beyond it may be read. Only a stack that was made up has most of them
// searched from many frames.
const mostSearched = 1 << 17

// Unwinder unwinds the samples of one process. Code and Memory must be set.
type Unwinder struct {
	Code   CodeMap
	Memory Memory
	// FramePointers says that compiled code keeps frame pointers (-XX:+PreserveFramePointer).
	FramePointers bool

	calls map[uint64]callCode // return address → the code before it
	reads uint64              // of code
	batch uint64              // of samples; 0: they do not come in batches
	chain []uint64            // the kernel's, of the stack at hand
	links []uint64            // frame pointers that the kernel's chain followed; links[i] has chain[i+1] behind it
	kinds []Kind
	depth int // index of the frame at hand
	live  liveStack
	inter []Interpreted
	words uint64 // of the stack at hand that may still be searched

	inserted []int
}

// Input is one interrupt in user code, or the user half of one in the kernel.
type Input struct {
	IP, SP, FP uint64
	BCP        uint64   // the register in which the interpreter keeps its bytecode pointer
	Method     uint64   // the register that has the Method* when the interpreter enters a method
	Return     uint64   // the register that has the return address while the interpreter builds a frame
	Chain      []uint64 // the kernel's frame-pointer chain, leaf first; the first is IP
	Stack      []byte   // copy of the stack from SP upwards
}

// Result qualifies an unwound stack.
type Result struct {
	Inserted    []int         // which addresses of the stack the kernel's chain has not; valid until the next Unwind; ascending
	Complete    bool          // the stack reaches the thread's base
	Interpreted []Interpreted // valid until the next Unwind; ascending by Frame
}

// Interpreted is what an interpreter frame holds.
type Interpreted struct {
	Frame    int       // index in the stack
	Method   uint64    // Method*
	BCP      [2]uint64 // where the bytecode pointer may be found, the more likely one first; 0 none
	Entering bool      // the frame is not complete yet: the method is at its first bytecode
}

// frame is the state of a walk: the registers as they are in one frame.
type frame struct {
	pc   uint64
	sp   uint64 // after the call, for all frames but the leaf
	fp   uint64
	regs *Input // of the leaf; nil for all others
	from uint64 // where the saved frame pointer and the return address stood that led here
	leaf bool
}

// Begin says that all samples up to the next Begin have been taken by now. If code is read for one
// of them, no later reading says more to the others.
func (u *Unwinder) Begin() { u.batch++ }

// Unwind appends the stack to dst, leaf first. The leaf is the interrupted instruction, all others
// are return addresses. It believes nothing of the input; at worst the stack is short and not
// Complete.
func (u *Unwinder) Unwind(in Input, dst []uint64) ([]uint64, Result) {
	st := newStack(in.SP, in.Stack)
	u.chain = in.Chain
	u.followLinks(st, in)
	first := len(dst)
	dst = append(dst, in.IP)
	u.inter, u.words = u.inter[:0], mostSearched
	f := frame{pc: in.IP, sp: in.SP, fp: in.FP, regs: &in, leaf: true}
	for len(dst)-first < MaxFrames {
		u.depth = len(dst) - first - 1
		next, ok := u.step(st, f)
		if !ok {
			if !u.whole(dst[first:], f) {
				dst = append(dst, u.outer(st, f, in.Chain)...)
			}
			break
		}
		dst = append(dst, next.pc)
		f = next
	}
	out, complete := u.trim(dst[first:])
	dst = dst[:first+len(out)]
	u.inserted = differing(out, in.Chain, u.inserted[:0])
	return dst, Result{Inserted: u.inserted, Complete: complete, Interpreted: u.inter}
}

// whole reports whether a walk that ended in f has reached the thread's base, and the kernel knows
// of nothing beyond it.
func (u *Unwinder) whole(stack []uint64, f frame) bool {
	if len(u.rest(f.fp, u.chain)) > 0 {
		return false
	}
	reached, complete := u.trim(stack)
	return complete && len(reached) == len(stack)
}

// followLinks walks the saved frame pointers as the kernel did, as far as the copy reaches and
// agrees with the kernel's chain. The last link may point beyond the copy.
func (u *Unwinder) followLinks(st stack, in Input) {
	u.links = u.links[:0]
	fp := in.FP
	for i := 1; i < len(in.Chain); i++ {
		u.links = append(u.links, fp)
		saved, ra, ok := st.pair(fp)
		if !ok {
			return
		}
		if ra != in.Chain[i] {
			u.links = u.links[:len(u.links)-1]
			return
		}
		fp = saved
	}
}

// rest is the part of the kernel's chain above the frame whose frame pointer is fp.
func (u *Unwinder) rest(fp uint64, chain []uint64) []uint64 {
	for i, link := range u.links {
		if link == fp {
			return chain[i+1:]
		}
	}
	return nil
}

// step finds the caller of f.
func (u *Unwinder) step(st stack, f frame) (frame, bool) {
	code := u.lookup(f)
	switch code.Kind {
	case Compiled:
		if next, ok := u.bySize(st, f, code); ok {
			return next, true
		}
	case Interpreter:
		if next, ok := u.entering(st, f); ok {
			return next, true
		}
		if next, ok := u.interpreted(st, f); ok {
			return next, true
		}
	}
	// From the best evidence to the weakest.
	if above, sane := u.sane(st, f); sane {
		if !u.ofFile(above) { // which calls Java through call_stub alone
			if next, ok := u.hidden(st, f, code, true); ok {
				return next, true
			}
		}
		if next, ok := u.byPointer(st, f); ok && u.linked(next, f, code) {
			return next, true
		}
	}
	if next, ok := u.hidden(st, f, code, false); ok {
		return next, true
	}
	return u.byPointer(st, f)
}

// ofFile tells native code. A code cache in huge pages looks like a mapped file, too, where nothing
// is known of what lies in it.
func (u *Unwinder) ofFile(c Code) bool {
	low, high := u.Code.Generated()
	return c.native() && (c.End <= low || c.Start >= high)
}

// linked reports whether the code at a return address that the frame pointer led to can have called
// the code of f. A frame pointer that is being set up, or that is used for other things, may point
// to an old frame's remains.
func (u *Unwinder) linked(caller, f frame, code Code) bool {
	c, _ := u.Code.Lookup(caller.pc - 1)
	switch c.Kind {
	case Compiled, Stub:
		return u.callMatch(caller.pc, c, code, f.pc) != noMatch
	case Native, CLibrary:
		return code.Kind != Compiled && code.Kind != Interpreter
	}
	return true
}

func (u *Unwinder) lookup(f frame) Code {
	addr := f.pc
	if !f.leaf {
		addr--
	}
	code, ok := u.Code.Lookup(addr)
	if !ok {
		return Code{}
	}
	return code
}

// bySize unwinds a compiled frame by its size. The interrupted one only if its frame is set up:
// behind the prologue, and either the frame pointer says so or, without frame pointers, the
// caller's call targets it.
func (u *Unwinder) bySize(st stack, f frame, code Code) (frame, bool) {
	size := uint64(code.FrameBytes)
	if size < 16 || size%8 != 0 {
		return frame{}, false
	}
	top := f.sp + size // the caller's stack pointer
	saved, ra, ok := st.pair(top - 16)
	if !ok || top < f.sp {
		return frame{}, false
	}
	caller, known := u.Code.Lookup(ra - 1)
	if !known {
		return frame{}, false
	}
	if f.leaf {
		if code.FrameComplete == NoFrameComplete || f.pc-code.Start < uint64(code.FrameComplete) {
			return frame{}, false
		}
		if u.FramePointers && f.fp != top-16 {
			return frame{}, false
		}
		if !u.FramePointers && caller.Kind == Compiled && u.callMatch(ra, caller, code, f.pc) == noMatch {
			return frame{}, false
		}
	}
	return frame{pc: ra, sp: top, fp: saved, from: top - 16}, true
}

// interpreted unwinds an interpreter frame. Its caller's stack pointer stands at fp-8: a compiled
// caller's frame may have been extended by arguments.
func (u *Unwinder) interpreted(st stack, f frame) (frame, bool) {
	sender, ok := senderSP(st, f.fp)
	if !ok || f.fp < f.sp {
		return frame{}, false
	}
	saved, ra, ok := st.pair(f.fp)
	if !ok {
		return frame{}, false
	}
	if _, known := u.Code.Lookup(ra - 1); !known {
		return frame{}, false
	}
	u.note(st, f)
	return frame{pc: ra, sp: sender, fp: saved, from: f.fp}, true
}

// note keeps what the interpreter frame f says of its method. The Method* is at fp-24. The bytecode
// pointer is at fp-64, where it is put before calls, and in a register as long as the interpreter
// itself runs.
func (u *Unwinder) note(st stack, f frame) {
	if f.leaf && f.fp-24 < f.sp { // not pushed yet
		u.inter = append(u.inter, Interpreted{Frame: u.depth, Method: f.regs.Method, Entering: true})
		return
	}
	method, ok := st.word(f.fp - 24)
	if !ok {
		return
	}
	stored, _ := st.word(f.fp - 64)
	i := Interpreted{Frame: u.depth, Method: method, BCP: [2]uint64{stored}}
	if f.leaf {
		i.BCP = [2]uint64{f.regs.BCP, stored}
	}
	u.inter = append(u.inter, i)
}

// senderSP reads the caller's stack pointer of the interpreter frame at fp; not ok when that is no
// interpreter frame.
func senderSP(st stack, fp uint64) (uint64, bool) {
	sender, ok := st.word(fp - 8)
	const mostArguments = 256 * 8 // a method takes at most 255 words (JVMS 4.3.3)
	if !ok || sender%8 != 0 || sender < fp+16 || sender > fp+16+mostArguments+8 {
		return 0, false
	}
	return sender, true
}

// byPointer unwinds by the frame pointer.
func (u *Unwinder) byPointer(st stack, f frame) (frame, bool) {
	saved, ra, ok := st.pair(f.fp)
	if !ok {
		return frame{}, false
	}
	if _, sane := u.sane(st, f); !sane {
		return frame{}, false
	}
	return frame{pc: ra, sp: f.fp + 16, fp: saved, from: f.fp}, true
}

// sane reports whether the frame pointer can be one. It lies above the stack pointer and has a
// return address into known code behind it, in the copy or, beyond the copy, by the kernel's chain.
// That code is above.
func (u *Unwinder) sane(st stack, f frame) (above Code, ok bool) {
	if f.fp < f.sp {
		return Code{}, false
	}
	_, ra, ok := st.pair(f.fp)
	if !ok {
		chain := u.rest(f.fp, u.chain)
		if len(chain) == 0 || f.fp < st.high-min(8, st.high) {
			return Code{}, false
		}
		ra = chain[0]
	}
	return u.Code.Lookup(ra - 1)
}

// differing appends to dst the indices of the addresses of out that the kernel's chain has not, in
// its order.
func differing(out, chain []uint64, dst []int) []int {
	at := 0
next:
	for k, addr := range out {
		for i := at; i < len(chain); i++ {
			if chain[i] == addr {
				at = i + 1
				continue next
			}
		}
		dst = append(dst, k)
	}
	return dst
}
