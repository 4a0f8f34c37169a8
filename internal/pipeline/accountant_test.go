package pipeline

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// A process that burns CPU is accounted for from its birth to its end, and an Accountant leaves no
// goroutine.
func TestAccountant(t *testing.T) {
	defer goleak.VerifyNone(t)
	deliveries := make(chan Account, 1024)
	a := NewAccountant(AccountantSettings{Interval: 20 * time.Millisecond, Clock: 5 * time.Millisecond}, func(id sampler.JVMID, at jvmlog.MonoTime, account Account) {
		require.EqualValues(t, 3, id)
		require.NotZero(t, at)
		select {
		case deliveries <- account:
		default:
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { a.Run(ctx); close(ended) }()

	cmd := exec.Command("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; read wait")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	stat, err := procfs.FS{}.Stat(cmd.Process.Pid)
	require.NoError(t, err)
	a.Add(sampler.JVM{ID: 3, PID: cmd.Process.Pid, StartTicks: stat.StartTicks})

	last, grown := Account{}, 0
	for last.Process < 50*time.Millisecond || grown < 3 {
		now := <-deliveries
		require.GreaterOrEqual(t, now.Process, last.Process)
		if now.Process > last.Process {
			grown++
		}
		last = now
	}
	require.NoError(t, stdin.Close())
	require.NoError(t, unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)) // it has ended, and its clock can be read
	final, ok := a.Remove(3)
	require.True(t, ok)
	require.True(t, final.Last)
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil {
		require.ErrorAs(t, err, &exit) // read met the end of its input
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	require.InDelta(t, used.Seconds(), final.Process.Seconds(), 0.03, "what the kernel said when it ended")
	require.InDelta(t, final.Process.Seconds(), final.Threads["sh"].Seconds(), 0.05)
	_, ok = a.Remove(3)
	require.False(t, ok, "once")
	require.Zero(t, a.Failures())
	cancel()
	<-ended
}

// The threads of a process are read again when it has used some CPU.
func TestThreadsOfAnIdleProcess(t *testing.T) {
	a := NewAccountant(AccountantSettings{}, func(sampler.JVMID, jvmlog.MonoTime, Account) {})
	defer a.close()
	cmd := exec.Command("sh", "-c", "echo up; read go; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; read end")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer func() { _, _ = stdin.Close(), cmd.Wait() }()
	stat, err := procfs.FS{}.Stat(cmd.Process.Pid)
	require.NoError(t, err)
	_, err = io.ReadFull(stdout, make([]byte, len("up\n")))
	require.NoError(t, err)
	a.Add(sampler.JVM{ID: 3, PID: cmd.Process.Pid, StartTicks: stat.StartTicks})
	full := func() Account {
		readings := a.read(true)
		require.Len(t, readings, 1)
		return readings[0].account
	}

	first := full()
	require.NotNil(t, first.Threads, "never read before")
	idle := full()
	require.Nil(t, idle.Threads)
	require.Equal(t, first.Process, idle.Process, "what its threads have")
	_, err = stdin.Write([]byte("\n"))
	require.NoError(t, err)
	for idle.Threads == nil {
		idle = full()
	}
	require.Greater(t, idle.Process-first.Process, fewCPU)
	require.Greater(t, idle.Threads["sh"], fewCPU)
	require.Zero(t, a.Failures())
}

// Of a process that was there before, only what it uses from now on counts.
func TestAccountantOfAnOldProcess(t *testing.T) {
	a := NewAccountant(AccountantSettings{}, func(sampler.JVMID, jvmlog.MonoTime, Account) {})
	clock := func() time.Duration {
		used, err := procfs.FS{}.CPUClock(os.Getpid())
		require.NoError(t, err)
		return used
	}
	for clock() < 100*time.Millisecond { // CPU that must not be counted
	}
	before := clock()
	a.Add(sampler.JVM{ID: 1, PID: os.Getpid(), StartTicks: 1})
	last, ok := a.Remove(1)
	require.True(t, ok)
	require.LessOrEqual(t, last.Process, clock()-before+25*time.Millisecond, "what a thread's account says is up to a tick old")
	a.Add(sampler.JVM{ID: 2, PID: 1 << 22, StartTicks: 1}) // beyond pid_max
	_, ok = a.Remove(2)
	require.False(t, ok)
	require.Zero(t, a.Failures(), "a process that is gone is no failure")
}
