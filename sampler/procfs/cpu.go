package procfs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Tick is the unit of times in /proc: USER_HZ is 100 on every architecture of ours.
const Tick = time.Second / 100

// CPUTimes is what a process and its children that have ended and were waited for have
// used so far.
type CPUTimes struct {
	Comm     string
	Own      time.Duration // user + system, threads that have ended included; whole ticks of 10 ms
	Children time.Duration // the same of children that were waited for, with their children
}

// CPUTimes reads fields 14 to 17 of /proc/PID/stat (proc(5)).
func (p FS) CPUTimes(pid int) (CPUTimes, error) {
	var once kept
	defer once.close()
	return p.cpuTimes(pid, &once)
}

// cpuTimes is CPUTimes with a file that may be open.
func (p FS) cpuTimes(pid int, stat *kept) (CPUTimes, error) {
	b, err := stat.read(p, strconv.Itoa(pid), "stat")
	if err != nil {
		return CPUTimes{}, err
	}
	t, err := parseCPUTimes(b)
	if err != nil {
		return CPUTimes{}, fmt.Errorf("stat of pid %d: %w", pid, err)
	}
	return t, nil
}

func parseCPUTimes(b []byte) (CPUTimes, error) {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end < open {
		return CPUTimes{}, fmt.Errorf("%q has no command name", b)
	}
	const utime, cstime = 11, 14 // fields 14 and 17, counted behind the name
	fields := strings.Fields(string(b[end+1:]))
	if len(fields) <= cstime {
		return CPUTimes{}, fmt.Errorf("%q has %d fields behind the command name", b, len(fields))
	}
	var ticks [4]time.Duration // utime, stime, cutime, cstime
	for i := range ticks {
		n, err := strconv.ParseInt(fields[utime+i], 10, 64)
		if err != nil || n < 0 || n > int64(1<<62/Tick) {
			return CPUTimes{}, fmt.Errorf("field %d is %q, no number of ticks", 14+i, fields[utime+i])
		}
		ticks[i] = time.Duration(n)
	}
	return CPUTimes{Comm: string(b[open+1 : end]), Own: (ticks[0] + ticks[1]) * Tick, Children: (ticks[2] + ticks[3]) * Tick}, nil
}

// CPUClock is the CPU that a process has used so far, threads that have ended included, in
// nanoseconds; up to a tick old for threads that run at this moment. It reads the process's CPU
// clock (clock_getcpuclockid(3)), which needs no right. The error is fs.ErrNotExist for a process
// that is gone; of a zombie the clock can be read until its parent has waited for it.
func (p FS) CPUClock(pid int) (time.Duration, error) {
	if p.Root != "" { // another machine's, or a test's
		t, err := p.CPUTimes(pid)
		return t.Own, err
	}
	const schedClock = 2 // CPUCLOCK_SCHED of include/linux/posix-timers.h
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|schedClock), &ts); err != nil {
		if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ESRCH) {
			err = fs.ErrNotExist // no such process
		}
		return 0, fmt.Errorf("cpu clock of pid %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// threadCount is how many threads a process has; -1 if its file system does not say. The kernel
// counts them as links of the directory, which has two of its own (proc_task_getattr of
// fs/proc/base.c).
func (p FS) threadCount(pid int) (int, error) {
	const own = 2
	path := p.path(strconv.Itoa(pid), "task")
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return 0, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return max(int(st.Nlink)-own, -1), nil
}

// ThreadIDs lists the threads of a process, as this pid namespace numbers them.
func (p FS) ThreadIDs(pid int) ([]int, error) { return p.numbers(strconv.Itoa(pid), "task") }

// Processes lists all processes.
func (p FS) Processes() ([]int, error) { return p.numbers() }

// Children lists the children of a process's first thread (/proc/PID/task/PID/children); an error
// where the kernel has no such file.
func (p FS) Children(pid int) ([]int, error) {
	var once kept
	defer once.close()
	return p.children(pid, &once)
}

// children is Children with a file that may be open.
func (p FS) children(pid int, file *kept) ([]int, error) {
	b, err := file.read(p, strconv.Itoa(pid), "task", strconv.Itoa(pid), "children")
	if err != nil {
		return nil, err
	}
	var out []int
	for f := range strings.FieldsSeq(string(b)) {
		child, err := strconv.Atoi(f)
		if err != nil {
			return nil, fmt.Errorf("children of pid %d: %w", pid, err)
		}
		out = append(out, child)
	}
	return out, nil
}

// ThreadName is a thread's name, of which the kernel keeps 15 bytes.
func (p FS) ThreadName(pid, tid int) (string, error) {
	b, err := readFile(p.path(strconv.Itoa(pid), "task", strconv.Itoa(tid), "comm"))
	return strings.TrimSuffix(string(b), "\n"), err
}

// CommandLine is the arguments of a process, joined by blanks; "" of a zombie.
func (p FS) CommandLine(pid int) (string, error) {
	b, err := readFile(p.path(strconv.Itoa(pid), "cmdline"))
	return strings.TrimRight(strings.ReplaceAll(string(b), "\x00", " "), " "), err
}
