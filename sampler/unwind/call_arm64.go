package unwind

import "encoding/binary"

// callBytes is how much code before a return address decodeCall wants to see: one instruction.
const callBytes = 4

// decodeCall looks at the instruction before return address ra: BL imm26 is direct, BLR indirect.
// HotSpot's trampolines (a BL into the caller's own stub section) count as calls into the caller
// itself.
func decodeCall(code []byte, ra uint64) (call, bool) {
	if len(code) < 4 {
		return call{}, false
	}
	switch op := binary.LittleEndian.Uint32(code[len(code)-4:]); {
	case op>>26 == 0b100101:
		offset := int64(int32(op<<6)>>6) * 4
		return call{direct: true, target: ra - 4 + uint64(offset)}, true
	case op&0xfffffc1f == 0xd63f0000:
		return call{}, true
	}
	return call{}, false
}

// isNativeEntryCall tells "blr x10", by which the interpreter calls native functions.
func isNativeEntryCall(code []byte) bool {
	return len(code) >= 4 && binary.LittleEndian.Uint32(code[len(code)-4:]) == 0xd63f0140
}

// entering knows nothing of how the interpreter of this architecture enters methods.
func (u *Unwinder) entering(stack, frame) (frame, bool) { return frame{}, false }
