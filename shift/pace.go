package shift

import (
	"fmt"
	"time"
)

const (
	day        = 24 * time.Hour
	daysOfWeek = 7
	week       = daysOfWeek * day
)

// pace counts a query's runs by day for a week. Days begin at the hour of the first run.
type pace struct {
	Since moment              `json:"since"` // end of the first run
	Day   int64               `json:"day"`   // days since then of the newest entry
	Runs  [daysOfWeek]float64 `json:"runs"`  // by day of the ring
}

// count adds a run by its end.
func (p *pace) count(end time.Time) {
	if p.Since.IsZero() {
		p.Since = moment{end}
	}
	at := int64(end.Sub(p.Since.Time) / day)
	for p.Day = max(p.Day, at-daysOfWeek); p.Day < at; {
		p.Day++
		p.Runs[p.Day%daysOfWeek] = 0
	}
	if at >= 0 && p.Day-at < daysOfWeek {
		p.Runs[at%daysOfWeek]++
	}
}

// perWeek is how many runs a week has, by the days before the newest, which is not over, or by all
// if these have more. There must be a day before.
func (p *pace) perWeek() float64 {
	days, all := float64(min(p.Day, daysOfWeek-1)), 0.
	for _, n := range p.Runs {
		all += n
	}
	before := all - p.Runs[p.Day%daysOfWeek]
	return daysOfWeek * max(before/days, all/(days+1))
}

// check says what makes a decoded pace unfit.
func (p *pace) check() error {
	if p.Day < 0 || p.Day > 1e6 {
		return fmt.Errorf("pace of day %d", p.Day)
	}
	for i, n := range p.Runs {
		if !within(n, 0, 1e12) {
			return fmt.Errorf("pace of %g runs on day %d", n, i)
		}
	}
	return nil
}
