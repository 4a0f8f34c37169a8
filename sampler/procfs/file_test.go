package procfs

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// waiting starts a process that waits until end is called, which waits for its end.
func waiting(t *testing.T) (pid int, end func()) {
	t.Helper()
	cmd := exec.Command("sh", "-c", "read line")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd.Process.Pid, func() {
		require.NoError(t, in.Close())
		_ = cmd.Wait() // read met the end of its input
	}
}

// A kept file tells what is now, and of a process that has ended that it has.
func TestKeptFileOfAProcess(t *testing.T) {
	pid, end := waiting(t)
	room := 1
	k, other := kept{room: &room}, kept{room: &room}
	text, err := k.read(FS{}, strconv.Itoa(pid), "stat")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), strconv.Itoa(pid)+" (sh) "))
	require.Zero(t, room)
	_, err = other.read(FS{}, strconv.Itoa(pid), "status")
	require.NoError(t, err)
	require.Zero(t, other.fd, "there is no room")

	require.NoError(t, unix.Setpriority(unix.PRIO_PROCESS, pid, 19))
	text, err = k.read(FS{}, strconv.Itoa(pid), "stat")
	require.NoError(t, err)
	require.Equal(t, "19", strings.Fields(string(text))[18], "its niceness now")

	end()
	_, err = k.read(FS{}, strconv.Itoa(pid), "stat")
	require.ErrorIs(t, err, unix.ESRCH)
	require.True(t, Gone(err))
	k.close()
	k.close()
	require.Equal(t, 1, room)
	_, err = k.read(FS{}, strconv.Itoa(pid), "stat")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestReadFileReadsAll(t *testing.T) {
	want := strings.Repeat("0123456789", fileBytes)
	name := filepath.Join(t.TempDir(), "long")
	require.NoError(t, os.WriteFile(name, []byte(want), 0o644))
	got, err := readFile(name)
	require.NoError(t, err)
	require.Equal(t, want, string(got))
	k := kept{}
	for range 2 {
		text, err := k.read(FS{}, "self", "cmdline")
		require.NoError(t, err)
		require.Equal(t, strings.Join(os.Args, "\x00")+"\x00", string(text))
	}
	k.close()
}

// What ends leaves no descriptor behind, nor does an account that is over.
func TestAccountsKeepNoDescriptorOfWhatHasEnded(t *testing.T) {
	pid, end := waiting(t)
	before := len(openFiles(t))
	l, err := FS{}.Ledger(os.Getpid(), false)
	require.NoError(t, err)
	f, tree := FS{}.Family(os.Getpid(), false), &Tree{}
	read := func() {
		require.NoError(t, tree.Scan())
		require.NoError(t, f.Read(tree))
		require.NoError(t, l.Read())
	}
	read()
	require.NotNil(t, f.members[pid])
	require.Contains(t, strings.Join(openFiles(t), " "), "/proc/"+strconv.Itoa(pid)+"/stat")
	end()
	read()
	require.Nil(t, f.members[pid])
	require.NotContains(t, strings.Join(openFiles(t), " "), "/proc/"+strconv.Itoa(pid)+"/")
	l.Close()
	f.Close()
	tree.Close()
	require.LessOrEqual(t, len(openFiles(t)), before)
}

// openFiles are what this process's descriptors lead to.
func openFiles(t *testing.T) (out []string) {
	t.Helper()
	dir, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	for _, d := range dir {
		if to, err := os.Readlink("/proc/self/fd/" + d.Name()); err == nil {
			out = append(out, to)
		}
	}
	return out
}

// A thread that begins between two readings is read, as the kernel gave it a number.
func TestLedgerSeesNewThreads(t *testing.T) {
	l, err := FS{}.Ledger(os.Getpid(), false)
	require.NoError(t, err)
	defer l.Close()
	for range 3 * mostCalm {
		stop, tid, ended := make(chan struct{}), make(chan int), make(chan struct{})
		go func() {
			defer close(ended)
			lockedThread(tid, stop)
		}()
		id := <-tid
		require.NoError(t, l.Read())
		require.Contains(t, l.threads, id)
		close(stop)
		<-ended
	}
}

// A worker that was buried is not taken in again from a list of processes that is older.
func TestFamilyBuriesOnce(t *testing.T) {
	f := newAccountTree(t)
	f.process(7, 1, "java", "java Main", 5, 0)
	f.process(20, 7, "python3", "python3 -m pyspark.daemon pyspark.worker", 9, 0)
	f.process(30, 20, "python3", "python3 -m pyspark.daemon pyspark.worker", 3, 0)
	f.write("0.20 0.18 0.12 1/80 30\n", "loadavg")
	family, tree := f.Family(7, true), &Tree{FS: f.FS}
	for range mostCalm {
		require.NoError(t, tree.Scan())
		require.NoError(t, family.Read(tree))
		f.remove("30")
	}
	require.Equal(t, FamilyTimes{Daemons: 90 * time.Millisecond, Workers: 30 * time.Millisecond, Started: 1}, family.Times())
}

// lockedThread tells the number of a thread that lives until stop is closed.
func lockedThread(tid chan<- int, stop <-chan struct{}) {
	runtime.LockOSThread() // never unlocked: the thread ends with its goroutine
	tid <- unix.Gettid()
	<-stop
}
