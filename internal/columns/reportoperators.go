package columns

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
)

// operatorSums are the sums of an operator while its labels are gone through.
type operatorSums struct {
	jvm, python, exact, weak, below, above float64
	samples                                uint64
	estimates                              map[int]float64 // → r
	parts                                  map[string]*PartReport
	any                                    bool
}

func (o *operatorSums) add(of *Label, l *LabelSums, ratio []float64) {
	o.any = true
	o.samples += l.Samples
	o.weak += l.Weak
	if of.Group == string(pipeline.GroupChildren) {
		o.python, o.below, o.above = o.python+l.Exact, o.below+l.Below, o.above+l.Above
	} else {
		o.jvm += l.CPU + l.Exact
		o.exact += l.Exact
	}
	if of.Estimate >= 0 && ratio[of.Estimate] > 0 {
		if o.estimates == nil {
			o.estimates = map[int]float64{}
		}
		o.estimates[of.Estimate] = ratio[of.Estimate]
	}
	if o.parts == nil {
		o.parts = map[string]*PartReport{}
	}
	if o.parts[of.Part] == nil {
		o.parts[of.Part] = &PartReport{Part: of.Part}
	}
	o.parts[of.Part].CPUSeconds += (l.CPU + l.Exact) * nano
	o.parts[of.Part].Samples += l.Samples
}

// judge fills in the interval.
func (o *operatorSums) judge(m *Model, r *OperatorReport) {
	var c window.Certainty
	for _, e := range slices.Sorted(keysOf(o.estimates)) {
		of := &m.Estimates[e]
		c.Add(window.StageEstimate{CPU: time.Duration(of.CPUNanos), Low: time.Duration(of.LowNanos), High: time.Duration(of.HighNanos), SE: time.Duration(of.SENanos), Valid: of.Valid, Why: of.Why}, o.estimates[e])
	}
	i := c.Interval(window.OperatorCPU{JVM: r.JVM, Python: r.Python, Below: o.below * nano, Above: o.above * nano, Exact: o.jvm == o.exact})
	r.CI95, r.SE, r.Valid, r.Why = i.CI95, i.SE, i.Valid, i.Why
}

func keysOf(m map[int]float64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func square(x float64) float64 { return x * x }

func (m *Model) operatorReport(i int, o *operatorSums, rows *rowSums, replaced bool, at map[int]int) OperatorReport {
	op := &m.Operators[i]
	r := OperatorReport{
		Stage: op.Place, Operator: op.Operator, Name: op.Name, Role: op.Role, Line: op.Line, Order: at[i], Parent: None, Replaced: replaced,
		JVM: o.jvm * nano, Python: o.python * nano, CPUSeconds: (o.jvm + o.python) * nano, Samples: o.samples, Stages: []int{}, end: op.end,
	}
	for parent := op.Parent; parent >= 0; parent = m.Operators[parent].Parent {
		if k, selected := at[parent]; selected {
			if r.Parent == None {
				r.Parent = k
			}
			r.Depth++
		}
	}
	if o.jvm+o.python > 0 {
		r.Weak = o.weak / (o.jvm + o.python)
	}
	o.judge(m, &r)
	if rows != nil {
		r.Stages, r.Tasks = rows.stages, rows.tasks
		if n := rows.rows; rows.known {
			r.Rows = &n
			if n > 0 {
				ns := r.CPUSeconds / nano / float64(n)
				r.NsPerRow = &ns
			}
		}
	}
	for _, part := range o.parts {
		if part.Part != "" || len(o.parts) > 1 {
			r.Parts = append(r.Parts, *part)
		}
	}
	slices.SortFunc(r.Parts, func(a, b PartReport) int {
		return cmp.Or(cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.Part, b.Part))
	})
	return r
}

// replaced are the operators that no plan's last update has.
func (m *Model) replaced() []bool {
	out, stands := make([]bool, len(m.Operators)), make([]bool, len(m.Operators))
	for i := range m.Plans {
		for k := range m.Plans[i].Nodes {
			for _, op := range m.Plans[i].Nodes[k].Operators {
				out[op] = out[op] || m.Plans[i].Nodes[k].Replaced
				stands[op] = stands[op] || !m.Plans[i].Nodes[k].Replaced
			}
		}
	}
	for i := range out {
		out[i] = out[i] && !stands[i]
	}
	return out
}

// rowSums are the rows of an operator over the stages at its place.
type rowSums struct {
	rows, tasks, counted uint64
	known                bool
	stages               []int
}

// rows are the rows of operators in the stages of a selection, known if the rows of all tasks at an
// operator's place are.
func (m *Model) rows(s Selection) map[int]*rowSums {
	type place struct {
		query int
		place string
	}
	at := map[place]*rowSums{}
	of := map[int]uint64{}
	for i := range m.Work {
		w := &m.Work[i]
		if !m.selectsRun(s, w.Execution) || s.Stage != nil && (w.Stage == None || m.Stages[w.Stage].ID != *s.Stage) {
			continue
		}
		p := at[place{w.Query, w.Place}]
		if p == nil {
			p = &rowSums{stages: []int{}}
			at[place{w.Query, w.Place}] = p
		}
		p.tasks, p.counted = p.tasks+w.Tasks, p.counted+w.Counted
		if w.Stage >= 0 && !slices.Contains(p.stages, int(m.Stages[w.Stage].ID)) {
			p.stages = append(p.stages, int(m.Stages[w.Stage].ID))
		}
		for _, r := range w.Rows {
			of[int(r[0])] += r[1]
		}
	}
	out := map[int]*rowSums{}
	for i := range m.Operators {
		p := at[place{m.Operators[i].Query, m.Operators[i].Place}]
		if p == nil {
			continue
		}
		own := *p
		slices.Sort(own.stages)
		rows, counts := of[i]
		own.rows, own.known = rows, counts && p.counted == p.tasks && s.whole()
		out[i] = &own
	}
	return out
}
