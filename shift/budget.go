package shift

import "time"

// budget is the level of a test: the false alarms that a week may have, over the tests of a week.
// Tests are counted by hour for a week; a younger fleet's week is told by its last day.
type budget struct {
	Hours [7 * 24]float64 // tests by hour of the ring
	Hour  int64           // hours since 1970 of the newest entry; 0: none yet
}

const (
	leastTests = 10_000 // a week, below which the level rises no further
	hoursOfDay = 24
)

// count adds tests at a time of the judge's own clock. Where that was set back by a week or more
// the count begins again.
func (b *budget) count(now time.Time, tests int) {
	hour := now.Unix() / 3600
	n := int64(len(b.Hours))
	if b.Hour == 0 || b.Hour-hour >= n {
		*b = budget{Hour: hour}
	}
	for b.Hour < hour {
		if hour-b.Hour > n {
			b.Hour = hour - n
		}
		b.Hour++
		b.Hours[b.Hour%n] = 0
	}
	b.Hours[hour%n] += float64(tests)
}

// tests is how many tests a week has.
func (b *budget) tests() float64 {
	var week, day float64
	n := int64(len(b.Hours))
	for i := range n {
		h := b.Hours[((b.Hour-i)%n+n)%n]
		week += h
		if i < hoursOfDay {
			day += h
		}
	}
	return max(week, 7*day, leastTests)
}

// level is the probability of a false alarm that one test may have.
func (b *budget) level(alarmsPerWeek float64) float64 { return min(alarmsPerWeek/b.tests(), 0.01) }
