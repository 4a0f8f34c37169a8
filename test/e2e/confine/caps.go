package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// capabilities are those that -caps can leave a program, by their names without CAP_.
var capabilities = map[string]int{"IPC_LOCK": unix.CAP_IPC_LOCK, "PERFMON": unix.CAP_PERFMON, "SYS_PTRACE": unix.CAP_SYS_PTRACE}

// capabilitySet is what -caps says; nil if it was not given.
type capabilitySet map[int]bool

func (c *capabilitySet) String() string { return "" }

// Set reads names between commas, with or without CAP_; no name is the empty set.
func (c *capabilitySet) Set(v string) error {
	*c = capabilitySet{}
	for name := range strings.SplitSeq(v, ",") {
		bit, known := capabilities[strings.TrimPrefix(name, "CAP_")]
		if !known && name != "" {
			return fmt.Errorf("capability %s is not of those that are known", name)
		}
		if name != "" {
			(*c)[bit] = true
		}
	}
	return nil
}

// drop takes all other capabilities from the bounding set, so that no program gets them by being
// started.
func (c capabilitySet) drop() error {
	for bit := range unix.CAP_LAST_CAP + 1 {
		if c[bit] {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(bit), 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) { // a capability newer than the kernel
			return fmt.Errorf("-caps: drop capability %d: %w", bit, err)
		}
	}
	return unix.Prctl(unix.PR_SET_KEEPCAPS, 1, 0, 0, 0) // through the change of user that follows
}

// keep makes the set the permitted and effective one of the calling thread. A user other than root
// needs them in the ambient set, as a systemd unit gives them; root gets what the bounding set
// leaves, as in a container.
func (c capabilitySet) keep() error {
	var data [2]unix.CapUserData
	for bit := range c {
		word := &data[bit/32]
		word.Permitted |= 1 << (bit % 32)
	}
	for i := range data {
		data[i].Effective = data[i].Permitted
		if syscall.Geteuid() != 0 {
			data[i].Inheritable = data[i].Permitted
		}
	}
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &data[0]); err != nil {
		return fmt.Errorf("-caps: %w", err)
	}
	runtime.KeepAlive(&data)
	if syscall.Geteuid() == 0 {
		return nil
	}
	for bit := range c {
		if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, uintptr(bit), 0, 0); err != nil {
			return fmt.Errorf("-caps: raise capability %d: %w", bit, err)
		}
	}
	return nil
}
