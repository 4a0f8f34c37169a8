package attribution

import (
	"slices"
	"strings"
)

// planSet are the plans whose code a task may run: the plan of its execution, if there is one, then
// others.
type planSet [1 + MaxOthers]*Plan

// planIndex is a set of plans as attribution walks them: plan after plan, of each all updates, the
// latest first. It is valid while the sum of the plans' merges counters stands.
type planIndex struct {
	merges int
	trees  []*treeIndex
}

// treeIndex is one update with its child lists.
type treeIndex struct {
	plan     *Plan
	nodes    []Node // shared with the Plan
	children [][]int
	wholes   []int // WholeStageCodegen nodes, in pre-order
}

// place is a node in a tree; the zero value is nowhere.
type place struct {
	tree *treeIndex
	at   int
}

// planSet is the set of a scope's plans, without repeats; ok is false if it is empty.
func (s *Scope) planSet() (set planSet, ok bool) {
	n := 0
	if s.Plan != nil {
		set[n] = s.Plan
		n++
	}
	for _, p := range s.Others {
		if p != nil && n < len(set) && !slices.Contains(set[:n], p) {
			set[n] = p
			n++
		}
	}
	return set, n > 0
}

// merges is the sum of the plans' merges counters, which only grow.
func (s *planSet) merges() (sum int) {
	for _, p := range s {
		if p != nil {
			sum += p.merges
		}
	}
	return sum
}

func indexPlan(p *Plan) *planIndex {
	x := &planIndex{merges: p.merges, trees: make([]*treeIndex, 0, len(p.Updates))}
	for i := len(p.Updates) - 1; i >= 0; i-- {
		x.trees = append(x.trees, indexTree(p, p.Updates[i].Nodes))
	}
	return x
}

func indexTree(plan *Plan, nodes []Node) *treeIndex {
	t := &treeIndex{plan: plan, nodes: nodes, children: make([][]int, len(nodes))}
	for i := range nodes {
		if p := nodes[i].Parent; p >= 0 && p < i {
			t.children[p] = append(t.children[p], i)
		}
		if isWrapper(&nodes[i], "WholeStageCodegen") {
			t.wholes = append(t.wholes, i)
		}
	}
	return t
}

// node is the plan's own node, nil for nowhere.
func (p place) node() *Node {
	if p.tree == nil {
		return nil
	}
	return &p.tree.nodes[p.at]
}

// plan is the plan that a place is in, nil for nowhere.
func (p place) plan() *Plan {
	if p.tree == nil {
		return nil
	}
	return p.tree.plan
}

// find calls f with every node of every update, plan after plan, latest update first, in pre-order,
// until f returns true.
func (x *planIndex) find(f func(p place) bool) {
	for _, t := range x.trees {
		for i := range t.nodes {
			if f(place{t, i}) {
				return
			}
		}
	}
}

// below calls f with every node under p in pre-order; f returns whether to go on below that node.
func (p place) below(f func(p place) bool) {
	for _, c := range p.tree.children[p.at] {
		child := place{p.tree, c}
		if f(child) {
			child.below(f)
		}
	}
}

// accumulators is the set of a stage's accumulators; nil when it is not known.
type accumulators map[int64]struct{}

func newAccumulators(ids []int64) accumulators {
	if ids == nil {
		return nil
	}
	set := make(accumulators, len(ids))
	for _, id := range ids {
		set[id] = struct{}{}
	}
	return set
}

// count says how many of a node's metrics the stage updates; with names, only of those metrics.
func (a accumulators) count(n *Node, names map[string]bool) int {
	hits := 0
	for _, m := range n.Metrics {
		if names != nil && !names[m.Name] {
			continue
		}
		if _, ok := a[m.ID]; ok {
			hits++
		}
	}
	return hits
}

// unwrap is the operator behind an input adapter and the query stages below it: lines that read an
// adapter's rows read that operator's.
func (p place) unwrap() place {
	if p.tree == nil || !isWrapper(p.node(), "InputAdapter") {
		return p
	}
	q := p
	for len(q.tree.children[q.at]) == 1 {
		q.at = q.tree.children[q.at][0]
		if !q.passes() {
			return q
		}
	}
	return p
}

// passes reports whether a node only stands for the one below it.
func (p place) passes() bool {
	switch n := p.node(); n.Name {
	case "InputAdapter", "AQEShuffleRead", "ReusedExchange", "AdaptiveSparkPlan":
		return true
	default:
		return strings.HasSuffix(n.Name, "QueryStage") || isWrapper(n, "WholeStageCodegen")
	}
}
