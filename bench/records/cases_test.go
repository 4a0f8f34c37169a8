package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "told")
	require.NoError(t, os.WriteFile(path, []byte("wall,3\nwall,1.5\nwall,6\nslow,101,1101\n"), 0o600))
	of, err := readTold(path)
	require.NoError(t, err)
	require.Equal(t, &told{walls: []float64{3, 1.5, 6}, slow: [2]int64{101, 1101}}, of)

	var s summary
	require.NoError(t, json.Unmarshal([]byte(`{"slow_tasks": {"tasks": [{"verdict": "computation skew", "half_of_time": {"record": [52, 151]}}]},
		"slow_records": {"records": [{"file_record": [101, 1101]}, {"file_record": [5, 5]}]}}`), &s))
	figures := map[string]float64{}
	require.Empty(t, studies[0].judge(&s, of, figures))
	require.Equal(t, map[string]float64{"taxi_verdict": 1, "taxi_verdict_of": 1, "taxi_flagged": 100, "taxi_flagged_right": 51, "taxi_precision": 0.51}, figures)
	require.Len(t, studies[1].judge(&s, of, figures), 1, "it is no data skew")
	s.SlowTasks.Tasks[0].Verdict = "data skew"
	require.Len(t, studies[2].judge(&s, of, figures), 1, "a record that is not slow")
	require.Equal(t, []float64{0, 1, 1}, []float64{figures["weather_verdict"], figures["movies_verdict"], figures["movies_named"]})

	require.NoError(t, os.WriteFile(path, []byte("wall,3\nslow,101,1101\n"), 0o600))
	_, err = readTold(path)
	require.ErrorContains(t, err, "want three walls")
}
