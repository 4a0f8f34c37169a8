package sampler

import (
	"os"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/unwind"
)

// mute is a page whose faults no one answers, until answer: userfaultfd(2).
func mute(t *testing.T) (page []byte, answer func()) {
	t.Helper()
	fd, _, errno := unix.Syscall(unix.SYS_USERFAULTFD, unix.O_CLOEXEC, 0, 0)
	if errno != 0 && os.Getenv("CI") == "" {
		t.Skipf("userfaultfd: %v: run it as root", errno)
	}
	require.Zero(t, errno)
	page, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	require.NoError(t, err)
	control := func(request uintptr, words ...uint64) {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(&words[0])))
		require.Zero(t, errno)
	}
	at, length := uint64(uintptr(unsafe.Pointer(&page[0]))), uint64(len(page))
	const api, register, zero = 0xc018aa3f, 0xc020aa00, 0xc020aa04 // UFFDIO_API, _REGISTER, _ZEROPAGE
	control(api, 0xaa, 0, 0)
	control(register, at, length, 1, 0)
	return page, func() {
		control(zero, at, length, 0, 0)
		require.NoError(t, unix.Close(int(fd)))
		require.NoError(t, unix.Munmap(page))
	}
}

// A JVM whose memory does not answer delays the others for some seconds at most, and what waits in
// its memory touches nothing once that answers.
func TestMemoryThatDoesNotAnswer(t *testing.T) {
	page, answer := mute(t)
	at := uint64(uintptr(unsafe.Pointer(&page[0])))
	var r readers
	m := unwind.NewProcessMemory(os.Getpid())
	good, goesOn := [8]byte{}, false
	word := uint64(7)
	require.NoError(t, r.run(m, func() {
		require.NoError(t, m.ReadAt(good[:], uint64(uintptr(unsafe.Pointer(&word)))))
	}))
	require.Equal(t, byte(7), good[0])

	began, ended := time.Now(), make(chan struct{})
	err := r.run(m, func() {
		defer close(ended)
		_ = m.ReadAt(make([]byte, 8), at)
		goesOn = true
	})
	require.ErrorIs(t, err, errStuck)
	require.Less(t, time.Since(began), 4*mostReadTime)
	require.Equal(t, int32(1), r.stuck.Load())

	next := unwind.NewProcessMemory(os.Getpid())
	r.stuck.Add(mostStuck - 1)
	require.NoError(t, r.allow(next))
	require.ErrorIs(t, next.ReadAt(good[:], at), os.ErrClosed, "too many are stuck")
	r.stuck.Add(1 - mostStuck)

	answer()
	<-ended
	require.False(t, goesOn)
	require.Eventually(t, func() bool { return r.stuck.Load() == 0 }, 10*time.Second, time.Millisecond)
}

// A panic of what reads one JVM is an error that has the stack.
func TestReaderPanics(t *testing.T) {
	var r readers
	m := unwind.NewProcessMemory(os.Getpid())
	err := r.run(m, func() { panic("forged") })
	require.ErrorIs(t, err, errPanic)
	require.ErrorContains(t, err, "forged")
	require.ErrorContains(t, err, "TestReaderPanics")
	require.NoError(t, r.run(m, func() {}))
	require.Zero(t, r.stuck.Load())
}

// A JVM whose reads are short but have no end is given up.
func TestReadsWithoutEnd(t *testing.T) {
	r := readers{checks: 1}
	m := unwind.NewProcessMemory(os.Getpid())
	word := uint64(7)
	ended := make(chan struct{})
	err := r.run(m, func() {
		defer close(ended)
		for b := [8]byte{}; m.ReadAt(b[:], uint64(uintptr(unsafe.Pointer(&word)))) == nil; {
		}
	})
	require.ErrorIs(t, err, errStuck)
	<-ended
	require.Eventually(t, func() bool { return r.stuck.Load() == 0 }, 10*time.Second, time.Millisecond)
}
