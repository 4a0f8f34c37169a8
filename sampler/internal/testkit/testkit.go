// Package testkit is what the sampler's tests share: skips that say what is missing, runs as an
// ordinary user, CPU to be sampled.
//
// It must only be imported by tests.
package testkit

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// NobodyEnv is set in a test process that AsNobody started.
const NobodyEnv = "PLANFLAME_TEST_NOBODY"

// ordinary is the uid and gid of an ordinary user.
const ordinary = 65534

// Requires skips the test when something it needs is missing, and says what; where CI is set that
// is a failure.
func Requires(t testing.TB, what string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("this test needs %s: %v", what, err)
	}
	t.Skipf("this test needs %s: %v", what, err)
}

// JVM skips a test that starts a JVM when only the short ones are asked for.
func JVM(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a JVM: not with -short")
	}
}

// AsNobody runs the calling test a second time, in a process of an ordinary user, and fails with
// it. It returns true in that second process and in any that is an ordinary user's already; only
// then should the test go on. Children of the second process are ordinary as well.
func AsNobody(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() != 0 || os.Getenv(NobodyEnv) != "" {
		return true
	}
	dir, err := os.MkdirTemp("", "planflame-ordinary-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	bin := filepath.Join(dir, "test")
	if err := copyFile(bin, "/proc/self/exe"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, ordinary, ordinary); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "-test.run=^"+t.Name()+"$", "-test.v", "-test.count=1")
	cmd.Env = append(os.Environ(), NobodyEnv+"=1", "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinary, Gid: ordinary}}
	out, err := cmd.CombinedOutput()
	t.Logf("as uid %d:\n%s", ordinary, out)
	if err != nil {
		t.Fatalf("as uid %d: %v", ordinary, err)
	}
	return false
}

func copyFile(to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() // read only: nothing to lose
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return out.Close()
}

// Burn uses CPU on the calling thread, which must be locked, until it has used d since the thread
// began, and returns what it has used.
func Burn(d time.Duration) time.Duration {
	for {
		if used := ThreadCPU(); used >= d {
			return used
		}
		burnABit()
	}
}

//go:noinline
func burnABit() {
	x := uint64(88172645463325252)
	for range 20000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	runtime.KeepAlive(x)
}

// ThreadCPU is the CPU time of the calling thread.
func ThreadCPU() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		panic(err) // cannot fail on Linux
	}
	return time.Duration(ts.Nano())
}
