package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func small() *population {
	return &population{Stage: "s", Keys: []string{"scan@1", "[codegen]", "sort@2"}, Attempts: []task{
		{Partition: 0, CPU: 4 * time.Millisecond, Ticks: []byte{0, 0, 2}},
		{Partition: 2, Failed: true, CPU: 2 * time.Millisecond, Ticks: []byte{1, 0}},
		{Partition: 2, CPU: 7 * time.Millisecond, Ticks: []byte{2, 2, 2, 2, 0}},
	}}
}

func TestPopulationKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.tasks")
	p := small()
	require.NoError(t, p.save(path))
	got, err := load(path)
	require.NoError(t, err)
	assert.Equal(t, p, got)

	truth, all := got.truth()
	assert.Equal(t, []float64{4e6, 1e6, 5e6}, truth)
	assert.Equal(t, 10e6, all)

	p.Attempts[1].Ticks[0] = 3
	require.NoError(t, p.save(path))
	_, err = load(path)
	assert.ErrorContains(t, err, "attempt 1: key 3 of 3")
	p.Attempts = nil
	require.NoError(t, p.save(path))
	_, err = load(path)
	assert.ErrorContains(t, err, "no attempts")
	require.NoError(t, os.WriteFile(path, []byte("nothing"), 0o644))
	_, err = load(path)
	assert.ErrorContains(t, err, "s.tasks")
}

func TestEnlarge(t *testing.T) {
	p := small()
	assert.Equal(t, 3, p.enlarge(25))
	assert.Len(t, p.Attempts, 9)
	assert.Equal(t, int32(2+2*3), p.Attempts[8].Partition)
	assert.Equal(t, 9, p.bound)
	assert.Equal(t, map[int32]int{0: 1, 2: 2, 3: 1, 5: 2, 6: 1, 8: 2}, p.attemptsOf)
	assert.Equal(t, map[int32]bool{2: true, 5: true, 8: true}, p.shared)
	assert.Equal(t, 1, small().enlarge(10))
}
