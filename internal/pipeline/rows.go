package pipeline

import (
	"regexp"
	"slices"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Rows are the rows that the operators of a stage took in, by tasks that ended well.
type Rows struct {
	Labels           // of the stage: operator and bucket are empty
	Tasks     uint64 // of which the rows are here; 0 where no one knows which operators the record's are of
	Operators []OperatorRows
	Late      bool // the execution was over for this JVM already
}

// OperatorRows are the rows that an operator took in.
//
// They are the output rows of the nearest nodes below it that belong to another operator and count
// rows ("number of output rows"). They count as far as they ran in the stage. Of a shuffle that the
// stage reads, they are the records read. A join does not take in the rows of a table that was
// broadcast. The broadcast takes them in, in the stage that gives them. An exchange's own are the
// records that it wrote. An operator with which a stage begins took in the records that it read. A
// scan's own are those that it gave.
type OperatorRows struct {
	Operator, OperatorName, Role string
	Rows                         uint64
	// Node is the operator's in the plan that ran, immutable; nil if the plan's agent counts no
	// expressions (log format 1.5 and before).
	Node  *attribution.Node
	Above string // the operator that takes in what this one gives; "" none
	Build string // of a join that looks rows up in a broadcast table: the broadcast's operator; "" none
}

// rowInput says which accumulators of a stage count the rows that an operator takes in.
type rowInput struct {
	names nodeNames
	ids   []tasksample.AccumulatorID // distinct, at least one
	node  *attribution.Node          // OperatorRows.Node
	above string                     // OperatorRows.Above
	build string                     // OperatorRows.Build
}

// Names of SQLMetrics that count rows (Spark 3.5 to 4.3: SQLMetrics of each physical operator,
// SQLShuffleWriteMetricsReporter, SQLShuffleReadMetricsReporter).
const (
	outputRows     = "number of output rows"
	recordsWritten = "shuffle records written"
	recordsRead    = "records read"
)

// stageRows delivers what a record tells; rows of a stage or plan that never came are counted.
func (j *jvm) stageRows(r *jvmlog.Rows) {
	task := &Task{Stage: r.StageID, StageAttempt: r.StageAttempt, Execution: r.ExecutionID, ID: -1, Partition: -1}
	out := Rows{Labels: j.labels(task), Late: j.executions.over[r.ExecutionID]}
	switch s := j.ops.placed(task); {
	case s == nil || !s.matched && len(s.others) == 0:
		j.p.counts.UnplacedRows++
	case s.matched: // else it runs nothing of its own execution's plan
		out.Tasks, out.Operators = uint64(r.Tasks), s.rows(j.ops.plan(r.ExecutionID), r)
	}
	j.p.executions.Rows(out)
}

// rows are the rows of the operators that a placed stage runs.
func (s *stage) rows(plan *attribution.Plan, r *jvmlog.Rows) (out []OperatorRows) {
	if s.inputs == nil {
		s.inputs = rowInputs(plan, s)
	}
	sums := map[tasksample.AccumulatorID]int64{}
	for _, a := range r.Accumulated {
		sums[a.ID] += a.Sum
	}
	for _, in := range s.inputs {
		rows := OperatorRows{Operator: in.names.operator, OperatorName: in.names.name, Role: in.names.role, Node: in.node, Above: in.above, Build: in.build}
		for _, id := range in.ids {
			rows.Rows += uint64(max(sums[id], 0))
		}
		out = append(out, rows)
	}
	return out
}

// rowTree is the update of a plan that a stage ran, to look for rows in.
type rowTree struct {
	plan     *attribution.Plan
	nodes    []attribution.Node
	children [][]int
	stage    *stage
}

// rowInputs are the inputs of all operators that a stage runs, in the order of the plan; empty, not
// nil, if none is known.
func rowInputs(plan *attribution.Plan, s *stage) []rowInput {
	out := []rowInput{}
	t := rowTree{plan: plan, nodes: ranNodes(plan, s.accumulators), stage: s}
	t.children = make([][]int, len(t.nodes))
	for i := range t.nodes {
		if p := t.nodes[i].Parent; p >= 0 {
			t.children[p] = append(t.children[p], i)
		}
	}
	counted := slices.ContainsFunc(t.nodes, func(n attribution.Node) bool { return len(n.Counts) > 0 })
	at := map[string]int{}
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.Operator == "" || !t.runs(n) {
			continue
		}
		ids := t.taken(i)
		if len(ids) == 0 {
			continue
		}
		k, known := at[n.Operator]
		if !known {
			k = len(out)
			at[n.Operator] = k
			in := rowInput{names: ownNames(n, endOf(n, t.stage)), above: t.above(n), build: t.build(i)}
			if counted {
				in.node = n
			}
			out = append(out, in)
		}
		for _, id := range ids {
			if !slices.Contains(out[k].ids, id) {
				out[k].ids = append(out[k].ids, id)
			}
		}
	}
	return out
}

// above is the nearest operator above a node.
func (t *rowTree) above(n *attribution.Node) string {
	for p := n.Parent; p >= 0; p = t.nodes[p].Parent {
		if above := t.nodes[p].Operator; above != "" {
			return above
		}
	}
	return ""
}

// planID is the number of an exchange at the end of its text, and of a reuse of it.
var planID = regexp.MustCompile(`\[plan_id=\d+\]$`)

// build is the broadcast whose table a node looks rows up in.
func (t *rowTree) build(i int) string {
	for _, c := range t.children[i] {
		n := &t.nodes[c]
		for n.Operator == "" && len(t.children[c]) == 1 { // a wrapper
			c = t.children[c][0]
			n = &t.nodes[c]
		}
		if n.Name == "ReusedExchange" {
			n = t.reused(n)
		}
		if n.Role == broadcastRole {
			return n.Operator
		}
	}
	return ""
}

// reused is the exchange that a node reuses; the node if none is known.
func (t *rowTree) reused(n *attribution.Node) *attribution.Node {
	id := planID.FindString(n.Text)
	for i := range t.nodes {
		if o := &t.nodes[i]; id != "" && o.Operator != "" && planID.FindString(o.Text) == id {
			return o
		}
	}
	return n
}

// ranNodes are the nodes of the update of which a stage updates the most metrics, the last among
// equals.
func ranNodes(plan *attribution.Plan, accumulators []int64) (best []attribution.Node) {
	most := -1
	for _, tree := range plan.Updates {
		n := 0
		for i := range tree.Nodes {
			for _, m := range tree.Nodes[i].Metrics {
				if _, found := slices.BinarySearch(accumulators, m.ID); found {
					n++
				}
			}
		}
		if n >= most {
			best, most = tree.Nodes, n
		}
	}
	return best
}

// runs reports whether a node runs in the stage: it updates a metric there, or stands at its place.
// Spark sends no metric that is 0, so an operator that gave no row updates none. A broadcast's
// metrics are the driver's. An exchange stands at the place of the stage that writes it, which
// updates one.
func (t *rowTree) runs(n *attribution.Node) bool {
	if updates(n, t.stage.accumulators) {
		return true
	}
	return n.Stage != "" && n.Stage == t.stage.place && (len(n.Metrics) == 0 || n.Role != exchangeRole)
}

// taken are the accumulators that count the rows that a node takes in.
func (t *rowTree) taken(i int) []tasksample.AccumulatorID {
	n := &t.nodes[i]
	if n.Role == "exchange" {
		if id, ok := t.metric(n, recordsWritten); ok {
			return []tasksample.AccumulatorID{id}
		}
	}
	if id, ok := t.metric(n, recordsRead); ok {
		return []tasksample.AccumulatorID{id} // the stage begins with it
	}
	if n.Role == "scan" || len(t.children[i]) == 0 {
		if id, ok := t.metric(n, outputRows); ok {
			return []tasksample.AccumulatorID{id}
		}
	}
	return t.below(i, n.Operator, nil)
}

// below adds the accumulators of the nearest nodes below one that count rows and belong to another
// operator.
func (t *rowTree) below(i int, operator string, to []tasksample.AccumulatorID) []tasksample.AccumulatorID {
	for _, c := range t.children[i] {
		n := &t.nodes[c]
		if n.Subquery && !t.nodes[i].Subquery {
			continue // it ran before, for a value
		}
		if !counts(n) || n.Operator == operator {
			to = t.below(c, operator, to)
			continue
		}
		name := outputRows
		if shuffles(n) {
			name = recordsRead
		}
		if id, ok := t.metric(n, name); ok {
			to = append(to, id)
		}
	}
	return to
}

// shuffles reports whether a node is an exchange, or has a shuffle of its own
// (TakeOrderedAndProject, CollectLimit).
func shuffles(n *attribution.Node) bool {
	return slices.ContainsFunc(n.Metrics, func(m attribution.Metric) bool { return m.Name == recordsWritten })
}

// counts reports whether a node counts rows.
func counts(n *attribution.Node) bool {
	return slices.ContainsFunc(n.Metrics, func(m attribution.Metric) bool { return m.Name == recordsWritten || m.Name == outputRows })
}

// metric is a metric of a node that the stage updates.
func (t *rowTree) metric(n *attribution.Node, name string) (tasksample.AccumulatorID, bool) {
	for _, m := range n.Metrics {
		if m.Name != name {
			continue
		}
		if _, found := slices.BinarySearch(t.stage.accumulators, m.ID); found {
			return tasksample.AccumulatorID(m.ID), true
		}
	}
	return 0, false
}
