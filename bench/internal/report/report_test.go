package report

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWriteAndRead(t *testing.T) {
	type found struct {
		Figures map[string]float64 `json:"figures"`
		Runs    int                `json:"runs"`
	}
	path := filepath.Join(t.TempDir(), "bench", "found.json")
	require.NoError(t, Write(path, found{map[string]float64{"error": 0.25}, 7}))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "{\n \"figures\": {\n  \"error\": 0.25\n },\n \"runs\": 7\n}\n", string(text))
	var got found
	require.NoError(t, Read(path, &got))
	assert.Equal(t, found{map[string]float64{"error": 0.25}, 7}, got)
	assert.ErrorContains(t, Write(path, math.NaN()), path)
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o644))
	assert.ErrorContains(t, Read(path, &got), path)
}

func TestFiguresAreSorted(t *testing.T) {
	var out strings.Builder
	Figures(&out, map[string]float64{"width": 3, "error": 0.25})
	assert.Equal(t, "error                            0.25\nwidth                            3\n", out.String())
}

func TestSignTest(t *testing.T) {
	// P(B < k) of B binomial (n, ½), by hand: n 6: 1/64; n 9: (1 + 9)/512; n 10: 11/1024; n 20: (1
	// + 20 + 190 + 1140 + 4845 + 15504)/2^20.
	tests := []struct {
		n, k     int
		coverage float64
	}{
		{1, 1, 0},
		{2, 1, 0.5},
		{5, 1, 1 - 2./32},
		{6, 1, 1 - 2./64},
		{8, 1, 1 - 2./256},
		{9, 2, 1 - 20./512},
		{10, 2, 1 - 22./1024},
		{20, 6, 1 - 2*21700./1048576},
	}
	for _, test := range tests {
		k, coverage := signTest(test.n)
		assert.Equal(t, test.k, k, "n %d", test.n)
		assert.InDelta(t, test.coverage, coverage, 1e-12, "n %d", test.n)
	}
}

func TestIntervalOf(t *testing.T) {
	assert.Equal(t, Interval{}, IntervalOf(nil))
	assert.Equal(t, Interval{N: 1, Median: 1.5, Low: 1.5, High: 1.5}, IntervalOf([]float64{1.5}))
	assert.Equal(t, Interval{N: 2, Median: 1.5, Low: 1, High: 2, Coverage: 0.5}, IntervalOf([]float64{2, 1}))
	got := IntervalOf([]float64{9, 1, 8, 2, 7, 3, 6, 4, 5})
	assert.Equal(t, 5., got.Median)
	assert.Equal(t, 2., got.Low, "the second smallest of nine")
	assert.Equal(t, 8., got.High)
}

func TestResolved(t *testing.T) {
	assert.False(t, Interval{}.Resolved())
	assert.False(t, Interval{N: 3, Low: 0.99, High: 1.01}.Resolved())
	assert.True(t, Interval{N: 3, Low: 1.001, High: 1.01}.Resolved())
	assert.True(t, Interval{N: 3, Low: 0.9, High: 0.99}.Resolved())
}

func TestMedian(t *testing.T) {
	assert.True(t, math.IsNaN(Median(nil)))
	assert.Equal(t, 3., Median([]float64{7, 3, 1}))
	assert.Equal(t, 5., Median([]float64{7, 3, 1, 9}))
}
