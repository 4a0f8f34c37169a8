package child

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func pipe(t *testing.T) (*os.File, *bufio.Reader) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { r.Close(); w.Close() })
	return w, bufio.NewReader(r)
}

func TestExitCodes(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.WriteFile(plain, []byte("no program"), 0o644))
	tests := []struct {
		name    string
		command []string
		want    Result
		err     string
	}{
		{"all is well", []string{"sh", "-c", "exit 0"}, Result{0, true}, ""},
		{"the job's own code", []string{"sh", "-c", "exit 7"}, Result{7, true}, ""},
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
			out, lines := pipe(t)
			// The trap ends the loop with a code of its own; "ready" says that it is set.
			script := `trap 'echo caught; exit 42' TERM HUP USR1 USR2 INT; echo ready; while :; do read -t 1 x < /dev/zero || :; done`
			job := Job{Command: []string{"bash", "-c", script}, Env: os.Environ(), Stdout: out}
			go func() {
				if line, err := lines.ReadString('\n'); err == nil && line == "ready\n" {
					_ = syscall.Kill(os.Getpid(), s)
				}
			}()
			got, err := Run(context.Background(), job, func(int) {})
			require.NoError(t, err)
			require.Equal(t, Result{Code: 42, Started: true}, got)
		})
	}
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
