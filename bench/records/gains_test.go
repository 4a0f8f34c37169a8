package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGains(t *testing.T) {
	var s slowTasks
	require.NoError(t, json.Unmarshal([]byte(`{"wall_seconds": 50, "without_wall_seconds": 39, "tasks": [
		{"sql_execution_id": 8, "stage_id": 20, "partition": 3, "verdict": "data skew", "seconds": 4, "peer_seconds": 1},
		{"sql_execution_id": 9, "stage_id": 21, "partition": 3, "verdict": "mixed", "seconds": 5, "peer_seconds": 1},
		{"sql_execution_id": 10, "stage_id": 22, "partition": 3, "verdict": "wait", "seconds": 5, "peer_seconds": 1},
		{"sql_execution_id": 10, "stage_id": 22, "partition": 4, "verdict": "wait", "seconds": 5, "peer_seconds": 1},
		{"sql_execution_id": 11, "stage_id": 23, "partition": 3, "verdict": "computation skew", "seconds": 5, "peer_seconds": 1},
		{"sql_execution_id": 2, "stage_id": 7, "partition": 5, "verdict": "wait", "seconds": 1.5, "peer_seconds": 0.25},
		{"stage_id": 8, "partition": 6, "verdict": "gc", "seconds": 2, "peer_seconds": 0.5}]}`), &s))
	got, err := judge(&s, []float64{100, 100, 100, 100, 1, 2, 3, 4, 5, 6, 7, 8})
	require.NoError(t, err)
	require.Equal(t, trial{flagsFalse: 2, replayed: 11, measured: 16, found: []string{
		"stage 7 partition 5: wait, 1.50 s, peers 0.25 s", "stage 8 partition 6: gc, 2.00 s, peers 0.50 s",
		"computation skew: 1 tasks flagged, the last one right: false", "wait: 2 tasks flagged, the last one right: true",
	}}, got)
	_, err = judge(&s, []float64{1})
	require.ErrorContains(t, err, "1 runs of queries, not 12")
}

func TestJudgedStages(t *testing.T) {
	for text, want := range map[string]int{
		`{"slow_tasks": {"judged_tasks": 21}, "queries": [{"stages": [{"tasks": 5}, {"tasks": 4}]}, {"stages": [{"tasks": 16}]}]}`: 2,
		`{"slow_tasks": {"judged_tasks": 0}, "queries": [{"stages": [{"tasks": 5}]}]}`:                                             0,
		`{"slow_tasks": {"judged_tasks": 9}, "queries": [{"stages": [{"tasks": 4}]}]}`:                                             0,
		`{"slow_tasks": {"judged_tasks": 9, "missing_tasks": 1}, "queries": [{"stages": [{"tasks": 9}]}]}`:                         0,
		`{}`: 0,
	} {
		var s summary
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		got, err := s.judged()
		require.Equal(t, want, got, text)
		require.Equal(t, want == 0, err != nil, text)
	}
}
