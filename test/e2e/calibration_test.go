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
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// partitionsRuns is how often the query of many partitions runs.
const partitionsRuns = 2

// TestCalibration runs a query of many partitions on two executors with pure task sampling: the
// node's Collector tells sums, the gateway's calibrates whole stages. Each execution is estimated
// once, when it is over, and judged by spark_shift as one run. Operators and buckets are all of the
// CPU that the tasks used. The filter, which hashes each row's text, has most of what any operator
// has. TestCalibrationAsInARun looks at the numbers.
func TestCalibration(t *testing.T) {
	u := users[0]
	if os.Geteuid() != 0 {
		u = user{name: "ordinary", uid: -1}
	}
	g := startGateway(t, u, u.tempDir(t), "http://127.0.0.1:1", calibrating...)
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
	job := partitionsJob(t, u, nil, "--master", "local-cluster[2,1,1024]", "--jars", built(t, "plugin", "planflame-spark.jar"), "--conf", "spark.plugins=io.planflame.spark.PlanflamePlugin")
	job.Env = append(job.Env, quickJava)
	log, err := output(t, job)
	require.NoError(t, err, "%s", log)
	var got costSeries
	eventually(t, time.Minute, func() error {
		if runs := judged(t, g.collector); runs["judged"] != partitionsRuns {
			return fmt.Errorf("judged: %v, want %d; of the node:\n%s", runs, partitionsRuns, problems(t, node))
		}
		if got, err = scrapeCosts(g.prometheus); err != nil {
			return err
		}
		if all, known := got.sum(operatorSeconds, ""), got.sum("spark_sql_query_cpu_time_seconds_total", ""); known == 0 || math.Abs(all-known) > 0.001 {
			return fmt.Errorf("operators and buckets have %.3f s of %.3f", all, known)
		}
		return nil
	})
	said := calibrations(t, g.collector)
	t.Logf("%.2f s of CPU, the filter %.2f ± %.2f, aggregates %.2f; the gateway says:\n%s", got.sum("spark_sql_query_cpu_time_seconds_total", ""), got.sum(operatorSeconds, "filter"),
		math.Sqrt(got.sum("spark_sql_operator_cpu_variance_s2_total", "filter")), got.sum(operatorSeconds, "aggregate"), said)
	assert.Regexp(t, fmt.Sprintf(`(?m)outcome="whole".*\} %d$`, partitionsRuns), said)
	assert.NotRegexp(t, `(outcome="(late|early|unended)"|dropped="(point|cell)").*\} [1-9]`, said)
	assert.Positive(t, got.sum("spark_sql_operator_cpu_variance_s2_total", "filter"))
	assert.Greater(t, got.sum(operatorSeconds, "filter"), got.sum(operatorSeconds, "aggregate"))
	node.stop(t)
	g.stop(t)
}

// calibrating makes a gateway estimate soon: after longer than the node's windows of 5 s.
var calibrating = []string{"--set", "connectors::spark_calibration::settle=9s", "--set", "connectors::spark_calibration::interval=500ms"}

const operatorSeconds = "spark_sql_operator_cpu_time_seconds_total"

// partitionsJob is testdata/partitions.py, with what is to be before spark-submit.
func partitionsJob(t *testing.T, u user, before []string, args ...string) *exec.Cmd {
	t.Helper()
	s := sparkNewest(t)
	ctx, cancel := context.WithTimeout(t.Context(), jobTime)
	t.Cleanup(cancel)
	home := s.writableHome(t, u)
	run := append(slices.Clone(before), filepath.Join(s.venv, "bin", "spark-submit"))
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
