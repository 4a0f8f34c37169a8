package perfevent

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// First is an event whose first sample is the first of its thread. An event's first period is a
// whole one, and no call of the kernel can start it within one. So another event of a period drawn
// at random takes the first sample, and the base event begins when it has. A sample at a random
// moment of a period stands for all of it.
//
// It is not switched off by the kernel after one sample (PERF_EVENT_IOC_REFRESH): Linux 6.16 and
// 6.17 hang when a clock event is, until commit eb3182ef0405. So it goes on, with samples of its
// own period, until Begin.
type First struct {
	file *os.File
	raw  syscall.RawConn
	// least is what it has counted when its sample is taken, by a clock that may be a little slower
	// than the timer's.
	least time.Duration
}

// OpenFirst opens such an event beside e, which Open has opened with Spec.Off. Begin ends it. On an
// error e has none.
func (e *Event) OpenFirst(tid int, spec Spec) (*First, error) {
	spec.RingPages = e.pages
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("open first event on thread %d: %w", tid, err)
	}
	attr := spec.attr(0)
	attr.Bits = attr.Bits&^unix.PerfBitWatermark | unix.PerfBitDisabled
	attr.Wakeup = 1 // sample: it wakes who waits
	fd, err := e.openInto(tid, &attr)
	if err != nil {
		return nil, fmt.Errorf("open first event on thread %d: %w", tid, err)
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		_ = unix.Close(fd)
		return nil, fmt.Errorf("open first event on thread %d: %w", tid, os.NewSyscallError("fcntl", err))
	}
	f := &First{file: os.NewFile(uintptr(fd), "perf event"), least: spec.Period - spec.Period/1000}
	if f.raw, err = f.file.SyscallConn(); err == nil {
		err = f.control(unix.PERF_EVENT_IOC_ENABLE)
	}
	if err != nil {
		_ = f.file.Close()
		return nil, fmt.Errorf("open first event on thread %d: %w", tid, err)
	}
	e.first = f
	return f, nil
}

// Wait returns true when the sample has been taken, and false when the event has been closed
// before. Any goroutine.
func (f *First) Wait() bool {
	over := false
	err := f.raw.Read(func(fd uintptr) bool {
		used, err := counted(int(fd))
		over = err == nil && used >= f.least
		return over || err != nil
	})
	return err == nil && over
}

func (f *First) control(request uint) (err error) {
	if raw := f.raw.Control(func(fd uintptr) { err = unix.IoctlSetInt(int(fd), request, 0) }); raw != nil {
		return raw
	}
	return os.NewSyscallError("ioctl on first event", err)
}

func (f *First) close() error {
	if f == nil {
		return nil
	}
	return f.file.Close()
}

// Begun reports whether e was opened switched on, or has begun.
func (e *Event) Begun() bool { return e.first == nil }

// Begin switches the base event on, and ends the event of OpenFirst.
func (e *Event) Begin() error {
	if e.mem == nil {
		return nil // closed
	}
	err := unix.IoctlSetInt(e.fd, unix.PERF_EVENT_IOC_ENABLE, 0)
	if err != nil {
		err = fmt.Errorf("begin perf event: %w", os.NewSyscallError("ioctl PERF_EVENT_IOC_ENABLE", err))
	}
	closed := e.first.close()
	e.first = nil
	if err == nil {
		err = closed
	}
	return err
}
