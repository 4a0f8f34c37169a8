package outcome

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// Runs are estimates for all runs of a query of which some were drawn to be sampled
// (tasksample.Runs).
type Runs struct {
	All     uint64 `json:"all"`
	Sampled uint64 `json:"sampled"`
	// CPUSeconds is the known CPU of all runs that samples could hit, without Python workers, of
	// which SampledCPUSeconds is the CPU of the runs that were drawn.
	CPUSeconds        float64 `json:"cpu_seconds"`
	SampledCPUSeconds float64 `json:"sampled_cpu_seconds"`
	// Operators are by falling CPU.
	Operators []RunsOperator `json:"operators"`
}

// RunsOperator is what an operator cost in all runs, its Python workers' exact CPU included. Its
// standard error and 95 % interval hold the sampling of moments and tasks, and the spread between
// runs. Valid is false if they cannot be trusted, and Why says what is missing.
type RunsOperator struct {
	Stage            string     `json:"stage"`
	Operator         string     `json:"operator"`
	Name             string     `json:"name"`
	CPUSeconds       float64    `json:"cpu_seconds"`
	PythonCPUSeconds float64    `json:"python_cpu_seconds,omitempty"`
	CPUSecondsSE     float64    `json:"cpu_seconds_se"`
	CI95             [2]float64 `json:"ci95"`
	Valid            bool       `json:"valid"`
	Why              string     `json:"why,omitempty"`
}

// runSums are the runs of a query, by operator.
type runSums struct {
	tasksample.Runs[operatorKey]
	names map[operatorKey]string
	why   string // an estimate of one run cannot be trusted
}

// sampledRun is what is known of a run that was drawn.
type sampledRun struct {
	cpu  time.Duration
	keys map[operatorKey]tasksample.Estimate
}

// runOf is a run of a query.
type runOf struct {
	query       queryKey
	application string
	execution   tasksample.ExecutionID
}

// leftOutRuns are the runs that were not drawn, with their CPU that samples could have hit.
func leftOutRuns(p window.Profile) map[runOf]time.Duration {
	out := map[runOf]time.Duration{}
	for _, j := range p.JVMs {
		for i := range j.Entries {
			if e := &j.Entries[i]; e.Labels.Bucket == window.BucketLeftOut {
				out[runOf{queryKey{e.Labels.Query, e.Labels.Plan}, j.Application.ID, e.Labels.Execution}] += e.CPU
			}
		}
	}
	return out
}

// runs fills in the runs of the queries of which some were not drawn.
func (s *sums) runs(p window.Profile, leftOut map[runOf]time.Duration) {
	for run, cpu := range leftOut {
		q := s.queries[run.query]
		if q == nil {
			continue // its plan never came: it is in the bucket
		}
		q.runSums().AddKnown(cpu)
	}
	for run, drawn := range sampledRuns(p.Stages, leftOut) {
		if q := s.queries[run.query]; q != nil && q.runs != nil {
			q.runs.Add(drawn.cpu, drawn.keys)
		}
	}
	for i := range p.Stages {
		st := &p.Stages[i]
		q := s.queries[queryKey{st.Labels.Query, st.Labels.Plan}]
		if q == nil || q.runs == nil {
			continue
		}
		for key := range st.Estimate.Keys {
			if key.ID != "" {
				q.runs.names[operatorKey{key.Place, key.ID}] = key.Name
			}
		}
		if !st.Estimate.Valid {
			q.runs.why = cmp.Or(q.runs.why, st.Estimate.Why)
		}
	}
}

func (q *querySums) runSums() *runSums {
	if q.runs == nil {
		q.runs = &runSums{names: map[operatorKey]string{}}
	}
	return q.runs
}

// sampledRuns are the runs that were drawn, each stage's estimates added up. A run of which a part
// was left out, because it began before the profiler came, is none.
func sampledRuns(stages []window.StageStatistics, leftOut map[runOf]time.Duration) map[runOf]*sampledRun {
	out := map[runOf]*sampledRun{}
	for i := range stages {
		st := &stages[i]
		run := runOf{queryKey{st.Labels.Query, st.Labels.Plan}, st.Application, st.Labels.Execution}
		if _, left := leftOut[run]; left {
			continue
		}
		r := out[run]
		if r == nil {
			r = &sampledRun{keys: map[operatorKey]tasksample.Estimate{}}
			out[run] = r
		}
		r.cpu += st.Estimate.CPU
		for key, e := range st.Estimate.Keys {
			if key.ID == "" {
				continue
			}
			k := operatorKey{key.Place, key.ID}
			sum := r.keys[k]
			sum.SE = time.Duration(math.Hypot(float64(sum.SE), float64(e.SE)))
			sum.CPU, sum.Samples = sum.CPU+e.CPU, sum.Samples+e.Samples
			r.keys[k] = sum
		}
	}
	return out
}

// showRuns is what summary.json has of the runs, nil where all were sampled.
func (q *querySums) showRuns() *Runs {
	r := q.runs
	if r == nil {
		return nil
	}
	result := r.Estimate()
	out := &Runs{All: r.All, Sampled: r.Sampled, CPUSeconds: result.CPU.Seconds(), SampledCPUSeconds: time.Duration(r.CPU).Seconds(), Operators: []RunsOperator{}}
	for key, python := range q.pythonOfRuns {
		if _, sampled := result.Keys[key]; !sampled {
			cpu := python.cpu.Seconds()
			out.Operators = append(out.Operators, RunsOperator{Stage: key.stage, Operator: key.operator, Name: python.name, CPUSeconds: cpu,
				PythonCPUSeconds: cpu, CI95: [2]float64{cpu, cpu}, Valid: true})
		}
	}
	for key, e := range result.Keys {
		python := q.pythonOfRuns[key].cpu
		out.Operators = append(out.Operators, RunsOperator{
			Stage: key.stage, Operator: key.operator, Name: r.names[key], CPUSeconds: (e.CPU + python).Seconds(), PythonCPUSeconds: python.Seconds(),
			CPUSecondsSE: e.SE.Seconds(), CI95: [2]float64{(e.Low + python).Seconds(), (e.High + python).Seconds()},
			Valid: result.Valid && r.why == "", Why: cmp.Or(result.Why, r.why),
		})
	}
	slices.SortFunc(out.Operators, func(a, b RunsOperator) int {
		return cmp.Or(cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Operator, b.Operator))
	})
	return out
}
