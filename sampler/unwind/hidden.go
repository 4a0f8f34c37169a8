package unwind

import "encoding/binary"

// hidden searches the copy between the stack pointer and the frame of the frame pointer. It looks
// for the return address of a compiled method that the frame-pointer chain skips. The code we are
// in has then set up no frame (a stub, a prologue or epilogue, native code without frame pointers).
//
// If the frame pointer is sane it is, in such code, still the hidden method's, so the method's
// frame must end exactly there. Its size then fixes the place of its return address. Calls of every
// form are accepted, indirect ones too. A stale word at just that place that is also a return
// address of a method of just that size is not to be expected. A frame pointer with a return
// address into native code behind it is a native frame's, and none is hidden below it. What looks
// so is a copy of an address. One is in the JavaFrameAnchor, which JavaCalls::call_helper keeps of
// the Java frames that called it. If the frame pointer is not sane (native code and some stubs use
// rbp for other things), the call must be direct and fit the code we are in. The method's own frame
// must in turn end in a return address whose call fits the method. That is also asked where a sane
// frame pointer has led nowhere: in the middle of a prologue it can look sane and point to an old
// frame's remains.
//
// An interpreter frame's size is nowhere written; without a sane frame pointer it is found by its
// form (nativeEntry).
func (u *Unwinder) hidden(st stack, f frame, code Code, sane bool) (frame, bool) {
	if f.sp < st.low || f.sp%8 != 0 {
		return frame{}, false
	}
	limit := st.high
	if sane {
		limit = f.fp
	}
	next, at, ok := u.search(st, f, code, sane, min(limit, f.sp+8*u.words))
	u.words -= min(u.words, (at-f.sp)/8) // nativeEntry has taken some
	return next, ok
}

// search is hidden for the words up to limit, and returns where it ended.
func (u *Unwinder) search(st stack, f frame, code Code, sane bool, limit uint64) (next frame, at uint64, ok bool) {
	low, high := u.Code.Generated()
	at = f.sp
	// Thousands of words, of which nearly none is a return address.
	if at < st.high {
		for b := st.b[at-st.low:]; at < limit && len(b) >= 8; at, b = at+8, b[8:] {
			ra := binary.LittleEndian.Uint64(b)
			if ra-1-low >= high-low {
				continue
			}
			if next, ok := u.hiddenAt(st, f, code, at, ra, sane); ok {
				return next, at, true
			}
		}
	}
	for ; at < limit; at += 8 {
		ra, ok := st.word(at)
		if !ok {
			break
		}
		if ra-1-low >= high-low {
			continue
		}
		if next, ok := u.hiddenAt(st, f, code, at, ra, sane); ok {
			return next, at, true
		}
	}
	return frame{}, at, false
}

// hiddenAt reports whether the word ra at an address of the stack is the return address into a
// hidden frame.
func (u *Unwinder) hiddenAt(st stack, f frame, code Code, at, ra uint64, sane bool) (frame, bool) {
	caller, known := u.Code.Lookup(ra - 1)
	if !known {
		return frame{}, false
	}
	next := frame{pc: ra, sp: at + 8, fp: f.fp}
	switch caller.Kind {
	case Compiled:
		if !sane {
			next.fp = at + 8 + uint64(caller.FrameBytes) - 16
		}
		return next, u.ends(next, caller) && u.called(st, next, caller, code, f.pc, sane)
	case Interpreter:
		if sane {
			return next, u.hiddenInterpreted(st, f, code, caller, at, ra)
		}
		fp, ok := u.nativeEntry(st, code, caller, at, ra)
		next.fp = fp
		return next, ok
	}
	return frame{}, false
}

// ends reports whether a compiled frame with the stack pointer of f ends at its frame pointer.
func (u *Unwinder) ends(f frame, code Code) bool {
	size := uint64(code.FrameBytes)
	return size >= 16 && size%8 == 0 && f.sp+size-16 == f.fp
}

// called reports whether compiled frame f, of caller, can have called code, in which pc lies.
func (u *Unwinder) called(st stack, f frame, caller, code Code, pc uint64, sane bool) bool {
	m := u.callMatch(f.pc, caller, code, pc)
	if sane {
		return m != noMatch
	}
	if m != exact && m != through {
		return false
	}
	saved, ra, ok := st.pair(f.fp)
	if !ok || u.FramePointers && saved <= f.fp {
		return false
	}
	outer, known := u.Code.Lookup(ra - 1)
	if !known {
		return false
	}
	switch outer.Kind {
	case Compiled, CallStub:
		return u.callMatch(ra, outer, caller, caller.Start) != noMatch
	case Interpreter: // pushes its return entries, there is no call before them
		_, ok := senderSP(st, saved)
		return ok
	}
	return false
}

// hiddenInterpreted: the interpreter called native code, or jumped to a compiled method that has no
// frame yet; the frame pointer is the interpreter's.
func (u *Unwinder) hiddenInterpreted(st stack, f frame, code, caller Code, at, ra uint64) bool {
	if _, ok := senderSP(st, f.fp); !ok {
		return false
	}
	if !code.native() {
		return f.leaf && at == f.sp && code.Kind != Interpreter
	}
	_, ok := u.callBefore(ra, caller)
	return ok
}

// nativeEntry finds the frame pointer of an interpreted native method whose return address ra
// stands at at, beneath native code that uses the frame pointer for other things. The interpreter
// calls native functions by "call rax" and by nothing else does it leave that instruction before a
// return address (templateInterpreterGenerator_x86.cpp, generate_native_entry, JDK 17 to 25). Its
// frame begins not far above, with a sender's stack pointer that fits and a return address into
// Java.
func (u *Unwinder) nativeEntry(st stack, code, interpreter Code, at, ra uint64) (fp uint64, ok bool) {
	if !code.native() {
		return 0, false
	}
	if before, ok := u.codeBefore(ra, interpreter); !ok || !isNativeEntryCall(before[:]) {
		return 0, false
	}
	const farthest = 1024 // the frame's fixed part is 80 bytes, arguments on the stack come on top
	if u.words < farthest/8 {
		return 0, false
	}
	u.words -= farthest / 8
	for fp := at + 16; fp < at+farthest; fp += 8 {
		if _, ok := senderSP(st, fp); !ok {
			continue
		}
		saved, outer, ok := st.pair(fp)
		if !ok || saved <= fp {
			continue
		}
		caller, known := u.Code.Lookup(outer - 1)
		if known && (caller.Kind == Interpreter || caller.Kind == Compiled || caller.Kind == CallStub) {
			return fp, true
		}
	}
	return 0, false
}
