//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSlowRecord runs test/jobs/records.py over a file with one slow row: that row is named, and
// none of its texts leaves the JVM.
func TestSlowRecord(t *testing.T) {
	const rows, slow = 200_000, 148_211 // records count from 1
	secret := strings.Repeat("a", 26)
	s, u := sparkNewest(t), user{uid: -1}
	dir := u.tempDir(t)
	var text strings.Builder
	for i := 1; i <= rows; i++ {
		if i == slow {
			fmt.Fprintf(&text, "%d,%s\n", i, secret)
			continue
		}
		fmt.Fprintf(&text, "%d,text %d\n", i, i)
	}
	file := filepath.Join(dir, "secret-name.csv")
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o644))
	out := filepath.Join(dir, "out")
	run := func(args ...string) string {
		t.Helper()
		cmd := u.command(t.Context(), dir, built(t, "planflame"), args...)
		cmd.Env = append(cmd.Env, s.env(t, u, s.home(t))...)
		log, err := output(t, cmd)
		require.NoError(t, err, log)
		return log
	}
	log := run("run", "--records", "--out", out, "--", filepath.Join(s.venv, "bin", "spark-submit"), "--master", "local[2]",
		"--driver-memory", "1g", "--conf", "spark.ui.enabled=false", filepath.Join(root(t), "test", "jobs", "records.py"), file)
	var got struct {
		SlowRecords struct {
			Watched   int `json:"watched_tasks"`
			Unwatched int `json:"unwatched_tasks"`
			Records   []struct {
				Record   [2]int64 `json:"record"`
				Net      float64  `json:"net_seconds"`
				CPU      float64  `json:"cpu_seconds"`
				File     string   `json:"file"`
				Operator string   `json:"operator"`
			} `json:"records"`
		} `json:"slow_records"`
	}
	report := run("report", "--json", out)
	require.NoError(t, json.Unmarshal([]byte(report), &got))
	assert.Positive(t, got.SlowRecords.Watched)
	assert.Zero(t, got.SlowRecords.Unwatched)
	require.Len(t, got.SlowRecords.Records, 1, report)
	one := got.SlowRecords.Records[0]
	t.Logf("%+v", one)
	assert.Equal(t, [2]int64{slow, slow}, one.Record)
	assert.Greater(t, one.CPU, 0.5*one.Net, "it computes")
	assert.Contains(t, log, "slow records")
	assert.NotEmpty(t, one.File)
	assert.NotContains(t, one.File, "secret-name")
	assert.NotContains(t, log+report, secret)
}
