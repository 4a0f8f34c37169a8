package sampler

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/perfevent"
)

// Check is one line of `planflame doctor`.
type Check struct {
	Name   string
	OK     bool
	Detail string // what was found
	Mend   string // a command or setting that mends it; "" when OK, or when nothing is known
}

// Capabilities tries what this process may do here and, when pid is not 0, with that process. Each
// mode has a line of its own; the others say why. Nothing is changed.
func Capabilities(pid int) []Check {
	checks := []Check{
		checkKernel(),
		checkParanoid(),
		checkOwnEvent("perf events on own threads", true),
		checkOwnEvent("perf events with kernel samples", false),
		checkLockedMemory(),
		checkStackDepth(),
		checkKernelSymbols(),
		checkOtherUsers(),
		checkYama(),
		checkSeccomp(),
	}
	if pid != 0 {
		checks = append(checks, checkProcess(pid)...)
	}
	return checks
}

// sysctl reads a number from /proc/sys.
func sysctl(name string) (int, error) {
	b, err := os.ReadFile("/proc/sys/" + strings.ReplaceAll(name, ".", "/"))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(b)))
}

// mostParanoid is the highest kernel.perf_event_paranoid at which ordinary users get events of
// their own threads: Debian and Ubuntu patch 3 and 4 in. At 4, kernels of Ubuntu without the
// mend of Launchpad 2131046, which was posted in November 2025, refuse CAP_PERFMON too.
const mostParanoid = 2

func checkParanoid() Check {
	const name = "kernel.perf_event_paranoid"
	c := Check{Name: name}
	level, err := sysctl(name)
	if err != nil {
		c.Detail = err.Error()
		c.Mend = "run a kernel with CONFIG_PERF_EVENTS"
		return c
	}
	c.Detail = strconv.Itoa(level)
	if c.OK = allows(level, hasCapability, openOwnEvent(true)); !c.OK {
		c.Mend = "sudo sysctl kernel.perf_event_paranoid=2"
	}
	return c
}

func checkOwnEvent(name string, excludeKernel bool) Check {
	c := Check{Name: name}
	err := openOwnEvent(excludeKernel)
	if err == nil {
		c.OK, c.Detail = true, "work"
		return c
	}
	c.Detail = err.Error()
	level, levelErr := sysctl("kernel.perf_event_paranoid")
	mode, _ := statusField("self", "Seccomp:") // "" unknown
	c.Mend = eventMend(err, excludeKernel, levelErr != nil || allows(level, hasCapability, err), mode == "2")
	return c
}

// allows reports whether a level of kernel.perf_event_paranoid lets a process open events of its
// own threads; has tells its capabilities, and err is what opening one said.
func allows(level int, has func(capability int) bool, err error) bool {
	return level <= mostParanoid || has(unix.CAP_SYS_ADMIN) || has(unix.CAP_PERFMON) && !errors.Is(err, unix.EACCES)
}

// openOwnEvent opens an event of the calling thread, and closes it again.
func openOwnEvent(excludeKernel bool) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	e, err := perfevent.Open(0, perfevent.Spec{Period: time.Minute, ExcludeKernel: excludeKernel, RingPages: 1})
	if err != nil {
		return err
	}
	return e.Close()
}

// eventMend is what mends a refused event: the kernel's setting if that refuses, the filter of
// system calls if there is one and the setting allows it.
func eventMend(err error, excludeKernel, allowed, filtered bool) string {
	const filter = "allow perf_event_open in the container's seccomp profile"
	const setting = "sudo sysctl kernel.perf_event_paranoid=2"
	switch {
	case errors.Is(err, unix.ENOSYS):
		return filter
	case excludeKernel && !allowed && filtered && errors.Is(err, unix.EPERM):
		return setting + ", and " + filter
	case excludeKernel && !allowed:
		return setting
	case excludeKernel && filtered:
		return filter
	case excludeKernel:
		return setting + "; in a container, " + filter
	}
	return "sudo sysctl kernel.perf_event_paranoid=1, or give CAP_PERFMON; without it kernel time is known as a sum only"
}

func checkStackDepth() Check {
	const name = "kernel.perf_event_max_stack"
	c := Check{Name: name}
	depth, err := sysctl(name)
	if err != nil {
		c.Detail = err.Error()
		return c
	}
	c.Detail = strconv.Itoa(depth)
	if c.OK = depth >= 127; !c.OK {
		c.Mend = "sudo sysctl kernel.perf_event_max_stack=127"
	}
	return c
}

func checkKernelSymbols() Check {
	c := Check{Name: "kernel symbols"}
	b, err := os.ReadFile("/proc/kallsyms")
	if err != nil {
		c.Detail = err.Error()
		return c
	}
	first, _, _ := bytes.Cut(b, []byte(" "))
	if c.OK = len(bytes.Trim(first, "0")) > 0; c.OK {
		c.Detail = "readable"
		return c
	}
	c.Detail = "addresses are hidden; kernel frames have no names (only privileged mode has any)"
	c.Mend = "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1"
	return c
}

func checkYama() Check {
	const name = "kernel.yama.ptrace_scope"
	c := Check{Name: name}
	scope, err := sysctl(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.OK, c.Detail = true, "no Yama"
	case err != nil:
		c.Detail = err.Error()
	case scope == 0 || hasCapability(unix.CAP_SYS_PTRACE):
		c.OK, c.Detail = true, strconv.Itoa(scope)
	case scope == 1:
		c.OK, c.Detail = true, "1: only JVMs that planflame run has started itself can be sampled"
	default:
		c.Detail = strconv.Itoa(scope)
		c.Mend = "sudo sysctl kernel.yama.ptrace_scope=1, or give CAP_SYS_PTRACE"
	}
	return c
}

func checkSeccomp() Check {
	c := Check{Name: "seccomp"}
	mode, err := statusField("self", "Seccomp:")
	if err != nil {
		c.Detail = err.Error()
		return c
	}
	c.OK = true
	switch c.Detail = "no filter"; mode {
	case "0":
	default:
		c.Detail = "a filter is on: container profiles often refuse perf_event_open and pidfd_getfd (see the lines of the modes)"
	}
	return c
}

// hasCapability reports whether a capability is in this process's effective set.
func hasCapability(bit int) bool {
	v, err := statusField("self", "CapEff:")
	if err != nil {
		return false
	}
	set, err := strconv.ParseUint(v, 16, 64)
	return err == nil && set>>bit&1 == 1
}

func statusField(pid, name string) (string, error) {
	b, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			return strings.TrimSpace(rest), nil
		}
	}
	return "", fmt.Errorf("/proc/%s/status has no %s", pid, name)
}
