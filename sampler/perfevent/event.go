package perfevent

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Event is one perf event with its ring, mapped. It keeps what was sampled readable after the
// thread, and even the process, is gone. Not safe for concurrent use.
type Event struct {
	fd     int
	detail int    // fd of the event of OpenDetail or TakeOverDetail; -1 none
	first  *First // of OpenFirst, until Begin; nil none
	mem    []byte
	ring   ring
	layout Layout
	pages  int
}

// Open opens a task-clock event on thread tid (in this process's pid namespace), switched on unless
// spec says otherwise, and maps its ring. When the ring is refused for want of locked memory
// (EPERM, ENOMEM: RLIMIT_MEMLOCK and kernel.perf_event_mlock_kb) it is halved until it fits, but
// not below what holds a sample; RingPages tells.
func Open(tid int, spec Spec) (*Event, error) {
	if err := spec.Validate(); err != nil {
		return nil, fmt.Errorf("open perf event on thread %d: %w", tid, err)
	}
	attr := spec.attr(spec.RingPages * os.Getpagesize())
	if spec.Off {
		attr.Bits |= unix.PerfBitDisabled
	}
	fd, err := unix.PerfEventOpen(&attr, tid, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("open perf event on thread %d: %w", tid, os.NewSyscallError("perf_event_open", err))
	}
	var refused error
	for pages := spec.RingPages; pages >= spec.LeastRingPages(); pages /= 2 {
		e, err := mapEvent(fd, pages, spec.Layout())
		if err == nil {
			return e, nil
		}
		refused = err
		if !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.ENOMEM) {
			break
		}
	}
	return nil, errors.Join(fmt.Errorf("open perf event on thread %d: %w", tid, refused), unix.Close(fd))
}

// TakeOver duplicates descriptor fd of the process behind pidfd, which must be a perf event whose
// ring that process mapped with ringPages data pages, and maps the same ring here. It needs what
// ptrace attach needs (Yama 1: an ancestor, or CAP_SYS_PTRACE).
func TakeOver(pidfd, fd, ringPages int, layout Layout) (*Event, error) {
	if err := layout.Validate(); err != nil {
		return nil, fmt.Errorf("take over perf event %d: %w", fd, err)
	}
	if ringPages < 1 || ringPages > MaxRingPages || ringPages&(ringPages-1) != 0 {
		return nil, fmt.Errorf("take over perf event %d: ring pages %d: not a power of two within 1 … %d", fd, ringPages, MaxRingPages)
	}
	own, err := duplicate(pidfd, fd)
	if err != nil {
		return nil, fmt.Errorf("take over perf event %d: %w", fd, err)
	}
	e, err := mapEvent(own, ringPages, layout)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("take over perf event %d: %w", fd, err), unix.Close(own))
	}
	return e, nil
}

// duplicate duplicates a perf event's descriptor of another process.
func duplicate(pidfd, fd int) (int, error) {
	own, err := unix.PidfdGetfd(pidfd, fd, 0)
	if err != nil {
		return -1, os.NewSyscallError("pidfd_getfd", err)
	}
	if err := isPerfEvent(own); err != nil {
		return -1, errors.Join(err, unix.Close(own))
	}
	return own, nil
}

// TakeOverDetail duplicates the descriptor of the detail event beside e, which TakeOver has taken
// over, so that SetPeriod can change it.
func (e *Event) TakeOverDetail(pidfd, fd int) (err error) {
	if e.detail >= 0 {
		return fmt.Errorf("take over detail event %d: there is one", fd)
	}
	own, err := duplicate(pidfd, fd)
	if err != nil {
		return fmt.Errorf("take over detail event %d: %w", fd, err)
	}
	e.detail = own
	return nil
}

// OpenDetail opens a second event on the thread of e, which Open has opened: switched off, with
// another period, into the same ring. It can be had once. spec.RingPages does not count.
func (e *Event) OpenDetail(tid int, spec Spec) (err error) {
	if e.detail >= 0 {
		return fmt.Errorf("open detail event on thread %d: there is one", tid)
	}
	spec.RingPages = e.pages
	if err := spec.Validate(); err != nil {
		return fmt.Errorf("open detail event on thread %d: %w", tid, err)
	}
	attr := spec.attr(e.pages * os.Getpagesize())
	attr.Bits |= unix.PerfBitDisabled
	fd, err := e.openInto(tid, &attr)
	if err != nil {
		return fmt.Errorf("open detail event on thread %d: %w", tid, err)
	}
	e.detail = fd
	return nil
}

// openInto opens another event that writes into the ring of e.
func (e *Event) openInto(tid int, attr *unix.PerfEventAttr) (int, error) {
	fd, err := unix.PerfEventOpen(attr, tid, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return -1, os.NewSyscallError("perf_event_open", err)
	}
	if err := unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_SET_OUTPUT, e.fd); err != nil {
		return -1, errors.Join(os.NewSyscallError("ioctl PERF_EVENT_IOC_SET_OUTPUT", err), unix.Close(fd))
	}
	return fd, nil
}

// SwitchDetail switches the event of OpenDetail on or off; its running period survives that.
func (e *Event) SwitchDetail(on bool) error {
	if e.detail < 0 {
		return errors.New("switch detail event: there is none")
	}
	request := uint(unix.PERF_EVENT_IOC_DISABLE)
	if on {
		request = unix.PERF_EVENT_IOC_ENABLE
	}
	return os.NewSyscallError("ioctl on detail event", unix.IoctlSetInt(e.detail, request, 0))
}

// isPerfEvent refuses a descriptor that is no perf event. Between a slot's reading and the
// take-over the number may have been used again, and a mapped file could be truncated under us.
func isPerfEvent(fd int) error {
	link, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
	if err != nil {
		return err
	}
	if link != "anon_inode:[perf_event]" {
		return fmt.Errorf("the descriptor is %q, not a perf event", link)
	}
	return nil
}

func mapEvent(fd, pages int, layout Layout) (*Event, error) {
	page := os.Getpagesize()
	mem, err := unix.Mmap(fd, 0, (1+pages)*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map a ring of %d pages: %w", pages, os.NewSyscallError("mmap", err))
	}
	return &Event{fd: fd, detail: -1, mem: mem, ring: newRing(mem, page), layout: layout, pages: pages}, nil
}

// RingPages is the number of data pages that the ring got.
func (e *Event) RingPages() int { return e.pages }

// ID is the kernel's number of the event, unique while the machine runs: it tells a re-opened event
// from the same one.
func (e *Event) ID() (uint64, error) {
	id, err := unix.IoctlGetInt(e.fd, unix.PERF_EVENT_IOC_ID)
	if err != nil {
		return 0, os.NewSyscallError("ioctl PERF_EVENT_IOC_ID", err)
	}
	return uint64(id), nil
}

// Ended reports whether the event's thread has ended: what is in the ring is all there will be.
func (e *Event) Ended() (bool, error) {
	fds := []unix.PollFd{{Fd: int32(e.fd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return false, os.NewSyscallError("poll", err)
		}
		return n > 0 && fds[0].Revents&unix.POLLHUP != 0, nil
	}
}

// Close unmaps the ring and closes the descriptor; where this process opened the event, that ends
// it. Idempotent.
func (e *Event) Close() error {
	if e.mem == nil {
		return nil
	}
	var err error
	if e.detail >= 0 {
		err = unix.Close(e.detail)
	}
	err = errors.Join(err, e.first.close(), unix.Munmap(e.mem), unix.Close(e.fd))
	e.mem, e.ring, e.fd, e.detail, e.first = nil, ring{}, -1, -1, nil
	return err
}
