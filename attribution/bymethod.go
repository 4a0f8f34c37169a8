package attribution

import "strings"

// byMethod is the node that a generated frame's names suggest if its source is not known. It is
// sought in the subtree with its codegenStageId that the stage runs: the operator with its method's
// prefix, else the topmost.
func (s *stack) byMethod(f *Frame) place {
	if s.plan == nil {
		return place{}
	}
	id, prefix := stageIDOf(simpleName(f.Class), nil), prefixOf(f.Method)
	for _, t := range s.plan.trees {
		for _, w := range t.wholes {
			if id != 0 && t.nodes[w].CodegenStageID != id {
				continue
			}
			hits, first, match := s.set.count(&t.nodes[w], nil), place{}, place{}
			place{t, w}.below(func(p place) bool {
				n := p.node()
				if isWrapper(n, "InputAdapter") || n.Codegen != w && n.Codegen >= 0 || n.Subquery {
					return false
				}
				hits += s.set.count(n, nil)
				if first.tree == nil {
					first = p
				}
				if match.tree == nil && prefix != "" && variablePrefix(n) == prefix {
					match = p
				}
				return true
			})
			switch {
			case s.set != nil && hits == 0:
			case match.tree != nil:
				return match
			case first.tree != nil:
				return first
			}
		}
	}
	return place{}
}

// variablePrefix is the prefix that Spark gives to the identifiers of an operator
// (CodegenSupport.variablePrefix).
func variablePrefix(n *Node) string {
	name := strings.TrimSpace(n.Name)
	for class, prefix := range map[string]string{"HashAggregate": "hashAgg", "SortAggregate": "sortAgg", "BroadcastHashJoin": "bhj",
		"ShuffledHashJoin": "shj", "SortMergeJoin": "smj", "BroadcastNestedLoopJoin": "bnlj"} {
		if name == class {
			return prefix
		}
	}
	return strings.ToLower(name)
}
