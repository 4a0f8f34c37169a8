package pipeline

import (
	"slices"

	"github.com/planflame/planflame/attribution"
)

// nodeNames are the names under which a plan node's CPU is shown.
type nodeNames struct{ operator, name, role string }

// exchangeRole is the role of a shuffle's exchange.
const exchangeRole = "exchange"

// exchangeEnd is one end of an exchange, which the name for people says: two stages work for one
// node.
type exchangeEnd string

const (
	noEnd    exchangeEnd = ""
	writeEnd exchangeEnd = " (write)"
	readEnd  exchangeEnd = " (read)"
)

// namedNode is a plan node and, of an exchange, the end that a stage works at.
type namedNode struct {
	node *attribution.Node
	end  exchangeEnd
}

// endOf is the end of an exchange that a stage's metrics tell of; noEnd for any other node and
// while nothing is known of the stage.
func endOf(n *attribution.Node, s *stage) exchangeEnd {
	if n.Role != exchangeRole || s == nil {
		return noEnd
	}
	for _, m := range n.Metrics {
		if _, found := slices.BinarySearch(s.accumulators, m.ID); !found {
			continue
		}
		switch m.Name {
		case recordsWritten:
			return writeEnd
		case recordsRead:
			return readEnd
		}
	}
	return noEnd
}

// namesOf names a node. A wrapper has no name of its own (ColumnarToRow, WholeStageCodegen …): its
// work is done for the node that it wraps, so it takes the name of the nearest named node below it,
// else of the nearest above, else its class's.
func namesOf(plan *attribution.Plan, key namedNode) nodeNames {
	node := key.node
	if node.Operator != "" {
		return ownNames(node, key.end)
	}
	tree, at := locate(plan, node)
	if at >= 0 {
		for i := at + 1; i < len(tree.Nodes) && below(tree.Nodes, i, at); i++ {
			if tree.Nodes[i].Operator != "" {
				return ownNames(&tree.Nodes[i], readEnd)
			}
		}
		for i := node.Parent; i >= 0; i = tree.Nodes[i].Parent {
			if tree.Nodes[i].Operator != "" {
				return ownNames(&tree.Nodes[i], writeEnd)
			}
		}
	}
	return nodeNames{operator: node.Name, name: node.Name, role: node.Role}
}

// ownNames are a node's own, with the end if it is an exchange.
func ownNames(n *attribution.Node, end exchangeEnd) nodeNames {
	name := n.OperatorName
	if name == "" {
		name = n.Name
	}
	if n.Role == exchangeRole {
		name += string(end)
	}
	return nodeNames{operator: n.Operator, name: name, role: n.Role}
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

// below says whether node i stands below node top; in pre-order a parent's index is always smaller.
func below(nodes []attribution.Node, i, top int) bool {
	for i > top {
		i = nodes[i].Parent
	}
	return i == top
}
