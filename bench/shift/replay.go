package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/planflame/planflame/shift"
)

// goalLevel is the level of a fleet of 200,000 operator-runs a day with one page a week.
const goalLevel = 1. / (7 * 200_000)

// leastTests is the number of tests a week below which a shift.Fleet's level rises no further;
// replays have fewer.
const leastTests = 10_000

// settings have a level of times the goal's level, and everything else as shipped.
// minimum_core_hours is out of force: it depends on how often a query runs, and here that is
// invented.
func settings(times float64) shift.Settings {
	set := shift.DefaultSettings()
	set.MinimumCoreHours = 0
	set.AlarmsPerWeek = times * goalLevel * leastTests
	return set
}

// replay judges runs one after the other, as the connector would have done it.
type replay struct {
	fleet *shift.Fleet
	day   int
	place int
}

func newReplay(times float64) (*replay, error) {
	f, err := shift.NewFleet(settings(times))
	return &replay{fleet: f}, err
}

var beginning = time.Date(2026, 1, 1, 2, 0, 0, 0, time.UTC)

// next begins the next day: runs of one day are half a minute apart.
func (p *replay) next() { p.day, p.place = p.day+1, 0 }

// add judges a run as one of the present day. Its own id is kept in the application; it may come
// more than once.
func (p *replay) add(r *shift.Run) (shift.Judgement, error) {
	c := *r
	c.ID.Execution = int64(p.day)*1000 + int64(p.place)
	c.End = beginning.Add(time.Duration(p.day)*24*time.Hour + time.Duration(p.place)*30*time.Second)
	p.place++
	return p.fleet.Add(&c, c.End)
}

// ordered judges runs in the order in which they ran, each pass of a session on a day of its own.
func (p *replay) ordered(runs []*sparkRun, each func(*sparkRun, shift.Judgement)) error {
	for i, r := range runs {
		if i > 0 && (r.Session != runs[i-1].Session || r.Pass != runs[i-1].Pass) {
			p.next()
		}
		j, err := p.add(r.Run)
		if err != nil {
			return err
		}
		each(r, j)
	}
	p.next()
	return nil
}

// histories are all of the fleet in their stored form.
func (p *replay) histories(queries []string) (out [][]byte, err error) {
	for _, q := range queries {
		text, err := p.fleet.Encode(q)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

// alarm is the event of an alarm in a judgement, or nil.
func alarm(j shift.Judgement) *shift.Event {
	for i := range j.Events {
		if j.Events[i].Kind.Alarm() {
			return &j.Events[i]
		}
	}
	return nil
}

// say is an alarm in one line.
func say(r *sparkRun, e *shift.Event) string {
	c := e.Changes[0]
	cause := cmp.Or(r.Cause, "as always")
	return fmt.Sprintf("%s pass %d, %s, %s: %s %s [%s] %.3f ± %.3f over %d runs, P %.2g", r.Session, r.Pass, r.Query, cause, e.Kind, c.Operator, c.Stage, math.Exp(c.Evidence.Log),
		c.Evidence.SE, c.Evidence.Runs, c.Evidence.P)
}

// deviation is the standard deviation of values; 0 of fewer than two.
func deviation(v []float64) float64 {
	if len(v) < 2 {
		return 0
	}
	mean, sum := 0., 0.
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(v)-1))
}

func middle(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

func sortedBy[T any, K cmp.Ordered](v []T, key func(T) K) []T {
	return slices.SortedFunc(slices.Values(v), func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}
