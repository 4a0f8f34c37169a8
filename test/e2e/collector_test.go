//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// collector is a running planflame-collector on the ready configuration of config/.
type collector struct {
	cmd     *exec.Cmd
	log     *logBuffer
	done    chan error
	metrics int    // port of its own metrics on 127.0.0.1
	health  string // URL that says whether it is well

	metricsAt string // host:port of its own metrics, on a host of a fleet
}

// logBuffer is what a process wrote so far, for reading while it writes.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// keep writes all of the log to build/it/ if the test has failed, and shows its end: the logs of
// four servers would bury what failed.
func (b *logBuffer) keep(t *testing.T, of string) {
	t.Helper()
	if !t.Failed() {
		return
	}
	const lines, width = 8, 240
	name := b.write(t, of)
	last := strings.Split(strings.TrimSpace(b.String()), "\n")
	last = last[max(0, len(last)-lines):]
	for i, line := range last {
		last[i] = line[:min(len(line), width)]
	}
	t.Logf("the last lines of the log of %s, all of it is in %s:\n%s", of, name, strings.Join(last, "\n"))
}

// write writes all of the log to the file in build/it/ that it names.
func (b *logBuffer) write(t *testing.T, of string) (name string) {
	t.Helper()
	name = filepath.Join(root(t), "build", "it", strings.ReplaceAll(t.Name(), "/", "-")+"-"+of+".log")
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(b.String()), 0o644)); err != nil {
		t.Logf("the log of %s is not kept: %v", of, err)
	}
	return name
}

// startCollector runs config/collector.yaml against a Pyroscope and waits until it says that it is
// healthy. It takes the JVMs of this run of tests, unless extra sets the receiver's include.
func startCollector(t *testing.T, u user, pyroscope string, extra ...string) *collector {
	t.Helper()
	dir := u.tempDir(t)
	health := "127.0.0.1:" + strconv.Itoa(freePort(t))
	args := append([]string{"--config", filepath.Join(root(t), "config", "collector.yaml"),
		"--set=" + include("{label: {"+runLabel+": "+runID+"}}")}, extra...)
	c := &collector{log: &logBuffer{}, done: make(chan error, 1), metrics: freePort(t), health: "http://" + health}
	c.cmd = u.command(context.Background(), dir, built(t, "planflame-collector"), args...)
	c.cmd.Env = append(c.cmd.Env,
		"PYROSCOPE_URL="+pyroscope,
		"PLANFLAME_WINDOW=5s",
		"PLANFLAME_QUEUE_DIR="+dir,
		"PLANFLAME_HEALTH_ENDPOINT="+health,
		"PLANFLAME_METRICS_PORT="+strconv.Itoa(c.metrics),
	)
	c.cmd.Stdout, c.cmd.Stderr = c.log, c.log
	require.NoError(t, c.cmd.Start())
	go func() { c.done <- c.cmd.Wait() }()
	t.Cleanup(func() {
		c.kill()
		c.log.keep(t, "collector")
	})
	eventually(t, time.Minute, c.healthy)
	return c
}

// include is the receiver's key of that name with one selector, for --set.
func include(selector string) string { return "receivers::spark_profile::include=[" + selector + "]" }

// healthy asks the Collector's health endpoint.
func (c *collector) healthy() error {
	resp, err := http.Get(c.health)
	if err != nil {
		return fmt.Errorf("%w; its log:\n%s", err, c.log)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("health says %s", resp.Status)
	}
	return nil
}

// stop asks the Collector to end and waits for its last window.
func (c *collector) stop(t *testing.T) {
	t.Helper()
	require.NoError(t, c.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-c.done:
		c.done <- err
		c.endedWell(t, err)
	case <-time.After(60 * time.Second):
		t.Fatalf("the Collector did not end; its log:\n%s", c.log)
	}
}

// endedWell checks how the Collector ended. On a busy machine the receiver gives its last window up
// after two seconds, and says so.
func (c *collector) endedWell(t *testing.T, err error) {
	t.Helper()
	if err != nil && strings.Contains(c.log.String(), "last window lost: sampling or its delivery stalls") {
		t.Logf("the last window is lost: %v", err)
		return
	}
	require.NoError(t, err, "the Collector's log:\n%s", c.log)
}

// kill ends it the hard way.
func (c *collector) kill() {
	_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	err := <-c.done
	c.done <- err
}

// job is a Spark application that runs beside the test.
type job struct {
	cmd     *exec.Cmd
	log     *logBuffer
	done    chan error
	local   bool    // no executors beside the driver
	stolen  float64 // stolenSeconds when it began
	home    string  // SPARK_HOME, where the executors' logs are
	results string
	events  string
	enough  string // the file that says so
}

// jobSpec says what a job shall be.
type jobSpec struct {
	plugin    bool   // the plugin, and nothing else of ours, is set; with executors config/spark-defaults.conf
	executors int    // JVMs beside the driver's; 0: driver and executor in one JVM, which costs half the CPU of a cluster of two
	seconds   int    // how long its two queries are repeated, unless end comes first; each runs once at least
	data      string // folder of TPC-H tables below build/tpch
	conf      []string
	env       []string
}

// quickJava is for jobs of seconds whose compiled code no check depends on: they use half of the
// CPU without the optimizing compiler and with the serial collector.
const quickJava = "JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC"

// untilEnd is a jobSpec's seconds where the test ends the job: more than any test waits.
const untilEnd = 3600

// startJob starts the concurrent job.
func startJob(t *testing.T, s spark, u user, spec jobSpec) *job {
	t.Helper()
	home := s.writableHome(t, u)
	dir := u.tempDir(t)
	j := &job{
		log: &logBuffer{}, done: make(chan error, 1), local: spec.executors == 0, stolen: stolenSeconds(t), home: home,
		results: filepath.Join(dir, "results.txt"), events: filepath.Join(dir, "events"), enough: filepath.Join(dir, "enough"),
	}
	require.NoError(t, os.Mkdir(j.events, 0o755))
	u.own(t, j.events)
	args := []string{"--master", "local[2]"}
	if spec.executors > 0 {
		args[1] = fmt.Sprintf("local-cluster[%d,1,1024]", spec.executors)
	}
	switch {
	case spec.plugin && spec.executors > 0:
		args = append(args, "--properties-file", sparkDefaults(t, u, dir))
	case spec.plugin:
		args = append(args, "--jars", built(t, "plugin", "planflame-spark.jar"), "--conf", "spark.plugins=io.planflame.spark.PlanflamePlugin")
	}
	args = append(args, "--conf", "spark.ui.enabled=false")
	args = append(args, eventLogConf(j.events)...)
	args = append(args, spec.conf...)
	args = append(args, filepath.Join(root(t), "test", "e2e", "testdata", "concurrent.py"),
		"--data", built(t, "tpch", spec.data), "--sql-dir", filepath.Join(root(t), "test", "jobs", "tpch"),
		"--seconds", strconv.Itoa(spec.seconds), "--stop", j.enough, "--results", j.results)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Hour)
	t.Cleanup(cancel)
	j.cmd = u.command(ctx, dir, filepath.Join(s.venv, "bin", "spark-submit"), args...)
	j.cmd.Env = append(append(j.cmd.Env, s.env(t, u, home)...), spec.env...)
	j.cmd.Stdout, j.cmd.Stderr = j.log, j.log
	require.NoError(t, j.cmd.Start())
	go func() { j.done <- j.cmd.Wait() }()
	return j
}

// sparkDefaults is the path of config/spark-defaults.conf with the plugin where it was built.
func sparkDefaults(t *testing.T, u user, dir string) string {
	t.Helper()
	const there = "/opt/planflame/planflame-spark.jar"
	text, err := os.ReadFile(filepath.Join(root(t), "config", "spark-defaults.conf"))
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(text), there), "the class paths of driver and executors")
	path := filepath.Join(dir, "spark-defaults.conf")
	require.NoError(t, os.WriteFile(path, append(bytes.ReplaceAll(text, []byte(there), []byte(built(t, "plugin", "planflame-spark.jar"))), "\n"+labelLine...), 0o644))
	u.own(t, path)
	return path
}

// end lets the job finish what it runs, and no more.
func (j *job) end(t *testing.T) {
	t.Helper()
	require.NoError(t, os.WriteFile(j.enough, nil, 0o644))
}

// wait waits for the job's end and returns its results.
func (j *job) wait(t *testing.T) string {
	t.Helper()
	require.NoError(t, <-j.done, "%s", j.log)
	b, err := os.ReadFile(j.results)
	require.NoError(t, err)
	require.NotEmpty(t, b)
	return string(b)
}
