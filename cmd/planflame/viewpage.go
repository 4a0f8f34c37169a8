package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"

	"github.com/google/pprof/driver"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/page"
)

// viewPage serves a folder's page until ctx ends. It links to a Grafana, "" for none.
func viewPage(ctx context.Context, out results, address, grafana string, noBrowser bool) error {
	if u, err := url.Parse(grafana); grafana != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "") {
		return fmt.Errorf("view: --grafana %q: give an http or https URL without query, such as https://grafana.example", grafana)
	}
	html, err := pageUntil(ctx, out)
	if err != nil {
		return fmt.Errorf("view: %w", err)
	}
	if html == nil {
		return nil // interrupted
	}
	if grafana != "" {
		html = page.WithGrafana(html, grafana)
	}
	listener, host, bound, err := listen(address)
	if err != nil {
		return err
	}
	defer listener.Close()
	fmt.Fprintf(os.Stderr, "planflame: serving %s on http://%s\n", out, bound)
	if !noBrowser {
		openBrowser("http://" + bound)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(html) // a browser that went away is no error of ours
	})
	return servePages(ctx, listener, host, &driver.HTTPServerArgs{Handlers: map[string]http.Handler{"/": handler}})
}

// pageUntil draws the page as pageOf does. It returns nil if ctx ends first: a long recording takes
// minutes.
func pageUntil(ctx context.Context, out results) ([]byte, error) {
	var html []byte
	var err error
	drawn := make(chan struct{})
	go func() {
		html, err = pageOf(out)
		close(drawn)
	}()
	select {
	case <-drawn:
		return html, err
	case <-ctx.Done():
		return nil, nil
	}
}

// pageOf draws the page of a folder's recording. What a recording that is cut off holds is shown.
func pageOf(out results) ([]byte, error) {
	if info, err := os.Stat(string(out)); err != nil {
		return nil, fmt.Errorf("folder of results: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder: give the --out of planflame run", out)
	}
	if _, err := os.Stat(out.recording()); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no results of planflame run: %w", out, err)
	}
	a, err := analyze(out.recording(), pipeline.Without{}, drawing{})
	if a == nil || a.model == nil {
		return nil, err
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "planflame: %v\n", err)
	}
	var html bytes.Buffer
	if err := a.writePage(&html); err != nil {
		return nil, err
	}
	return html.Bytes(), nil
}

// openBrowser asks the desktop to open an address, where there is one.
func openBrowser(address string) {
	program, err := exec.LookPath("xdg-open")
	if err != nil {
		return
	}
	cmd := exec.Command(program, address)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }()
	}
}
