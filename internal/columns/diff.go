package columns

import (
	"cmp"
	"math"
	"slices"

	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
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
// on two cores with changing other load: the medians of their six pairs' log ratios, of 36
// exchanges and of 42 other operators whose ratio has a sampling error below 15 %.
const (
	exchangeSpread = 0.26
	operatorSpread = 0.07
)

const exchangeRole = "exchange"

// z is the normal distribution's quantile of a 95 % interval.
const z = 1.959964

// side is an operator, or a whole query, on one side.
type side struct {
	cpu, variance float64 // seconds of a run
	exchanged     float64 // of cpu: exchanges'
	byRun         []float64
	rows, perRow  float64
	rowsKnown     bool
	valid, there  bool
	name          string
}

// diffKey is an operator of a query, by names that are the same in every run.
type diffKey struct{ query, operator, part string }

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
	half := z * math.Sqrt(x.uncertain()+y.uncertain())
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

// uncertain is the variance of a side's mean: that of sampling, what its runs show beyond it, and
// the spread of recordings.
func (s *side) uncertain() float64 {
	between := square(exchangeSpread*s.exchanged) + square(operatorSpread*(s.cpu-s.exchanged))
	within := 0.0
	if runs := float64(len(s.byRun)); runs > 1 {
		for _, cpu := range s.byRun {
			within += square(cpu - s.cpu)
		}
		within = max(0, within/(runs-1)/runs-s.variance)
	}
	return s.variance + between + within
}

func (s *side) nanosPerRow() *float64 {
	if !s.rowsKnown || s.rows == 0 {
		return nil
	}
	ns := s.perRow / s.rows
	return &ns
}

// sides are a recording's.
type sides struct {
	m       *Model
	by      map[diffKey]*side
	order   []diffKey
	queries map[string]*querySide
}

type querySide struct {
	side
	runs int
}

// side is an operator's. One that the plan has and no sample shows costs less than a sample.
func (s *sides) side(k diffKey) *side {
	if got := s.by[k]; got != nil {
		return got
	}
	q := s.queries[k.query]
	if _, planned := slices.BinarySearch(s.m.planned(k.query), k.operator); !planned || q == nil {
		return &side{}
	}
	return &side{there: true, valid: true, variance: square(1 / float64(max(s.m.Meta.Hz, 1)) / float64(max(q.runs, 1)))}
}

// planned are the operators of the last updates of a query's plans, sorted.
func (m *Model) planned(query string) (out []string) {
	for i := range m.Plans {
		if q := m.Plans[i].Query; q == None || m.Queries[q].Query != query {
			continue
		}
		for k := range m.Plans[i].Nodes {
			if n := &m.Plans[i].Nodes[k]; n.Operator != "" && !n.Replaced {
				out = append(out, n.Operator)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sides sums a selection up by stable names. A query is all of its plans.
func (m *Model) sides(s Selection) *sides {
	out := &sides{m: m, by: map[diffKey]*side{}, queries: map[string]*querySide{}}
	left := m.leftOut(s)
	r := m.Report(s)
	for i := range r.Queries {
		q := &r.Queries[i]
		of := out.queries[q.Query]
		if of == nil {
			of = &querySide{side: side{there: true, valid: true}}
			out.queries[q.Query] = of
		}
		of.name, of.runs = cmp.Or(of.name, q.Name), of.runs+q.Runs
		for _, id := range q.Executions {
			if left[id] {
				of.runs--
			}
		}
	}
	for i := range r.Queries {
		q := &r.Queries[i]
		of := out.queries[q.Query]
		runs := float64(max(of.runs, 1))
		of.cpu += q.CPUSeconds / runs
		for k := range q.Operators {
			o := &q.Operators[k]
			key := diffKey{q.Query, o.Operator, partOfName(o.Name)}
			to := out.by[key]
			if to == nil {
				to = &side{valid: true, rowsKnown: true, there: true, name: o.Name}
				out.by[key] = to
				out.order = append(out.order, key)
			}
			to.cpu += o.CPUSeconds / runs
			if o.Role == exchangeRole {
				to.exchanged, of.exchanged = to.exchanged+o.CPUSeconds/runs, of.exchanged+o.CPUSeconds/runs
			}
			variance := square(o.SE / runs)
			to.variance, of.variance = to.variance+variance, of.variance+variance
			to.valid = to.valid && o.Valid
			if o.Rows != nil {
				to.rows, to.perRow = to.rows+float64(*o.Rows), to.perRow+o.CPUSeconds/nano
			} else {
				to.rowsKnown = false
			}
		}
	}
	m.spread(s, out)
	return out
}

// leftOut are the executions that --run-fraction left out: no operator has their CPU.
func (m *Model) leftOut(s Selection) map[tasksample.ExecutionID]bool {
	out := map[tasksample.ExecutionID]bool{}
	sums := m.Select(s)
	for i := range m.Labels {
		if l := &m.Labels[i]; l.Bucket == string(window.BucketLeftOut) && l.Execution >= 0 && sums.Labels[i].Exact > 0 {
			out[m.Executions[l.Execution].ID] = true
		}
	}
	return out
}

// spread sums up what operators, and queries, cost in each run.
func (m *Model) spread(s Selection, to *sides) {
	type run struct {
		key       diffKey
		execution int
	}
	cpu, whole := map[run]float64{}, map[run]float64{}
	sums := m.Select(s)
	for i := range m.Labels {
		l := &m.Labels[i]
		if l.Operator < 0 || l.Execution < 0 || m.Executions[l.Execution].Run == 0 || m.Executions[l.Execution].Query != l.Query {
			continue
		}
		op := &m.Operators[l.Operator]
		seconds := (sums.Labels[i].CPU + sums.Labels[i].Exact) * nano
		cpu[run{diffKey{m.Queries[l.Query].Query, op.Operator, partOfName(op.Name)}, l.Execution}] += seconds
		whole[run{diffKey{query: m.Queries[l.Query].Query}, l.Execution}] += seconds
	}
	for x := range m.Executions {
		if q := m.Executions[x].Query; q == None || whole[run{diffKey{query: m.Queries[q].Query}, x}] == 0 {
			continue // another selection, or it cost nothing
		}
		query := m.Queries[m.Executions[x].Query].Query
		to.queries[query].byRun = append(to.queries[query].byRun, whole[run{diffKey{query: query}, x}])
		for _, key := range to.order {
			if key.query == query {
				to.by[key].byRun = append(to.by[key].byRun, cpu[run{key, x}])
			}
		}
	}
}
