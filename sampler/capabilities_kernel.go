package sampler

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// floor is a kernel's version below which something is lost.
type floor struct {
	major, minor int
	what, lost   string
}

// floors are in descending order of what is lost, by the man pages of the calls and
// capabilities(7).
var floors = []floor{
	{5, 3, "pidfd_open", "no JVM can be sampled"},
	{5, 6, "pidfd_getfd", "only JVMs of planflame's own user can be read, and only in privileged mode or without samples"},
	{5, 8, "CAP_PERFMON", "privileged mode takes CAP_SYS_ADMIN"},
}

// checkKernel says the kernel's version and what is lost with it.
func checkKernel() Check {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return Check{Name: "kernel", Detail: os.NewSyscallError("uname", err).Error()}
	}
	return kernelCheck(unix.ByteSliceToString(name.Release[:]))
}

func kernelCheck(release string) Check {
	c := Check{Name: "kernel", Detail: release}
	var major, minor int
	if n, err := fmt.Sscanf(release, "%d.%d", &major, &minor); n != 2 {
		c.Detail = fmt.Sprintf("version %q: %v", release, err)
		return c
	}
	var lost []string
	needed := floor{}
	for _, f := range floors {
		if major < f.major || major == f.major && minor < f.minor {
			lost = append(lost, fmt.Sprintf("no %s before %d.%d: %s", f.what, f.major, f.minor, f.lost))
			needed = f
		}
	}
	if c.OK = len(lost) == 0; c.OK {
		c.Detail += ": pidfd_open, pidfd_getfd and CAP_PERFMON are there"
		return c
	}
	c.Detail += ": " + strings.Join(lost, "; ")
	c.Mend = fmt.Sprintf("run Linux %d.%d or newer", needed.major, needed.minor)
	return c
}

// checkOtherUsers says whose processes can be looked at.
func checkOtherUsers() Check {
	c := Check{Name: "JVMs of other users"}
	if c.OK = hasCapability(unix.CAP_SYS_PTRACE); c.OK {
		c.Detail = "can be read (CAP_SYS_PTRACE)"
		return c
	}
	c.Detail = fmt.Sprintf("cannot be read: only JVMs of uid %d", os.Geteuid())
	c.Mend = "give CAP_SYS_PTRACE to a Collector of several users' JVMs; planflame run does not need it"
	return c
}
