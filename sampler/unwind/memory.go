package unwind

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// ProcessMemory reads the memory of a process by process_vm_readv(2), which needs what ptrace
// attach needs, or else through /proc/PID/mem, which needs the same but where that call is filtered
// away.
type ProcessMemory struct {
	pid  int
	file *os.File // nil until process_vm_readv was refused
	err  error    // why there is no file

	read, closed bool

	// reads is the number of ReadAts that began and ended: odd while one is under way. abandoned
	// takes its place.
	reads atomic.Uint64
}

const abandoned = math.MaxUint64

// NewProcessMemory returns the memory of process pid. Close it.
func NewProcessMemory(pid int) *ProcessMemory { return &ProcessMemory{pid: pid} }

// ReadAt fills dst from address addr of the process. It ends its goroutine if Abandon has given it
// up meanwhile.
func (m *ProcessMemory) ReadAt(dst []byte, addr uint64) error {
	if m.closed {
		return os.ErrClosed
	}
	m.read = true
	n := m.reads.Add(1)
	err := m.readAt(dst, addr)
	if !m.reads.CompareAndSwap(n, n+1) {
		runtime.Goexit()
	}
	return err
}

// Abandon gives up the ReadAt that is under way now and was when Abandon returned last. It returns
// what the next call needs; 0 begins. It may be called from another goroutine than ReadAt.
func (m *ProcessMemory) Abandon(last uint64) uint64 {
	n := m.reads.Load()
	if n == last && n%2 == 1 {
		m.reads.CompareAndSwap(n, abandoned)
	}
	return n
}

// Abandoned reports whether a ReadAt was given up.
func (m *ProcessMemory) Abandoned() bool { return m.reads.Load() == abandoned }

func (m *ProcessMemory) readAt(dst []byte, addr uint64) error {
	if m.file != nil {
		_, err := m.file.ReadAt(dst, int64(addr))
		return err
	}
	local := []unix.Iovec{{Base: &dst[0]}}
	local[0].SetLen(len(dst))
	n, err := unix.ProcessVMReadv(m.pid, local, []unix.RemoteIovec{{Base: uintptr(addr), Len: len(dst)}}, 0)
	switch {
	case err == nil && n == len(dst):
		return nil
	case err == nil:
		return fmt.Errorf("read memory of pid %d at %#x: %d of %d bytes", m.pid, addr, n, len(dst))
	case (err == unix.EPERM || err == unix.ENOSYS) && m.err == nil:
		m.file, m.err = os.Open(fmt.Sprintf("/proc/%d/mem", m.pid))
		if m.err == nil {
			return m.readAt(dst, addr)
		}
	}
	return fmt.Errorf("read memory of pid %d at %#x: %w", m.pid, addr, os.NewSyscallError("process_vm_readv", err))
}

// WasRead reports whether ReadAt was called since the last call. What was read is the memory of
// whatever process has the pid: the caller looks whether it still is the one that it means.
func (m *ProcessMemory) WasRead() bool {
	read := m.read
	m.read = false
	return read
}

// Close closes what was opened; nothing can be read any more.
func (m *ProcessMemory) Close() error {
	m.closed = true
	if m.file == nil {
		return nil
	}
	err := m.file.Close()
	m.file = nil
	return err
}
