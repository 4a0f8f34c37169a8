package contents

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/page"
)

func TestOf(t *testing.T) {
	var packed [3]bytes.Buffer
	packed[0].WriteString("sixteen bytes ..")
	z, err := zstd.NewWriter(&packed[0])
	require.NoError(t, err)
	g := gzip.NewWriter(&packed[1])
	for _, w := range []io.WriteCloser{z, g} {
		_, err := io.WriteString(w, "a secret")
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
	model := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	require.NoError(t, page.Write(&packed[2], model("a secret"), model("another one")))
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "debug"), 0o755))
	for name, text := range map[string][]byte{
		"debug/recording": packed[0].Bytes(), "profile.pb.gz": packed[1].Bytes(), "report.html": packed[2].Bytes(), "summary.json": []byte("a secret"),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	got, err := Of(dir)
	require.NoError(t, err)
	require.Len(t, got, 4)
	for name, text := range got {
		require.Contains(t, string(text), "a secret", name)
	}
	require.Contains(t, string(got["report.html"]), "another one")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "recording"), []byte("sixteen bytes .. and no zstd"), 0o644))
	_, err = Of(dir)
	require.ErrorContains(t, err, "contents of recording: ")
}
