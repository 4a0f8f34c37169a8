package outcome

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// Place says where an operator stands in the plan, and what the tasks there did, over all
// executions of the query.
type Place struct {
	// Order is the position of the operator in the plan, counted in pre-order over the operators of
	// the query. An operator that no known plan has stands behind the others.
	Order int `json:"order"`
	// Depth is how many of the query's operators stand above it.
	Depth int `json:"depth"`
	// SparkStages are Spark's numbers of the stages at this place, ascending.
	SparkStages []tasksample.StageID `json:"spark_stages,omitempty"`
	// Tasks of these stages ended well.
	Tasks uint64 `json:"tasks"`
	// Subplan is the same of operators that compute the same from the same input, literals and
	// paths included. It is "" if no plan is known, or its text does not say from which data.
	Subplan string `json:"subplan,omitempty"`
	// Rows are what the operator took in, a scan's what it gave. Nil: not known of all its tasks.
	Rows *uint64 `json:"rows,omitempty"`
}

// placeWork is what the stages at one place did.
type placeWork struct {
	stages         map[tasksample.StageID]bool
	tasks, counted uint64
	rows           map[string]uint64 // by operator
}

// place gives what is known of plans and of stages to the queries. Runs that were not drawn have
// rows, but no operator has their CPU.
func (s *sums) place(p window.Profile, leftOut map[runOf]time.Duration) {
	for _, j := range p.JVMs {
		for i := range j.Work {
			w := &j.Work[i]
			key := queryKey{w.Labels.Query, w.Labels.Plan}
			_, left := leftOut[runOf{key, j.Application.ID, w.Labels.Execution}]
			if q := s.queries[key]; q != nil && !left {
				q.workAt(w.Labels.StagePlace).add(w)
			}
		}
	}
	for _, o := range p.Plans {
		if q := s.queries[queryKey{o.Query, o.Plan}]; q != nil {
			q.outlines = append(q.outlines, o)
		}
	}
}

func (q *querySums) workAt(place string) *placeWork {
	w := q.work[place]
	if w == nil {
		w = &placeWork{stages: map[tasksample.StageID]bool{}, rows: map[string]uint64{}}
		q.work[place] = w
	}
	return w
}

func (w *placeWork) add(st *window.StageWork) {
	w.stages[st.Labels.Stage] = true
	w.tasks += st.Tasks
	w.counted += st.Counted
	for _, r := range st.Rows {
		w.rows[r.Operator] += r.Rows
	}
}

// arrange fills in the places of a query's operators.
func (q *querySums) arrange(operators []Operator) {
	all := bestOutline(q.outlines, operators)
	at := make([]int, len(operators)) // of each operator: index in all; len(all) where no plan has it
	for i := range operators {
		o := &operators[i]
		at[i] = all.find(o.Stage, o.Operator)
		if w := q.work[o.Stage]; w != nil {
			w.show(o)
		}
	}
	order := make([]int, len(operators))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int {
		a, b := &operators[x], &operators[y]
		// The stage that reads an exchange is nearer to the result than the stage that writes it,
		// which the node itself names.
		return cmp.Or(cmp.Compare(at[x], at[y]), compareBool(all.stands(at[x], a), all.stands(at[y], b)),
			cmp.Compare(b.CPUSeconds, a.CPUSeconds), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Operator, b.Operator))
	})
	listed := map[int]int{} // index in all → operators there: those that read an exchange, then the one that writes it
	for rank, i := range order {
		o := &operators[i]
		o.Order = rank
		if o.Depth = all.depth(at[i], listed); at[i] < len(all) {
			if hash := all[at[i]].Subplan; hash != 0 {
				o.Subplan = fmt.Sprintf("%016x", hash)
			}
			o.Depth += listed[at[i]]
			listed[at[i]]++
		}
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// show writes what the stages at an operator's place did.
func (w *placeWork) show(o *Operator) {
	for id := range w.stages {
		o.SparkStages = append(o.SparkStages, id)
	}
	slices.Sort(o.SparkStages)
	o.Tasks = w.tasks
	if rows, ok := w.rows[o.Operator]; ok && w.counted == w.tasks {
		o.Rows = &rows
	}
}

// outline is a plan's tree in pre-order.
type outline []pipeline.OutlineNode

// bestOutline is the outline that has most of the operators, the last execution's among equals: AQE
// gives executions of one plan different trees.
func bestOutline(of []pipeline.PlanOutline, operators []Operator) (best outline) {
	most, last := 0, tasksample.ExecutionID(-1)
	for _, o := range of {
		found := 0
		for i := range operators {
			if outline(o.Nodes).find(operators[i].Stage, operators[i].Operator) < len(o.Nodes) {
				found++
			}
		}
		if found > most || found == most && o.Execution > last {
			best, most, last = o.Nodes, found, o.Execution
		}
	}
	return best
}

// find is the index of an operator: the one at its place, else the first of its name, else the
// length.
func (t outline) find(place, operator string) int {
	first := len(t)
	for i, n := range t {
		if n.Operator != operator {
			continue
		}
		if n.StagePlace == place {
			return i
		}
		first = min(first, i)
	}
	return first
}

// stands reports whether a node runs in the stage that an operator's row is about.
func (t outline) stands(i int, o *Operator) bool { return i < len(t) && t[i].StagePlace == o.Stage }

// depth is how many listed operators stand at the nodes above one.
func (t outline) depth(i int, listed map[int]int) (n int) {
	if i >= len(t) {
		return 0
	}
	for i = t[i].Parent; i >= 0; i = t[i].Parent {
		n += listed[i]
	}
	return n
}
