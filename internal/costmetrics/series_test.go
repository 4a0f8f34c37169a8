package costmetrics

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Series are bounded. The series unused for longest makes room if it is idle; else additions go to
// the overflow series. Both are counted, and a series that comes back begins again.
func TestSeriesAreBounded(t *testing.T) {
	table := NewSeriesTable(3)
	begin := time.Unix(1_700_000_000, 0)
	at := func(minutes int) time.Time { return begin.Add(time.Duration(minutes) * time.Minute) }
	key := func(operator string) SeriesKey {
		return SeriesKey{Owner: Owner{Service: "nightly"}, Query: "q1-a", Operator: operator}
	}
	add := func(operator string, minute int, cpu float64) {
		table.Of(key(operator), fmt.Sprint("Op ", minute), at(minute-1), at(minute)).CPU += cpu
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
	assert.Equal(t, []string{"nightly filter@2 5 since 0", "nightly join@3 7 since 1", "nightly scan@1 14 since 0", "other other 13 since 4"}, all())
	add("sort@4", 6, 17) // and now five
	assert.Equal(t, []string{"nightly join@3 7 since 1", "nightly scan@1 14 since 0", "nightly sort@4 17 since 5", "other other 13 since 4"}, all())
	add("filter@2", 7, 19)
	assert.Equal(t, []string{"nightly scan@1 14 since 0", "nightly sort@4 17 since 5", "nightly filter@2 19 since 6", "other other 13 since 4"}, all())
	table.Of(SeriesKey{Owner: Owner{Service: "nightly"}, Query: "q1-b"}, "", at(6), at(7)).CPU += 23
	assert.Contains(t, all(), "other  23 since 6", "whole queries overflow apart from operators")
	assert.Equal(t, uint64(2), table.PushedOut)
	assert.Equal(t, uint64(2), table.Folded)
}
