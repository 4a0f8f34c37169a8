package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	o, err := parse([]string{"-executors", "2,30"})
	require.NoError(t, err)
	assert.Equal(t, []int{2, 30}, o.executors)
	for args, want := range map[string]string{
		"10":   "-executors 10: memory is a difference",
		"10,9": `-executors 10,9: "9" is not a number above the one before`,
		"0,9":  `-executors 0,9: "0" is not a number`,
		"1,x":  `-executors 1,x: "x" is not a number`,
	} {
		_, err := parse([]string{"-executors", args})
		assert.ErrorContains(t, err, want)
	}
}

func TestParseReplay(t *testing.T) {
	const line = "BenchmarkCapacity \t 1\t 97688267359 ns/op\t 41.72 CPU-s\t 21.23 CPU-s-warm\t 202.9 MB-heap\t 613.6 MB-peak\t 5.779 busy-threads\t 300.7 recorded-s\t 150.3 recorded-s-warm\t"
	r, err := parseReplay("goos: linux\n" + line + " 506665 samples\nPASS\n")
	require.NoError(t, err)
	assert.Equal(t, replay{Recorded: 300.7, RecordedWarm: 150.3, CPU: 41.72, CPUWarm: 21.23, Samples: 506665, Busy: 5.779, Heap: 202.9, Peak: 613.6}, r)
	_, err = parseReplay(line)
	require.ErrorContains(t, err, "no value of samples")
	_, err = parseReplay(line + " -1 samples")
	require.ErrorContains(t, err, `samples is "-1"`)
}

func TestFigures(t *testing.T) {
	got := figures([]replay{
		{Executors: 1, Heap: 30, Peak: 120},
		{Executors: 10, Heap: 1000, Peak: 1000},
		{Executors: 51, Recorded: 300, RecordedWarm: 100, CPU: 306, CPUWarm: 25.5, Samples: 1_530_000, Busy: 6, Heap: 230, Peak: 620},
	})
	assert.Equal(t, map[string]float64{
		"executors_per_core":            200, // each takes 5 ms of CPU in a second
		"executors_per_core_with_start": 50,
		"executors_at_quota":            40,
		"samples_per_second":            100,
		"busy_task_threads":             6,
		"us_per_sample":                 200,
		"memory_mb_per_executor":        10,
		"heap_mb_per_executor":          4,
	}, got)
}

// The quota is the unit's.
func TestQuota(t *testing.T) {
	unit, err := os.ReadFile(filepath.Join("..", "..", "config", "systemd", "planflame-collector.service"))
	require.NoError(t, err)
	assert.Regexp(t, regexp.MustCompile(`(?m)^CPUQuota=20%$`), string(unit))
	assert.InDelta(t, 0.2, quota, 1e-9)
}
