package jvmlog

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// residentLog is a log with a ring of a MiB behind a header of one page, and what it let go, in
// pages of the ring.
func residentLog(t *testing.T) (l *Log, pages map[int]int) {
	t.Helper()
	const ring = 1 << 20
	page := os.Getpagesize()
	l = &Log{mem: alignedBytes(page + ring), geometry: Header{RecordsOffset: uint64(page), RecordsBytes: ring}}
	pages = map[int]int{}
	l.drop = func(b []byte) error {
		at := cap(l.mem) - cap(b) - page
		require.Zero(t, at%page)
		require.Zero(t, len(b)%page)
		for n := range len(b) / page {
			pages[at/page+n]++
		}
		return nil
	}
	return l, pages
}

func TestReadRecordsAreLetGo(t *testing.T) {
	l, pages := residentLog(t)
	page := os.Getpagesize()
	l.letGo(dropBytes - 1)
	require.Empty(t, pages, "too little")
	l.letGo(dropBytes + 8)
	require.Len(t, pages, dropBytes/page)
	l.letGo(dropBytes + 16)
	require.Len(t, pages, dropBytes/page)

	// Around the end of the ring.
	l.letGo(3 * dropBytes)
	clear(pages)
	l.letGo(5*dropBytes + 8)
	require.Len(t, pages, 2*dropBytes/page)
	for _, n := range []int{0, dropBytes/page - 1, 3 * dropBytes / page, 4*dropBytes/page - 1} {
		require.Equal(t, 1, pages[n], "page %d", n)
	}

	// More than the ring holds: all of it, once, but for the page in which the reader stands.
	clear(pages)
	l.letGo(50*dropBytes + 16)
	require.Len(t, pages, 4*dropBytes/page-1)
	for n, times := range pages {
		require.Equal(t, 1, times, "page %d", n)
	}
}

func TestLogsOfOurOwnMemoryKeepIt(t *testing.T) {
	l, pages := residentLog(t)
	drop := l.drop
	l.drop = nil
	l.letGo(10 * dropBytes)
	l.drop = func(b []byte) error { return errors.Join(drop(b), unix.EINVAL) }
	clear(pages)
	l.letGo(20 * dropBytes)
	require.NotEmpty(t, pages)
	clear(pages)
	l.letGo(30 * dropBytes)
	require.Empty(t, pages, "a kernel that refuses is not asked again")
}

// What was let go can still be read.
func TestLetGoKeepsTheContent(t *testing.T) {
	fd, err := unix.MemfdCreate("planflame-test", unix.MFD_CLOEXEC)
	require.NoError(t, err)
	f := os.NewFile(uintptr(fd), "memfd")
	defer f.Close()
	const bytes = 1 << 20
	content := make([]byte, bytes)
	for i := range content {
		content[i] = byte(i / 3)
	}
	_, err = f.Write(content)
	require.NoError(t, err)
	mem, err := unix.Mmap(fd, 0, bytes, unix.PROT_READ, unix.MAP_SHARED)
	require.NoError(t, err)
	require.Equal(t, content, mem)
	l := &Log{mem: mem, geometry: Header{RecordsBytes: bytes}}
	l.drop = func(b []byte) error { return unix.Madvise(b, unix.MADV_DONTNEED) }
	l.letGo(bytes)
	require.Equal(t, content, mem)
	require.NoError(t, unix.Munmap(mem))
}
