// Package page holds the page of a recording: TypeScript sources in src, and the bundle in dist
// that `make page` builds from them. The page draws a model and computes nothing else.
package page

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"
)

//go:embed dist/index.html
var bundle []byte

//go:embed dist/licenses.txt
var licenses string

// place is where the bundle takes recordings.
var place = []byte("<!--recordings-->")

// ids are the elements that the page reads: a recording, and one to compare it with.
var ids = []string{"recording", "recording-b"}

// Licenses returns the licenses of what the bundle includes.
func Licenses() string { return licenses }

// Write writes one offline HTML file that shows one model, or compares two. A model writes its
// encoded form.
func Write(w io.Writer, models ...func(io.Writer) error) error {
	if len(models) > len(ids) {
		return fmt.Errorf("write page: %d recordings, it shows at most %d", len(models), len(ids))
	}
	before, after, ok := bytes.Cut(bundle, place)
	if !ok {
		return fmt.Errorf("write page: the bundle has no place for recordings")
	}
	if _, err := w.Write(before); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	for i, model := range models {
		if err := element(w, ids[i], model); err != nil {
			return fmt.Errorf("write page: %s: %w", ids[i], err)
		}
	}
	if _, err := w.Write(after); err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return nil
}

// WithGrafana returns a written page that links to the dashboards of a Grafana, whose address is an
// http or https URL without query and fragment.
func WithGrafana(written []byte, address string) []byte {
	link := fmt.Sprintf("<meta name=\"planflame-grafana\" content=\"%s\">\n<title>", html.EscapeString(strings.TrimRight(address, "/")))
	return bytes.Replace(written, []byte("<title>"), []byte(link), 1)
}

// element writes a model as base64 of raw deflate.
func element(w io.Writer, id string, model func(io.Writer) error) error {
	if _, err := fmt.Fprintf(w, "<script type=\"application/octet-stream;base64\" id=%q>", id); err != nil {
		return err
	}
	text := base64.NewEncoder(base64.StdEncoding, w)
	deflated, err := flate.NewWriter(text, flate.DefaultCompression)
	if err != nil {
		return err
	}
	if err := model(deflated); err != nil {
		return err
	}
	if err := deflated.Close(); err != nil {
		return err
	}
	if err := text.Close(); err != nil {
		return err
	}
	_, err = io.WriteString(w, "</script>\n")
	return err
}
