package procfs

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Handle is a pidfd: it refers to one process however often its pid is used again.
type Handle struct{ fd int }

// OpenHandle opens a pidfd of the process (pidfd_open(2), Linux 5.3; no permission needed).
func OpenHandle(pid int) (*Handle, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil, fmt.Errorf("pid %d: %w", pid, os.NewSyscallError("pidfd_open", err))
	}
	return &Handle{fd: fd}, nil
}

// FD is the descriptor; valid until Close.
func (h *Handle) FD() int { return h.fd }

// Exited reports whether the process has ended.
func (h *Handle) Exited() (bool, error) {
	fds := []unix.PollFd{{Fd: int32(h.fd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return false, os.NewSyscallError("poll", err)
		}
		return n > 0, nil
	}
}

// Close closes the descriptor; the process is not touched.
func (h *Handle) Close() error { return unix.Close(h.fd) }
