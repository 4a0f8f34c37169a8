package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// recordingHead is the bytes of a recording before its zstd stream.
const recordingHead = 16

// known has the files of a session that name the code of slow records.
var known = map[string]bool{"recording": true, "profile.pb.gz": true, "summary.json": true}

// leaks counts the slow lines' notes in all that a session left: recording, profile, summary, page
// and what it printed.
func (o *options) leaks(r *results, name string, cases []slowCase, texts *said) error {
	dir := o.results(name)
	recording, err := unpacked(filepath.Join(dir, "recording"), recordingHead, func(in io.Reader) (io.Reader, error) { return zstd.NewReader(in) })
	if err != nil {
		return err
	}
	profile, err := unpacked(filepath.Join(dir, "profile.pb.gz"), 0, func(in io.Reader) (io.Reader, error) { return gzip.NewReader(in) })
	if err != nil {
		return err
	}
	all := map[string][]byte{"recording": recording, "profile.pb.gz": profile, "stdout": texts.stdout.Bytes(), "stderr": texts.stderr.Bytes()}
	for _, file := range []string{"summary.json", "report.html"} {
		if all[file], err = os.ReadFile(filepath.Join(dir, file)); err != nil {
			return err
		}
	}
	r.Figures["leaks"] += 0
	for file, text := range all {
		if known[file] && !bytes.Contains(text, []byte("Programs")) {
			return fmt.Errorf("%s: %s does not name the programs: it was not read as it should be", name, file)
		}
		for i := range cases {
			if bytes.Contains(text, []byte(cases[i].in.canary)) {
				r.Figures["leaks"]++
				r.Found = append(r.Found, fmt.Sprintf("%s: %s has the note of %s", name, file, cases[i].program))
			}
		}
	}
	return nil
}

func unpacked(path string, head int64, reader func(io.Reader) (io.Reader, error)) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(head, io.SeekStart); err != nil {
		return nil, err
	}
	in, err := reader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
