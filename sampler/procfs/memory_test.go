package procfs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// mapped is a memfd of this process that is mapped, as an agent's are.
func mapped(t testing.TB, link string) (fd int, st unix.Stat_t) {
	t.Helper()
	fd, err := unix.MemfdCreate(link[len("/memfd:"):len(link)-len(" (deleted)")], unix.MFD_CLOEXEC)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Close(fd)) })
	require.NoError(t, unix.Ftruncate(fd, 4096))
	mem, err := unix.Mmap(fd, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Munmap(mem)) })
	require.NoError(t, unix.Fstat(fd, &st))
	return fd, st
}

// ownAgent is this process with both memfds, and descriptors of which nothing may be opened.
func ownAgent(t testing.TB) (p Process, logFD int, log, control unix.Stat_t) {
	t.Helper()
	decoy, err := unix.MemfdCreate("planflame-log", unix.MFD_CLOEXEC) // not mapped
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Close(decoy)) })
	logFD, log = mapped(t, logLink)
	_, control = mapped(t, controlLink)
	p, ok, err := FS{}.Agent(os.Getpid())
	require.NoError(t, err)
	require.True(t, ok)
	return p, logFD, log, control
}

// same checks that a file is the one of a stat, and what may be done with it.
func same(t *testing.T, want unix.Stat_t, f *os.File, writable bool) {
	t.Helper()
	var st unix.Stat_t
	require.NoError(t, unix.Fstat(int(f.Fd()), &st))
	assert.Equal(t, []uint64{want.Dev, want.Ino}, []uint64{st.Dev, st.Ino})
	_, err := f.WriteAt([]byte{1}, 0)
	if writable {
		assert.NoError(t, err)
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFD, 0)
	require.NoError(t, err)
	assert.Equal(t, unix.FD_CLOEXEC, flags&unix.FD_CLOEXEC, "no program that we start gets it")
}

func TestMemory(t *testing.T) {
	p, logFD, log, control := ownAgent(t)
	m, err := p.Open()
	require.NoError(t, err)
	assert.Equal(t, logFD, m.LogFD)
	same(t, log, m.Log, false)
	same(t, control, m.Control, true)
	require.NoError(t, m.Close())
}

// Without the right to duplicate descriptors, the process's own user opens them through their
// links.
func TestMemoryThroughLinks(t *testing.T) {
	p, logFD, log, control := ownAgent(t)
	candidates, err := p.candidates()
	require.NoError(t, err)
	m, err := p.take(candidates, p.openLink)
	require.NoError(t, err)
	assert.Equal(t, logFD, m.LogFD)
	same(t, log, m.Log, false)
	same(t, control, m.Control, true)
	require.NoError(t, m.Close())
}

// Kernels before 5.14 do not say which descriptor is which file: all numbers are tried.
func TestMemoryWithoutFdinfo(t *testing.T) {
	p, _, log, _ := ownAgent(t)
	all, err := p.allNumbers()
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(all), 64)
	candidates, err := p.candidates()
	require.NoError(t, err)
	assert.Less(t, len(candidates), 6, "inode numbers of other file systems may be the same")
	for _, open := range []func(int) (int, error){p.openLink, func(n int) (int, error) { return unix.FcntlInt(uintptr(n), unix.F_DUPFD_CLOEXEC, 0) }} {
		m, err := p.take(all, open)
		require.NoError(t, err)
		same(t, log, m.Log, false)
		require.NoError(t, m.Close())
	}
}

// fdinfo of a kernel before 5.14 has no inode.
func TestCandidatesOfAnOlderKernel(t *testing.T) {
	tr := newTree(t)
	tr.process(41, 1, "java", 410, jvmMaps)
	p, ok, err := FS{Root: tr.root}.Agent(41)
	require.NoError(t, err)
	require.True(t, ok)
	dir := filepath.Join(tr.root, "41")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "status"), []byte("Name:\tjava\nFDSize:\t3\n"), 0o644))
	fdinfo := func(fd int, ino string) {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "fdinfo"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "fdinfo", strconv.Itoa(fd)), []byte("pos:\t0\nflags:\t02\nmnt_id:\t13\n"+ino), 0o644))
	}
	fdinfo(0, "ino:\t3\n")
	fdinfo(7, "ino:\t26\n")
	fdinfo(9, "ino:\t25\n")
	got, err := p.candidates()
	require.NoError(t, err)
	assert.ElementsMatch(t, []int{7, 9}, got)
	fdinfo(5, "")
	got, err = p.candidates()
	require.NoError(t, err)
	assert.Equal(t, []int{0, 1, 2}, got)
}

// A process may have any number of descriptors. No more than maxDescriptors are read, and none with
// a larger number.
func TestCandidatesAreBounded(t *testing.T) {
	tr := newTree(t)
	tr.process(41, 1, "java", 410, jvmMaps)
	p, _, err := FS{Root: tr.root}.Agent(41)
	require.NoError(t, err)
	dir := filepath.Join(tr.root, "41", "fdinfo")
	require.NoError(t, os.Mkdir(dir, 0o755))
	fdinfo := func(fd int) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, strconv.Itoa(fd)), []byte("pos:\t0\nflags:\t02\nmnt_id:\t13\nino:\t25\n"), 0o644))
	}
	fdinfo(7)
	fdinfo(maxDescriptors)
	fdinfo(maxDescriptors - 1)
	got, err := p.candidates()
	require.NoError(t, err)
	assert.ElementsMatch(t, []int{7, maxDescriptors - 1}, got)
	names, err := readDirNames(dir, 2)
	require.NoError(t, err)
	assert.Len(t, names, 2)
}

func TestMemoryThatIsNotThere(t *testing.T) {
	p, _, _, _ := ownAgent(t)
	gone := p
	gone.memfds.control.number++ // mapped, but closed
	_, err := gone.Open()
	require.ErrorIs(t, err, fs.ErrNotExist)
	other := p
	other.StartTicks++ // the pid was used again
	_, err = other.Open()
	require.ErrorIs(t, err, fs.ErrNotExist)
	before, err := readDirNames("/proc/self/fd", -1)
	require.NoError(t, err)
	for range 3 {
		_, err = gone.Open()
		require.Error(t, err)
	}
	after, err := readDirNames("/proc/self/fd", -1)
	require.NoError(t, err)
	assert.Len(t, after, len(before), "nothing is left open")
}
