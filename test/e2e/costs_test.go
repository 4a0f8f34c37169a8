//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// TestOperatorCosts runs two queries at once on clusters of two executors, of either line of Spark
// and of a team each, under the ready configuration for costs. The base rate is ten times as high,
// so that the least operator of a short job has samples. It holds what Prometheus would scrape
// against Spark's own event logs. Rows of scans and of shuffles agree to the row, CPU to what
// samples and clocks allow, and every execution is judged as one run. A real Pyroscope is asked for
// the flame graph of an operator of each team.
func TestOperatorCosts(t *testing.T) {
	const hz = 200
	u := ordinaryUser.here()
	server := pyroscopetest.Start(t)
	prometheus := "127.0.0.1:" + strconv.Itoa(freePort(t))
	c := startCollector(t, u, server.URL, "--config", filepath.Join(root(t), "config", "operator-costs.yaml"),
		"--set", "exporters::prometheus::endpoint="+prometheus, "--set", "receivers::spark_profile::task_sampling::base_hz="+strconv.Itoa(hz), "--set", "connectors::spark_shift::settle=15s", "--set", "connectors::spark_shift::settle_open=20s")
	var want sparkCosts
	cpu := 0.
	teams := []struct {
		name string
		s    spark
		env  []string
		job  *job
	}{
		{name: "margin", s: sparkNewest(t), env: []string{quickJava, "OTEL_RESOURCE_ATTRIBUTES=tenant=t%2C7,team=nobody"}},
		{name: "risk", s: sparkOld(t), env: []string{quickJava}},
	}
	for i := range teams {
		team := &teams[i]
		j := startJob(t, team.s, u, jobSpec{plugin: true, executors: 2, seconds: 5, data: "sf0.3", conf: []string{"--conf", "spark.planflame.label.team=" + team.name}, env: team.env})
		j.wait(t)
		team.job = j
		rows := readSparkCosts(t, j.events)
		require.Positive(t, rows.scanned)
		require.Positive(t, rows.exchanged)
		want.scanned, want.exchanged, want.executions = want.scanned+rows.scanned, want.exchanged+rows.exchanged, want.executions+rows.executions
		cpu += readEventLog(t, j.events).seconds
	}
	var got costSeries
	eventually(t, 2*time.Minute, func() error {
		var err error
		if got, err = scrapeCosts(prometheus); err != nil {
			return err
		}
		if got.rows("scan") != want.scanned || got.rows("exchange") != want.exchanged {
			return fmt.Errorf("scans gave %d rows and shuffles moved %d, Spark says %d and %d; problems:\n%s",
				got.rows("scan"), got.rows("exchange"), want.scanned, want.exchanged, problems(t, c))
		}
		return nil
	})
	eventually(t, 2*time.Minute, func() error {
		if runs := judged(t, c); runs["judged"] != want.executions {
			return fmt.Errorf("%v, Spark has %d executions with tasks; problems:\n%s", runs, want.executions, problems(t, c))
		}
		return nil
	})
	seconds := got.sum("spark_sql_query_cpu_time_seconds_total", "")
	assert.InDelta(t, seconds, got.sum("spark_sql_operator_cpu_time_seconds_total", ""), 0.001, "operators and buckets are all of it")
	margin, risk := got.of(`team="margin",tenant="t,7"`), got.of(`team="risk"`)
	assert.Positive(t, margin.sum("spark_sql_query_cpu_time_seconds_total", ""), "the cluster's labels")
	assert.Positive(t, risk.sum("spark_sql_query_cpu_time_seconds_total", ""), "the other cluster's")
	assert.InDelta(t, seconds, margin.sum("spark_sql_query_cpu_time_seconds_total", "")+risk.sum("spark_sql_query_cpu_time_seconds_total", ""), 1e-6, "everything has its owner")
	assert.InEpsilon(t, cpu, seconds, 0.25, "Spark's own account has neither the beginning of a task nor its end")
	assert.Zero(t, scrape(t, c.metrics).value("problems", `problem="incomplete_rows"`))
	t.Logf("%d executions, %d rows scanned, %d shuffled, %.3f s where Spark has %.3f; runs: %v; problems:\n%s", want.executions, want.scanned, want.exchanged,
		seconds, cpu, judged(t, c), problems(t, c))
	// Before the Collector is stopped: what its queue on disk has not sent by then is sent when it
	// starts again.
	for _, team := range teams {
		checkTotal(t, server, team.name, team.job, hz)
	}
	c.stop(t)
	for _, team := range teams {
		checkPyroscope(t, server, team.name)
	}
}

// sparkCosts are what Spark's event log says of all successful tasks.
type sparkCosts struct {
	scanned    int64 // rows that scans of files gave
	exchanged  int64 // rows written to exchanges and read from them
	executions int   // that had tasks
}

func readSparkCosts(t *testing.T, dir string) (out sparkCosts) {
	t.Helper()
	rows := readSparkRows(t, dir)
	out.executions = len(rows.ends)
	for id, node := range rows.nodes {
		if strings.HasPrefix(node, "Scan parquet") {
			out.scanned += rows.sums[id]
		}
	}
	for id := range exchangeMetrics(t, dir) {
		out.exchanged += rows.sums[id]
	}
	return out
}

// exchangeMetrics are the accumulators that count what goes into exchanges and out of them.
func exchangeMetrics(t *testing.T, dir string) map[int64]bool {
	t.Helper()
	out := map[int64]bool{}
	var look func(p *sparkPlan)
	look = func(p *sparkPlan) {
		for _, m := range p.Metrics {
			if p.Name == "Exchange" && (m.Name == "shuffle records written" || m.Name == "records read") {
				out[m.ID] = true
			}
		}
		for i := range p.Nodes {
			look(&p.Nodes[i])
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for line := range bytes.Lines(text) {
			var e sparkEvent
			require.NoError(t, json.Unmarshal(line, &e))
			if e.Plan != nil {
				look(e.Plan)
			}
		}
	}
	return out
}

// costSeries are series of costs by metric name and operator.
type costSeries []struct {
	name, operator string
	labels         string // as written
	value          float64
}

func scrapeCosts(address string) (out costSeries, err error) {
	text, err := get("http://" + address + "/metrics")
	if err != nil {
		return nil, err
	}
	for _, f := range regexp.MustCompile(`(?m)^(spark_\w+)\{(.*)\} (\S+)$`).FindAllStringSubmatch(text, -1) {
		v, err := strconv.ParseFloat(f[3], 64)
		if err != nil {
			return nil, fmt.Errorf("parse %q: %w", f[0], err)
		}
		operator := ""
		if m := regexp.MustCompile(`spark_sql_operator_id="([^"]*)"`).FindStringSubmatch(f[2]); m != nil {
			operator = m[1]
		}
		out = append(out, struct {
			name, operator string
			labels         string
			value          float64
		}{f[1], operator, f[2], v})
	}
	return out, nil
}

// sum adds the series of a metric whose operator has a role; "" takes all.
func (c costSeries) sum(name, role string) (sum float64) {
	for _, s := range c {
		if s.name == name && (role == "" || strings.HasPrefix(s.operator, role+"@")) {
			sum += s.value
		}
	}
	return sum
}

// of are the series whose labels have a text.
func (c costSeries) of(labels string) (out costSeries) {
	for _, s := range c {
		if strings.Contains(s.labels, labels) {
			out = append(out, s)
		}
	}
	return out
}

func (c costSeries) rows(role string) int64 {
	return int64(math.Round(c.sum("spark_sql_operator_rows_total", role)))
}

// judged is how many runs the connector has had, by outcome.
func judged(t *testing.T, c *collector) map[string]int {
	t.Helper()
	text, err := get("http://127.0.0.1:" + strconv.Itoa(c.metrics) + "/metrics")
	require.NoError(t, err)
	out := map[string]int{}
	for _, f := range regexp.MustCompile(`(?m)^otelcol_connector_spark_shift_runs(?:_total)?\{.*outcome="(\w+)".*\} (\d+)$`).FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(f[2])
		require.NoError(t, err)
		out[f[1]] += n
	}
	return out
}

// problems are what the receiver counted that is not as it should be.
func problems(t *testing.T, c *collector) string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(scrape(t, c.metrics).String()) {
		if strings.Contains(line, "problem") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines, "\n")
}
