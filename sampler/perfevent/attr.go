package perfevent

import (
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Limits of a Spec: those that the control page of FORMAT.md states for the same fields.
const (
	MinPeriod     = 100 * time.Microsecond
	MaxPeriod     = time.Minute
	MaxStackBytes = 65528
	MaxRingPages  = 1024
)

// DefaultSampleType is the sample_type of every event that planflame opens (FORMAT.md, "Perf events
// that the agent opens").
const DefaultSampleType = unix.PERF_SAMPLE_IP | unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_TIME | unix.PERF_SAMPLE_PERIOD |
	unix.PERF_SAMPLE_CALLCHAIN | unix.PERF_SAMPLE_REGS_USER | unix.PERF_SAMPLE_STACK_USER

// Spec describes a task-clock event on one thread.
type Spec struct {
	Period        time.Duration // thread CPU time between two samples, MinPeriod … MaxPeriod
	ExcludeKernel bool          // no samples and no frames of the kernel: what perf_event_paranoid 2 asks of ordinary users
	StackBytes    int           // copy of the user stack in each sample, 0 … MaxStackBytes, a multiple of 8
	RingPages     int           // data pages of the ring, a power of two, 1 … MaxRingPages
	Off           bool          // opened switched off: Begin switches it on
}

// Validate says which field of s is out of range.
func (s Spec) Validate() error {
	switch {
	case s.Period < MinPeriod || s.Period > MaxPeriod:
		return fmt.Errorf("period %v is not within %v … %v", s.Period, MinPeriod, MaxPeriod)
	case s.StackBytes < 0 || s.StackBytes > MaxStackBytes || s.StackBytes%8 != 0:
		return fmt.Errorf("stack bytes %d: not a multiple of 8 within 0 … %d", s.StackBytes, MaxStackBytes)
	case s.RingPages < 1 || s.RingPages > MaxRingPages || s.RingPages&(s.RingPages-1) != 0:
		return fmt.Errorf("ring pages %d: not a power of two within 1 … %d", s.RingPages, MaxRingPages)
	case s.RingPages < s.LeastRingPages():
		return fmt.Errorf("ring pages %d: a sample with %d bytes of stack needs %d", s.RingPages, s.StackBytes, s.LeastRingPages())
	}
	return nil
}

// LeastRingPages is the smallest ring that one sample fits into: besides its copy of the stack it
// holds at most 127 addresses (kernel.perf_event_max_stack), the registers and some words. The
// kernel loses all samples of a smaller ring without a record of it.
func (s Spec) LeastRingPages() int {
	const besides = 1536
	pages := 1
	for pages*os.Getpagesize() < s.StackBytes+besides {
		pages *= 2
	}
	return pages
}

// Layout is how samples of an event opened for s are laid out.
func (s Spec) Layout() Layout { return Layout{SampleType: DefaultSampleType, RegsMask: RegsMask} }

// attr is the kernel's description of s, but for Off.
func (s Spec) attr(ringBytes int) unix.PerfEventAttr {
	l := s.Layout()
	attr := unix.PerfEventAttr{
		Type:              unix.PERF_TYPE_SOFTWARE,
		Config:            unix.PERF_COUNT_SW_TASK_CLOCK,
		Size:              uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Sample:            uint64(s.Period),
		Sample_type:       l.SampleType,
		Sample_regs_user:  l.RegsMask,
		Sample_stack_user: uint32(s.StackBytes),
		Clockid:           unix.CLOCK_MONOTONIC,
		Wakeup:            uint32(ringBytes / 2),
		Bits:              unix.PerfBitUseClockID | unix.PerfBitWatermark | unix.PerfBitExcludeHv,
	}
	if s.ExcludeKernel {
		attr.Bits |= unix.PerfBitExcludeKernel | unix.PerfBitExcludeCallchainKernel
	}
	return attr
}
