//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// churnSpec is how long TestChurn runs and on which Javas: 20 s in make test; as CHURN_SECONDS says
// in make test-churn, an hour without it.
func churnSpec(t *testing.T) (seconds int, javas []string) {
	t.Helper()
	seconds, javas = 20, []string{oldestJDK, newestJDK}
	if v := os.Getenv("CHURN_SECONDS"); v != "" {
		var err error
		seconds, err = strconv.Atoi(v)
		require.NoError(t, err, "CHURN_SECONDS")
		require.Positive(t, seconds, "CHURN_SECONDS")
	}
	return seconds, javas
}

// Bounds of memory. Growth is judged where a run is long enough to be warm: what a JVM or Collector
// holds more at the end than after a quarter of the run. The first minutes are all growth.
const (
	churnWarmSeconds     = 600
	churnJVMGrowth       = 64 << 20
	churnJVMResident     = (600 + 176 + 64 + 360) << 20 // heap, metaspace, code cache, and all the rest: threads, JIT, buffers, our 16 MiB
	churnCollectorGrowth = 64 << 20
	churnCollectorMost   = 480 << 20 // its memory_limiter's
	logBytes             = 16 << 20  // spark.planflame.log.mib
)

// TestChurn samples, at 1,000 Hz, two JVMs that generate, compile, de-optimize and unload classes
// all the time: on the oldest and on the newest JDK. No JVM may crash or compute wrongly, nothing
// may grow without bound, and what is lost must be counted.
func TestChurn(t *testing.T) {
	s := sparkNewest(t)
	seconds, javas := churnSpec(t)
	u := user{uid: -1}
	c := startCollector(t, u, "http://127.0.0.1:9",
		"--set=service::pipelines::profiles::exporters=[debug]", "--set=exporters::debug::verbosity=basic",
		"--set=receivers::spark_profile::sampling_hz=1000")
	jobs := map[string]*churn{}
	for _, major := range javas {
		jobs[major] = startChurn(t, s, u, javaHome(t, major), seconds)
	}
	collector := watchRSS(c.cmd.Process.Pid)
	for _, j := range jobs {
		j.checkLog(t)
	}
	for _, major := range javas {
		t.Run("jdk "+major, func(t *testing.T) { jobs[major].check(t, seconds) })
	}
	grown := collector.stop()
	t.Logf("Collector: resident %s", grown)
	assert.Less(t, grown.most, int64(churnCollectorMost))
	if seconds >= churnWarmSeconds {
		assert.Less(t, grown.late-grown.early, int64(churnCollectorGrowth), "growth of the Collector's resident memory: %s", grown)
	}

	m := scrape(t, c.metrics)
	assert.Equal(t, float64(len(jobs)), m.value("jvm_events", `event="found"`), "JVMs found")
	assert.Zero(t, m.value("problems", `problem="bad_record"`)+m.value("problems", `problem="bad_sample"`)+m.value("jvm_events", `event="ring_damaged"`))
	sampled, tasks := m.value("sampled_cpu", ""), m.value("jvm_cpu", `part="tasks"`)
	t.Logf("%.0f samples, %.0f lost; sampled CPU %.1f s, task threads' by /proc %.1f s", m.value("samples", ""), m.value("problems", `problem="lost"`), sampled, tasks)
	assert.Positive(t, tasks)
	assert.Greater(t, sampled, 0.85*tasks, "sampled CPU of task threads against /proc's account")
	assert.Less(t, m.value("problems", `problem="lost"`), 0.01*m.value("samples", ""), "lost samples")
	c.stop(t)
	assert.NotContains(t, c.log.String(), "panic")
}

// churn is a running job of test/jobs/churn.py.
type churn struct {
	*job
	dir string
	rss *rssWatch
	pid int
}

// startChurn starts the job in one JVM with little room for metadata and code. The heap is resident
// as a whole from the start: it takes G1 seven minutes to commit all of it, and that growth is
// neither the plugin's nor the agent's. C memory that the compilers freed goes back to the system,
// so what still grows is memory that someone holds.
func startChurn(t *testing.T, s spark, u user, java string, seconds int) *churn {
	t.Helper()
	dir := u.tempDir(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(seconds)*time.Second+15*time.Minute)
	t.Cleanup(cancel)
	j := &churn{job: &job{log: &logBuffer{}, done: make(chan error, 1), local: true, home: dir}, dir: dir}
	j.cmd = u.command(ctx, dir, filepath.Join(s.venv, "bin", "spark-submit"), "--master", "local[1]", "--driver-memory", "600m",
		"--driver-java-options", "-Xms600m -XX:+AlwaysPreTouch -XX:TrimNativeHeapInterval=5000 -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints -XX:MaxMetaspaceSize=176m -XX:ReservedCodeCacheSize=64m -Djava.io.tmpdir="+dir,
		"--conf", "spark.ui.enabled=false", "--jars", built(t, "plugin", "planflame-spark.jar"), "--conf", "spark.plugins=io.planflame.spark.PlanflamePlugin",
		filepath.Join(root(t), "test", "jobs", "churn.py"), "--seconds", strconv.Itoa(seconds), "--rows", "100000", "--log", filepath.Join(dir, "churn.jsonl"))
	j.cmd.Env = append(append(j.cmd.Env, s.env(t, u, s.home(t))...), "JAVA_HOME="+java)
	j.cmd.Stdout, j.cmd.Stderr = j.log, j.log
	require.NoError(t, j.cmd.Start())
	go func() { j.done <- j.cmd.Wait() }()
	j.pid = j.cmd.Process.Pid // spark-submit becomes the JVM
	j.rss = watchRSS(j.pid)
	return j
}

// checkLog waits for the agent and looks at the size of its memory.
func (j *churn) checkLog(t *testing.T) {
	t.Helper()
	waitForAgent(t, j.pid, j.log)
	memory, err := openAgent(j.pid)
	require.NoError(t, err)
	defer func() { require.NoError(t, memory.Close()) }()
	info, err := memory.Log.Stat()
	require.NoError(t, err)
	assert.EqualValues(t, logBytes, info.Size(), "the shared memory of the JVM, sealed against growth")
}

// check waits for the job's end and looks at what it was like.
func (j *churn) check(t *testing.T, seconds int) {
	require.NoError(t, <-j.done, "%s", j.log)
	grown := j.rss.stop()
	last := j.last(t)
	t.Logf("%d statements, %d classes loaded, %d unloaded, %.1f s of compilation; resident %s", last.Statements, last.Loaded, last.Unloaded, float64(last.CompileMillis)/1000, grown)
	crashes, err := filepath.Glob(filepath.Join(j.dir, "hs_err*"))
	require.NoError(t, err)
	assert.Empty(t, crashes)
	assert.Empty(t, planflameLines(t, j.job))
	assert.Zero(t, last.Texts, "files with generated code in the folder for temporary files")
	assert.Positive(t, last.Statements)
	if last.Statements > 100 { // two collections on purpose
		assert.Greater(t, last.Unloaded, last.Statements/2, "classes unloaded")
	}
	assert.Less(t, grown.late, int64(churnJVMResident), "the JVM's resident memory, but for the moments in which C2 compiles a large method: %s", grown)
	if seconds >= churnWarmSeconds {
		assert.Less(t, grown.late-grown.early, int64(churnJVMGrowth), "growth of the JVM's resident memory: %s", grown)
	}
}

// churnLine is one line of test/jobs/churn.py's log.
type churnLine struct {
	Statements    int `json:"statements"`
	Loaded        int `json:"loaded"`
	Unloaded      int `json:"unloaded"`
	CompileMillis int `json:"compile_ms"`
	Texts         int `json:"texts"`
}

func (j *churn) last(t *testing.T) (line churnLine) {
	t.Helper()
	f, err := os.Open(filepath.Join(j.dir, "churn.jsonl"))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
	}
	require.NoError(t, lines.Err())
	return line
}
