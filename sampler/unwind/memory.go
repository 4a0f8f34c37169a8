package unwind

import (
	"fmt"
	"os"
)

// ProcessMemory reads the memory of a process through /proc/PID/mem, which needs what ptrace attach
// needs. What was opened stays the memory of the program that the process executed then.
type ProcessMemory struct {
	file *os.File
	err  error // why there is none
}

// NewProcessMemory opens the memory of process pid. Close it.
func NewProcessMemory(pid int) *ProcessMemory {
	file, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	return &ProcessMemory{file: file, err: err}
}

// ReadAt fills dst from address addr of the process.
func (m *ProcessMemory) ReadAt(dst []byte, addr uint64) error {
	if m.err != nil {
		return m.err
	}
	_, err := m.file.ReadAt(dst, int64(addr))
	return err
}

// Close closes what was opened.
func (m *ProcessMemory) Close() error {
	if m.file == nil {
		return nil
	}
	err := m.file.Close()
	m.file, m.err = nil, os.ErrClosed
	return err
}
