package columns

import (
	"cmp"
	"math"
	"slices"
)

// Verdicts of a comparison.
const (
	Same    = "no change to be told" // the interval of the difference holds 0
	Changed = "changed"
	New     = "new"  // the first recording does not have it
	Gone    = "gone" // the second does not
)

// Diff compares a selection of two recordings, operator by operator. Seconds are of a run.
type Diff struct {
	A       Meta        `json:"a"`
	B       Meta        `json:"b"`
	NameA   string      `json:"name_a"`
	NameB   string      `json:"name_b"`
	Queries []QueryDiff `json:"queries"` // by falling size of the difference
}

// QueryDiff is a query in both recordings.
type QueryDiff struct {
	Query       string         `json:"query"`
	Name        string         `json:"name"`
	Verdict     string         `json:"verdict"`
	PlanChanged bool           `json:"plan_changed"`
	RunsA       int            `json:"runs_a"`
	RunsB       int            `json:"runs_b"`
	A           float64        `json:"a_seconds"`
	B           float64        `json:"b_seconds"`
	Difference  float64        `json:"difference_seconds"`
	CI95        *[2]float64    `json:"ci95"`
	Ratio       *float64       `json:"ratio"` // of B to A; nil of nothing
	Operators   []OperatorDiff `json:"operators"`
}

// OperatorDiff is an operator in both recordings.
type OperatorDiff struct {
	Operator   string      `json:"operator"`
	Part       string      `json:"part"`
	Name       string      `json:"name"`
	Verdict    string      `json:"verdict"`
	A          float64     `json:"a_seconds"`
	B          float64     `json:"b_seconds"`
	Difference float64     `json:"difference_seconds"`
	CI95       *[2]float64 `json:"ci95"`
	Valid      bool        `json:"valid"`
	Ratio      *float64    `json:"ratio"`
	NsPerRowA  *float64    `json:"ns_per_row_a"`
	NsPerRowB  *float64    `json:"ns_per_row_b"`
}

// Standard deviations of what an operator costs in recordings of the same job, as a part of it and
// beyond sampling. The runs of one recording share its JVM and its disk: more of them do not lessen
// the spread. Exchanges, which write files, move most. Measured with four recordings,
//
//	planflame run -- python test/jobs/tpch.py --data sf0.3 --queries 1,3,6,9,18 --repeat 4
//
// on two cores with changing other load. They are medians of their six pairs' log ratios, of 36
// exchanges and of 42 other operators whose ratio has a sampling error below 15 %.
const (
	exchangeSpread = 0.26
	operatorSpread = 0.07
)

const exchangeRole = "exchange"

// z is the normal distribution's quantile of a 95 % interval.
const z = 1.959964

// Compare compares a selection of two recordings, whose names stand in every heading.
func Compare(a, b *Model, nameA, nameB string, s Selection) *Diff {
	d := &Diff{A: a.Meta, B: b.Meta, NameA: nameA, NameB: nameB, Queries: []QueryDiff{}}
	left, right := a.sides(s), b.sides(s)
	keys := slices.Collect(func(yield func(diffKey) bool) {
		for _, k := range left.order {
			if !yield(k) {
				return
			}
		}
		for _, k := range right.order {
			if left.by[k] == nil && !yield(k) {
				return
			}
		}
	})
	at := map[string]int{}
	for _, k := range keys {
		i, known := at[k.query]
		if !known {
			i = len(d.Queries)
			at[k.query] = i
			d.Queries = append(d.Queries, compareQueries(k.query, left, right))
		}
		x, y := left.side(k), right.side(k)
		o := OperatorDiff{Operator: k.operator, Part: k.part, Name: cmp.Or(x.name, y.name), NsPerRowA: x.nanosPerRow(), NsPerRowB: y.nanosPerRow(), Valid: (x.valid || !x.there) && (y.valid || !y.there)}
		o.A, o.B = x.cpu, y.cpu
		o.Difference, o.CI95, o.Ratio, o.Verdict = judge(x, y)
		d.Queries[i].Operators = append(d.Queries[i].Operators, o)
	}
	for i := range d.Queries {
		slices.SortStableFunc(d.Queries[i].Operators, func(x, y OperatorDiff) int {
			return cmp.Or(cmp.Compare(math.Abs(y.Difference), math.Abs(x.Difference)), cmp.Compare(x.Operator, y.Operator), cmp.Compare(x.Part, y.Part))
		})
	}
	slices.SortStableFunc(d.Queries, func(x, y QueryDiff) int { return cmp.Compare(math.Abs(y.Difference), math.Abs(x.Difference)) })
	return d
}

// Grown is the largest growth that can be told, of a query or of an operator of both recordings, as
// a part of what it cost; 0 if none grew. A query grows, too, by operators that are new.
func (d *Diff) Grown() (most float64) {
	for i := range d.Queries {
		if q := &d.Queries[i]; q.Verdict == Changed && q.Ratio != nil {
			most = max(most, *q.Ratio-1)
		}
		for k := range d.Queries[i].Operators {
			if o := &d.Queries[i].Operators[k]; o.Verdict == Changed && o.Ratio != nil {
				most = max(most, *o.Ratio-1)
			}
		}
	}
	return most
}

func compareQueries(query string, left, right *sides) QueryDiff {
	x, y := left.queries[query], right.queries[query]
	out := QueryDiff{Query: query, Operators: []OperatorDiff{}}
	if x == nil {
		x = &querySide{}
	}
	if y == nil {
		y = &querySide{}
	}
	out.Name, out.RunsA, out.RunsB, out.A, out.B = cmp.Or(x.name, y.name), x.runs, y.runs, x.cpu, y.cpu
	out.PlanChanged = x.there && y.there && !slices.Equal(left.m.planned(query), right.m.planned(query))
	out.Difference, out.CI95, out.Ratio, out.Verdict = judge(&x.side, &y.side)
	return out
}

// judge compares two sides.
func judge(x, y *side) (difference float64, ci *[2]float64, ratio *float64, verdict string) {
	difference = y.cpu - x.cpu
	half := z * math.Sqrt(x.uncertain()+y.uncertain()+within(x, y))
	ci = &[2]float64{difference - half, difference + half}
	switch {
	case !x.there:
		return difference, ci, nil, New
	case !y.there:
		return difference, ci, nil, Gone
	}
	if x.cpu > 0 {
		r := y.cpu / x.cpu
		ratio = &r
	}
	if ci[0] <= 0 && ci[1] >= 0 {
		return difference, ci, ratio, Same
	}
	return difference, ci, ratio, Changed
}

// uncertain is the variance of a side's mean: the variance of sampling, and the spread of
// recordings.
func (s *side) uncertain() float64 {
	return s.variance + square(exchangeSpread*s.exchanged) + square(operatorSpread*(s.cpu-s.exchanged))
}

// within is the variance that the runs of two sides show beyond sampling. Where both have as many,
// each is held against its own: the first compiles the code on both sides, which is no spread.
func within(x, y *side) float64 {
	if len(x.byRun) != len(y.byRun) {
		return beyond(x.byRun, x.variance) + beyond(y.byRun, y.variance)
	}
	differences := make([]float64, len(x.byRun))
	for i := range differences {
		differences[i] = y.byRun[i] - x.byRun[i]
	}
	return beyond(differences, x.variance+y.variance)
}

// beyond is the variance of the mean of runs beyond the variance of sampling.
func beyond(runs []float64, sampling float64) float64 {
	n := float64(len(runs))
	if n < 2 {
		return 0
	}
	mean, squares := 0.0, 0.0
	for _, cpu := range runs {
		mean += cpu / n
	}
	for _, cpu := range runs {
		squares += square(cpu - mean)
	}
	return max(0, squares/(n-1)/n-sampling)
}

func (s *side) nanosPerRow() *float64 {
	if !s.rowsKnown || s.rows == 0 {
		return nil
	}
	ns := s.perRow / s.rows
	return &ns
}
