package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/pprof/profile"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler/recording"
	"github.com/planflame/planflame/tasksample"
)

// pushServer takes what is pushed; answers are given one after the other, then all is well.
type pushServer struct {
	*httptest.Server
	mu      sync.Mutex
	answers []error
	tries   int
	headers http.Header
	pushed  []pushed
}

type pushed struct {
	labels  map[string]string
	profile *profile.Profile
}

func newPushServer(t *testing.T, answers ...error) *pushServer {
	t.Helper()
	s := &pushServer{answers: answers}
	mux := http.NewServeMux()
	mux.Handle(pushv1connect.NewPusherServiceHandler(s))
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// Push implements pushv1connect.PusherServiceHandler.
func (s *pushServer) Push(_ context.Context, r *connect.Request[pushv1.PushRequest]) (*connect.Response[pushv1.PushResponse], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries++
	s.headers = r.Header()
	if len(s.answers) > 0 {
		answer := s.answers[0]
		s.answers = s.answers[1:]
		return nil, answer
	}
	for _, series := range r.Msg.Series {
		p := pushed{labels: map[string]string{}}
		for _, l := range series.Labels {
			p.labels[l.Name] = l.Value
		}
		var err error
		if p.profile, err = profile.ParseData(series.Samples[0].RawProfile); err != nil {
			return nil, err
		}
		s.pushed = append(s.pushed, p)
	}
	return connect.NewResponse(&pushv1.PushResponse{}), nil
}

// client is a pyroscope of the server as the environment would name it.
func (s *pushServer) client(t *testing.T, more ...string) *pyroscope {
	t.Helper()
	env := map[string]string{envPyroscope: s.URL}
	for i := 0; i < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	p, err := pyroscopeOf(func(key string) string { return env[key] })
	require.NoError(t, err)
	p.wait = 0
	return p
}

// twoApplications is a run of two applications on three JVMs: 5, 7 and 11 ms of CPU.
func twoApplications() *analysis {
	jvm := func(app, query string, cpu time.Duration, attributes map[string]string) window.JVMProfile {
		stacks := window.NewStacks()
		return window.JVMProfile{
			Application: pipeline.Application{Name: app, Attributes: attributes}, Totals: window.Totals{Tasks: 1}, Stacks: stacks,
			Entries: []window.Entry{{
				Labels: pipeline.Labels{Query: "q1-3", Plan: "p1-5", QueryName: query, Operator: "scan@1", Execution: 13, Stage: tasksample.StageID(17), Bucket: attribution.BucketNone, Task: -1},
				Stack:  stacks.Intern([]pipeline.StackFrame{{Name: "work"}}), CPU: cpu, Samples: 1,
			}},
		}
	}
	return &analysis{
		meta:   recording.Meta{Hz: 100},
		window: outcome.Window{Start: time.Now(), Duration: time.Second},
		jvms: []window.JVMProfile{
			jvm("first", "a", 5*time.Millisecond, map[string]string{"team": "margin", "k8s.namespace.name": "etl", "cost.center": "31"}), jvm("second", strings.Repeat("é", 1500), 7*time.Millisecond, nil), jvm("first", "b", 11*time.Millisecond, map[string]string{"team": "risk", "tenant": "t7"}),
			{Application: pipeline.Application{Name: "a driver without tasks"}},
		},
	}
}

func TestPushEachApplicationAsItself(t *testing.T) {
	server := newPushServer(t)
	services, err := server.client(t, envTenant, "team-3", envUsername, "u", envPassword, "p").push(t.Context(), twoApplications())
	require.NoError(t, err)
	require.Equal(t, []string{"first", "second"}, services)
	require.Len(t, server.pushed, 2)
	assert.Equal(t, "team-3", server.headers.Get("X-Scope-OrgID"))
	user, password, _ := (&http.Request{Header: server.headers}).BasicAuth()
	assert.Equal(t, "u p", user+" "+password)

	first, second := server.pushed[0], server.pushed[1]
	assert.Equal(t, map[string]string{"__name__": "process_cpu", "service_name": "first", "team": "margin", "k8s_namespace_name": "etl", "tenant": "t7"}, first.labels)
	assert.Equal(t, map[string]string{"__name__": "process_cpu", "service_name": "second"}, second.labels)
	var cpu int64
	for _, s := range first.profile.Sample {
		cpu += s.Value[1]
		assert.Equal(t, []string{"scan@1"}, s.Label["operator"])
		for _, own := range []string{"sql_execution_id", "stage_id", "stage_attempt", "jvm", "plan", "bucket"} {
			assert.NotContains(t, s.Label, own, "a label that would make new series with every run")
		}
	}
	assert.EqualValues(t, 16*time.Millisecond, cpu)
	assert.Equal(t, "cpu", first.profile.SampleType[1].Type)
	assert.Equal(t, strings.Repeat("é", 1024), second.profile.Sample[0].Label["query_name"][0], "2048 bytes, between characters")
}

func TestPushTriesAgainWhereItMayHelp(t *testing.T) {
	busy := connect.NewError(connect.CodeResourceExhausted, errors.New("over the rate"))
	refused := connect.NewError(connect.CodeInvalidArgument, errors.New("labels are wrong"))
	for name, test := range map[string]struct {
		answers []error
		tries   int
		says    string
	}{
		"well":          {nil, 2, ""},
		"busy twice":    {[]error{busy, busy}, 4, ""},
		"busy for long": {[]error{busy, busy, busy, busy, busy}, 3, "push the profile of first: part 1 of 1: push to http://127.0.0.1"},
		"refused":       {[]error{refused}, 1, "labels are wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			server := newPushServer(t, test.answers...)
			services, err := server.client(t).push(t.Context(), twoApplications())
			assert.Equal(t, test.tries, server.tries)
			if test.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.says)
			assert.Empty(t, services)
		})
	}
}

func TestNoServerIsNotWaitedFor(t *testing.T) {
	server := newPushServer(t)
	client := server.client(t)
	client.wait = time.Hour
	server.Close()
	_, err := client.push(t.Context(), twoApplications())
	require.ErrorContains(t, err, "connection refused")
	_, err = client.push(t.Context(), &analysis{})
	require.ErrorContains(t, err, "the run has no CPU to show")
}

func TestWrongServerIsRefusedBeforeTheJob(t *testing.T) {
	withJar(t)
	ran := filepath.Join(t.TempDir(), "ran")
	for url, says := range map[string]string{
		"ftp://user:secret@somewhere": "PYROSCOPE_URL: ",
		"localhost:4040":              "want http://host:port or https://host:port",
		"http://a b":                  "PYROSCOPE_URL: ",
	} {
		t.Setenv(envPyroscope, url)
		err := execute("run", "--out", t.TempDir(), "--", "touch", ran)
		require.ErrorContains(t, err, says, url)
		require.NotContains(t, err.Error(), "secret")
	}
	require.NoFileExists(t, ran)
}

func TestReportPushes(t *testing.T) {
	out := results(t.TempDir())
	var file bytes.Buffer
	recordRun(t, &file, true)
	require.NoError(t, os.WriteFile(out.recording(), file.Bytes(), 0o644))
	t.Setenv(envPyroscope, "")
	require.ErrorContains(t, execute("report", "--push", string(out)), "--push: PYROSCOPE_URL is not set")

	server := newPushServer(t)
	t.Setenv(envPyroscope, strings.Replace(server.URL, "http://", "http://user:secret@", 1))
	var err error
	stdout, stderr := captured(t, func() { err = execute("report", "--push", string(out)) })
	require.NoError(t, err)
	require.Contains(t, stdout, "  Scan t\n")
	require.Regexp(t, `^planflame: the profile is in the Pyroscope at http://user:xxxxx@127.0.0.1:\d+, service_name nightly\n$`, stderr)
	require.Len(t, server.pushed, 1)
	require.Equal(t, "nightly", server.pushed[0].labels["service_name"])
	require.WithinDuration(t, time.Now().Add(-oldestPush), time.Unix(0, server.pushed[0].profile.TimeNanos), time.Minute, "the run of long ago")

	server.Close()
	captured(t, func() { err = execute("report", "--push", string(out)) })
	require.ErrorContains(t, err, "connection refused")
	require.NotContains(t, err.Error(), "secret")
}
