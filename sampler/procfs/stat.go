package procfs

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// FS is a mounted proc file system. The zero value is /proc; another Root is for tests.
type FS struct{ Root string }

func (fs FS) path(parts ...string) string {
	root := fs.Root
	if root == "" {
		root = "/proc"
	}
	return filepath.Join(append([]string{root}, parts...)...)
}

// Stat is what /proc/PID/stat says of a process.
type Stat struct {
	Comm       string
	State      byte // R, S, D, Z, X …
	Parent     int
	StartTicks uint64 // clock ticks between boot and the start of the process
}

// Started is the time between boot and the start of the process. Ticks in /proc are of USER_HZ, 100
// on every architecture of ours.
func (s Stat) Started() time.Duration { return time.Duration(s.StartTicks) * (time.Second / 100) }

// Stat reads /proc/PID/stat.
func (fs FS) Stat(pid int) (Stat, error) {
	var once kept
	defer once.close()
	return fs.stat(pid, &once)
}

// stat is Stat with a file that may be open.
func (fs FS) stat(pid int, file *kept) (Stat, error) {
	b, err := file.read(fs, strconv.Itoa(pid), "stat")
	if err != nil {
		return Stat{}, err
	}
	s, err := parseStat(b)
	if err != nil {
		return Stat{}, fmt.Errorf("stat of pid %d: %w", pid, err)
	}
	return s, nil
}

// parseStat parses "pid (comm) state ppid …"; comm may itself hold spaces and parentheses, so its
// end is the last ")".
func parseStat(b []byte) (Stat, error) {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end < open {
		return Stat{}, fmt.Errorf("%q has no command name", b)
	}
	const state, parent, start = 0, 1, 19 // fields 3, 4 and 22, counted behind the name
	fields := strings.Fields(string(b[end+1:]))
	if len(fields) <= start || len(fields[state]) != 1 {
		return Stat{}, fmt.Errorf("%q has %d fields behind the command name", b, len(fields))
	}
	ppid, err := strconv.Atoi(fields[parent])
	if err != nil {
		return Stat{}, fmt.Errorf("parent: %w", err)
	}
	ticks, err := strconv.ParseUint(fields[start], 10, 64)
	if err != nil {
		return Stat{}, fmt.Errorf("start time: %w", err)
	}
	return Stat{Comm: string(b[open+1 : end]), State: fields[state][0], Parent: ppid, StartTicks: ticks}, nil
}

// Descends reports whether pid is ancestor or one of its descendants. A process whose parents are
// gone before it is asked for is init's child, not a descendant.
func (fs FS) Descends(pid, ancestor int) bool {
	const deepest = 256 // a loop cannot be, but the tree changes while it is walked
	for range deepest {
		if pid == ancestor {
			return true
		}
		if pid <= 1 {
			return false
		}
		s, err := fs.Stat(pid)
		if err != nil {
			return false
		}
		pid = s.Parent
	}
	return false
}
