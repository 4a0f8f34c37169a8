package procfs

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// idleThreads are threads of this process that do nothing until the benchmark ends.
func idleThreads(b *testing.B, n int) {
	stop := make(chan struct{})
	var ready, ended sync.WaitGroup
	for range n {
		ready.Add(1)
		ended.Go(func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			ready.Done()
			<-stop
		})
	}
	ready.Wait()
	b.Cleanup(func() { close(stop); ended.Wait() })
}

func BenchmarkLedgerRead(b *testing.B) {
	for _, n := range []int{50, 200} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			idleThreads(b, n)
			l, err := FS{}.Ledger(os.Getpid(), false)
			require.NoError(b, err)
			defer l.Close()
			before, err := FS{}.CPUClock(os.Getpid()) // a busy machine stretches the time that has elapsed
			require.NoError(b, err)
			for b.Loop() {
				require.NoError(b, l.Read())
			}
			after, err := FS{}.CPUClock(os.Getpid())
			require.NoError(b, err)
			require.GreaterOrEqual(b, len(l.threads), n)
			b.ReportMetric(float64(after-before)/float64(b.N)/float64(len(l.threads)), "cpu-ns/thread")
		})
	}
}

func BenchmarkLedgerClock(b *testing.B) {
	l, err := FS{}.Ledger(os.Getpid(), false)
	require.NoError(b, err)
	for b.Loop() {
		require.NoError(b, l.Clock())
	}
}

func BenchmarkTreeScan(b *testing.B) {
	t := Tree{}
	for b.Loop() {
		require.NoError(b, t.Scan())
	}
	b.ReportMetric(float64(len(t.parents)), "processes")
}

func BenchmarkScanOfThisMachine(b *testing.B) {
	var s Scanner
	r, err := s.Scan(nil)
	require.NoError(b, err)
	for b.Loop() {
		_, err := s.Scan(nil)
		require.NoError(b, err)
	}
	b.ReportMetric(float64(r.Processes), "processes")
}

// BenchmarkLook is one look into a process: for the mapped memfds, and for what opening them takes.
// PLANFLAME_BENCH_PID names a JVM; without it the process is this one.
func BenchmarkLook(b *testing.B) {
	pid := os.Getpid()
	if text := os.Getenv("PLANFLAME_BENCH_PID"); text != "" {
		var err error
		pid, err = strconv.Atoi(text)
		require.NoError(b, err)
	} else {
		ownAgent(b)
	}
	p, ok, err := FS{}.Agent(pid)
	require.NoError(b, err)
	require.True(b, ok, "pid %d has no agent", pid)
	buf := make([]byte, mapsBuffer)
	b.Run("maps", func(b *testing.B) {
		read := 0
		for b.Loop() {
			_, _, read, err = FS{}.find(p.Identity, buf)
			require.NoError(b, err)
		}
		b.ReportMetric(float64(read), "maps-bytes")
	})
	b.Run("links of all descriptors", func(b *testing.B) { // what a scan did before mappings: only the process's user may
		names := 0
		for b.Loop() {
			dir := FS{}.path(strconv.Itoa(pid), "fd")
			fds, err := readDirNames(dir, -1)
			require.NoError(b, err)
			names = len(fds)
			for _, fd := range fds {
				_, _ = os.Readlink(dir + "/" + fd) // closed meanwhile
			}
		}
		b.ReportMetric(float64(names), "descriptors")
	})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			m, err := p.Open()
			require.NoError(b, err)
			require.NoError(b, m.Close())
		}
	})
}
