package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
)

func outlined(parent int, place, operator string) attribution.Node {
	return attribution.Node{Parent: parent, Stage: place, Operator: operator}
}

// The last update comes first; what only an earlier one has stands below the same operator.
func TestOutlineOfAPlanThatChanged(t *testing.T) {
	plan := &attribution.Plan{Query: "q1-5", Plan: "p1-6", Updates: []attribution.Tree{
		{Nodes: []attribution.Node{outlined(-1, "result", "sort@1"), outlined(0, "", ""), outlined(1, "result", "join@2"), outlined(2, "old", "scan@3"), outlined(2, "right", "scan@4")}},
		{Update: 1, Nodes: []attribution.Node{outlined(-1, "", ""), outlined(0, "result", "sort@1"), outlined(1, "result", "join@2"), outlined(2, "right", "scan@4"),
			outlined(1, "result", "join@2")}},
	}}
	got := outlineOf(&execution{id: 7, plan: plan})
	for i := range got.Nodes {
		require.NotZero(t, got.Nodes[i].Subplan)
		got.Nodes[i].Subplan = 0
	}
	require.Equal(t, PlanOutline{Query: "q1-5", Plan: "p1-6", Execution: 7, Nodes: []OutlineNode{
		{Parent: -1, StagePlace: "result", Operator: "sort@1"},
		{Parent: 0, StagePlace: "result", Operator: "join@2"},
		{Parent: 1, StagePlace: "right", Operator: "scan@4"},
		{Parent: 1, StagePlace: "old", Operator: "scan@3"},
	}}, got)
}

// A subplan is the same under another root, with other numbers of Spark's and in other wrappers;
// with another literal it is another.
func TestSubplans(t *testing.T) {
	scan := func(parent int, literal string) attribution.Node {
		n := outlined(parent, "s", "scan@1")
		n.Text = "Scan t(a#7L) a#7L > " + literal + " [plan_id=33]"
		return n
	}
	alone := subplansOf([]attribution.Node{outlined(-1, "s", "sort@2"), scan(0, "5")})
	other := scan(2, "5")
	other.Text = "Scan t(a#12L) a#12L > 5 [plan_id=40]"
	wrapped := subplansOf([]attribution.Node{outlined(-1, "s", "write@3"), outlined(0, "s", "sort@2"), outlined(1, "", ""), other})
	require.Equal(t, alone, []uint64{wrapped[1], wrapped[3]})
	require.Equal(t, wrapped[3], wrapped[2])
	literal := subplansOf([]attribution.Node{outlined(-1, "s", "sort@2"), scan(0, "6")})
	require.NotEqual(t, alone[0], literal[0])
	require.NotEqual(t, alone[1], literal[1])
}

// Texts that do not tell which data they read are no subplan, nor is what stands above them.
func TestSubplansOfUnknownData(t *testing.T) {
	of := func(leaf attribution.Node) []uint64 {
		leaf.Parent, leaf.Stage, leaf.Operator = 1, "s", "scan@1"
		return subplansOf([]attribution.Node{outlined(-1, "s", "aggregate@2"), outlined(0, "s", "filter@3"), leaf, outlined(0, "s", "range@4")})
	}
	for _, leaf := range []attribution.Node{
		{Class: "org.apache.spark.sql.execution.RDDScanExec", Text: "Scan ExistingRDD[k#1,v#2]"},
		{Class: "org.apache.spark.sql.execution.ExternalRDDScanExec", Text: "Scan[obj#1]"},
		{Class: "org.apache.spark.sql.execution.LocalTableScanExec", Text: "LocalTableScan [k#1, v#2]"},
		{Text: "FileScan parquet [k#1] Location: InMemoryFileIndex(1 paths)[file:/data/warehouse/..., PartitionFilters: [], ReadSchema: struct<k:int>"},
	} {
		got := of(leaf)
		require.Equal(t, []uint64{0, 0, 0}, got[:3], leaf.Text)
		require.NotZero(t, got[3])
	}
	require.NotContains(t, of(attribution.Node{Text: "FileScan parquet [k#1] Location: InMemoryFileIndex(1 paths)[file:/data/t], ReadSchema: struct<k:int,..."}), uint64(0))
}
