//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// partitionsRuns is how often the query of many partitions runs.
const partitionsRuns = 3

// TestCalibration runs a query of many partitions on two executors with pure task sampling: the node's Collector tells sums, the gateway's calibrates whole stages. Operators and
// buckets are all of the CPU that the tasks used, each operator has the share that `planflame run` finds with a clock on every task, within the stated error, and
// spark_shift judges every run.
func TestCalibration(t *testing.T) {
	u := users[0]
	if os.Geteuid() != 0 {
		u = user{name: "ordinary", uid: -1}
	}
	truth := partitionsTruth(t, u)
	g := startGateway(t, u, u.tempDir(t), "http://127.0.0.1:1", "--set", "connectors::spark_calibration::settle=9s", "--set", "connectors::spark_calibration::interval=500ms",
		"--set", "connectors::spark_calibration::repeat=500ms")
	overlay := filepath.Join(u.tempDir(t), "node.yaml")
	require.NoError(t, os.WriteFile(overlay, []byte(`
receivers:
  spark_profile: {task_sampling: {base_hz: 0, detail_hz: 300, fraction: 0.25, min_tasks_per_stage: 5, calibration: stage}}
exporters:
  otlp_http/gateway: {endpoint: "http://`+g.otlp+`"}
service:
  pipelines:
    metrics/gateway: {receivers: [spark_profile], processors: [memory_limiter], exporters: [otlp_http/gateway]}
`), 0o644))
	node := startCollector(t, u, "http://127.0.0.1:1", "--config", overlay)
	s := sparkNewest(t)
	cmd := partitionsJob(t, u, s.writableHome(t, u), "", "--master", "local-cluster[2,1,1024]", "--jars", built(t, "plugin", "planflame-spark.jar"), "--conf", "spark.plugins=io.planflame.spark.PlanflamePlugin")
	log, err := output(t, cmd)
	require.NoError(t, err, "%s", log)
	var got costSeries
	eventually(t, time.Minute, func() error {
		if runs := judged(t, g.collector); runs["judged"] != partitionsRuns {
			return fmt.Errorf("judged: %v, want %d; of the node:\n%s", runs, partitionsRuns, problems(t, node))
		}
		if got, err = scrapeCosts(g.prometheus); err != nil {
			return err
		}
		if all, known := got.sum(operatorSeconds, ""), got.sum("spark_sql_query_cpu_time_seconds_total", ""); math.Abs(all-known) > 0.001 {
			return fmt.Errorf("operators and buckets have %.3f s of %.3f", all, known)
		}
		return nil
	})
	known := got.sum("spark_sql_query_cpu_time_seconds_total", "")
	for role, want := range truth {
		share, se := got.sum(operatorSeconds, role)/known, math.Sqrt(got.sum("spark_sql_operator_cpu_variance_s2_total", role))/known
		t.Logf("%s: %.3f ± %.3f of the CPU, %.3f with a clock on every task", role, share, se, want)
		assert.Positive(t, se)
		assert.InDelta(t, want, share, 3*se+0.05, role)
	}
	t.Logf("%.2f s of CPU; the gateway says:\n%s", known, calibrations(t, g.collector))
	node.stop(t)
	g.stop(t)
}

const operatorSeconds = "spark_sql_operator_cpu_time_seconds_total"

// partitionsTruth are the shares of the query's operators with 300 Hz on every task, by role, of those that have a twentieth of the CPU.
func partitionsTruth(t *testing.T, u user) map[string]float64 {
	t.Helper()
	out := filepath.Join(u.tempDir(t), "out")
	cmd := partitionsJob(t, u, sparkNewest(t).home(t), out, "--master", "local[2]")
	log, err := output(t, cmd)
	require.NoError(t, err, "%s", log)
	var got summary
	readJSON(t, filepath.Join(out, "summary.json"), &got)
	q := got.query(t, "many partitions")
	shares := map[string]float64{}
	for _, role := range []string{"filter", "aggregate"} {
		if share := q.role(role) / got.TaskCPUSeconds; share >= 0.05 {
			shares[role] = share
		}
	}
	require.NotEmpty(t, shares, "%+v", q.Operators)
	return shares
}

// partitionsJob is testdata/partitions.py; under `planflame run` where there is a folder for the results.
func partitionsJob(t *testing.T, u user, home, out string, args ...string) *exec.Cmd {
	t.Helper()
	s := sparkNewest(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	run := []string{filepath.Join(s.venv, "bin", "spark-submit")}
	if out != "" {
		run = append([]string{built(t, "planflame"), "run", "--out", out, "--hz", "300", "--"}, run...)
	}
	run = append(append(run, args...), "--conf", "spark.sql.shuffle.partitions=8", filepath.Join(root(t), "test", "e2e", "testdata", "partitions.py"),
		"--partitions", "40", "--rows", "600000", "--repeat", strconv.Itoa(partitionsRuns))
	cmd := u.command(ctx, u.tempDir(t), run[0], run[1:]...)
	cmd.Env = append(cmd.Env, s.env(t, u, home)...)
	return cmd
}

// calibrations are what the connector spark_calibration counted.
func calibrations(t *testing.T, c *collector) string {
	t.Helper()
	text, err := get("http://127.0.0.1:" + strconv.Itoa(c.metrics) + "/metrics")
	require.NoError(t, err)
	return strings.Join(regexp.MustCompile(`(?m)^otelcol_connector_spark_calibration.*$`).FindAllString(text, -1), "\n")
}
