package unwind

// trim judges whether a stack, leaf first, reaches its thread's base, and cuts what the kernel
// followed beyond it. start_thread does not keep the frame pointer, so the chain may go on into
// nonsense.
//
// The base, from the outermost frame inwards: at least one frame of the C library, frames of the
// JVM's own library, call_stub. A call_stub further in (a constructor called from native code, say)
// is followed by Java frames, so it does not count.
func (u *Unwinder) trim(stack []uint64) (trimmed []uint64, complete bool) {
	u.kinds = u.kinds[:0]
	last := -1 // outermost call_stub
	for i, addr := range stack {
		if i > 0 {
			addr--
		}
		code, _ := u.Code.Lookup(addr)
		u.kinds = append(u.kinds, code.Kind)
		if code.Kind == CallStub {
			last = i
		}
	}
	if last < 0 {
		return stack, false
	}
	for i := last + 1; i < len(stack); i++ {
		switch u.kinds[i] {
		case Native:
		case CLibrary:
			for i+1 < len(stack) && u.kinds[i+1] == CLibrary {
				i++
			}
			return stack[:i+1], true
		default:
			return stack, false
		}
	}
	return stack, false
}
