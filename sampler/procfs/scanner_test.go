package procfs

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tree is a proc file system of a test's own.
type tree struct {
	t    *testing.T
	root string
}

func newTree(t *testing.T) tree { return tree{t: t, root: t.TempDir()} }

func (tr tree) process(pid, parent int, comm string, start uint64, maps string) {
	tr.t.Helper()
	dir := filepath.Join(tr.root, strconv.Itoa(pid))
	require.NoError(tr.t, os.RemoveAll(dir))
	require.NoError(tr.t, os.MkdirAll(dir, 0o755))
	stat := fmt.Sprintf("%d (%s) S %d 1 1 0 -1 4194304 9 9 9 9 1 2 3 4 20 0 7 0 %d 5 6 7\n", pid, comm, parent, start)
	require.NoError(tr.t, os.WriteFile(filepath.Join(dir, "stat"), []byte(stat), 0o644))
	require.NoError(tr.t, os.WriteFile(filepath.Join(dir, "maps"), []byte(maps), 0o644))
	if comm != "kthreadd" && parent != 2 {
		require.NoError(tr.t, os.Symlink("/usr/bin/"+comm, filepath.Join(dir, "exe")))
	}
}

// Lines of /proc/PID/maps.
const (
	otherMap   = "7f0000000000-7f0000001000 r--p 00000000 fe:01 77                         /usr/lib/libc.so.6\n7f0000002000-7f0000003000 rw-s 00000000 00:01 9                          /memfd:planflame-other (deleted)\n"
	controlMap = "7f1000000000-7f1000001000 rw-s 00000000 00:01 26                         /memfd:planflame-control (deleted)\n"
	logMap     = "7f2000000000-7f2001000000 rw-s 00000000 00:01 25                         /memfd:planflame-log (deleted)\n"
	jvmMaps    = otherMap + controlMap + logMap + otherMap
)

type clock struct{ now time.Duration }

func (c *clock) Now() time.Duration { return c.now }

func newScanner(tr tree) (*Scanner, *clock) {
	c := &clock{now: 10 * time.Second} // a process of 400 ticks is 6 s old
	return &Scanner{FS: FS{Root: tr.root}, Now: c.Now}, c
}

func scan(t *testing.T, s *Scanner) ScanResult {
	t.Helper()
	r, err := s.Scan(nil)
	require.NoError(t, err)
	return r
}

func TestScanFindsJVMsOnce(t *testing.T) {
	tr := newTree(t)
	require.NoError(t, os.Mkdir(filepath.Join(tr.root, "sys"), 0o755))
	tr.process(2, 0, "kthreadd", 1, "")
	tr.process(3, 2, "kworker/0:1", 1, "")
	tr.process(40, 1, "bash", 400, otherMap)
	tr.process(41, 40, "java", 410, jvmMaps)
	tr.process(42, 40, "java", 420, otherMap+logMap) // still starting
	s, c := newScanner(tr)
	r := scan(t, s)
	require.Len(t, r.Found, 1)
	p := r.Found[0]
	assert.Equal(t, Identity{PID: 41, StartTicks: 410}, p.Identity)
	assert.Equal(t, memfds{log: inode{dev: 1, number: 25}, control: inode{dev: 1, number: 26}}, p.memfds)
	assert.Equal(t, 5, r.Processes)
	assert.Equal(t, 3, r.Examined, "kernel threads are not")
	assert.Empty(t, scan(t, s).Found, "found already")

	s.Forget(41)
	assert.Len(t, scan(t, s).Found, 1)

	tr.process(41, 40, "java", 999, jvmMaps) // the pid was used again
	c.now += DefaultRecheck
	r = scan(t, s)
	require.Len(t, r.Found, 1)
	assert.Equal(t, uint64(999), r.Found[0].StartTicks)
}

func TestScanLeavesOldProcessesAloneForAWhile(t *testing.T) {
	tr := newTree(t)
	tr.process(40, 1, "java", 400, "")
	s, c := newScanner(tr)
	assert.Equal(t, 1, scan(t, s).Examined)
	assert.Equal(t, 1, scan(t, s).Examined, "young")
	c.now += DefaultYoung
	assert.Equal(t, 1, scan(t, s).Examined)
	tr.process(40, 1, "java", 400, jvmMaps) // its agent is loaded
	assert.Equal(t, 0, scan(t, s).Examined, "not before the next recheck")
	c.now += DefaultRecheck
	assert.Len(t, scan(t, s).Found, 1)
}

// Mappings of what is no JVM by its name are looked at again late, unless it gets another name.
func TestScanLooksIntoOtherProgramsRarely(t *testing.T) {
	tr := newTree(t)
	tr.process(40, 1, "jupyter-lab", 400, "")
	tr.process(41, 1, "java", 400, "")
	tr.process(42, 1, "launcher", 400, "")
	s, c := newScanner(tr)
	c.now += DefaultYoung
	assert.Equal(t, 3, scan(t, s).Examined)
	c.now += DefaultRecheck
	assert.Equal(t, 1, scan(t, s).Examined, "java alone")
	tr.process(42, 1, "daemon", 400, jvmMaps)
	c.now += DefaultRecheck
	r := scan(t, s)
	assert.Equal(t, 2, r.Examined, "java, and what has another name")
	require.Len(t, r.Found, 1)
	assert.Equal(t, 42, r.Found[0].PID)
	tr.process(40, 1, "jupyter-lab", 400, jvmMaps) // a JVM in it loads its agent late
	c.now += DefaultRecheckOthers - 3*DefaultRecheck
	assert.Equal(t, 1, scan(t, s).Examined, "java alone")
	c.now += 2 * DefaultRecheck
	r = scan(t, s)
	require.Len(t, r.Found, 1)
	assert.Equal(t, 40, r.Found[0].PID)
}

// The older a process is that is not called java, the less often its name is read.
func TestScanAsksOldProcessesRarely(t *testing.T) {
	tr := newTree(t)
	tr.process(40, 1, "bash", 400, "")
	s, c := newScanner(tr)
	c.now = 4*time.Second + 160*time.Second
	assert.Equal(t, 1, scan(t, s).Examined)
	tr.process(40, 1, "java", 400, jvmMaps) // by exec
	c.now += 160*time.Second/16 - 1
	assert.Empty(t, scan(t, s).Found)
	c.now++
	assert.Len(t, scan(t, s).Found, 1)

	tr.process(41, 1, "bash", 400, "")
	c.now += time.Hour
	scan(t, s)
	tr.process(41, 1, "java", 400, jvmMaps)
	c.now += DefaultRecheckOthers - 1
	assert.Empty(t, scan(t, s).Found)
	c.now++
	assert.Len(t, scan(t, s).Found, 1)
}

// A process that has a JVM's memory and is not that JVM, such as this one, is found again when it
// has memory of its own.
func TestScanOfWhatIsNoJVM(t *testing.T) {
	tr := newTree(t)
	tr.process(40, 1, "reader", 400, jvmMaps)
	s, c := newScanner(tr)
	require.Len(t, scan(t, s).Found, 1)
	s.NotFound(40)
	s.NotFound(99)
	for range 3 {
		r := scan(t, s)
		assert.Equal(t, 1, r.Examined, "young")
		assert.Empty(t, r.Found)
		c.now += DefaultYoung / 3
	}
	tr.process(40, 1, "java", 400, strings.ReplaceAll(jvmMaps, "00:01 26 ", "00:01 28 ")) // by exec
	c.now += DefaultRecheckOthers
	assert.Len(t, scan(t, s).Found, 1)
}

// While the kernel gives no number to a new process or thread, the folder of processes is not
// read; what is known is.
func TestScanListsProcessesWhenOneHasBegun(t *testing.T) {
	tr := newTree(t)
	last := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(tr.root, "loadavg"), []byte(text), 0o644))
	}
	last("0.20 0.18 0.12 1/80 41\n")
	tr.process(41, 1, "java", 410, jvmMaps)
	s, _ := newScanner(tr)
	require.Len(t, scan(t, s).Found, 1)
	tr.process(42, 1, "java", 420, jvmMaps)
	for range mostCalm {
		require.Empty(t, scan(t, s).Found)
	}
	require.Len(t, scan(t, s).Found, 1, "now and then it is")

	tr.process(43, 1, "java", 430, jvmMaps)
	last("0.20 0.18 0.12 1/80 43\n")
	require.Len(t, scan(t, s).Found, 1)
	s.Forget(43)
	require.Len(t, scan(t, s).Found, 1)

	last("0.00 0.00 0.00 0/0 0\n") // a kernel that does not say
	for pid := 44; pid < 47; pid++ {
		tr.process(pid, 1, "java", 440, jvmMaps)
		require.Len(t, scan(t, s).Found, 1)
	}
}

func TestScanHonoursTheFilter(t *testing.T) {
	tr := newTree(t)
	tr.process(41, 1, "java", 410, jvmMaps)
	tr.process(42, 1, "java", 420, jvmMaps)
	s, c := newScanner(tr)
	r, err := s.Scan(func(pid int) bool { return pid == 42 })
	require.NoError(t, err)
	require.Len(t, r.Found, 1)
	assert.Equal(t, 42, r.Found[0].PID)
	asked := 0
	for range 3 {
		_, err = s.Scan(func(int) bool { asked++; return true })
		require.NoError(t, err)
	}
	assert.Zero(t, asked, "neither the found nor the refused")
	c.now += DefaultRecheck
	r, err = s.Scan(func(int) bool { asked++; return true })
	require.NoError(t, err)
	assert.Equal(t, 1, asked)
	assert.Len(t, r.Found, 1)
}

func TestScanWithoutProcIsAnError(t *testing.T) {
	s := Scanner{FS: FS{Root: "/nonexistent"}}
	_, err := s.Scan(nil)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestDescends(t *testing.T) {
	tr := newTree(t)
	tr.process(10, 1, "a", 1, "")
	tr.process(11, 10, "b", 1, "")
	tr.process(12, 11, "c", 1, "")
	fs := FS{Root: tr.root}
	assert.True(t, fs.Descends(12, 10))
	assert.True(t, fs.Descends(10, 10))
	assert.False(t, fs.Descends(10, 12))
	assert.False(t, fs.Descends(99, 10))
	self := FS{}
	assert.True(t, self.Descends(os.Getpid(), os.Getppid()))
}

// A process called java with a megabyte of mappings is no executor; it is looked at as rarely as
// other programs.
func TestScanLooksRarelyIntoManyMappings(t *testing.T) {
	tr := newTree(t)
	tr.process(40, 1, "java", 400, strings.Repeat(otherMap, muchMaps/len(otherMap)+1))
	s, c := newScanner(tr)
	c.now += DefaultYoung
	assert.Equal(t, 1, scan(t, s).Examined)
	c.now += DefaultRecheck
	assert.Zero(t, scan(t, s).Examined)
	c.now += DefaultRecheckOthers
	assert.Equal(t, 1, scan(t, s).Examined)
}

// Processes that may not be looked at count only if they are called java.
func TestScanCountsUnreadableJVMs(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read all files")
	}
	tr := newTree(t)
	for pid, comm := range map[int]string{40: "java", 41: "bash", 42: "java", 43: "java"} {
		tr.process(pid, 1, comm, 400, jvmMaps)
		if pid != 42 {
			require.NoError(t, os.Chmod(filepath.Join(tr.root, strconv.Itoa(pid), "maps"), 0))
		}
	}
	s, c := newScanner(tr)
	r := scan(t, s)
	require.Len(t, r.Found, 1)
	assert.ElementsMatch(t, []int{40, 43}, r.Unreadable)
	require.NoError(t, os.RemoveAll(filepath.Join(tr.root, "40")))
	c.now += DefaultRecheck
	r = scan(t, s)
	assert.Equal(t, []int{43}, r.Unreadable)
}
