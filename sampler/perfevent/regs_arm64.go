package perfevent

// RegsMask asks for X0 … X29, LR, SP and PC (arch/arm64/include/uapi/asm/perf_regs.h).
const RegsMask = 1<<33 - 1

// Bit numbers in a register mask of the registers an unwinder needs.
const (
	RegMethod = 12 // PERF_REG_ARM64_X12: the Method* that HotSpot's interpreter enters
	RegBCP    = 22 // PERF_REG_ARM64_X22: HotSpot's interpreter keeps its bytecode pointer there
	RegFP     = 29 // PERF_REG_ARM64_X29
	RegReturn = 30 // PERF_REG_ARM64_LR
	RegSP     = 31 // PERF_REG_ARM64_SP
	RegIP     = 32 // PERF_REG_ARM64_PC
)
