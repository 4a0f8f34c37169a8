package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"connectrpc.com/connect"
	"github.com/google/pprof/profile"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"
)

// sink takes what profilers push to a Pyroscope and throws it away, so that no server's work is
// measured. Of what comes to /ingest it keeps the CPU profiles in pprof's format: the Collector's
// own.
type sink struct {
	URL      string
	pushed   atomic.Int64 // requests of the push API
	ingested atomic.Int64 // requests to /ingest
	server   http.Server
	mu       sync.Mutex
	cpu      []*profile.Profile
}

func newSink() (*sink, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{URL: "http://" + l.Addr().String()}
	mux := http.NewServeMux()
	mux.Handle(pushv1connect.NewPusherServiceHandler(s))
	mux.HandleFunc("/ingest", s.ingest)
	s.server.Handler = mux
	go func() {
		if err := s.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			panic(err) // a listener of our own does not fail
		}
	}()
	return s, nil
}

// Push implements pushv1connect.PusherServiceHandler.
func (s *sink) Push(context.Context, *connect.Request[pushv1.PushRequest]) (*connect.Response[pushv1.PushResponse], error) {
	s.pushed.Add(1)
	return connect.NewResponse(&pushv1.PushResponse{}), nil
}

// ingest takes the multipart form of pyroscope-go and of Pyroscope's Java agent.
func (s *sink) ingest(w http.ResponseWriter, r *http.Request) {
	s.ingested.Add(1)
	parts, err := r.MultipartReader()
	for err == nil {
		part, e := parts.NextPart()
		if e != nil {
			break // the end
		}
		if part.FormName() != "profile" {
			continue
		}
		p, e := profile.Parse(part)
		if e != nil {
			continue // JFR, of the Java agent
		}
		if len(p.SampleType) > 0 && p.SampleType[len(p.SampleType)-1].Type == "cpu" {
			s.mu.Lock()
			s.cpu = append(s.cpu, p)
			s.mu.Unlock()
		}
	}
	w.WriteHeader(http.StatusOK)
}

// selfProfile is the CPU profiles whose middles lie between two times, merged; nil where there are
// none.
func (s *sink) selfProfile(from, to time.Time) (*profile.Profile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var within []*profile.Profile
	for _, p := range s.cpu {
		if middle := time.Unix(0, p.TimeNanos+p.DurationNanos/2); middle.After(from) && middle.Before(to) {
			within = append(within, p)
		}
	}
	if len(within) == 0 {
		return nil, nil
	}
	return profile.Merge(within)
}

func (s *sink) close() error { return s.server.Close() }
