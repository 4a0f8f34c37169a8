package window

import (
	"strconv"
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

func TestTimesAreBounded(t *testing.T) {
	acc := New(Settings{})
	for i := range mostTimes + 2 {
		acc.Times(3, pipeline.TimesRecord{Stage: &pipeline.StageTimes{ApplicationID: strconv.Itoa(i % 2), ID: tasksample.StageID(i)}})
	}
	acc.Times(3, pipeline.TimesRecord{Stage: &pipeline.StageTimes{ApplicationID: "0", ID: 0, RunMS: 9}}) // known
	got := acc.Take().JVMs[0]
	require.Len(t, got.Times.Stages, mostTimes)
	require.Equal(t, int64(9), got.Times.Stages[0].RunMS)
	require.Equal(t, uint64(2), got.Totals.LostTimes)
}

// Figures of single tasks are kept where they are asked for, and bounded.
func TestTasksOfAWindow(t *testing.T) {
	record := pipeline.TimesRecord{Tasks: make([]pipeline.TaskTimes, mostTasks/4+1)}
	for i := range record.Tasks {
		record.Tasks[i].ID = tasksample.TaskAttemptID(i)
	}
	queue := pipeline.TimesRecord{RunQueue: &pipeline.RunQueue{Task: 5, Waited: 7}}
	acc := New(Settings{Tasks: true})
	for range 4 {
		acc.Times(3, record)
	}
	acc.Times(3, queue)
	got := acc.Take().JVMs[0].Times
	require.Len(t, got.Tasks, mostTasks)
	require.Equal(t, tasksample.TaskAttemptID(mostTasks/4), got.Tasks[mostTasks/4].ID)
	require.Equal(t, []pipeline.RunQueue{{Task: 5, Waited: 7}}, got.RunQueues)

	acc = New(Settings{})
	acc.Times(3, record)
	acc.Times(3, queue)
	require.Zero(t, acc.Take().JVMs[0].Times, "no one asked")
}
