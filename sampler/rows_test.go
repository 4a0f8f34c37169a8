package sampler

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// What stands in the log from the time of an earlier reader: rows would count twice, all else is
// needed.
func TestRowsOfAnotherReader(t *testing.T) {
	rows, end := &jvmlog.Rows{StageID: 3, Tasks: 5}, &jvmlog.ExecutionEnd{ExecutionID: 7}
	require.True(t, ofAnotherReader(1000, rows, 1001))
	require.False(t, ofAnotherReader(1001, rows, 1001))
	require.True(t, ofAnotherReader(1000, &jvmlog.Dwell{}, 1001))
	require.True(t, ofAnotherReader(1000, &jvmlog.Times{JSON: []byte(`{"kind": "tasks"}`)}, 1001))
	require.False(t, ofAnotherReader(1000, &jvmlog.Times{JSON: []byte(`{"kind": "stage"}`)}, 1001))
	require.False(t, ofAnotherReader(1000, end, 1001))
	require.False(t, ofAnotherReader(1000, &jvmlog.Stage{}, 1001))
}
