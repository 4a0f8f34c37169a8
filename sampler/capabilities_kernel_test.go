package sampler

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKernelCheck(t *testing.T) {
	for release, want := range map[string]Check{
		"6.18.44-fc-v657": {OK: true, Detail: "6.18.44-fc-v657: pidfd_open, pidfd_getfd and CAP_PERFMON are there"},
		"5.8":             {OK: true, Detail: "5.8: pidfd_open, pidfd_getfd and CAP_PERFMON are there"},
		"5.7.19":          {Detail: "5.7.19: no CAP_PERFMON before 5.8: privileged mode takes CAP_SYS_ADMIN", Mend: "run Linux 5.8 or newer"},
		"5.4.0-150-generic": {Detail: "5.4.0-150-generic: no pidfd_getfd before 5.6: only JVMs of planflame's own user can be read, and only in privileged mode or without samples; " +
			"no CAP_PERFMON before 5.8: privileged mode takes CAP_SYS_ADMIN", Mend: "run Linux 5.8 or newer"},
		"4.18.0-553.el8_10.x86_64": {Detail: "4.18.0-553.el8_10.x86_64: no pidfd_open before 5.3: no JVM can be sampled; " +
			"no pidfd_getfd before 5.6: only JVMs of planflame's own user can be read, and only in privileged mode or without samples; " +
			"no CAP_PERFMON before 5.8: privileged mode takes CAP_SYS_ADMIN", Mend: "run Linux 5.8 or newer"},
	} {
		want.Name = "kernel"
		assert.Equal(t, want, kernelCheck(release))
	}
	bad := kernelCheck("custom")
	assert.False(t, bad.OK)
	assert.Contains(t, bad.Detail, `version "custom"`)
}
