package sampler

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func checkLockedMemory() Check {
	c := Check{Name: "locked memory for rings"}
	if hasCapability(unix.CAP_IPC_LOCK) {
		c.OK, c.Detail = true, "not limited (CAP_IPC_LOCK)"
		return c
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_MEMLOCK, &limit); err != nil {
		c.Detail = os.NewSyscallError("getrlimit", err).Error()
		return c
	}
	perUser, err := sysctl("kernel.perf_event_mlock_kb")
	if err != nil {
		c.Detail = err.Error()
		return c
	}
	if limit.Cur == unix.RLIM_INFINITY {
		c.OK, c.Detail = true, "not limited"
		return c
	}
	cpus, err := onlineCPUs()
	if err != nil {
		c.Detail = err.Error()
		return c
	}
	ringKiB := (Settings{}.withDefaults().RingPages + 1) * 4
	kib := perUser*cpus + int(min(limit.Cur>>10, 1<<40)) // perf_mmap in the kernel's kernel/events/core.c
	rings := kib / ringKiB
	c.OK = rings >= cpus
	c.Detail = fmt.Sprintf("%d KiB: %d rings of %d KiB; smaller rings where that is not enough", kib, rings, ringKiB)
	if !c.OK {
		c.Mend = "ulimit -l 65536"
	}
	return c
}

// onlineCPUs counts the CPUs that are switched on, which is what the kernel multiplies
// perf_event_mlock_kb by: neither this process's affinity nor its cgroup counts.
func onlineCPUs() (int, error) {
	const path = "/sys/devices/system/cpu/online"
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	n, err := countCPUs(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// countCPUs counts the members of a list of CPUs such as 0-3,5 (cpulist in
// Documentation/admin-guide/cputopology.rst).
func countCPUs(list string) (n int, err error) {
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 31)
		if err != nil {
			return 0, fmt.Errorf("list of CPUs %q: %w", list, err)
		}
		to, err := strconv.ParseUint(last, 10, 31)
		if err != nil {
			return 0, fmt.Errorf("list of CPUs %q: %w", list, err)
		}
		if to < from || n > 1<<20 {
			return 0, fmt.Errorf("list of CPUs %q: %s is no range", list, part)
		}
		n += int(to-from) + 1
	}
	return n, nil
}
