package main

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/planflame/planflame/shift"
)

// null is what was told of runs to which nothing was done, in the order in which they ran, session
// after session.
type null struct {
	OperatorRuns int                  `json:"null_operator_runs"` // judged
	All          int                  `json:"operator_runs"`
	Runs         int                  `json:"runs"`
	Alarms       []string             `json:"alarms"`
	Upper        float64              `json:"false_rate_95"` // upper bound of 95 % of alarms an operator-run
	Status       map[shift.Status]int `json:"status"`
	Events       map[shift.Kind]int   `json:"events"`
	Covered      float64              `json:"interval_coverage"` // share of the 95 % intervals that hold 1
	// Spread is the mean of (log ratio / stated error)², 1 where between-run and sampling variance
	// explain the spread of the ratios.
	Spread float64 `json:"spread"`
	// P is the p-value of χ² over all operator-runs. Clustered is the p-value of the mean of Spread
	// over queries, whose operators and runs are not independent.
	P         float64 `json:"spread_p_value"`
	Clustered float64 `json:"spread_p_value_clustered"`
	// Levels are how many alarms there were at so many times the goal's level, and how many it
	// allows.
	Levels []levelCount `json:"levels"`
	// First is the same of the first runs of a session, at which another JVM begins; the others are
	// the rest.
	FirstSpread float64       `json:"spread_first_pass"`
	RestSpread  float64       `json:"spread_other_passes"`
	Queries     []querySpread `json:"queries"`
}

// levelCount is how many alarms a level gave.
type levelCount struct {
	Times   float64 `json:"times"` // of the goal's level
	Alarms  int     `json:"alarms"`
	Allowed float64 `json:"allowed"`
}

// querySpread is how one query's runs vary. CVs are standard deviations of logs.
type querySpread struct {
	Query       string  `json:"query"`
	CPU         float64 `json:"cpu_seconds"` // median
	CV          float64 `json:"run_cv"`      // within sessions: root mean square
	BetweenJVMs float64 `json:"jvm_cv"`      // of the sessions' means
	Judged      int     `json:"judged"`
	Spread      float64 `json:"spread"`
}

// levelTimes are the levels at which alarms are counted besides the goal's.
var levelTimes = []float64{100, 1000, 10_000}

// judgeNull replays runs to which nothing was done.
func judgeNull(runs []*sparkRun) (*null, error) {
	out := &null{Status: map[shift.Status]int{}, Events: map[shift.Kind]int{}, Alarms: []string{}}
	p, err := newReplay(1)
	if err != nil {
		return nil, err
	}
	byQuery, runsOf := map[string][]float64{}, map[string][]*sparkRun{}
	var first, rest []float64
	covered, firstPass := 0, map[string]int{}
	err = p.ordered(runs, func(r *sparkRun, j shift.Judgement) {
		out.Runs++
		runsOf[r.Query] = append(runsOf[r.Query], r)
		if _, seen := firstPass[r.Session]; !seen {
			firstPass[r.Session] = r.Pass
		}
		for _, v := range j.Operators {
			out.All++
			out.Status[v.Status]++
			if v.Status != shift.Judged {
				continue
			}
			out.OperatorRuns++
			if v.Low <= 1 && 1 <= v.High {
				covered++
			}
			z2 := square(standard(v))
			byQuery[r.Query] = append(byQuery[r.Query], z2)
			if r.Pass == firstPass[r.Session] {
				first = append(first, z2)
			} else {
				rest = append(rest, z2)
			}
		}
		for _, e := range j.Events {
			out.Events[e.Kind]++
		}
		if e := alarm(j); e != nil {
			out.Alarms = append(out.Alarms, say(r, e))
		}
	})
	if err != nil {
		return nil, err
	}
	out.Upper = poissonUpper(len(out.Alarms)) / float64(max(out.OperatorRuns, 1))
	out.Covered = float64(covered) / float64(max(out.OperatorRuns, 1))
	out.FirstSpread, out.RestSpread = mean(first), mean(rest)
	out.spread(byQuery)
	for _, q := range slices.Sorted(maps.Keys(runsOf)) {
		out.Queries = append(out.Queries, spreadOf(q, runsOf[q], byQuery[q]))
	}
	for _, times := range levelTimes {
		n, err := alarmsAt(runs, times)
		if err != nil {
			return nil, err
		}
		out.Levels = append(out.Levels, levelCount{times, n, times * goalLevel * float64(out.OperatorRuns)})
	}
	return out, nil
}

// standard is the log of a ratio over its stated error, as of a normal: a verdict's interval is 95
// % of a t.
func standard(v shift.Verdict) float64 {
	return math.Log(v.Ratio) / ((math.Log(v.High) - math.Log(v.Low)) / 2 / 1.959964)
}

// spread sets the figures of the standardised ratios.
func (n *null) spread(byQuery map[string][]float64) {
	var all, means []float64
	for _, z2 := range byQuery {
		all, means = append(all, z2...), append(means, mean(z2))
	}
	if len(all) == 0 {
		return
	}
	n.Spread = mean(all)
	n.P = distuv.ChiSquared{K: float64(len(all))}.Survival(n.Spread * float64(len(all)))
	if q := float64(len(means)); q > 2 {
		t := (mean(means) - 1) / (deviation(means) / math.Sqrt(q))
		n.Clustered = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: q - 1}.Survival(t)
	}
}

// spreadOf is how a query's runs vary, in the order in which they ran.
func spreadOf(query string, runs []*sparkRun, z2 []float64) querySpread {
	out := querySpread{Query: query, Judged: len(z2), Spread: mean(z2)}
	var cpu, means []float64
	within, df := 0., 0.
	bySession := map[string][]float64{}
	for _, r := range runs {
		bySession[r.Session], cpu = append(bySession[r.Session], math.Log(r.Run.CPU)), append(cpu, r.Run.CPU)
	}
	for _, s := range slices.Sorted(maps.Keys(bySession)) {
		logs := bySession[s]
		if len(logs) > 1 {
			within, df = within+square(deviation(logs))*float64(len(logs)-1), df+float64(len(logs)-1)
		}
		means = append(means, mean(logs))
	}
	out.CPU, out.BetweenJVMs = middle(cpu), deviation(means)
	if df > 0 {
		out.CV = math.Sqrt(within / df)
	}
	return out
}

// alarmsAt is how many alarms there are at so many times the goal's level.
func alarmsAt(runs []*sparkRun, times float64) (n int, err error) {
	p, err := newReplay(times)
	if err != nil {
		return 0, err
	}
	return n, p.ordered(runs, func(_ *sparkRun, j shift.Judgement) {
		if alarm(j) != nil {
			n++
		}
	})
}

// poissonUpper is the mean at which n or fewer events have a probability of 5 %: 3.0 for none.
func poissonUpper(n int) float64 { return distuv.ChiSquared{K: float64(2*n + 2)}.Quantile(0.95) / 2 }

func (n *null) String() string {
	return fmt.Sprintf("null: %d operator-runs judged of %d, %d alarms, intervals hold %.1f %%, spread %.2f (first pass of a JVM %.2f, others %.2f), events %v, status %v",
		n.OperatorRuns, n.All, len(n.Alarms), 100*n.Covered, n.Spread, n.FirstSpread, n.RestSpread, n.Events, n.Status)
}

func mean(v []float64) (m float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}

func square(x float64) float64 { return x * x }
