package filestorage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// checkProgram is the name, as argument 0, by which this program checks the file of argument 1.
const checkProgram = "planflame-storage-check"

// Limits of a child. A check of 241 MiB takes 0.34 s; what needs more than these walks in circles.
const (
	childCPUSeconds = 30
	childHeapBytes  = 512 << 20
)

// childEnvironment is empty but not nil: the Collector's environment may have secrets.
var childEnvironment = []string{}

// Exit codes of a child that did not crash: the runtime's is 2.
const (
	exitDamaged = 3
	exitLocked  = 4
)

// errLocked means that another process has the file open, so that it cannot be checked.
var errLocked = errors.New("another process has it open")

// init makes a child of this process a check. It runs before main.
func init() {
	if os.Args[0] != checkProgram || len(os.Args) != 2 {
		return
	}
	for resource, n := range map[int]uint64{unix.RLIMIT_CPU: childCPUSeconds, unix.RLIMIT_DATA: childHeapBytes, unix.RLIMIT_CORE: 0} {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: n, Max: n}); err != nil {
			fmt.Fprintln(os.Stderr, "limit of a check:", err)
			os.Exit(1)
		}
	}
	switch err := check(os.Args[1]); {
	case errors.Is(err, errLocked):
		os.Exit(exitLocked)
	case err != nil:
		fmt.Println(err)
		os.Exit(exitDamaged)
	}
	os.Exit(0)
}

// checkInChild has a child of this program check a file, and returns what is wrong with it, or how
// the child died of it. The error is the machine's or another process's, not the file's.
func checkInChild(ctx context.Context, path string) (damage string, err error) {
	var said, crash bytes.Buffer
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args = []string{checkProgram, path}
	cmd.Env = childEnvironment
	cmd.Stdout, cmd.Stderr = &said, &crash
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // else it would keep the file locked
	runtime.LockOSThread()                                             // its parent is this thread
	defer runtime.UnlockOSThread()
	err = cmd.Run()
	if exited := (*exec.ExitError)(nil); ctx.Err() != nil || err != nil && !errors.As(err, &exited) {
		return "", errors.Join(err, ctx.Err())
	}
	first, _, _ := strings.Cut(crash.String(), "\n")
	switch code := cmd.ProcessState.ExitCode(); code {
	case 0:
		return "", nil
	case 1:
		return "", errors.New(first)
	case exitLocked:
		return "", errLocked
	case exitDamaged:
		return strings.TrimSpace(said.String()), nil
	default:
		return strings.TrimSpace(fmt.Sprintf("%v: %s", err, first)), nil
	}
}
