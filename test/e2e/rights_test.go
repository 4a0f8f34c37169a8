//go:build e2e

package e2e

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	sys "golang.org/x/sys/unix"
)

// rights are what a file that we ship gives the Collector.
type rights struct {
	uid          int
	capabilities []string
	noNewPrivs   bool
	memlock      int64  // bytes; 0: the machine's
	seccomp      string // file of a profile; "": none
}

// collectorUID is the unit's user planflame, which is no one special.
const collectorUID = 64990

// unitRights reads the rights of the systemd unit.
func unitRights(t *testing.T) rights {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "config", "systemd", "planflame-collector.service"))
	require.NoError(t, err)
	keys := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
			keys[key] = value
		}
	}
	require.Equal(t, "planflame", keys["User"])
	require.Equal(t, keys["AmbientCapabilities"], keys["CapabilityBoundingSet"])
	r := rights{uid: collectorUID, capabilities: strings.Fields(keys["AmbientCapabilities"]), noNewPrivs: keys["NoNewPrivileges"] == "yes"}
	mib, isMiB := strings.CutSuffix(keys["LimitMEMLOCK"], "M")
	require.True(t, isMiB, "LimitMEMLOCK=%s", keys["LimitMEMLOCK"])
	n, err := strconv.ParseInt(mib, 10, 64)
	require.NoError(t, err)
	var own sys.Rlimit
	require.NoError(t, sys.Getrlimit(sys.RLIMIT_MEMLOCK, &own))
	r.memlock = min(n<<20, int64(min(own.Max, math.MaxInt64))) // root of a container may not raise it
	return r
}

// daemonSetRights reads the rights of the chart's DaemonSet.
func daemonSetRights(t *testing.T) rights {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), built(t, "tools", "helm"), "template", filepath.Join(root(t), "config", "helm", "planflame")).Output()
	require.NoError(t, err)
	return containerRights(t, text)
}

// seccompProfile is the file that stands for a profile of a pod. RuntimeDefault is what Docker and
// containerd make of the DaemonSet's capabilities.
func seccompProfile(t *testing.T, kind string) string {
	t.Helper()
	file, known := map[string]string{"RuntimeDefault": "test/e2e/testdata/seccomp/runtime-default.json", "Localhost": "config/kubernetes/seccomp/planflame.json",
		"older runtime": "test/e2e/testdata/seccomp/older-runtime.json"}[kind]
	require.True(t, known, kind)
	return filepath.Join(root(t), file)
}

// containerRights reads the rights of the first container of the DaemonSet among YAML documents.
func containerRights(t *testing.T, text []byte) rights {
	t.Helper()
	var object struct {
		Kind string `yaml:"kind"`
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						SecurityContext struct {
							RunAsUser                int   `yaml:"runAsUser"`
							AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
							Capabilities             struct {
								Drop []string `yaml:"drop"`
								Add  []string `yaml:"add"`
							} `yaml:"capabilities"`
							SeccompProfile struct {
								Type string `yaml:"type"`
							} `yaml:"seccompProfile"`
						} `yaml:"securityContext"`
					} `yaml:"containers"`
				} `yaml:"spec"`
			} `yaml:"template"`
		} `yaml:"spec"`
	}
	for d := yaml.NewDecoder(bytes.NewReader(text)); object.Kind != "DaemonSet"; {
		require.NoError(t, d.Decode(&object), "no DaemonSet")
	}
	c := object.Spec.Template.Spec.Containers[0].SecurityContext
	require.Equal(t, []string{"ALL"}, c.Capabilities.Drop)
	require.NotNil(t, c.AllowPrivilegeEscalation)
	return rights{uid: c.RunAsUser, capabilities: c.Capabilities.Add, noNewPrivs: !*c.AllowPrivilegeEscalation, seccomp: seccompProfile(t, c.SeccompProfile.Type)}
}

// user is who has exactly these rights.
func (r rights) user(confine string) user {
	become := []string{confine, "-uid", strconv.Itoa(r.uid), "-caps", strings.Join(r.capabilities, ",")}
	if r.noNewPrivs {
		become = append(become, "-no-new-privs")
	}
	if r.memlock > 0 {
		become = append(become, "-memlock", strconv.FormatInt(r.memlock, 10))
	}
	if r.seccomp != "" {
		become = append(become, "-seccomp", r.seccomp)
	}
	return user{uid: r.uid, become: append(become, "--")}
}

// share is how much of the tasks' CPU has an operator, of what could have one.
type share struct {
	attributed, se float64
	samples        float64
	unsampled      float64 // kernel's time without samples, in seconds
}

// TestShippedRights reads a real Spark of the user that Spark's image has. It does so with exactly
// the capabilities that the systemd unit and the DaemonSet give the Collector, and as root. All
// three attribute the same. Without CAP_SYS_PTRACE nothing can be read, which is said once and
// counted.
func TestShippedRights(t *testing.T) {
	if os.Geteuid() != 0 {
		lacks(t, "root: users and capabilities of their own")
	}
	confine := buildConfine(t)
	spark := user{uid: 185, become: []string{confine, "-uid", "185", "-user", "spark", "-caps", "", "--"}}
	j := startJob(t, sparkNewest(t), spark, jobSpec{plugin: true, seconds: untilEnd, data: "sf0.3"})
	blind := startCollector(t, rights{uid: collectorUID, capabilities: []string{"PERFMON"}}.user(confine), "http://127.0.0.1:9")

	daemonSet := observe(t, daemonSetRights(t).user(confine), 8)
	unit := observe(t, unitRights(t).user(confine), 4)
	asRoot := observe(t, user{uid: 0}, 4)
	for name, got := range map[string]share{"unit": unit, "DaemonSet": daemonSet} {
		const z = 4.8 // chance exceeds it once in 100,000 runs (package bound)
		bound := max(0.01, z*math.Hypot(got.se, asRoot.se))
		t.Logf("%s: %.4f ± %.4f of what could have an operator, %.0f samples; root: %.4f ± %.4f, %.0f samples; bound %.4f", name, got.attributed, got.se, got.samples,
			asRoot.attributed, asRoot.se, asRoot.samples, bound)
		assert.InDelta(t, asRoot.attributed, got.attributed, bound, name)
		assert.Greater(t, got.attributed, 0.98, name)
		assert.Zero(t, got.unsampled, "%s: privileged, so the kernel is sampled, too", name)
	}

	const said = "processes called java cannot be looked at"
	waitForLine(t, blind.log, said, patience)
	eventually(t, patience, func() error {
		m, err := tryScrape(blind.metrics)
		if n := m.value("jvms", `state="unreadable"`); err == nil && n < 1 {
			err = fmt.Errorf("%g JVMs are unreadable; log:\n%s", n, blind.log)
		}
		return err
	})
	j.end(t)
	assert.Equal(t, 1, strings.Count(blind.log.String(), said), "once, not with each scan:\n%s", blind.log)
	assert.Regexp(t, said+`.*"pid": ?\d+, "uid": ?\d+`, blind.log.String())
	assert.NotContains(t, blind.log.String(), "JVM found")
	require.NotEmpty(t, j.wait(t))
	quiet(t, j)
}

// observe runs a Collector of a user until it has seen some seconds of tasks' CPU. What the first
// one sees while the job compiles, and the others while the JVM replays its code to them, is left
// out.
func observe(t *testing.T, u user, leaveOut float64) share {
	t.Helper()
	const enough = 6 // seconds of tasks' CPU; 3,000 samples
	c := startCollector(t, u, "http://127.0.0.1:9", "--set=receivers::spark_profile::sampling_hz=500", "--set=receivers::spark_profile::window=1s",
		"--set=service::pipelines::profiles::exporters=[debug]", "--set=exporters::debug::verbosity=basic")
	begun := time.Now()
	var before, now metrics
	eventually(t, patience, func() error {
		var err error
		if now, err = tryScrape(c.metrics); err != nil {
			return err
		}
		seen := now.value("task_cpu", "")
		if before == nil && seen >= leaveOut {
			before = now
		}
		if before == nil || seen-before.value("task_cpu", "") < enough {
			return fmt.Errorf("%.1f s of tasks' CPU; log:\n%s", seen, c.log)
		}
		return nil
	})
	assert.Zero(t, now.value("jvms", `state="unreadable"`))
	assert.Contains(t, c.log.String(), "JVM found")
	t.Logf("uid %d: %.0f s", u.uid, time.Since(begun).Seconds())
	c.stop(t)

	since := func(name, label string) float64 { return now.value(name, label) - before.value(name, label) }
	all, buckets := since("estimated_cpu", ""), since("estimated_cpu", `operator="[`)
	var parts []string
	for _, m := range now {
		if cpu := m.value - before.value(m.name, m.labels); m.name == "estimated_cpu" && strings.Contains(m.labels, `operator="[`) && cpu > 0.001*all {
			parts = append(parts, fmt.Sprintf("%s %.2f %%", m.labels, 100*cpu/all))
		}
	}
	t.Logf("uid %d: buckets of %.1f s:\n%s\nproblems: %v", u.uid, all, strings.Join(parts, "\n"), complaints(now))
	none := 0.0 // known to be no operator's; the warmer the JVM, the less
	for _, bucket := range []string{"codegen", "class loading", "jit", "task deserialization", "task framework"} {
		none += since("estimated_cpu", `operator="[`+bucket+`]"`)
	}
	s := share{attributed: (all - buckets) / (all - none), samples: since("samples", ""), unsampled: since("kernel_cpu", "")}
	s.se = math.Sqrt(s.attributed * (1 - s.attributed) / (s.samples * (all - none) / all)) // each sample is of an operator or not
	return s
}

// complaints are the samples that were lost or could not be placed.
func complaints(m metrics) (out metrics) {
	for _, one := range m {
		if one.name == "problems" || one.name == "jvm_events" {
			out = append(out, one)
		}
	}
	return out
}
