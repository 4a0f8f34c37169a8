package procfs

import (
	"fmt"
	"strconv"
	"strings"
)

// statusNumber is the first number of a line of /proc/PID/status, which every user may read.
func (fs FS) statusNumber(pid int, field string) (int, error) {
	path := fs.path(strconv.Itoa(pid), "status")
	b, err := readFile(path)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		rest, ok := strings.CutPrefix(line, field)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(rest))
		if err != nil {
			return 0, fmt.Errorf("%s: %s %w", path, field, err)
		}
		return n, nil
	}
	return 0, fmt.Errorf("%s has no %s", path, field)
}
