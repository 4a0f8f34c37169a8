package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

func TestDebugRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		"want at most one folder": {"debug", "DIR", "true"},
		"and the command to run":  {"debug", "DIR", "--"},
		"one folder":              {"debug", "A", "B", "--", "true"},
		"/no/run":                 {"debug", "/no/run", "--", "true"},
	} {
		root := newRoot()
		root.SetArgs(args)
		require.ErrorContains(t, root.Execute(), want)
	}
}

func TestKeyTasks(t *testing.T) {
	dwell := func(stage tasksample.StageID, partition int, ms int64) pipeline.Dwell {
		return pipeline.Dwell{Stage: stage, Partition: partition, NetMS: ms, Kind: pipeline.DwellAfter, Shuffle: true}
	}
	file, before, other := dwell(1, 1, 9000), dwell(1, 2, 9000), window.JVMProfile{}
	file.Shuffle, before.Kind = false, pipeline.DwellBefore
	other.Times.Dwells = []pipeline.Dwell{file, before, dwell(4, 17, 500), dwell(4, 17, 2500), dwell(4, 18, 499), dwell(5, 0, 2000)}
	slow := &outcome.SlowTasks{Tasks: []outcome.SlowTask{{StageID: 7, Partition: 3, Seconds: 2.25}, {StageID: 4, Partition: 17, Seconds: 1}}}
	require.Equal(t, "4:17,7:3,5:0", keyTasks(slow, []window.JVMProfile{{}, other}))
	require.Empty(t, keyTasks(nil, nil))
	for partition := range 20 {
		other.Times.Dwells = append(other.Times.Dwells, dwell(8, partition, 600))
	}
	require.Equal(t, "4:17,5:0,8:0,8:1,8:2,8:3,8:4,8:5,8:6,8:7", keyTasks(nil, []window.JVMProfile{other}))
}

func TestRowsWritten(t *testing.T) {
	wrote := func(rows ...int64) (j window.JVMProfile) {
		for _, n := range rows {
			j.Times.Tasks = append(j.Times.Tasks, pipeline.TaskTimes{TaskFigures: pipeline.TaskFigures{OutputRows: n, InputRows: 100}})
		}
		return j
	}
	require.Equal(t, int64(15), rowsWritten([]window.JVMProfile{wrote(1, 2), wrote(), wrote(4, 8)}))
}
