package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// usage is what a process and all its descendants that were waited for have used (wait4's rusage).
type usage struct {
	CPU  time.Duration // user and system
	Wall time.Duration
	// Classes is CPU by class of thread, of a command alone (classes.go).
	Classes map[string]time.Duration
}

// command is a program to be run and measured.
type command struct {
	args []string
	env  []string // beside this process's
	said string   // file for what it writes
	core *int     // the one core that it may use; nil: all
}

// run runs c to its end.
func (c command) run(ctx context.Context) (usage, error) {
	said, err := os.Create(c.said)
	if err != nil {
		return usage{}, err
	}
	defer said.Close()
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), c.env...), said, said
	terminate(cmd)
	began := time.Now()
	if err := on(c.core, cmd.Start); err != nil {
		return usage{}, fmt.Errorf("run %s: %w", filepath.Base(c.args[0]), err)
	}
	threads := pollThreads(cmd.Process.Pid)
	err = cmd.Wait()
	seen := threads.close()
	if err != nil {
		return usage{}, fmt.Errorf("run %s: %w; see %s", filepath.Base(c.args[0]), err, c.said)
	}
	u := usageOf(cmd.ProcessState, time.Since(began))
	u.Classes = byClass(seen, u.CPU)
	return u, nil
}

// on calls start, which starts a process, so that the process has one core; nil leaves it all.
func on(core *int, start func() error) error {
	if core == nil {
		return start()
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // a process has the mask of the thread that makes it; never unlocked, the thread ends with this goroutine
		var one unix.CPUSet
		one.Set(*core)
		if err := unix.SchedSetaffinity(0, &one); err != nil {
			done <- fmt.Errorf("keep to core %d: %w", *core, err)
			return
		}
		done <- start()
	}()
	return <-done
}

// cores are those that this process may use.
func cores() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("read the cores of this process: %w", err)
	}
	var out []int
	for core := range 8 * len(set) * int(unsafe.Sizeof(set[0])) {
		if set.IsSet(core) {
			out = append(out, core)
		}
	}
	return out, nil
}

// terminate has a cancelled context end the process in an orderly way: spark-submit is the JVM
// itself, which ends its children.
func terminate(cmd *exec.Cmd) {
	cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
}

func usageOf(s *os.ProcessState, wall time.Duration) usage {
	return usage{CPU: s.UserTime() + s.SystemTime(), Wall: wall}
}

// processCPU is the CPU that another process has used so far, of all its threads, those that have
// ended too (the clock of clock_getcpuclockid(3)).
func processCPU(pid int) (time.Duration, error) {
	const scheduler = 2 // CPUCLOCK_SCHED in linux/posix-timers.h
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduler), &ts); err != nil {
		return 0, fmt.Errorf("CPU clock of pid %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// threadCPU is the CPU of the threads of a process, by the kernel's name of a thread (15 bytes at
// most) and its id; from schedstat, in nanoseconds. Threads that end while they are read are left
// out.
func threadCPU(pid int) (map[thread]time.Duration, error) {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil, err
	}
	out := map[thread]time.Duration{}
	for _, t := range tasks {
		dir := fmt.Sprintf("/proc/%d/task/%s/", pid, t.Name())
		comm, err1 := os.ReadFile(dir + "comm")
		stat, err2 := os.ReadFile(dir + "schedstat")
		tid, err3 := strconv.Atoi(t.Name())
		if err := errors.Join(err1, err2, err3); errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ESRCH) {
			continue
		} else if err != nil {
			return nil, err
		}
		first, _, _ := strings.Cut(string(stat), " ")
		nanos, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%sschedstat: %w", dir, err)
		}
		out[thread{strings.TrimSpace(string(comm)), tid}] = time.Duration(nanos)
	}
	return out, nil
}

// thread tells threads of one process apart.
type thread struct {
	comm string
	tid  int
}

// isTask reports whether Spark runs tasks on it ("Executor task launch worker-0"; HotSpot may cut
// the middle out of a long name).
func (t thread) isTask() bool { return strings.HasPrefix(t.comm, "Executo") }

// isPoller reports whether it is the plugin's thread on an executor, planflame-poller: the kernel
// keeps 15 bytes, of which HotSpot may cut the middle out.
func (t thread) isPoller() bool {
	return strings.HasPrefix(t.comm, "planfla") && strings.Contains(t.comm, "oll")
}

// isAgent reports whether it is the agent's own thread.
func (t thread) isAgent() bool { return t.comm == "planflame-agent" }

// isPlans reports whether it is the plugin's thread on the driver, which reads plans.
func (t thread) isPlans() bool { return t.comm == "planflame-plans" }

// isService reports whether it is the thread on which HotSpot delivers JVMTI's deferred events,
// compiled methods above all.
func (t thread) isService() bool { return t.comm == "Service Thread" }

// grown sums how much the CPU of those threads grew that pick takes. What a thread used before it
// ended between the two is lost.
func grown(before, after map[thread]time.Duration, pick func(thread) bool) time.Duration {
	var sum time.Duration
	for t, cpu := range after {
		if pick(t) {
			sum += cpu - before[t]
		}
	}
	return sum
}

// statusKiB is a line of /proc/PID/status that is in kB, such as VmHWM.
func statusKiB(pid int, field string) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	return parseStatusKiB(string(text), field)
}

func parseStatusKiB(status, field string) (int64, error) {
	for l := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(l, field+":"); ok {
			return strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
		}
	}
	return 0, fmt.Errorf("process status has no %s", field)
}
