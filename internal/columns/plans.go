package columns

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/tasksample"
)

// placed is a named node by what it is in all updates.
type placed struct{ place, operator string }

// merged is a plan's tree with what only earlier updates have.
type merged struct {
	nodes []Node
	named map[placed]int            // → nodes
	at    map[*attribution.Node]int // → nodes
}

// merge merges the updates of a plan, the last one first.
func merge(p *attribution.Plan) *merged {
	m := &merged{named: map[placed]int{}, at: map[*attribution.Node]int{}}
	for back, tree := range slices.Backward(p.Updates) {
		above := make([]int, len(tree.Nodes)) // the node, or the nearest above it, in m.nodes
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			parent := None
			if n.Parent >= 0 {
				parent = above[n.Parent]
			}
			key := placed{n.Stage, n.Operator}
			known, seen := m.named[key]
			last := back == len(p.Updates)-1
			switch {
			case n.Operator != "" && seen && !last:
				m.nodes[known].Updates[0] = tree.Update
				above[i], m.at[n] = known, known
			case n.Operator == "" && !last:
				above[i] = parent // a wrapper of an earlier update
			default:
				above[i] = len(m.nodes)
				m.at[n] = above[i]
				if n.Operator != "" && !seen {
					m.named[key] = above[i]
				}
				codegen := None
				if last && n.Codegen >= 0 {
					codegen = n.Codegen
				}
				m.nodes = append(m.nodes, Node{
					Parent: parent, Name: n.Name, Text: n.Text, Class: n.Class, Operator: n.Operator, OperatorName: n.OperatorName, Role: n.Role, Mode: n.Mode, Counts: countsOf(n),
					Place: n.Stage, Line: n.Line, Codegen: codegen, CodegenID: n.CodegenStageID, Subquery: n.Subquery, Replaced: !last,
					Updates: [2]int{tree.Update, tree.Update}, Operators: []int{},
				})
			}
		}
	}
	m.preorder()
	return m
}

// countsOf are the counts of a node, nil if it has none.
func countsOf(n *attribution.Node) map[string]int {
	var out map[string]int
	for _, c := range n.Counts {
		if out == nil {
			out = map[string]int{}
		}
		out[c.Name] = c.N
	}
	return out
}

// preorder sorts the nodes so that each stands before those below it, and these together.
func (m *merged) preorder() {
	children := map[int][]int{}
	for i := range m.nodes {
		children[m.nodes[i].Parent] = append(children[m.nodes[i].Parent], i)
	}
	to := make([]int, len(m.nodes))
	out := make([]Node, 0, len(m.nodes))
	var walk func(node, parent int)
	walk = func(node, parent int) {
		to[node] = len(out)
		n := m.nodes[node]
		n.Parent = parent
		out = append(out, n)
		at := to[node]
		for _, c := range children[node] {
			walk(c, at)
		}
	}
	for _, root := range children[None] {
		walk(root, None)
	}
	for i := range out {
		if c := out[i].Codegen; c >= 0 {
			out[i].Codegen = to[c]
		}
	}
	for k, i := range m.named {
		m.named[k] = to[i]
	}
	for k, i := range m.at {
		m.at[k] = to[i]
	}
	m.nodes = out
}

// find is the node of an operator: the one at its place, else the first of its name, else None.
func (m *merged) find(place, operator string) int {
	if i, known := m.named[placed{place, operator}]; known {
		return i
	}
	return slices.IndexFunc(m.nodes, func(n Node) bool { return n.Operator == operator })
}

// plans makes the table of plans and orders the operators by them.
func (f *finisher) plans() {
	for _, p := range f.b.known {
		application := f.application(p.labels.JVM)
		key := planKey(application, p.Plan)
		if _, known := f.ofPlan[key]; known { // it came before its JVM's application did
			continue
		}
		row := len(f.m.Plans)
		f.ofPlan[key] = row
		query := f.query(p.Query, p.Plan.Plan, p.QueryName)
		if key.id < tasksample.NoExecution { // made for jobs without SQL, whose query has its operators
			query = f.query(p.labels.Query, p.labels.Plan, p.labels.QueryName)
		}
		m := merge(p.Plan)
		f.merged = append(f.merged, m)
		f.m.Plans = append(f.m.Plans, Plan{Query: query, Nodes: m.nodes})
		if x, known := f.executions[key]; known {
			f.m.Executions[x].Plan = row
		} else if x, known := f.executions[executionKey{application, tasksample.NoExecution, query}]; known && key.id < tasksample.NoExecution {
			f.m.Executions[x].Plan = row
		}
	}
	ofQuery := map[int][]int{} // operators
	for i := range f.m.Operators {
		ofQuery[f.m.Operators[i].Query] = append(ofQuery[f.m.Operators[i].Query], i)
	}
	best := map[int]int{} // query → plan that has most of its operators, the last among equals
	most := map[int]int{}
	for row := range f.m.Plans {
		q, found := f.m.Plans[row].Query, 0
		for _, i := range ofQuery[q] {
			if at := f.merged[row].find(f.m.Operators[i].Place, f.m.Operators[i].Operator); at >= 0 {
				f.m.Plans[row].Nodes[at].Operators = append(f.m.Plans[row].Nodes[at].Operators, i)
				found++
			}
		}
		if found >= most[q] {
			best[q], most[q] = row, found
		}
	}
	for q := range f.m.Queries {
		row, known := best[q]
		if !known {
			row = None
		}
		f.arrange(ofQuery[q], row)
	}
	f.sortOperators()
}

// arrange gives operators of a query their places in a plan.
func (f *finisher) arrange(operators []int, plan int) {
	var nodes []Node
	at := map[int]int{} // operator → node
	if plan >= 0 {
		nodes = f.m.Plans[plan].Nodes
	}
	for _, i := range operators {
		if at[i] = len(nodes); plan >= 0 {
			if node := f.merged[plan].find(f.m.Operators[i].Place, f.m.Operators[i].Operator); node >= 0 {
				at[i] = node
			}
		}
	}
	// The stage that reads an exchange is nearer to the result than the stage that writes it, which
	// the node itself names.
	own := func(i int) int {
		if at[i] < len(nodes) && nodes[at[i]].Place == f.m.Operators[i].Place {
			return 1
		}
		return 0
	}
	slices.SortFunc(operators, func(x, y int) int {
		a, b := &f.m.Operators[x], &f.m.Operators[y]
		return cmp.Or(cmp.Compare(at[x], at[y]), cmp.Compare(own(x), own(y)), cmp.Compare(a.Place, b.Place), cmp.Compare(a.Operator, b.Operator))
	})
	last := map[int]int{} // node → the last operator there
	for order, i := range operators {
		op := &f.m.Operators[i]
		op.Order, op.Parent = order, None
		for node := at[i]; node >= 0 && node < len(nodes); node = nodes[node].Parent {
			if parent, known := last[node]; known {
				op.Parent, op.Depth = parent, f.m.Operators[parent].Depth+1
				break
			}
		}
		if at[i] < len(nodes) {
			last[at[i]] = i
		}
	}
}

// sortOperators sorts the table by query and place in the plan, before anything but plans, labels,
// work and itself points into it.
func (f *finisher) sortOperators() {
	order := make([]int, len(f.m.Operators))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.m.Operators[a].Query, f.m.Operators[b].Query), cmp.Compare(f.m.Operators[a].Order, f.m.Operators[b].Order))
	})
	to := make([]int, len(order))
	sorted := make([]Operator, len(order))
	for rank, i := range order {
		to[i], sorted[rank] = rank, f.m.Operators[i]
	}
	for i := range sorted {
		if sorted[i].Parent >= 0 {
			sorted[i].Parent = to[sorted[i].Parent]
		}
	}
	f.m.Operators = sorted
	for k, i := range f.operators {
		f.operators[k] = to[i]
	}
	for i := range f.m.Labels {
		if l := &f.m.Labels[i]; l.Operator >= 0 {
			l.Operator = to[l.Operator]
		}
	}
	for i := range f.m.Work {
		for k := range f.m.Work[i].Rows {
			f.m.Work[i].Rows[k][0] = uint64(to[f.m.Work[i].Rows[k][0]])
		}
	}
	for i := range f.m.Plans {
		for k := range f.m.Plans[i].Nodes {
			for n, op := range f.m.Plans[i].Nodes[k].Operators {
				f.m.Plans[i].Nodes[k].Operators[n] = to[op]
			}
		}
	}
}

// code makes the tables of generated code.
func (f *finisher) code() {
	for _, file := range f.b.classes.files {
		f.sources[file] = len(f.m.Sources)
		f.m.Sources = append(f.m.Sources, f.b.classes.source(file, &f.m.Rules, &f.m.Parts))
	}
	for i := range f.b.classes.bound {
		of := &f.b.classes.bound[i]
		application := f.application(of.jvm)
		b := Binding{Source: f.sources[of.file], Stage: f.stage(application, f.jvm(of.jvm), of.stage, of.attempt), Plan: None, Nodes: []int{}, Operators: []int{}, Twins: of.Twins}
		b.Execution = f.execution(application, f.jvm(of.jvm), of.execution, f.query(of.labels.Query, of.labels.Plan, of.labels.QueryName))
		if of.Plan != nil {
			if row, known := f.ofPlan[planKey(application, of.Plan)]; known {
				b.Plan = row
			}
		}
		for _, n := range of.Nodes {
			node, operator := None, None
			if b.Plan >= 0 {
				node, operator = f.boundTo(b.Plan, n)
			}
			b.Nodes, b.Operators = append(b.Nodes, node), append(b.Operators, operator)
		}
		f.m.Bindings = append(f.m.Bindings, b)
	}
}

// boundTo is the node of a plan that one of attribution's is, and an operator there; of a wrapper,
// the one of the nearest named node below or above.
func (f *finisher) boundTo(plan int, n *attribution.Node) (node, operator int) {
	m := f.merged[plan]
	node, known := m.at[n]
	if !known {
		if node = m.find(n.Stage, n.Operator); n.Operator == "" {
			node = None
		}
	}
	if node < 0 {
		return None, None
	}
	nodes := f.m.Plans[plan].Nodes
	if ops := nodes[node].Operators; len(ops) > 0 {
		return node, ops[len(ops)-1]
	}
	for below := node + 1; below < len(nodes) && nodes[node].Operator == "" && nodes[below].Parent >= node; below++ {
		if ops := nodes[below].Operators; nodes[below].Operator != "" && len(ops) > 0 {
			return node, ops[0] // the stage reads it
		}
	}
	return node, None
}
