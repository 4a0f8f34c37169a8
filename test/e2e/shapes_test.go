//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The queries of test/jobs/sessions.py.
const (
	ordersQuery = "orders by priority"
	partsQuery  = "parts by brand"
)

// sessionsTimes is how often each row counts in them.
const sessionsTimes = 300

// sessionsRun is what a run of test/jobs/sessions.py, or of a server that it talks to, left behind.
type sessionsRun struct {
	rows    []string // what the job printed: a line a query
	log     string
	summary summary
}

// sessionsSpec says in which shape the queries run.
type sessionsSpec struct {
	plain bool // without planflame, for comparison
	shape string
	args  []string
	home  string // SPARK_HOME; "" if the job finds its Spark itself
}

// sessionsEnv is the environment of a Python job that starts Spark itself.
func sessionsEnv(t *testing.T, s spark, u user, home string) []string {
	t.Helper()
	var env []string
	for _, kv := range s.env(t, u, home) {
		if packages, ok := strings.CutPrefix(kv, "PYTHONPATH="); ok {
			kv = "PYTHONPATH=" + packages + string(os.PathListSeparator) + built(t, "connect", "python")
		}
		if kv != "SPARK_HOME=" {
			env = append(env, kv)
		}
	}
	return env
}

// sessionsJob is a Python that runs test/jobs/sessions.py, without planflame.
func sessionsJob(t *testing.T, s spark, u user, spec sessionsSpec) (command, env []string) {
	t.Helper()
	data := built(t, "tpch", "sf0.01")
	require.NoError(t, hasParquet(data))
	env = sessionsEnv(t, s, u, spec.home)
	python := ""
	for _, kv := range env {
		if name, ok := strings.CutPrefix(kv, "PYSPARK_PYTHON="); ok {
			python = name
		}
	}
	command = []string{python, filepath.Join(root(t), "test", "jobs", "sessions.py"), "--shape", spec.shape, "--times", strconv.Itoa(sessionsTimes), "--data", data}
	return append(command, spec.args...), env
}

// runSessions runs test/jobs/sessions.py to its end.
func runSessions(t *testing.T, s spark, u user, spec sessionsSpec) sessionsRun {
	t.Helper()
	dir := u.tempDir(t)
	command, env := sessionsJob(t, s, u, spec)
	out := filepath.Join(dir, "out")
	if !spec.plain {
		command = append([]string{built(t, "planflame"), "run", "--out", out, "--"}, command...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), jobTime)
	defer cancel()
	cmd := u.command(ctx, dir, command[0], command[1:]...)
	cmd.Env = append(append(cmd.Env, env...), quickJava)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), "%s%s", &stdout, &stderr)
	run := sessionsRun{rows: strings.Split(strings.TrimSpace(stdout.String()), "\n"), log: stderr.String()}
	if !spec.plain {
		require.FileExists(t, filepath.Join(out, "summary.json"), "%s", run.log)
		readJSON(t, filepath.Join(out, "summary.json"), &run.summary)
	}
	return run
}

// here is the user if the tests can become that user, else the user who runs the tests.
func (u user) here() user {
	if os.Geteuid() != 0 {
		u.uid = -1
	}
	return u
}

// checkShape holds a summary's sums together, and looks at the operators of the queries named.
func checkShape(t *testing.T, run sessionsRun, queries ...string) {
	t.Helper()
	s := run.summary
	t.Logf("%d samples (%d lost), tasks %.2f s, attributed %.3f, unknown %.3f", s.Samples, s.LostSamples, s.TaskCPUSeconds, s.AttributedShare, s.UnknownShare)
	var sum float64
	for _, q := range s.Queries {
		for _, o := range q.Operators {
			sum += o.CPUSeconds
		}
	}
	for _, b := range s.Buckets {
		sum += b.CPUSeconds
	}
	assert.InEpsilon(t, s.TaskCPUSeconds, sum, 0.001, "operators and buckets sum to the threads' CPU")
	assert.LessOrEqual(t, float64(s.LostSamples), 1+0.001*float64(s.Samples), "lost samples")
	assert.LessOrEqual(t, s.UnknownShare, 0.05, "unknown share of a job of seconds")
	assert.GreaterOrEqual(t, s.placedShare("task deserialization"), 0.85, "share with a plan node, but for start-up")
	for _, name := range queries {
		q := s.query(t, name)
		assert.Positive(t, q.role("aggregate"), "CPU of the aggregates of %s: %+v", name, q.Operators)
		if name == partsQuery {
			assert.Positive(t, q.role("join"), "CPU of the joins of %s: %+v", name, q.Operators)
		}
	}
	assert.NotContains(t, run.log, "planflame: a JVM ran without", "the JVM has our options")
}

// TestShapes runs the same two queries in sessions that start Spark in ways of their own.
func TestShapes(t *testing.T) {
	t.Parallel()
	jar := built(t, "connect", "spark-connect-3.5.7.jar")
	for _, test := range []struct {
		name    string
		s       spark
		u       user
		shape   string
		args    []string
		cluster bool
		says    string // on stderr
	}{
		{"connect 4.3.0", sparkNewest(t), ordinaryUser, "connect", nil, false, ""},
		{"connect 3.5.7", sparkOld(t), rootUser, "connect", []string{"--conf", "spark.jars=" + jar}, false, ""},
		// The other plugin is Spark's own; it says that it runs.
		{"notebook 4.3.0", sparkNewest(t), rootUser, "notebook", []string{
			"--conf", "spark.plugins=org.apache.spark.deploy.DriverTimeoutPlugin", "--conf", "spark.jars=" + jar,
			"--conf", "spark.driver.extraJavaOptions=-Dsome=option",
		}, false, "DriverTimeoutDriverPlugin: Disabled with the timeout value 0"},
		// The executor's class path has no part of planflame's: only the jar that the driver's half
		// adds.
		{"code 3.5.7, a cluster", sparkOld(t), ordinaryUser, "code", []string{
			"--conf", "spark.master=local-cluster[1,2,1024]", "--conf", "spark.jars=" + jar, "--conf", "spark.executorEnv.SPARK_CONF_DIR=/nonexistent",
		}, true, ""},
	} {
		asUser(t, test.name, test.u, func(t *testing.T, u user) {
			spec := sessionsSpec{shape: test.shape, args: test.args}
			if test.cluster {
				spec.home = test.s.writableHome(t, u)
			}
			events := u.tempDir(t)
			spec.args = append(spec.args, eventLogConf(events)...)
			run := runSessions(t, test.s, u, spec)
			assert.Equal(t, plainSessions(t), run.rows, "results with and without planflame")
			checkShape(t, run, ordersQuery, partsQuery)
			assert.InEpsilon(t, readEventLog(t, events).seconds, run.summary.TaskCPUSeconds, 0.05, "the threads' clocks against Spark's own account")
			assert.Contains(t, run.log, test.says)
			if test.shape == "notebook" {
				checkNotebook(t, &run.summary)
			}
		})
	}
}

// checkNotebook holds that both applications of a notebook stand in a summary, each with its own
// query.
func checkNotebook(t *testing.T, s *summary) {
	t.Helper()
	require.Len(t, s.Applications, 2)
	assert.NotEqual(t, s.Applications[0].ID, s.Applications[1].ID)
	cpu := 0.
	for i, name := range []string{ordersQuery, partsQuery} {
		app := s.Applications[i]
		assert.Equal(t, fmt.Sprintf("notebook, session %d", i+1), app.Name)
		assert.Positive(t, app.Tasks)
		assert.Equal(t, []string{app.ID}, s.query(t, name).Applications)
		assert.GreaterOrEqual(t, app.TaskCPUSeconds, s.query(t, name).CPUSeconds)
		cpu += app.TaskCPUSeconds
	}
	assert.InDelta(t, s.TaskCPUSeconds, cpu, 1e-6)
}

// TestShapeWithoutTheJar holds that a cluster whose executors cannot have the plugin's jar runs the
// job without planflame, and says so.
func TestShapeWithoutTheJar(t *testing.T) {
	t.Parallel()
	s, u := sparkNewest(t), ordinaryUser.here()
	dir := u.tempDir(t)
	command, env := sessionsJob(t, s, u, sessionsSpec{shape: "code", home: s.writableHome(t, u), args: []string{
		"--conf", "spark.master=local-cluster[1,2,1024]", "--conf", "spark.jars=" + built(t, "connect", "spark-connect-3.5.7.jar"),
		"--conf", "spark.executorEnv.SPARK_CONF_DIR=/nonexistent", "--conf", "spark.planflame.jar=/nonexistent/planflame.jar",
	}})
	ctx, cancel := context.WithTimeout(t.Context(), jobTime)
	defer cancel()
	cmd := u.command(ctx, dir, built(t, "planflame"), append([]string{"run", "--out", filepath.Join(dir, "out"), "--"}, command...)...)
	cmd.Env = append(append(cmd.Env, env...), quickJava)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), "%s", &stderr)
	assert.Equal(t, plainSessions(t), strings.Split(strings.TrimSpace(stdout.String()), "\n"))
	assert.Contains(t, stderr.String(), "planflame: profiling is off: Spark did not take /nonexistent/planflame.jar for its executors")
	assert.Contains(t, stderr.String(), "planflame: no JVM with the planflame agent appeared below the job")
}

// server is a Spark server under planflame run.
type server struct {
	cmd *exec.Cmd
	log *os.File
	out string
}

// startServer starts one and waits until a client can reach its port.
func startServer(t *testing.T, s spark, u user, port int, args ...string) *server {
	t.Helper()
	dir := u.tempDir(t)
	log, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = log.Close() })
	v := &server{log: log, out: filepath.Join(dir, "out")}
	all := append([]string{"run", "--out", v.out, "--", filepath.Join(s.home(t), "bin", "spark-submit"), "--master", "local[2]"}, args...)
	v.cmd = u.command(t.Context(), dir, built(t, "planflame"), all...)
	v.cmd.Env = append(append(v.cmd.Env, sessionsEnv(t, s, u, s.home(t))...), quickJava)
	v.cmd.Stdout, v.cmd.Stderr = log, log
	require.NoError(t, v.cmd.Start())
	t.Cleanup(func() { _ = v.cmd.Cancel() })
	eventually(t, patience, func() error {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			err = c.Close()
		}
		return err
	})
	return v
}

// stop ends the server as an operator would and reads what planflame made of it.
func (v *server) stop(t *testing.T) sessionsRun {
	t.Helper()
	require.NoError(t, v.cmd.Process.Signal(syscall.SIGTERM))
	err := v.cmd.Wait()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "the server's own exit code")
	assert.Equal(t, 128+int(syscall.SIGTERM), exit.ExitCode())
	log, err := os.ReadFile(v.log.Name())
	require.NoError(t, err)
	run := sessionsRun{log: string(log)}
	require.FileExists(t, filepath.Join(v.out, "summary.json"), "%s", log)
	readJSON(t, filepath.Join(v.out, "summary.json"), &run.summary)
	return run
}

// TestShapeConnectServer runs the queries from a client on a Spark Connect server of its own.
func TestShapeConnectServer(t *testing.T) {
	t.Parallel()
	s, u, port := sparkNewest(t), ordinaryUser.here(), freePort(t)
	v := startServer(t, s, u, port, "--class", "org.apache.spark.sql.connect.service.SparkConnectServer",
		"--conf", fmt.Sprintf("spark.connect.grpc.binding.port=%d", port), "--conf", "spark.sql.shuffle.partitions=2", "spark-internal")
	client := runSessions(t, s, u, sessionsSpec{plain: true, shape: "connect", args: []string{"--remote", fmt.Sprintf("sc://127.0.0.1:%d", port)}})
	assert.Equal(t, plainSessions(t), client.rows)
	checkShape(t, v.stop(t), ordersQuery, partsQuery)
}

// TestShapeThriftServer runs two statements in two sessions of a Thrift server at the same time.
// One session names its statement.
func TestShapeThriftServer(t *testing.T) {
	t.Parallel()
	s, u, port := sparkNewest(t), ordinaryUser.here(), freePort(t)
	v := startServer(t, s, u, port, "--class", "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2", "--conf", "spark.sql.shuffle.partitions=2",
		"spark-internal", "--hiveconf", fmt.Sprintf("hive.server2.thrift.port=%d", port), "--hiveconf", "hive.server2.thrift.bind.host=127.0.0.1")
	table := func(name string) string {
		return fmt.Sprintf("parquet.`%s`", filepath.Join(built(t, "tpch", "sf0.01"), name+".parquet"))
	}
	times := strconv.Itoa(sessionsTimes)
	statements := []string{
		"SET spark.planflame.query.name=" + ordersQuery + ";\n" + "SELECT o_orderpriority, count(*) FROM " + table("orders") +
			" CROSS JOIN range(" + times + ") GROUP BY o_orderpriority ORDER BY 1;\n",
		"SELECT p_brand, max(l_quantity + id) FROM " + table("lineitem") + " JOIN " + table("part") +
			" ON l_partkey = p_partkey CROSS JOIN range(" + times + ") GROUP BY p_brand ORDER BY 1;\n",
	}
	outputs := make([]string, len(statements))
	var sessions sync.WaitGroup
	for i, statement := range statements {
		dir := u.tempDir(t)
		file := filepath.Join(dir, "statement.sql")
		require.NoError(t, os.WriteFile(file, []byte(statement), 0o644))
		cmd := u.command(t.Context(), dir, filepath.Join(s.home(t), "bin", "beeline"), "-u", fmt.Sprintf("jdbc:hive2://127.0.0.1:%d", port), "-n", "me",
			"--silent=true", "--outputformat=csv2", "--showHeader=false", "-f", file)
		cmd.Env = append(append(cmd.Env, sessionsEnv(t, s, u, s.home(t))...), quickJava)
		sessions.Go(func() {
			out, err := cmd.Output()
			assert.NoError(t, err, "beeline %d", i)
			outputs[i] = string(out)
		})
	}
	sessions.Wait()
	orders := 0
	for _, count := range regexp.MustCompile(`(?m)\d-[A-Z ]+,(\d+)$`).FindAllStringSubmatch(outputs[0], -1) {
		n, err := strconv.Atoi(count[1])
		require.NoError(t, err)
		orders += n
	}
	assert.Equal(t, 15_000*sessionsTimes, orders, "orders at scale 0.01, so many times each: %s", outputs[0])
	assert.Equal(t, 25, strings.Count(outputs[1], fmt.Sprintf(",%d.00\n", 50+sessionsTimes-1)), "brands, of each at most 50 pieces and the last id: %s", outputs[1])
	run := v.stop(t)
	checkShape(t, run, ordersQuery)
	parts := run.summary.query(t, "lineitem, part")
	assert.Positive(t, parts.role("aggregate"), "%+v", parts.Operators)
	assert.Positive(t, parts.role("join"), "%+v", parts.Operators)
}
