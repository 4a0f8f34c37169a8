package sampler

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// What stands in the log from the time of an earlier reader: rows, dwells and the times of tasks
// would count twice, all else is needed.
func TestRecordsOfAnotherReader(t *testing.T) {
	rows, end := &jvmlog.Rows{StageID: 3, Tasks: 5}, &jvmlog.ExecutionEnd{ExecutionID: 7}
	dwell, tasks, stage := &jvmlog.Dwell{}, &jvmlog.Times{JSON: []byte(`{"kind": "tasks"}`)}, &jvmlog.Times{JSON: []byte(`{"kind": "stage"}`)}
	j := &jvm{leasedAt: 1001, toldBefore: 901}
	require.True(t, j.ofAnotherReader(1000, rows))
	require.False(t, j.ofAnotherReader(1001, rows))
	for _, r := range []jvmlog.Record{dwell, tasks} {
		require.True(t, j.ofAnotherReader(900, r))
		require.False(t, j.ofAnotherReader(901, r), "it died")
	}
	for _, r := range []jvmlog.Record{end, stage, &jvmlog.Stage{}} {
		require.False(t, j.ofAnotherReader(1, r))
	}
}
