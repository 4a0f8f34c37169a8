package push

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"connectrpc.com/connect"
	"github.com/google/pprof/profile"
	pushv1 "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/push/v1/pushv1connect"
	typesv1 "github.com/grafana/pyroscope/api/gen/proto/go/types/v1"
)

// Label is a name and value of a Pyroscope series. Names are [a-zA-Z_][a-zA-Z0-9_]*.
type Label struct{ Name, Value string }

// Names of labels that Pyroscope reads itself.
const (
	// LabelProfileName is the first word of a profile type: "process_cpu" makes
	// process_cpu:cpu:nanoseconds:cpu:nanoseconds.
	LabelProfileName = "__name__"
	// LabelServiceName must be in every series.
	LabelServiceName = "service_name"
)

// Client pushes to one Pyroscope server. Safe for concurrent use.
type Client struct {
	url    string
	pusher pushv1connect.PusherServiceClient
}

// NewClient returns a client of the server at baseURL, http or https, with an optional path below
// which Pyroscope is served. The HTTP client's transport adds authentication and tenant and bounds
// the time; nil means http.DefaultClient.
func NewClient(c *http.Client, baseURL string) (*Client, error) {
	u, err := url.Parse(baseURL) // err may show a part of the password
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("parse Pyroscope URL %q: want http://host:port or https://host:port", withoutUser(baseURL))
	}
	if c == nil {
		c = http.DefaultClient
	}
	recording := *c
	recording.Transport = &recorder{next: c.Transport}
	shown := u.Redacted()
	return &Client{
		url:    strings.TrimRight(shown, "/"),
		pusher: pushv1connect.NewPusherServiceClient(&recording, baseURL),
	}, nil
}

// URL is the server's address for people: a password in it is masked.
func (c *Client) URL() string { return c.url }

// withoutUser is a URL, however malformed, without the user and password in it.
func withoutUser(s string) string {
	at := strings.LastIndex(s, "@")
	if at < 0 {
		return s
	}
	scheme, _, found := strings.Cut(s, "://")
	if !found || len(scheme) > at {
		return s[at+1:]
	}
	return scheme + "://" + s[at+1:]
}

// Push sends p as one profile of the series with these labels; __name__ and service_name must be
// among them. p must be within the server's limits (Split). p is not changed but must not be used
// by others meanwhile. Any failure is an *Error, except for a profile that cannot be encoded.
func (c *Client) Push(ctx context.Context, series []Label, p *profile.Profile) error {
	var raw bytes.Buffer
	if err := p.WriteUncompressed(&raw); err != nil {
		return fmt.Errorf("encode profile of %d samples: %w", len(p.Sample), err)
	}
	return c.send(ctx, series, raw.Bytes())
}

// PushPart is Push for a part that Split made: it is not encoded again. Its Profile may have got
// another time since, and nothing else.
func (c *Client) PushPart(ctx context.Context, series []Label, p *Part) error {
	raw, err := p.raw()
	if err != nil {
		return err
	}
	return c.send(ctx, series, raw)
}

// send compresses an encoded profile and sends it.
func (c *Client) send(ctx context.Context, series []Label, raw []byte) error {
	compressed, err := compress(raw)
	if err != nil {
		return fmt.Errorf("compress profile of %d bytes: %w", len(raw), err)
	}
	labels := make([]*typesv1.LabelPair, len(series))
	for i, l := range series {
		labels[i] = &typesv1.LabelPair{Name: l.Name, Value: l.Value}
	}
	slices.SortFunc(labels, func(a, b *typesv1.LabelPair) int { return strings.Compare(a.Name, b.Name) })
	request := connect.NewRequest(&pushv1.PushRequest{Series: []*pushv1.RawProfileSeries{{
		Labels:  labels,
		Samples: []*pushv1.RawSample{{RawProfile: compressed}},
	}}})
	ctx, answer := withAnswer(ctx)
	if _, err := c.pusher.Push(ctx, request); err != nil {
		return c.failure(err, answer)
	}
	return nil
}

func (c *Client) failure(err error, a *answer) error {
	e := &Error{URL: c.url, Status: a.status, RetryAfter: a.retryAfter, cause: err}
	var ce *connect.Error
	switch {
	case a.text != "":
		e.Reason = a.text
	case errors.As(err, &ce):
		e.Reason = ce.Message()
	default:
		e.Reason = err.Error()
	}
	e.Permanent = permanent(a.status) || e.TooManySeries()
	return e
}
