//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/dashboards"
	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// dashboardAnswer is what became of one query of one panel, for build/bench/dashboards.json.
type dashboardAnswer struct {
	Dashboard string `json:"dashboard"`
	Panel     string `json:"panel"`
	Ref       string `json:"ref"`
	Owner     string `json:"owner"` // the label that tells owners apart
	Query     string `json:"query"` // with the variables filled in
	Answered  bool   `json:"answered"`
	Why       string `json:"why,omitempty"`
}

// dashboardsAnswer asks real servers every query of every panel of the dashboards as they are committed, with the variables' own first answers, once for owners by
// label and once by application, and fails for each that has an error or no number for an answer. A panel that shows an earlier time is asked for the same time as
// the others: its query is the same. It writes build/bench/dashboards.json.
func dashboardsAnswer(t *testing.T, prometheusURL, pyroscopeURL string, from, until time.Time) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root(t), "config", "grafana", "dashboards", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []dashboardAnswer
	for _, file := range files {
		for _, by := range []string{"", "service_name"} {
			var d dashboards.Dashboard
			readJSON(t, file, &d)
			s := &dashboardServers{prometheus: prometheusURL, pyroscope: pyroscopeURL, from: from, until: until, values: map[string]string{}}
			all = append(all, s.dashboard(t.Context(), &d, by)...)
		}
	}
	answered := 0
	for i := range all {
		if all[i].Answered {
			answered++
			continue
		}
		t.Errorf("%s, %s, %s: %s\n%s", all[i].Dashboard, all[i].Panel, all[i].Ref, all[i].Why, all[i].Query)
	}
	share := float64(answered) / float64(len(all))
	t.Logf("%d of %d queries of %d dashboards have an answer", answered, len(all), len(files))
	text, err := json.MarshalIndent(map[string]any{"figures": map[string]any{"dashboard_queries_answered_share": share}, "queries": all}, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(root(t), "build", "bench"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root(t), "build", "bench", "dashboards.json"), text, 0o644))
}

// dashboard asks all of one dashboard. by, where given, is the label of owners instead of the one chosen at first.
func (s *dashboardServers) dashboard(ctx context.Context, d *dashboards.Dashboard, by string) (out []dashboardAnswer) {
	add := func(panel, ref, query string, err error) {
		a := dashboardAnswer{Dashboard: d.UID, Panel: panel, Ref: ref, Owner: s.values["by"], Query: query, Answered: err == nil}
		if err != nil {
			a.Why = err.Error()
		}
		out = append(out, a)
	}
	for _, v := range d.Templating.List {
		err := s.variable(ctx, v)
		if v.Name == "by" && by != "" {
			s.values["by"] = by
		}
		if err != nil || v.Type == "query" {
			add("variable", v.Name, s.fill(v.Definition), err)
		}
	}
	for _, p := range d.Panels {
		for i := range p.Targets {
			q := &p.Targets[i]
			add(p.Title, q.RefID, s.fill(q.Expr+q.LabelSelector), s.query(ctx, q))
		}
	}
	return out
}

// TestDashboards runs two queries again and again under the ready configuration, with a real Prometheus and a real Pyroscope behind it, and asks the dashboards'
// queries: no shift stands, and yet all have an answer.
func TestDashboards(t *testing.T) {
	u := users[0]
	if os.Geteuid() != 0 {
		u = user{name: "ordinary", uid: -1}
	}
	from := time.Now()
	costs := "127.0.0.1:" + strconv.Itoa(freePort(t))
	pyroscope := pyroscopetest.Start(t)
	c := startCollector(t, u, pyroscope.URL, "--config", filepath.Join(root(t), "config", "operator-costs.yaml"),
		"--set", "exporters::prometheus::endpoint="+costs, "--set", "connectors::spark_shift::settle=0s", "--set", "connectors::spark_shift::repeat=10s",
		"--set", "receivers::spark_profile::sampling_hz=500") // runs are short: at 20 Hz they have too few samples to be judged
	prometheus := startDashboardPrometheus(t, u, costs, "127.0.0.1:"+strconv.Itoa(c.metrics))
	j := startJob(t, sparkNewest(t), u, jobSpec{plugin: true, seconds: untilEnd, data: "sf0.01",
		conf: []string{"--conf", "spark.planflame.label.team=margin"}, env: []string{"OTEL_RESOURCE_ATTRIBUTES=tenant=t7"}})
	probe := &dashboardServers{prometheus: prometheus, from: from}
	eventually(t, patience, func() error {
		probe.until = time.Now()
		// The connector has judged both queries, and their counters have grown since Prometheus first saw them.
		for _, expr := range []string{
			`count by (spark_query_name) (spark_sql_operator_cost_shifted{team="margin",tenant="t7"})`,
			`sum by (spark_query_name) (increase(spark_sql_operator_rows_total{team="margin",tenant="t7"}[1m])) > 0`,
			`sum by (spark_query_name) (spark_sql_query_plan) and on () rate(otelcol_connector_spark_shift_runs[1m]) > 0`,
		} {
			queries, err := probe.result(t.Context(), expr)
			if err != nil {
				return err
			}
			if queries < 2 {
				return fmt.Errorf("%d queries have %s; runs: %v", queries, expr, judged(t, c))
			}
		}
		return nil
	})
	dashboardsAnswer(t, prometheus, pyroscope.URL, from, time.Now())
	j.end(t)
	j.wait(t)
	c.stop(t)
}

// result is how many series an expression has now.
func (s *dashboardServers) result(ctx context.Context, expr string) (int, error) {
	var answer struct{ Result []any }
	err := s.ask(ctx, "/api/v1/query", map[string][]string{"query": {expr}}, &answer)
	return len(answer.Result), err
}

// startDashboardPrometheus runs a Prometheus on config/prometheus/prometheus.yml that asks these two addresses every second, without alerts.
func startDashboardPrometheus(t *testing.T, u user, costs, collector string) string {
	t.Helper()
	dir := u.tempDir(t)
	text, err := os.ReadFile(filepath.Join(root(t), "config", "prometheus", "prometheus.yml"))
	require.NoError(t, err)
	config := string(text)
	for old, with := range map[string]string{
		`"127.0.0.1:8889"`: strconv.Quote(costs), `"127.0.0.1:8888"`: strconv.Quote(collector), "scrape_interval: 15s": "scrape_interval: 1s",
		"rules/*.yaml": filepath.Join(root(t), "config", "prometheus", "rules", "*.yaml"),
	} {
		require.Contains(t, config, old)
		config = strings.ReplaceAll(config, old, with)
	}
	config, _, found := strings.Cut(config, "\nalerting:")
	require.True(t, found)
	file := filepath.Join(dir, "prometheus.yml")
	require.NoError(t, os.WriteFile(file, []byte(config), 0o644))
	address := "127.0.0.1:" + strconv.Itoa(freePort(t))
	log := &logBuffer{}
	cmd := u.command(context.Background(), dir, built(t, "tools", "prometheus"), "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+address)
	cmd.Stdout, cmd.Stderr = log, log
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		assert.NoError(t, cmd.Cancel())
		_ = cmd.Wait() // killed
		if t.Failed() {
			t.Logf("Prometheus' log:\n%s", log)
		}
	})
	eventually(t, time.Minute, func() error {
		resp, err := http.Get("http://" + address + "/-/ready")
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			err = fmt.Errorf("ready: %s", resp.Status)
		}
		return errors.Join(err, resp.Body.Close())
	})
	return "http://" + address
}
