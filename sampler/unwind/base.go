package unwind

// trim judges whether a stack, leaf first, reaches its thread's base, and cuts what the kernel
// followed beyond it. start_thread does not keep the frame pointer, so the chain may go on into
// nonsense.
//
// The base, from the outermost frame inwards: at least one frame of the C library, frames of the
// JVM's own library, call_stub. A call_stub further in (a constructor called from native code, say)
// is followed by Java frames, so it does not count.
func (u *Unwinder) trim(stack []uint64) (trimmed []uint64, complete bool) {
	u.kinds = u.kinds[:0] // of the outermost frames, the outermost first
	last := len(stack) - 1
	for ; last >= 0; last-- { // to the outermost call_stub
		addr := stack[last]
		if last > 0 {
			addr--
		}
		code, _ := u.Code.Lookup(addr)
		if code.Kind == CallStub {
			break
		}
		u.kinds = append(u.kinds, code.Kind)
	}
	if last < 0 {
		return stack, false
	}
	kind := func(i int) Kind { return u.kinds[len(stack)-1-i] }
	for i := last + 1; i < len(stack); i++ {
		switch kind(i) {
		case Native:
		case CLibrary:
			for i+1 < len(stack) && kind(i+1) == CLibrary {
				i++
			}
			return stack[:i+1], true
		default:
			return stack, false
		}
	}
	return stack, false
}
