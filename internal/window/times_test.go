package window

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// A later record replaces the one before, ids of another application are others, and a Take begins
// with none.
func TestTimesOfAWindow(t *testing.T) {
	acc := New(Settings{})
	stage := func(x pipeline.StageTimes) { acc.Times(3, pipeline.TimesRecord{Stage: &x}) }
	application := func(x pipeline.ApplicationTimes) { acc.Times(3, pipeline.TimesRecord{Application: &x}) }
	stage(pipeline.StageTimes{ApplicationID: "app-7", ID: 1, Attempt: 2, Execution: 3, RunMS: 15})
	stage(pipeline.StageTimes{ApplicationID: "app-7", ID: 1, Attempt: 1, Execution: -1})
	stage(pipeline.StageTimes{ApplicationID: "app-8", ID: 1, Attempt: 2, Execution: 6, RunMS: 40})
	stage(pipeline.StageTimes{ApplicationID: "app-8", ID: 1, Attempt: 2, Execution: 6, RunMS: 41})
	acc.Times(3, pipeline.TimesRecord{Execution: &pipeline.ExecutionTimes{ApplicationID: "app-8", ID: 6}})
	application(pipeline.ApplicationTimes{ApplicationID: "app-8", StartedMS: 20, MissedTasks: 5, LeftOut: 1})
	application(pipeline.ApplicationTimes{ApplicationID: "app-7", StartedMS: 10})
	got := acc.Take().JVMs[0]
	require.Equal(t, Times{
		Applications: []pipeline.ApplicationTimes{{ApplicationID: "app-7", StartedMS: 10}, {ApplicationID: "app-8", StartedMS: 20, MissedTasks: 5, LeftOut: 1}},
		Executions:   []pipeline.ExecutionTimes{{ApplicationID: "app-8", ID: 6, TasksOf: 6}},
		Stages: []pipeline.StageTimes{
			{ApplicationID: "app-7", ID: 1, Attempt: 1, Execution: -1}, {ApplicationID: "app-7", ID: 1, Attempt: 2, Execution: 3, RunMS: 15},
			{ApplicationID: "app-8", ID: 1, Attempt: 2, Execution: 6, RunMS: 41},
		},
	}, got.Times)
	require.Equal(t, uint64(6), got.Totals.LostTimes)

	application(pipeline.ApplicationTimes{ApplicationID: "app-8", StartedMS: 20, MissedTasks: 7, LeftOut: 1})
	got = acc.Take().JVMs[0]
	require.Equal(t, uint64(2), got.Totals.LostTimes, "since the last Take")
	require.Empty(t, got.Times.Stages)
	require.Empty(t, got.Times.Executions)
}

// A JVM that tells times without end, or long texts, has no more of them kept than a window may
// have. What is there can be replaced.
func TestTimesAreBounded(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) }
	records := map[string]func(i int) pipeline.TimesRecord{
		"stages": func(i int) pipeline.TimesRecord {
			return pipeline.TimesRecord{Stage: &pipeline.StageTimes{ApplicationID: "app-1", ID: tasksample.StageID(i), Name: text(9000)}}
		},
		"parents": func(i int) pipeline.TimesRecord {
			return pipeline.TimesRecord{Stage: &pipeline.StageTimes{ApplicationID: "app-1", ID: tasksample.StageID(i), Parents: make([]tasksample.StageID, 2000)}}
		},
		"executions": func(i int) pipeline.TimesRecord {
			return pipeline.TimesRecord{Execution: &pipeline.ExecutionTimes{ApplicationID: "app-1", ID: tasksample.ExecutionID(i), Query: text(4000), QueryName: text(4000), Plan: text(4000)}}
		},
		"applications": func(i int) pipeline.TimesRecord {
			return pipeline.TimesRecord{Application: &pipeline.ApplicationTimes{ApplicationID: strconv.Itoa(i) + text(9000)}}
		},
	}
	for name, record := range records {
		t.Run(name, func(t *testing.T) {
			const told = 2 * mostApplications
			acc := New(Settings{})
			for i := range told {
				acc.Times(3, record(i))
			}
			acc.Times(3, record(0))
			require.LessOrEqual(t, len(acc.of(3).lostTimes), mostApplications)
			got := acc.Take().JVMs[0]
			kept := len(got.Times.Stages) + len(got.Times.Executions) + len(got.Times.Applications)
			require.Greater(t, kept, 200)
			require.Less(t, kept, 480, "of 9 kB each, in 4 MiB")
			require.EqualValues(t, told-kept, got.Totals.LostTimes)
			acc.Times(3, record(told))
			require.Zero(t, acc.Take().JVMs[0].Totals.LostTimes, "the next window has room")
		})
	}
}

// A JVM that tells of dwells with long texts has no more of them kept than a window may have.
func TestDwellsAreBounded(t *testing.T) {
	const told = 1000
	acc := New(Settings{Tasks: told})
	for range told {
		acc.Dwell(3, pipeline.Dwell{File: strings.Repeat("f", 2000), Path: strings.Repeat("p", 2000), Frames: []string{strings.Repeat("x", 2000), strings.Repeat("y", 2000)}})
	}
	got := acc.Take().JVMs[0]
	require.Greater(t, len(got.Times.Dwells), 400)
	require.Less(t, len(got.Times.Dwells), 525, "of 8 kB each, in 4 MiB")
	require.EqualValues(t, told-len(got.Times.Dwells), got.Totals.LostTimes)
}

// Figures of single tasks and dwells are kept where they are asked for, and bounded.
func TestTasksOfAWindow(t *testing.T) {
	record := pipeline.TimesRecord{Tasks: make([]pipeline.TaskTimes, 5)}
	for i := range record.Tasks {
		record.Tasks[i].ID = tasksample.TaskAttemptID(i)
	}
	feed := func(acc *Accumulator) JVMProfile {
		for i := range 4 {
			acc.Times(3, record)
			acc.Times(3, pipeline.TimesRecord{RunQueue: &pipeline.RunQueue{Task: 5, Waited: 7}})
			acc.Dwell(3, pipeline.Dwell{Task: 6, At: int64(i)})
		}
		return acc.Take().JVMs[0]
	}
	got := feed(New(Settings{Tasks: 3}))
	require.Equal(t, record.Tasks[:3], got.Times.Tasks)
	require.Len(t, got.Times.RunQueues, 3)
	require.Equal(t, []pipeline.Dwell{{Task: 6}, {Task: 6, At: 1}, {Task: 6, At: 2}}, got.Times.Dwells)
	require.Equal(t, uint64(4*5-3+1), got.Totals.LostTimes, "tasks and dwells")

	acc := New(Settings{})
	acc.KeepTasks(20)
	got = feed(acc)
	require.Len(t, got.Times.Tasks, 20)
	require.Equal(t, tasksample.TaskAttemptID(4), got.Times.Tasks[19].ID)
	require.Equal(t, []pipeline.RunQueue{{Task: 5, Waited: 7}}, got.Times.RunQueues[3:])
	require.Zero(t, got.Totals.LostTimes)

	got = feed(New(Settings{}))
	require.Zero(t, got.Times, "no one asked")
	require.Zero(t, got.Totals.LostTimes)
}
