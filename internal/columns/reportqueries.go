package columns

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/tasksample"
)

// queryReports fills in the queries that have CPU or runs in the selection.
func (m *Model) queryReports(out *Report, operators []operatorSums, sums *Sums) {
	replaced := m.replaced()
	rows, ran := m.rows(sums.Selection), m.ran(sums)
	for q := range m.Queries {
		of := &m.Queries[q]
		r := QueryReport{Query: of.Query, Plan: of.Plan, Name: of.Name, CallSite: of.CallSite, Executions: []tasksample.ExecutionID{}, Operators: []OperatorReport{}}
		at := map[int]int{} // operator → index in r.Operators
		for i := range m.Operators {
			op, o := &m.Operators[i], &operators[i]
			if op.Query != q || !o.any {
				continue
			}
			at[i] = len(r.Operators)
			r.CPUSeconds += (o.jvm + o.python) * nano
			r.Python += o.python * nano
			r.Operators = append(r.Operators, m.operatorReport(i, o, rows[i], replaced[i], at))
		}
		if len(r.Operators) == 0 {
			continue
		}
		for i := range r.Operators {
			if r.CPUSeconds > 0 {
				r.Operators[i].Share = r.Operators[i].CPUSeconds / r.CPUSeconds
			}
		}
		m.runsOf(q, sums.Selection, ran, &r)
		out.Queries = append(out.Queries, r)
	}
	slices.SortStableFunc(out.Queries, func(a, b QueryReport) int {
		return cmp.Or(cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.Query, b.Query), cmp.Compare(a.Plan, b.Plan))
	})
}

// ran are the executions that have CPU in the selection.
func (m *Model) ran(sums *Sums) map[int]bool {
	out := map[int]bool{}
	for i, l := range sums.Labels {
		if l != (LabelSums{}) {
			out[m.Labels[i].Execution] = true
		}
	}
	return out
}

// runsOf fills in the executions of a query that are selected. If they are selected in part, those
// without CPU do not count, and no wall time is known.
func (m *Model) runsOf(q int, s Selection, ran map[int]bool, r *QueryReport) {
	wall, known, partial := 0.0, true, s.partial()
	for i := range m.Executions {
		x := &m.Executions[i]
		if x.Query != q || !m.selectsRun(s, i) || partial && !ran[i] {
			continue
		}
		r.Runs++
		if x.Failed {
			r.FailedRuns++
		}
		r.Executions = append(r.Executions, x.ID)
		if x.Times == nil {
			known = false
			continue
		}
		wall += float64(x.Times.EndedMS-x.Times.StartedMS) / 1e3
	}
	slices.Sort(r.Executions)
	if known && r.Runs > 0 && !partial {
		r.Wall = &wall
	}
}

// stageReports fills in the stages that have CPU in the selection, of tasks or of Python.
func (m *Model) stageReports(out *Report, sums *Sums) {
	cpu := make([]float64, len(m.Stages))
	for i := range sums.Labels {
		if l := &m.Labels[i]; l.Stage >= 0 {
			cpu[l.Stage] += sums.Labels[i].CPU + sums.Labels[i].Exact
		}
	}
	for i := range m.Stages {
		if cpu[i] == 0 {
			continue
		}
		st := &m.Stages[i]
		r := StageReport{Stage: st.ID, Attempt: st.Attempt, Place: st.Place, Execution: tasksample.NoExecution, CPUSeconds: cpu[i] * nano, Tasks: st.Tasks,
			Wall: float64(st.End-st.Start) * float64(m.TickNanos) * nano}
		if st.Execution >= 0 {
			r.Execution = m.Executions[st.Execution].ID
		}
		if t := st.Times; t != nil {
			median, most, spilled := float64(t.MedianRunMS)/1e3, float64(t.MaxRunMS)/1e3, t.MemorySpilledBytes+t.DiskSpilledBytes
			r.MedianRun, r.MaxRun, r.Spilled = &median, &most, &spilled
		}
		out.Stages = append(out.Stages, r)
	}
	slices.SortStableFunc(out.Stages, func(a, b StageReport) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Attempt, b.Attempt))
	})
	in := m.scope(out.Selection)
	seen := make([]bool, len(m.Tasks.ID))
	m.each(in, func(_ int, _, task uint32, _ float64) { seen[task] = true })
	m.eachExact(in, func(i int, _ float64) { seen[m.Exact.Task[i]] = true })
	for _, was := range seen[1:] {
		if was {
			out.Tasks++
		}
	}
}
