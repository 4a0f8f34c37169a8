package child

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// envRole makes the test binary another program: "run" runs its arguments as a job, "job" prints a
// line per interrupt until it is terminated.
const envRole = "PLANFLAME_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(envRole) {
	case "run":
		if err := Adopt(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		result, err := Run(context.Background(), Job{Command: os.Args[1:], Env: os.Environ()}, func(int) {})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(result.Code)
	case "job":
		signals := make(chan os.Signal, 8)
		signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
		fmt.Println("ready")
		for s := range signals {
			if s == syscall.SIGTERM {
				os.Exit(42)
			}
			fmt.Println(s)
		}
	}
	os.Exit(m.Run())
}

// runner is a process in a session of its own, without a terminal, that runs a job. The reader has
// the job's output. It ignores no signal, even if this process was started with nohup: a program
// starts with the default action of each signal that is caught here.
func runner(t *testing.T, job ...string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, forwarded...)
	t.Cleanup(func() { signal.Stop(caught) })
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), exe, job...)
	cmd.Env = append(os.Environ(), envRole+"=run")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	return cmd, bufio.NewReader(stdout)
}

func pipe(t *testing.T) (*os.File, *bufio.Reader) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { r.Close(); w.Close() })
	return w, bufio.NewReader(r)
}

func TestExitCodes(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.WriteFile(plain, []byte("no program"), 0o644))
	script := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(script, []byte("exit $1\n"), 0o755))
	tests := []struct {
		name    string
		command []string
		want    Result
		err     string
	}{
		{"all is well", []string{"sh", "-c", "exit 0"}, Result{0, true}, ""},
		{"the job's own code", []string{"sh", "-c", "exit 7"}, Result{7, true}, ""},
		{"a script without #!", []string{script, "9"}, Result{9, true}, ""},
		{"killed", []string{"sh", "-c", "kill -9 $$"}, Result{137, true}, ""},
		{"terminated", []string{"sh", "-c", "kill -15 $$"}, Result{143, true}, ""},
		{"not there", []string{"/no/such/program"}, Result{127, false}, "start /no/such/program: "},
		{"not in PATH", []string{"no-such-program-at-all"}, Result{127, false}, "start no-such-program-at-all: "},
		{"not executable", []string{plain}, Result{126, false}, "start " + plain + ": "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			started := 0
			got, err := Run(context.Background(), Job{Command: test.command, Env: os.Environ()}, func(pid int) { started = pid })
			require.Equal(t, test.want, got)
			require.Equal(t, test.want.Started, started != 0)
			if test.err == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.err)
		})
	}
}

// A signal to us reaches the job, and the job decides what to do with it.
func TestForwardsSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			// The trap ends the loop with a code of its own; "ready" says that it is set.
			script := `trap 'echo caught; exit 42' TERM HUP USR1 USR2 INT; echo ready; while :; do read -t 1 x < /dev/zero || :; done`
			cmd, lines := runner(t, "bash", "-c", script)
			require.NoError(t, cmd.Start())
			line, err := lines.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "ready\n", line)
			require.NoError(t, cmd.Process.Signal(s))
			rest, err := io.ReadAll(lines)
			require.NoError(t, err)
			require.Equal(t, "caught\n", string(rest))
			require.EqualError(t, cmd.Wait(), "exit status 42")
		})
	}
}

// A job survives signals that it was started with ignored, as under nohup.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd, lines := runner(t)
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", `trap "" HUP INT; exec "$@"`, "sh", exe, "sh", "-c", `kill -HUP $PPID $$; kill -INT $PPID $$; echo alive; exit 7`}
	require.NoError(t, cmd.Start())
	rest, err := io.ReadAll(lines)
	require.NoError(t, err)
	require.Equal(t, "alive\n", string(rest))
	require.EqualError(t, cmd.Wait(), "exit status 7")
}

// Orphans of a job do not stay zombies while it runs, and its exit code is its own.
func TestReapsOrphans(t *testing.T) {
	script := `sh -c 'true & echo $!; true & echo $!'; read end; for i in 1 2 3 4 5 6 7 8 9; do (true &); done; exit 7`
	cmd, lines := runner(t, "sh", "-c", script)
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	for range 2 {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			_, err := os.Stat("/proc/" + strings.TrimSpace(line))
			return os.IsNotExist(err)
		}, 10*time.Second, 5*time.Millisecond, "process %s is a zombie", line)
	}
	require.NoError(t, stdin.Close())
	require.EqualError(t, cmd.Wait(), "exit status 7")
}

// terminal opens a terminal: what is written to master is typed there.
func terminal(t *testing.T) (master, tty *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { master.Close() })
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { tty.Close() })
	return master, tty
}

// Ctrl-C reaches the job once, from the terminal, also if stdin is redirected.
func TestInterruptsFromTheTerminalReachTheJobOnce(t *testing.T) {
	master, tty := terminal(t)
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd, lines := runner(t, "env", envRole+"=job", exe) // stdin is /dev/null
	cmd.ExtraFiles = []*os.File{tty}
	cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, 3
	require.NoError(t, cmd.Start())
	read := func(want string) {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, want, line)
	}
	read("ready\n")
	_, err = master.Write([]byte{3}) // Ctrl-C
	require.NoError(t, err)
	read("interrupt\n")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM)) // forwarded behind the interrupt
	rest, err := io.ReadAll(lines)
	require.NoError(t, err)
	require.Empty(t, string(rest))
	require.EqualError(t, cmd.Wait(), "exit status 42")
}

func TestCancelTerminates(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	got, err := Run(ctx, Job{Command: []string{"sleep", "1000"}, Env: os.Environ()}, func(int) { cancel() })
	require.NoError(t, err)
	require.Equal(t, Result{Code: 143, Started: true}, got)
}

func TestEnvironmentAndFolder(t *testing.T) {
	dir := t.TempDir()
	out, lines := pipe(t)
	_, err := Run(context.Background(), Job{Command: []string{"sh", "-c", "echo $PLANFLAME_TEST $(pwd -P)"}, Env: append(os.Environ(), "PLANFLAME_TEST=17"), Dir: dir, Stdout: out}, func(int) {})
	require.NoError(t, err)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	real, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	require.Equal(t, "17 "+real, strings.TrimSpace(line))
}

func TestIsDescendant(t *testing.T) {
	require.True(t, IsDescendant(os.Getpid(), os.Getppid()))
	require.False(t, IsDescendant(os.Getppid(), os.Getpid()))
	require.False(t, IsDescendant(os.Getpid(), os.Getpid()), "no process is its own descendant")
	require.False(t, IsDescendant(1<<22+1, 1), "no such process")
	cat := exec.Command("sh", "-c", "cat; exit 0") // a shell with a child
	stdin, err := cat.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cat.Start())
	require.True(t, IsDescendant(cat.Process.Pid, os.Getpid()))
	stdin.Close()
	require.NoError(t, cat.Wait())
}
