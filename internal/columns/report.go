package columns

import (
	"cmp"
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
	// CPUSeconds is the CPU of tasks and Python workers: of the operators of all queries, of the
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

// QueryReport is what the selected executions of one query cost, with its operators.
type QueryReport struct {
	Query      string                   `json:"query"`
	Plan       string                   `json:"plan"`
	Name       string                   `json:"name"`
	CallSite   string                   `json:"call_site,omitempty"`
	Runs       int                      `json:"runs"` // executions selected
	FailedRuns int                      `json:"failed_runs,omitempty"`
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
	Usual      *Usual       `json:"usual,omitempty"` // set by who has a model

	end string // Operator.end
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
	CPUSeconds float64                 `json:"cpu_seconds"` // of its tasks, their Python workers and what feeds these
	Tasks      int                     `json:"tasks"`
	Wall       float64                 `json:"wall_seconds"`
	MedianRun  *float64                `json:"median_run_seconds"`
	MaxRun     *float64                `json:"max_run_seconds"`
	Spilled    *int64                  `json:"spilled_bytes"` // to memory's and disk's count
}

// nano is a nanosecond in seconds.
const nano = 1e-9

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
	m.queryReports(out, operators, sums)
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
