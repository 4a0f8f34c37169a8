package outcome

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// withTimes is the run of twoJVMs as its driver timed it: query a waits, so it took longer than b,
// which cost more; query c has no sample.
func withTimes() window.Profile {
	p := twoJVMs()
	execution := func(id tasksample.ExecutionID, query string, start, end int64) pipeline.ExecutionTimes {
		return pipeline.ExecutionTimes{ApplicationID: "app-1", ID: id, Root: id, TasksOf: id, Query: "q1-" + query, QueryName: "name of " + query, Plan: "p1-" + query,
			StartedMS: start, EndedMS: end, TaskFreeMS: 50, AnalysisMS: 1, OptimizationMS: 2, PlanningMS: 4, HeldUS: 3_000_000, IdleUS: 1_000_000, CPUNanos: 500_000_000}
	}
	stage := func(id tasksample.StageID, of tasksample.ExecutionID) pipeline.StageTimes {
		return pipeline.StageTimes{ApplicationID: "app-1", ID: id, Attempt: 1, Execution: of, Name: "save at a.py:4", SubmittedMS: 1000, CompletedMS: 3500, Tasks: 8,
			FailedTasks: 2, MissedTasks: 3, HeldUS: 4_000_000, IdleUS: 1_500_000, MedianRunMS: 13, MaxRunMS: 14, RunMS: 15, CPUNanos: 160_000_000, DeserializeMS: 17,
			DeserializeCPUNanos: 18_000_000, GCMS: 19, SerializeMS: 20, FetchWaitMS: 21, ShuffleWriteNanos: 22_000_000, MemorySpilledBytes: 23, DiskSpilledBytes: 24,
			InputBytes: 25, InputRows: 26, OutputBytes: 27, OutputRows: 28, ShuffleReadBytes: 29, ShuffleReadRows: 30, ShuffleWriteBytes: 31, ShuffleWriteRows: 32}
	}
	short := stage(11, tasksample.NoExecution)
	short.HeldUS = 125_000 // less than its CPU: Spark's times are whole milliseconds
	driver := &p.JVMs[2]
	driver.Totals.LostTimes = 5
	driver.Times = window.Times{
		Applications: []pipeline.ApplicationTimes{
			{ApplicationID: "app-1", StartedMS: 100, UntilMS: 20_400, EndedMS: 20_100, Slots: 2, SlotUS: 30_000_000, StageSlotUS: 11_000_000, TaskFreeMS: 9_000, PlanningMS: 700},
			{ApplicationID: "app-2", StartedMS: 30_100, UntilMS: 31_100, Slots: 3, SlotUS: 3_000_000, TaskFreeMS: 1_000, PlanningMS: 0},
		},
		Executions: []pipeline.ExecutionTimes{
			execution(3, "a", 1000, 5000), execution(4, "a", 6000, 7500), execution(6, "b", 8000, 9000), execution(7, "c", 9000, 9250), execution(8, "", 1, 2),
		},
		Stages: []pipeline.StageTimes{stage(9, 4), stage(8, 3), short},
	}
	driver.Times.Executions[1].Failed, driver.Times.Executions[4].Query = true, ""
	return p
}

func TestQueriesByWallTime(t *testing.T) {
	s := Summarize(withTimes(), 100)
	var order []string
	for _, q := range s.Queries {
		order = append(order, q.Query)
	}
	require.Equal(t, []string{"q1-a", "q1-b", "q1-c"}, order)
	a := s.Queries[0]
	got, err := json.Marshal(a.Time)
	require.NoError(t, err)
	require.JSONEq(t, `{"wall_seconds": 5.5, "running_seconds": 1, "waiting_seconds": 5, "idle_seconds": 2, "driver_only_seconds": 0.1, "planning_seconds": 0.014, "executions": 2, "failed_executions": 1}`, string(got))
	require.Equal(t, []tasksample.StageID{8, 9}, []tasksample.StageID{a.Stages[0].StageID, a.Stages[1].StageID})
	require.Equal(t, []tasksample.ExecutionID{7}, s.Queries[2].SQLExecutionIDs)
	require.Empty(t, s.Queries[2].Operators)
}

// A job without SQL has the stages that its samples name; where two of them overlap, their time
// counts once.
func TestTimeOfAJobWithoutSQL(t *testing.T) {
	p := withTimes()
	l := labelsOf(1, "", tasksample.NoExecution, 21, "job", "rdd@1", "collect at a.py")
	l.Query, l.QueryName, l.Plan = "r1-d", "collect at a.py", ""
	other := l
	other.Stage = 22
	first := &p.JVMs[0]
	first.Application.ID = "app-1"
	first.Entries = append(first.Entries, window.Entry{Labels: l, CPU: 7 * ms, Stack: first.Entries[0].Stack}, window.Entry{Labels: other, CPU: 8 * ms, Stack: first.Entries[0].Stack})
	stage := func(id tasksample.StageID, from, to int64) pipeline.StageTimes {
		return pipeline.StageTimes{ApplicationID: "app-1", ID: id, Execution: tasksample.NoExecution, SubmittedMS: from, CompletedMS: to, HeldUS: 2_000_000, IdleUS: 500_000, CPUNanos: 1_500_000_000}
	}
	p.JVMs[2].Times.Stages = append(p.JVMs[2].Times.Stages, stage(22, 5000, 6500), stage(21, 4000, 5500), stage(23, 4000, 9000))
	s := Summarize(p, 100)
	q := s.Queries[slices.IndexFunc(s.Queries, func(q Query) bool { return q.Query == "r1-d" })]
	require.Equal(t, &QueryTime{WallSeconds: 2.5, SlotTime: SlotTime{RunningSeconds: 3, WaitingSeconds: 1, IdleSeconds: 1}}, q.Time)
	require.Equal(t, []tasksample.StageID{21, 22}, []tasksample.StageID{q.Stages[0].StageID, q.Stages[1].StageID})
	require.Len(t, s.Stages, 2, "23 has no sample, and 11")
}

func TestTimeOfTheRun(t *testing.T) {
	s := Summarize(withTimes(), 100)
	got, err := json.Marshal(s.Time)
	require.NoError(t, err)
	// running 0.178 · 2 + 0.125, waiting 3.822 · 2 + 0, idle 1.5 · 3; program: 2 to 993, 5000 to
	// 5993, 7500 to 7993 and 9250 to 20100
	require.JSONEq(t, `{"wall_seconds": 31, "slots": 3, "slot_seconds": 33, "running_seconds": 0.481, "waiting_seconds": 7.644, "idle_seconds": 4.5,
		"no_stage_seconds": 22, "driver_only_seconds": 10, "planning_seconds": 0.7, "program_seconds": 13.327, "lost": 5}`, string(got))
	require.InDelta(t, 21, s.Time.ApplicationSeconds, 1e-9, "10 s lie between the two")
	require.Len(t, s.Stages, 1)
	require.Equal(t, SlotTime{RunningSeconds: 0.125, WaitingSeconds: 0, IdleSeconds: 1.5}, s.Stages[0].SlotTime)
	require.Nil(t, s.Stages[0].ExecutionID)
	require.Nil(t, Summarize(twoJVMs(), 100).Time)
}

// The schema that other programs read, each value written by hand.
func TestStageTime(t *testing.T) {
	got, err := json.Marshal(Summarize(withTimes(), 100).Queries[0].Stages[0])
	require.NoError(t, err)
	require.JSONEq(t, `{"stage_id": 8, "attempt": 1, "sql_execution_id": 3, "name": "save at a.py:4", "tasks": 8, "failed_tasks": 2, "missed_tasks": 3, "wall_seconds": 2.5,
		"running_seconds": 0.178, "waiting_seconds": 3.822, "idle_seconds": 1.5, "run_seconds": 0.015, "median_run_seconds": 0.013, "max_run_seconds": 0.014,
		"cpu_seconds": 0.16, "deserialize_seconds": 0.017, "deserialize_cpu_seconds": 0.018, "serialize_seconds": 0.02, "gc_seconds": 0.019,
		"fetch_wait_seconds": 0.021, "shuffle_write_seconds": 0.022, "memory_spilled_bytes": 23, "disk_spilled_bytes": 24, "input_bytes": 25, "input_rows": 26,
		"output_bytes": 27, "output_rows": 28, "shuffle_read_bytes": 29, "shuffle_read_rows": 30, "shuffle_write_bytes": 31, "shuffle_write_rows": 32}`, string(got))
}

func TestTableTellsWallTime(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Summarize(withTimes(), 100).Table(&out, TableOptions{}))
	require.Contains(t, out.String(), "\nname of a · 5.50 s wall · 0.27 s CPU · executions 3, 4\n  1 of 2 runs failed\n")
	require.Contains(t, out.String(), "\nname of c · 0.25 s wall · 0.00 s CPU · execution 7\n  no CPU in its operators\n")
}

// A query's executions are those that Spark's page lists: of a batch of a stream the outer one.
func TestBatchesOfAStream(t *testing.T) {
	p := withTimes()
	for i := range p.JVMs {
		p.JVMs[i].Application.ID = "app-1"
	}
	times := &p.JVMs[2].Times
	inner := &times.Executions[2]
	outer := *inner
	outer.ID, outer.Root, outer.TasksOf = 2, 2, inner.ID
	inner.Root, inner.Inner = 2, true
	times.Executions = append(times.Executions, outer)
	s := Summarize(p, 100)
	q := s.Queries[slices.IndexFunc(s.Queries, func(q Query) bool { return q.Query == "q1-b" })]
	require.Equal(t, []tasksample.ExecutionID{2}, q.SQLExecutionIDs)
	require.Equal(t, 1, q.Time.Executions)
	require.NotEmpty(t, q.Operators)
}
