//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/pprof/profile"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"
	"github.com/stretchr/testify/require"
)

// faultyStore is Pyroscope's push endpoint that fails at random. It keeps profiles by series and
// time, as the v1 storage does. A real Pyroscope cannot be told to fail.
type faultyStore struct {
	pushv1connect.UnimplementedPusherServiceHandler
	url, address string

	mu     sync.Mutex
	random *rand.Rand
	healed bool
	count  map[string]int
	stored map[string]map[int64]content // series → time → profile
	twice  int                          // profiles that were stored again under the time they had
	server *http.Server
}

// content is what tells a profile from others of its series and window.
type content struct {
	samples int
	all     int64 // sum of its values
	tasks   int64 // of which task CPU, in nanoseconds
}

func startFaultyStore(t *testing.T, seed uint64) *faultyStore {
	t.Helper()
	s := &faultyStore{random: rand.New(rand.NewPCG(seed, 1)), count: map[string]int{}, stored: map[string]map[int64]content{}}
	s.listen(t, "127.0.0.1:0")
	s.url = "http://" + s.address
	t.Cleanup(func() { _ = s.server.Close() })
	return s
}

func (s *faultyStore) listen(t *testing.T, address string) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	require.NoError(t, err)
	s.address = l.Addr().String()
	path, handler := pushv1connect.NewPusherServiceHandler(s)
	mux := http.NewServeMux()
	mux.Handle(path, s.failing(handler))
	s.server = &http.Server{Handler: mux}
	go func(server *http.Server) { _ = server.Serve(l) }(s.server)
}

// away closes the store while meanwhile runs: its port refuses connections.
func (s *faultyStore) away(t *testing.T, meanwhile func()) {
	t.Helper()
	_ = s.server.Close()
	meanwhile()
	s.listen(t, s.address)
}

// heal ends all faults.
func (s *faultyStore) heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.healed = true
}

// Kinds of faults. Half of all pushes has none.
var pushFaults = []string{"", "", "", "", "", "", "refused_429", "failed_500", "slow", "hung", "reset_before", "reset_after", "stored_then_503"}

// draw draws the fault of a push, and counts it.
func (s *faultyStore) draw() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.healed {
		return ""
	}
	fault := pushFaults[s.random.IntN(len(pushFaults))]
	if fault != "" {
		s.count[fault]++
	}
	return fault
}

func (s *faultyStore) counts() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.count)
}

// failing answers a push as its fault wants.
func (s *faultyStore) failing(next http.Handler) http.Handler {
	reset := func(w http.ResponseWriter) {
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_ = c.(*net.TCPConn).SetLinger(0)
			_ = c.Close()
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the Collector was stopped
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		switch s.draw() {
		case "refused_429":
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too many", http.StatusTooManyRequests)
		case "failed_500":
			http.Error(w, "failed", http.StatusInternalServerError)
		case "slow":
			time.Sleep(700 * time.Millisecond)
			next.ServeHTTP(w, r)
		case "hung": // beyond the exporter's time limit
			<-r.Context().Done()
		case "reset_before":
			reset(w)
		case "reset_after":
			next.ServeHTTP(&discarded{header: http.Header{}}, r)
			reset(w)
		case "stored_then_503":
			next.ServeHTTP(&discarded{header: http.Header{}}, r)
			http.Error(w, "stored, and says it is not", http.StatusServiceUnavailable)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// discarded is an answer that no one gets.
type discarded struct{ header http.Header }

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) Write(p []byte) (int, error) { return len(p), nil }
func (d *discarded) WriteHeader(int)             {}

// Push stores what has task CPU of a profile.
func (s *faultyStore) Push(_ context.Context, r *connect.Request[pushv1.PushRequest]) (*connect.Response[pushv1.PushResponse], error) {
	for _, series := range r.Msg.Series {
		var name []string
		for _, l := range series.Labels {
			name = append(name, l.Name+"="+l.Value)
		}
		for _, raw := range series.Samples {
			p, err := profile.ParseData(raw.RawProfile)
			if err != nil {
				return nil, connect.NewError(connect.CodeInvalidArgument, err)
			}
			s.store(strings.Join(name, " "), p)
		}
	}
	return connect.NewResponse(&pushv1.PushResponse{}), nil
}

func (s *faultyStore) store(series string, p *profile.Profile) {
	c := content{samples: len(p.Sample)}
	cpu := strings.Contains(series, "__name__=process_cpu") && p.SampleType[0].Type == "cpu"
	for _, sample := range p.Sample {
		c.all += sample.Value[0]
		if cpu && len(sample.Label["group"]) == 0 {
			c.tasks += sample.Value[0]
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stored[series] == nil {
		s.stored[series] = map[int64]content{}
	}
	if _, there := s.stored[series][p.TimeNanos]; there {
		s.twice++
	}
	s.stored[series][p.TimeNanos] = c
}

// told is the task CPU of all profiles with a time from one up to another, in seconds.
func (s *faultyStore) told(from, to time.Time) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all int64
	for _, series := range s.stored {
		for at, c := range series {
			if from.UnixNano() <= at && at < to.UnixNano() {
				all += c.tasks
			}
		}
	}
	return float64(all) / 1e9
}

// doubled are profiles that are there under two times less than a window apart: a retry's time is
// later by milliseconds, if it is another.
func (s *faultyStore) doubled() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, series := range s.stored {
		times := slices.Sorted(maps.Keys(series))
		for i := 1; i < len(times); i++ {
			if times[i]-times[i-1] < int64(time.Second)/2 && series[times[i]] == series[times[i-1]] {
				out = append(out, fmt.Sprintf("%s at %s: %+v", name, time.Unix(0, times[i]), series[times[i]]))
			}
		}
	}
	return out
}

// again is the number of profiles that were stored again under the time they had.
func (s *faultyStore) again() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.twice
}
