package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A shell waits for the child that burns: its CPU is in the shell's usage.
func TestRunCountsDescendants(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said")
	burning := `i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo $THE_WORD`
	u, err := command{args: []string{"sh", "-c", "sh -c '" + burning + "'; true"}, env: []string{"THE_WORD=seen"}, said: said}.run(context.Background())
	require.NoError(t, err)
	assert.Greater(t, u.CPU, 20*time.Millisecond)
	assert.GreaterOrEqual(t, u.Wall, u.CPU/2)
	text, err := os.ReadFile(said)
	require.NoError(t, err)
	assert.Equal(t, "seen\n", string(text))

	_, err = command{args: []string{"sh", "-c", "exit 3"}, said: said}.run(context.Background())
	assert.ErrorContains(t, err, "exit status 3")
	assert.ErrorContains(t, err, said)
}

func TestCPUClocksOfThisProcess(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	me := thread{tid: unix.Gettid()}
	process, err := processCPU(os.Getpid())
	require.NoError(t, err)
	before, err := threadCPU(os.Getpid())
	require.NoError(t, err)
	own := ownThreadCPU()
	for ownThreadCPU()-own < 50*time.Millisecond {
		burn(100)
	}
	after, err := threadCPU(os.Getpid())
	require.NoError(t, err)
	processAfter, err := processCPU(os.Getpid())
	require.NoError(t, err)
	assert.GreaterOrEqual(t, processAfter-process, 50*time.Millisecond)
	used := grown(before, after, func(t thread) bool { return t.tid == me.tid })
	assert.InDelta(t, 50, used.Milliseconds(), 20, "schedstat is up to a tick old")

	_, err = processCPU(1 << 22)
	assert.ErrorContains(t, err, "4194304")
	_, err = threadCPU(1 << 22)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestGrown(t *testing.T) {
	before := map[thread]time.Duration{{"Executor task l", 3}: 100, {"GC Thread#0", 4}: 1000, {"Executor task l", 9}: 7}
	after := map[thread]time.Duration{{"Executor task l", 3}: 130, {"GC Thread#0", 4}: 5000, {"Executo..orker-1", 5}: 50}
	assert.Equal(t, time.Duration(80), grown(before, after, thread.isTask), "30 of the old, all 50 of the new")
}

func TestThreadsByName(t *testing.T) {
	const task, poller, plans, agent, service = "task", "poller", "plans", "agent", "service"
	for comm, want := range map[string]string{
		"Executor task l": task, "Executo..orker-1": task, "planflame-polle": poller, "planfla..poller": poller, "planflame-plans": plans,
		"planflame-agent": agent, "planflame": "", "Service Thread": service, "Signal Dispatch": "",
	} {
		th := thread{comm: comm}
		for name, is := range map[string]bool{task: th.isTask(), poller: th.isPoller(), plans: th.isPlans(), agent: th.isAgent(), service: th.isService()} {
			assert.Equal(t, name == want, is, "%s: %s", comm, name)
		}
	}
}

func TestParseStatusKiB(t *testing.T) {
	const status = "Name:\tplanflame\nVmPeak:\t  123456 kB\nVmHWM:\t   77776 kB\n"
	got, err := parseStatusKiB(status, "VmHWM")
	require.NoError(t, err)
	assert.Equal(t, int64(77776), got)
	_, err = parseStatusKiB(status, "VmRSS")
	assert.ErrorContains(t, err, "VmRSS")
}
