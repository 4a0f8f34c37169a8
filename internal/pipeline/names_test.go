package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

func TestOperatorAt(t *testing.T) {
	const generated = "org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage1"
	stack := []codemap.Frame{
		frame("java.lang.Math"), frame(generated), frame(generated + "$hashAgg_FastHashMap_0"), frame("org.apache.spark.sql.execution.BufferedRowIterator"),
		frame(generated), frame("org.apache.spark.scheduler.Task"),
	}
	tests := []struct {
		name    string
		decided int
		want    int
	}{
		{"around all generated frames that touch", 1, 2},
		{"an outer pipeline's frame is its own", 4, 4},
		{"a frame that is not generated", 0, 0},
		{"no frame decided: at the root", -1, 5},
		{"beyond the stack: at the root", 17, 5},
	}
	for _, test := range tests {
		require.Equal(t, test.want, operatorAt(stack, test.decided), test.name)
	}
	require.Equal(t, -1, operatorAt(nil, -1), "no frames")
}

// wrapped is a plan of which some nodes have no name: 0 WholeStageCodegen → 1 Project → 2
// ColumnarToRow → 3 InputAdapter → 4 Scan; 5 an unnamed leaf below Project.
func wrapped() *attribution.Plan {
	return &attribution.Plan{Updates: []attribution.Tree{{Nodes: []attribution.Node{
		{Parent: -1, Name: "WholeStageCodegen (1)"},
		{Parent: 0, Name: "Project", Operator: "project@1", OperatorName: "Project a", Role: "project"},
		{Parent: 1, Name: "ColumnarToRow"},
		{Parent: 2, Name: "InputAdapter"},
		{Parent: 3, Name: "Scan", Operator: "scan@2", Role: "scan"},
		{Parent: 1, Name: "Leaf"},
	}}}}
}

func TestNamesOf(t *testing.T) {
	tests := []struct {
		node int
		want nodeNames
	}{
		{0, nodeNames{"project@1", "Project a", "project", ""}},
		{1, nodeNames{"project@1", "Project a", "project", ""}},
		{2, nodeNames{"scan@2", "Scan", "scan", ""}},
		{4, nodeNames{"scan@2", "Scan", "scan", ""}},
		{5, nodeNames{"project@1", "Project a", "project", ""}},
	}
	for _, test := range tests {
		p := wrapped()
		require.Equal(t, test.want, namesOf(p, namedNode{node: &p.Updates[0].Nodes[test.node]}), "node %d", test.node)
	}
	require.Equal(t, nodeNames{"Lone", "Lone", "", ""}, namesOf(wrapped(), namedNode{node: &attribution.Node{Name: "Lone"}}), "a node of no plan")
}

// TestExchangeNames: the two stages that work for an exchange are told apart, and what wraps it
// only reads it.
func TestExchangeNames(t *testing.T) {
	metrics := []attribution.Metric{{ID: 4, Name: "data size"}, {ID: 7, Name: recordsWritten}, {ID: 9, Name: recordsRead}}
	plan := &attribution.Plan{Updates: []attribution.Tree{{Nodes: []attribution.Node{
		{Parent: -1, Name: "AQEShuffleRead"},
		{Parent: 0, Name: "Exchange", Operator: "exchange@1", OperatorName: "Exchange orders → join, left", Role: "exchange", Metrics: metrics},
		{Parent: 1, Name: "InputAdapter"},
	}}}}
	nodes := plan.Updates[0].Nodes
	tests := []struct {
		node         int
		accumulators []int64
		want         string
		part         attribution.Part
	}{
		{1, []int64{4, 7}, "Exchange orders → join, left (write)", "write"},
		{1, []int64{2, 9}, "Exchange orders → join, left (read)", "read"},
		{1, []int64{4}, "Exchange orders → join, left", ""},
		{1, nil, "Exchange orders → join, left", ""},
		{0, []int64{9}, "Exchange orders → join, left (read)", "read"},
		{2, []int64{7}, "Exchange orders → join, left (write)", "write"},
	}
	for _, test := range tests {
		key := namedNode{&nodes[test.node], endOf(&nodes[test.node], &stage{accumulators: test.accumulators})}
		require.Equal(t, nodeNames{"exchange@1", test.want, "exchange", test.part}, namesOf(plan, key), "node %d, %v", test.node, test.accumulators)
	}
	require.Equal(t, attribution.PartNone, endOf(&nodes[1], nil), "nothing is known of the stage")
}

func TestPlaceOf(t *testing.T) {
	plan := &attribution.Plan{Updates: []attribution.Tree{
		{Nodes: []attribution.Node{
			{Stage: "b", Metrics: []attribution.Metric{{ID: 3}}}, {Stage: "b", Metrics: []attribution.Metric{{ID: 5}}}, {Stage: "a", Metrics: []attribution.Metric{{ID: 7}}},
		}},
		{Nodes: []attribution.Node{{Stage: "a", Metrics: []attribution.Metric{{ID: 9}}}, {Metrics: []attribution.Metric{{ID: 3}}}}},
	}}
	tests := []struct {
		accumulators []int64
		want         string
	}{
		{[]int64{3, 5, 7}, "b"},
		{[]int64{7, 9}, "a"},
		{[]int64{3, 7}, "a"}, // as many: the first in the alphabet
		{[]int64{1, 2}, ""},
		{nil, ""},
	}
	for _, test := range tests {
		got, matched := placeOf(plan, test.accumulators)
		require.Equal(t, test.want, got, "%v", test.accumulators)
		require.Equal(t, test.want != "", matched, "%v", test.accumulators)
	}
}

// TestPlaceOfReader: a stage that reads an exchange, as AQE's local reads do, and runs one operator
// of its own is not at the writing stage's place. It does not matter how many updates of the plan
// show the exchange.
func TestPlaceOfReader(t *testing.T) {
	exchange := attribution.Node{Stage: "exchange>join", Metrics: []attribution.Metric{
		{ID: 1, Name: "shuffle records written"}, {ID: 2, Name: "records read"}, {ID: 3, Name: "local bytes read"}}}
	scan := attribution.Node{Stage: "exchange>join", Metrics: []attribution.Metric{{ID: 4, Name: "number of output rows"}}}
	join := attribution.Node{Stage: "result", Metrics: []attribution.Metric{{ID: 5, Name: "number of output rows"}}}
	plan := &attribution.Plan{Updates: []attribution.Tree{
		{Nodes: []attribution.Node{exchange, scan}}, {Update: 1, Nodes: []attribution.Node{exchange, scan}}, {Update: 2, Nodes: []attribution.Node{join, exchange, scan}},
	}}
	for _, test := range []struct {
		accumulators []int64
		place        string
		matched      bool
	}{
		{[]int64{1, 4}, "exchange>join", true},
		{[]int64{2, 3, 5}, "result", true},
		{[]int64{2, 3}, "", true}, // known, but nothing tells where
	} {
		place, matched := placeOf(plan, test.accumulators)
		require.Equal(t, test.place, place, "%v", test.accumulators)
		require.Equal(t, test.matched, matched, "%v", test.accumulators)
	}
}

func TestGeneratedClass(t *testing.T) {
	outer := "org.apache.spark.sql.catalyst.expressions.GeneratedClass"
	tests := []struct{ body, want string }{
		{"public Object generate(Object[] references) {\n  return new GeneratedIteratorForCodegenStage7(references);\n}\n", "GeneratedIteratorForCodegenStage7"},
		{"public java.lang.Object generate(Object[] references) {\n return new SpecificUnsafeProjection(references);\n}", "SpecificUnsafeProjection"},
		{"no such method", outer},
	}
	for _, test := range tests {
		require.Equal(t, test.want, generatedClass(&jvmlog.Source{Class: outer, Body: test.body}))
	}
}
