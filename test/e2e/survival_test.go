//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// TestCollectorKilled kills the Collector with SIGKILL in the middle of the job, again and again.
// The job must not notice. The last Collector must see the executors that its predecessors had
// leased, and no Collector waits for the lease of a dead one. What the tasks' threads used was told
// or is counted as lost. As root with two executors, whose perf events are the
// Collector's; as an ordinary user in one JVM, which has opened its own.
func TestCollectorKilled(t *testing.T) {
	s := sparkNewest(t)
	asUsers(t, func(t *testing.T, u user) {
		server := pyroscopetest.Start(t)
		queue := u.tempDir(t)
		start := func() *collector {
			return startCollector(t, u, server.URL, "--set=receivers::spark_profile::sampling_hz=500", "--set=receivers::spark_profile::window=2s", "--set=extensions::file_storage::directory="+queue)
		}
		c := start()
		spec := jobSpec{plugin: true, seconds: untilEnd, data: "sf0.01", env: []string{quickJava}}
		if u.uid == 0 {
			spec.executors = 2
		}
		j := startJob(t, s, u, spec)
		watch := watchTasks(t, j)
		var lost float64
		tells := func() { // and has counted what the one before lost
			waitForLine(t, c.log, "JVM found", patience)
			eventually(t, patience, func() error {
				m, err := tryScrape(c.metrics)
				if err == nil && m.value("sampled_cpu", "") < 2 {
					err = errors.New("no window has been delivered yet")
				}
				return err
			})
			lost += scrape(t, c.metrics).value("untold_cpu", "")
			used := watch.used()
			eventually(t, patience, func() error { // into the next window
				if more := watch.used() - used; more < 1 {
					return fmt.Errorf("%.2f s of CPU since the last window", more)
				}
				return nil
			})
		}
		for range 2 {
			tells()
			assert.NotContains(t, c.log.String(), "another reader samples this JVM", "a dead reader's lease")
			c.kill()
			c = start()
		}
		tells()
		assert.NotContains(t, c.log.String(), "another reader samples this JVM", "a dead reader's lease")
		operators := pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="concurrent", operator!~"\\[.*"}`}
		eventually(t, patience, func() error {
			values, err := server.LabelValues(t.Context(), operators, "operator")
			if err == nil && len(values) <= 3 {
				return assertionError(fmt.Sprintf("operators after two kills: %q", values))
			}
			return err
		})
		j.end(t)
		assert.Equal(t, plainResults(t), j.wait(t), "results with Collectors that were killed")
		eventually(t, patience, func() error { // the last window of its JVMs is told: the one of a shutdown may be lost
			m, err := tryScrape(c.metrics)
			if live := m.value("jvms", `state="live"`); err == nil && (live != 0 || m.value("jvm_events", `event="gone"`) == 0) {
				err = fmt.Errorf("%g JVMs are live", live)
			}
			return err
		})
		cpu := watch.used()
		var told float64
		ask := func() error {
			all, _, err := server.FlameGraph(t.Context(), pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="concurrent", group=""}`})
			told = float64(all) / 1e9
			return err
		}
		eventually(t, patience, func() error { // what is in the queue of a Collector that ends waits for the next one
			err := ask()
			// What was lost is an estimate, half of which may be wrong: a task's CPU need not be
			// even over its time.
			if err == nil && told+1.5*lost < 0.97*cpu {
				err = fmt.Errorf("CPU that is neither told nor counted: %.2f s of %.2f s are told, %.2f s are counted as lost", told, cpu, lost)
			}
			return err
		})
		c.stop(t)
		quiet(t, j)
		eventually(t, patience, func() error {
			before := told
			err := ask()
			if err == nil && told != before {
				err = fmt.Errorf("%.2f s so far", told)
			}
			return err
		})
		t.Logf("the tasks' threads used %.2f s; %.2f s were told and %.2f s counted as lost", cpu, told, lost)
		assert.Positive(t, lost)
		assert.LessOrEqual(t, told+lost/2, 1.03*cpu, "CPU that is told and counted")
	})
}

// taskWatch follows the CPU of a job's task threads.
type taskWatch struct {
	group         int
	stop, stopped chan struct{}

	mu   sync.Mutex
	last map[string]float64 // :: folder in /proc → seconds
}

func watchTasks(t *testing.T, j *job) *taskWatch {
	t.Helper()
	w := &taskWatch{group: j.cmd.Process.Pid, stop: make(chan struct{}), stopped: make(chan struct{}), last: map[string]float64{}}
	go w.run()
	t.Cleanup(func() {
		close(w.stop)
		<-w.stopped
	})
	return w
}

func (w *taskWatch) run() {
	defer close(w.stopped)
	for tick := 0; ; tick++ {
		select {
		case <-w.stop:
			return
		case <-time.After(20 * time.Millisecond):
		}
		if tick%25 == 0 {
			w.find()
		}
		w.used()
	}
}

// find looks for task threads. They wait a minute for their next task before they end.
func (w *taskWatch) find() {
	for _, pid := range inGroup(w.group) {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
		for _, dir := range threads {
			if name, _ := os.ReadFile(dir + "/comm"); strings.HasPrefix(string(name), "Executor task l") {
				w.mu.Lock()
				w.last[dir] = max(w.last[dir], 0)
				w.mu.Unlock()
			}
		}
	}
}

// used is how much CPU the threads had when they were last seen, in seconds.
func (w *taskWatch) used() (sum float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for dir, last := range w.last {
		if b, err := os.ReadFile(dir + "/schedstat"); err == nil {
			ns, _ := strconv.ParseFloat(strings.Fields(string(b))[0], 64)
			last = max(last, ns/1e9)
			w.last[dir] = last
		}
		sum += last
	}
	return sum
}

// inGroup are the processes of a group.
func inGroup(group int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		b, _ := os.ReadFile(file)
		name := strings.LastIndexByte(string(b), ')') // which may have blanks and brackets
		fields := strings.Fields(string(b[name+1:]))
		if len(fields) < 3 || fields[2] != strconv.Itoa(group) {
			continue
		}
		if pid, err := strconv.Atoi(strings.Split(file, "/")[2]); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestNoCollector runs the plugin with no one to read it; who runs it makes no difference then. A
// setting that planflame does not have costs one line of the driver, and nothing else.
func TestNoCollector(t *testing.T) {
	t.Parallel()
	j := startJob(t, sparkNewest(t), user{uid: -1}, jobSpec{plugin: true, executors: 1, data: "sf0.01", conf: []string{"--conf", "spark.planflame.log.mbi=16"}, env: []string{quickJava}})
	assert.Equal(t, plainResults(t), j.wait(t))
	lines := planflameLines(t, j)
	require.Len(t, lines, 1, "%q", lines)
	assert.Contains(t, lines[0], "spark.planflame.log.mbi")
}

// TestAgentOff runs jobs in which the agent cannot or must not work: each ends well and says one
// line, or none when it was asked to be off. Spark relaunches an executor that fails for ever. The
// executor's half stays off in two ways, and each has an executor beside the driver: the driver
// tells it to, or its agent does not start.
func TestAgentOff(t *testing.T) {
	t.Parallel()
	old := sparkOld(t)
	tests := []struct {
		name      string
		executors int
		conf      []string
		env       []string
		says      string // in the log of driver or executors; "" nothing of planflame
	}{
		{"switched off", 0, []string{"--conf", "spark.planflame.enabled=false"}, nil, ""},
		{"no library", 1, []string{"--conf", "spark.planflame.native.path=/nonexistent/libplanflame.so"}, nil, "/nonexistent/libplanflame.so"},
		{"wrong value", 1, []string{"--conf", "spark.planflame.log.mib=banana"}, nil, "banana"},
		{"JDK 11", 0, nil, []string{"JAVA_HOME=" + built(t, "jre", "11")}, "11"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := startJob(t, old, user{uid: -1}, jobSpec{plugin: true, executors: tt.executors, data: "sf0.01", conf: tt.conf, env: append(tt.env, quickJava)})
			assert.Equal(t, plainResults(t), j.wait(t))
			lines := planflameLines(t, j)
			if tt.says == "" {
				assert.Empty(t, lines)
				return
			}
			assert.Contains(t, strings.Join(lines, "\n"), tt.says)
			assert.LessOrEqual(t, len(lines), 1+tt.executors, "a line a JVM: %q", lines)
		})
	}
}

// TestRunWithoutSpark runs commands under planflame that are no Spark job: exit codes and output
// pass, and one line says that nothing was seen.
func TestRunWithoutSpark(t *testing.T) {
	asUsers(t, func(t *testing.T, u user) {
		dir := u.tempDir(t)
		cmd := u.command(t.Context(), dir, built(t, "planflame"), "run", "--out", filepath.Join(dir, "out"), "--", "sh", "-c", "echo hello; exit 7")
		log, err := output(t, cmd)
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		assert.Equal(t, 7, exit.ExitCode())
		assert.Contains(t, log, "hello")
		assert.Contains(t, log, "no JVM")
	})
}

// TestWrongCollectorConfig asks for a refusal that names the key.
func TestWrongCollectorConfig(t *testing.T) {
	tests := []struct{ set, key string }{
		{"receivers::spark_profile::windw=5s", "windw"},
		{"receivers::spark_profile::window=-5s", "window"},
		{"exporters::pyroscope::endpoint=ftp://x", "endpoint"},
		{"exporters::pyroscope::series::max_values=-1", "max_values"},
	}
	for _, tt := range tests {
		t.Run(tt.key, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			u := user{uid: -1}
			cmd := u.command(ctx, u.tempDir(t), built(t, "planflame-collector"), "validate",
				"--config", filepath.Join(root(t), "config", "collector.yaml"), "--set", tt.set)
			cmd.Env = append(cmd.Env, "PYROSCOPE_URL=http://127.0.0.1:4040")
			log, err := output(t, cmd)
			require.Error(t, err)
			assert.Contains(t, log, tt.key)
		})
	}
}

// waitForLine waits until a log has a line with the text.
func waitForLine(t *testing.T, log *logBuffer, text string, within time.Duration) {
	t.Helper()
	eventually(t, within, func() error {
		if !strings.Contains(log.String(), text) {
			return assertionError("no line with " + strconv.Quote(text) + " in:\n" + log.String())
		}
		return nil
	})
}

// planflameLines are the lines that the agent or the plugin wrote in the driver or the executors.
func planflameLines(t *testing.T, j *job) []string {
	t.Helper()
	texts := []string{j.log.String()}
	files, err := filepath.Glob(filepath.Join(j.home, "work", "*", "*", "stderr"))
	require.NoError(t, err)
	require.Equal(t, j.local, len(files) == 0, "executors' stderr: %q", files)
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		texts = append(texts, string(b))
	}
	var lines []string
	for _, text := range texts {
		for l := range strings.Lines(text) {
			if strings.HasPrefix(l, "planflame: ") {
				lines = append(lines, strings.TrimSpace(l))
			}
		}
	}
	return lines
}

// quiet checks that neither executors nor driver had anything to say about planflame.
func quiet(t *testing.T, j *job) {
	t.Helper()
	assert.Empty(t, planflameLines(t, j))
}
