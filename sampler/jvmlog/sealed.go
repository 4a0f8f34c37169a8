package jvmlog

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// requiredSeals forbid that the memory under a mapping is taken away, and that this changes.
const requiredSeals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

// mapSealed maps a sealed memfd of so many bytes, shared.
func mapSealed(f *os.File, size int) ([]byte, error) {
	if _, err := sealedSize(f, int64(size), int64(size)); err != nil {
		return nil, err
	}
	mem, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return mem, nil
}

// sealedSize is the size of a sealed memfd of least … most bytes. The file is whatever another
// process named so: a FIFO, a file on a disk that stops answering, huge pages that are not there
// when they are touched. An error says that it is one of these, or that someone can take it away.
func sealedSize(f *os.File, least, most int64) (int64, error) {
	fd := int(f.Fd())
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return 0, os.NewSyscallError("fstat", err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return 0, fmt.Errorf("file of mode %#o is not a regular file: %w", st.Mode, ErrNotSealed)
	}
	var fs unix.Statfs_t
	if err := unix.Fstatfs(fd, &fs); err != nil {
		return 0, os.NewSyscallError("fstatfs", err)
	}
	if fs.Type != unix.TMPFS_MAGIC { // huge pages lie on hugetlbfs
		return 0, fmt.Errorf("file system of type %#x is not tmpfs: %w", fs.Type, ErrNotSealed)
	}
	seals, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	if err != nil || seals&requiredSeals != requiredSeals {
		return 0, fmt.Errorf("seals %#x: %w", max(seals, 0), ErrNotSealed)
	}
	if st.Size < least || st.Size > most {
		return 0, fmt.Errorf("%d bytes are not in %d … %d", st.Size, least, most)
	}
	return st.Size, nil
}
