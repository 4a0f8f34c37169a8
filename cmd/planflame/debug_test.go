package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
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

func TestRowsWritten(t *testing.T) {
	wrote := func(rows ...int64) (j window.JVMProfile) {
		for _, n := range rows {
			j.Times.Tasks = append(j.Times.Tasks, pipeline.TaskTimes{TaskFigures: pipeline.TaskFigures{OutputRows: n, InputRows: 100}})
		}
		return j
	}
	require.Equal(t, int64(15), rowsWritten([]window.JVMProfile{wrote(1, 2), wrote(), wrote(4, 8)}))
}
