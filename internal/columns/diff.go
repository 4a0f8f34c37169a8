package columns

import (
	"cmp"
	"math"
	"slices"

	"github.com/planflame/planflame/costmodel"
)

// Verdicts of a comparison.
const (
	Same    = "no change to be told" // the interval of the difference holds 0
	Changed = "changed"
	New     = "new"  // the first recording does not have it
	Gone    = "gone" // the second does not
	Lost    = "all runs failed"
)

// Diff compares a selection of two recordings, operator by operator. Seconds are of a run. If both
// have three runs of a query or more, its seconds are without the first, which compiles the code.
// Failed runs are left out.
type Diff struct {
	A        Meta        `json:"a"`
	B        Meta        `json:"b"`
	NameA    string      `json:"name_a"`
	NameB    string      `json:"name_b"`
	WholeRun WholeRun    `json:"whole_run"`
	Queries  []QueryDiff `json:"queries"` // by falling size of the difference
}

// WholeRun is the factor of B to A that the cost a row of all operators has in common, such as of a
// slower machine. It is 1 if too few operators count their rows on both sides.
type WholeRun struct {
	Factor float64    `json:"factor"`
	CI95   [2]float64 `json:"ci95"`
}

// Judgment is what can be told of B and A. Difference is B - A. Whole is the part of it that is the
// whole run's. CI95 is the interval of the rest, which the verdict is of.
type Judgment struct {
	Verdict    string      `json:"verdict"`
	Difference float64     `json:"difference_seconds"`
	Whole      float64     `json:"whole_run_seconds"`
	CI95       *[2]float64 `json:"ci95"`
	Ratio      *float64    `json:"ratio"` // of B to A; nil of nothing
}

// QueryDiff is a query in both recordings.
type QueryDiff struct {
	Query       string  `json:"query"`
	Name        string  `json:"name"`
	PlanChanged bool    `json:"plan_changed"`
	RunsA       int     `json:"runs_a"`
	RunsB       int     `json:"runs_b"`
	FailedA     int     `json:"failed_a,omitempty"` // more runs
	FailedB     int     `json:"failed_b,omitempty"`
	A           float64 `json:"a_seconds"`
	B           float64 `json:"b_seconds"`
	Judgment
	Operators []OperatorDiff `json:"operators"`
}

// OperatorDiff is an operator in both recordings.
type OperatorDiff struct {
	Operator string  `json:"operator"`
	Part     string  `json:"part"`
	Name     string  `json:"name"`
	A        float64 `json:"a_seconds"`
	B        float64 `json:"b_seconds"`
	Valid    bool    `json:"valid"`
	Judgment
	NsPerRowA *float64 `json:"ns_per_row_a"`
	NsPerRowB *float64 `json:"ns_per_row_b"`
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
	warm(left, right)
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
	keys = slices.DeleteFunc(keys, func(k diffKey) bool { return left.lost(k.query) || right.lost(k.query) })
	common := commonOf(keys, left, right)
	half := z * common.SE
	d.WholeRun = WholeRun{math.Exp(common.Log), [2]float64{math.Exp(common.Log - half), math.Exp(common.Log + half)}}
	at := map[string]int{}
	for _, k := range keys {
		i, known := at[k.query]
		if !known {
			i = len(d.Queries)
			at[k.query] = i
			d.Queries = append(d.Queries, compareQueries(k.query, left, right, common))
		}
		x, y := left.side(k), right.side(k)
		o := OperatorDiff{Operator: k.operator, Part: k.part, Name: cmp.Or(x.name, y.name), NsPerRowA: x.nanosPerRow(), NsPerRowB: y.nanosPerRow(), Valid: (x.valid || !x.there) && (y.valid || !y.there)}
		o.A, o.B = x.cpu, y.cpu
		o.Judgment = judge(x, y, common)
		d.Queries[i].Operators = append(d.Queries[i].Operators, o)
	}
	for _, query := range lost(left, right) {
		d.Queries = append(d.Queries, compareQueries(query, left, right, common))
	}
	for i := range d.Queries {
		slices.SortStableFunc(d.Queries[i].Operators, func(x, y OperatorDiff) int {
			return cmp.Or(cmp.Compare(math.Abs(y.Difference), math.Abs(x.Difference)), cmp.Compare(x.Operator, y.Operator), cmp.Compare(x.Part, y.Part))
		})
	}
	slices.SortStableFunc(d.Queries, func(x, y QueryDiff) int { return cmp.Compare(math.Abs(y.Difference), math.Abs(x.Difference)) })
	return d
}

// Grown is the largest growth that can be told, as a part of what it cost: of a query, of an
// operator of both recordings, or of the whole run. It is 0 if none grew. A query grows, too, by
// operators that are new.
func (d *Diff) Grown() (most float64) {
	if d.WholeRun.CI95[0] > 1 {
		most = d.WholeRun.Factor - 1
	}
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

// lost are the queries whose runs all failed on a side.
func lost(left, right *sides) (out []string) {
	for _, s := range []*sides{left, right} {
		for query := range s.queries {
			if s.lost(query) {
				out = append(out, query)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// compareQueries compares a query as a whole. Of one whose runs all failed on a side, it has no
// difference and no interval.
func compareQueries(query string, left, right *sides, common costmodel.Common) QueryDiff {
	x, y := left.queries[query], right.queries[query]
	out := QueryDiff{Query: query, Operators: []OperatorDiff{}}
	if x == nil {
		x = &querySide{}
	}
	if y == nil {
		y = &querySide{}
	}
	out.Name, out.RunsA, out.RunsB, out.A, out.B = cmp.Or(x.name, y.name), x.runs, y.runs, x.cpu, y.cpu
	out.FailedA, out.FailedB = x.failed, y.failed
	if x.lost || y.lost {
		out.Verdict = Lost
		return out
	}
	out.PlanChanged = x.there && y.there && !slices.Equal(left.m.planned(query), right.m.planned(query))
	out.Judgment = judge(&x.side, &y.side, common)
	return out
}

// judge compares two sides whose recordings have a factor in common.
func judge(x, y *side, common costmodel.Common) Judgment {
	out := Judgment{Difference: y.cpu - x.cpu}
	factor := 1.0
	if x.there && y.there {
		factor = math.Exp(common.Log)
	}
	out.Whole = x.cpu * (factor - 1)
	rest := out.Difference - out.Whole
	half := z * math.Sqrt(square(factor)*x.uncertain()+y.uncertain()+within(x, y, factor)+square(factor*x.cpu*common.SE))
	out.CI95 = &[2]float64{rest - half, rest + half}
	switch {
	case !x.there:
		out.Verdict = New
		return out
	case !y.there:
		out.Verdict = Gone
		return out
	}
	if x.cpu > 0 {
		r := y.cpu / x.cpu
		out.Ratio = &r
	}
	if out.Verdict = Changed; out.CI95[0] <= 0 && out.CI95[1] >= 0 {
		out.Verdict = Same
	}
	return out
}

// commonOf estimates the factor that all operators of both sides have in common.
func commonOf(keys []diffKey, left, right *sides) costmodel.Common {
	var pairs []costmodel.Pair
	for _, k := range keys {
		pairs = append(pairs, costmodel.Pair{Old: left.modelSide(k), New: right.modelSide(k)})
	}
	return costmodel.CommonOf(pairs)
}

// uncertain is the variance of a side's mean: the variance of sampling, and the spread of
// recordings.
func (s *side) uncertain() float64 {
	return s.variance + square(exchangeSpread*s.exchanged) + square(operatorSpread*(s.cpu-s.exchanged))
}

// within is the variance that the runs of two sides show beyond sampling. If both have as many,
// each is held against its own: code that is not yet compiled costs more on both sides, and a
// change of it is a ratio. So what a run differs by is what it is off the ratio of the means (the
// variance of a ratio estimator; Cochran, Sampling Techniques, 6.3).
func within(x, y *side, factor float64) float64 {
	if len(x.byRun) != len(y.byRun) {
		return square(factor)*beyond(x.byRun, x.variance) + beyond(y.byRun, y.variance)
	}
	ratio := factor
	if x.cpu > 0 {
		ratio = y.cpu / x.cpu
	}
	off := make([]float64, len(x.byRun))
	for i := range off {
		off[i] = y.byRun[i] - ratio*x.byRun[i]
	}
	return beyond(off, square(ratio)*x.variance+y.variance)
}

// student are the quantiles of a 95 % interval by degrees of freedom, from 1.
var student = [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}

func studentOf(freedom int) float64 {
	if freedom > len(student) {
		return z
	}
	return student[freedom-1]
}

// beyond is the variance of the mean of runs beyond the variance of sampling. What few runs say of
// it is uncertain: it is widened as Student's distribution widens an interval.
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
	return max(0, squares/(n-1)/n-sampling) * square(studentOf(len(runs)-1)/z)
}

func (s *side) nanosPerRow() *float64 {
	if !s.rowsKnown || s.rows == 0 {
		return nil
	}
	ns := s.perRow / s.rows
	return &ns
}
