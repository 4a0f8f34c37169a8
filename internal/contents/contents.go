package contents

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// Of returns the files of a folder, and of those in it, by their path below the folder.
func Of(folder string) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, path))
		if unpack := unpackers[d.Name()]; unpack != nil && err == nil {
			text, err = unpack(text)
		}
		if err != nil {
			return fmt.Errorf("contents of %s: %w", path, err)
		}
		out[path] = text
		return nil
	})
	return out, err
}

// unpackers are of the files in a folder of results that are compressed.
var unpackers = map[string]func([]byte) ([]byte, error){"recording": recording, "profile.pb.gz": gunzip, "report.html": unpage}

// recordingHead is the bytes of a recording before its zstd stream.
const recordingHead = 16

func recording(text []byte) ([]byte, error) {
	in, err := zstd.NewReader(bytes.NewReader(text[min(recordingHead, len(text)):]))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(in)
}

func gunzip(text []byte) ([]byte, error) {
	in, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(in)
}

// unpage returns a page with each recording in it unpacked.
func unpage(text []byte) ([]byte, error) {
	var out []byte
	for {
		before, rest, found := bytes.Cut(text, []byte(`<script type="application/octet-stream;base64"`))
		out = append(out, before...)
		if !found {
			return out, nil
		}
		_, rest, _ = bytes.Cut(rest, []byte(">"))
		model, after, _ := bytes.Cut(rest, []byte("</script>"))
		plain, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(model))))
		if err != nil {
			return nil, err
		}
		out, text = append(out, plain...), after
	}
}
