package main

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// calls are the system calls that can be refused, and errnos how.
var (
	calls = map[string]uint32{
		"perf_event_open":  unix.SYS_PERF_EVENT_OPEN,
		"pidfd_open":       unix.SYS_PIDFD_OPEN,
		"pidfd_getfd":      unix.SYS_PIDFD_GETFD,
		"process_vm_readv": unix.SYS_PROCESS_VM_READV,
		"memfd_create":     unix.SYS_MEMFD_CREATE,
	}
	errnos = map[string]unix.Errno{"EPERM": unix.EPERM, "EACCES": unix.EACCES, "ENOSYS": unix.ENOSYS}
)

// filter puts a seccomp filter on the calling thread. Its numbers are the numbers of the
// architecture that it was built for; calls of another pass, so a 32-bit program would not be held.
func (r *restrictions) filter() error {
	program, err := assemble(r.refuse)
	if err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog)))
	runtime.KeepAlive(program)
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return nil
}

// assemble writes the filter: struct seccomp_data has the number at offset 0 (linux/seccomp.h).
func assemble(refused []string) ([]unix.SockFilter, error) {
	program := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}}
	for _, s := range refused {
		name, how, _ := strings.Cut(s, "=")
		number, known := calls[name]
		errno, means := errnos[how]
		if !known || !means {
			return nil, fmt.Errorf("-refuse %s: not CALL=ERRNO of those that are known", s)
		}
		program = append(program,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: number, Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(errno)})
	}
	return append(program, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}), nil
}
