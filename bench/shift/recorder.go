package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
)

// recorder is the server that a Collector exports to: each request of metrics is kept in a file, a line each, as OTLP/JSON. What is pushed to
// Pyroscope is thrown away.
type recorder struct {
	URL    string
	server http.Server
	done   chan error

	mu   sync.Mutex
	file *os.File
	err  error // of writing
}

func newRecorder(path string) (*recorder, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	r := &recorder{URL: "http://" + l.Addr().String(), file: file, done: make(chan error, 1)}
	r.server.Handler = r
	go func() { r.done <- r.server.Serve(l) }()
	return r, nil
}

// ServeHTTP implements http.Handler.
func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
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

// close ends the server and the file. The error is the first of either, and of writing.
func (r *recorder) close() error {
	err := r.server.Close()
	if served := <-r.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(err, r.err, r.file.Close())
}
