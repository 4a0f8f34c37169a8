package child

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Adopt makes this process the parent of all descendants whose own parent ends
// (PR_SET_CHILD_SUBREAPER, Linux 3.4). So a JVM stays a descendant when the script that started it
// is gone.
func Adopt() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become child subreaper: %w", err)
	}
	return nil
}

// noProcess is the pid of no process.
const noProcess = 0

// reapAllBut waits for all children of this process that have ended, so that none stays a zombie.
// It stops at the job, for which os/exec waits: call it again when that is done.
func reapAllBut(job int) {
	for {
		pid := endedChild()
		if pid == noProcess || pid == job {
			return
		}
		if _, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); err != nil {
			return
		}
	}
}

// endedChild returns the pid of a child that has ended and leaves the child as it is (WNOWAIT).
func endedChild() int {
	var info unix.Siginfo
	if err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil); err != nil {
		return noProcess // ECHILD: there is none
	}
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(&info), pidOffset)))
}

// pidOffset is where si_pid is in a siginfo_t on 64-bit Linux (asm-generic/siginfo.h).
const pidOffset = 16

// maxDepth bounds the walk to the root: parents can change while they are read.
const maxDepth = 1000

// IsDescendant reports whether a process stands below another, by /proc. A process that is gone
// does not.
func IsDescendant(pid, of int) bool {
	for range maxDepth {
		parent, err := parentOf(pid)
		if err != nil || parent <= 0 {
			return false
		}
		if parent == of {
			return true
		}
		pid = parent
	}
	return false
}

// parentOf is field 4 of /proc/PID/stat.
func parentOf(pid int) (int, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, fmt.Errorf("parent of pid %d: %w", pid, err)
	}
	// The name in parentheses may hold anything; what follows the last ')' is "S ppid …".
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, fmt.Errorf("parent of pid %d: /proc/PID/stat is %q", pid, stat)
	}
	return strconv.Atoi(string(fields[1]))
}
