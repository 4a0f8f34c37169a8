//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/exporter/pyroscopetest"
	"github.com/planflame/planflame/internal/bound"
)

// cell is one way to run Spark.
type cell struct {
	spark   spark
	java    string
	cluster bool
}

func (c cell) String() string {
	where := "local"
	if c.cluster {
		where = "local-cluster"
	}
	return fmt.Sprintf("spark %s, java %s, %s", c.spark.version, c.java, where)
}

// runs reports whether this Spark runs on this Java at all. Spark 3.5's Hadoop asks for
// Subject.getSubject, which Java 24 took away (JEP 486).
func (c cell) runs() bool { return !strings.HasPrefix(c.spark.version, "3.5") || c.java != newestJDK }

// TestJavas runs a cell of TestMatrix for each Java beyond the oldest, and the one in which Spark
// itself does not run. Each run is given to a real Pyroscope, which is asked for what the run's
// summary says. The first goes into its older storage, the second into the newer. `planflame view`
// shows both.
func TestJavas(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cell    cell
		u       user
		storage []string
	}{
		{cell{sparkOld(t), middleJDK, false}, ordinaryUser, nil},
		{cell{sparkNewest(t), newestJDK, true}, rootUser, pyroscopetest.V2},
		{cell{sparkOld(t), newestJDK, false}, ordinaryUser, nil},
	} {
		asUser(t, tt.cell.String(), tt.u, func(t *testing.T, u user) {
			if !tt.cell.runs() {
				t.Log(tt.cell.check(t, u))
				return
			}
			server := pyroscopetest.Start(t, tt.storage...)
			run, line := tt.cell.checkRun(t, u, "PYROSCOPE_URL="+server.URL)
			t.Log(line)
			assert.Contains(t, run.log, "planflame: the profile is in the Pyroscope at "+server.URL+", service_name tpch\n")
			checkPushed(t, server, run.summary, wholeCPU(t, run.out))
			checkView(t, u, run)
		})
	}
}

// check runs the cell and returns its line of the table.
func (c cell) check(t *testing.T, u user) string {
	t.Helper()
	if !c.runs() {
		c.checkRefusal(t, u)
		return "ok: Spark itself does not run, and says so"
	}
	_, line := c.checkRun(t, u)
	return line
}

// cellQueries are those that a cell runs: scans, filters, joins and aggregates.
const cellQueries = "3,6,9"

// checkRun runs queries and returns the cell's line of the table beside the run.
func (c cell) checkRun(t *testing.T, u user, env ...string) (run tpchRun, line string) {
	t.Helper()
	run = runTPCH(t, c.spark, u, tpchSpec{queries: cellQueries, repeat: "2", cluster: c.cluster, env: append(env, "JAVA_HOME="+javaHome(t, c.java))})
	s := run.summary
	assert.Equal(t, plainTPCH(t, cellQueries), run.results, "results with and without planflame")
	assert.True(t, strings.HasPrefix(s.SparkVersion, c.spark.version), "spark_version %s", s.SparkVersion)
	assert.True(t, strings.HasPrefix(s.JDKVersion, c.java), "jdk_version %s", s.JDKVersion)
	checkClocks(t, run)
	checkTimes(t, run.out, filepath.Join(filepath.Dir(run.out), "events"))
	placed := s.placedShare("task deserialization") // of so few tasks it is start-up, too: each executor fetches and loads their classes
	assert.GreaterOrEqual(t, placed, 0.9-bound.Share(0.9, float64(s.Samples)), "share of task CPU with a plan node, but for start-up")
	// Of a thousand samples 0.2 to 0.6 % were unknown. The promise is 1 % of all, of which so few
	// samples tell no more than this.
	assert.LessOrEqual(t, s.UnknownShare, 0.01+bound.Share(0.01, float64(s.Samples)), "share without a plan node or a named bucket")
	assert.LessOrEqual(t, s.DisputedShare, 0.05+bound.Share(0.05, float64(s.Samples)))
	return run, fmt.Sprintf("ok: %s, %.2f s (%.2f sampled, %.2f by Spark), attributed %.3f (%.3f but for start-up), unknown %.4f, %d samples, %d lost, %d truncated",
		s.Mode, s.TaskCPUSeconds, s.RawTaskCPUSeconds+s.KernelUnsampledSeconds, run.cpu.seconds, s.AttributedShare, placed, s.UnknownShare, s.Samples, s.LostSamples, s.TruncatedStacks)
}

// checkRefusal runs a job where Spark ends with a message of its own: it, and its exit code, must
// come through.
func (c cell) checkRefusal(t *testing.T, u user) {
	t.Helper()
	dir := u.tempDir(t)
	job := filepath.Join(dir, "job.py")
	require.NoError(t, os.WriteFile(job, []byte("from pyspark.sql import SparkSession\nSparkSession.builder.getOrCreate()\n"), 0o644))
	at, master := c.spark.home(t), "local[2]"
	if c.cluster {
		at, master = c.spark.writableHome(t, u), "local-cluster[2,1,1024]"
	}
	cmd := u.command(t.Context(), dir, built(t, "planflame"), "run", "--out", filepath.Join(dir, "out"), "--",
		filepath.Join(c.spark.venv, "bin", "spark-submit"), "--master", master, job)
	cmd.Env = append(append(cmd.Env, c.spark.env(t, u, at)...), "JAVA_HOME="+javaHome(t, c.java))
	log, err := output(t, cmd)
	require.Error(t, err, "Spark %s on Java %s works: say so in this test", c.spark.version, c.java)
	assert.Equal(t, 1, cmd.ProcessState.ExitCode())
	assert.Contains(t, log, "UnsupportedOperationException: getSubject is not supported", "Spark's own message")
	var ours []string
	for line := range strings.Lines(log) {
		if strings.HasPrefix(line, "planflame: ") {
			ours = append(ours, line)
		}
	}
	assert.Len(t, ours, 1, "planflame says once that it saw no Spark: %q", ours)
	assert.Contains(t, strings.Join(ours, ""), "no JVM with the planflame agent appeared")
}
