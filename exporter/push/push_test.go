package push_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/planflame/planflame/exporter/push"
)

func TestSplit(t *testing.T) {
	p := wide(1000, time.Unix(7, 0))
	p.Comments = []string{"kept"}
	for name, test := range map[string]struct {
		limits push.Limits
		parts  int // at least
	}{
		"whole":              {push.Limits{}, 1},
		"by samples":         {push.Limits{Samples: 300}, 4},
		"by bytes":           {push.Limits{Bytes: 4096}, 10},
		"one sample a part":  {push.Limits{Samples: 1}, 1000},
		"by both, odd sizes": {push.Limits{Samples: 333, Bytes: 9000}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			parts, tooLarge, err := push.Split(p, test.limits)
			require.NoError(t, err)
			require.Zero(t, tooLarge)
			require.GreaterOrEqual(t, len(parts), test.parts)
			next := 0
			for i := range parts {
				part := parts[i].Profile
				require.NoError(t, part.CheckValid())
				require.Equal(t, next, parts[i].First)
				require.Equal(t, []string{"kept"}, part.Comments)
				require.Equal(t, p.TimeNanos+int64(i)*1_000_000, part.TimeNanos)
				require.Equal(t, p.Period, part.Period)
				groups := (next+len(part.Sample)-1)/100 - next/100 + 1
				require.Len(t, part.Location, len(part.Sample)+groups+1, "the leaves, their groups and main")
				for _, s := range part.Sample {
					require.Same(t, p.Sample[next], s)
					require.True(t, parts[i].Holds(next))
					next++
				}
				require.False(t, parts[i].Holds(next))
				var wire bytes.Buffer
				require.NoError(t, part.WriteUncompressed(&wire))
				require.Equal(t, wire.Len(), parts[i].Bytes)
				if i == len(parts)-1 {
					requireOnTheWire(t, part, &parts[i])
					part.TimeNanos += 7
					requireOnTheWire(t, part, &parts[i])
				}
				if test.limits.Bytes > 0 {
					require.LessOrEqual(t, parts[i].Bytes, test.limits.Bytes)
				}
			}
			require.Equal(t, 1000, next)
		})
	}
}

// requireOnTheWire says that a part is sent as its profile is.
func requireOnTheWire(t *testing.T, want *profile.Profile, part *push.Part) {
	t.Helper()
	var got *profile.Profile
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		var request pushv1.PushRequest
		assert.NoError(t, proto.Unmarshal(body, &request))
		got, err = profile.ParseData(request.Series[0].Samples[0].RawProfile)
		assert.NoError(t, err)
		w.Header().Set("Content-Type", "application/proto")
	}))
	defer server.Close()
	client, err := push.NewClient(nil, server.URL)
	require.NoError(t, err)
	require.NoError(t, client.PushPart(context.Background(), []push.Label{{Name: "service_name", Value: "x"}}, part))
	require.Equal(t, want.String(), got.String())
	require.Equal(t, want.TimeNanos, got.TimeNanos)
}

func TestSplitLeavesOutWhatNeverFits(t *testing.T) {
	p := wide(3, time.Unix(7, 0))
	p.Function[3].Name = strings.Repeat("x", 5000) // the leaf of sample 1
	parts, tooLarge, err := push.Split(p, push.Limits{Bytes: 4000})
	require.NoError(t, err)
	assert.Equal(t, 1, tooLarge)
	require.Len(t, parts, 2)
	assert.Equal(t, []int64{1, 3}, []int64{parts[0].Profile.Sample[0].Value[0], parts[1].Profile.Sample[0].Value[0]})
	assert.Equal(t, []int{0, 2}, []int{parts[0].First, parts[1].First})

	parts, tooLarge, err = push.Split(&profile.Profile{}, push.Limits{})
	require.NoError(t, err)
	assert.Empty(t, parts)
	assert.Zero(t, tooLarge)
}

// A refusal tells what the server said, whoever answered, and whether to try again.
func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		status      int
		contentType string
		header      string // Retry-After
		body        string
		reason      string
		permanent   bool
		after       time.Duration
	}{
		"Pyroscope's own": {400, "application/json", "", `{"code":"invalid_argument","message":"profile too big"}`, "profile too big", true, 0},
		"rate":            {429, "application/json", "7", `{"code":"resource_exhausted","message":"push rate limit"}`, "push rate limit", false, 7 * time.Second},
		"series": {429, "application/json", "", `{"code":"resource_exhausted","message":"Maximum active series limit exceeded (5000/5000), reduce"}`,
			"Maximum active series limit exceeded (5000/5000), reduce", true, 0},
		"proxy":           {413, "text/html", "", "<h1>too\n large</h1>", "<h1>too large</h1>", true, 0},
		"wrong path":      {404, "text/plain", "", "404 page not found\n", "404 page not found", true, 0},
		"unauthorized":    {401, "text/plain", "", "no tenant", "no tenant", true, 0},
		"forbidden":       {403, "application/json", "", `{"code":"permission_denied","message":"not you"}`, "not you", true, 0},
		"down":            {503, "text/plain", "", "shutting down", "shutting down", false, 0},
		"broken":          {500, "application/json", "", `{"code":"internal","message":"disk"}`, "disk", false, 0},
		"no words":        {502, "text/plain", "", "", "502 Bad Gateway", false, 0},
		"request timeout": {408, "text/plain", "", "slow", "slow", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assert.Equal(t, "/below/push.v1.PusherService/Push", r.URL.Path)
				w.Header().Set("Content-Type", test.contentType)
				if test.header != "" {
					w.Header().Set("Retry-After", test.header)
				}
				w.WriteHeader(test.status)
				_, _ = fmt.Fprint(w, test.body)
			}))
			defer server.Close()
			client, err := push.NewClient(server.Client(), strings.Replace(server.URL, "http://", "http://user:secret@", 1)+"/below/")
			require.NoError(t, err)
			var got *push.Error
			require.ErrorAs(t, client.Push(context.Background(), nil, wide(1, time.Now())), &got)
			assert.Equal(t, test.status, got.Status)
			assert.Equal(t, test.permanent, got.Permanent)
			assert.Equal(t, test.after, got.RetryAfter)
			assert.Equal(t, test.reason, got.Reason)
			assert.Contains(t, got.Error(), test.reason)
			assert.Contains(t, got.Error(), "/below")
			assert.NotContains(t, got.Error(), "secret")
		})
	}
}

func TestNoAnswer(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	client, err := push.NewClient(nil, server.URL)
	require.NoError(t, err)
	var got *push.Error
	require.ErrorAs(t, client.Push(context.Background(), nil, wide(1, time.Now())), &got)
	assert.Zero(t, got.Status)
	assert.False(t, got.Permanent)
	assert.Contains(t, got.Error(), "connection refused")
}

func TestNewClientRefusesOtherURLs(t *testing.T) {
	for _, bad := range []string{"", "localhost:4040", "ftp://host", "http://", "http://a b", "ftp://u:secret@host", "http://u:secret@a b", "http://u:secret/x@host", "u:secret@host:4040"} {
		_, err := push.NewClient(nil, bad)
		require.Error(t, err, bad)
		require.Contains(t, err.Error(), "Pyroscope URL", bad)
		require.NotContains(t, err.Error(), "secret", bad)
	}
}
