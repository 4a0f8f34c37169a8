package main

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// On x86-64: ld [0]; jeq #298, then the next, else one further; ret errno 1; the same for 438 and
// 38; ret allow.
func TestAssemble(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the numbers of system calls are x86-64's")
	}
	program, err := assemble([]string{"perf_event_open=EPERM", "pidfd_getfd=ENOSYS"})
	require.NoError(t, err)
	assert.Equal(t, []unix.SockFilter{
		{Code: 0x20, K: 0},
		{Code: 0x15, Jt: 0, Jf: 1, K: 298},
		{Code: 0x06, K: 0x00050001},
		{Code: 0x15, Jt: 0, Jf: 1, K: 438},
		{Code: 0x06, K: 0x00050026},
		{Code: 0x06, K: 0x7fff0000},
	}, program)
	for _, bad := range []string{"", "perf_event_open", "perf_event_open=", "perf_event_open=EWHAT", "unlink=EPERM", "=EPERM"} {
		_, err := assemble([]string{bad})
		assert.ErrorContains(t, err, "-refuse "+bad, "%q", bad)
	}
}

// The filter holds on the thread that asked for it, and lets everything else pass.
func TestFilter(t *testing.T) {
	var filterErr, memfdErr, pidErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		r := restrictions{refuse: list{"memfd_create=EACCES"}}
		if filterErr = r.filter(); filterErr != nil {
			return
		}
		_, memfdErr = unix.MemfdCreate("confine-test", 0)
		_, pidErr = unix.Getpgid(0)
	}()
	<-done
	require.NoError(t, filterErr)
	require.ErrorIs(t, memfdErr, unix.EACCES)
	require.NoError(t, pidErr)
	fd, err := unix.MemfdCreate("confine-test", 0)
	require.NoError(t, err, "other threads are not held")
	require.NoError(t, unix.Close(fd))
}

func TestSysctlsThatCannotBeShown(t *testing.T) {
	for _, bad := range []string{"kernel.x", "vm.swappiness=1", "=1"} {
		r := restrictions{sysctls: list{bad}}
		assert.ErrorContains(t, r.showSysctls(), "-sysctl "+bad)
	}
}
