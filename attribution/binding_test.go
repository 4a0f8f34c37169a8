package attribution

import (
	"slices"
	"testing"
)

// fused are the operators of a unit, and the plan of a subtree, by their names and the parents of
// each.
func fused(names []string, parents []int) (*text, *Plan) {
	u := &text{parents: parents}
	tree := Tree{Nodes: []Node{{Parent: -1, Name: "WholeStageCodegen (1)"}}}
	for i, name := range names {
		u.operators = append(u.operators, Operator{Text: name})
		tree.Nodes = append(tree.Nodes, Node{Parent: parents[i] + 1, Name: name, Text: name, Metrics: []Metric{{ID: int64(i) + 1}}})
	}
	return u, &Plan{Updates: []Tree{tree}}
}

// union is a union of so many filters of scans.
func union(branches int) (names []string, parents []int) {
	names, parents = []string{"Union"}, []int{noOperator}
	for range branches {
		names, parents = append(names, "Filter", "Scan"), append(parents, 0, len(names))
	}
	return names, parents
}

// TestUnionOfFewerBranches: that a unit has a branch more than a subtree is found without trying
// every choice of branches.
func TestUnionOfFewerBranches(t *testing.T) {
	u, own := fused(union(41))
	_, other := fused(union(40))
	if b := bind(u, indexPlan(other), nil); b.whole.tree != nil {
		t.Errorf("bound to %v", b.nodes)
	}
	if b := bind(u, indexPlan(own), nil); len(b.nodes) != 83 || b.nodes[82].at != 83 {
		t.Errorf("bound to %v, want each operator's own node", b.nodes)
	}
}

// TestBranchesThatDoNotFit: operators go to the first children in whose subtrees they fit, in
// order.
func TestBranchesThatDoNotFit(t *testing.T) {
	_, plan := fused(
		[]string{"Union", "Filter", "Sort", "Filter", "Scan", "Scan", "Filter", "Scan", "Filter", "Scan"},
		[]int{noOperator, 0, 1, 0, 3, 0, 0, 6, 0, 8})
	for _, test := range []struct {
		branches int
		want     []int
	}{
		{1, []int{1, 4, 5}},
		{2, []int{1, 4, 5, 7, 8}},
		{3, []int{1, 4, 5, 7, 8, 9, 10}},
		{4, nil},
	} {
		u, _ := fused(union(test.branches))
		var got []int
		for _, p := range bind(u, indexPlan(plan), nil).nodes {
			got = append(got, p.at)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%d branches lie at %v, want %v", test.branches, got, test.want)
		}
	}
}
