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
	_, err = sealedSize(memfd(0), 1, size-1)
	require.ErrorContains(t, err, "2097152 bytes are not in 1 … 2097151")
}

// A log that was never written costs its reader no memory, whatever it claims.
func TestHolesAreNotFilled(t *testing.T) {
	const records = MaxLogBytes - testRecords
	h := testHeader()
	h.TotalBytes, h.RecordsBytes = MaxLogBytes, records
	h.RecordsCommitted, h.EventsHead, h.ThreadsHighWater = 0, uint64(h.EventSlots), h.ThreadSlots
	m := newMemory(t, EncodeHeader(nil, &h), 0)
	require.NoError(t, m.f.Truncate(MaxLogBytes))
	_, err := unix.FcntlInt(m.f.Fd(), unix.F_ADD_SEALS, requiredSeals)
	require.NoError(t, err)
	l, err := Open(m.f)
	require.NoError(t, err)
	before := pages(t, m.f)
	require.Empty(t, l.Threads(nil))
	next, missed := l.Events(0, func(TaskEvent) { t.Error("an event") })
	require.Zero(t, next+missed, "it is waited for")
	storeShared(m.b, hdrRecordsCommitted, le.AppendUint64(nil, records))
	next, missed, bad, err := l.Records(0, func(MonoTime, Record) error { return nil })
	require.NoError(t, err)
	require.Equal(t, []uint64{records, records, 1}, []uint64{next, missed, bad})
	require.Equal(t, before, pages(t, m.f))
	require.NoError(t, l.Close())
}

// pages is how much memory a memfd takes, in blocks of 512 bytes.
func pages(t *testing.T, f *os.File) int64 {
	var st unix.Stat_t
	require.NoError(t, unix.Fstat(int(f.Fd()), &st))
	return st.Blocks
}
