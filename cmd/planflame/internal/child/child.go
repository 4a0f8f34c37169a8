// Package child runs the user's job as a child process that hardly notices: same terminal, same
// streams, same process group, signals forwarded, exit code handed back.
package child

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// Job is a command to run. The zero value of a stream is this process's own.
type Job struct {
	Command []string // program and arguments; the program is looked up in PATH
	Env     []string // as os.Environ
	Dir     string   // "" the current one
	Stdout  *os.File
	Stderr  *os.File
}

// Result is how a job ended.
type Result struct {
	// Code is the job's exit code as a shell would show it. It is 128 + signal if a signal ended
	// the job; 127 or 126 if it could not be started because it is not there or not executable.
	Code int
	// Started is false where the job never ran.
	Started bool
}

// Exit codes of a shell for programs that cannot be started (POSIX 2.8.2).
const (
	codeNotExecutable = 126
	codeNotFound      = 127
	codeSignal        = 128
)

// forwarded are the signals that are passed on, but SIGHUP and SIGINT if this process was started
// with them ignored.
var forwarded = []os.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGCONT}

// Run runs the job until its end. started is called once with its pid. Cancelling ctx sends SIGTERM
// to the job; Run still waits.
//
// The terminal itself sends SIGINT and SIGQUIT to the whole foreground process group. So these two
// are not forwarded a second time while this process's group is in the foreground of its terminal.
//
// SIGHUP and SIGINT stay ignored, here and in the job, if they were at the start, as nohup has it.
// Go catches all others.
//
// A script without #! runs in /bin/sh, as execvp has it (POSIX exec).
//
// Orphans that this process adopted are waited for when they end. So no one else may start a child
// of this process while Run runs.
func Run(ctx context.Context, job Job, started func(pid int)) (Result, error) {
	cmd := job.program(job.Command[0], job.Command[1:]...)
	signals := make(chan os.Signal, 16)
	for _, s := range forwarded {
		if !signal.Ignored(s) { // Notify would start to catch it
			signal.Notify(signals, s)
		}
	}
	defer signal.Stop(signals)
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	defer signal.Stop(children)
	err := cmd.Start()
	if errors.Is(err, syscall.ENOEXEC) {
		cmd = job.program("/bin/sh", append([]string{cmd.Path}, job.Command[1:]...)...)
		err = cmd.Start()
	}
	if err != nil {
		return Result{Code: startCode(err)}, fmt.Errorf("start %s: %w", job.Command[0], err)
	}
	started(cmd.Process.Pid)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	cancelled := ctx.Done()
	for {
		select {
		case err := <-ended:
			reapAllBut(noProcess)
			return result(cmd, err)
		case <-children:
			reapAllBut(cmd.Process.Pid)
		case s := <-signals:
			if !fromTerminal(s) {
				forward(cmd, s)
			}
		case <-cancelled:
			forward(cmd, syscall.SIGTERM)
			cancelled = nil
		}
	}
}

// program is a program with the job's environment, folder and streams.
func (j Job) program(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Dir, cmd.Stdin = j.Env, j.Dir, os.Stdin
	cmd.Stdout, cmd.Stderr = orStream(j.Stdout, os.Stdout), orStream(j.Stderr, os.Stderr)
	return cmd
}

// forward sends a signal to the job; that it may just have ended is no error.
func forward(cmd *exec.Cmd, s os.Signal) {
	_ = cmd.Process.Signal(s)
}

func result(cmd *exec.Cmd, err error) (Result, error) {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return Result{Code: 1, Started: true}, fmt.Errorf("wait for %s: %w", cmd.Path, err)
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return Result{Code: codeSignal + int(status.Signal()), Started: true}, nil
	}
	return Result{Code: cmd.ProcessState.ExitCode(), Started: true}, nil
}

func startCode(err error) int {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return codeNotFound
	}
	return codeNotExecutable
}

// fromTerminal reports whether a signal is one that the terminal sends to the job by itself. The
// terminal is /dev/tty, since stdin may be redirected. Stdin is asked if there is no /dev/tty.
func fromTerminal(s os.Signal) bool {
	if s != syscall.SIGINT && s != syscall.SIGQUIT {
		return false
	}
	terminal, err := os.OpenFile("/dev/tty", os.O_RDONLY|unix.O_NOCTTY, 0)
	if err != nil {
		terminal = os.Stdin
	} else {
		defer terminal.Close()
	}
	foreground, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && foreground == unix.Getpgrp()
}

func orStream(f, otherwise *os.File) *os.File {
	if f == nil {
		return otherwise
	}
	return f
}
