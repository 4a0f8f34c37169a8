package perfevent

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"time"

	"golang.org/x/sys/unix"
)

// Sample is a decoded PERF_RECORD_SAMPLE. Fields that the layout lacks are zero. Its slices are
// re-used by the next sample.
type Sample struct {
	IP       uint64
	PID, TID uint32 // in the pid namespace of whoever opened the event
	Time     uint64 // CLOCK_MONOTONIC nanoseconds
	Period   time.Duration
	Kernel   []uint64 // kernel part of the call chain, leaf first
	User     []uint64 // user part of the call chain by frame pointers, leaf first; the first is the interrupted instruction
	RegsABI  uint64   // PERF_SAMPLE_REGS_ABI_*: 0 no registers, 1 32-bit, 2 64-bit
	regs     [64]uint64
	mask     uint64
	Stack    []byte // copy of the user stack from the stack pointer upwards
	// StackFull says that the copy is as long as was asked for: the stack may go on. A shorter one
	// ends where the stack's memory does.
	StackFull bool
}

// Reg is the value of the register with that bit number in the register mask; ok is false when the
// sample has it not.
func (s *Sample) Reg(bit int) (value uint64, ok bool) {
	if s.RegsABI == 0 || bit < 0 || bit > 63 || s.mask>>bit&1 == 0 {
		return 0, false
	}
	return s.regs[bits.OnesCount64(s.mask&(1<<bit-1))], true
}

// Layout says which fields samples have.
type Layout struct {
	SampleType uint64 // PERF_SAMPLE_* of the event
	RegsMask   uint64 // sample_regs_user of the event
}

// decodable are the sample_type bits that Decode knows. What the kernel writes behind STACK_USER is
// not among them.
const decodable = unix.PERF_SAMPLE_IDENTIFIER | unix.PERF_SAMPLE_IP | unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_TIME |
	unix.PERF_SAMPLE_ADDR | unix.PERF_SAMPLE_ID | unix.PERF_SAMPLE_STREAM_ID | unix.PERF_SAMPLE_CPU | unix.PERF_SAMPLE_PERIOD |
	unix.PERF_SAMPLE_CALLCHAIN | unix.PERF_SAMPLE_RAW | unix.PERF_SAMPLE_REGS_USER | unix.PERF_SAMPLE_STACK_USER

// Validate refuses a layout with fields that Decode does not know or without those a sample needs.
func (l Layout) Validate() error {
	if unknown := l.SampleType &^ decodable; unknown != 0 {
		return fmt.Errorf("sample type %#x: bits %#x are not known", l.SampleType, unknown)
	}
	const needed = unix.PERF_SAMPLE_IP | unix.PERF_SAMPLE_TIME | unix.PERF_SAMPLE_PERIOD
	if missing := needed &^ l.SampleType; missing != 0 {
		return fmt.Errorf("sample type %#x: bits %#x are missing", l.SampleType, missing)
	}
	return nil
}

// Decode decodes the payload of a PERF_RECORD_SAMPLE (without its header) into s, in the order of
// fields that include/uapi/linux/perf_event.h draws. s points into payload afterwards. An error
// names the field that does not fit.
func (l Layout) Decode(payload []byte, s *Sample) error {
	if unknown := l.SampleType &^ decodable; unknown != 0 {
		return fmt.Errorf("sample type %#x: bits %#x are not known", l.SampleType, unknown)
	}
	*s = Sample{Kernel: s.Kernel[:0], User: s.User[:0], regs: s.regs}
	c := cursor{b: payload}
	has := func(bit uint64) bool { return l.SampleType&bit != 0 }
	if has(unix.PERF_SAMPLE_IDENTIFIER) {
		c.u64("identifier")
	}
	if has(unix.PERF_SAMPLE_IP) {
		s.IP = c.u64("ip")
	}
	if has(unix.PERF_SAMPLE_TID) {
		v := c.u64("tid")
		s.PID, s.TID = uint32(v), uint32(v>>32)
	}
	if has(unix.PERF_SAMPLE_TIME) {
		s.Time = c.u64("time")
	}
	for _, f := range []struct {
		bit  uint64
		name string
	}{
		{unix.PERF_SAMPLE_ADDR, "addr"}, {unix.PERF_SAMPLE_ID, "id"},
		{unix.PERF_SAMPLE_STREAM_ID, "stream id"}, {unix.PERF_SAMPLE_CPU, "cpu"},
	} {
		if has(f.bit) {
			c.u64(f.name)
		}
	}
	if has(unix.PERF_SAMPLE_PERIOD) {
		s.Period = time.Duration(c.u64("period"))
	}
	if has(unix.PERF_SAMPLE_CALLCHAIN) {
		c.callchain(s)
	}
	if has(unix.PERF_SAMPLE_RAW) {
		c.raw()
	}
	if has(unix.PERF_SAMPLE_REGS_USER) {
		c.regs(s, l.RegsMask)
	}
	if has(unix.PERF_SAMPLE_STACK_USER) {
		c.stack(s)
	}
	const longest = 2 * MaxPeriod // the agent draws periods of up to 1.4 times the one that is asked for
	if c.err == nil && (s.Period < 0 || s.Period > longest) {
		c.fail("period", "is out of range")
	}
	return c.err
}

// cursor reads a payload; the first thing that does not fit is its error and everything after reads
// as zero.
type cursor struct {
	b   []byte
	at  int
	err error
}

func (c *cursor) fail(field, why string) {
	if c.err == nil {
		c.err = fmt.Errorf("sample: %s at byte %d of %d %s", field, c.at, len(c.b), why)
	}
}

func (c *cursor) u64(field string) uint64 {
	b := c.bytes(8, field)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

func (c *cursor) bytes(n uint64, field string) []byte {
	if c.err != nil || n > uint64(len(c.b)-c.at) {
		c.fail(field, "does not fit")
		return nil
	}
	b := c.b[c.at : c.at+int(n)]
	c.at += int(n)
	return b
}

// contextMax is PERF_CONTEXT_MAX: chain entries from there up mark whose addresses follow.
const contextMax = ^uint64(4095) + 1

// PERF_CONTEXT_KERNEL and PERF_CONTEXT_USER: (u64)-128 and (u64)-512.
const (
	contextKernel = ^uint64(128) + 1
	contextUser   = ^uint64(512) + 1
)

// callchain reads u64 nr; u64 ips[nr] and sorts the addresses by the context marks among them;
// the ones of a hypervisor or guest are left out.
func (c *cursor) callchain(s *Sample) {
	n := c.u64("callchain length")
	if n > uint64(len(c.b))/8 {
		c.fail("callchain", "does not fit")
		return
	}
	var into *[]uint64
	for b := c.bytes(8*n, "callchain"); len(b) >= 8; b = b[8:] {
		switch v := binary.LittleEndian.Uint64(b); {
		case v == contextKernel:
			into = &s.Kernel
		case v == contextUser:
			into = &s.User
		case v >= contextMax:
			into = nil
		case into != nil:
			*into = append(*into, v)
		}
	}
}

// raw skips u32 size; char data[size], padded by the kernel so that both together are a multiple of
// 8.
func (c *cursor) raw() {
	if b := c.bytes(4, "raw size"); b != nil {
		c.bytes(uint64(binary.LittleEndian.Uint32(b)), "raw data")
	}
}

// regs reads u64 abi; u64 regs[weight(mask)] when abi is not 0.
func (c *cursor) regs(s *Sample, mask uint64) {
	s.RegsABI, s.mask = c.u64("register abi"), mask
	if s.RegsABI == 0 {
		return
	}
	for i := range bits.OnesCount64(mask) {
		s.regs[i] = c.u64("registers")
	}
}

// stack reads u64 size; char data[size]; u64 dyn_size when size is not 0. Only dyn_size bytes were
// copied; the rest is padding.
func (c *cursor) stack(s *Sample) {
	n := c.u64("stack size")
	if n == 0 {
		return
	}
	data := c.bytes(n, "stack")
	copied := c.u64("stack dynamic size")
	if copied > n {
		c.fail("stack dynamic size", "is more than was reserved")
		return
	}
	if data != nil {
		s.Stack, s.StackFull = data[:copied], copied == n
	}
}
