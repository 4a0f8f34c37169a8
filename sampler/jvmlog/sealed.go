package jvmlog

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// requiredSeals forbid that the memory under a mapping is taken away, and that this changes.
const requiredSeals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

// mapSealed maps a sealed memfd of least … most bytes, shared. The file is whatever another process
// named so: a FIFO, a file on a disk that stops answering, huge pages that are not there when they
// are touched. It is mapped only if it is none of these, and no one can take it away.
func mapSealed(f *os.File, protection int, least, most int64) ([]byte, error) {
	fd := int(f.Fd())
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, os.NewSyscallError("fstat", err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, fmt.Errorf("file of mode %#o is not a regular file: %w", st.Mode, ErrNotSealed)
	}
	var fs unix.Statfs_t
	if err := unix.Fstatfs(fd, &fs); err != nil {
		return nil, os.NewSyscallError("fstatfs", err)
	}
	if fs.Type != unix.TMPFS_MAGIC { // huge pages lie on hugetlbfs
		return nil, fmt.Errorf("file system of type %#x is not tmpfs: %w", fs.Type, ErrNotSealed)
	}
	seals, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	if err != nil || seals&requiredSeals != requiredSeals {
		return nil, fmt.Errorf("seals %#x: %w", max(seals, 0), ErrNotSealed)
	}
	if st.Size < least || st.Size > most {
		return nil, fmt.Errorf("%d bytes are not in %d … %d", st.Size, least, most)
	}
	mem, err := unix.Mmap(fd, 0, int(st.Size), protection, unix.MAP_SHARED)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return mem, nil
}
