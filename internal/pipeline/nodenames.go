package pipeline

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/planflame/planflame/attribution"
)

// nodeNames are the names under which a plan node's CPU is shown. The part is the end of an
// exchange; of other operators a sample's stack tells it.
type nodeNames struct {
	operator, name, role string
	part                 attribution.Part
}

// exchangeRole is the role of a shuffle's exchange.
const exchangeRole = "exchange"

// broadcastRole is the role of a broadcast's exchange.
const broadcastRole = "broadcast"

// namedNode is a plan node and, of an exchange, the end that a stage works at.
type namedNode struct {
	node *attribution.Node
	end  attribution.Part
}

// endOf is the end of an exchange that a stage's metrics tell of: two stages work for one node.
// PartNone for any other node and while nothing is known of the stage.
func endOf(n *attribution.Node, s *stage) attribution.Part {
	if n.Role != exchangeRole || s == nil {
		return attribution.PartNone
	}
	for _, m := range n.Metrics {
		if _, found := slices.BinarySearch(s.accumulators, m.ID); !found {
			continue
		}
		switch m.Name {
		case recordsWritten:
			return attribution.PartWrite
		case recordsRead:
			return attribution.PartRead
		}
	}
	return attribution.PartNone
}

// namesOf names a node. A wrapper has no name of its own (ColumnarToRow, WholeStageCodegen …),
// since its work is done for the node that it wraps. It takes the name of the nearest named node
// below it, else of the nearest above, else its class's.
func namesOf(plan *attribution.Plan, key namedNode) nodeNames {
	node := key.node
	if node.Operator != "" {
		return ownNames(node, key.end)
	}
	tree, at := locate(plan, node)
	if at >= 0 {
		for i := at + 1; i < len(tree.Nodes) && below(tree.Nodes, i, at); i++ {
			if tree.Nodes[i].Operator != "" {
				return ownNames(&tree.Nodes[i], attribution.PartRead)
			}
		}
		for i := node.Parent; i >= 0; i = tree.Nodes[i].Parent {
			if tree.Nodes[i].Operator != "" {
				return ownNames(&tree.Nodes[i], attribution.PartWrite)
			}
		}
	}
	return nodeNames{operator: node.Name, name: node.Name, role: node.Role}
}

// ownNames are a node's own, with the end if it is an exchange. The name for people says the end.
func ownNames(n *attribution.Node, end attribution.Part) nodeNames {
	out := nodeNames{operator: n.Operator, name: cmp.Or(n.OperatorName, n.Name), role: n.Role}
	if n.Role == exchangeRole && end != attribution.PartNone {
		out.name, out.part = fmt.Sprintf("%s (%s)", out.name, end), end
	}
	return out
}

// locate finds the tree of a plan that holds a node, and the node's index; -1 where no tree does.
func locate(plan *attribution.Plan, node *attribution.Node) (attribution.Tree, int) {
	for _, tree := range plan.Updates {
		for i := range tree.Nodes {
			if &tree.Nodes[i] == node {
				return tree, i
			}
		}
	}
	return attribution.Tree{}, -1
}

// below reports whether node i stands below node top; in pre-order a parent's index is always
// smaller.
func below(nodes []attribution.Node, i, top int) bool {
	for i > top {
		i = nodes[i].Parent
	}
	return i == top
}
