package sampler

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// holder is this process as the holder of a lease.
func holder(fs procfs.FS) (jvmlog.Holder, error) {
	pid := os.Getpid()
	space, err := pidNamespace()
	if err != nil {
		return jvmlog.Holder{}, err
	}
	st, err := fs.Stat(pid)
	if err != nil {
		return jvmlog.Holder{}, err
	}
	return jvmlog.Holder{PID: uint32(pid), Namespace: space, StartTicks: st.StartTicks}, nil
}

// pidNamespace is the inode of this process's pid namespace. /proc must be of the same one.
func pidNamespace() (uint64, error) {
	if self, err := os.Readlink("/proc/self"); err != nil || self != fmt.Sprint(os.Getpid()) {
		return 0, errors.Join(fmt.Errorf("/proc is another pid namespace's: this process is %q there", self), err)
	}
	info, err := os.Stat("/proc/self/ns/pid")
	if err != nil {
		return 0, err
	}
	return info.Sys().(*syscall.Stat_t).Ino, nil
}

// isDead reports whether another reader's process is known to have ended. One of another pid
// namespace is not known.
func isDead(fs procfs.FS, self, other jvmlog.Holder) bool {
	if self.Namespace == 0 || other.Namespace != self.Namespace {
		return false
	}
	if errors.Is(unix.Kill(int(other.PID), 0), unix.ESRCH) {
		return true
	}
	st, err := fs.Stat(int(other.PID))
	return err == nil && (st.StartTicks != other.StartTicks || st.State == 'Z' || st.State == 'X')
}
