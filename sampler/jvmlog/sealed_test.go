package jvmlog

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// What a process calls by the memfds' names is its own choice: each of these is refused, and none
// is waited for.
func TestFilesThatAreNotMapped(t *testing.T) {
	const size = 1 << 21 // a huge page
	memfd := func(flags int) *os.File {
		fd, err := unix.MemfdCreate("planflame-log", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING|flags)
		require.NoError(t, err)
		f := os.NewFile(uintptr(fd), "test memory")
		t.Cleanup(func() { require.NoError(t, f.Close()) })
		require.NoError(t, f.Truncate(size))
		_, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, requiredSeals)
		require.NoError(t, err)
		return f
	}
	open := func(path string) *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|unix.O_NONBLOCK, 0)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, f.Close()) })
		return f
	}
	fifo, file := filepath.Join(t.TempDir(), "fifo"), filepath.Join(t.TempDir(), "file")
	require.NoError(t, unix.Mkfifo(fifo, 0o600))
	require.NoError(t, os.WriteFile(file, make([]byte, size), 0o600))
	for _, c := range []struct {
		name string
		f    *os.File
		want string
	}{
		{"a device", open("/dev/zero"), "is not a regular file"},
		{"a FIFO", open(fifo), "is not a regular file"},
		{"huge pages", memfd(unix.MFD_HUGETLB), "file system of type 0x958458f6 is not tmpfs"},
		{"a file", open(file), ""}, // its folder may be on a tmpfs: then it has no seals
	} {
		_, err := Open(c.f)
		require.ErrorIs(t, err, ErrNotSealed, c.name)
		require.ErrorContains(t, err, c.want, c.name)
		_, err = OpenControl(c.f)
		require.ErrorIs(t, err, ErrNotSealed, c.name)
	}
	_, err := Open(memfd(0))
	require.ErrorIs(t, err, ErrNotReady, "the checks themselves pass")
	_, err = mapSealed(memfd(0), unix.PROT_READ, 1, size-1)
	require.ErrorContains(t, err, "2097152 bytes are not in 1 … 2097151")
}
