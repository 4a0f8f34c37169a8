package page

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mostCode bounds the bundle: the page opens from a mail or a ticket.
const mostCode = 300_000

// sources are what the bundle is made of, as build/stamp.mjs has them.
var sources = []string{"build", "index.html", "package-lock.json", "package.json", "src", "svelte.config.js", "tsconfig.json", "vite.config.ts"}

func TestBundleIsOfTheSources(t *testing.T) {
	stamp, err := os.ReadFile("dist/sums.txt")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, root := range sources {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".test.ts") {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(paths)
	var want strings.Builder
	for _, path := range append(paths, "dist/index.html", "dist/licenses.txt") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&want, "%x  %s\n", sha256.Sum256(data), path)
	}
	stamped, found := strings.Split(string(stamp), "\n"), strings.Split(want.String(), "\n")
	for _, line := range found {
		if !slices.Contains(stamped, line) {
			t.Errorf("%s is not what the bundle was built from: run make page", line[strings.LastIndex(line, " ")+1:])
		}
	}
	if len(stamped) != len(found) {
		t.Errorf("dist/sums.txt has %d lines, the sources give %d: run make page", len(stamped), len(found))
	}
}

func TestBundleIsSmallAndOffline(t *testing.T) {
	if len(bundle) > mostCode {
		t.Errorf("the bundle has %d bytes, at most %d", len(bundle), mostCode)
	}
	code, _, _ := bytes.Cut(bundle, []byte("<!--\nplanflame is under"))
	if from := regexp.MustCompile(`(src|href)="[^d][^"]*"|url\([^d]`).Find(code); from != nil {
		t.Errorf("the bundle asks for %s", from)
	}
	for _, name := range []string{"svelte", "@lezer/java", "MIT"} {
		if !strings.Contains(Licenses(), name) {
			t.Errorf("no license of %s", name)
		}
	}
}

func TestWrite(t *testing.T) {
	a, b := []byte("first </script> recording"), bytes.Repeat([]byte{0, 1, 2}, 1000)
	var out bytes.Buffer
	err := Write(&out,
		func(w io.Writer) error { _, err := w.Write(a); return err },
		func(w io.Writer) error { _, err := w.Write(b); return err })
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][]byte{"recording": a, "recording-b": b} {
		text := regexp.MustCompile(`<script type="application/octet-stream;base64" id="` + id + `">([^<]*)</script>`).FindSubmatch(out.Bytes())
		if text == nil {
			t.Fatalf("no element %s", id)
		}
		got, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(text[1]))))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes (%v), want %d", id, len(got), err, len(want))
		}
	}
	linked := WithGrafana(out.Bytes(), `https://grafana.example/a"b/`)
	if !bytes.Contains(linked, []byte(`<meta name="planflame-grafana" content="https://grafana.example/a&#34;b">`)) {
		t.Error("no link to Grafana")
	}
	fails := func(io.Writer) error { return io.ErrUnexpectedEOF }
	if err := Write(&out, fails); err == nil || !strings.Contains(err.Error(), "recording: unexpected EOF") {
		t.Errorf("a model that fails: %v", err)
	}
	if err := Write(&out, fails, fails, fails); err == nil {
		t.Error("three recordings are written")
	}
}
