package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
