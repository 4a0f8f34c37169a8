package window

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
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
	got := b.take().Executions
	require.Len(t, got, 5)
	require.Equal(t, []int64{8000 - 2000 - 300, 1000, 2700, 600, 500}, []int64{got[0].TaskFreeMS, got[1].TaskFreeMS, got[2].TaskFreeMS, got[3].TaskFreeMS, got[4].TaskFreeMS})
	require.Equal(t, []bool{false, true, false, false, false}, []bool{got[0].Inner, got[1].Inner, got[2].Inner, got[3].Inner, got[4].Inner})
	require.EqualValues(t, []int{4, 4, 5, 3, 7}, []int{int(got[0].TasksOf), int(got[1].TasksOf), int(got[2].TasksOf), int(got[3].TasksOf), int(got[4].TasksOf)})
}
