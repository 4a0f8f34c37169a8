package attribution

import (
	"slices"
	"strings"
)

// planSet are the plans whose code a task may run: that of its execution, if there is one, then
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

// isWrapper says whether a node is of a kind whose name stands first in its node name:
// `WholeStageCodegen (3)`.
func isWrapper(n *Node, name string) bool {
	return strings.HasPrefix(n.Name, name) && (len(n.Name) == len(name) || n.Name[len(name)] == ' ')
}

// classIs says whether a node is of the physical class with that simple name.
func classIs(n *Node, simple string) bool {
	return strings.HasSuffix(n.Class, simple) && (len(n.Class) == len(simple) || n.Class[len(n.Class)-len(simple)-1] == '.')
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

// isScan says whether a node reads a source: a leaf of the plan that is no exchange.
func isScan(n *Node) bool {
	if n.Role == "scan" {
		return true
	}
	for _, name := range []string{"Scan", "BatchScan", "FileScan", "InMemoryTableScan", "LocalTableScan", "CometScan", "CometBatchScan", "MicroBatchScan", "ContinuousScan"} {
		if isWrapper(n, name) {
			return true
		}
	}
	return strings.HasSuffix(n.Class, "ScanExec") || strings.HasSuffix(n.Class, "ScanExecTransformer")
}

// Names of the SQLMetrics that shuffles have (SQLShuffleReadMetricsReporter,
// SQLShuffleWriteMetricsReporter; 3.5 to 4.3).
var (
	shuffleReadMetrics = map[string]bool{"records read": true, "fetch wait time": true, "local bytes read": true, "remote bytes read": true,
		"local blocks read": true, "remote blocks read": true, "remote bytes read to disk": true, "remote reqs duration": true}
	shuffleWriteMetrics = map[string]bool{"shuffle bytes written": true, "shuffle records written": true, "shuffle write time": true}
)

// ReadsShuffle says whether a metric of that name counts what a stage reads of a shuffle.
func ReadsShuffle(metric string) bool { return shuffleReadMetrics[metric] }

// isStateful says whether a node keeps rows in a state store (Spark 3.5 to 4.3; in 4.x the classes
// stand in a package of their own).
func isStateful(n *Node) bool {
	return strings.HasPrefix(n.Class, sqlx+"streaming.") && (strings.Contains(n.Class, "State") || strings.Contains(n.Class, ".Streaming")) ||
		strings.Contains(n.Class, "WithState")
}

// isCache says whether a node reads a cached table.
func isCache(n *Node) bool {
	return isWrapper(n, "InMemoryTableScan") || classIs(n, "InMemoryTableScanExec")
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

// passes says whether a node only stands for the one below it.
func (p place) passes() bool {
	switch n := p.node(); n.Name {
	case "InputAdapter", "AQEShuffleRead", "ReusedExchange", "AdaptiveSparkPlan":
		return true
	default:
		return strings.HasSuffix(n.Name, "QueryStage") || isWrapper(n, "WholeStageCodegen")
	}
}

// isShuffle says whether a node writes and reads a shuffle: an exchange, or a limit with a shuffle
// inside.
func isShuffle(n *Node) bool {
	for _, m := range n.Metrics {
		if shuffleWriteMetrics[m.Name] {
			return true
		}
	}
	return strings.HasSuffix(n.Class, "ShuffleExchangeExec")
}

// isBroadcast says whether a node builds a broadcast relation.
func isBroadcast(n *Node) bool {
	return isWrapper(n, "BroadcastExchange") || strings.HasSuffix(n.Class, "BroadcastExchangeExec")
}

// isHandedOver says whether a node reads the rows of an RDD, which code of another plan may make
// (RDDScanExec, of a LogicalRDD).
func isHandedOver(n *Node) bool {
	return classIs(n, "RDDScanExec") || classIs(n, "ExternalRDDScanExec")
}

// endsStage says whether what is below a node runs in another stage.
func endsStage(n *Node) bool { return isShuffle(n) || isBroadcast(n) || n.Subquery }
