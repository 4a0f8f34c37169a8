package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// profile is what a container runtime reads of a seccomp profile (runtime-spec, LinuxSeccomp).
type profile struct {
	DefaultAction   string `json:"defaultAction"`
	DefaultErrnoRet uint32 `json:"defaultErrnoRet"`
	Syscalls        []struct {
		Names    []string `json:"names"`
		Action   string   `json:"action"`
		ErrnoRet uint32   `json:"errnoRet"`
		Args     []struct {
			Index    uint32 `json:"index"`
			Value    uint64 `json:"value"`
			ValueTwo uint64 `json:"valueTwo"`
			Op       string `json:"op"`
		} `json:"args"`
	} `json:"syscalls"`
}

// operations are the comparisons that both sides know.
var operations = map[string]seccomp.Operation{
	"SCMP_CMP_EQ": seccomp.Equal, "SCMP_CMP_NE": seccomp.NotEqual, "SCMP_CMP_LT": seccomp.LessThan, "SCMP_CMP_LE": seccomp.LessOrEqual,
	"SCMP_CMP_GT": seccomp.GreaterThan, "SCMP_CMP_GE": seccomp.GreaterOrEqual, "SCMP_CMP_MASKED_EQ": seccomp.BitsNotSet,
}

// load puts a profile on this process's threads, as runc does: names that this machine does not
// have are left out.
func load(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	policy, err := translate(text)
	if err != nil {
		return fmt.Errorf("-seccomp %s: %w", path, err)
	}
	if err := seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Policy: *policy}); err != nil {
		return fmt.Errorf("-seccomp %s: %w", path, err)
	}
	return nil
}

// translate makes a policy of a profile: a group of what is allowed, and one for each rule that
// refuses in its own way.
func translate(text []byte) (*seccomp.Policy, error) {
	var p profile
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, err
	}
	if p.DefaultAction != "SCMP_ACT_ERRNO" {
		return nil, fmt.Errorf("defaultAction %s, want SCMP_ACT_ERRNO", p.DefaultAction)
	}
	here, err := arch.GetInfo("")
	if err != nil {
		return nil, err
	}
	policy := &seccomp.Policy{DefaultAction: refusal(p.DefaultErrnoRet)}
	allowed := seccomp.SyscallGroup{Action: seccomp.ActionAllow}
	for _, s := range p.Syscalls {
		var names []string
		for _, name := range s.Names {
			if _, known := here.SyscallNames[name]; known {
				names = append(names, name)
			}
		}
		switch {
		case len(names) == 0:
		case s.Action == "SCMP_ACT_ALLOW" && len(s.Args) == 0:
			for _, name := range names { // profiles name some twice, for two reasons
				if !slices.Contains(allowed.Names, name) {
					allowed.Names = append(allowed.Names, name)
				}
			}
		case s.Action == "SCMP_ACT_ALLOW":
			var conditions seccomp.ArgumentConditions
			for _, a := range s.Args {
				operation, known := operations[a.Op]
				if !known || a.Op == "SCMP_CMP_MASKED_EQ" && a.ValueTwo != 0 {
					return nil, fmt.Errorf("%q: %s with %d is not known", names, a.Op, a.ValueTwo)
				}
				conditions = append(conditions, seccomp.Condition{Argument: a.Index, Operation: operation, Value: a.Value})
			}
			for _, name := range names {
				allowed.NamesWithCondtions = append(allowed.NamesWithCondtions, seccomp.NameWithConditions{Name: name, Conditions: conditions})
			}
		case s.Action == "SCMP_ACT_ERRNO" && len(s.Args) == 0:
			policy.Syscalls = append(policy.Syscalls, seccomp.SyscallGroup{Names: names, Action: refusal(s.ErrnoRet)})
		default:
			return nil, fmt.Errorf("%q: action %s with %d arguments is not known", names, s.Action, len(s.Args))
		}
	}
	policy.Syscalls = append(policy.Syscalls, allowed)
	return policy, nil
}

// refusal is the action of an errno. The library's own is EPERM, and a policy's default can be no
// other.
func refusal(errno uint32) seccomp.Action {
	if errno == 0 || errno == uint32(unix.EPERM) {
		return seccomp.ActionErrno
	}
	return seccomp.ActionErrno | seccomp.Action(errno)
}
