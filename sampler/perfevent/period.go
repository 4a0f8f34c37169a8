package perfevent

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Clock names one of the two events of an Event.
type Clock uint8

// The clocks of an Event.
const (
	Base   Clock = iota
	Detail       // of OpenDetail or TakeOverDetail
)

func (e *Event) of(c Clock) int {
	if c == Detail {
		return e.detail
	}
	return e.fd
}

// SetPeriod gives a clock another period, which begins now. The kernel has no way to change it
// within one (__perf_event_period), so the part of the period that has passed has no sample. used
// is the CPU that the clock has counted until then; it counts only while it is switched on.
//
// The kernel goes on writing the period of the opening into samples (perf_swevent_hrtimer takes
// last_period, which only the opening sets).
func (e *Event) SetPeriod(c Clock, period time.Duration) (used time.Duration, err error) {
	if period < MinPeriod || period > MaxPeriod {
		return 0, fmt.Errorf("set period of perf event: %v is not within %v … %v", period, MinPeriod, MaxPeriod)
	}
	fd := e.of(c)
	if fd < 0 {
		return 0, errors.New("set period of perf event: there is none")
	}
	if used, err = counted(fd); err != nil {
		return 0, fmt.Errorf("set period of perf event: %w", err)
	}
	value := uint64(period)
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.PERF_EVENT_IOC_PERIOD, uintptr(unsafe.Pointer(&value))); errno != 0 {
		return 0, fmt.Errorf("set period of perf event: %w", os.NewSyscallError("ioctl PERF_EVENT_IOC_PERIOD", errno))
	}
	return used, nil
}

// HasClock reports whether SetPeriod knows a clock.
func (e *Event) HasClock(c Clock) bool { return e.of(c) >= 0 }

// counted is the CPU time that an event has counted.
func counted(fd int) (time.Duration, error) {
	var b [8]byte
	n, err := unix.Read(fd, b[:])
	if err != nil {
		return 0, os.NewSyscallError("read of perf event", err)
	}
	if n != len(b) {
		return 0, fmt.Errorf("read of perf event: %d bytes", n)
	}
	return time.Duration(binary.NativeEndian.Uint64(b[:])), nil
}
