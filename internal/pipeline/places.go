package pipeline

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/tasksample"
)

// otherPlan is a plan of another execution whose code a stage runs, and the stage's place in it.
type otherPlan struct {
	plan  *attribution.Plan
	place string
}

// place is the place in the plan of a task's stage, "" while it is not known.
func (o *operators) place(task *Task) string {
	if s := o.placed(task); s != nil {
		return s.place
	}
	return ""
}

// placed is a task's stage with its places in plans; nil while the stage is not known, or the plan
// of its execution.
func (o *operators) placed(task *Task) *stage {
	x := o.execution(task.Execution)
	if x == nil || x.plan == nil && x.id != tasksample.NoExecution {
		return nil
	}
	s := x.stages[stageKey{task.Stage, task.StageAttempt}]
	if s != nil && !(s.placed && s.news == o.news) {
		fresh := !s.placed || s.updates != x.updates
		if fresh {
			s.place, s.matched = "", false
			if x.plan != nil {
				s.place, s.matched = placeOf(x.plan, s.accumulators)
			}
		}
		before := len(s.others)
		s.others = o.others(x, s.accumulators)
		if fresh || before+len(s.others) > 0 {
			s.asked, s.inputs = false, nil
		}
		s.placed, s.news, s.updates = true, o.news, x.updates
	}
	return s
}

// others are the plans of other executions that hold accumulators of a stage which its own
// execution's does not, those that hold most first.
func (o *operators) others(own *execution, accumulators []int64) []otherPlan {
	held := map[*execution]int{}
	for _, id := range accumulators {
		if x := o.holders[id]; x != nil && x != own {
			held[x]++
		}
	}
	if len(held) > 0 && own.plan != nil { // a cached table's plan stands in the plans of all who read it
		eachOf(own.plan, accumulators, func(id int64) {
			if x := o.holders[id]; x != nil && x != own {
				if held[x]--; held[x] <= 0 {
					delete(held, x)
				}
			}
		})
	}
	holders := make([]*execution, 0, len(held))
	for x := range held {
		x.user = own.id
		holders = append(holders, x)
	}
	slices.SortFunc(holders, func(a, b *execution) int {
		return cmp.Or(cmp.Compare(held[b], held[a]), cmp.Compare(a.id, b.id))
	})
	out := make([]otherPlan, 0, attribution.MaxOthers)
	for _, x := range holders[:min(len(holders), attribution.MaxOthers)] {
		place, _ := placeOf(x.plan, accumulators)
		out = append(out, otherPlan{x.plan, place})
	}
	return out
}

// of are the labels of an operator of a plan, which may be the plan of another execution than the
// one that ran. A plan that no execution has run is a part of what runs its code.
func (l Labels) of(plan *attribution.Plan, place string) Labels {
	if unclaimed(plan) && l.Query != "" {
		return l
	}
	l.Query, l.QueryName, l.Plan, l.StagePlace = plan.Query, plan.QueryName, plan.Plan, place
	return l
}

// unclaimed reports whether a plan is of no SQL execution: the plan of an RDD which was made of a
// DataFrame (FORMAT.md).
func unclaimed(plan *attribution.Plan) bool {
	return tasksample.ExecutionID(plan.ExecutionID) < tasksample.NoExecution
}

// plans are all plans whose code a stage runs: the plan of its execution, which may be nil, and the
// others.
func (s *stage) plans(own *attribution.Plan) (out []*attribution.Plan) {
	if own != nil {
		out = append(out, own)
	}
	for _, other := range s.others {
		out = append(out, other.plan)
	}
	return out
}

// planOf is the plan that a node stands in which a task's stage runs, and the stage's place in it.
func (o *operators) planOf(task *Task, node *attribution.Node) (plan *attribution.Plan, place string) {
	own, s := o.plan(task.Execution), o.placed(task)
	if s == nil {
		return own, ""
	}
	for _, plan := range s.plans(own) {
		if _, at := locate(plan, node); at >= 0 {
			return plan, s.placeIn(plan)
		}
	}
	return own, s.place
}

// placeIn is the stage's place in a plan, "" unknown.
func (s *stage) placeIn(plan *attribution.Plan) string {
	if s == nil {
		return ""
	}
	for _, other := range s.others {
		if other.plan == plan {
			return other.place
		}
	}
	return s.place
}

// eachMetric calls f with every metric of every update of a plan.
func eachMetric(plan *attribution.Plan, f func(id int64)) {
	for _, tree := range plan.Updates {
		for i := range tree.Nodes {
			for _, m := range tree.Nodes[i].Metrics {
				f(m.ID)
			}
		}
	}
}

// eachOf calls f once with every one of sorted accumulator ids that a plan holds.
func eachOf(plan *attribution.Plan, accumulators []int64, f func(id int64)) {
	seen := map[int64]bool{}
	eachMetric(plan, func(id int64) {
		if _, found := slices.BinarySearch(accumulators, id); found && !seen[id] {
			seen[id] = true
			f(id)
		}
	})
}

// placeOf is the place of most nodes that run in a stage, the first in the alphabet among equals.
// It also reports whether the stage updates a metric of any node.
//
// A node is in many updates of a plan, and counts once, where the last of them has it. An exchange
// stands at the place of the stage that writes it. A stage that only reads it runs elsewhere, and
// may run no more than one operator of its own.
func placeOf(plan *attribution.Plan, accumulators []int64) (place string, matched bool) {
	places := map[int64]string{} // by the first metric that the stage updates
	for _, tree := range plan.Updates {
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			id, ok := ranMetric(n, accumulators)
			matched = matched || ok || updates(n, accumulators)
			if ok && n.Stage != "" {
				places[id] = n.Stage
			}
		}
	}
	votes := map[string]int{}
	for _, name := range places {
		votes[name]++
	}
	most := 0
	for name, n := range votes {
		if n > most || n == most && name < place {
			place, most = name, n
		}
	}
	return place, matched
}

// ranMetric is the first metric of a node among sorted accumulator ids that says the node ran;
// the ones of reading a shuffle do not.
func ranMetric(n *attribution.Node, accumulators []int64) (int64, bool) {
	writes := shuffles(n)
	for _, m := range n.Metrics {
		if writes && attribution.ReadsShuffle(m.Name) {
			continue
		}
		if _, found := slices.BinarySearch(accumulators, m.ID); found {
			return m.ID, true
		}
	}
	return 0, false
}

// updates reports whether a node has a metric among sorted accumulator ids.
func updates(n *attribution.Node, accumulators []int64) bool {
	return slices.ContainsFunc(n.Metrics, func(m attribution.Metric) bool {
		_, found := slices.BinarySearch(accumulators, m.ID)
		return found
	})
}

// names are the names of a node of a plan.
func (o *operators) names(plan *attribution.Plan, key namedNode) nodeNames {
	x := o.execution(tasksample.ExecutionID(plan.ExecutionID))
	if x == nil || x.plan != plan {
		return namesOf(plan, key)
	}
	names, ok := x.names[key]
	if !ok {
		names = namesOf(plan, key)
		x.names[key] = names
	}
	return names
}
