package procfs

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/internal/testkit"
)

func TestParseStat(t *testing.T) {
	fields := " S 17 1 1 0 -1 4194304 9 9 9 9 1 2 3 4 20 0 7 0 4711 5 6 7"
	cases := map[string]struct {
		in   string
		want Stat
		err  string
	}{
		"plain":                  {"12 (java)" + fields, Stat{"java", 'S', 17, 4711}, ""},
		"spaces and brackets":    {"12 (a) b (c)" + fields, Stat{"a) b (c", 'S', 17, 4711}, ""},
		"no name":                {"12 java S 17", Stat{}, "no command name"},
		"cut":                    {"12 (java) S 17 1", Stat{}, "3 fields"},
		"parent is no number":    {strings.Replace("12 (java)"+fields, "17", "x", 1), Stat{}, "parent"},
		"start is no number":     {strings.Replace("12 (java)"+fields, "4711", "-4", 1), Stat{}, "start time"},
		"brackets the wrong way": {")(", Stat{}, "no command name"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := parseStat([]byte(c.in))
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestParseNSpid(t *testing.T) {
	ids, err := parseNSpid("Name:\tjava\nPid:\t500\nNSpid:\t500\t30\t1\nNSpgid:\t3\n")
	require.NoError(t, err)
	assert.Equal(t, []int{500, 30, 1}, ids)
	_, err = parseNSpid("Name:\tjava\n")
	assert.ErrorContains(t, err, "no NSpid")
	_, err = parseNSpid("NSpid:\tx\n")
	assert.ErrorContains(t, err, "NSpid")
}

func TestParseMaps(t *testing.T) {
	m, err := parseMaps(strings.NewReader(`7f0000000000-7f0000010000 rwxp 00000000 00:00 0
7f0000010000-7f0000020000 r--p 00000000 fe:00 31 /usr/lib/libc.so.6
7f0000020000-7f0000030000 r-xp 00010000 fe:00 31                         /usr/lib/libc.so.6
7f0000040000-7f0000050000 r-xp 00000000 fe:00 37                         /opt/with space/libz.so (deleted)
7fff00000000-7fff00001000 r-xp 00000000 00:00 0                          [vdso]
`))
	require.NoError(t, err)
	require.Len(t, m, 4)
	for addr, want := range map[uint64]struct {
		path      string
		found     bool
		file, lib bool
	}{
		0x7f0000000000: {"", true, false, false},
		0x7f0000010000: {"", false, false, false},
		0x7f0000020000: {"/usr/lib/libc.so.6", true, true, true},
		0x7f000002ffff: {"/usr/lib/libc.so.6", true, true, true},
		0x7f0000030000: {"", false, false, false},
		0x7f0000041234: {"/opt/with space/libz.so (deleted)", true, true, false},
		0x7fff00000fff: {"[vdso]", true, true, false},
		0x7fff00001000: {"", false, false, false},
	} {
		got, ok := m.Find(addr)
		assert.Equal(t, want.found, ok, "%#x", addr)
		assert.Equal(t, want.path, got.Path, "%#x", addr)
		assert.Equal(t, want.file, got.File(), "%#x", addr)
		assert.Equal(t, want.lib, ok && got.CLibrary(), "%#x", addr)
	}
	for _, bad := range []string{"x", "10-20", "zz-20 r-xp 0 0 0", "10-zz r-xp 0 0 0", "20-10 r-xp 0 0 0", "10 r-xp 0 0 0", "10-30 r-xp 0 0 0\n20-40 r-xp 0 0 0"} {
		_, err := parseMaps(strings.NewReader(bad + "\n"))
		assert.Error(t, err, bad)
	}
}

func TestThisProcess(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var fs FS
	m, err := fs.Executable(os.Getpid())
	require.NoError(t, err)
	assert.NotEmpty(t, m)
	tids, err := fs.Threads(os.Getpid())
	require.NoError(t, err)
	tid, err := tids.Outer(unix.Gettid())
	require.NoError(t, err)
	assert.Equal(t, unix.Gettid(), tid)
	before := testkit.ThreadCPU()
	got, err := fs.ThreadCPU(os.Getpid(), tid)
	require.NoError(t, err)
	assert.InDelta(t, before, got, 20e6, "within two ticks of the thread's clock")
	_, err = fs.Stat(1 << 30)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// A process in a pid namespace of its own: its pid there and here are two numbers.
func TestThreadsAcrossPidNamespaces(t *testing.T) {
	tr := newTree(t)
	write := func(path, text string) {
		t.Helper()
		path = tr.root + "/" + path
		require.NoError(t, os.MkdirAll(path[:strings.LastIndex(path, "/")], 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write("500/status", "NSpid:\t500\t1\n")
	write("500/task/500/status", "NSpid:\t500\t1\n")
	write("500/task/507/status", "NSpid:\t507\t31\n")
	fs := FS{Root: tr.root}
	tids, err := fs.Threads(500)
	require.NoError(t, err)
	for inner, outer := range map[int]int{1: 500, 31: 507} {
		got, err := tids.Outer(inner)
		require.NoError(t, err)
		assert.Equal(t, outer, got)
	}
	_, err = tids.Outer(32)
	assert.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.RemoveAll(tr.root+"/500/task/507"))
	write("500/task/509/status", "NSpid:\t509\t31\n") // the number was used again
	got, err := tids.Outer(31)
	require.NoError(t, err)
	assert.Equal(t, 509, got)
}

// Threads that a JVM makes up are looked for once, not once each.
func TestThreadsAreListedOnce(t *testing.T) {
	tr := newTree(t)
	thread := func(outer, inner int) {
		dir := fmt.Sprintf("%s/500/task/%d", tr.root, outer)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(dir+"/status", fmt.Appendf(nil, "NSpid:\t%d\t%d\n", outer, inner), 0o644))
	}
	thread(500, 1)
	require.NoError(t, os.WriteFile(tr.root+"/500/status", []byte("NSpid:\t500\t1\n"), 0o644))
	tids, err := FS{Root: tr.root}.Threads(500)
	require.NoError(t, err)
	tids.Begin()
	for inner := range 100 {
		_, err := tids.Outer(inner + 31)
		require.ErrorIs(t, err, os.ErrNotExist)
		thread(507+inner, inner+31) // a second listing would find it
	}
	outer, err := tids.Outer(1)
	require.NoError(t, err)
	assert.Equal(t, 500, outer)
	tids.Begin()
	outer, err = tids.Outer(130)
	require.NoError(t, err)
	assert.Equal(t, 606, outer)
	require.NoError(t, os.RemoveAll(tr.root+"/500/task/606"))
	thread(609, 130)
	_, err = tids.Outer(130)
	require.ErrorIs(t, err, os.ErrNotExist, "another thread with its number")
	tids.Begin()
	outer, err = tids.Outer(130)
	require.NoError(t, err)
	assert.Equal(t, 609, outer)
}

func TestSchedstat(t *testing.T) {
	cpu, queued, err := parseSchedstat([]byte("12345 678 90\n"))
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{12345, 678}, []time.Duration{cpu, queued})
	for _, bad := range []string{"", "1", "1 x 2", "x 1 2", "-1 1 1"} {
		_, _, err := parseSchedstat([]byte(bad))
		assert.Error(t, err, bad)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("12 (java) S 17 1 1 0 -1 4194304 9 9 9 9 1 2 3 4 20 0 7 0 4711 5")
	f.Add("7f0000040000-7f0000050000 r-xp 00000000 fe:00 37    /opt/with space/libz.so (deleted)\n")
	f.Add("NSpid:\t500\t30\t1\n")
	f.Add("0::/kubepods/besteffort/pod" + podDashes + "/" + containerA + "\n")
	f.Add("Uid:\t1000\t185\t1001\t1002\n")
	f.Fuzz(func(t *testing.T, s string) {
		if st, err := parseStat([]byte(s)); err == nil && st.State == 0 {
			t.Fatal("a stat without a state")
		}
		if ids, err := parseNSpid(s); err == nil && len(ids) == 0 {
			t.Fatal("no ids and no error")
		}
		if ids, err := parseIDs(s, "Uid:"); err == nil && !strings.Contains(s, "Uid:") {
			t.Fatalf("ids %d", ids)
		}
		if paths, err := parseCgroup(s); err == nil {
			if c := ContainerOf(paths); len(c.ID) != 0 && len(c.ID) != 64 || len(c.PodUID) != 0 && len(c.PodUID) != 36 {
				t.Fatalf("%+v of %q", c, paths)
			}
		}
		m, err := parseMaps(strings.NewReader(s))
		for i := range m {
			if err == nil && (m[i].Low >= m[i].High || i > 0 && m[i].Low < m[i-1].High) {
				t.Fatalf("mapping %d: %+v", i, m)
			}
		}
	})
}
