package codemap

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path"
	"sort"
	"strconv"
	"strings"
)

// maxMappings bounds what is read of a process's maps; the kernel's own limit is 65,530
// (vm.max_map_count) unless raised.
const maxMappings = 1 << 17

// mapping is an executable range of a process's memory (proc_pid_maps(5)).
type mapping struct {
	low, high, offset uint64
	inode             uint64
	path              string // a file, "[vdso]", or "" for anonymous memory
}

// base is what people call the mapped object.
func (m *mapping) base() string {
	p := strings.TrimSuffix(m.path, " (deleted)")
	return strings.TrimPrefix(path.Base(p), "memfd:")
}

// deleted tells a file that no path leads to any more.
func (m *mapping) deleted() bool { return strings.HasSuffix(m.path, " (deleted)") }

// isFile tells a mapped file from what the kernel or the process made.
func (m *mapping) isFile() bool { return strings.HasPrefix(m.path, "/") && m.inode != 0 }

// parseMappings reads lines such as "7f00-7f10 r-xp 00001000 08:01 1234 /lib/x.so", the executable
// ones.
func parseMappings(r io.Reader) ([]mapping, error) {
	var out []mapping
	s := bufio.NewScanner(r)
	for s.Scan() {
		// Most are data: the permissions alone are read of these, as "r-xp".
		if _, perms, _ := bytes.Cut(s.Bytes(), []byte(" ")); len(perms) > 2 && perms[2] == '-' {
			continue
		}
		m, executable, err := parseMapping(s.Text())
		if err != nil {
			return nil, err
		}
		if executable {
			out = append(out, m)
		}
		if len(out) > maxMappings {
			return nil, fmt.Errorf("more than %d executable mappings", maxMappings)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].low < out[j].low })
	return out, s.Err()
}

func parseMapping(line string) (m mapping, executable bool, err error) {
	bad := func(what string) (mapping, bool, error) {
		return mapping{}, false, fmt.Errorf("mapping %q: %s", line, what)
	}
	f := strings.SplitN(line, " ", 6)
	if len(f) < 5 || len(f[1]) < 3 {
		return bad("fields are missing")
	}
	low, high, ok := strings.Cut(f[0], "-")
	if !ok {
		return bad("no range")
	}
	for _, n := range []struct {
		to   *uint64
		text string
		base int
	}{{&m.low, low, 16}, {&m.high, high, 16}, {&m.offset, f[2], 16}, {&m.inode, f[4], 10}} {
		if *n.to, err = strconv.ParseUint(n.text, n.base, 64); err != nil {
			return bad(err.Error())
		}
	}
	if m.high <= m.low {
		return bad("empty range")
	}
	if len(f) == 6 {
		m.path = strings.TrimLeft(f[5], " ")
	}
	return m, f[1][2] == 'x', nil
}

// findMapping is the mapping that covers an address; mappings ascend.
func findMapping(mappings []mapping, addr uint64) *mapping {
	i := sort.Search(len(mappings), func(i int) bool { return mappings[i].high > addr })
	if i == len(mappings) || addr < mappings[i].low {
		return nil
	}
	return &mappings[i]
}
