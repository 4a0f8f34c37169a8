package main

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A thread with the name of Spark's task threads is interrupted and the event is closed at the end.
func TestInterruptsTakeTaskThreads(t *testing.T) {
	runtime.LockOSThread() // and never unlocked: the thread ends with the test
	name, err := unix.BytePtrFromString(taskThread)
	require.NoError(t, err)
	require.NoError(t, unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(name)), 0, 0, 0))
	s := &interrupts{every: time.Millisecond, open: map[string]int{}}
	require.NoError(t, s.scan())
	fd, there := s.open[fmt.Sprintf("/proc/%d/task/%d", os.Getpid(), unix.Gettid())]
	assert.True(t, there)
	id, err := unix.IoctlGetInt(fd, unix.PERF_EVENT_IOC_ID)
	assert.NoError(t, err, "it is a perf event")
	assert.NotZero(t, id)
	require.NoError(t, s.close())
	_, err = unix.IoctlGetInt(fd, unix.PERF_EVENT_IOC_ID)
	assert.Error(t, err, "closed")
}
