package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerdicts(t *testing.T) {
	var s slowTasks
	require.NoError(t, json.Unmarshal([]byte(`{"tasks": [
		{"stage_id": 3, "partition": 7, "verdict": "gc"},
		{"stage_id": 3, "partition": 8, "verdict": "gc", "paused_by": {"stage_id": 3, "partition": 7}},
		{"stage_id": 5, "partition": 9, "verdict": "gc"},
		{"stage_id": 5, "partition": 4, "verdict": "wait", "seconds": 3, "peer_seconds": 0.5, "excess_seconds": {"all": 2.5, "wait": 2.5}},
		{"stage_id": 7, "partition": 2, "verdict": "mixed"},
		{"stage_id": 6, "partition": 2, "verdict": "gc"}]}`), &s))
	trials := []slowed{{3, 7}, {5, 9}, {7, 2}, {9, 1}}
	got := (&cause{verdict: "gc", spreads: true}).judge(&s, trials)
	require.Equal(t, []int{1, 1, 1, 1, 1}, []int{got.right, got.victims, got.hadVictims, got.told, got.flagsFalse})
	require.Equal(t, []string{
		"partition 9 was slow: stage 5 partition 4: wait, 3.00 s, peers 0.50 s, all 2.50, wait 2.50",
		"partition 2 was slow: stage 7 partition 2: mixed, 0.00 s, peers 0.00 s",
		"false: stage 6 partition 2: gc, 0.00 s, peers 0.00 s",
		"stage 7 partition 2: not gc", "stage 9 partition 1: not gc",
	}, got.found)
	s.Tasks[1].PausedBy.Partition = 9
	got = (&cause{verdict: "gc", spreads: true}).judge(&s, trials)
	require.Equal(t, []int{1, 1, 0}, []int{got.right, got.hadVictims, got.told})
	require.Equal(t, "partition 7 was the culprit: stage 3 partition 8: gc, 0.00 s, peers 0.00 s, paused by {3 9}", got.found[0])
	require.Zero(t, (&cause{verdict: "gc"}).judge(&s, trials).right, "the neighbor of the first is wrong, too")

	path := filepath.Join(t.TempDir(), "slowed")
	require.NoError(t, os.WriteFile(path, []byte("3,7\n15,9\n"), 0o600))
	read, err := readSlowed(path)
	require.NoError(t, err)
	require.Equal(t, []slowed{{3, 7}, {15, 9}}, read)
}
