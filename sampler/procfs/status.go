package procfs

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// statusNumber is the first number of a line of /proc/PID/status, which every user may read.
func (fs FS) statusNumber(pid int, field string) (int, error) {
	return fs.statusField(pid, field, 0)
}

// statusField is the number at a position of a line of /proc/PID/status.
func (fs FS) statusField(pid int, field string, at int) (int, error) {
	path := fs.path(strconv.Itoa(pid), "status")
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		rest, ok := strings.CutPrefix(line, field)
		if !ok {
			continue
		}
		numbers := strings.Fields(rest)
		if len(numbers) <= at {
			return 0, fmt.Errorf("%s: line %q is too short", path, line)
		}
		n, err := strconv.Atoi(numbers[at])
		if err != nil {
			return 0, fmt.Errorf("%s: %s %w", path, field, err)
		}
		return n, nil
	}
	return 0, fmt.Errorf("%s has no %s", path, field)
}

// UID is the effective user of a process, in this process's user namespace.
func (fs FS) UID(pid int) (int, error) { return fs.statusField(pid, "Uid:", 1) }
