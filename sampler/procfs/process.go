package procfs

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Names of the two memfds, as the links in /proc/PID/fd show them (FORMAT.md).
const (
	logLink     = "/memfd:planflame-log (deleted)"
	controlLink = "/memfd:planflame-control (deleted)"
)

// Identity tells a process from all others of one boot.
type Identity struct {
	PID        int
	StartTicks uint64
}

// Process is a process that holds both of the agent's memfds.
type Process struct {
	Identity
	LogFD, ControlFD int
	fs               FS
}

// LogPath is a path that opens the log.
func (p Process) LogPath() string {
	return p.fs.path(strconv.Itoa(p.PID), "fd", strconv.Itoa(p.LogFD))
}

// ControlPath is a path that opens the control page.
func (p Process) ControlPath() string {
	return p.fs.path(strconv.Itoa(p.PID), "fd", strconv.Itoa(p.ControlFD))
}

// find looks for the memfds among the descriptors of a process. A process that holds only one of them has been seen in the middle of
// its start: ok is false.
func (fs FS) find(id Identity) (p Process, ok bool, err error) {
	p = Process{Identity: id, LogFD: -1, ControlFD: -1, fs: fs}
	dir := fs.path(strconv.Itoa(id.PID), "fd")
	d, err := os.Open(dir)
	if err != nil {
		return Process{}, false, err
	}
	defer d.Close() // read only: nothing to lose
	names, err := d.Readdirnames(-1)
	if err != nil {
		return Process{}, false, err
	}
	for _, name := range names {
		link, err := os.Readlink(dir + "/" + name)
		if err != nil {
			continue // closed since the folder was read
		}
		fd, err := strconv.Atoi(name)
		if err != nil {
			return Process{}, false, fmt.Errorf("%s: descriptor: %w", dir, err)
		}
		switch link {
		case logLink:
			p.LogFD = fd
		case controlLink:
			p.ControlFD = fd
		}
	}
	return p, p.LogFD >= 0 && p.ControlFD >= 0, nil
}

// Handle is a pidfd: it refers to one process however often its pid is used again.
type Handle struct{ fd int }

// OpenHandle opens a pidfd of the process (pidfd_open(2); no permission needed).
func OpenHandle(pid int) (*Handle, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil, fmt.Errorf("pid %d: %w", pid, os.NewSyscallError("pidfd_open", err))
	}
	return &Handle{fd: fd}, nil
}

// FD is the descriptor; valid until Close.
func (h *Handle) FD() int { return h.fd }

// Exited tells whether the process has ended.
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

// Agent looks for the agent's memfds in one process; ok is false when it has none, or only one of them yet.
func (fs FS) Agent(pid int) (p Process, ok bool, err error) {
	st, err := fs.Stat(pid)
	if err != nil {
		return Process{}, false, err
	}
	return fs.find(Identity{PID: pid, StartTicks: st.StartTicks})
}
