//go:build e2e

package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/contents"
)

// slowRecord is a slow record of summary.json.
type slowRecord struct {
	Record   [2]int64 `json:"record"`
	Net      float64  `json:"net_seconds"`
	CPU      float64  `json:"cpu_seconds"`
	File     string   `json:"file"`
	Operator string   `json:"operator"`
}

// TestSlowRecord runs test/jobs/records.py over a file with one slow row: that row is named, and of
// a Parquet file its batch. A second run with planflame debug names the row of the batch, and the
// slow group of an aggregate. None of its texts leaves the JVM.
func TestSlowRecord(t *testing.T) {
	const rows, slow = 200_000, 148_211 // records count from 1
	secret := strings.Repeat("a", 25)
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
	run := func(args ...string) (stdout, stderr string, err error) {
		t.Helper()
		cmd := u.command(t.Context(), dir, built(t, "planflame"), args...)
		cmd.Env = append(cmd.Env, s.env(t, u, s.home(t))...)
		var texts [2]strings.Builder
		cmd.Stdout, cmd.Stderr = &texts[0], &texts[1]
		err = cmd.Run()
		return texts[0].String(), texts[1].String(), err
	}
	job := []string{"--", filepath.Join(s.venv, "bin", "spark-submit"), "--master", "local[2]", "--driver-memory", "1g", "--conf", "spark.ui.enabled=false",
		"--conf", "spark.sql.parquet.enableVectorizedReader=true", filepath.Join(root(t), "test", "jobs", "records.py"), file, filepath.Join(dir, "parquet")}
	_, log, err := run(append([]string{"run", "--records", "--out", out}, job...)...)
	require.NoError(t, err, log)
	var got struct {
		SlowRecords struct {
			Watched   int          `json:"watched_tasks"`
			Unwatched int          `json:"unwatched_tasks"`
			Records   []slowRecord `json:"records"`
		} `json:"slow_records"`
	}
	report, _, err := run("report", "--json", out)
	require.NoError(t, err, report)
	require.NoError(t, json.Unmarshal([]byte(report), &got))
	assert.Positive(t, got.SlowRecords.Watched)
	assert.Zero(t, got.SlowRecords.Unwatched)
	require.Len(t, got.SlowRecords.Records, 2, report)
	slices.SortFunc(got.SlowRecords.Records, func(a, b slowRecord) int { return cmp.Compare(b.Record[0], a.Record[0]) })
	one, batch := got.SlowRecords.Records[0], got.SlowRecords.Records[1]
	t.Logf("%+v, %+v", one, batch)
	assert.Equal(t, [2]int64{slow, slow}, one.Record)
	assert.Equal(t, [2]int64{147_457, 151_552}, batch.Record, "the thirty-seventh 4,096")
	assert.Greater(t, one.CPU, 0.5*one.Net, "it computes")
	assert.Contains(t, log, "slow records")
	assert.NotEmpty(t, one.File)
	assert.NotContains(t, one.File, "secret-name")

	debug := append([]string{"debug", out, "--json"}, job...)
	_, refused, err := run(debug...)
	require.Error(t, err)
	assert.Contains(t, refused, "that run wrote 200000 rows")
	var found struct {
		Batches []struct {
			Rows []slowRecord `json:"rows"`
		} `json:"batches"`
		Keys []struct {
			Key     string `json:"key_sha256"`
			Records int64  `json:"records"`
		} `json:"keys"`
	}
	rowsOut, again, err := run(slices.Insert(debug, 1, "--write-again")...)
	require.NoError(t, err, again)
	require.NoError(t, json.Unmarshal([]byte(rowsOut), &found), rowsOut+again)
	require.Len(t, found.Batches, 1, rowsOut)
	require.Len(t, found.Batches[0].Rows, 1, rowsOut)
	assert.Equal(t, [2]int64{slow, slow}, found.Batches[0].Rows[0].Record)
	require.Len(t, found.Keys, 1, rowsOut+again)
	assert.EqualValues(t, 50, found.Keys[0].Records)
	assert.Regexp(t, "^[0-9a-f]{8}$", found.Keys[0].Key)
	assert.FileExists(t, filepath.Join(out, "debug", "recording"))
	assert.NotContains(t, log+report+rowsOut+again, secret)
	leaksNothing(t, out, secret)
}

// leaksNothing looks for the text of a row in all that a run and its debug run left.
func leaksNothing(t *testing.T, out, secret string) {
	t.Helper()
	left, err := contents.Of(out)
	require.NoError(t, err)
	for _, file := range []string{"recording", "profile.pb.gz", "summary.json", "report.html", "debug/recording", "debug/report.html"} {
		assert.True(t, bytes.Contains(left[file], []byte("rlike(text")), "%s was read", file)
	}
	for file, text := range left {
		assert.False(t, bytes.Contains(text, []byte(secret)), "%s has the text of a row", file)
	}
}
