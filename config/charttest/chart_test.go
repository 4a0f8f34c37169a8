// Package chart_test renders the Helm chart and decodes what comes as strictly as an API server
// does.
package chart_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const folder = "../../config/helm/planflame"

// helm runs the built tool.
func helm(t *testing.T, args ...string) (string, error) {
	t.Helper()
	tool, err := filepath.Abs("../../build/tools/helm")
	require.NoError(t, err)
	if _, err := os.Stat(tool); err != nil {
		const lacks = "build/tools/helm is missing: run scripts/build-release-tools"
		if os.Getenv("CI") != "" {
			t.Fatal(lacks)
		}
		t.Skip(lacks)
	}
	cmd := exec.Command(tool, args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%w: %s", err, said.String())
	}
	return out.String(), nil
}

// objects is what the chart makes of values, by kind and name.
type objects map[string]any

// render renders the chart as release planflame in namespace spark-tools with a file of ci/, and
// decodes every object into its type. An unknown field, a repeated field and a value of another
// type are errors.
func render(t *testing.T, file string, args ...string) objects {
	t.Helper()
	text, err := helm(t, append([]string{"template", "planflame", folder, "--namespace", "spark-tools", "--values", filepath.Join(folder, "ci", file)}, args...)...)
	require.NoError(t, err)
	out := objects{}
	for _, one := range strings.Split("\n"+text, "\n---\n") {
		var is meta.TypeMeta
		require.NoError(t, yaml.Unmarshal([]byte(one), &is), one)
		if is.Kind == "" {
			continue
		}
		into, known := map[string]any{
			"v1 ConfigMap": &core.ConfigMap{}, "v1 Secret": &core.Secret{}, "v1 Service": &core.Service{}, "v1 ServiceAccount": &core.ServiceAccount{},
			"apps/v1 DaemonSet": &apps.DaemonSet{}, "apps/v1 StatefulSet": &apps.StatefulSet{},
			"monitoring.coreos.com/v1 PodMonitor": &monitoring.PodMonitor{}, "monitoring.coreos.com/v1 PrometheusRule": &monitoring.PrometheusRule{},
		}[is.APIVersion+" "+is.Kind]
		require.True(t, known, "%s %s", is.APIVersion, is.Kind)
		one += "\n" // a text that ends a document ends with it
		require.NoError(t, yaml.UnmarshalStrict([]byte(one), into), "%s in:\n%s", is.Kind, one)
		name := is.Kind + " " + into.(meta.Object).GetName()
		require.NotContains(t, out, name)
		out[name] = into
	}
	return out
}

// get is one object.
func get[T any](t *testing.T, o objects, name string) T {
	t.Helper()
	one, ok := o[name].(T)
	require.True(t, ok, "%s among %v", name, o.names())
	return one
}

func (o objects) names() (out []string) {
	for name := range o {
		out = append(out, name)
	}
	return out
}

func TestLint(t *testing.T) {
	for _, file := range []string{"default.yaml", "all.yaml", "nodes-alone.yaml"} {
		_, err := helm(t, "lint", "--strict", folder, "--values", filepath.Join(folder, "ci", file))
		assert.NoError(t, err, file)
	}
}

func TestDefault(t *testing.T) {
	o := render(t, "default.yaml")
	assert.ElementsMatch(t, []string{
		"ServiceAccount planflame-node", "ConfigMap planflame-node", "DaemonSet planflame-node",
		"ServiceAccount planflame-gateway", "ConfigMap planflame-gateway", "Service planflame-gateway", "StatefulSet planflame-gateway", "Secret planflame-gateway",
	}, o.names())

	pod := get[*apps.DaemonSet](t, o, "DaemonSet planflame-node").Spec.Template.Spec
	assert.True(t, pod.HostPID)
	assert.False(t, *pod.AutomountServiceAccountToken)
	node := pod.Containers[0]
	assert.Equal(t, []string{"--config=/etc/planflame/collector.yaml", "--config=/etc/planflame/node.yaml"}, node.Args)
	assert.Equal(t, &core.Capabilities{Drop: []core.Capability{"ALL"}, Add: []core.Capability{"IPC_LOCK", "PERFMON", "SYS_PTRACE"}}, node.SecurityContext.Capabilities)
	assert.Equal(t, core.SeccompProfileTypeRuntimeDefault, node.SecurityContext.SeccompProfile.Type)
	assert.Nil(t, node.SecurityContext.Privileged)
	env := values(node)
	assert.Equal(t, "host.name=$(NODE_NAME),k8s.node.name=$(NODE_NAME)", env["OTEL_RESOURCE_ATTRIBUTES"])
	assert.Equal(t, "planflame-gateway.spark-tools.svc:4317", env["PLANFLAME_GATEWAY"])
	assert.NotContains(t, env, "PYROSCOPE_URL", "only the gateway pushes")
	assert.Equal(t, "spec.nodeName", node.Env[0].ValueFrom.FieldRef.FieldPath)
	assert.Equal(t, "NODE_NAME", node.Env[0].Name, "before the variable that uses it")

	assert.Equal(t, "live", node.LivenessProbe.HTTPGet.Port.StrVal)
	assert.Equal(t, ":13134", env["PLANFLAME_LIVE_ENDPOINT"])

	port := get[*core.Service](t, o, "Service planflame-gateway").Spec.Ports[0]
	require.NotNil(t, port.AppProtocol)
	assert.Equal(t, "https", *port.AppProtocol, "nodes speak TLS, which a mesh must not read as plain text")
	set := get[*apps.StatefulSet](t, o, "StatefulSet planflame-gateway")
	assert.Equal(t, int32(1), *set.Spec.Replicas)
	require.Len(t, set.Spec.VolumeClaimTemplates, 1)
	assert.Equal(t, "queue", set.Spec.VolumeClaimTemplates[0].Name, "docs/use/kubernetes.md names its claim queue-planflame-gateway-0")
	storage := set.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests[core.ResourceStorage]
	assert.Equal(t, "5Gi", storage.String())
	gateway := set.Spec.Template.Spec.Containers[0]
	assert.Empty(t, gateway.SecurityContext.Capabilities.Add)
	assert.True(t, *set.Spec.Template.Spec.SecurityContext.RunAsNonRoot)
	for _, c := range []core.Container{node, gateway} {
		ports := map[string]int32{}
		for _, p := range c.Ports {
			ports[p.Name] = p.ContainerPort
		}
		for _, p := range []*core.Probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
			require.NotNil(t, p)
			assert.Contains(t, ports, p.HTTPGet.Port.StrVal)
		}
		assert.Equal(t, "health", c.ReadinessProbe.HTTPGet.Port.StrVal)
		assert.Equal(t, c.StartupProbe.HTTPGet.Port, c.LivenessProbe.HTTPGet.Port, "an error that may mend itself restarts nothing")
		assert.False(t, c.Resources.Requests.Cpu().IsZero())
		assert.False(t, c.Resources.Limits.Memory().IsZero())
		for _, m := range c.VolumeMounts {
			assert.NotContains(t, m.MountPath, "serviceaccount")
		}
	}

	secret := get[*core.Secret](t, o, "Secret planflame-gateway")
	assert.Len(t, secret.Data["token"], 48)
	checkCertificate(t, secret.Data, "planflame-gateway.spark-tools.svc")
	var mounted []string
	for _, v := range pod.Volumes {
		if v.Name != "gateway" {
			continue
		}
		for _, s := range v.Projected.Sources {
			for _, item := range s.Secret.Items {
				mounted = append(mounted, item.Key)
			}
		}
	}
	assert.Equal(t, []string{"ca.crt", "token"}, mounted, "the gateway's key is none of the nodes' business")
}

// values are the variables that are set to a text.
func values(c core.Container) map[string]string {
	out := map[string]string{}
	for _, e := range c.Env {
		if e.ValueFrom == nil {
			out[e.Name] = e.Value
		}
	}
	return out
}

// Every switch on, and Secrets of the user's own.
func TestAll(t *testing.T) {
	o := render(t, "all.yaml")
	assert.NotContains(t, o, "Secret planflame-gateway")
	pod := get[*apps.DaemonSet](t, o, "DaemonSet planflame-node").Spec.Template.Spec
	node := pod.Containers[0]
	assert.Equal(t, "registry.example/planflame-collector:0.9.1", node.Image)
	assert.Equal(t, "deployment.environment.name=production,host.name=$(NODE_NAME),k8s.cluster.name=blue,k8s.node.name=$(NODE_NAME)", values(node)["OTEL_RESOURCE_ATTRIBUTES"])
	assert.Equal(t, "35", values(node)["PLANFLAME_BASE_HZ"])
	assert.Equal(t, "0.125", values(node)["PLANFLAME_TASK_FRACTION"])
	assert.Equal(t, "--set=receivers::spark_profile::window=30s", node.Args[2])
	assert.Equal(t, "spc_t", node.SecurityContext.SELinuxOptions.Type)
	assert.Equal(t, []core.Capability{"IPC_LOCK", "PERFMON", "SYS_PTRACE"}, node.SecurityContext.Capabilities.Add, "what is merged takes nothing away")
	profile := node.SecurityContext.SeccompProfile
	assert.Equal(t, core.SeccompProfileTypeLocalhost, profile.Type)
	assert.Equal(t, "planflame.json", *profile.LocalhostProfile)

	gateway := get[*apps.StatefulSet](t, o, "StatefulSet planflame-gateway").Spec.Template.Spec
	assert.Equal(t, "https://pyroscope.example/below", values(gateway.Containers[0])["PYROSCOPE_URL"])
	assert.Equal(t, "https://grafana.example", values(gateway.Containers[0])["PLANFLAME_DASHBOARD_URL"])
	assert.Equal(t, "https://pyroscope.example/below", values(gateway.Containers[0])["PLANFLAME_FLAMEGRAPH_URL"])
	var secrets []string
	for _, e := range gateway.Containers[0].Env {
		if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil {
			secrets = append(secrets, e.Name+" "+e.ValueFrom.SecretKeyRef.Name+" "+e.ValueFrom.SecretKeyRef.Key)
		}
	}
	assert.Equal(t, []string{"PYROSCOPE_USERNAME pyroscope-credentials username", "PYROSCOPE_PASSWORD pyroscope-credentials password"}, secrets)
	var sources []string
	for _, v := range gateway.Volumes {
		if v.Projected != nil {
			for _, s := range v.Projected.Sources {
				sources = append(sources, s.Secret.Name)
			}
		}
	}
	assert.Equal(t, []string{"gateway-certificate", "gateway-token"}, sources)

	// As config/prometheus/prometheus.yml has the jobs.
	jobs := map[string]string{}
	for _, name := range []string{"node", "gateway"} {
		m := get[*monitoring.PodMonitor](t, o, "PodMonitor planflame-"+name)
		assert.Equal(t, "kube-prometheus-stack", m.Labels["release"])
		set := map[string]map[string]string{"node": pod0(t, o, "node"), "gateway": pod0(t, o, "gateway")}[name]
		for key, value := range m.Spec.Selector.MatchLabels {
			assert.Equal(t, value, set[key], "the monitor's selector")
		}
		for _, e := range m.Spec.PodMetricsEndpoints {
			require.NotNil(t, e.Port)
			require.NotNil(t, e.RelabelConfigs[0].Replacement)
			jobs[name+" "+*e.Port] = *e.RelabelConfigs[0].Replacement
		}
	}
	assert.Equal(t, map[string]string{"node metrics": "planflame-collector", "gateway metrics": "planflame-collector", "gateway costs": "planflame-costs"}, jobs)
	alerts := 0
	for _, g := range get[*monitoring.PrometheusRule](t, o, "PrometheusRule planflame").Spec.Groups {
		for _, r := range g.Rules {
			if r.Alert != "" {
				alerts++
			}
			assert.NotEmpty(t, r.Expr.StrVal)
		}
	}
	text := ""
	for _, file := range []string{"shifts.yaml", "costs.yaml", "profiler.yaml"} {
		b, err := os.ReadFile(filepath.Join("../../config/prometheus/rules", file))
		require.NoError(t, err)
		text += string(b)
	}
	assert.Equal(t, strings.Count(text, "- alert: "), alerts, "alerts of config/prometheus/rules")
	for _, name := range []string{"fleet", "query", "shifts", "trial"} {
		m := get[*core.ConfigMap](t, o, "ConfigMap planflame-"+name)
		assert.Equal(t, "1", m.Labels["grafana_dashboard"])
		want, err := os.ReadFile("../../config/grafana/dashboards/planflame-" + name + ".json")
		require.NoError(t, err)
		assert.True(t, string(want) == m.Data["planflame-"+name+".json"], "the dashboard %s is not the file", name)
	}
}

// pod0 are the labels of a component's pods.
func pod0(t *testing.T, o objects, component string) map[string]string {
	t.Helper()
	if component == "node" {
		return get[*apps.DaemonSet](t, o, "DaemonSet planflame-node").Spec.Template.Labels
	}
	return get[*apps.StatefulSet](t, o, "StatefulSet planflame-gateway").Spec.Template.Labels
}

// Without operator costs there is no gateway, and nodes push themselves.
func TestNodesAlone(t *testing.T) {
	o := render(t, "nodes-alone.yaml")
	assert.ElementsMatch(t, []string{"ServiceAccount planflame-node", "ConfigMap planflame-node", "DaemonSet planflame-node"}, o.names())
	node := get[*apps.DaemonSet](t, o, "DaemonSet planflame-node").Spec.Template.Spec.Containers[0]
	assert.Equal(t, []string{"--config=/etc/planflame/collector.yaml"}, node.Args)
	assert.Equal(t, "http://pyroscope.monitoring:4040", values(node)["PYROSCOPE_URL"])
	assert.Equal(t, core.SeccompProfileTypeUnconfined, node.SecurityContext.SeccompProfile.Type)
	assert.Nil(t, node.SecurityContext.SeccompProfile.LocalhostProfile)
	o = render(t, "nodes-alone.yaml", "--set=prometheus.rules=true")
	for _, g := range get[*monitoring.PrometheusRule](t, o, "PrometheusRule planflame").Spec.Groups {
		for _, r := range g.Rules {
			assert.NotContains(t, r.Expr.StrVal, `absent(up{job="planflame-costs"})`, r.Alert)
		}
	}
}

// Without a base rate most tasks have no samples, and no alert takes that for a clock that is off.
func TestClockOffWithoutABaseRate(t *testing.T) {
	for hz, low := range map[string]int{"20": 1, "0": 0} {
		o := render(t, "default.yaml", "--set=prometheus.rules=true", "--set=sampling.baseHz="+hz)
		n := 0
		for _, g := range get[*monitoring.PrometheusRule](t, o, "PrometheusRule planflame").Spec.Groups {
			for _, r := range g.Rules {
				if r.Alert == "PlanflameClockOff" {
					n += strings.Count(r.Expr.StrVal, "planflame:sampled_cpu:ratio_rate15m < 0.85")
					assert.Contains(t, r.Expr.StrVal, "planflame:sampled_cpu:ratio_rate15m > 1.15")
				}
			}
		}
		assert.Equal(t, low, n, "base rate %s", hz)
	}
}

// The ConfigMaps are the files that everybody else runs, to the byte.
func TestFiles(t *testing.T) {
	o := render(t, "default.yaml")
	for name, files := range map[string][]string{"node": {"collector.yaml", "node.yaml"}, "gateway": {"gateway.yaml"}} {
		data := get[*core.ConfigMap](t, o, "ConfigMap planflame-"+name).Data
		assert.Len(t, data, len(files))
		for _, file := range files {
			want, err := os.ReadFile(filepath.Join("../../config", file))
			require.NoError(t, err)
			assert.True(t, string(want) == data[file], "%s is not the file", file)
		}
	}
}

// Each variable that a pod sets is read by one of its files, or by what is not a file.
func TestVariables(t *testing.T) {
	others := map[string]bool{"NODE_NAME": true, "POD_IP": true, "OTEL_RESOURCE_ATTRIBUTES": true, "GOMAXPROCS": true}
	for _, file := range []string{"default.yaml", "all.yaml", "nodes-alone.yaml"} {
		o := render(t, file)
		for name, one := range o {
			var pod core.PodSpec
			switch set := one.(type) {
			case *apps.DaemonSet:
				pod = set.Spec.Template.Spec
			case *apps.StatefulSet:
				pod = set.Spec.Template.Spec
			default:
				continue
			}
			text := ""
			for key, file := range get[*core.ConfigMap](t, o, "ConfigMap "+one.(meta.Object).GetName()).Data {
				if strings.Contains(strings.Join(pod.Containers[0].Args, " "), "/etc/planflame/"+key) {
					text += file
				}
			}
			for _, e := range pod.Containers[0].Env {
				assert.True(t, others[e.Name] || strings.Contains(text, "${env:"+e.Name), "%s of %s with %s is read by no file", e.Name, name, file)
			}
		}
	}
}

// A Collector's own limit of memory follows the container's: five eighths of it, so that data are
// refused above half of it. Without a limit the file's default holds.
func TestMemory(t *testing.T) {
	for args, want := range map[string][2]string{
		"":                                     {"480", "960"},
		"gateway.resources.limits.memory=8Gi":  {"480", "5120"},
		"node.resources.limits.memory=1.5Gi":   {"960", "960"},
		"gateway.resources.limits.memory=2e9":  {"480", "1192"},
		"node.resources.limits.memory=2000M":   {"1192", "960"},
		"node.resources.limits.memory=800000k": {"476", "960"},
		"gateway.resources.limits=null":        {"480", ""},
		"node.resources=null":                  {"", "960"},
	} {
		var set []string
		if args != "" {
			set = []string{"--set", args}
		}
		o := render(t, "default.yaml", set...)
		node := get[*apps.DaemonSet](t, o, "DaemonSet planflame-node").Spec.Template.Spec.Containers[0]
		gateway := get[*apps.StatefulSet](t, o, "StatefulSet planflame-gateway").Spec.Template.Spec.Containers[0]
		assert.Equal(t, want, [2]string{values(node)["PLANFLAME_MEMORY_MIB"], values(gateway)["PLANFLAME_MEMORY_MIB"]}, args)
	}
	o := render(t, "default.yaml", "--set-json", "node.resources.limits.memory=1073741824")
	node := get[*apps.DaemonSet](t, o, "DaemonSet planflame-node").Spec.Template.Spec.Containers[0]
	assert.Equal(t, "640", values(node)["PLANFLAME_MEMORY_MIB"], "a number of bytes")
}

// Selectors and labels are texts, whatever YAML takes their values for.
func TestTexts(t *testing.T) {
	o := render(t, "all.yaml", "--set=node.nodeSelector.spark=true,gateway.nodeSelector.rack=7,prometheus.labels.scrape=true,grafana.labels.grafana_dashboard=1",
		"--set-json=node.nodeSelector.row=123456789012")
	assert.Equal(t, map[string]string{"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", "spark": "true", "row": "123456789012"},
		get[*apps.DaemonSet](t, o, "DaemonSet planflame-node").Spec.Template.Spec.NodeSelector)
	assert.Equal(t, "7", get[*apps.StatefulSet](t, o, "StatefulSet planflame-gateway").Spec.Template.Spec.NodeSelector["rack"])
	for _, name := range []string{"PodMonitor planflame-node", "PodMonitor planflame-gateway", "PrometheusRule planflame"} {
		assert.Equal(t, "true", o[name].(meta.Object).GetLabels()["scrape"], name)
	}
	assert.Equal(t, "1", get[*core.ConfigMap](t, o, "ConfigMap planflame-fleet").Labels["grafana_dashboard"])
}

// Without a base rate costs are estimated by the gateway.
func TestPureTaskSampling(t *testing.T) {
	for hz, want := range map[string]string{"0": "stage", "0.5": ""} {
		o := render(t, "default.yaml", "--set-json", "sampling.baseHz="+hz)
		node := get[*apps.DaemonSet](t, o, "DaemonSet planflame-node").Spec.Template.Spec.Containers[0]
		assert.Equal(t, want, values(node)["PLANFLAME_CALIBRATION"], hz)
	}
}

// A wrong value is refused with its name.
func TestRefusals(t *testing.T) {
	for set, says := range map[string]string{
		"operatorCost.enabled=true":        "operatorCost",
		"operatorCosts.enabled=yes":        "enabled",
		"node.seccomp.type=Default":        "type",
		"sampling.baseHz=often":            "baseHz",
		"gateway.persistance.enabled=true": "persistance",
		"resourceAttributes.a=b%c":         "resourceAttributes.a",
		"resourceAttributes.b=12345":       "resourceAttributes",
		"node.resources.limits.memory=big": "node.resources.limits.memory: big",
		"pyroscope.url=pyroscope:4040":     "url",
	} {
		_, err := helm(t, "template", folder, "--set", set)
		require.Error(t, err, set)
		assert.Contains(t, err.Error(), says)
	}
}
