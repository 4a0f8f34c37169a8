package sampler

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// checkProcess tries what sampling that process needs.
func checkProcess(pid int) []Check {
	var checks []Check
	add := func(name string, err error, detail, mend string) {
		c := Check{Name: name, OK: err == nil, Detail: detail}
		if err != nil {
			c.Detail, c.Mend = err.Error(), mend
		}
		checks = append(checks, c)
	}
	const ptrace = "run as the JVM's user or give CAP_SYS_PTRACE (in a DaemonSet: hostPID and that capability)"
	memory, memoryErr := agentMemory(pid)
	add(fmt.Sprintf("pid %d: planflame's memory", pid), memoryErr, "readable", ptrace)

	add(fmt.Sprintf("pid %d: privileged mode", pid), probePrivileged(pid), "works",
		"give CAP_PERFMON and CAP_SYS_PTRACE, or sysctl kernel.perf_event_paranoid=1 and the JVM's user")

	checks = append(checks, checkSelfOpened(pid, memory))
	if memory != nil {
		_ = memory.Close() // looked at: nothing to lose
	}
	add(fmt.Sprintf("pid %d: clock", pid), sameClock(pid), "the same as here", "run planflame in the JVM's time namespace")
	return checks
}

// checkSelfOpened tries to take a descriptor over from the JVM. If its memory can be read, it also
// looks whether the JVM gets perf events at all: its seccomp filter, user and limits are not this
// process's. memory is nil if it cannot be read.
func checkSelfOpened(pid int, memory *procfs.Memory) Check {
	c := Check{Name: fmt.Sprintf("pid %d: self-opened mode", pid)}
	held := 0
	if memory != nil {
		held = memory.LogFD
	}
	h, err := procfs.OpenHandle(pid)
	if err == nil {
		err = errors.Join(probeTakeOver(h.FD(), held), h.Close())
	}
	if err != nil {
		c.Detail = err.Error()
		c.Mend = "run as the JVM's user and as its ancestor (planflame run), or set kernel.yama.ptrace_scope=0, or give CAP_SYS_PTRACE"
		return c
	}
	if memory == nil {
		c.OK, c.Detail = true, "descriptors can be taken over"
		return c
	}
	events, err := readOwnEvents(memory.Log)
	switch {
	case err != nil:
		c.Detail = err.Error()
	case events.err() != nil:
		c.Detail = events.err().Error()
		c.Mend = "allow perf_event_open in the JVM's seccomp profile, sudo sysctl kernel.perf_event_paranoid=2, more locked memory for it (ulimit -l 65536)"
	default:
		c.OK, c.Detail = true, events.String()
	}
	return c
}

// ownEvents is what became of the perf events that a JVM was asked to open for its own threads.
type ownEvents struct {
	open    int        // threads that have one now
	without int        // threads that wanted one and have none now
	failed  uint64     // attempts that failed since the JVM began
	errno   unix.Errno // of the last that did; of a thread that has none, where there is one
}

// readOwnEvents reads it from the agent's memory.
func readOwnEvents(f *os.File) (ownEvents, error) {
	log, err := jvmlog.Open(f)
	if err != nil {
		return ownEvents{}, err
	}
	h, err := log.Header()
	threads := log.Threads(nil)
	return ownEventsOf(&h, threads), errors.Join(err, log.Close())
}

func ownEventsOf(h *jvmlog.Header, threads []jvmlog.Thread) ownEvents {
	e := ownEvents{failed: h.PerfOpenFailures, errno: unix.Errno(h.PerfLastErrno)}
	for _, t := range threads {
		switch {
		case t.Flags&jvmlog.ThreadEnded != 0:
		case t.PerfFD >= 0:
			e.open++
		case t.PerfErrno != 0:
			e.without++
			e.errno = unix.Errno(t.PerfErrno)
		}
	}
	return e
}

// err is not nil where no thread has an event and the last that was wanted was refused. That a
// thread had ended (ESRCH) is no refusal.
func (e ownEvents) err() error {
	if e.open > 0 || e.failed == 0 || e.errno == 0 || e.errno == unix.ESRCH {
		return nil
	}
	return fmt.Errorf("the JVM's own perf_event_open, or mapping its ring, failed %d times: %w", e.failed, e.errno)
}

// String is for a JVM that was not refused.
func (e ownEvents) String() string {
	switch {
	case e.open == 0:
		return "descriptors can be taken over; the JVM has no perf event now, so whether it gets one shows when it is sampled"
	case e.without > 0:
		return fmt.Sprintf("works (threads with events: %d, without: %d, %v)", e.open, e.without, e.errno)
	default:
		return fmt.Sprintf("works (threads with events: %d)", e.open)
	}
}

// agentMemory opens the memfds of the agent in one process.
func agentMemory(pid int) (*procfs.Memory, error) {
	p, ok, err := procfs.FS{}.Agent(pid)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, errors.New("this process runs no planflame agent")
	}
	return p.Open()
}

// sameClock reports whether a process has this process's CLOCK_MONOTONIC.
func sameClock(pid int) error {
	own, err := os.Readlink("/proc/self/ns/time")
	if errors.Is(err, fs.ErrNotExist) {
		return nil // before Linux 5.6: one clock for all
	}
	if err != nil {
		return err
	}
	other, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/time", pid))
	if err != nil {
		return err
	}
	if own != other {
		return fmt.Errorf("it lives in time namespace %s, planflame in %s: their times cannot be compared", other, own)
	}
	return nil
}
