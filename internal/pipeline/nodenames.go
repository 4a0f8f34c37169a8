package pipeline

import "github.com/planflame/planflame/attribution"

// nodeNames are the names under which a plan node's CPU is shown.
type nodeNames struct{ operator, name, role string }

// namesOf names a node. A wrapper has no name of its own (ColumnarToRow, WholeStageCodegen …): its work is done for the node that it
// wraps, so it takes the name of the nearest named node below it, else of the nearest above, else its class's.
func namesOf(plan *attribution.Plan, node *attribution.Node) nodeNames {
	if node.Operator != "" {
		return ownNames(node)
	}
	tree, at := locate(plan, node)
	if at >= 0 {
		for i := at + 1; i < len(tree.Nodes) && below(tree.Nodes, i, at); i++ {
			if tree.Nodes[i].Operator != "" {
				return ownNames(&tree.Nodes[i])
			}
		}
		for i := node.Parent; i >= 0; i = tree.Nodes[i].Parent {
			if tree.Nodes[i].Operator != "" {
				return ownNames(&tree.Nodes[i])
			}
		}
	}
	return nodeNames{operator: node.Name, name: node.Name, role: node.Role}
}

func ownNames(n *attribution.Node) nodeNames {
	name := n.OperatorName
	if name == "" {
		name = n.Name
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
