package main

import (
	"testing"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTranslate(t *testing.T) {
	got, err := translate([]byte(`{"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 1, "syscalls": [
		{"names": ["read", "no_such_call", "write"], "action": "SCMP_ACT_ALLOW"},
		{"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 2, "value": 7, "op": "SCMP_CMP_MASKED_EQ"}]},
		{"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
		{"names": ["no_such_call_either"], "action": "SCMP_ACT_ALLOW"}
	]}`))
	require.NoError(t, err)
	assert.Equal(t, &seccomp.Policy{DefaultAction: 0x00050000, Syscalls: []seccomp.SyscallGroup{
		{Names: []string{"clone3"}, Action: 0x00050026},
		{Names: []string{"read", "write"}, Action: 0x7fff0000, NamesWithCondtions: []seccomp.NameWithConditions{
			{Name: "clone", Conditions: seccomp.ArgumentConditions{{Argument: 2, Operation: seccomp.BitsNotSet, Value: 7}}},
		}},
	}}, got)
	for text, says := range map[string]string{
		`{"defaultAction": "SCMP_ACT_ALLOW"}`: "defaultAction SCMP_ACT_ALLOW",
		`{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["read"], "action": "SCMP_ACT_LOG"}]}`:                          "action SCMP_ACT_LOG",
		`{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"op": "x"}]}]}`: "x with 0",
	} {
		_, err := translate([]byte(text))
		assert.ErrorContains(t, err, says)
	}
}
