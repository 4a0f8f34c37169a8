package scenario

import (
	"fmt"
	"math"

	"github.com/planflame/planflame/shift"
)

// goalTests is the operator-runs in a week of the fleet for which false alarms are budgeted:
// 200,000 a day.
const goalTests = 7 * 200_000

// NullResult is what a fleet in which nothing changes has told.
type NullResult struct {
	OperatorRuns int                  `json:"null_operator_runs"` // judged
	All          int                  `json:"operator_runs"`
	Pages        int                  `json:"false_alarms"`    // events of kind shift and drift
	Upper        float64              `json:"false_rate_95"`   // upper bound of 95 % of pages an operator-run
	Weekly       float64              `json:"pages_a_week"`    // at 200,000 operator-runs a day
	WeeklyUpper  float64              `json:"pages_a_week_95"` // upper bound
	Events       map[shift.Kind]int   `json:"events"`
	Status       map[shift.Status]int `json:"status"`
	Covered      float64              `json:"interval_coverage"` // share of 95 % intervals of judged runs that hold 1
	Alarms       []string             `json:"alarms"`
	Priors       shift.Priors         `json:"priors"`
}

// Without is shift.Settings.Without of all fleets that are made.
var Without string

// budgeted are settings with the level of a fleet of 200,000 operator-runs a day and so many pages
// a week. They are for a fleet of so many operators that runs every hour.
func budgeted(operators int, pages float64) shift.Settings {
	set := shift.DefaultSettings()
	set.MinimumCoreHours = 0
	set.AlarmsPerWeek = max(0.001, pages*float64(operators)*7*24/goalTests)
	set.MaxQueries, set.Without = 1_000_000, Without
	return set
}

// fleet makes queries of so many operators; 0: of 4 to 16.
func fleet(seed uint64, queries, each int, noise Noise) (out []*Query, operators int) {
	for i := range queries {
		n := each
		if n == 0 {
			n = 4 + i%13
		}
		q := New(seed*1_000_003+uint64(i), n, noise)
		q.Samples = 20_000 * math.Exp(q.rng.NormFloat64())
		out, operators = append(out, q), operators+len(q.Operators)
	}
	return out, operators
}

// Null runs a fleet in which nothing changes, every query so many times. pages is the budget a week
// at 200,000 operator-runs a day.
func Null(seed uint64, queries, runs int, pages float64, noise Noise) (NullResult, error) {
	qs, operators := fleet(seed, queries, 0, noise)
	out := NullResult{Events: map[shift.Kind]int{}, Status: map[shift.Status]int{}}
	f, err := shift.NewFleet(budgeted(operators, pages))
	if err != nil {
		return out, err
	}
	for i, q := range qs {
		if noise.Slower > 0 || noise.Moves > 0 {
			q.Middle = runs/3 + i%(runs/3)
		}
		if noise.Every > 0 {
			q.Every = noise.Every
		}
	}
	covered, judged := 0, 0
	for n := range runs {
		for _, q := range qs {
			r := q.Run()
			j, err := f.Add(r, r.End)
			if err != nil {
				return out, err
			}
			for _, v := range j.Operators {
				out.All++
				out.Status[v.Status]++
				if v.Status == shift.Judged {
					judged++
					if v.Low <= 1 && v.High >= 1 {
						covered++
					}
				}
			}
			for _, e := range j.Events {
				out.Events[e.Kind]++
				if e.Kind.Alarm() {
					c := e.Changes[0]
					out.Alarms = append(out.Alarms, fmt.Sprintf("run %d of %s, %d operators: %s %s %.3f ± %.3f over %d runs, P %.2g", n, q.Name, len(q.Operators),
						e.Kind, c.Operator, c.Evidence.Log, c.Evidence.SE, c.Evidence.Runs, c.Evidence.P))
				}
			}
		}
	}
	out.OperatorRuns = judged + out.Status[shift.ShiftedCost]
	out.Pages = out.Events[shift.Shift] + out.Events[shift.Drift]
	out.Covered = float64(covered) / float64(max(judged, 1))
	out.Priors = f.Priors()
	out.rates()
	return out, nil
}

// Add joins the results of two fleets.
func (r *NullResult) Add(o NullResult) {
	if r.Events == nil {
		*r = o
		return
	}
	n, m := float64(r.OperatorRuns), float64(o.OperatorRuns)
	r.Covered = (r.Covered*n + o.Covered*m) / max(n+m, 1)
	r.OperatorRuns, r.All, r.Pages = r.OperatorRuns+o.OperatorRuns, r.All+o.All, r.Pages+o.Pages
	for k, v := range o.Events {
		r.Events[k] += v
	}
	for k, v := range o.Status {
		r.Status[k] += v
	}
	r.Alarms, r.Priors = append(r.Alarms, o.Alarms...), o.Priors
	r.rates()
}

func (r *NullResult) rates() {
	n := float64(max(r.OperatorRuns, 1))
	r.Upper = poissonUpper(r.Pages) / n
	r.Weekly, r.WeeklyUpper = float64(r.Pages)/n*goalTests, r.Upper*goalTests
}

// poissonUpper is the mean at which n or fewer events have a probability of 5 %: 3.0 for none.
func poissonUpper(n int) float64 {
	low, high := 0., 10+3*float64(n)
	for range 60 {
		mid := (low + high) / 2
		term := math.Exp(-mid)
		p := term
		for k := 1; k <= n; k++ {
			term *= mid / float64(k)
			p += term
		}
		if p > 0.05 {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
