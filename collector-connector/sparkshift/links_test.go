package sparkshift

import (
	"context"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift/growth"
)

// attributesOf are the attributes of the newest point of a gauge of an operator, or of a query
// where that is "".
func (r *rig) attributesOf(gauge, operator string) (out map[string]any) {
	for _, md := range r.metrics.AllMetrics() {
		for _, rm := range md.ResourceMetrics().All() {
			for _, sm := range rm.ScopeMetrics().All() {
				for _, m := range sm.Metrics().All() {
					for _, dp := range m.Gauge().DataPoints().All() {
						if m.Name() == gauge && text(dp.Attributes(), semconv.OperatorID) == operator {
							out = dp.Attributes().AsRaw()
						}
					}
				}
			}
		}
	}
	return out
}

// What an alert says of a shift stands on its gauge, and after a restart still: the first run, the
// last good one, the stack that grew and both links.
func TestWhatAnAlertSays(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	config := func(c *Config) {
		c.Storage, c.DashboardURL, c.FlameGraphURL = &storageID, "https://grafana.example/below/", "https://pyroscope.example"
	}
	rng := rand.New(rand.NewPCG(1, 2))
	r := newRig(t, storing{m}, config)
	n := 0
	for ; n < 20; n++ {
		r.night(rng, n, 1)
	}
	require.Nil(t, r.attributesOf(semconv.MetricCostShiftedSince, "filter@22"))
	for ; n < 22; n++ {
		r.night(rng, n, 1.3)
	}
	require.Equal(t, []string{"spark.sql.cost.shift"}, r.events())
	check := func() {
		t.Helper()
		a := r.attributesOf(semconv.MetricCostShiftedSince, "filter@22")
		assert.Equal(t, "app-3/20", a["spark.sql.cost.since.run"])
		assert.Equal(t, "2026-11-01T22:00:00Z", a["spark.sql.cost.since"])
		assert.Equal(t, "app-3/19", a["spark.sql.cost.before.run"])
		assert.Equal(t, "2026-11-01T21:00:00Z", a["spark.sql.cost.before"])
		assert.Regexp(t, `^`+regexp.QuoteMeta(ownFrame)+` → .* → java.util.regex.Matcher.match: 10\d s a run, was 50\.?\d* s$`, a["spark.sql.cost.stack"])
		u, err := url.Parse(a["spark.sql.cost.dashboard.url"].(string))
		require.NoError(t, err)
		before := begin.Add(19 * time.Hour)
		assert.Equal(t, "https://grafana.example/below/d/planflame-query", u.Scheme+"://"+u.Host+u.Path)
		assert.Equal(t, url.Values{"var-query_name": {"tpch q06"}, "var-query": {"q1-abc"}, "var-operator": {"filter@22"}, "from": {millis(before.Add(-24 * time.Hour))}, "to": {"now"}}, u.Query())
		u, err = url.Parse(a["spark.sql.cost.flame_graph.url"].(string))
		require.NoError(t, err)
		selector := `process_cpu:cpu:nanoseconds:cpu:nanoseconds{service_name="nightly",query="q1-abc",operator="filter@22"}`
		assert.Equal(t, "https://pyroscope.example/comparison-diff", u.Scheme+"://"+u.Host+u.Path)
		assert.Equal(t, url.Values{"query": {selector}, "leftQuery": {selector}, "rightQuery": {selector}, "leftFrom": {millis(before.Add(-24 * time.Hour))}, "leftUntil": {millis(before)},
			"rightFrom": {millis(before)}, "rightUntil": {"now"}}, u.Query())
	}
	check()
	event := r.records()[0].Attributes().AsRaw()
	assert.Equal(t, r.attributesOf(semconv.MetricCostShiftedSince, "filter@22")["spark.sql.cost.dashboard.url"], event["spark.sql.cost.dashboard.url"])
	assert.Equal(t, r.attributesOf(semconv.MetricCostShiftedSince, "filter@22")["spark.sql.cost.flame_graph.url"], event["spark.sql.cost.flame_graph.url"])
	assert.NotContains(t, r.attributesOf(semconv.MetricCostShiftRatio, "filter@22"), "spark.sql.cost.since.run", "the shift's own series does not change with what is said of it")

	r.shutdown()
	r = newRig(t, storing{m}, config)
	r.clock = r.clock.Add(time.Hour)
	r.engine.tick(context.Background(), false)
	check()
}

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// How many runs are there, of those that are needed.
func TestRunsSeen(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 12 {
		r.send(nightly(rng, n, 1))
		assert.InDelta(t, min(n+1, 10), r.gauges()[semconv.MetricQueryRunsSeen+" "], 0, "run %d", n)
	}
	assert.Equal(t, "10", r.attributesOf(semconv.MetricQueryRunsSeen, "")["spark.sql.cost.runs.needed"])
	assert.NotContains(t, r.attributesOf(semconv.MetricCostShiftedSince, "filter@22"), semconv.EventDashboardURL)
}

func TestStackText(t *testing.T) {
	at := func(frames ...string) string { return stackText(&growth.Change{Frames: frames, From: 1.25, To: 2.5}) }
	assert.Empty(t, at())
	assert.Equal(t, "a.b → c.d: 2.5 s a run, was 1.25 s", at("a.b", "c.d"))
	long := strings.Repeat("x", 100)
	assert.Equal(t, "… → "+long+" → c.d: 2.5 s a run, was 1.25 s", at("a.b", long+long, long, "c.d"))
	one := at(strings.Repeat("é", 300))
	assert.LessOrEqual(t, len(one), mostStackText)
	assert.True(t, utf8.ValidString(one))
	assert.True(t, strings.HasSuffix(one, "…: 2.5 s a run, was 1.25 s"), one)
}

// A label is at most mostStackText bytes, whatever its frames' lengths are, and says what the stack
// cost.
func TestStackTextOfEveryLength(t *testing.T) {
	for n := 1; n < 2*mostStackText; n++ {
		c := &growth.Change{Frames: []string{"outer", strings.Repeat("é", n/2) + strings.Repeat("x", n%2)}, From: 4.56, To: 12.3}
		text := stackText(c)
		require.LessOrEqual(t, len(text), mostStackText, "%d bytes", n)
		require.True(t, strings.HasSuffix(text, ": 12.3 s a run, was 4.56 s"), "%d bytes: %q", n, text)
	}
}
