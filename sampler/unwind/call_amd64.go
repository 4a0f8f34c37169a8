package unwind

import "encoding/binary"

// callBytes is how much code before a return address decodeCall wants to see: movabs (10) and call
// register (3), rounded up.
const callBytes = 16

// decodeCall looks at the bytes that end at return address ra for a call instruction. Instructions
// have no marks to be found from behind, so data can look like a call; that is why the target is
// checked as well.
//
//	E8 rel32                      call target            direct
//	REX.W+B8 imm64, FF /2 reg     movabs r; call r       direct
//	FF /2 …                       call r, [m]            indirect, 2-8 bytes, with or without REX
func decodeCall(code []byte, ra uint64) (call, bool) {
	n := len(code)
	if n >= 5 && code[n-5] == 0xe8 {
		rel := int64(int32(binary.LittleEndian.Uint32(code[n-4:])))
		return call{direct: true, target: ra + uint64(rel)}, true
	}
	for size := 2; size <= 8 && size <= n; size++ {
		at := code[n-size:]
		rex := byte(0)
		if at[0]&0xf0 == 0x40 && size > 2 {
			rex, at = at[0], at[1:]
		}
		if at[0] != 0xff || at[1]>>3&7 != 2 || 1+operandBytes(at[1:]) != len(at) {
			continue
		}
		if at[1]>>6 == 3 { // a register: was its value loaded just before?
			before := code[:n-size]
			if size == 2 && len(before) > 0 && before[len(before)-1] == 0x41 { // more likely a prefix than the end of another instruction
				rex, before = 0x41, before[:len(before)-1]
			}
			if target, ok := loaded(before, at[1]&7|rex&1<<3); ok {
				return call{direct: true, target: target}, true
			}
		}
		return call{}, true
	}
	return call{}, false
}

// operandBytes is the length of ModRM, SIB and displacement; b holds at least the ModRM byte.
func operandBytes(b []byte) int {
	mod, rm := b[0]>>6, b[0]&7
	size := 1
	if mod != 3 && rm == 4 { // SIB
		size++
		if mod == 0 && len(b) > 1 && b[1]&7 == 5 {
			size += 4
		}
	}
	switch {
	case mod == 1:
		size++
	case mod == 2, mod == 0 && rm == 5: // disp32; rip-relative
		size += 4
	}
	return size
}

// loaded finds "movabs reg, imm64" at the end of code.
func loaded(code []byte, reg byte) (uint64, bool) {
	n := len(code)
	if n < 10 || code[n-10] != 0x48|reg>>3 || code[n-9] != 0xb8|reg&7 {
		return 0, false
	}
	return binary.LittleEndian.Uint64(code[n-8:]), true
}

// isNativeEntryCall tells "call rax", by which the interpreter calls native functions.
func isNativeEntryCall(code []byte) bool {
	n := len(code)
	return n >= 3 && code[n-2] == 0xff && code[n-1] == 0xd0 && code[n-3] != 0x41
}
