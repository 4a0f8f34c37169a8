//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// timesSummary is what summary.json says of time.
type timesSummary struct {
	Time struct {
		slotSeconds
		Wall       float64 `json:"wall_seconds"`
		Slots      int     `json:"slots"`
		All        float64 `json:"slot_seconds"`
		NoStage    float64 `json:"no_stage_seconds"`
		DriverOnly float64 `json:"driver_only_seconds"`
		Planning   float64 `json:"planning_seconds"`
		Program    float64 `json:"program_seconds"`
		Lost       int     `json:"lost"`
	} `json:"time"`
	Queries []timesQuery `json:"queries"`
	Stages  []stageTimes `json:"stages"`
	Tasks   struct {
		Stages  int `json:"stages"`
		Missing int `json:"missing_tasks"`
	} `json:"slow_tasks"`
}

type timesQuery struct {
	Name       string  `json:"query_name"`
	CPU        float64 `json:"cpu_seconds"`
	Executions []int64 `json:"sql_execution_ids"`
	Time       *struct {
		slotSeconds
		Wall       float64 `json:"wall_seconds"`
		DriverOnly float64 `json:"driver_only_seconds"`
		Executions int     `json:"executions"`
	} `json:"time"`
	Stages []stageTimes `json:"stages"`
}

type slotSeconds struct {
	Running float64 `json:"running_seconds"`
	Waiting float64 `json:"waiting_seconds"`
	Idle    float64 `json:"idle_seconds"`
}

func (s slotSeconds) sum() float64 { return s.Running + s.Waiting + s.Idle }

type stageTimes struct {
	slotSeconds
	stageFigures
	ID        int64   `json:"stage_id"`
	Attempt   int64   `json:"attempt"`
	Execution *int64  `json:"sql_execution_id"`
	Tasks     int     `json:"tasks"`
	Missed    int     `json:"missed_tasks"`
	Wall      float64 `json:"wall_seconds"`
	Median    float64 `json:"median_run_seconds"`
	Max       float64 `json:"max_run_seconds"`
}

// TestTimes holds a job of all kinds of waiting against Spark's own event log. On the old Spark the
// jobs of TestTPCH, TestJavas and TestFindings are held against it.
func TestTimes(t *testing.T) {
	t.Parallel()
	s := sparkNewest(t)
	u := user{name: "own", uid: -1}
	dir := u.tempDir(t)
	events := filepath.Join(dir, "events")
	require.NoError(t, os.Mkdir(events, 0o755))
	args := append([]string{"run", "--out", filepath.Join(dir, "out"), "--", filepath.Join(s.venv, "bin", "spark-submit"), "--master", "local[2]",
		"--driver-memory", "1g", "--conf", "spark.sql.shuffle.partitions=3", "--conf", "spark.sql.autoBroadcastJoinThreshold=-1", "--conf", "spark.ui.enabled=false",
		"--conf", "spark.shuffle.spill.numElementsForceSpillThreshold=100000"}, eventLogConf(events)...)
	cmd := u.command(t.Context(), dir, built(t, "planflame"), append(args, filepath.Join(root(t), "test", "e2e", "testdata", "times.py"))...)
	cmd.Env = append(cmd.Env, s.env(t, u, s.home(t))...)
	log, err := output(t, cmd)
	require.NoError(t, err, "%s", log)
	got := checkTimes(t, filepath.Join(dir, "out"), events)

	by := map[string]timesQuery{}
	for _, q := range got.Queries {
		by[q.Name] = q
	}
	require.Subset(t, keysOf(by), []string{"waits", "skewed", "spills", "late"})
	waits, skewed, spills := by["waits"], by["skewed"], by["spills"]
	assert.GreaterOrEqual(t, waits.Time.Waiting, 8*0.2, "eight times 0.2 s in the function")
	assert.Greater(t, waits.Time.Waiting, 3*waits.Time.Running)
	read := slices.MaxFunc(skewed.Stages, func(a, b stageTimes) int { return int(a.ReadRows - b.ReadRows) })
	assert.Equal(t, 540_000., read.ReadRows, "rows of both sides")
	assert.Equal(t, 8, read.Tasks)
	assert.Greater(t, read.Max, 2*read.Median, "one of eight partitions has nine rows of ten; both figures are Spark's")
	assert.Len(t, skewed.Stages, 4, "two sides, the join, its sum")
	assert.Zero(t, skewed.Stages[0].DiskSpilled)
	require.Len(t, spills.Stages, 1)
	assert.Positive(t, spills.Stages[0].DiskSpilled)
	assert.Positive(t, spills.Stages[0].MemorySpilled)
	assert.GreaterOrEqual(t, got.Time.Program, 1.5, "the driver sleeps")
	outside := got.Stages
	for _, q := range got.Queries {
		if len(q.Executions) == 0 {
			outside = append(outside, q.Stages...)
		}
	}
	require.Len(t, outside, 1, "a stage outside SQL, in a job of its own if it has a sample")
	assert.Nil(t, outside[0].Execution)
}

func keysOf[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

// checkTimes holds the times of a run's summary.json against the event log of its application.
func checkTimes(t *testing.T, out, events string) timesSummary {
	t.Helper()
	want := readTimeLog(t, events)
	var got timesSummary
	readJSON(t, filepath.Join(out, "summary.json"), &got)

	slots, noTask := want.totals()
	assert.InDelta(t, float64(want.end-want.begin)/1e3, got.Time.Wall, 1e-6)
	assert.InDelta(t, slots, got.Time.All, 0.002*slots)
	assert.InDelta(t, noTask, got.Time.DriverOnly, 0.02*noTask+0.01)
	assert.InDelta(t, got.Time.All, got.Time.sum()+got.Time.NoStage, 0.001*got.Time.All, "all slot time")
	assert.Zero(t, got.Time.Lost)
	assert.Equal(t, len(want.stages), got.Tasks.Stages, "stages of which the figures of tasks are told")
	assert.Zero(t, got.Tasks.Missing, "every task that ended is told")
	// An execution is planned before it starts, and the log does not say for how long: planflame
	// takes that off.
	assert.InDelta(t, want.withoutQuery(), got.Time.Program, got.Time.Planning+0.01)
	assert.LessOrEqual(t, got.Time.Program, want.withoutQuery()+0.01)

	stages := slices.Clone(got.Stages)
	var wall, last float64
	for i, q := range got.Queries {
		stages = append(stages, q.Stages...)
		require.NotNil(t, q.Time, "%s", q.Name)
		assert.True(t, i == 0 || q.Time.Wall <= last, "queries by falling wall time")
		last = q.Time.Wall
		if len(q.Executions) == 0 {
			continue // a job without SQL, of which Spark tells stages
		}
		var spark, driver float64
		for _, id := range q.Executions {
			require.NotNil(t, want.executions[id], "execution %d", id)
			spark += float64(want.executions[id][1]-want.executions[id][0]) / 1e3
			driver += want.driverOnly(id)
		}
		assert.InDelta(t, spark, q.Time.Wall, 1e-6, "wall time of %s", q.Name)
		assert.InDelta(t, driver, q.Time.DriverOnly, 0.02*driver+0.01, "time of %s without a task of its own", q.Name)
		wall += q.Time.Wall
	}
	worst := 0.
	for _, s := range stages {
		id := stageID{s.ID, s.Attempt}
		log := want.stages[id]
		require.NotNil(t, log, "%v", id)
		delete(want.stages, id)
		worst = max(worst, checkStage(t, s, log, float64(got.Time.Slots)))
	}
	assert.Empty(t, want.stages, "stages of the event log that the summary does not have")
	t.Logf("%d stages, slots × time of the worst off by %.2f %%; %.1f s of queries in %.1f s", len(stages), 100*worst, wall, got.Time.Wall)
	return got
}

// checkStage holds a stage against the log. It returns how far running + waiting + idle are from
// the log's slots × time of it.
func checkStage(t *testing.T, s stageTimes, log *stageLog, slots float64) float64 {
	t.Helper()
	assert.Zero(t, s.Missed, "stage %d", s.ID)
	assert.Equal(t, len(log.tasks), s.Tasks, "tasks of stage %d", s.ID)
	assert.InDelta(t, float64(log.finish-log.submitted)/1e3, s.Wall, 1e-6, "wall time of stage %d", s.ID)
	assert.InDelta(t, log.median(), s.Median, 1e-6, "median of stage %d", s.ID)
	assert.InDelta(t, float64(slices.Max(log.run))/1e3, s.Max, 1e-6, "max of stage %d", s.ID)
	for name, v := range map[string][2]float64{
		"run": {log.sums.Run, s.Run}, "cpu": {log.sums.CPU, s.CPU}, "deserialize": {log.sums.Deserialize, s.Deserialize},
		"deserialize cpu": {log.sums.DeserializeCPU, s.DeserializeCPU}, "serialize": {log.sums.Serialize, s.Serialize}, "gc": {log.sums.GC, s.GC},
		"fetch wait": {log.sums.FetchWait, s.FetchWait}, "shuffle write": {log.sums.ShuffleWrite, s.ShuffleWrite}, "memory spilled": {log.sums.MemorySpilled, s.MemorySpilled},
		"disk spilled": {log.sums.DiskSpilled, s.DiskSpilled}, "input bytes": {log.sums.InputBytes, s.InputBytes}, "input rows": {log.sums.InputRows, s.InputRows},
		"output bytes": {log.sums.OutputBytes, s.OutputBytes}, "output rows": {log.sums.OutputRows, s.OutputRows}, "read bytes": {log.sums.ReadBytes, s.ReadBytes},
		"read rows": {log.sums.ReadRows, s.ReadRows}, "write bytes": {log.sums.WriteBytes, s.WriteBytes}, "write rows": {log.sums.WriteRows, s.WriteRows},
	} {
		assert.InDelta(t, v[0], v[1], 1e-6, "%s of stage %d", name, s.ID)
	}
	assert.LessOrEqual(t, s.sum(), slots*s.Wall*1.001+0.001, "stage %d has no more than all slots", s.ID)
	mine := log.held + log.idle
	off := max(s.sum()-mine, mine-s.sum()) / mine
	assert.InDelta(t, mine, s.sum(), 0.02*mine, "slots × time of stage %d", s.ID)
	assert.InDelta(t, log.held, s.Running+s.Waiting, 0.02*mine, "slots that the tasks of stage %d held", s.ID)
	// Spark starts a task before it has told that another is over, and the two share a slot. So a
	// task may use more CPU than it holds a slot: no more of it is running.
	assert.InDelta(t, min(log.sums.CPU+log.sums.DeserializeCPU, log.held), s.Running, 0.001+0.02*log.held, "CPU of stage %d", s.ID)
	return off
}
