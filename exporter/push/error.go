package push

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// Error is a push that the server did not take, or whose answer never came.
type Error struct {
	URL        string
	Status     int           // HTTP status; 0 when no answer came
	Reason     string        // the server's own words, or the network's
	RetryAfter time.Duration // from the Retry-After header; 0 when the server did not say
	// Permanent is true if the same request will be refused again: the server said 4xx, other than
	// 408, 409, 425, 429 and 499, or TooManySeries.
	Permanent bool
	cause     error
}

// Error says who refused what and why.
func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("push to %s: no answer: %s", e.URL, e.Reason)
	}
	return fmt.Sprintf("push to %s: HTTP %d: %s", e.URL, e.Status, e.Reason)
}

// Unwrap returns the error of the HTTP client or of the Connect protocol.
func (e *Error) Unwrap() error { return e.cause }

// Unsettled reports whether the server may have stored the profile: it gave no answer, though it
// could be reached, or an answer of its own failure.
func (e *Error) Unsettled() bool {
	if e.Status == 0 {
		var dial *net.OpError
		return !errors.As(e.cause, &dial) || dial.Op != "dial"
	}
	return e.Status >= 500
}

// TooManySeries reports whether the tenant has as many active series as the server allows
// (-ingester.max-global-series-per-tenant), and the profile needs another one.
func (e *Error) TooManySeries() bool { return strings.Contains(e.Reason, seriesLimit) }

// seriesLimit is what Pyroscope 1.21 says then, with HTTP 429 (SeriesLimitErrorMsg in
// pkg/validation/validate.go). It says "push rate limit" of a rate, with the same status.
const seriesLimit = "active series limit exceeded"

// permanent tells by the HTTP status whether the same request would be refused again.
func permanent(status int) bool {
	switch status {
	case 408, 409, 425, 429, 499: // too slow, aborted, too early, over the rate, cancelled
		return false
	}
	return status >= 400 && status < 500
}
