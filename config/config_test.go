// Package config_test checks the files that users run as they are.
package config_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/config/configretry"
	"go.yaml.in/yaml/v3"

	"github.com/planflame/planflame/collector-connector/sparkshift"
	"github.com/planflame/planflame/config/dashboards"
)

// lacks skips a test that this machine cannot run and says why; in CI that is a failure.
func lacks(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("this machine lacks %s", what)
	}
	t.Skipf("this machine lacks %s", what)
}

// validate runs the built Collector's own check of a configuration and returns what it said.
func validate(t *testing.T, env []string, args ...string) (string, error) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs the built Collector: not with -short")
	}
	collector, err := filepath.Abs("../build/planflame-collector")
	require.NoError(t, err)
	if _, err := os.Stat(collector); err != nil {
		lacks(t, "build/planflame-collector: run scripts/build-collector")
	}
	cmd := exec.Command(collector, append([]string{"validate"}, args...)...)
	cmd.Env = append(os.Environ(), append([]string{"PLANFLAME_QUEUE_DIR=" + t.TempDir()}, env...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestCollectorConfigurations(t *testing.T) {
	for _, files := range [][]string{{"collector.yaml"}, {"gateway.yaml"}, {"collector.yaml", "operator-costs.yaml"}, {"collector.yaml", "node.yaml"}} {
		for name, env := range map[string][]string{
			"defaults": {"PLANFLAME_GATEWAY=gateway:4317"},
			"set": {
				"PLANFLAME_GATEWAY=gateway.example:17", "PLANFLAME_TLS_CA=", "PLANFLAME_TLS_CERT=c", "PLANFLAME_TLS_KEY=k", "PLANFLAME_TOKEN_FILE=t", "PLANFLAME_OTLP_ENDPOINT=:19", "PLANFLAME_METRICS_HOST=::1",
				"PYROSCOPE_URL=https://pyroscope.example/below", "PYROSCOPE_TENANT=team-3", "PYROSCOPE_USERNAME=u", "PYROSCOPE_PASSWORD=p",
				"PLANFLAME_WINDOW=5s", "PLANFLAME_HZ=19.5", "PLANFLAME_BASE_HZ=3", "PLANFLAME_DETAIL_HZ=50.5", "PLANFLAME_TASK_FRACTION=0.125", "PLANFLAME_MODE=self", "PLANFLAME_SELF_PROFILE=true",
				"PLANFLAME_HEALTH_ENDPOINT=127.0.0.1:7", "PLANFLAME_LIVE_ENDPOINT=127.0.0.1:17", "PLANFLAME_METRICS_PORT=9", "PLANFLAME_COSTS_ENDPOINT=127.0.0.1:11", "PLANFLAME_MAX_SERIES=13", "PLANFLAME_CALIBRATION=stage", "PLANFLAME_MEMORY_MIB=23",
				"PLANFLAME_DASHBOARD_URL=https://grafana.example", "PLANFLAME_FLAMEGRAPH_URL=http://pyroscope.example/below",
			},
		} {
			t.Run(strings.Join(files, " ")+" "+name, func(t *testing.T) {
				var args []string
				for _, file := range files {
					args = append(args, "--config", file)
				}
				out, err := validate(t, env, args...)
				require.NoError(t, err, out)
			})
		}
	}
}

// A wrong key or value is refused with its name.
func TestCollectorRefusals(t *testing.T) {
	for set, says := range map[string]string{
		"receivers::spark_profile::windw=5s":                        "windw",
		"receivers::spark_profile::window=-5s":                      "window: -5s",
		"receivers::spark_profile::task_sampling::fraction=2":       "task_sampling::fraction: 2",
		"receivers::spark_profile::mode=root":                       `mode: "root"`,
		"receivers::spark_profile::task_sampling::calibration=node": `task_sampling::calibration: "node"`,
		"receivers::spark_profile::max_series=0":                    "max_series: 0",
		"exporters::pyroscope::endpoint=ftp://x":                    `endpoint: parse Pyroscope URL "ftp://x"`,
		"exporters::pyroscope::series::max_values=-1":               "series::max_values: -1",
		"exporters::pyroscope::series::max_valus=3":                 "max_valus",
		"exporters::pyroscope::tenants=x":                           "tenants",
		"exporters::pyroscope::bearer_token=x":                      "basic_auth, bearer_token",
	} {
		t.Run(set, func(t *testing.T) {
			out, err := validate(t, []string{"PYROSCOPE_USERNAME=u"}, "--config", "collector.yaml", "--set", set)
			require.Error(t, err)
			assert.Contains(t, out, says)
		})
	}
}

// The flags that the heads of node.yaml and gateway.yaml give for a network without TLS and token
// are accepted. Without a gateway's address a node does not start.
func TestPlain(t *testing.T) {
	for _, files := range [][]string{{"gateway.yaml"}, {"collector.yaml", "node.yaml"}} {
		var args []string
		for _, file := range files {
			args = append(args, "--config", file)
		}
		text, err := os.ReadFile(files[len(files)-1])
		require.NoError(t, err)
		flags := regexp.MustCompile(`--set='?([^ '\n[]+(?:\[[^]]*\])?)`).FindAllStringSubmatch(string(text), -1)
		require.Len(t, flags, 3)
		for _, f := range flags {
			args = append(args, "--set", f[1])
		}
		out, err := validate(t, []string{"PLANFLAME_GATEWAY=localhost:1"}, args...)
		require.NoError(t, err, "%q: %s", args, out)
	}
	out, err := validate(t, nil, "--config", "collector.yaml", "--config", "node.yaml")
	require.Error(t, err)
	assert.Contains(t, out, `exporters::otlp_grpc/gateway: requires a non-empty "endpoint"`)
}

func TestCalibrationRefusals(t *testing.T) {
	out, err := validate(t, nil, "--config", "collector.yaml", "--config", "operator-costs.yaml", "--set", "connectors::spark_calibration::settle_open=1s")
	require.Error(t, err)
	assert.Contains(t, out, "settle_open: 1s, want 30s")
}

// Each variable that the head of a file lists is used in it, and each that is used is listed.
func TestEnvironmentIsDocumented(t *testing.T) {
	for _, file := range []string{"collector.yaml", "operator-costs.yaml", "node.yaml", "gateway.yaml"} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			used := map[string]bool{}
			for _, m := range regexp.MustCompile(`\$\{env:([A-Z_]+)`).FindAllStringSubmatch(string(text), -1) {
				used[m[1]] = true
			}
			listed := map[string]bool{}
			for _, m := range regexp.MustCompile(`(?m)^#   ([A-Z_]+) {2,}`).FindAllStringSubmatch(string(text), -1) {
				listed[m[1]] = true
			}
			require.NotEmpty(t, listed)
			assert.Equal(t, used, listed)
		})
	}
}

// What a node could not send at once reaches the gateway before the run is judged. A window, an
// attempt that fails and the longest pause after it fit into settle.
func TestRetriesFitIntoSettle(t *testing.T) {
	var node struct {
		Exporters map[string]struct {
			Timeout time.Duration
			Retry   struct {
				MaxInterval time.Duration `yaml:"max_interval"`
			} `yaml:"retry_on_failure"`
		}
	}
	text, err := os.ReadFile("node.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &node))
	text, err = os.ReadFile("collector.yaml")
	require.NoError(t, err)
	m := regexp.MustCompile(`PLANFLAME_WINDOW:-(\w+)`).FindSubmatch(text)
	require.NotNil(t, m)
	window, err := time.ParseDuration(string(m[1]))
	require.NoError(t, err)
	settle := sparkshift.NewFactory().CreateDefaultConfig().(*sparkshift.Config).Waiting.Settle
	gateway, ok := node.Exporters["otlp_grpc/gateway"]
	require.True(t, ok)
	longest := time.Duration((1 + configretry.NewDefaultBackOffConfig().RandomizationFactor) * float64(gateway.Retry.MaxInterval))
	assert.NotZero(t, longest)
	assert.LessOrEqual(t, window+gateway.Timeout+longest, settle)
}

// A node alone and a gateway judge costs and name series alike: what both have is the same.
func TestNodeAndGateway(t *testing.T) {
	type parts struct{ Processors, Connectors, Exporters map[string]any }
	read := func(file string) (p parts) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(text, &p))
		return p
	}
	gateway, costs, node := read("gateway.yaml"), read("operator-costs.yaml"), read("collector.yaml")
	require.Contains(t, costs.Connectors, "spark_shift")
	assert.Equal(t, costs.Connectors, gateway.Connectors)
	for _, name := range []string{"prometheus", "debug/events"} {
		require.Contains(t, costs.Exporters, name)
		assert.Equal(t, costs.Exporters[name], gateway.Exporters[name], name)
	}
	assert.Equal(t, costs.Processors["filter/runs"], gateway.Processors["filter/runs"])
	series := func(p parts) map[string]any {
		return p.Exporters["pyroscope"].(map[string]any)["series"].(map[string]any)
	}
	for _, key := range []string{"resource_attributes", "sample_attributes", "label_names"} {
		assert.Equal(t, series(node)[key], series(gateway)[key], key)
	}
}

func TestSystemdUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed here")
	}
	for _, name := range []string{"planflame-collector.service", "planflame-gateway.service"} {
		unit, err := os.ReadFile(filepath.Join("systemd", name))
		require.NoError(t, err)
		const installed = "/usr/local/bin/planflame-collector"
		require.Contains(t, string(unit), "ExecStart="+installed+" ")
		// The check wants the binary to be there.
		here, err := os.Executable()
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(file, bytes.ReplaceAll(unit, []byte(installed), []byte(here)), 0o644))
		out, err := exec.Command(analyze, "verify", file).CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.NotContains(t, string(out), name, "warnings")
	}
}

//go:generate sh -c "cd ../config/seccomp && go run . ../.."

// The seccomp profile allows what the sampler calls, and nothing that lets a process change
// another, or the kernel.
func TestSeccompProfile(t *testing.T) {
	text, err := os.ReadFile("kubernetes/seccomp/planflame.json")
	require.NoError(t, err)
	var profile struct {
		DefaultAction string
		Syscalls      []struct {
			Names  []string
			Action string
		}
	}
	require.NoError(t, json.Unmarshal(text, &profile))
	assert.Equal(t, "SCMP_ACT_ERRNO", profile.DefaultAction)
	assert.NotContains(t, string(text), "includes", "runtimes ignore conditions, and would allow what stands under them")
	allowed := map[string]bool{}
	for _, s := range profile.Syscalls {
		for _, name := range s.Names {
			allowed[name] = allowed[name] || s.Action == "SCMP_ACT_ALLOW"
		}
	}
	for _, name := range []string{"perf_event_open", "pidfd_open", "pidfd_getfd", "process_vm_readv", "mmap", "openat", "clone"} {
		assert.True(t, allowed[name], name)
	}
	for _, name := range []string{"ptrace", "process_vm_writev", "process_madvise", "kcmp", "mount", "bpf", "setns", "unshare", "init_module", "userfaultfd"} {
		assert.False(t, allowed[name], name)
	}
}

// The chart's files are these files.
func TestChartFiles(t *testing.T) {
	for link, file := range map[string]string{
		"collector.yaml": "collector.yaml", "node.yaml": "node.yaml", "gateway.yaml": "gateway.yaml", "rules": "prometheus/rules", "dashboards": "grafana/dashboards",
	} {
		got, err := filepath.EvalSymlinks(filepath.Join("helm/planflame/files", link))
		require.NoError(t, err)
		assert.Equal(t, file, got)
	}
}

// The template of pods gives attributes that the receiver keeps apart by default, made from
// variables that stand before.
func TestPodTemplate(t *testing.T) {
	text, err := os.ReadFile("kubernetes/pod-template.yaml")
	require.NoError(t, err)
	var pod struct {
		Spec struct {
			Containers []struct {
				Name string
				Env  []struct {
					Name, Value string
					ValueFrom   struct {
						FieldRef struct {
							FieldPath string `yaml:"fieldPath"`
						} `yaml:"fieldRef"`
					} `yaml:"valueFrom"`
				}
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &pod))
	require.Len(t, pod.Spec.Containers, 1)
	assert.Contains(t, string(text), "podTemplateContainerName="+pod.Spec.Containers[0].Name+"\n")
	fields := map[string]string{}
	var list string
	for _, e := range pod.Spec.Containers[0].Env {
		if e.Name == "OTEL_RESOURCE_ATTRIBUTES" {
			list = e.Value
			break
		}
		fields["$("+e.Name+")"] = e.ValueFrom.FieldRef.FieldPath
	}
	for pair := range strings.SplitSeq(list, ",") {
		key, variable, _ := strings.Cut(pair, "=")
		assert.Equal(t, "metadata.labels['"+key+"']", fields[variable], pair)
		assert.Contains(t, []string{"team", "tenant", "owner"}, key)
	}
	assert.Len(t, fields, 2)
}

// The Spark settings are those that the plugin itself would add.
func TestSparkDefaults(t *testing.T) {
	text, err := os.ReadFile("spark-defaults.conf")
	require.NoError(t, err)
	settings := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, found := strings.Cut(line, " ")
		require.True(t, found, line)
		require.NotContains(t, settings, key)
		settings[key] = strings.TrimSpace(value)
	}
	plugin := strings.ReplaceAll(settings["spark.plugins"], ".", "/") + ".java"
	_, err = os.Stat(filepath.Join("../agent-jvmti/spark/src/main/java", plugin))
	require.NoError(t, err, "spark.plugins")
	assert.Equal(t, settings["spark.driver.extraClassPath"], settings["spark.executor.extraClassPath"])
	assert.Equal(t, "true", settings["spark.sql.codegen.comments"])
	assert.Equal(t, "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints", settings["spark.executor.extraJavaOptions"])
}

// Grafana's provisioning names the data sources by the types that the dashboards ask for.
func TestGrafanaProvisioning(t *testing.T) {
	read := func(file string, into any) {
		text, err := os.ReadFile(filepath.Join("grafana", "provisioning", file, "planflame.yaml"))
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(text, into))
	}
	var sources struct {
		Datasources []struct{ UID, Type, URL string }
	}
	read("datasources", &sources)
	require.Len(t, sources.Datasources, 2)
	types := map[string]string{}
	for _, d := range sources.Datasources {
		types[d.Type] = d.URL
	}
	assert.Equal(t, map[string]string{"prometheus": "$PROMETHEUS_URL", "grafana-pyroscope-datasource": "$PYROSCOPE_URL"}, types)
	for _, d := range dashboards.All(dashboards.DefaultPrice) {
		for _, v := range d.Templating.List {
			if v.Type == "datasource" {
				assert.Contains(t, types, v.Query, "%s asks for a data source that is not provisioned", d.UID)
			}
		}
	}
	var providers struct {
		Providers []struct {
			Type    string
			Options struct{ Path string }
		}
	}
	read("dashboards", &providers)
	require.Len(t, providers.Providers, 1)
	assert.Equal(t, "file", providers.Providers[0].Type)
	doc, err := os.ReadFile("../docs/use/dashboards.md")
	require.NoError(t, err)
	assert.Contains(t, string(doc), providers.Providers[0].Options.Path, "where docs/use/dashboards.md copies the files")
}
