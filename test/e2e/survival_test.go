//go:build e2e

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// plain keeps what the concurrent job gives without planflame, by version of Spark.
var plain = map[string]string{}

// plainResults are the concurrent job's results without planflame; the job runs once a version.
func plainResults(t *testing.T, s spark) string {
	t.Helper()
	if plain[s.version] == "" {
		plain[s.version] = startCluster(t, s, user{uid: -1}, jobSpec{seconds: 1, data: "sf0.01"}).wait(t)
	}
	return plain[s.version]
}

// profiled is the concurrent job with the plugin, on little data.
func profiled(seconds int) jobSpec { return jobSpec{plugin: true, seconds: seconds, data: "sf0.01"} }

// TestCollectorKilled kills the Collector with SIGKILL in the middle of the job, again and again: the job must not notice, and the last
// Collector must see the executors that its predecessors had leased.
func TestCollectorKilled(t *testing.T) {
	s := sparkNewest(t)
	plain := plainResults(t, s)
	asUsers(t, func(t *testing.T, u user) {
		server := pyroscopetest.Start(t)
		c := startCollector(t, u, server.URL)
		j := startCluster(t, s, u, profiled(30))
		for range 2 {
			waitForLine(t, c.log, "JVM found", 60*time.Second)
			c.kill()
			c = startCollector(t, u, server.URL)
		}
		waitForLine(t, c.log, "JVM found", 60*time.Second)
		assert.Equal(t, plain, j.wait(t), "results with Collectors that were killed")
		c.stop(t)
		quiet(t, j)
		values, err := server.LabelValues(t.Context(), pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="concurrent"}`}, "operator")
		require.NoError(t, err)
		assert.Greater(t, len(values), 3, "operators after two kills: %q", values)
	})
}

// TestPyroscopeDown runs against a server that is not there: the job does not notice, the Collector says so and stays healthy.
func TestPyroscopeDown(t *testing.T) {
	s := sparkNewest(t)
	plain := plainResults(t, s)
	asUsers(t, func(t *testing.T, u user) {
		c := startCollector(t, u, "http://127.0.0.1:"+strconv.Itoa(freePort(t)))
		j := startCluster(t, s, u, profiled(15))
		waitForLine(t, c.log, "connection refused", 60*time.Second)
		assert.Equal(t, plain, j.wait(t))
		quiet(t, j)
		c.kill()
	})
}

// TestNoCollector runs the plugin with nobody to read it; who runs it makes no difference then.
func TestNoCollector(t *testing.T) {
	s := sparkNewest(t)
	j := startCluster(t, s, user{uid: -1}, profiled(1))
	assert.Equal(t, plainResults(t, s), j.wait(t))
	quiet(t, j)
}

// TestAgentOff runs jobs in which the agent cannot or must not work: each ends well and says one line, or none when it was asked to be off.
func TestAgentOff(t *testing.T) {
	old := sparkOld(t)
	plain := plainResults(t, old)
	tests := []struct {
		name  string
		local bool
		conf  []string
		env   []string
		says  string // in the log of driver or executors; "" nothing of planflame
	}{
		{"switched off", false, []string{"--conf", "spark.planflame.enabled=false"}, nil, ""},
		{"no library", false, []string{"--conf", "spark.planflame.native.path=/nonexistent/libplanflame.so"}, nil, "/nonexistent/libplanflame.so"},
		{"wrong key", true, []string{"--conf", "spark.planflame.log.mbi=16"}, nil, "spark.planflame.log.mbi"},
		{"wrong value", false, []string{"--conf", "spark.planflame.log.mib=banana"}, nil, "banana"},
		{"JDK 11", false, nil, []string{"JAVA_HOME=" + built(t, "jre", "11")}, "11"},
	}
	// In a cluster wherever an executor could be told to relaunch for ever; a wrong key goes the way of a wrong value.
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec := profiled(1)
			spec.local, spec.conf, spec.env = tt.local, tt.conf, tt.env
			j := startCluster(t, old, user{uid: -1}, spec)
			assert.Equal(t, plain, j.wait(t))
			lines := planflameLines(t, j)
			if tt.says == "" {
				assert.Empty(t, lines)
				return
			}
			assert.Contains(t, strings.Join(lines, "\n"), tt.says)
			assert.LessOrEqual(t, len(lines), 4, "a line a JVM (driver and two executors): %q", lines)
		})
	}
}

// TestRunWithoutSpark runs commands under planflame that are no Spark job: exit codes and output pass, and one line says that nothing was seen.
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
				"--config", filepath.Join(root(t), "config", "collector.yaml"), "--feature-gates=service.profilesSupport", "--set", tt.set)
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
