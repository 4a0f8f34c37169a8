package window

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// A batch of a stream runs an execution of its own query and, in foreachBatch, one of another.
func TestNestedExecutions(t *testing.T) {
	b := newTimesBook(1 << 20)
	for _, x := range []pipeline.ExecutionTimes{
		{ApplicationID: "a", ID: 3, Root: 3, Query: "q1-stream", StartedMS: 1000, EndedMS: 9000, TaskFreeMS: 8000},
		{ApplicationID: "a", ID: 4, Root: 3, Query: "q1-stream", StartedMS: 1500, EndedMS: 4500, TaskFreeMS: 1000}, // tasks ran for 2 s
		{ApplicationID: "a", ID: 5, Root: 3, Query: "q1-batch", StartedMS: 5000, EndedMS: 8000, TaskFreeMS: 2700},  // for 0.3 s
		{ApplicationID: "b", ID: 3, Root: 3, Query: "q1-stream", StartedMS: 1000, EndedMS: 2000, TaskFreeMS: 600},  // of another application
		{ApplicationID: "b", ID: 7, Root: 6, Query: "q1-stream", StartedMS: 1000, EndedMS: 2000, TaskFreeMS: 500},  // the outer one still runs
	} {
		require.True(t, b.add(pipeline.TimesRecord{Execution: &x}))
	}
	times, _ := b.take(inners{})
	got := times.Executions
	require.Len(t, got, 5)
	require.Equal(t, []int64{8000 - 2000 - 300, 1000, 2700, 600, 500}, []int64{got[0].TaskFreeMS, got[1].TaskFreeMS, got[2].TaskFreeMS, got[3].TaskFreeMS, got[4].TaskFreeMS})
	require.Equal(t, []bool{false, true, false, false, false}, []bool{got[0].Inner, got[1].Inner, got[2].Inner, got[3].Inner, got[4].Inner})
	require.EqualValues(t, []int{4, 4, 5, 3, 7}, []int{int(got[0].TasksOf), int(got[1].TasksOf), int(got[2].TasksOf), int(got[3].TasksOf), int(got[4].TasksOf)})
}

// Inner executions are told before the one that runs them, in windows before its own.
func TestNestedExecutionsOverWindows(t *testing.T) {
	acc := New(Settings{})
	window := func(executions ...pipeline.ExecutionTimes) []pipeline.ExecutionTimes {
		for _, x := range executions {
			x.ApplicationID = "a"
			acc.Times(3, pipeline.TimesRecord{Execution: &x})
		}
		return acc.Take().JVMs[0].Times.Executions
	}
	window(
		pipeline.ExecutionTimes{ID: 4, Root: 3, Query: "q1-stream", StartedMS: 1500, EndedMS: 4500, TaskFreeMS: 1000},
		pipeline.ExecutionTimes{ID: 5, Root: 3, Query: "q1-batch", StartedMS: 5000, EndedMS: 8000, TaskFreeMS: 2700}, // tasks ran for 0.3 s
	)
	window(pipeline.ExecutionTimes{ID: 6, Root: 3, Query: "q1-batch", StartedMS: 8000, EndedMS: 9000, TaskFreeMS: 950})
	got := window(
		pipeline.ExecutionTimes{ID: 3, Root: 3, Query: "q1-stream", StartedMS: 1000, EndedMS: 20_000, TaskFreeMS: 18_000},
		pipeline.ExecutionTimes{ID: 7, Root: 3, Query: "q1-batch", StartedMS: 9000, EndedMS: 10_000, TaskFreeMS: 800},
	)
	require.EqualValues(t, 18_000-3000-300-50-200, got[0].TaskFreeMS)
	require.True(t, got[0].Told)
	require.EqualValues(t, 3000, got[0].ToldMS)
	require.False(t, got[0].Inner || got[1].Inner || got[1].Told)
	require.Empty(t, acc.of(3).inners)
	window(pipeline.ExecutionTimes{ID: 12, Root: 11, Query: "q1-stream", EndedMS: 500, Failed: true})
	got = window(pipeline.ExecutionTimes{ID: 11, Root: 11, Query: "q1-stream", EndedMS: 2000})
	require.False(t, got[0].Told, "what failed was no run")
	require.EqualValues(t, 500, got[0].ToldMS)
	require.EqualValues(t, 5000, window(pipeline.ExecutionTimes{ID: 3, Root: 3, Query: "q1-stream", TaskFreeMS: 5000})[0].TaskFreeMS, "once")
}

// Executions whose outer one never comes are bounded, and counted.
func TestInnersAreBounded(t *testing.T) {
	acc := New(Settings{})
	for i := range mostInners + 3 {
		acc.Times(3, pipeline.TimesRecord{Execution: &pipeline.ExecutionTimes{ApplicationID: "a", ID: tasksample.ExecutionID(i), Root: -7 - tasksample.ExecutionID(i), EndedMS: int64(i)}})
	}
	require.EqualValues(t, 3, acc.Take().JVMs[0].Totals.LostTimes)
	require.Len(t, acc.of(3).inners, mostInners)
	require.NotContains(t, acc.of(3).inners, innerKey{hash("a"), -9, hash("")}, "those that ended first go")
}
