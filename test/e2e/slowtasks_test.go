//go:build e2e

package e2e

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slowSummary is what summary.json says of slow tasks.
type slowSummary struct {
	SlowTasks struct {
		Judged   int        `json:"judged_tasks"`
		Missing  int        `json:"missing_tasks"`
		Unqueued int        `json:"tasks_without_run_queue"`
		Wall     float64    `json:"wall_seconds"`
		Without  float64    `json:"without_wall_seconds"`
		Tasks    []slowTask `json:"tasks"`
	} `json:"slow_tasks"`
}

type slowTask struct {
	Execution *int64             `json:"sql_execution_id"`
	Partition int                `json:"partition"`
	Verdict   string             `json:"verdict"`
	Seconds   float64            `json:"seconds"`
	Peers     float64            `json:"peer_seconds"`
	Excess    map[string]float64 `json:"excess_seconds"`
	Volume    float64            `json:"volume_ratio"`
	CPU       float64            `json:"cpu_ratio"`
	Operator  string             `json:"operator"`
	Half      *struct {
		Record  [2]int64 `json:"record"`
		Records int64    `json:"records"`
	} `json:"half_of_time"`
}

// TestSlowTasks runs test/jobs/slow.py. It has four queries without a slow task, and the same four
// with one each. That the figures of all tasks are told on both lines of Spark, checkTimes
// holds.
func TestSlowTasks(t *testing.T) {
	s, u := sparkNewest(t), user{uid: -1}
	dir := u.tempDir(t)
	run := func(args ...string) string {
		t.Helper()
		cmd := u.command(t.Context(), dir, built(t, "planflame"), args...)
		cmd.Env = append(cmd.Env, s.env(t, u, s.home(t))...)
		log, err := output(t, cmd)
		require.NoError(t, err, log)
		return log
	}
	log := run("run", "--records", "--out", filepath.Join(dir, "out"), "--", filepath.Join(s.venv, "bin", "spark-submit"), "--master", "local[2]",
		"--driver-memory", "1g", "--conf", "spark.ui.enabled=false", filepath.Join(root(t), "test", "jobs", "slow.py"))
	var got slowSummary
	require.NoError(t, json.Unmarshal([]byte(run("report", "--json", filepath.Join(dir, "out"))), &got))
	checkSlowTasks(t, got)
	var whole slowSummary
	require.NoError(t, json.Unmarshal([]byte(run("report", "--format", "json", filepath.Join(dir, "out"))), &whole))
	assert.Equal(t, got, whole)
	for _, want := range []string{"\nslow tasks  ", "partition 3  computation skew  ", "partition 3  wait  ", "  data skew  ", "half of its time: records "} {
		assert.Contains(t, log, want)
	}
}

func checkSlowTasks(t *testing.T, got slowSummary) {
	t.Helper()
	assert.Zero(t, got.SlowTasks.Missing, "every task that ended is told")
	assert.Zero(t, got.SlowTasks.Unqueued, "the thread of every long task was read")
	assert.Greater(t, got.SlowTasks.Judged, 8*16-1, "four queries, each twice")
	verdicts := map[int64]string{4: "data skew", 5: "computation skew", 6: "wait", 7: "computation skew"} // by execution; the first four are clean
	by, excess, flagged := map[int64]slowTask{}, 0., 0
	for _, s := range got.SlowTasks.Tasks {
		excess += s.Excess["all"]
		if s.Verdict == "host" {
			continue // other processes took the cores
		}
		require.NotNil(t, s.Execution)
		assert.Equal(t, verdicts[*s.Execution], s.Verdict, "%+v", s)
		by[*s.Execution] = s
		flagged++
	}
	require.Len(t, by, 4, "one task of each query: %+v", got.SlowTasks.Tasks)
	require.Equal(t, 4, flagged, "%+v", got.SlowTasks.Tasks)
	data, computation, wait, many := by[4], by[5], by[6], by[7]
	assert.Greater(t, data.Volume, 5.)
	assert.Greater(t, data.Excess["rows"], 0.9*data.Excess["all"])
	assert.Equal(t, 3, computation.Partition, "of the row")
	assert.InDelta(t, 1, computation.Volume, 0.01)
	assert.Greater(t, computation.CPU, 3.)
	assert.Contains(t, computation.Operator, "Filter")
	assert.Equal(t, 3, wait.Partition, "of the row")
	assert.InDelta(t, 3, wait.Excess["wait"], 0.5, "it sleeps")
	assert.Empty(t, wait.Operator)
	for _, s := range []slowTask{data, computation, wait} {
		assert.Nil(t, s.Half, "no rows of it are as slow, or one alone: %+v", s)
	}
	require.NotNil(t, many.Half, "%+v", many)
	assert.EqualValues(t, 25_000, many.Half.Records)
	const border = 100 // a look finds the task a few records before the first slow one
	assert.Greater(t, many.Half.Record[0], int64(12_500-border), "12,501 to 14,500 are slow")
	assert.LessOrEqual(t, many.Half.Record[1], int64(14_500+border))
	assert.Less(t, got.SlowTasks.Without, got.SlowTasks.Wall)
	assert.Greater(t, got.SlowTasks.Without, got.SlowTasks.Wall-excess, "what runs beside a slow task is not gained")
}
