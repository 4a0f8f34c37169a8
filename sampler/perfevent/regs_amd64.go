package perfevent

// RegsMask asks for AX … IP and R8 … R15 (arch/x86/include/uapi/asm/perf_regs.h).
const RegsMask = 0xff01ff

// Bit numbers in a register mask of the registers an unwinder needs.
const (
	RegReturn = 0  // PERF_REG_X86_AX: HotSpot's interpreter keeps the return address there while it builds a frame
	RegMethod = 1  // PERF_REG_X86_BX: the Method* that HotSpot's interpreter enters
	RegFP     = 6  // PERF_REG_X86_BP
	RegSP     = 7  // PERF_REG_X86_SP
	RegIP     = 8  // PERF_REG_X86_IP
	RegBCP    = 21 // PERF_REG_X86_R13: HotSpot's interpreter keeps its bytecode pointer there
)
