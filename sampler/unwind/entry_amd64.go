package unwind

// mostEntered bounds the stack between an entered method's frame and its caller's: arguments and
// locals, which are 65,535 words at most (JVMS 4.7.3), and the fixed part.
const mostEntered = (1<<16 + 64) * 8

// entering unwinds the interrupted frame while the interpreter enters a method and its frame is not
// complete. The frame pointer is still the caller's for most of that time. A method with many
// locals spends long there, because the interpreter clears them one by one.
//
// Up to the end of generate_fixed_frame the Method* is in rbx
// (templateInterpreterGenerator_x86.cpp, JDK 17 to 25). While r13 has the caller's stack pointer
// and not yet the bytecode pointer, the return address stands on top of the stack. Once it was
// popped, it is in rax.
func (u *Unwinder) entering(st stack, f frame) (frame, bool) {
	if !f.leaf {
		return frame{}, false
	}
	sender := f.regs.BCP
	if sender%8 != 0 || sender <= f.sp || sender-f.sp > mostEntered {
		return frame{}, false
	}
	ra, ok := st.word(f.sp)
	if !ok || !u.callsMethods(ra) {
		if ra = f.regs.Return; !u.callsMethods(ra) {
			return frame{}, false
		}
	}
	fp := f.fp
	if fp >= f.sp && fp < sender { // the method's own
		if fp, ok = st.word(f.fp); !ok {
			return frame{}, false
		}
	}
	u.inter = append(u.inter, Interpreted{Frame: u.depth, Method: f.regs.Method, Entering: true})
	return frame{pc: ra, sp: sender, fp: fp}, true
}

// callsMethods reports whether a return address lies in code that calls Java methods.
func (u *Unwinder) callsMethods(ra uint64) bool {
	c, known := u.Code.Lookup(ra - 1)
	return known && (c.Kind == Compiled || c.Kind == Interpreter || c.Kind == CallStub)
}
