package sampler

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/perfevent"
)

// String is the word that users see.
func (m Mode) String() string {
	switch m {
	case ModeNone:
		return "none"
	case ModePrivileged:
		return "privileged"
	case ModeSelfOpened:
		return "self-opened"
	}
	return fmt.Sprintf("Mode(%d)", uint32(m))
}

// chooseMode finds out by trying, for permissions depend on the JVM's user, namespaces and filters
// as much as on ours. ModeNone comes with the reason. held is a descriptor that the process is
// known to have.
func chooseMode(policy Policy, pid, pidfd, held int) (Mode, error) {
	var privileged, self error
	if policy != PolicySelf {
		if privileged = probePrivileged(pid); privileged == nil {
			return ModePrivileged, nil
		}
	}
	if policy != PolicyPrivileged {
		if self = probeTakeOver(pidfd, held); self == nil {
			return ModeSelfOpened, nil
		}
	}
	return ModeNone, errors.Join(privileged, self)
}

// probePrivileged tries an event with kernel samples on a process's first thread.
func probePrivileged(pid int) error {
	e, err := perfevent.Open(pid, perfevent.Spec{Period: perfevent.MaxPeriod, RingPages: 1})
	if err != nil {
		return fmt.Errorf("privileged mode: %w", err)
	}
	return e.Close()
}

// probeTakeOver tries to duplicate a descriptor of another process.
func probeTakeOver(pidfd, held int) error {
	fd, err := unix.PidfdGetfd(pidfd, held, 0)
	if err != nil {
		return fmt.Errorf("self-opened mode: %w", os.NewSyscallError("pidfd_getfd", err))
	}
	return unix.Close(fd)
}
