package costmetrics

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/semconv"
)

// Series are bounded. The series unused for longest makes room if it is idle; else additions go to
// the overflow series and are counted. A series that comes back begins again.
func TestSeriesAreBounded(t *testing.T) {
	table := NewSeriesTable(3)
	begin := time.Unix(1_700_000_000, 0)
	at := func(minutes int) time.Time { return begin.Add(time.Duration(minutes) * time.Minute) }
	key := func(operator string) SeriesKey {
		return SeriesKey{Owner: Owner{Service: "nightly"}, Query: "q1-a", Operator: operator}
	}
	add := func(operator string, minute int, cpu float64) {
		table.Of("t7", key(operator), fmt.Sprint("Op ", minute), at(minute-1), at(minute)).CPU += cpu
	}
	all := func() (out []string) {
		table.all(func(s *Series) {
			out = append(out, fmt.Sprintf("%s %s %g since %d", s.Service, s.Operator, s.CPU, int(s.Start.Sub(begin).Minutes())))
			if s.Operator == "scan@1" {
				assert.Equal(t, "Op 1", s.OperatorName, "it was another in the fifth minute")
			}
		})
		return out
	}
	add("scan@1", 1, 3)
	add("filter@2", 1, 5)
	add("join@3", 2, 7)
	add("scan@1", 5, 11)
	add("sort@4", 5, 13) // filter@2 was used four minutes ago
	assert.Equal(t, []string{"nightly filter@2 5 since 0", "nightly join@3 7 since 1", "nightly scan@1 14 since 0", "nightly other 13 since 4"}, all())
	add("sort@4", 6, 17) // and now five
	assert.Equal(t, []string{"nightly join@3 7 since 1", "nightly scan@1 14 since 0", "nightly sort@4 17 since 5", "nightly other 13 since 4"}, all())
	add("filter@2", 7, 19)
	assert.Equal(t, []string{"nightly scan@1 14 since 0", "nightly sort@4 17 since 5", "nightly filter@2 19 since 6", "nightly other 13 since 4"}, all())
	table.Of("t7", SeriesKey{Owner: Owner{Service: "nightly"}, Query: "q1-b"}, "", at(6), at(7)).CPU += 23
	assert.Contains(t, all(), "nightly  23 since 6", "whole queries overflow apart from operators")
	assert.Zero(t, table.PushedOut, "those that made room were idle")
	assert.Equal(t, uint64(2), table.Folded)
}

// A series that was not used for seriesAge is told no more, and leaves its place. One that comes
// back begins at 0, with a new start. The series of a query that runs each night goes on.
func TestSeriesAreForgotten(t *testing.T) {
	table := NewSeriesTable(2)
	begin := time.Unix(1_700_000_000, 0).UTC()
	at := func(day int) time.Time { return begin.Add(time.Duration(day) * 24 * time.Hour) }
	add := func(operator string, day int, cpu float64) {
		table.Of("t7", SeriesKey{Owner: Owner{Service: "etl"}, Query: "q1-a", Operator: operator}, "Op", at(day-1), at(day)).CPU += cpu
	}
	told := func(day int) (out []string) {
		md := pmetric.NewMetrics()
		table.Tell(md, SeriesScope{}, at(day))
		for _, rm := range md.ResourceMetrics().All() {
			m := rm.ScopeMetrics().At(0).Metrics().At(0)
			assert.Equal(t, semconv.MetricOperatorCPU, m.Name())
			for _, dp := range m.Sum().DataPoints().All() {
				assert.Equal(t, at(day), dp.Timestamp().AsTime())
				out = append(out, fmt.Sprintf("%s %g since %g", text(dp.Attributes(), semconv.OperatorID), dp.DoubleValue(), dp.StartTimestamp().AsTime().Sub(begin).Hours()/24))
			}
		}
		return out
	}
	add("once@1", 0, 3)
	add("weekly@2", 0, 5)
	add("sort@3", 0, 7)
	add("weekly@2", 7, 11)
	assert.Equal(t, []string{"once@1 3 since -1", "weekly@2 16 since -1", "other 7 since -1"}, told(7))
	assert.Equal(t, []string{"weekly@2 16 since -1"}, told(9))
	assert.Equal(t, map[string]int{"t7": 1}, table.tenants)
	add("once@1", 10, 13)
	assert.Equal(t, []string{"weekly@2 16 since -1", "once@1 13 since 9"}, told(10))
	assert.Empty(t, told(30))
	assert.Empty(t, table.by)
	assert.Empty(t, table.tenants)
	assert.Zero(t, table.PushedOut)
	assert.Equal(t, uint64(1), table.Folded)
}

// A tenant who fills the table leaves others their share. What overflows keeps its owner, and a
// tenant of many owners has few overflow series.
func TestTenantsHaveShares(t *testing.T) {
	table := NewSeriesTable(10)
	now := time.Unix(1_700_000_000, 0)
	of := func(tenant, service string, i int) *Series {
		now = now.Add(time.Second)
		return table.Of(tenant, SeriesKey{Owner: Owner{Service: service}, Query: fmt.Sprint("q", i), Operator: "scan@1"}, "Scan", now, now)
	}
	for i := range 100 {
		of("bad", fmt.Sprint("app ", i), i).CPU++
	}
	for i := range 8 {
		of("good", "nightly", i).CPU += 10
	}
	got := map[string]float64{}
	table.all(func(s *Series) { got[s.Service+" "+s.Query] += s.CPU })
	for i := range 5 {
		assert.InDelta(t, 10, got[fmt.Sprint("nightly q", i)], 0, "half of the table")
	}
	assert.InDelta(t, 30, got["nightly other"], 0, "what is more keeps its owner")
	assert.InDelta(t, 82, got["other other"], 0, "the 90 that overflowed, but for mostOfTenant owners")
	assert.Equal(t, map[string]int{"bad": 5, "good": 5}, table.tenants)
	assert.Equal(t, uint64(5), table.PushedOut)
	assert.Len(t, table.overflow, mostOfTenant+2)

	now = now.Add(seriesIdle)
	of("third", "hourly", 1)
	assert.Equal(t, map[string]int{"bad": 4, "good": 5, "third": 1}, table.tenants, "the idle one goes first")
	assert.Equal(t, uint64(5), table.PushedOut, "and is not counted")
}

// A series counts for the tenant who uses it, once the tenant who needed it first is gone: shares
// are of tenants who are there.
func TestTenantsThatAreGoneHaveNoShare(t *testing.T) {
	table := NewSeriesTable(10)
	begin := time.Unix(1_700_000_000, 0)
	use := func(tenant string, i, minute int) {
		now := begin.Add(time.Duration(minute) * time.Minute)
		table.Of(tenant, SeriesKey{Owner: Owner{Service: "nightly"}, Query: fmt.Sprint("q", i), Operator: "scan@1"}, "Scan", now, now)
	}
	for i := range 10 {
		use(fmt.Sprint("short ", i/2), i, 0)
	}
	for i := range 10 {
		use("live", i, 4)
	}
	assert.Equal(t, map[string]int{"short 0": 2, "short 1": 2, "short 2": 2, "short 3": 2, "short 4": 2}, table.tenants, "four minutes are too few")
	for i := range 10 {
		use("live", i, 8)
	}
	assert.Equal(t, map[string]int{"live": 10}, table.tenants)
	for i := range 8 {
		use("late", 100+i, 9)
	}
	assert.Equal(t, map[string]int{"live": 5, "late": 5}, table.tenants)
	assert.Equal(t, uint64(5), table.PushedOut)
	assert.Equal(t, uint64(3), table.Folded)
}
