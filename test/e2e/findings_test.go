//go:build e2e

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFindings runs jobs that get every finding, into a folder of their own, and holds each finding
// against Spark's event log. The table shows three, and report without an argument tells them
// again. Half of either job is spent in sleep or in one thread, so they run at the same time. The
// old Spark has the findings that depend on its plans, whose times are held against the log.
func TestFindings(t *testing.T) {
	t.Parallel()
	cpu := []string{"twice", "python", "schema", "spill"}
	for _, tt := range []struct {
		s     spark
		shape string
		want  []string
	}{
		{sparkNewest(t), "time", []string{"skew", "waits", "driver", "program", "cold"}},
		{sparkNewest(t), "cpu", cpu},
		{sparkOld(t), "cpu", cpu},
	} {
		t.Run(tt.s.version+"/"+tt.shape, func(t *testing.T) {
			t.Parallel()
			checkFindings(t, tt.s, tt.shape, tt.want)
		})
	}
}

func checkFindings(t *testing.T, s spark, shape string, want []string) {
	t.Helper()
	u := user{uid: -1}
	dir := u.tempDir(t)
	events := filepath.Join(dir, "events")
	require.NoError(t, os.Mkdir(events, 0o755))
	ctx, cancel := context.WithTimeout(t.Context(), jobTime)
	defer cancel()
	run := func(args ...string) string {
		t.Helper()
		cmd := u.command(ctx, dir, built(t, "planflame"), args...)
		cmd.Env = append(cmd.Env, s.env(t, u, s.home(t))...)
		log, err := output(t, cmd)
		require.NoError(t, err, log)
		return log
	}
	args := append([]string{"run", "--", filepath.Join(s.venv, "bin", "spark-submit"), "--master", "local[2]"}, eventLogConf(events)...)
	if shape == "time" { // the JVM compiles five times as eagerly: it is cold by a margin
		args = append(args, "--conf", "spark.driver.extraJavaOptions=-XX:CompileThresholdScaling=0.2")
	}
	log := run(append(args, filepath.Join(root(t), "test", "jobs", "findings.py"), "--shape", shape, "--out", dir)...)
	assert.Contains(t, log, "planflame: the page in the browser: planflame view\n")
	entries, err := os.ReadDir(filepath.Join(dir, "planflame-out"))
	require.NoError(t, err)
	require.Len(t, entries, 2, "the run and the link to it")
	assert.Regexp(t, `^\d{8}-\d{6}-findings-`+shape+`$`, entries[0].Name())

	out := filepath.Join(dir, "planflame-out", entries[0].Name())
	if shape == "cpu" { // the other's stream has executions within executions
		checkTimes(t, out, events)
	}
	rules := judgeFindings(t, out, events, log)
	assert.Subset(t, rules, want)

	table := run("report")
	_, below, found := strings.Cut(table, "\nfindings\n")
	require.True(t, found, table)
	below, _, _ = strings.Cut(below, "\n\n")
	assert.Equal(t, 3, strings.Count(below, "Try:"), "of %d findings", len(rules))
	for line := range strings.Lines(table) {
		assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 80, line)
	}
}
