package main

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

func TestTrim(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "recording")
	file, err := os.Create(path)
	require.NoError(t, err)
	w, err := recording.NewWriter(file, recording.Meta{Version: "1.2.3", Hz: 200})
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 { // code without a sample
		pcs := []jvmlog.PCRegion{{End: random.Uint32()}, {End: random.Uint32()}}
		w.Record(1, 5, &jvmlog.CodeLoad{Address: uint64(i) << 12, Size: 0x100, Method: 1, PCs: pcs})
	}
	w.Watermark(1, 7)
	require.NoError(t, w.Close())
	require.NoError(t, file.Close())
	before, err := os.Stat(path)
	require.NoError(t, err)

	require.NoError(t, trim(path))
	after, err := os.Stat(path)
	require.NoError(t, err)
	assert.Greater(t, before.Size(), int64(8_000))
	assert.Less(t, after.Size(), int64(300))
	assert.Equal(t, before.Mode(), after.Mode())
	meta, err := recording.MetaOf(func() (io.ReadCloser, error) { return os.Open(path) })
	require.NoError(t, err)
	assert.Equal(t, recording.Meta{Version: "1.2.3", Hz: 200}, meta)

	require.NoError(t, os.WriteFile(path, []byte("no recording at all"), 0o600))
	require.ErrorContains(t, trim(path), "no recording")
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, names, 1, "nothing is left")
}
