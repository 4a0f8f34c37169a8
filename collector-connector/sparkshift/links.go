package sparkshift

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/growth"
)

// links are the pages that events and standing shifts lead to. The zero value has none.
type links struct{ dashboard, flameGraph string }

// linked is what a link is about; "" and zero: not known.
type linked struct {
	service, query, name, operator, host string
	before                               time.Time // end of the last good run
}

// about is what an event is about; c is its first operator, or nil.
func about(e *shift.Event, c *shift.Change) *linked {
	l := &linked{service: e.Labels[semconv.ServiceName], query: fingerprintOf(e.Query), name: e.Name, host: e.Host, before: e.Before}
	if l.before.IsZero() {
		l.before = e.Since
	}
	if c != nil {
		l.operator, l.host = c.Operator, ""
	}
	return l
}

// flameProfile is the profile type that the exporter pushes to Pyroscope.
const flameProfile = "process_cpu:cpu:nanoseconds:cpu:nanoseconds"

// selector is Pyroscope's of the operator, or of the query, by the labels that
// config/collector.yaml gives.
func (l *linked) selector() string {
	var labels []string
	for _, x := range [][2]string{{"service_name", l.service}, {"query", l.query}, {"operator", l.operator}, {"host_name", l.host}} {
		if x[1] != "" {
			labels = append(labels, fmt.Sprintf("%s=%q", x[0], x[1]))
		}
	}
	return flameProfile + "{" + strings.Join(labels, ",") + "}"
}

// put adds the links that are configured: the query's dashboard from a day before the change, and
// Pyroscope's comparison of that day with all since.
func (k links) put(a pcommon.Map, l *linked) {
	if l.query == "" || l.before.IsZero() {
		return
	}
	millis := func(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
	if k.dashboard != "" {
		q := url.Values{"var-query": {l.query}, "from": {millis(l.before.Add(-flameBefore))}, "to": {"now"}}
		if l.name != "" {
			q.Set("var-query_name", l.name)
		}
		if l.operator != "" {
			q.Set("var-operator", l.operator)
		}
		a.PutStr(semconv.EventDashboardURL, strings.TrimSuffix(k.dashboard, "/")+"/d/planflame-query?"+q.Encode())
	}
	if k.flameGraph != "" {
		s := l.selector()
		q := url.Values{"query": {s}, "leftQuery": {s}, "rightQuery": {s}, "leftFrom": {millis(l.before.Add(-flameBefore))}, "leftUntil": {millis(l.before)},
			"rightFrom": {millis(l.before)}, "rightUntil": {"now"}}
		a.PutStr(semconv.EventFlameGraphURL, strings.TrimSuffix(k.flameGraph, "/")+"/comparison-diff?"+q.Encode())
	}
}

// validateURL refuses what is neither empty nor an http URL.
func validateURL(key, value string) error {
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err == nil && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		err = errors.New("want http://HOST or https://HOST")
	}
	if err != nil {
		return fmt.Errorf("%s: %q: %w", key, value, err)
	}
	return nil
}

// mostStackText bounds stackText, in bytes: it is a label's value.
const mostStackText = 256

// stackText is a stack in one line, its innermost frames if not all have room; "" if none is
// known.
func stackText(c *growth.Change) string {
	if len(c.Frames) == 0 {
		return ""
	}
	cost := fmt.Sprintf(": %.3g s a run, was %.3g s", c.To, c.From)
	text := ""
	for i := len(c.Frames) - 1; i >= 0; i-- {
		longer := c.Frames[i]
		if text != "" {
			longer += " → " + text
		}
		if len(longer)+len(cost)+len("… → ") > mostStackText {
			if text == "" { // one name that is too long
				return strings.ToValidUTF8(longer[:min(len(longer), mostStackText-len(cost)-len("…"))], "") + "…" + cost
			}
			return "… → " + text + cost
		}
		text = longer
	}
	return text + cost
}
