package slowtask

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/skew"
)

func TestTask(t *testing.T) {
	task := pipeline.TaskTimes{
		Succeeded: true, LaunchedMS: 2000, FinishedMS: 7000, OperatorRows: 7, Host: "a",
		TaskFigures: pipeline.TaskFigures{
			RunMS: 4900, CPUNanos: 500e6, DeserializeMS: 60, GCMS: 11, SerializeMS: 40, FetchWaitMS: 13, InputBytes: 30, InputRows: 3, OutputRows: 4, ShuffleReadBytes: 20,
			ShuffleReadRows: 2, ShuffleWriteRows: 1,
		},
	}
	want := skew.Task{
		Host: "a", Succeeded: true, Start: time.Second, End: 6 * time.Second, Run: 4900 * time.Millisecond, CPU: 500 * time.Millisecond, GC: 11 * time.Millisecond,
		FetchWait: 13 * time.Millisecond, RunQueue: 200 * time.Millisecond, Serde: 100 * time.Millisecond, RowsIn: 5, BytesIn: 50, RowsOut: 7,
	}
	require.Equal(t, want, Task(&task, 1000, 200*time.Millisecond))
	task.ShuffleWriteRows = 90
	require.Equal(t, int64(94), Task(&task, 1000, 0).RowsOut, "more than any operator")
}

func TestDwell(t *testing.T) {
	require.Equal(t, skew.Dwell{Wall: 800 * time.Millisecond, Net: 600 * time.Millisecond, Reading: 2 * time.Second, Records: 70, Batch: 5},
		Dwell(&pipeline.Dwell{Begin: 1e9, End: 1.8e9, NetMS: 360, GCMS: 20, QueueMS: 100, ReadingMS: 2000, Records: 70, Batch: 5}))
	require.Zero(t, Dwell(&pipeline.Dwell{End: 1e9}).Net)
}
