package procfs

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Names of the two memfds, as /proc/PID/maps and the links in /proc/PID/fd show them (FORMAT.md).
const (
	logLink     = "/memfd:planflame-log (deleted)"
	controlLink = "/memfd:planflame-control (deleted)"
	linkPrefix  = "/memfd:planflame-"
)

// inode names a file of one boot. The zero value names none.
type inode struct {
	dev, number uint64
}

// memfds are the agent's two.
type memfds struct {
	log, control inode
}

func (m memfds) complete() bool { return m.log != inode{} && m.control != inode{} }

// mapsBuffer is the size of a buffer for memfds; no line of maps is longer (PATH_MAX, each byte
// escaped, is 16 KiB).
const mapsBuffer = 32 << 10

// memfds finds the agent's memfds among the mappings of a process, which takes ptrace read access:
// its user's rights or CAP_SYS_PTRACE. It reads as far as it must, through buf, and returns how
// many bytes that were: a JVM can have tens of thousands of mappings.
func (fs FS) memfds(pid int, buf []byte) (found memfds, read int, err error) {
	path := fs.path(strconv.Itoa(pid), "maps")
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return memfds{}, 0, &os.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path) // os.Open would ask epoll about it
	defer f.Close()                    // read only: nothing to lose
	found, read, err = findMemfds(f, buf)
	if err != nil {
		err = fmt.Errorf("maps of pid %d: %w", pid, err)
	}
	return found, read, err
}

func findMemfds(r io.Reader, buf []byte) (found memfds, read int, err error) {
	kept := 0 // bytes of a line that goes on
	for !found.complete() {
		if kept == len(buf) {
			return memfds{}, read, fmt.Errorf("line %q is longer than %d bytes", buf[:40], len(buf))
		}
		n, err := r.Read(buf[kept:])
		read += n
		text := buf[:kept+n]
		whole := bytes.LastIndexByte(text, '\n') + 1
		if err := found.add(text[:whole]); err != nil {
			return memfds{}, read, err
		}
		kept = copy(buf, text[whole:])
		if err == io.EOF || n == 0 && err == nil {
			break
		}
		if err != nil {
			return memfds{}, read, err
		}
	}
	return found, read, nil
}

// add takes what whole lines say. Of several memfds with one name the first counts.
func (m *memfds) add(lines []byte) error {
	for {
		at := bytes.Index(lines, []byte(linkPrefix))
		if at < 0 {
			return nil
		}
		start := bytes.LastIndexByte(lines[:at], '\n') + 1
		end := at + bytes.IndexByte(lines[at:], '\n')
		line := lines[start:end]
		lines = lines[end:]
		var into *inode
		switch mapPath(line) {
		case logLink:
			into = &m.log
		case controlLink:
			into = &m.control
		default: // another file's name holds the text
			continue
		}
		if *into != (inode{}) {
			continue
		}
		var err error
		if *into, err = mapInode(line); err != nil {
			return err
		}
	}
}

// mapInode reads device and inode of "low-high perms offset major:minor inode      path".
func mapInode(line []byte) (inode, error) {
	fields := bytes.Fields(line)
	if len(fields) < 5 {
		return inode{}, fmt.Errorf("line %q is too short", line)
	}
	major, minor, _ := bytes.Cut(fields[3], []byte(":"))
	high, err := strconv.ParseUint(string(major), 16, 32)
	if err != nil {
		return inode{}, fmt.Errorf("line %q: device: %w", line, err)
	}
	low, err := strconv.ParseUint(string(minor), 16, 32)
	if err != nil {
		return inode{}, fmt.Errorf("line %q: device: %w", line, err)
	}
	number, err := strconv.ParseUint(string(fields[4]), 10, 64)
	if err != nil {
		return inode{}, fmt.Errorf("line %q: inode: %w", line, err)
	}
	return inode{dev: unix.Mkdev(uint32(high), uint32(low)), number: number}, nil
}
