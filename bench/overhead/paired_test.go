package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	assert.Equal(t, interval{}, intervalOf(nil))
	assert.Equal(t, interval{N: 1, Median: 1.5, Low: 1.5, High: 1.5}, intervalOf([]float64{1.5}))
	assert.Equal(t, interval{N: 2, Median: 1.5, Low: 1, High: 2, Coverage: 0.5}, intervalOf([]float64{2, 1}))
	got := intervalOf([]float64{9, 1, 8, 2, 7, 3, 6, 4, 5})
	assert.Equal(t, 5., got.Median)
	assert.Equal(t, 2., got.Low, "the second smallest of nine")
	assert.Equal(t, 8., got.High)
}

func TestResolved(t *testing.T) {
	assert.False(t, interval{}.resolved())
	assert.False(t, interval{N: 3, Low: 0.99, High: 1.01}.resolved())
	assert.True(t, interval{N: 3, Low: 1.001, High: 1.01}.resolved())
	assert.True(t, interval{N: 3, Low: 0.9, High: 0.99}.resolved())
}

func TestMedian(t *testing.T) {
	assert.True(t, math.IsNaN(medianOf(nil)))
	assert.Equal(t, 3., medianOf([]float64{7, 3, 1}))
	assert.Equal(t, 5., medianOf([]float64{7, 3, 1, 9}))
}

func TestFit(t *testing.T) {
	// Two groups with constants 10 and 100 and the slope 3.
	exact := []point{{1, 0, 10}, {1, 1, 13}, {1, 2, 16}, {2, 5, 115}, {2, 7, 121}}
	got, err := fit(exact)
	require.NoError(t, err)
	assert.InDelta(t, 3, got.Slope, 1e-12)
	assert.InDelta(t, 0, got.SE, 1e-12)
	assert.Equal(t, 5, got.N)

	// Group 1 says 2, group 2 says 4, with equal spread of x: together 3; left out one by one 4 and
	// 2, so SE = sqrt(½ × (1 + 1)) = 1.
	got, err = fit([]point{{1, 0, 0}, {1, 2, 4}, {2, 0, 7}, {2, 2, 15}})
	require.NoError(t, err)
	assert.InDelta(t, 3, got.Slope, 1e-12)
	assert.InDelta(t, 1, got.SE, 1e-12)

	one, err := fit([]point{{1, 0, 0}, {1, 2, 5}})
	require.NoError(t, err)
	assert.Equal(t, line{Slope: 2.5, N: 2}, one)

	_, err = fit([]point{{1, 4, 0}, {2, 2, 4}})
	assert.ErrorContains(t, err, "x is the same")
}
