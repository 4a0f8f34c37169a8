package columns

import (
	"cmp"
	"math"
	"slices"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// Report is what a selection of a recording cost. Its JSON is what every drawing of the selection
// is held against.
type Report struct {
	Meta      Meta      `json:"recording"`
	Span      float64   `json:"span_seconds"`
	Selection Selection `json:"selection"`
	Samples   uint64    `json:"samples"`
	// CPUSeconds is that of tasks and Python workers: of the operators of all queries, of the
	// buckets and of Python of no query.
	CPUSeconds     float64        `json:"cpu_seconds"`
	TaskCPUSeconds float64        `json:"task_cpu_seconds"`
	PythonSeconds  float64        `json:"python_cpu_seconds"` // of workers, and of the threads that feed them
	Queries        []QueryReport  `json:"queries"`            // by falling CPU
	Buckets        []BucketReport `json:"buckets"`            // of tasks, of no operator
	Outside        []BucketReport `json:"outside"`            // the JVMs' other threads
	Children       []BucketReport `json:"children"`           // other child processes
	Stages         []StageReport  `json:"stages"`
	Tasks          int            `json:"tasks"` // attempts with CPU
}

// QueryReport is a query of a Report.
type QueryReport struct {
	Query      string                   `json:"query"`
	Plan       string                   `json:"plan"`
	Name       string                   `json:"name"`
	CallSite   string                   `json:"call_site,omitempty"`
	Runs       int                      `json:"runs"` // executions selected
	Executions []tasksample.ExecutionID `json:"executions"`
	Wall       *float64                 `json:"wall_seconds"` // Σ of executions selected as a whole
	CPUSeconds float64                  `json:"cpu_seconds"`
	Python     float64                  `json:"python_cpu_seconds"`
	Operators  []OperatorReport         `json:"operators"` // in the order of the plan
}

// OperatorReport is an operator in one stage of a plan.
type OperatorReport struct {
	Stage      string       `json:"stage"` // place in the plan
	Operator   string       `json:"operator"`
	Name       string       `json:"name"`
	Role       string       `json:"role"`
	Line       string       `json:"line,omitempty"`
	Order      int          `json:"order"`
	Depth      int          `json:"depth"`
	Parent     int          `json:"parent"` // index in its query's operators
	Replaced   bool         `json:"replaced"`
	CPUSeconds float64      `json:"cpu_seconds"` // JVM and Python
	JVM        float64      `json:"jvm_cpu_seconds"`
	Python     float64      `json:"python_cpu_seconds"`
	CI95       *[2]float64  `json:"ci95"`
	Valid      bool         `json:"valid"`
	Why        string       `json:"why,omitempty"`
	SE         float64      `json:"cpu_seconds_se"`
	Share      float64      `json:"share"` // of its query
	Samples    uint64       `json:"samples"`
	Weak       float64      `json:"weak_share"`
	Rows       *uint64      `json:"rows"`
	NsPerRow   *float64     `json:"ns_per_row"`
	Stages     []int        `json:"spark_stages"`
	Tasks      uint64       `json:"tasks"` // ended well in these stages
	Parts      []PartReport `json:"parts,omitempty"`
}

// PartReport is a part of an operator.
type PartReport struct {
	Part       string  `json:"part"`
	CPUSeconds float64 `json:"cpu_seconds"`
	Samples    uint64  `json:"samples"`
}

// BucketReport is CPU of no operator.
type BucketReport struct {
	Name       string  `json:"name"`
	CPUSeconds float64 `json:"cpu_seconds"`
	Samples    uint64  `json:"samples"`
}

// StageReport is a stage attempt.
type StageReport struct {
	Stage      tasksample.StageID      `json:"stage"`
	Attempt    tasksample.StageAttempt `json:"attempt"`
	Place      string                  `json:"place"`
	Execution  tasksample.ExecutionID  `json:"execution"`
	CPUSeconds float64                 `json:"cpu_seconds"`
	Tasks      int                     `json:"tasks"`
	Wall       float64                 `json:"wall_seconds"`
	MedianRun  *float64                `json:"median_run_seconds"`
	MaxRun     *float64                `json:"max_run_seconds"`
	Spilled    *int64                  `json:"spilled_bytes"` // to memory's and disk's count
}

// nano is a nanosecond in seconds.
const nano = 1e-9

// operatorSums are the sums of an operator while its labels are gone through.
type operatorSums struct {
	jvm, python, exact, weak, below, above float64
	samples                                uint64
	estimates                              map[int]float64 // → r
	parts                                  map[string]*PartReport
	any                                    bool
}

// Report sums a selection up.
func (m *Model) Report(s Selection) *Report {
	sums := m.Select(s)
	out := &Report{
		Meta: m.Meta, Span: float64(m.Span) * float64(m.TickNanos) * nano, Selection: s,
		Queries: []QueryReport{}, Buckets: []BucketReport{}, Outside: []BucketReport{}, Children: []BucketReport{}, Stages: []StageReport{},
	}
	operators := make([]operatorSums, len(m.Operators))
	ratio := m.ratios(sums)
	buckets := map[[2]string]*BucketReport{}
	for i := range sums.Labels {
		l, of := &sums.Labels[i], &m.Labels[i]
		cpu := l.CPU + l.Exact
		out.Samples += l.Samples
		if cpu == 0 && l.Samples == 0 && l.Above == 0 {
			continue
		}
		python := of.Group != "" && (of.Operator >= 0 || of.Bucket == "" || of.Bucket == string(pipeline.BucketPython) || of.Bucket == string(pipeline.BucketPythonFeed))
		if of.Group == "" {
			out.TaskCPUSeconds += cpu * nano
		}
		if python {
			out.PythonSeconds += cpu * nano
		}
		if of.Operator >= 0 {
			operators[of.Operator].add(of, l, ratio)
			if of.Group != string(pipeline.GroupThreads) {
				continue
			}
		}
		key := [2]string{of.Group, of.Bucket}
		if buckets[key] == nil {
			buckets[key] = &BucketReport{Name: cmp.Or(of.Bucket, "unknown")}
		}
		buckets[key].CPUSeconds += cpu * nano
		buckets[key].Samples += l.Samples
	}
	out.CPUSeconds = out.TaskCPUSeconds + out.PythonSeconds
	for key, b := range buckets {
		to := &out.Buckets
		switch key[0] {
		case string(pipeline.GroupThreads):
			to = &out.Outside
		case string(pipeline.GroupChildren):
			to = &out.Children
		}
		*to = append(*to, *b)
	}
	for _, list := range [][]BucketReport{out.Buckets, out.Outside, out.Children} {
		slices.SortFunc(list, func(a, b BucketReport) int {
			return cmp.Or(cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.Name, b.Name))
		})
	}
	m.queryReports(out, operators, s)
	m.stageReports(out, sums)
	return out
}

// ratios are, by estimate, the part of its samples' CPU that is selected.
func (m *Model) ratios(sums *Sums) []float64 {
	selected, all := make([]float64, len(m.Estimates)), make([]float64, len(m.Estimates))
	for i := range m.Labels {
		if e := m.Labels[i].Estimate; e >= 0 {
			selected[e] += sums.Labels[i].CPU
			all[e] += m.Labels[i].CPUNanos
		}
	}
	for e := range selected {
		if all[e] > 0 {
			selected[e] /= all[e]
		}
	}
	return selected
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

// doubt is the share of an operator's CPU from which on stages without a valid interval make its
// own invalid.
const doubt = 0.05

// judge fills in the interval.
func (o *operatorSums) judge(m *Model, r *OperatorReport) {
	if o.jvm == o.exact {
		r.CI95, r.Valid = &[2]float64{r.CPUSeconds, r.CPUSeconds}, true
		return
	}
	var down, up, variance, cpu, doubtful, most float64
	for _, e := range slices.Sorted(keysOf(o.estimates)) {
		of, part := &m.Estimates[e], o.estimates[e]
		own := part * float64(of.CPUNanos)
		cpu += own
		down += part * square(float64(of.CPUNanos-of.LowNanos)*nano)
		up += part * square(float64(of.HighNanos-of.CPUNanos)*nano)
		variance += part * square(float64(of.SENanos)*nano)
		if !of.Valid {
			doubtful += own
			if own > most {
				r.Why, most = of.Why, own
			}
		}
	}
	if cpu <= 0 {
		r.Why = "no task that it ran in has ended"
		return
	}
	r.SE = math.Sqrt(variance)
	r.CI95 = &[2]float64{r.Python + max(0, r.JVM-math.Sqrt(down)), r.CPUSeconds + math.Sqrt(up)}
	if r.Valid = doubtful <= doubt*cpu; r.Valid {
		r.Why = ""
	}
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

// queryReports fills in the queries that have CPU or runs in the selection.
func (m *Model) queryReports(out *Report, operators []operatorSums, s Selection) {
	replaced := m.replaced()
	rows := m.rows(s)
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
		m.runsOf(q, s, &r)
		out.Queries = append(out.Queries, r)
	}
	slices.SortStableFunc(out.Queries, func(a, b QueryReport) int {
		return cmp.Or(cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.Query, b.Query), cmp.Compare(a.Plan, b.Plan))
	})
}

func (m *Model) operatorReport(i int, o *operatorSums, rows *rowSums, replaced bool, at map[int]int) OperatorReport {
	op := &m.Operators[i]
	r := OperatorReport{
		Stage: op.Place, Operator: op.Operator, Name: op.Name, Role: op.Role, Line: op.Line, Order: at[i], Parent: None, Replaced: replaced,
		JVM: o.jvm * nano, Python: o.python * nano, CPUSeconds: (o.jvm + o.python) * nano, Samples: o.samples, Stages: []int{},
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

// rows are the rows of operators in the stages of a selection, known where those of all tasks at an
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
		if s.Execution != nil && m.Executions[w.Execution].ID != *s.Execution || s.Stage != nil && (w.Stage == None || m.Stages[w.Stage].ID != *s.Stage) {
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

// runsOf fills in the executions of a query that are selected.
func (m *Model) runsOf(q int, s Selection, r *QueryReport) {
	wall, known := 0.0, true
	for i := range m.Executions {
		x := &m.Executions[i]
		if x.Query != q || x.Inner || s.Execution != nil && x.ID != *s.Execution {
			continue
		}
		r.Runs++
		r.Executions = append(r.Executions, x.ID)
		if x.Times == nil {
			known = false
			continue
		}
		wall += float64(x.Times.EndedMS-x.Times.StartedMS) / 1e3
	}
	slices.Sort(r.Executions)
	if known && r.Runs > 0 && s.From == 0 && s.To == 0 {
		r.Wall = &wall
	}
}

// stageReports fills in the stages that have CPU in the selection.
func (m *Model) stageReports(out *Report, sums *Sums) {
	cpu := make([]float64, len(m.Stages))
	for i := range sums.Labels {
		if l := &m.Labels[i]; l.Stage >= 0 && l.Group == "" {
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
