package procfs

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"sort"
	"strconv"
	"strings"
)

// Mapping is an executable range of a process's memory.
type Mapping struct {
	Low, High uint64 // [Low, High)
	Path      string // as in /proc/PID/maps: a file, "[vdso]", "" for anonymous memory
}

// File reports whether the mapping holds code of a file or the vDSO, which is native code, and not
// memory that the process fills itself.
func (m Mapping) File() bool {
	return strings.HasPrefix(m.Path, "/") && !strings.HasPrefix(m.Path, "/memfd:") || m.Path == "[vdso]"
}

// CLibrary reports whether the mapping is the C library, in which a thread's first frames lie
// (start_thread, clone).
func (m Mapping) CLibrary() bool {
	base := path.Base(strings.TrimSuffix(m.Path, " (deleted)"))
	for _, prefix := range []string{"libc.so", "libc-", "libpthread.so", "libpthread-", "ld-musl-", "libc.musl-"} {
		if strings.HasPrefix(base, prefix) {
			return true
		}
	}
	return false
}

// Mappings are executable ranges, ascending, not overlapping.
type Mappings []Mapping

// Find returns the mapping that covers addr.
func (m Mappings) Find(addr uint64) (Mapping, bool) {
	i := sort.Search(len(m), func(i int) bool { return m[i].High > addr })
	if i == len(m) || m[i].Low > addr {
		return Mapping{}, false
	}
	return m[i], true
}

// Executable reads the executable mappings of a process (needs ptrace read access, as the log
// does).
func (p FS) Executable(pid int) (Mappings, error) {
	f, err := os.Open(p.path(strconv.Itoa(pid), "maps"))
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing to lose
	m, err := parseMaps(f)
	if err != nil {
		return nil, fmt.Errorf("maps of pid %d: %w", pid, err)
	}
	return m, nil
}

// parseMaps parses lines "low-high perms offset dev inode      path".
func parseMaps(r io.Reader) (Mappings, error) {
	var out Mappings
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<16)
	for s.Scan() {
		line := s.Bytes()
		span, rest, ok := bytes.Cut(line, []byte(" "))
		if !ok || len(rest) < 4 {
			return nil, fmt.Errorf("line %q is too short", line)
		}
		if rest[2] != 'x' {
			continue
		}
		low, high, ok := bytes.Cut(span, []byte("-"))
		if !ok {
			return nil, fmt.Errorf("line %q has no range", line)
		}
		from, err := strconv.ParseUint(string(low), 16, 64)
		if err != nil {
			return nil, fmt.Errorf("line %q: %w", line, err)
		}
		to, err := strconv.ParseUint(string(high), 16, 64)
		if err != nil {
			return nil, fmt.Errorf("line %q: %w", line, err)
		}
		if to <= from || len(out) > 0 && from < out[len(out)-1].High {
			return nil, fmt.Errorf("line %q: the range is empty or out of order", line)
		}
		out = append(out, Mapping{Low: from, High: to, Path: mapPath(line)})
	}
	return out, s.Err()
}

// mapPath is what follows the inode in "low-high perms offset dev inode path"; it may hold spaces.
func mapPath(line []byte) string {
	for range 5 {
		line = bytes.TrimLeft(line, " ")
		i := bytes.IndexByte(line, ' ')
		if i < 0 {
			return ""
		}
		line = line[i:]
	}
	return string(bytes.TrimLeft(line, " "))
}
