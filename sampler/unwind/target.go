package unwind

// call is a decoded call instruction.
type call struct {
	direct bool
	target uint64 // when direct
}

// match says how a call fits the code that runs beneath it.
type match uint8

const (
	noMatch  match = iota
	indirect       // a call through a register or memory: it may have gone anywhere
	through        // the target hands on to the code we are in, as far as can be told: dispatch, resolver, another compilation of the method
	exact          // the target lies in the code we are in
)

// callMatch judges whether the call before ra, which lies in caller, can have led to cur, in which
// pc lies. A mismatch with remembered code is judged again with what stands there now: HotSpot
// patches calls.
func (u *Unwinder) callMatch(ra uint64, caller, cur Code, pc uint64) match {
	reads := u.reads
	c, ok := u.callBefore(ra, caller)
	m := noMatch
	if ok {
		m = u.judge(c, caller, cur, pc)
	}
	if m != noMatch || u.reads != reads || u.asNew(ra) {
		return m
	}
	if code, ok := u.readBefore(ra, caller); ok {
		if c, ok := decodeCall(code[:], ra); ok {
			return u.judge(c, caller, cur, pc)
		}
	}
	return noMatch
}

func (u *Unwinder) judge(c call, caller, cur Code, pc uint64) match {
	if !c.direct {
		return indirect
	}
	if cur.Kind != Unknown && cur.contains(c.target) {
		return exact
	}
	target, known := u.Code.Lookup(c.target)
	if !known {
		// Code that the map does not know yet, entered not far below: one nmethod, most likely.
		const largest = 256 << 10
		if cur.Kind == Unknown && c.target <= pc && pc-c.target < largest {
			return exact
		}
		return noMatch
	}
	return targetMatch(target, caller, cur)
}

// targetMatch judges a call of caller to target while cur runs. The table:
//
//	target        runs           because
//	native        native         the callee may have called on
//	same method   compiled       the call was patched to a newer compilation, or to an older one
//	wrapper       compiled       a method handle's linker jumps on
//	dispatch      Java           the receiver decides
//	resolver      Java           the call was not patched yet, or reset since
//	stub          stub, native   stubs share tails and call on
//	caller        Java           a static call's own little stub leads to the interpreter or the callee
func targetMatch(target, caller, cur Code) match {
	java := cur.Kind == Compiled || cur.Kind == Interpreter || cur.Kind == Dispatch || cur.Kind == Unknown
	switch target.Kind {
	case Native, CLibrary:
		if cur.native() {
			return exact
		}
	case Compiled:
		same := cur.Kind == Compiled && target.Method != 0 && target.Method == cur.Method
		self := target.Start == caller.Start && java
		linker := target.Wrapper && java
		if same || self || linker {
			return through
		}
	case Dispatch, Resolver:
		if java {
			return through
		}
	case Stub:
		if cur.Kind == Stub || cur.native() {
			return through
		}
	case Interpreter:
		if cur.Kind == Interpreter {
			return exact
		}
	}
	return noMatch
}

// callBefore decodes the call that ends at ra, in caller.
func (u *Unwinder) callBefore(ra uint64, caller Code) (call, bool) {
	code, ok := u.codeBefore(ra, caller)
	if !ok {
		return call{}, false
	}
	return decodeCall(code[:], ra)
}

// codeBefore is the code of caller that ends at ra: as it was when it was last read, or else as it
// is now.
func (u *Unwinder) codeBefore(ra uint64, caller Code) ([callBytes]byte, bool) {
	if known, ok := u.calls[ra]; ok && known.start == caller.Start && known.method == caller.Method {
		if known.readable || u.asNew(ra) {
			return known.code, known.readable
		}
	}
	return u.readBefore(ra, caller)
}

// asNew reports whether what is remembered of the code before ra was read since the last Begin.
func (u *Unwinder) asNew(ra uint64) bool { return u.batch != 0 && u.calls[ra].batch == u.batch }

// readBefore reads the code that ends at ra and remembers it, for the nmethod or the process may be
// gone when it is asked for again.
func (u *Unwinder) readBefore(ra uint64, caller Code) (code [callBytes]byte, ok bool) {
	u.reads++
	ok = ra > callBytes && u.Memory.ReadAt(code[:], ra-callBytes) == nil
	if len(u.calls) >= maxCalls {
		clear(u.calls)
	}
	if u.calls == nil {
		u.calls = map[uint64]callCode{}
	}
	known := callCode{start: caller.Start, method: caller.Method, code: code, readable: ok, batch: u.batch}
	if old := u.calls[ra]; !ok && old.readable && old.start == known.start && old.method == known.method {
		known.code, known.readable = old.code, true // it is gone, and what it was stays true
	}
	u.calls[ra] = known
	return code, ok
}

// callCode is the code before a return address, and whose it was: the memory of an nmethod is used
// again.
type callCode struct {
	start, method uint64
	code          [callBytes]byte
	readable      bool
	batch         uint64 // when it was read
}

// maxCalls bounds the calls that an Unwinder remembers (about 400 KiB).
const maxCalls = 8192
