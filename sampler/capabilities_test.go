package sampler

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/jvmlog"
)

func TestCountCPUs(t *testing.T) {
	for list, want := range map[string]int{"0": 1, "7": 1, "0-1": 2, "0-3,5": 5, "0-3,8-11,15": 9} {
		n, err := countCPUs(list)
		require.NoError(t, err, list)
		assert.Equal(t, want, n, list)
	}
	for _, list := range []string{"", "0-", "-1", "3-1", "0,,2", "0-9999999999", "a", "0-2147483647,0-2147483647"} {
		n, err := countCPUs(list)
		assert.ErrorContains(t, err, `"`+list+`"`)
		assert.Zero(t, n, list)
	}
}

// A process may be confined to fewer CPUs than the kernel counts, never to more.
func TestOnlineCPUs(t *testing.T) {
	n, err := onlineCPUs()
	require.NoError(t, err)
	var mask unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &mask))
	assert.GreaterOrEqual(t, n, mask.Count())
}

func TestOwnEvents(t *testing.T) {
	const task = jvmlog.ThreadTask
	open, idle := jvmlog.Thread{Flags: task, PerfFD: 31}, jvmlog.Thread{PerfFD: -1}
	refused := func(errno unix.Errno) jvmlog.Thread {
		return jvmlog.Thread{Flags: task, PerfFD: -1, PerfErrno: uint32(errno)}
	}
	ended := func(th jvmlog.Thread) jvmlog.Thread { th.Flags |= jvmlog.ThreadEnded; return th }
	for name, tt := range map[string]struct {
		failures uint64
		last     unix.Errno
		threads  []jvmlog.Thread
		says     string
		is       error
	}{
		"never asked":              {says: "has no perf event now", threads: []jvmlog.Thread{idle}},
		"all have one":             {says: "works (threads with events: 2)", threads: []jvmlog.Thread{open, idle, open}},
		"seccomp":                  {failures: 5, last: unix.EPERM, threads: []jvmlog.Thread{idle, refused(unix.EPERM)}, says: "failed 5 times: operation not permitted", is: unix.EPERM},
		"paranoid, threads gone":   {failures: 7, last: unix.EACCES, says: "failed 7 times: permission denied", is: unix.EACCES},
		"too little locked memory": {failures: 3, last: unix.EPERM, threads: []jvmlog.Thread{open, refused(unix.ENOMEM)}, says: "works (threads with events: 1, without: 1, cannot allocate memory)"},
		"a thread had ended":       {failures: 2, last: unix.ESRCH, threads: []jvmlog.Thread{idle}, says: "has no perf event now"},
		"an open one had ended":    {failures: 4, last: unix.EPERM, threads: []jvmlog.Thread{ended(open)}, says: "failed 4 times", is: unix.EPERM},
		"a refused one had ended":  {threads: []jvmlog.Thread{ended(refused(unix.EPERM)), open}, says: "works (threads with events: 1)"},
	} {
		e := ownEventsOf(&jvmlog.Header{PerfOpenFailures: tt.failures, PerfLastErrno: uint32(tt.last)}, tt.threads)
		if tt.is != nil {
			require.ErrorIs(t, e.err(), tt.is, name)
			assert.ErrorContains(t, e.err(), tt.says, name)
			continue
		}
		require.NoError(t, e.err(), name)
		assert.Contains(t, e.String(), tt.says, name)
	}
}

// A log that the C tests wrote; its values are stated in agent-jvmti/testdata/README.md.
func TestOwnEventsOfAGoldenLog(t *testing.T) {
	b, err := os.ReadFile("../agent-jvmti/testdata/log-v1.bin")
	require.NoError(t, err)
	log, err := jvmlog.FromBytes(b)
	require.NoError(t, err)
	h, err := log.Header()
	require.NoError(t, err)
	assert.Equal(t, ownEvents{open: 1, failed: 41, errno: unix.EACCES}, ownEventsOf(&h, log.Threads(nil)))
	require.NoError(t, log.Close())

	file, err := os.Open("../agent-jvmti/testdata/log-v1.bin")
	require.NoError(t, err)
	_, err = readOwnEvents(file)
	require.ErrorIs(t, err, jvmlog.ErrNotSealed)
	require.NoError(t, file.Close())
}

// The kernel refuses by its level with EACCES. Filters of system calls refuse with EPERM.
func TestAllows(t *testing.T) {
	const none = -1
	for _, test := range []struct {
		level, capability int
		err               error
		want              bool
	}{
		{2, none, unix.EPERM, true},
		{3, none, unix.EACCES, false},
		{4, unix.CAP_SYS_ADMIN, nil, true},
		{4, unix.CAP_PERFMON, nil, true},
		{4, unix.CAP_PERFMON, unix.EACCES, false},
		{4, unix.CAP_PERFMON, unix.EPERM, true},
	} {
		require.Equal(t, test.want, allows(test.level, func(c int) bool { return c == test.capability }, test.err), "%+v", test)
	}
}

func TestEventMend(t *testing.T) {
	for _, test := range []struct {
		err                              error
		excludeKernel, allowed, filtered bool
		want                             string
	}{
		{unix.ENOSYS, true, false, false, "allow perf_event_open in the container's seccomp profile"},
		{unix.EACCES, true, false, true, "sudo sysctl kernel.perf_event_paranoid=2"},
		{unix.EPERM, true, false, true, "sudo sysctl kernel.perf_event_paranoid=2, and allow perf_event_open in the container's seccomp profile"},
		{unix.EPERM, true, true, true, "allow perf_event_open in the container's seccomp profile"},
		{unix.EACCES, true, true, false, "sudo sysctl kernel.perf_event_paranoid=2; in a container, allow perf_event_open in the container's seccomp profile"},
		{unix.EACCES, false, true, true, "sudo sysctl kernel.perf_event_paranoid=1, or give CAP_PERFMON; without it kernel time is known as a sum only"},
	} {
		require.Equal(t, test.want, eventMend(test.err, test.excludeKernel, test.allowed, test.filtered))
	}
}
