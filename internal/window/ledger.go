package window

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

var _ pipeline.ExecutionConsumer = (*Accumulator)(nil)

// ledger is what one JVM's SQL executions cost, over windows, and what this window's tasks told
// beside their samples.
type ledger struct {
	open  map[tasksample.ExecutionID]*executionSums
	of    map[tasksample.StageID]tasksample.ExecutionID
	over  []pipeline.ExecutionOver // since the last Take
	known map[knownKey]KnownCost
}

// knownKey is a KnownCost without figures.
type knownKey struct {
	query, name, place, operator string
	bucket                       attribution.Bucket
}

func newLedger() *ledger {
	return &ledger{open: map[tasksample.ExecutionID]*executionSums{}, of: map[tasksample.StageID]tasksample.ExecutionID{}, known: map[knownKey]KnownCost{}}
}

// execution are the sums of an execution, made if there are none.
func (g *ledger) execution(id tasksample.ExecutionID) *executionSums {
	x := g.open[id]
	if x == nil {
		x = newExecutionSums()
		g.open[id] = x
	}
	return x
}

// task takes the end of a task.
func (g *ledger) task(t *pipeline.TaskCPU) {
	g.know(t.Labels, KnownCost{CPU: t.CPU})
	if t.Execution == tasksample.NoExecution || t.Late {
		return
	}
	g.of[t.Stage] = t.Execution
	g.execution(t.Execution).task(t)
}

// python takes the CPU of Python workers, and of the threads that feed them.
func (g *ledger) python(o *pipeline.Outside) {
	if o.CPU == 0 {
		return
	}
	k, whole := KnownCost{Python: o.CPU}, o.Labels
	if o.Group == pipeline.GroupThreads {
		k = KnownCost{CPU: o.CPU}
	}
	whole.Bucket = attribution.BucketNone
	g.know(whole, k)
	k.Operator, k.OperatorName = o.Operator, o.OperatorName
	g.know(o.Labels, k)
	if o.Execution != tasksample.NoExecution && !o.Late {
		g.execution(o.Execution).python(o)
	}
}

// know adds to what the window's tasks told: CPU, Python and Rows of k. With neither its Operator
// nor the labels' bucket, of a whole query.
func (g *ledger) know(l pipeline.Labels, k KnownCost) {
	key := knownKey{l.Query, l.QueryName, l.StagePlace, k.Operator, l.Bucket}
	if k.Operator == "" && l.Bucket == attribution.BucketNone {
		key.place = ""
	}
	sum := g.known[key]
	sum.Query, sum.QueryName, sum.StagePlace, sum.Operator, sum.Bucket = key.query, key.name, key.place, key.operator, key.bucket
	sum.OperatorName = cmp.Or(k.OperatorName, sum.OperatorName)
	sum.CPU, sum.Python, sum.Rows = sum.CPU+k.CPU, sum.Python+k.Python, sum.Rows+k.Rows
	g.known[key] = sum
}

// Rows implements ExecutionConsumer.
func (a *Accumulator) Rows(r pipeline.Rows) {
	s := a.of(r.JVM)
	if s.work != nil {
		s.work.rows(&r)
	}
	g := s.ledger
	if g == nil {
		return
	}
	for _, o := range r.Operators {
		g.know(r.Labels, KnownCost{Operator: o.Operator, OperatorName: o.OperatorName, Rows: o.Rows})
	}
	if !r.Late {
		g.execution(r.Execution).take(&r)
	}
}

// ExecutionOver implements ExecutionConsumer.
func (a *Accumulator) ExecutionOver(o pipeline.ExecutionOver) {
	s := a.of(o.JVM)
	if s.ledger == nil {
		return
	}
	for stage, execution := range s.ledger.of {
		if execution == o.Execution {
			s.recorder.Flush(stage)
		}
	}
	s.ledger.over = append(s.ledger.over, o)
}

// describe says of which execution and query a stage is, as far as its tasks told.
func (g *ledger) describe(stage *pipeline.Labels) {
	id, ok := g.of[stage.Stage]
	if !ok || g.open[id] == nil {
		return
	}
	of := &g.open[id].labels
	stage.Execution, stage.Query, stage.QueryName, stage.Plan = id, of.Query, of.QueryName, of.Plan
}

// take books the statistics of units that finished since the last time and returns the executions
// that are over.
func (g *ledger) take(statistics []StageStatistics) (out []ExecutionCost) {
	for _, st := range statistics {
		stage := st.Labels.Stage
		if id, ok := g.of[stage]; ok && g.open[id] != nil {
			g.open[id].stage(stage).statistics.Merge(st.Statistics)
		}
	}
	for _, o := range g.over {
		x := g.open[o.Execution]
		if x == nil {
			continue
		}
		delete(g.open, o.Execution)
		out = append(out, x.finish(o))
		for stage, id := range g.of {
			if id == o.Execution {
				delete(g.of, stage)
			}
		}
	}
	g.over = nil
	return out
}

// takeKnown returns what the window's tasks told beside their samples, sorted.
func (g *ledger) takeKnown() (out []KnownCost) {
	for _, k := range g.known {
		if k.CPU > 0 || k.Python > 0 || k.Rows > 0 {
			out = append(out, k)
		}
	}
	clear(g.known)
	slices.SortFunc(out, func(a, b KnownCost) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.QueryName, b.QueryName), cmp.Compare(a.StagePlace, b.StagePlace),
			cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Bucket, b.Bucket))
	})
	return out
}
