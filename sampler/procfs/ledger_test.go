package procfs

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

const ms = time.Millisecond

func TestLedger(t *testing.T) {
	f := newAccountTree(t)
	f.process(7, 1, "java", "java Main", 5, 0)
	f.thread(7, 7, "java", 11e6)
	f.thread(7, 8, "GC Thread#0", 13e6)
	f.thread(7, 9, "GC Thread#1", 17e6)
	l, err := f.Ledger(7, true)
	require.NoError(t, err)
	require.NoError(t, l.Read())
	require.Equal(t, ThreadTimes{Process: 50 * ms, ByName: map[string]time.Duration{"java": 11 * ms, "GC Thread": 30 * ms}, Unnamed: 9 * ms}, l.Times())

	// A thread ends after it has used 3 ms more than was seen; its number is another's now; a pool
	// renames a thread.
	f.process(7, 1, "java", "java Main", 8, 0)
	f.thread(7, 7, "main-loop-3", 18e6)
	f.thread(7, 9, "C2 CompilerThre", 10e6)
	require.NoError(t, l.Read())
	require.Equal(t, ThreadTimes{
		Process: 80 * ms, ByName: map[string]time.Duration{"java": 11 * ms, "main-loop": 7 * ms, "GC Thread": 30 * ms, "C2 CompilerThre": 10 * ms}, Unnamed: 22 * ms,
	}, l.Times())

	f.remove("7", "task", "9")
	f.process(7, 1, "java", "java Main", 9, 0)
	require.NoError(t, l.Clock())
	require.Equal(t, 90*ms, l.Times().Process, "the clock alone")
	f.remove("7")
	require.True(t, Gone(l.Read()))
	require.Equal(t, 90*ms, l.Times().Process, "what was read last stays")
}

// A reading that fails loses nothing of what is known, so the next books nothing twice.
func TestLedgerAfterAReadingThatFails(t *testing.T) {
	f := newAccountTree(t)
	f.process(7, 1, "java", "java Main", 5, 0)
	f.thread(7, 7, "java", 11e6)
	l, err := f.Ledger(7, true)
	require.NoError(t, err)
	require.NoError(t, l.Read())
	f.write("?", "7", "task", "7", "schedstat")
	require.Error(t, l.Read())
	f.thread(7, 7, "java", 12e6)
	require.NoError(t, l.Read())
	require.Equal(t, map[string]time.Duration{"java": 12 * ms}, l.Times().ByName)
}

// Threads of a real process: the kernel's count tells of a thread that has begun. One that takes
// the place of another is found a reading later.
func TestLedgerOfRealThreads(t *testing.T) {
	l, err := FS{}.Ledger(os.Getpid(), false)
	require.NoError(t, err)
	defer l.Close()
	work := func(name string) (end func()) {
		worked, stop, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			runtime.LockOSThread() // the thread ends with the goroutine
			assert.NoError(t, unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(unsafe.StringData(name+"\x00"))), 0, 0, 0))
			for begin := time.Now(); time.Since(begin) < 20*ms; {
			}
			close(worked)
			<-stop
		}()
		<-worked
		return func() { close(stop); <-ended }
	}
	end := work("pf-first")
	require.NoError(t, l.Read())
	require.Positive(t, l.Times().ByName["pf-first"])
	end()
	defer work("pf-second")()
	require.NoError(t, l.Read())
	require.NoError(t, l.Read())
	require.Positive(t, l.Times().ByName["pf-second"])
	n, err := FS{}.threadCount(os.Getpid())
	require.NoError(t, err)
	require.InDelta(t, len(l.threads), n, 2, "the runtime starts threads, too")
	_, err = FS{}.threadCount(1 << 30)
	require.True(t, Gone(err))
}

func TestLedgerThatBeginsLate(t *testing.T) {
	f := newAccountTree(t)
	f.process(7, 1, "java", "java Main", 500, 0)
	f.thread(7, 7, "java", 3e9)
	l, err := f.Ledger(7, false)
	require.NoError(t, err)
	f.process(7, 1, "java", "java Main", 503, 0)
	f.thread(7, 7, "java", 3e9+19e6)
	f.thread(7, 8, "Timer-0", 7e6)
	require.NoError(t, l.Read())
	require.Equal(t, ThreadTimes{Process: 30 * ms, ByName: map[string]time.Duration{"java": 19 * ms, "Timer": 7 * ms}, Unnamed: 4 * ms}, l.Times())
	_, err = f.Ledger(8, false)
	require.True(t, Gone(err))
}

// A name is read by the first four readings that find something, and after 8, 16 and so on: the
// new one takes effect there. Another thread with the number of one that has ended has its own name
// at once.
func TestNamesOfThreadsAreReadSeldom(t *testing.T) {
	f := newAccountTree(t)
	f.process(7, 1, "java", "java Main", 100, 0)
	l, err := f.Ledger(7, true)
	require.NoError(t, err)
	cpu := time.Duration(0)
	read := func(name string, used time.Duration) map[string]time.Duration {
		t.Helper()
		cpu += used
		f.thread(7, 9, name, int(cpu))
		require.NoError(t, l.Read())
		return l.Times().ByName
	}
	for _, name := range []string{"start-1", "start-2", "pool-1", "pool-2"} {
		read(name, 2*ms)
	}
	read("pool-2", 0) // nothing to book is no reading
	for range 4 {
		read("other-1", 3*ms)
	}
	require.Equal(t, map[string]time.Duration{"start": 4 * ms, "pool": 16 * ms}, l.Times().ByName, "readings five to eight ask for no name")
	require.Equal(t, map[string]time.Duration{"start": 4 * ms, "pool": 16 * ms, "other": 5 * ms}, read("other-1", 5*ms), "the ninth does")
	for range 7 {
		read("late-1", 1*ms)
	}
	require.Equal(t, map[string]time.Duration{"start": 4 * ms, "pool": 16 * ms, "other": 12 * ms, "late": 11 * ms}, read("late-1", 11*ms), "the seventeenth does")
	cpu = 0
	require.Equal(t, map[string]time.Duration{"start": 4 * ms, "pool": 16 * ms, "other": 12 * ms, "late": 11 * ms, "fresh": 7 * ms}, read("fresh", 7*ms))
}

func TestNamesOfThreadsAreBounded(t *testing.T) {
	f := newAccountTree(t)
	f.process(7, 1, "java", "java Main", 100, 0)
	for i := range MaxThreadNames + 3 {
		f.thread(7, 100+i, fmt.Sprintf("pool%dx", i), 1e6)
	}
	l, err := f.Ledger(7, true)
	require.NoError(t, err)
	require.NoError(t, l.Read())
	got := l.Times()
	require.Len(t, got.ByName, MaxThreadNames+1)
	require.Equal(t, 3*ms, got.ByName[OverflowName])
	require.EqualValues(t, 3, got.Overflow)
}

func TestFamily(t *testing.T) {
	f := newAccountTree(t)
	f.process(7, 1, "java", "java Main", 5, 0)
	family, tree := f.Family(7, true), &Tree{FS: f.FS}
	read := func() FamilyTimes {
		t.Helper()
		require.NoError(t, tree.Scan())
		require.NoError(t, family.Read(tree))
		return family.Times()
	}
	require.Zero(t, read())
	require.False(t, family.Members())

	f.process(20, 7, "java", "/usr/bin/java Main", 1, 0) // between fork and exec
	f.process(21, 7, "sh", "sh -c true", 2, 0)
	f.process(90, 1, "other", "of no interest", 900, 0)
	require.Equal(t, FamilyTimes{Others: 30 * ms}, read())

	f.process(20, 7, "python3", "python3 -m pyspark.daemon pyspark.worker", 9, 0)
	f.process(30, 20, "python3", "python3 -m pyspark.daemon pyspark.worker", 3, 0)
	require.Equal(t, FamilyTimes{Others: 30 * ms, Daemons: 80 * ms, Workers: 30 * ms, Live: 1, Started: 1}, read())

	// The worker starts a process of its own and ends; the daemon does not wait for it. The shell
	// ends and is waited for, with more than was seen.
	f.process(40, 30, "gzip", "gzip", 5, 0)
	f.process(30, 20, "python3", "python3 -m pyspark.daemon pyspark.worker", 13, 0)
	require.Equal(t, FamilyTimes{Others: 30 * ms, Daemons: 80 * ms, Workers: 180 * ms, Live: 2, Started: 2}, read())
	f.remove("30")
	f.remove("40")
	f.remove("21")
	f.process(7, 1, "java", "java Main", 5, 6)
	require.Equal(t, FamilyTimes{Others: 70 * ms, Daemons: 80 * ms, Workers: 180 * ms, Started: 2}, read())

	// A worker that lives between two full readings.
	f.write("31 ", "20", "task", "20", "children")
	f.process(31, 20, "python3", "python3 -m pyspark.daemon pyspark.worker", 4, 0)
	family.Clocks()
	f.remove("31")
	require.Equal(t, FamilyTimes{Others: 70 * ms, Daemons: 80 * ms, Workers: 220 * ms, Started: 3}, read())

	// The daemon ends: its parent has waited for it.
	f.remove("20")
	f.process(7, 1, "java", "java Main", 5, 18)
	require.Equal(t, FamilyTimes{Others: 70 * ms, Daemons: 110 * ms, Workers: 220 * ms, Started: 3}, read())
	f.remove("7")
	require.NoError(t, tree.Scan())
	require.True(t, Gone(family.Read(tree)))
}

// A daemon is told from the JVM's copy in the reading in which its workers, and what they started,
// are read for the first time.
func TestWorkersOfADaemonThatIsToldLate(t *testing.T) {
	f := newAccountTree(t)
	f.process(7, 1, "java", "java Main", 5, 0)
	family, tree := f.Family(7, true), &Tree{FS: f.FS}
	f.process(20, 7, "python3", "python3 -m pyspark.daemon pyspark.worker", 9, 0)
	for i := range 12 {
		f.process(30+i, 20, "python3", "python3 -m pyspark.daemon pyspark.worker", 3, 0)
		f.process(60+i, 30+i, "gzip", "gzip", 5, 0)
	}
	require.NoError(t, tree.Scan())
	require.NoError(t, family.Read(tree))
	require.Equal(t, FamilyTimes{Daemons: 90 * ms, Workers: 12 * 80 * ms, Live: 24, Started: 24}, family.Times())
}

func TestFamilyThatBeginsLate(t *testing.T) {
	f := newAccountTree(t)
	f.process(7, 1, "java", "java Main", 500, 40)
	f.process(20, 7, "python3", "python3 -m pyspark.daemon", 100, 7)
	f.process(30, 20, "python3", "python3 -m pyspark.daemon", 300, 0)
	family, tree := f.Family(7, false), &Tree{FS: f.FS}
	require.NoError(t, tree.Scan())
	require.NoError(t, family.Read(tree))
	got := family.Times()
	assert.Zero(t, got.Workers+got.Daemons+got.Others, "what ran before")
	f.process(30, 20, "python3", "python3 -m pyspark.daemon", 303, 0)
	f.process(31, 20, "python3", "python3 -m pyspark.daemon", 5, 0)
	require.NoError(t, tree.Scan())
	require.NoError(t, family.Read(tree))
	require.Equal(t, FamilyTimes{Workers: 80 * ms, Live: 2, Started: 2}, family.Times())
}
