package procfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Memory holds descriptors of a process's memfds. Whoever opened it closes it, soon: what maps them
// needs it no longer.
type Memory struct {
	Log     *os.File // open for reading at least
	Control *os.File // open for reading and writing
	LogFD   int      // number of the log's descriptor in the process, as of now
	Owner   Owner    // of the log
}

// Close closes the descriptors; the process's own are not touched.
func (m *Memory) Close() error {
	var errs []error
	for _, f := range []*os.File{m.Log, m.Control} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// maxDescriptors bounds the numbers of the descriptors that are looked at. A process gets the
// lowest that is free: an agent's is below it unless the process has as many open files.
const maxDescriptors = 65_536

// Memory opens the agent's memfds in the process of h, which was opened for p.PID. It duplicates
// the process's own descriptors (pidfd_getfd(2)), and if that is refused opens their links in
// /proc/PID/fd, which only the process's user may. Either way it returns the very files that were
// mapped: no path is opened that the process could have exchanged, and no other file.
func (p Process) Memory(h *Handle) (*Memory, error) {
	candidates, err := p.candidates()
	if err != nil {
		return nil, fmt.Errorf("descriptors of pid %d: %w", p.PID, err)
	}
	duplicate := func(n int) (int, error) {
		fd, err := unix.PidfdGetfd(h.fd, n, 0)
		return fd, os.NewSyscallError("pidfd_getfd", err)
	}
	m, err := p.take(candidates, duplicate)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		var linkErr error
		if m, linkErr = p.take(candidates, p.openLink); linkErr == nil {
			err = nil
		} else {
			err = errors.Join(err, linkErr)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("memory of pid %d: %w", p.PID, err)
	}
	// The handle was opened before: if the process is still the one that was found, it is the
	// handle's.
	st, err := p.fs.Stat(p.PID)
	if err == nil && st.StartTicks != p.StartTicks {
		err = fmt.Errorf("pid %d: %w", p.PID, fs.ErrNotExist)
	}
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// Open is Memory with a handle of its own.
func (p Process) Open() (m *Memory, err error) {
	h, err := OpenHandle(p.PID)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	return p.Memory(h)
}

// take tries the candidates until both files are found.
func (p Process) take(candidates []int, open func(n int) (int, error)) (*Memory, error) {
	m := &Memory{LogFD: -1}
	for _, n := range candidates {
		fd, err := open(n)
		if errors.Is(err, unix.EBADF) || errors.Is(err, fs.ErrNotExist) {
			continue // closed since it was listed, or never open
		}
		if err != nil {
			return nil, errors.Join(err, m.Close())
		}
		// Only a memfd has seals, and the question never reaches a file system, which could be the
		// process's own and answer when it likes.
		if _, sealErr := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0); sealErr != nil {
			if err := unix.Close(fd); err != nil {
				return nil, errors.Join(err, m.Close())
			}
			continue
		}
		var st unix.Stat_t
		err = unix.Fstat(fd, &st)
		file := inode{dev: st.Dev, number: st.Ino}
		name := fmt.Sprintf("/proc/%d/fd/%d", p.PID, n)
		switch {
		case err == nil && file == p.memfds.log && m.Log == nil:
			m.Log, m.LogFD, m.Owner = os.NewFile(uintptr(fd), name), n, Owner{UID: st.Uid, GID: st.Gid}
		case err == nil && file == p.memfds.control && m.Control == nil:
			m.Control = os.NewFile(uintptr(fd), name)
		default:
			err = errors.Join(err, unix.Close(fd))
		}
		if err != nil {
			return nil, errors.Join(err, m.Close())
		}
		if m.Log != nil && m.Control != nil {
			return m, nil
		}
	}
	return nil, errors.Join(fmt.Errorf("descriptors of what it has mapped: %w", fs.ErrNotExist), m.Close()) // a child between fork and exec
}

// openLink opens descriptor n through its link, if it is one of the two files. The link is looked
// at without opening what it leads to, which for a device or a FIFO has effects. What was looked at
// is then opened, not the link again.
func (p Process) openLink(n int) (int, error) {
	path := p.fs.path(strconv.Itoa(p.PID), "fd", strconv.Itoa(n))
	seen, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = unix.Close(seen) }() // a path only: nothing to lose
	var st unix.Stat_t
	if err := unix.Fstat(seen, &st); err != nil {
		return -1, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	flag := unix.O_RDONLY
	switch (inode{dev: st.Dev, number: st.Ino}) {
	case p.memfds.log:
	case p.memfds.control:
		flag = unix.O_RDWR
	default:
		return -1, fs.ErrNotExist
	}
	fd, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", seen), flag|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return fd, nil
}

// candidates are the descriptors below maxDescriptors that may be the two files: since Linux 5.14
// those whose fdinfo names one of the inodes, before all that there can be.
func (p Process) candidates() ([]int, error) {
	dir := p.fs.path(strconv.Itoa(p.PID), "fdinfo")
	names, err := readDirNames(dir, maxDescriptors)
	if errors.Is(err, fs.ErrPermission) { // before Linux 5.14 a folder of the process's user
		return p.allNumbers()
	}
	if err != nil {
		return nil, err
	}
	var out []int
	buf := make([]byte, 256) // "ino:" is the fourth line, and none before it is long
	for _, name := range names {
		n, err := strconv.Atoi(name)
		if err != nil || n >= maxDescriptors {
			continue
		}
		number, ok := readInode(dir+"/"+name, buf)
		if !ok {
			return p.allNumbers()
		}
		if number == p.memfds.log.number || number == p.memfds.control.number {
			out = append(out, n)
		}
	}
	return out, nil
}

// readInode reads the inode's number from an fdinfo file; 0 if the descriptor is closed, and not ok
// if the kernel does not say.
func readInode(path string, buf []byte) (number uint64, ok bool) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, true
	}
	n, err := unix.Read(fd, buf)
	_ = unix.Close(fd) // read only
	if err != nil {
		return 0, true
	}
	_, rest, found := strings.Cut(string(buf[:n]), "\nino:")
	text, _, whole := strings.Cut(rest, "\n")
	if !found || !whole {
		return 0, false
	}
	number, err = strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	return number, err == nil
}

// allNumbers are the numbers below the size of the process's table of descriptors.
func (p Process) allNumbers() ([]int, error) {
	size, err := p.fs.statusNumber(p.PID, "FDSize:")
	if err != nil {
		return nil, err
	}
	out := make([]int, min(size, maxDescriptors))
	for i := range out {
		out[i] = i
	}
	return out, nil
}

// readDirNames reads the first names in a folder, at most so many; -1: all. The kernel lists
// descriptors in the order of their numbers (proc_readfd_common).
func readDirNames(dir string, most int) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	names, err := d.Readdirnames(most)
	if err == io.EOF {
		err = nil // it is empty
	}
	return names, errors.Join(err, d.Close())
}
