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
