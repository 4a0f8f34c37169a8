// Package prometheus_test checks the rules and routes that users give to Prometheus and to the
// Alertmanager.
package prometheus_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/planflame/planflame/internal/attributes"
)

// rule is one of rules/*.yaml, a record or an alert.
type rule struct {
	Record, Alert, Expr string
	Labels, Annotations map[string]string
}

func rules(t *testing.T) (out []rule) {
	t.Helper()
	for _, file := range files(t, "rules") {
		var f struct {
			Groups []struct{ Rules []rule }
		}
		read(t, file, &f)
		for _, g := range f.Groups {
			out = append(out, g.Rules...)
		}
	}
	require.NotEmpty(t, out)
	return out
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, found, dir)
	return found
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, into), file)
}

// promtool runs the built tool; where it has not been built the test is skipped, and in CI fails.
func promtool(t *testing.T, args ...string) {
	t.Helper()
	tool, err := filepath.Abs("../../build/tools/promtool")
	require.NoError(t, err)
	if _, err := os.Stat(tool); err != nil {
		const lacks = "build/tools/promtool is missing: run scripts/build-prometheus"
		if os.Getenv("CI") != "" {
			t.Fatal(lacks)
		}
		t.Skip(lacks)
	}
	out, err := exec.Command(tool, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestConfiguration(t *testing.T) {
	promtool(t, "check", "config", "--lint=all", "--lint-fatal", "prometheus.yml")
}

// The tests of tests/*.yaml: made-up series, and what rules make of them.
func TestRules(t *testing.T) {
	for _, file := range files(t, "tests") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			promtool(t, "test", "rules", file)
		})
	}
}

// Each record has a test that expects a value of it; each alert has one in which it fires and one
// in which it does not.
func TestEveryRuleHasTests(t *testing.T) {
	recorded, fires, silent := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, file := range files(t, "tests") {
		var f struct {
			Tests []struct {
				Alerts []struct {
					Name   string `yaml:"alertname"`
					Expect []any  `yaml:"exp_alerts"`
				} `yaml:"alert_rule_test"`
				Exprs []struct {
					Expr   string
					Expect []any `yaml:"exp_samples"`
				} `yaml:"promql_expr_test"`
			}
		}
		read(t, file, &f)
		for _, test := range f.Tests {
			for _, a := range test.Alerts {
				if len(a.Expect) > 0 {
					fires[a.Name] = true
				} else {
					silent[a.Name] = true
				}
			}
			for _, e := range test.Exprs {
				recorded[e.Expr] = recorded[e.Expr] || len(e.Expect) > 0
			}
		}
	}
	for _, r := range rules(t) {
		if r.Alert == "" {
			assert.True(t, recorded[r.Record], "no test expects a value of %s", r.Record)
			continue
		}
		assert.True(t, fires[r.Alert], "no test in which %s fires", r.Alert)
		assert.True(t, silent[r.Alert], "no test in which %s does not fire", r.Alert)
	}
}

// Rules and routes that tell services apart tell all owners of a service apart.
func TestOwnersAreApart(t *testing.T) {
	labels := []string{"service_name"}
	for _, name := range attributes.OfOwners() {
		labels = append(labels, strings.ReplaceAll(name, ".", "_"))
	}
	list, selector := strings.Join(labels, ", ")+", ", strings.Join(labels, "=%q,")+"=%q,"
	values := "$labels." + strings.Join(labels, " $labels.") + " "
	n := 0
	has := func(text, name, all string) {
		n += strings.Count(text, name)
		assert.Equal(t, strings.Count(text, name), strings.Count(text, all), "%s without all of %s in: %s", name, all, text)
	}
	for _, file := range []string{"rules/shifts.yaml", "rules/costs.yaml", "alertmanager.yml"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "pyroscope_query:") {
				continue
			}
			has(line, "service_name, ", list)
			has(line, "service_name=%q,", selector)
			has(line, "$labels.service_name ", values)
		}
	}
	assert.Greater(t, n, 50)
}

// Each alert says what it is about, has a severity that the Alertmanager routes, and a section in
// the document that its runbook_url names.
func TestAlertsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/use/alerts.md")
	require.NoError(t, err)
	headings := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (\w+)$`).FindAllStringSubmatch(string(text), -1) {
		headings[strings.ToLower(m[1])] = true
	}
	var routes struct {
		Route struct {
			Receiver string
			Routes   []struct {
				Matchers []string
				Receiver string
			}
		}
		Receivers []struct{ Name string }
	}
	read(t, "alertmanager.yml", &routes)
	routed := map[string]bool{routes.Route.Receiver: true}
	for _, r := range routes.Route.Routes {
		assert.Equal(t, []string{`severity="` + r.Receiver + `"`}, r.Matchers)
		routed[r.Receiver] = true
	}
	assert.Len(t, routes.Receivers, len(routed))
	for _, r := range rules(t) {
		if r.Alert == "" {
			continue
		}
		assert.True(t, routed[r.Labels["severity"]], "%s: severity %q", r.Alert, r.Labels["severity"])
		assert.NotEmpty(t, r.Annotations["summary"], r.Alert)
		assert.NotEmpty(t, r.Annotations["description"], r.Alert)
		anchor, found := strings.CutPrefix(r.Annotations["runbook_url"], "https://github.com/planflame/planflame/blob/main/docs/use/alerts.md#")
		assert.True(t, found, "%s: %s", r.Alert, r.Annotations["runbook_url"])
		assert.Equal(t, strings.ToLower(r.Alert), anchor)
		assert.True(t, headings[anchor], "docs/use/alerts.md has no section %s", r.Alert)
	}
}

// Metrics that rules ask for, and the problems among them, are those that the components' own
// documents have.
func TestMetricsAreThere(t *testing.T) {
	known := ""
	for _, file := range []string{
		"collector-receiver/sparkprofile/documentation.md", "collector-connector/sparkshift/documentation.md", "collector-extension/filestorage/documentation.md", "exporter/documentation.md", "docs/use/metrics.md",
	} {
		text, err := os.ReadFile(filepath.Join("../..", file))
		require.NoError(t, err)
		known += string(text)
	}
	// Problems are the tags of counters.
	for _, file := range []string{"sampler/sampler.go", "sampler/stream.go", "internal/pipeline/counts.go", "collector-receiver/sparkprofile/counters_linux.go"} {
		text, err := os.ReadFile(filepath.Join("../..", file))
		require.NoError(t, err)
		for _, m := range regexp.MustCompile("`problem:\"(\\w+)\"`").FindAllSubmatch(text, -1) {
			known += " ``" + string(m[1]) + "`` "
		}
	}
	// What has no document here: the receiver's counters as Prometheus has them (TestOperatorCosts
	// scrapes them), and the Collector's own.
	for _, name := range []string{
		"spark_sql_operator_cpu_time_seconds_total", "spark_sql_operator_cpu_variance_s2_total", "spark_sql_operator_rows_total",
		"spark_sql_query_cpu_time_seconds_total", "otelcol_exporter_queue_size", "otelcol_exporter_queue_capacity",
		"otelcol_exporter_send_failed_profile_samples", "otelcol_exporter_enqueue_failed_profile_samples",
		"otelcol_exporter_send_failed_metric_points", "otelcol_exporter_enqueue_failed_metric_points",
	} {
		known += " " + name + " "
	}
	for _, r := range rules(t) {
		for _, name := range regexp.MustCompile(`\b(?:spark_sql|otelcol)_\w+\b[^:]`).FindAllString(r.Expr+" ", -1) {
			name = name[:len(name)-1]
			if regexp.MustCompile(`^spark_sql_(operator_id|operator_name|operator|query)$`).MatchString(name) {
				continue // labels, and the beginning of records' names
			}
			assert.Regexp(t, `\b`+name+`\b`, known, "%s%s", r.Record, r.Alert)
		}
		for _, m := range regexp.MustCompile(`(?:problem|dropped|output|state)=~?"([^"]*)"`).FindAllStringSubmatch(r.Expr, -1) {
			for value := range strings.SplitSeq(m[1], "|") {
				assert.Regexp(t, "``"+value+"``", known, "%s%s", r.Record, r.Alert)
			}
		}
	}
}
