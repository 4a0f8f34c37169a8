package columns

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

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

// sides are a recording's.
type sides struct {
	m       *Model
	by      map[diffKey]*side
	order   []diffKey
	queries map[string]*querySide
}

type querySide struct {
	side
	runs   int // that did not fail
	failed int
	lost   bool // all runs failed
}

// lost reports whether all runs of a query failed.
func (s *sides) lost(query string) bool {
	q := s.queries[query]
	return q != nil && q.lost
}

// side is an operator's. One that the plan has and no sample shows costs less than a sample.
func (s *sides) side(k diffKey) *side {
	if got := s.by[k]; got != nil {
		return got
	}
	q := s.queries[k.query]
	if _, planned := slices.BinarySearch(s.m.planned(k.query), k.operator); !planned || q == nil || !q.there {
		return &side{}
	}
	return &side{there: true, valid: true, variance: square(1 / float64(max(s.m.Meta.Hz, 1)) / float64(max(q.runs, 1)))}
}

// modelSide is an operator's side as the cost model has it.
func (s *sides) modelSide(k diffKey) costmodel.Side {
	of, q := s.side(k), s.queries[k.query]
	out := costmodel.Side{There: of.there, CPU: of.cpu, Variance: of.uncertain(), RowsKnown: of.rowsKnown}
	if q != nil {
		runs := float64(max(q.runs, 1))
		out.Rows, out.Sample = of.rows/runs, 1/float64(max(s.m.Meta.Hz, 1))/runs
	}
	return out
}

// fewestWarm is how many runs of a query both recordings must have for the first to be left out.
const fewestWarm = 3

// warm leaves out the first run of each query, in which the JVM compiles its code, if both sides
// have enough others.
func warm(left, right *sides) {
	for query, x := range left.queries {
		y := right.queries[query]
		if y == nil || !x.enough() || !y.enough() {
			continue
		}
		for _, s := range []*sides{left, right} {
			s.queries[query].leaveFirst()
			for _, key := range s.order {
				if key.query == query {
					s.by[key].leaveFirst()
				}
			}
		}
	}
}

// enough reports whether a query's first run can be left out: each run is known by itself.
func (q *querySide) enough() bool { return q.runs >= fewestWarm && len(q.byRun) == q.runs }

// leaveFirst makes a side the mean of the runs after the first.
func (s *side) leaveFirst() {
	n := float64(len(s.byRun))
	s.byRun = s.byRun[1:]
	mean := 0.0
	for _, cpu := range s.byRun {
		mean += cpu / (n - 1)
	}
	if s.cpu > 0 {
		s.exchanged, s.perRow = s.exchanged*mean/s.cpu, s.perRow*mean/s.cpu
	}
	s.cpu, s.variance = mean, s.variance*n/(n-1)
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

// sides sums a selection up by stable names. A query is all of its plans. Failed runs are left out:
// they did a part of the work.
func (m *Model) sides(s Selection) *sides {
	out := &sides{m: m, by: map[diffKey]*side{}, queries: map[string]*querySide{}}
	for query, o := range m.Outcomes(s) {
		if o.Failed > 0 {
			out.queries[query] = &querySide{side: side{name: o.Name}, failed: o.Failed, lost: o.Lost()}
		}
	}
	s.WithoutFailed = true
	left := m.leftOut(s)
	r := m.Report(s)
	for i := range r.Queries {
		q := &r.Queries[i]
		of := out.queries[q.Query]
		if of == nil {
			of = &querySide{}
			out.queries[q.Query] = of
		}
		of.there, of.valid = true, true
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
			key := diffKey{q.Query, o.Operator, o.end}
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
		cpu[run{diffKey{m.Queries[l.Query].Query, op.Operator, op.end}, l.Execution}] += seconds
		whole[run{diffKey{query: m.Queries[l.Query].Query}, l.Execution}] += seconds
	}
	for _, x := range m.inOrder() {
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

// inOrder are the executions by their start.
func (m *Model) inOrder() []int {
	order := make([]int, len(m.Executions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(m.Executions[x].Start, m.Executions[y].Start) })
	return order
}
