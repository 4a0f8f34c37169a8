//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/columns"
)

// TestKeptRecordings lets a Collector keep recordings of one of two queries that run at once, in a
// folder that an older recording nearly fills, and asks `planflame` for its operators. Profiles
// have nowhere to go meanwhile, which makes no difference.
func TestKeptRecordings(t *testing.T) {
	const most = 512 << 20
	u := ordinaryUser.here()
	dir := filepath.Join(u.tempDir(t), "recordings")
	older := filepath.Join(dir, "old", "app-1-1-20260101-000000")
	require.NoError(t, os.MkdirAll(older, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(older, "recording"), nil, 0o600))
	require.NoError(t, os.Truncate(filepath.Join(older, "recording"), most-1<<20))
	for _, path := range []string{dir, filepath.Dir(older), older, filepath.Join(older, "recording")} {
		u.own(t, path)
	}
	c := startCollector(t, u, "http://127.0.0.1:"+strconv.Itoa(freePort(t)), "--set=receivers::spark_profile::sampling_hz=200",
		fmt.Sprintf(`--set=receivers::spark_profile::recording={directory: %q, max_bytes: %d, queries: ["* q03"]}`, dir, most))
	require.DirExists(t, older, "there is room for it")
	startJob(t, sparkNewest(t), u, jobSpec{plugin: true, seconds: 3, data: "sf0.01", env: []string{quickJava}}).wait(t)

	var found []string
	eventually(t, patience, func() (err error) {
		if found, err = filepath.Glob(filepath.Join(dir, "concurrent", "local-*-driver-*", "recording")); err == nil && len(found) != 1 {
			err = fmt.Errorf("%d recordings of the job; the Collector's log:\n%s", len(found), c.log)
		}
		return err
	})
	kept := filepath.Dir(found[0])
	assert.NoDirExists(t, older, "its bytes were needed")
	said := func(args ...string) string {
		text, err := output(t, u.command(t.Context(), dir, built(t, "planflame"), args...))
		require.NoError(t, err, "%s", text)
		return text
	}
	var r columns.Report
	require.NoError(t, json.Unmarshal([]byte(said("report", "--format", "json", kept)), &r))
	require.Len(t, r.Queries, 1, "of the other query nothing is kept")
	q := r.Queries[0]
	assert.Equal(t, "tpch q03", q.Name)
	assert.Positive(t, q.Runs)
	rows := map[string]bool{} // names of operators with samples and rows
	for _, o := range q.Operators {
		if o.Samples > 0 && o.Rows != nil && *o.Rows > 0 {
			rows[o.Name] = true
		}
	}
	assert.Contains(t, rows, "Scan lineitem", "%+v", q.Operators)
	assert.Contains(t, buckets(r), "run not sampled", "CPU of the other query")
	assert.Contains(t, said("report", "--all", kept), "Scan lineitem")
	assert.Contains(t, said("diff", kept, kept), "tpch q03")

	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		if path != dir {
			assert.Zero(t, info.Mode().Perm()&0o077, "%s: %s", path, info.Mode())
		}
		return nil
	}))
	for line := range strings.Lines(problems(t, c)) {
		if strings.Contains(line, `"unrecorded"`) {
			assert.True(t, strings.HasSuffix(strings.TrimSpace(line), " 0"), line)
		}
	}
}

// buckets are the names of a report's buckets of tasks.
func buckets(r columns.Report) (names []string) {
	for _, b := range r.Buckets {
		names = append(names, b.Name)
	}
	return names
}
