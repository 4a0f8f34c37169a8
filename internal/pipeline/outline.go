package pipeline

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// PlanOutline is the tree of the named operators of one execution's plan, as its last update has
// it.
type PlanOutline struct {
	Query, Plan string
	Execution   tasksample.ExecutionID
	Nodes       []OutlineNode // pre-order
}

// OutlineNode is an operator in a PlanOutline.
type OutlineNode struct {
	Parent     int // index of the nearest named operator above it; -1 for none
	StagePlace string
	Operator   string
	// Subplan is a hash of what the node computes: its text and the texts of all named nodes below
	// it, with literals and paths, without Spark's numbers. It is 0 if these do not tell from which
	// data.
	Subplan uint64
}

// Plans returns the outlines of the plans that are known of a JVM, the plans of the newest
// application first, by execution; none once the JVM is gone.
func (p *Pipeline) Plans(id sampler.JVMID) (out []PlanOutline) {
	for j := p.jvms[id]; j != nil; j = j.before {
		for _, id := range slices.Sorted(maps.Keys(j.ops.executions)) {
			if x := j.ops.executions[id].Value.(*execution); x.plan != nil {
				out = append(out, outlineOf(x))
			}
		}
		out = append(out, j.ops.outlinesOfRDDs()...)
	}
	return out
}

// outlineOf is the outline of an execution. What only earlier updates have stands behind what the
// last one has below the same operator.
func outlineOf(x *execution) PlanOutline {
	type placed struct{ place, operator string }
	var nodes []OutlineNode
	known := map[placed]int{} // → index of nodes
	for _, tree := range slices.Backward(x.plan.Updates) {
		subplans := subplansOf(tree.Nodes)
		at := make([]int, len(tree.Nodes)) // index in nodes of the node, or of the nearest named one above it
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			if at[i] = -1; n.Parent >= 0 {
				at[i] = at[n.Parent]
			}
			if n.Operator == "" {
				continue
			}
			key := placed{n.Stage, n.Operator}
			if _, ok := known[key]; !ok {
				known[key] = len(nodes)
				nodes = append(nodes, OutlineNode{Parent: at[i], StagePlace: n.Stage, Operator: n.Operator, Subplan: subplans[i]})
			}
			at[i] = known[key]
		}
	}
	return PlanOutline{Query: x.plan.Query, Plan: x.plan.Plan, Execution: x.id, Nodes: preorder(nodes)}
}

// sparkNumbers are numbers that Spark gives again in each plan: of expressions, exchanges and
// subqueries.
var sparkNumbers = regexp.MustCompile(`#\d+L?|plan_id=\d+|\[id=#?\d+\]|(subquery|dynamicpruning)#?\w*`)

// anyData are the classes of leaves whose text does not tell which data they read: RDDs and rows of
// the program.
var anyData = []string{"RDDScanExec", "ExternalRDDScanExec", "LocalTableScanExec"}

// readSchema is the end of a file scan's text. Its columns stand before it, too.
var readSchema = regexp.MustCompile(`ReadSchema: .*`)

// tells reports whether a node's text tells what it computes. Spark cuts long texts and puts "..."
// in their place.
func tells(n *attribution.Node) bool {
	return !slices.Contains(anyData, n.Class[strings.LastIndexByte(n.Class, '.')+1:]) && !strings.Contains(readSchema.ReplaceAllString(n.Text, ""), "...")
}

// subplansOf are the hashes of what nodes compute; of a wrapper without a name, what the node below
// it does. They are 0 of a node whose text does not tell it, and of all above.
func subplansOf(nodes []attribution.Node) []uint64 {
	out := make([]uint64, len(nodes))
	below := make([][]uint64, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- { // children come after their parent
		n := &nodes[i]
		switch {
		case n.Operator == "" && len(below[i]) == 1:
			out[i] = below[i][0]
		case tells(n) && !slices.Contains(below[i], 0):
			h := fnv.New64a() // its writes never fail
			_, _ = io.WriteString(h, n.Operator+" "+sparkNumbers.ReplaceAllString(n.Text, ""))
			_ = binary.Write(h, binary.LittleEndian, below[i])
			out[i] = h.Sum64()
		}
		if n.Parent >= 0 {
			below[n.Parent] = append(below[n.Parent], out[i])
		}
	}
	return out
}

// preorder sorts nodes so that each stands before those below it, and these together.
func preorder(nodes []OutlineNode) []OutlineNode {
	children := map[int][]int{}
	for i := range nodes {
		children[nodes[i].Parent] = append(children[nodes[i].Parent], i)
	}
	out := make([]OutlineNode, 0, len(nodes))
	var walk func(node, parent int)
	walk = func(node, parent int) {
		n := nodes[node]
		n.Parent = parent
		at := len(out)
		out = append(out, n)
		for _, c := range children[node] {
			walk(c, at)
		}
	}
	for _, root := range children[-1] {
		walk(root, -1)
	}
	return out
}
