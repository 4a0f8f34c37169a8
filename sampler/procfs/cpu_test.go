package procfs

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestParseCPUTimes(t *testing.T) {
	fields := " S 17 1 1 0 -1 4194304 9 9 9 9 11 13 17 19 20 0 7 0 4711 5 6 7"
	cases := map[string]struct {
		in   string
		want CPUTimes
		err  string
	}{
		"plain":               {"12 (java)" + fields, CPUTimes{"java", 240 * time.Millisecond, 360 * time.Millisecond}, ""},
		"spaces and brackets": {"12 (a) b (c)" + fields, CPUTimes{"a) b (c", 240 * time.Millisecond, 360 * time.Millisecond}, ""},
		"cut":                 {"12 (java) S 17 1", CPUTimes{}, "3 fields"},
		"no name":             {"12 java", CPUTimes{}, "no command name"},
		"no number":           {strings.Replace("12 (java)"+fields, " 13 ", " x ", 1), CPUTimes{}, "field 15"},
		"negative":            {strings.Replace("12 (java)"+fields, " 19 ", " -19 ", 1), CPUTimes{}, "field 17"},
		"more than time has":  {strings.Replace("12 (java)"+fields, " 11 ", " 999999999999999 ", 1), CPUTimes{}, "field 14"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := parseCPUTimes([]byte(c.in))
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func FuzzParseCPUTimes(f *testing.F) {
	f.Add([]byte("12 (java) S 17 1 1 0 -1 4194304 9 9 9 9 11 13 17 19 20 0 7 0 4711"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := parseCPUTimes(b); err == nil && (got.Own < 0 || got.Children < 0) {
			t.Fatalf("%q: %+v", b, got)
		}
	})
}

// The clock of a process, seen from outside, is what the process itself reads.
func TestCPUClock(t *testing.T) {
	var before, after unix.Timespec
	require.NoError(t, unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &before))
	got, err := FS{}.CPUClock(os.Getpid())
	require.NoError(t, err)
	require.NoError(t, unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &after))
	assert.GreaterOrEqual(t, int64(got), before.Nano())
	assert.LessOrEqual(t, int64(got), after.Nano())
}

func TestCPUClockOfAProcessThatIsGone(t *testing.T) {
	cmd := exec.Command("true")
	require.NoError(t, cmd.Run())
	_, err := FS{}.CPUClock(cmd.Process.Pid)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.True(t, Gone(err))
}

func TestWithoutNumbers(t *testing.T) {
	for name, want := range map[string]string{
		"GC Thread#0": "GC Thread", "GC Thread#17": "GC Thread", "G1 Conc#0": "G1 Conc", "C2 CompilerThre": "C2 CompilerThre", "C1 CompilerThre": "C1 CompilerThre",
		"shuffle-client-": "shuffle-client", "rpc-server-4-1": "rpc-server", "pool-7-thread-1": "pool--thread", "Thread-4": "Thread", "Executor task l": "Executor task l",
		"42": "", "": "",
	} {
		assert.Equal(t, want, withoutNumbers(name), "%q", name)
	}
}

// accountTree is a proc file system of a test.
type accountTree struct {
	t *testing.T
	FS
}

func newAccountTree(t *testing.T) accountTree { return accountTree{t, FS{Root: t.TempDir()}} }

func (f accountTree) write(text string, path ...string) {
	f.t.Helper()
	p := f.path(path...)
	require.NoError(f.t, os.MkdirAll(filepath.Dir(p), 0o755))
	require.NoError(f.t, os.WriteFile(p, []byte(text), 0o644))
}

// process writes a process: ticks are of its own and of children that it has waited for.
func (f accountTree) process(pid, parent int, comm, line string, own, waited int) {
	f.t.Helper()
	f.write(fmt.Sprintf("%d (%s) S %d 1 1 0 -1 0 9 9 9 9 %d 0 %d 0 20 0 7 0 4711 5 6 7", pid, comm, parent, own, waited), strconv.Itoa(pid), "stat")
	f.write(strings.ReplaceAll(line, " ", "\x00")+"\x00", strconv.Itoa(pid), "cmdline")
}

func (f accountTree) thread(pid, tid int, name string, nanos int) {
	f.t.Helper()
	f.write(name+"\n", strconv.Itoa(pid), "task", strconv.Itoa(tid), "comm")
	f.write(fmt.Sprintf("%d 3 5\n", nanos), strconv.Itoa(pid), "task", strconv.Itoa(tid), "schedstat")
}

func (f accountTree) remove(path ...string) {
	f.t.Helper()
	require.NoError(f.t, os.RemoveAll(f.path(path...)))
}
