package procfs

import (
	"io/fs"
	"strconv"

	"golang.org/x/sys/unix"
)

// readFile reads a whole file of /proc. It does without os.File, which asks epoll about every file
// and is refused for these.
func readFile(path string) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = unix.Close(fd) }() // read only: nothing to lose
	return readAt(fd, path, make([]byte, fileBytes))
}

// fileBytes is more than most files have that are read here.
const fileBytes = 2048

// readAt reads all of an open file into buf, which it replaces if it is too small.
func readAt(fd int, path string, buf []byte) ([]byte, error) {
	n := 0
	for {
		if n == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
		}
		more, err := unix.Pread(fd, buf[n:], int64(n))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		if more == 0 {
			return buf[:n], nil
		}
		n += more
	}
}

// kept is a file of /proc that stays open from one reading to the next: opening it costs more than
// reading it. A file that was opened for a process or thread that has ended says so (Gone), even
// if its number is another's by now. Close it. The zero value is closed. Not safe for concurrent
// use.
type kept struct {
	room *int // files that may still be kept open; nil: any number
	fd   int  // and 1: 0 is closed
	path string
	buf  []byte
}

// read reads the whole file, which it opens if it is closed. The text is valid until the next
// call. Below another Root than /proc nothing is kept: such files do not say that their process has
// ended.
func (k *kept) read(p FS, parts ...string) ([]byte, error) {
	if k.fd == 0 {
		path := p.path(parts...)
		if p.Root != "" || k.room != nil && *k.room <= 0 {
			return readFile(path)
		}
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		k.fd, k.path = fd+1, path
		if k.room != nil {
			*k.room--
		}
	}
	if k.buf == nil {
		k.buf = make([]byte, fileBytes)
	}
	text, err := readAt(k.fd-1, k.path, k.buf)
	if err == nil {
		k.buf = text[:cap(text)]
	}
	return text, err
}

func (k *kept) close() {
	if k.fd == 0 {
		return
	}
	_ = unix.Close(k.fd - 1) // read only: nothing to lose
	k.fd = 0
	if k.room != nil {
		*k.room++
	}
}

// numbers lists the entries of a folder that are numbers.
func (p FS) numbers(parts ...string) ([]int, error) {
	path := p.path(parts...)
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = unix.Close(fd) }() // read only: nothing to lose
	var out []int
	var names []string
	buf := make([]byte, 16<<10)
	for {
		n, err := unix.ReadDirent(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		if n <= 0 {
			return out, nil
		}
		_, _, names = unix.ParseDirent(buf[:n], -1, names[:0])
		for _, name := range names {
			if number, err := strconv.Atoi(name); err == nil {
				out = append(out, number)
			}
		}
	}
}
