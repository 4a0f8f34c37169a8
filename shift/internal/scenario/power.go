package scenario

import (
	"fmt"
	"math"

	"github.com/planflame/planflame/shift"
)

// Case is a shift that is to be found.
type Case struct {
	Name    string
	Shift   float64 // 0.2: one operator 20 % more expensive
	Drift   float64 // … and by so much more with each run
	Within  int     // runs
	Goal    float64 // share found
	History int     // runs before
	Samples float64 // of a run
	Noise   Noise
	// Operators of each query; 0: 4 to 16.
	Operators int
}

// Steady is realistic noise, strays included, of a query whose runs vary by about cv at equal rows.
// Nearly all of it is common to the query: the typical operator varies by 0.4·cv on its own.
func Steady(cv float64) Noise {
	n := Realistic()
	n.Common, n.Operator = 0.88*cv, 0.4*cv
	n.Growth, n.Jump, n.Rows = 0, 0, 0.01
	return n
}

// Cases are the goals, and beside them cases in which they do not hold.
func Cases() []Case {
	return []Case{
		{Name: "found_20pct_cv3", Shift: 0.2, Within: 2, Goal: 0.99, History: 30, Samples: 100_000, Noise: Steady(0.03)},
		{Name: "found_20pct_cv5", Shift: 0.2, Within: 3, Goal: 0.9, History: 30, Samples: 100_000, Noise: Steady(0.05)},
		{Name: "found_10pct_cv3", Shift: 0.1, Within: 5, Goal: 0.85, History: 30, Samples: 100_000, Noise: Steady(0.03)},
		{Name: "20 %, CV 3 %, within 2, after 10 runs", Shift: 0.2, Within: 2, History: 10, Samples: 100_000, Noise: Steady(0.03)},
		{Name: "20 %, CV 3 %, within 2, 20,000 samples", Shift: 0.2, Within: 2, History: 30, Samples: 20_000, Noise: Steady(0.03)},
		{Name: "20 %, CV 3 %, within 5, 2,000 samples", Shift: 0.2, Within: 5, History: 30, Samples: 2_000, Noise: Steady(0.03)},
		{Name: "20 %, CV 3 %, within 2, own noise 2 %", Shift: 0.2, Within: 2, History: 30, Samples: 100_000, Noise: own(0.03, 0.02)},
		{Name: "20 %, CV 3 %, within 5, own noise 3 %", Shift: 0.2, Within: 5, History: 30, Samples: 100_000, Noise: own(0.03, 0.03)},
		{Name: "10 %, CV 5 %, within 5", Shift: 0.1, Within: 5, History: 30, Samples: 100_000, Noise: Steady(0.05)},
		{Name: "10 %, CV 5 %, within 40", Shift: 0.1, Within: 40, History: 30, Samples: 100_000, Noise: Steady(0.05)},
		{Name: "150 %, restless, within 40, after 18 runs", Shift: 1.5, Within: 40, History: 18, Samples: 1_000, Noise: restless()},
		{Name: "50 %, restless, within 40", Shift: 0.5, Within: 40, History: 40, Samples: 1_000, Noise: restless()},
		{Name: "drift of 0.3 % a run, CV 3 %, within 80", Drift: 0.003, Within: 80, History: 30, Samples: 100_000, Noise: Steady(0.03)},
		{Name: "20 %, CV 13 %, within 20", Shift: 0.2, Within: 20, History: 30, Samples: 100_000, Noise: leaning()},
		{Name: "20 %, CV 3 %, within 5, one operator", Shift: 0.2, Within: 5, History: 30, Samples: 100_000, Noise: Steady(0.03), Operators: 1},
	}
}

// JoinCases are shifts where executors come and go, looked at for longer: who joins delays what is
// found.
func JoinCases() []Case {
	return []Case{
		{Name: "20 %, CV 3 %, within 10", Shift: 0.2, Within: 10, History: 40, Samples: 100_000, Noise: Steady(0.03)},
		{Name: "20 %, CV 5 %, within 10", Shift: 0.2, Within: 10, History: 40, Samples: 100_000, Noise: Steady(0.05)},
		{Name: "100 %, CV 3 %, within 10", Shift: 1, Within: 10, History: 40, Samples: 100_000, Noise: Steady(0.03)},
	}
}

// own is Steady with noise of the operators' own.
func own(cv, operator float64) Noise {
	n := Steady(cv)
	n.Operator = operator
	return n
}

// leaning is a query whose runs vary by a seventh, which its operators follow more and less.
func leaning() Noise {
	n := Steady(0.15)
	n.Operator, n.Lean = 0.02, 0.13
	return n
}

// restless is a busy machine: runs vary by a fifth as a whole, and so does an operator beside that.
func restless() Noise {
	n := Realistic()
	n.Common, n.Operator = 0.2, 0.2
	n.Growth, n.Jump, n.Rows = 0, 0, 0.01
	return n
}

// PowerResult says how a case went.
type PowerResult struct {
	Name   string  `json:"name"`
	Goal   float64 `json:"goal,omitempty"`
	Trials int     `json:"trials"`
	Found  float64 `json:"found"`        // share: an alarm with the right operator first, within the runs
	Steady float64 `json:"found_steady"` // the same among operators whose log cost varies by 2 % or less
	CV     float64 `json:"run_cv"`       // of the runs before, at equal rows: median over queries
	OpSD   float64 `json:"typical_sd"`   // of the shifted operator's log cost beside the common mode, sampling included: median
	Wrong  int     `json:"wrong"`        // trials with an alarm of another operator
	Early  int     `json:"early"`        // trials with an alarm before the shift
	After  []int   `json:"found_after"`
}

// fleetSize is the queries of one invented fleet.
const fleetSize = 300

// Power shifts one operator of at least a tenth of its query in each of many queries, fleetSize to
// a fleet, and looks when it is found.
func Power(seed uint64, trials int, c Case) (PowerResult, error) {
	out := PowerResult{Name: c.Name, Goal: c.Goal, After: make([]int, c.Within+1)}
	found, steady, foundSteady := 0, 0, 0
	var cvs, sds []float64
	for first := 0; first < trials; first += fleetSize {
		n := min(fleetSize, trials-first)
		qs, operators := fleet(seed+uint64(first), n, c.Operators, c.Noise)
		// A fleet of this size stands for one of 200,000 operator-runs a day.
		f, err := shift.NewFleet(budgeted(operators, 1))
		if err != nil {
			return out, err
		}
		targets, totals := make([]int, n), make([][]float64, n)
		for i, q := range qs {
			q.Samples = c.Samples
			targets[i] = i % min(3, len(q.Operators))
			if share := 0.1 + 0.1*q.rng.Float64(); len(q.Operators) > 1 {
				q.Weigh(targets[i], max(q.Operators[targets[i]].Share, share))
			}
		}
		early := map[int]bool{}
		for range c.History {
			for i, q := range qs {
				r := q.Run()
				j, err := f.Add(r, r.End)
				if err != nil {
					return out, err
				}
				totals[i] = append(totals[i], math.Log(r.CPU))
				early[i] = early[i] || alarm(j) != nil
			}
		}
		for i, q := range qs {
			t := &q.Operators[targets[i]]
			t.Factor = 1 + c.Shift
			out.Trials++
			cvs = append(cvs, deviation(totals[i]))
			sds = append(sds, math.Sqrt(t.SD*t.SD+1/(c.Samples*t.Share)))
			if early[i] {
				out.Early++
			}
			right, wrong := 0, false
			for k := 1; k <= c.Within; k++ {
				t.Factor *= 1 + c.Drift
				r := q.Run()
				j, err := f.Add(r, r.End)
				if err != nil {
					return out, err
				}
				if a := alarm(j); a != nil && a.Operator == t.ID && right == 0 {
					right = k
				} else if a != nil && a.Operator != t.ID {
					wrong = true
				}
			}
			out.After[right]++
			if right > 0 {
				found++
			}
			if sds[len(sds)-1] <= 0.02 {
				steady++
				foundSteady += min(right, 1)
			}
			if wrong {
				out.Wrong++
			}
		}
	}
	out.Steady = float64(foundSteady) / float64(max(steady, 1))
	out.Found, out.CV, out.OpSD = float64(found)/float64(out.Trials), middle(cvs), middle(sds)
	return out, nil
}

// Share is the share of the trials in which the shift was found within so many runs.
func (r PowerResult) Share(runs int) float64 {
	n := 0
	for _, k := range r.After[1:min(runs+1, len(r.After))] {
		n += k
	}
	return float64(n) / float64(max(r.Trials, 1))
}

// String is one line of a table.
func (r PowerResult) String() string {
	return fmt.Sprintf("%-42s CV %.1f %%, operator's %.1f %%: found %.1f %% of %d (%.1f %% where that is 2 %% or less), wrong %d, early %d, after %v", r.Name, 100*r.CV, 100*r.OpSD, 100*r.Found, r.Trials, 100*r.Steady,
		r.Wrong, r.Early, r.After)
}

// alarm is the first change of the judgement's alarm, nil if there is none.
func alarm(j shift.Judgement) *shift.Change {
	for _, e := range j.Events {
		if e.Kind.Alarm() {
			return &e.Changes[0]
		}
	}
	return nil
}

func deviation(v []float64) float64 {
	var sum, squares float64
	for _, x := range v {
		sum += x / float64(len(v))
	}
	for _, x := range v {
		squares += (x - sum) * (x - sum)
	}
	return math.Sqrt(squares / float64(len(v)-1))
}
