package main

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/tasksample"
)

// The run queue of a task is what the kernel adds to its thread's between two readings.
func TestRunQueues(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	tid := unix.Gettid()
	event := func(kind jvmlog.TaskEventKind, task tasksample.TaskAttemptID, at time.Duration) jvmlog.TaskEvent {
		return jvmlog.TaskEvent{Kind: kind, Task: task, TID: uint32(tid), Time: jvmlog.MonoTime(at)}
	}
	var q runQueues
	told := func(e jvmlog.TaskEvent) (pipeline.RunQueue, bool) { return q.event(7, e) }
	_, ok := told(event(jvmlog.TaskEnd, 1, time.Second))
	require.False(t, ok, "a JVM that is not known")
	q.found(sampler.JVM{ID: 7, PID: os.Getpid()})
	before, err := procfs.FS{}.ThreadQueued(os.Getpid(), tid)
	require.NoError(t, err)
	_, ok = told(event(jvmlog.TaskEnd, 1, time.Second))
	require.False(t, ok, "no reading before")

	_, ok = told(event(jvmlog.TaskStart, 2, 2*time.Second))
	require.False(t, ok)
	_, ok = told(event(jvmlog.TaskClocks, 2, 2*time.Second))
	require.False(t, ok)
	for range 100 { // others may run in between
		unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
	}
	got, ok := told(event(jvmlog.TaskEnd, 2, 3*time.Second))
	require.True(t, ok)
	after, err := procfs.FS{}.ThreadQueued(os.Getpid(), tid)
	require.NoError(t, err)
	require.Equal(t, tasksample.TaskAttemptID(2), got.Task)
	require.GreaterOrEqual(t, got.Waited, time.Duration(0))
	require.LessOrEqual(t, got.Waited, after-before, "what was added since the first reading")
	require.LessOrEqual(t, q.jvms[7].last[uint32(tid)].queued, after)
	require.GreaterOrEqual(t, q.jvms[7].last[uint32(tid)].queued, before)

	_, ok = told(event(jvmlog.TaskEnd, 3, 3*time.Second+9*time.Millisecond))
	require.False(t, ok, "too short to be slow")
	got, ok = told(event(jvmlog.TaskEnd, 4, 3*time.Second+11*time.Millisecond))
	require.True(t, ok)
	require.Equal(t, tasksample.TaskAttemptID(4), got.Task)

	gone := event(jvmlog.TaskEnd, 5, 4*time.Second)
	gone.TID = 1 << 30
	q.jvms[7].last[gone.TID] = queueReading{}
	_, ok = told(gone)
	require.False(t, ok, "a thread that has ended")
	require.NotContains(t, q.jvms[7].last, gone.TID)
	q.gone(7)
	_, ok = told(event(jvmlog.TaskEnd, 6, 5*time.Second))
	require.False(t, ok)
}
