package jvmlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// source is what a log lies in.
type source interface {
	// read fills dst from an offset. Both the offset and the length are multiples of 8, and within
	// the log.
	read(dst []byte, off uint64) error
}

// fileMemory is a descriptor of a log that another process may be writing.
type fileMemory int

func (fd fileMemory) read(dst []byte, off uint64) error {
	for len(dst) > 0 {
		n, err := unix.Pread(int(fd), dst, int64(off))
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return os.NewSyscallError("pread", err)
		case n == 0:
			return io.ErrUnexpectedEOF
		}
		dst, off = dst[n:], off+uint64(n)
	}
	return nil
}

// ownMemory is a log in memory of this process, 8-byte aligned, that others may be writing.
type ownMemory []byte

func (m ownMemory) read(dst []byte, off uint64) error {
	copyShared(dst, m, int(off), len(dst))
	return nil
}

// le is the byte order of the format.
var le = binary.LittleEndian

// Shared memory is read word by word with atomic loads: the writer is another process, and on arm64
// plain loads could be reordered around the checks of a sequence number. Words are taken as the
// machine's own, so the format's little endian is also the architecture's: bigEndian machines are
// refused by Open.

// word32 is the aligned 32-bit word at off; mem must be 8-byte aligned and hold it.
func word32(mem []byte, off int) *uint32 {
	_ = mem[off+3]
	return (*uint32)(unsafe.Pointer(&mem[off]))
}

// word64 is the aligned 64-bit word at off; mem must be 8-byte aligned and hold it.
func word64(mem []byte, off int) *uint64 {
	_ = mem[off+7]
	return (*uint64)(unsafe.Pointer(&mem[off]))
}

// copyShared copies n bytes at off, both multiples of 8, out of memory that another process may be
// writing.
func copyShared(dst, mem []byte, off, n int) {
	for i := 0; i < n; i += 8 {
		le.PutUint64(dst[i:], atomic.LoadUint64(word64(mem, off+i)))
	}
}

// alignedBytes is a zeroed byte slice of n bytes whose first byte is 8-byte aligned.
func alignedBytes(n int) []byte {
	words := make([]uint64, (n+7)/8)
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:n]
}

// littleEndian reports whether this machine stores words as the format does.
func littleEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}

// fixedString is the text of a zero-padded array. Its last byte is zero in every valid log and is
// not looked at.
func fixedString(b []byte) string {
	b = b[:len(b)-1]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// putFixedString stores s zero-padded, cut so that at least one zero ends it.
func putFixedString(b []byte, s string) {
	n := copy(b[:len(b)-1], s)
	clear(b[n:])
}
