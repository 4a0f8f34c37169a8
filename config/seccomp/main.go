// Command seccomp writes the seccomp profile of the Kubernetes DaemonSet, and the profiles that the
// tests hold it against.
//
// A kubelet gives a profile of the type Localhost to the container runtime as it is, and the
// runtime ignores the conditions on capabilities that Docker's own default profile has. So the
// conditions are resolved here.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/moby/profiles/seccomp"
	"github.com/opencontainers/runtime-spec/specs-go"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: seccomp ROOT")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "seccomp: %v\n", err)
		os.Exit(1)
	}
}

func write(root string) error {
	plain, err := resolved(nil)
	if err != nil {
		return err
	}
	// What containerd 1.7, Docker 23 and later make of the DaemonSet's capabilities.
	runtime, err := resolved([]string{"CAP_IPC_LOCK", "CAP_PERFMON", "CAP_SYS_PTRACE"})
	if err != nil {
		return err
	}
	// What containerd made of them before it knew CAP_PERFMON.
	older, err := resolved([]string{"CAP_IPC_LOCK", "CAP_SYS_PTRACE"})
	if err != nil {
		return err
	}
	for path, profile := range map[string]*specs.LinuxSeccomp{
		"config/kubernetes/seccomp/planflame.json":       collector(plain),
		"test/e2e/testdata/seccomp/runtime-default.json": runtime,
		"test/e2e/testdata/seccomp/older-runtime.json":   older,
	} {
		text, err := json.MarshalIndent(profile, "", "\t")
		if err != nil {
			return fmt.Errorf("encode %s: %w", path, err)
		}
		if err := os.WriteFile(filepath.Join(root, path), append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// resolved is Docker's default profile for a container with some capabilities, on x86-64 alone.
func resolved(capabilities []string) (*specs.LinuxSeccomp, error) {
	profile, err := seccomp.GetDefaultProfile(&specs.Spec{Process: &specs.Process{Capabilities: &specs.LinuxCapabilities{Bounding: capabilities}}})
	if err != nil {
		return nil, fmt.Errorf("default profile with %q: %w", capabilities, err)
	}
	profile.Architectures = []specs.Arch{specs.ArchX86_64}
	return profile, nil
}

// collector is a profile with what the Collector calls besides, and without what lets a process
// change another.
func collector(plain *specs.LinuxSeccomp) *specs.LinuxSeccomp {
	out := *plain
	out.Syscalls = []specs.LinuxSyscall{{Names: []string{"perf_event_open", "pidfd_getfd", "process_vm_readv"}, Action: specs.ActAllow}}
	for _, s := range plain.Syscalls {
		s.Names = slices.DeleteFunc(slices.Clone(s.Names), func(name string) bool {
			return slices.Contains([]string{"ptrace", "process_vm_writev", "process_vm_readv"}, name)
		})
		if len(s.Names) > 0 {
			out.Syscalls = append(out.Syscalls, s)
		}
	}
	return &out
}
