package window

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

// ExecutionCost is what an SQL execution cost in one JVM, all of it.
type ExecutionCost struct {
	Labels      pipeline.Labels // of the query: stage, operator and bucket are empty
	Over        pipeline.ExecutionOver
	CPU         time.Duration // of all its tasks, by their threads' own clocks, and of its Python workers
	Tasks       uint64        // attempts that ended
	FailedTasks uint64
	LeftOut     bool           // the run was not drawn, not here, or not from its begin, or a plan was lost: its CPU here is known, its operators' is not
	Operators   []OperatorCost // by stage place and operator
}

// OperatorCost is an operator's part in it, at one place of stages. CPU for Python without a plan
// node has its bucket in brackets as its operator.
type OperatorCost struct {
	StagePlace, Operator, OperatorName, Role string
	CPU                                      time.Duration // estimated for all tasks, and of Python workers
	Python                                   time.Duration // of which of Python workers: exact
	Variance                                 float64       // of CPU by sampling, s²
	Samples                                  uint64
	Rows                                     uint64            // taken in; see OperatorRows
	Unseen                                   uint64            // of Rows: in stages without a sample in this JVM, whose CPU is no operator's; 0 with Python, whose CPU is exact
	RowsKnown                                bool              // of all tasks that ended well
	RowsMissing                              bool              // rows are known of some tasks, and not of all
	RowsOut                                  uint64            // that the operator above took in, in the same stages; 0 unknown
	Build                                    uint64            // rows that this JVM gave to the table that a join looks each row up in
	Tasks                                    uint64            // that ended well, of stages in which it counted rows
	Node                                     *attribution.Node // OperatorRows.Node
}

// KnownCost is what the tasks that ended in a window tell beside their samples.
type KnownCost struct {
	Query, QueryName, StagePlace string
	Operator, OperatorName       string             // "" where Bucket is set, and of a whole query
	Bucket                       attribution.Bucket // of CPU that no sample covers
	CPU                          time.Duration      // of the bucket; of a whole query: of its tasks, all of it
	Python                       time.Duration      // of Python workers, beside CPU
	Rows                         uint64             // that the operator took in
}

// mostStages bounds the stages of one execution whose statistics are kept apart: beyond it, the one
// that was still for longest is estimated as it is.
const mostStages = 64

// executionSums are the sums of one execution in one JVM, over windows.
type executionSums struct {
	labels        pipeline.Labels
	cpu           time.Duration
	tasks, failed uint64
	leftOut       bool
	stages        map[tasksample.StageID]*executionStage
	changes       uint64
	costs         map[costKey]*OperatorCost
	// names are those under which an operator was seen, with its CPU: what AQE decides changes
	// them, and the physical class is in them.
	names  map[costKey]map[operatorName]time.Duration
	builds map[costKey]string // OperatorRows.Build
}

// operatorName is what people call an operator, and its role.
type operatorName struct{ name, role string }

// executionStage is what a stage's tasks told.
type executionStage struct {
	changed    uint64
	statistics *tasksample.Stage[semconv.Operator]
	ended      uint64 // tasks that ended well
	counted    uint64 // tasks whose rows are known
	rows       map[costKey]pipeline.OperatorRows
}

type costKey struct{ place, operator string }

func newExecutionSums() *executionSums {
	return &executionSums{stages: map[tasksample.StageID]*executionStage{}, costs: map[costKey]*OperatorCost{}, names: map[costKey]map[operatorName]time.Duration{}, builds: map[costKey]string{}}
}

// stage is what is known of a stage; where there are too many, the one that was still for longest
// is added up.
func (x *executionSums) stage(id tasksample.StageID) *executionStage {
	st := x.stages[id]
	if st == nil {
		if len(x.stages) >= mostStages {
			still := id
			for other, o := range x.stages {
				if still == id || o.changed < x.stages[still].changed {
					still = other
				}
			}
			x.add(x.stages[still])
			delete(x.stages, still)
		}
		st = &executionStage{statistics: tasksample.NewStage[semconv.Operator](), rows: map[costKey]pipeline.OperatorRows{}}
		x.stages[id] = st
	}
	x.changes++
	st.changed = x.changes
	return st
}

// task takes a task that ended.
func (x *executionSums) task(t *pipeline.TaskCPU) {
	x.describe(t.Labels)
	x.cpu += t.CPU
	x.tasks++
	x.leftOut = x.leftOut || t.Of.LeftOut || t.PlanLost
	st := x.stage(t.Stage)
	if t.Failed {
		x.failed++
		return
	}
	st.ended++
}

// python takes the CPU of Python workers, and of the threads that feed them.
func (x *executionSums) python(o *pipeline.Outside) {
	l := o.Labels
	l.Query, l.QueryName, l.Plan = "", "", "" // the node's plan may be another execution's
	x.describe(l)
	x.cpu += o.CPU
	operator := o.Operator
	if o.Bucket != attribution.BucketNone {
		operator = o.Name()
	}
	c := x.cost(costKey{o.StagePlace, operator}, operatorName{o.Name(), o.Role}, o.CPU)
	c.CPU += o.CPU
	if o.Group == pipeline.GroupChildren {
		c.Python += o.CPU
	}
}

// take takes rows.
func (x *executionSums) take(r *pipeline.Rows) {
	x.describe(r.Labels)
	st := x.stage(r.Stage)
	st.counted += r.Tasks
	for _, o := range r.Operators {
		key := costKey{r.StagePlace, o.Operator}
		o.Rows += st.rows[key].Rows
		st.rows[key] = o
	}
}

// describe keeps what is said about the query.
func (x *executionSums) describe(l pipeline.Labels) {
	x.labels.JVM, x.labels.Execution, x.labels.Stage = l.JVM, l.Execution, pipeline.NoStage
	x.labels.Query, x.labels.QueryName, x.labels.Plan = cmp.Or(l.Query, x.labels.Query), cmp.Or(l.QueryName, x.labels.QueryName), cmp.Or(l.Plan, x.labels.Plan)
	x.labels.Task, x.labels.Partition = -1, -1
}

// add adds a stage up.
func (x *executionSums) add(st *executionStage) {
	result := st.statistics.EstimateWithoutIntervals()
	for key, e := range result.Keys {
		if key.ID == "" {
			continue // a bucket: in the execution's CPU, and no operator's
		}
		c := x.cost(costKey{key.Place, key.ID}, operatorName{key.Name, key.Role}, e.CPU)
		c.CPU += e.CPU
		c.Variance += e.SE.Seconds() * e.SE.Seconds()
		c.Samples += e.Samples
	}
	for key, r := range st.rows {
		c := x.cost(key, operatorName{r.OperatorName, r.Role}, 0)
		c.Rows += r.Rows
		// No operator has the CPU of a stage without a sample. With its rows, a row would seem
		// cheaper.
		if result.Samples == 0 {
			c.Unseen += r.Rows
		}
		c.RowsOut += st.rows[costKey{key.place, r.Above}].Rows
		c.Tasks += st.ended
		if r.Node != nil {
			c.Node = r.Node
		}
		if r.Build != "" {
			x.builds[key] = r.Build
		}
		c.RowsKnown = true
		c.RowsMissing = c.RowsMissing || st.counted != st.ended
	}
}

// cost is an operator's, made if there is none, and takes note of a name under which so much CPU
// was seen.
func (x *executionSums) cost(key costKey, name operatorName, cpu time.Duration) *OperatorCost {
	c := x.costs[key]
	if c == nil {
		c = &OperatorCost{StagePlace: key.place, Operator: key.operator}
		x.costs[key], x.names[key] = c, map[operatorName]time.Duration{}
	}
	x.names[key][name] += cpu
	return c
}

// name is the name under which most of an operator's CPU was seen, the first in the alphabet among
// equals.
func (x *executionSums) name(key costKey) (best operatorName) {
	most := time.Duration(-1)
	for name, cpu := range x.names[key] {
		if cpu > most || cpu == most && name.name < best.name {
			best, most = name, cpu
		}
	}
	return best
}

// finish is the whole cost.
func (x *executionSums) finish(over pipeline.ExecutionOver) ExecutionCost {
	for id, st := range x.stages {
		x.add(st)
		delete(x.stages, id)
	}
	out := ExecutionCost{Labels: x.labels, Over: over, CPU: x.cpu, Tasks: x.tasks, FailedTasks: x.failed, LeftOut: x.leftOut || over.Cut}
	gave := map[string]uint64{} // operator → rows
	for key, c := range x.costs {
		gave[key.operator] += c.Rows
	}
	for key, c := range x.costs {
		c.Build = gave[x.builds[key]]
		name := x.name(key)
		c.OperatorName, c.Role = name.name, name.role
		c.RowsKnown = c.RowsKnown && !c.RowsMissing
		if c.Python > 0 {
			c.Unseen = 0
		}
		out.Operators = append(out.Operators, *c)
	}
	slices.SortFunc(out.Operators, func(a, b OperatorCost) int {
		return cmp.Or(cmp.Compare(a.StagePlace, b.StagePlace), cmp.Compare(a.Operator, b.Operator))
	})
	return out
}
