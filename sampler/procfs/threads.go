package procfs

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
)

// NSpid returns the ids of a process or thread from this pid namespace's view inwards: the last is
// its id in its own namespace. task is 0 for the process.
func (p FS) NSpid(pid, task int) ([]int, error) {
	path := p.path(strconv.Itoa(pid), "status")
	if task != 0 {
		path = p.path(strconv.Itoa(pid), "task", strconv.Itoa(task), "status")
	}
	b, err := readFile(path)
	if err != nil {
		return nil, err
	}
	ids, err := parseNSpid(string(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return ids, nil
}

func parseNSpid(status string) ([]int, error) {
	for line := range strings.Lines(status) {
		rest, ok := strings.CutPrefix(line, "NSpid:")
		if !ok {
			continue
		}
		var ids []int
		for f := range strings.FieldsSeq(rest) {
			id, err := strconv.Atoi(f)
			if err != nil {
				return nil, fmt.Errorf("NSpid: %w", err)
			}
			ids = append(ids, id)
		}
		if len(ids) > 0 {
			return ids, nil
		}
	}
	return nil, errors.New("no NSpid line (kernel before 4.1)")
}

// Threads maps the thread ids that a process sees to the ids in this process's pid namespace. It
// remembers what it found; not safe for concurrent use.
type Threads struct {
	fs    FS
	pid   int
	same  bool        // the process lives in this pid namespace
	outer map[int]int // inner tid → outer tid
	batch bool        // Begin was called
	whole bool        // and all threads were listed since then
}

// Threads returns the mapping for a process; an error when its namespace cannot be told.
func (p FS) Threads(pid int) (*Threads, error) {
	ids, err := p.NSpid(pid, 0)
	if err != nil {
		return nil, fmt.Errorf("threads of pid %d: %w", pid, err)
	}
	return &Threads{fs: p, pid: pid, same: len(ids) == 1, outer: map[int]int{}}, nil
}

// Begin says that all threads that are asked for up to the next Begin have begun by now: Outer
// lists the threads once for all of them.
func (t *Threads) Begin() { t.batch, t.whole = true, false }

// Outer is the id by which this process can reach thread inner of the process; fs.ErrNotExist when
// there is no such thread.
func (t *Threads) Outer(inner int) (int, error) {
	if t.same {
		return inner, nil
	}
	if outer, ok := t.outer[inner]; ok {
		if ids, err := t.fs.NSpid(t.pid, outer); err == nil && ids[len(ids)-1] == inner {
			return outer, nil
		}
	}
	if t.whole {
		return 0, fmt.Errorf("thread %d of pid %d: %w", inner, t.pid, fs.ErrNotExist)
	}
	if err := t.list(); err != nil {
		return 0, fmt.Errorf("thread %d of pid %d: %w", inner, t.pid, err)
	}
	if outer, ok := t.outer[inner]; ok {
		return outer, nil
	}
	return 0, fmt.Errorf("thread %d of pid %d: %w", inner, t.pid, fs.ErrNotExist)
}

// Live are the ids of the threads that live, as the process has them. The result is valid until the
// next call of a method.
func (t *Threads) Live() (inner map[int]int, err error) {
	if !t.same {
		return t.outer, t.list()
	}
	tasks, err := t.fs.ThreadIDs(t.pid)
	clear(t.outer)
	for _, id := range tasks {
		t.outer[id] = id
	}
	return t.outer, err
}

// list reads the ids of all threads.
func (t *Threads) list() error {
	tasks, err := t.fs.ThreadIDs(t.pid)
	if err != nil {
		return err
	}
	clear(t.outer)
	for _, outer := range tasks {
		ids, err := t.fs.NSpid(t.pid, outer)
		if err != nil {
			continue // ended since the folder was read
		}
		t.outer[ids[len(ids)-1]] = outer
	}
	t.whole = t.batch
	return nil
}

// ThreadCPU is the CPU time that a thread has used so far, by the scheduler's own account. That is
// the first field of schedstat, in nanoseconds, up to a tick old while the thread runs.
func (p FS) ThreadCPU(pid, tid int) (time.Duration, error) {
	cpu, _, err := p.schedstat(pid, tid)
	return cpu, err
}

// ThreadQueued is for how long a thread could have run so far and had no core (second field of
// schedstat, nanoseconds).
func (p FS) ThreadQueued(pid, tid int) (time.Duration, error) {
	_, queued, err := p.schedstat(pid, tid)
	return queued, err
}

func (p FS) schedstat(pid, tid int) (cpu, queued time.Duration, err error) {
	path := p.path(strconv.Itoa(pid), "task", strconv.Itoa(tid), "schedstat")
	b, err := readFile(path)
	if err != nil {
		return 0, 0, err
	}
	if cpu, queued, err = parseSchedstat(b); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", path, err)
	}
	return cpu, queued, nil
}

// parseSchedstat reads the first two of three numbers.
func parseSchedstat(b []byte) (cpu, queued time.Duration, err error) {
	first, rest, _ := strings.Cut(string(b), " ")
	second, _, _ := strings.Cut(rest, " ")
	nanos, err := strconv.ParseUint(first, 10, 63)
	waited, err2 := strconv.ParseUint(second, 10, 63)
	return time.Duration(nanos), time.Duration(waited), errors.Join(err, err2)
}
