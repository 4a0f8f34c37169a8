package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFiguresFromElsewhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny.json")
	r := results{Figures: map[string]float64{"other": 1}}
	require.ErrorIs(t, r.take(path, "a"), os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, []byte(`{"figures": {"a": 0.99, "b": 7}}`), 0o644))
	require.NoError(t, r.take(path, "a"))
	assert.Equal(t, map[string]float64{"other": 1, "a": 0.99}, r.Figures)
	require.ErrorContains(t, r.take(path, "c"), "has no figure c")
	require.NoError(t, os.WriteFile(path, []byte(`{`), 0o644))
	require.ErrorContains(t, r.take(path, "a"), path)
	require.NoError(t, removed(path))
	require.NoError(t, removed(path), "it is gone already")
}
