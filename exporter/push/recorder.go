package push

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answer is what the Connect client does not tell: the HTTP status, Retry-After, and the text of a
// refusal that is not Connect's (a proxy, a gateway, a wrong path). One request at a time writes
// it.
type answer struct {
	status     int
	retryAfter time.Duration
	text       string
}

type answerKey struct{}

func withAnswer(ctx context.Context) (context.Context, *answer) {
	a := &answer{}
	return context.WithValue(ctx, answerKey{}, a), a
}

// recorder notes the answer of each request whose context asks for it.
type recorder struct{ next http.RoundTripper }

// maxRefusalBytes bounds how much of a foreign refusal is read and shown.
const maxRefusalBytes = 512

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	next := r.next
	if next == nil {
		next = http.DefaultTransport
	}
	resp, err := next.RoundTrip(req)
	a, _ := req.Context().Value(answerKey{}).(*answer)
	if err != nil || a == nil {
		return resp, err
	}
	a.status = resp.StatusCode
	a.retryAfter = retryAfter(resp.Header.Get("Retry-After"), time.Now())
	if resp.StatusCode >= 400 && !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		head, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusalBytes))
		if err != nil && len(head) == 0 {
			return nil, errors.Join(err, resp.Body.Close())
		}
		resp.Body = restored{Reader: io.MultiReader(bytes.NewReader(head), resp.Body), Closer: resp.Body}
		a.text = oneLine(head)
	}
	return resp, nil
}

type restored struct {
	io.Reader
	io.Closer
}

// oneLine makes a refusal fit into a line of a log.
func oneLine(b []byte) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(b), "?")), " ")
}

// retryAfter reads a Retry-After header: seconds or a date (RFC 9110, 10.2.3). 0 where it says
// nothing.
func retryAfter(h string, now time.Time) time.Duration {
	if h == "" {
		return 0
	}
	if s, err := strconv.ParseUint(h, 10, 31); err == nil {
		return time.Duration(s) * time.Second
	}
	if t, err := http.ParseTime(h); err == nil {
		return max(t.Sub(now), 0)
	}
	return 0
}
