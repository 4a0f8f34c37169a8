package scenario

import (
	"fmt"
	"slices"
	"time"

	"github.com/planflame/planflame/shift"
)

// Single is a query alone in its fleet, one operator of which becomes more expensive.
type Single struct {
	Shift   float64       // 0.5: the operator costs 50 % more
	Share   float64       // of the operator in the query's CPU
	Samples float64       // of a run
	History int           // runs before
	Within  int           // runs after, at most
	Every   time.Duration // between runs
	Alarms  float64       // alarms_per_week; 0: the default
	Noise   Noise
}

// SingleResult says how often the shift was found within how many runs.
type SingleResult struct {
	Shift  float64 `json:"shift"`
	Trials int     `json:"trials"`
	After  []int   `json:"found_after"` // trials by the number of runs; 0: never
	Early  int     `json:"early"`       // trials with an alarm before the shift
	Wrong  int     `json:"wrong"`       // trials whose first alarm names another operator, too
	Dated  int     `json:"dated_early"` // … whose first alarm is dated more than a run early
}

// Alone judges so many histories of a query as the default settings have it, but for
// minimum_core_hours: how often it runs in truth is not known here. A trial ends with its first
// alarm.
func Alone(seed uint64, trials int, c Single) (SingleResult, error) {
	out := SingleResult{Shift: c.Shift, Trials: trials, After: make([]int, c.Within+1)}
	for n := range uint64(trials) {
		q := New(seed+n, 5, c.Noise)
		q.Samples, q.Every = c.Samples, c.Every
		q.Weigh(0, c.Share)
		set := shift.DefaultSettings()
		set.MinimumCoreHours = 0
		if c.Alarms > 0 {
			set.AlarmsPerWeek = c.Alarms
		}
		f, err := shift.NewFleet(set)
		if err != nil {
			return out, err
		}
		found, err := out.trial(f, q, c)
		if err != nil {
			return out, err
		}
		if found >= 0 {
			out.After[found]++
		}
	}
	return out, nil
}

// trial returns after how many runs the shift was found, 0 for never, and -1 if the first alarm was
// another one.
func (r *SingleResult) trial(f *shift.Fleet, q *Query, c Single) (int, error) {
	var ends []time.Time
	for k := range c.History + c.Within {
		if k == c.History {
			q.Operators[0].Factor = 1 + c.Shift
		}
		run := q.Run()
		ends = append(ends, run.End)
		j, err := f.Add(run, run.End)
		if err != nil {
			return 0, err
		}
		at := slices.IndexFunc(j.Events, func(e shift.Event) bool { return e.Kind.Alarm() })
		if at < 0 {
			continue
		}
		switch e := j.Events[at]; {
		case k < c.History:
			r.Early++
		case len(e.Changes) > 1 || e.Changes[0].Operator != q.Operators[0].ID:
			r.Wrong++
		case slices.Index(ends, e.Since) < c.History-1:
			r.Dated++
		default:
			return k - c.History + 1, nil
		}
		return -1, nil
	}
	return 0, nil
}

// Found is the share of the trials in which the shift was found within so many runs.
func (r SingleResult) Found(runs int) float64 {
	n := 0
	for _, k := range r.After[1:min(runs+1, len(r.After))] {
		n += k
	}
	return float64(n) / float64(max(r.Trials, 1))
}

// String is one line of a table.
func (r SingleResult) String() string {
	return fmt.Sprintf("%3.0f %%: found within 2, 3, 5, 10 runs: %.1f, %.1f, %.1f, %.1f %% of %d; %d early, %d with another operator, %d dated early", 100*r.Shift,
		100*r.Found(2), 100*r.Found(3), 100*r.Found(5), 100*r.Found(10), r.Trials, r.Early, r.Wrong, r.Dated)
}
