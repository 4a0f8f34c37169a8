// Package recorder keeps what a Collector exports: it is the server that benches put in the place
// of a backend.
package recorder

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"go.opentelemetry.io/collector/pdata/pmetric"
)

// Recorder is an HTTP server of this machine. It writes each request of metrics to a file, as one
// line of OTLP/JSON. It drops what is pushed to Pyroscope.
type Recorder struct {
	URL    string
	server http.Server
	done   chan error

	mu   sync.Mutex
	file *os.File
	err  error // of writing
}

// Start starts a recorder that writes to a new file.
func Start(path string) (*Recorder, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	r := &Recorder{URL: "http://" + l.Addr().String(), file: file, done: make(chan error, 1)}
	r.server.Handler = r
	go func() { r.done <- r.server.Serve(l) }()
	return r, nil
}

// ServeHTTP implements http.Handler.
func (r *Recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", req.Header.Get("Content-Type"))
	if !strings.HasSuffix(req.URL.Path, "/v1/metrics") {
		return // an empty answer says that the push was taken
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.file.Write(append(body, '\n')); err != nil {
		r.err = errors.Join(r.err, err)
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	io.WriteString(w, "{}") // the client's connection may be gone: it sends again, and a point again replaces the first
}

// Close ends the server and closes the file. It returns the errors of both, and of writing.
func (r *Recorder) Close() error {
	err := r.server.Close()
	if served := <-r.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(err, r.err, r.file.Close())
}

// Read reads the requests of a recorder's file. It leaves out what follows the last end of a line:
// that was not written whole.
func Read(path string) (out []pmetric.Metrics, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing to lose
	in := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		md, err := (&pmetric.JSONUnmarshaler{}).UnmarshalMetrics(line)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		out = append(out, md)
	}
}
