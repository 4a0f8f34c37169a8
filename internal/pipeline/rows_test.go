package pipeline

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// node is a plan node of a test: its parent's index, name, operator ("" for wrappers) with its role
// before the @, place, and metrics.
func node(parent int, name, operator, place string, metrics ...attribution.Metric) attribution.Node {
	role := ""
	for i := range operator {
		if operator[i] == '@' {
			role = operator[:i]
		}
	}
	return attribution.Node{Parent: parent, Name: name, Operator: operator, OperatorName: "Op " + operator, Role: role, Stage: place, Metrics: metrics}
}

func output(id int64) attribution.Metric {
	return attribution.Metric{ID: id, Name: outputRows, Type: "sum"}
}
func written(id int64) attribution.Metric {
	return attribution.Metric{ID: id, Name: recordsWritten, Type: "sum"}
}
func read(id int64) attribution.Metric {
	return attribution.Metric{ID: id, Name: recordsRead, Type: "sum"}
}
func other(id int64) attribution.Metric {
	return attribution.Metric{ID: id, Name: "sort time", Type: "timing"}
}

// Two stages of a query: (scan → filter → project → broadcast join → partial aggregate → exchange),
// (exchange → sort → final aggregate).
func TestRowsTakenIn(t *testing.T) {
	const map_, reduce = "exchange>result", "result"
	nodes := []attribution.Node{
		0:  node(-1, "AdaptiveSparkPlan", "", ""),
		1:  node(0, "WholeStageCodegen (3)", "", reduce, other(1)),
		2:  node(1, "SortAggregate", "aggregate@a", reduce, output(10)),
		3:  node(2, "Sort", "sort@s", reduce, other(11)),
		4:  node(3, "InputAdapter", "", reduce),
		5:  node(4, "AQEShuffleRead", "", reduce, attribution.Metric{ID: 12, Name: "number of partitions", Type: "sum"}),
		6:  node(5, "ShuffleQueryStage", "", reduce),
		7:  node(6, "Exchange", "exchange@e", map_, written(13), read(14)),
		8:  node(7, "WholeStageCodegen (2)", "", map_, other(2)),
		9:  node(8, "SortAggregate", "aggregate@a", map_, output(15)),
		10: node(9, "BroadcastHashJoin", "join@j", map_, output(16)),
		11: node(10, "Project", "project@p", map_),
		12: node(11, "Filter", "filter@f", map_, output(17)),
		13: node(12, "ColumnarToRow", "", map_, output(18)),
		14: node(13, "Scan parquet", "scan@t", map_, output(19)),
		15: node(10, "BroadcastExchange", "broadcast@b", "broadcast", output(20)),
		16: node(15, "Scan parquet", "scan@u", "broadcast", output(21)),
		17: node(12, "Subquery", "", map_),
		18: node(17, "HashAggregate", "aggregate@q", "subquery", output(22)),
	}
	nodes[17].Subquery, nodes[18].Subquery = true, true
	// The first update has copies that never ran: of the join without its filter.
	first := []attribution.Node{
		node(-1, "Exchange", "exchange@e", map_, written(13), read(14)),
		node(0, "SortMergeJoin", "join@j", map_, output(116)),
		node(1, "Scan parquet", "scan@t", map_, output(19)),
	}
	plan := &attribution.Plan{Updates: []attribution.Tree{{Update: 0, Nodes: first}, {Update: 1, Nodes: nodes}}}
	for name, test := range map[string]struct {
		place        string
		accumulators []int64
		want         []rowInput
	}{
		"map": {map_, []int64{2, 13, 15, 16, 17, 18, 19}, []rowInput{
			{nodeNames{"exchange@e", "Op exchange@e (write)", "exchange", "write"}, []tasksample.AccumulatorID{13}, nil, "sort@s", ""},
			{nodeNames{"aggregate@a", "Op aggregate@a", "aggregate", ""}, []tasksample.AccumulatorID{16}, nil, "exchange@e", ""},
			{nodeNames{"join@j", "Op join@j", "join", ""}, []tasksample.AccumulatorID{17}, nil, "aggregate@a", "broadcast@b"},
			{nodeNames{"project@p", "Op project@p", "project", ""}, []tasksample.AccumulatorID{17}, nil, "join@j", ""},
			{nodeNames{"filter@f", "Op filter@f", "filter", ""}, []tasksample.AccumulatorID{18}, nil, "project@p", ""},
			{nodeNames{"scan@t", "Op scan@t", "scan", ""}, []tasksample.AccumulatorID{19}, nil, "filter@f", ""},
		}},
		"reduce": {reduce, []int64{1, 10, 11, 14}, []rowInput{
			{nodeNames{"aggregate@a", "Op aggregate@a", "aggregate", ""}, []tasksample.AccumulatorID{14}, nil, "", ""},
			{nodeNames{"sort@s", "Op sort@s", "sort", ""}, []tasksample.AccumulatorID{14}, nil, "aggregate@a", ""},
			{nodeNames{"exchange@e", "Op exchange@e (read)", "exchange", "read"}, []tasksample.AccumulatorID{14}, nil, "sort@s", ""},
		}},
		"broadcast": {"broadcast", []int64{21}, []rowInput{
			{nodeNames{"broadcast@b", "Op broadcast@b", "broadcast", ""}, []tasksample.AccumulatorID{21}, nil, "join@j", ""},
			{nodeNames{"scan@u", "Op scan@u", "scan", ""}, []tasksample.AccumulatorID{21}, nil, "broadcast@b", ""},
		}},
		"nothing runs": {"", []int64{}, []rowInput{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, rowInputs(plan, &stage{accumulators: test.accumulators, place: test.place}))
		})
	}
}

// A filter that lets nothing through and a join above it: Spark sends no metric that is 0. What
// neither is at the stage's place nor has an input there does not run.
func TestRowsOfOperatorsThatGiveNone(t *testing.T) {
	nodes := []attribution.Node{
		node(-1, "BroadcastHashJoin", "join@j", "result", output(10)),
		node(0, "Filter", "filter@f", "result", output(11)),
		node(1, "ColumnarToRow", "", "result", output(12)),
		node(2, "Scan parquet", "scan@s", "result", output(13)),
		node(0, "BroadcastExchange", "broadcast@b", "broadcast", output(14)),
		node(4, "Filter", "filter@g", "broadcast", output(15)),
		node(5, "Scan parquet", "scan@u", "broadcast", output(16)),
	}
	plan := &attribution.Plan{Updates: []attribution.Tree{{Nodes: nodes}}}
	rows := func(place string, accumulators ...int64) map[string][]tasksample.AccumulatorID {
		out := map[string][]tasksample.AccumulatorID{}
		for _, in := range rowInputs(plan, &stage{accumulators: accumulators, place: place}) {
			out[in.names.operator] = in.ids
		}
		return out
	}
	require.Equal(t, map[string][]tasksample.AccumulatorID{"filter@f": {12}, "scan@s": {13}}, rows("result", 12, 13))
	require.Equal(t, map[string][]tasksample.AccumulatorID{"join@j": {11}, "filter@f": {12}, "scan@s": {13}}, rows("result", 11, 12, 13))
	require.Equal(t, map[string][]tasksample.AccumulatorID{"broadcast@b": {15}, "filter@g": {16}, "scan@u": {16}}, rows("broadcast", 15, 16))
}

// The node of each operator comes with its rows if the agent counted what a row's cost depends on;
// in such a plan an operator may count nothing.
func TestRowsComeWithTheirNode(t *testing.T) {
	nodes := []attribution.Node{node(-1, "Filter", "filter@f", "result", output(12)), node(0, "Scan parquet", "scan@s", "result", output(13))}
	nodes[1].Counts = []attribution.Count{{Name: "width", N: 3}}
	inputs := rowInputs(&attribution.Plan{Updates: []attribution.Tree{{Nodes: nodes}}}, &stage{accumulators: []int64{12, 13}, place: "result"})
	require.Len(t, inputs, 2)
	require.Same(t, &nodes[0], inputs[0].node)
	require.Same(t, &nodes[1], inputs[1].node)
}

// A join looks rows up in the broadcast below it, behind wrappers, or in one that stands elsewhere
// and is reused. One of another number is not it.
func TestBuildsOfJoins(t *testing.T) {
	nodes := []attribution.Node{
		0: node(-1, "BroadcastHashJoin", "join@j", "result", output(10)),
		1: node(0, "BroadcastHashJoin", "join@k", "result", output(11)),
		2: node(1, "Scan parquet", "scan@s", "result", output(12)),
		3: node(1, "BroadcastQueryStage", "", "result"),
		4: node(3, "BroadcastExchange", "broadcast@b", "broadcast", output(13)),
		5: node(0, "BroadcastQueryStage", "", "result"),
		6: node(5, "ReusedExchange", "", "result"),
	}
	nodes[4].Text = "BroadcastExchange HashedRelationBroadcastMode(List(input[0, bigint, true]),false), [plan_id=17]"
	builds := func() map[string]string {
		out := map[string]string{}
		for _, in := range rowInputs(&attribution.Plan{Updates: []attribution.Tree{{Nodes: nodes}}}, &stage{accumulators: []int64{10, 11, 12}, place: "result"}) {
			out[in.names.operator] = in.build
		}
		return out
	}
	nodes[6].Text = "ReusedExchange [id#4L], BroadcastExchange HashedRelationBroadcastMode(List(input[0, bigint, true]),false), [plan_id=17]"
	require.Equal(t, map[string]string{"join@j": "broadcast@b", "join@k": "broadcast@b", "scan@s": ""}, builds())
	nodes[6].Text = "ReusedExchange [id#4L], BroadcastExchange HashedRelationBroadcastMode(List(input[0, bigint, true]),false), [plan_id=7]"
	require.Equal(t, map[string]string{"join@j": "", "join@k": "broadcast@b", "scan@s": ""}, builds())
}

// An operator with a shuffle of its own: before it the rows from below, after it the records read.
func TestRowsTakenInAroundAnOwnShuffle(t *testing.T) {
	plan := &attribution.Plan{Updates: []attribution.Tree{{Nodes: []attribution.Node{
		node(-1, "TakeOrderedAndProject", "top@t", "result", written(10), read(11)),
		node(0, "Filter", "filter@f", "result", output(12)),
		node(1, "Scan parquet", "scan@s", "result", output(13)),
	}}}}
	top := nodeNames{"top@t", "Op top@t", "top", ""}
	require.Equal(t, []tasksample.AccumulatorID{12}, rowInputs(plan, &stage{accumulators: []int64{10, 12, 13}, place: "result"})[0].ids)
	require.Equal(t, []rowInput{{top, []tasksample.AccumulatorID{11}, nil, "", ""}}, rowInputs(plan, &stage{accumulators: []int64{11}, place: "result"}))
}

// Both aggregates of an operator in one stage, and a union: rows that come in from outside, each
// once.
func TestRowsTakenInFromOutside(t *testing.T) {
	plan := &attribution.Plan{Updates: []attribution.Tree{{Nodes: []attribution.Node{
		node(-1, "HashAggregate", "aggregate@a", "result", output(10)),
		node(0, "HashAggregate", "aggregate@a", "result", output(11)),
		node(1, "Union", "union@u", "result"),
		node(2, "Range", "scan@r", "result", output(12)),
		node(2, "Exchange", "exchange@e", "exchange>result", written(13), read(14)),
	}}}}
	require.Equal(t, []rowInput{
		{nodeNames{"aggregate@a", "Op aggregate@a", "aggregate", ""}, []tasksample.AccumulatorID{12, 14}, nil, "", ""},
		{nodeNames{"union@u", "Op union@u", "union", ""}, []tasksample.AccumulatorID{12, 14}, nil, "aggregate@a", ""},
		{nodeNames{"scan@r", "Op scan@r", "scan", ""}, []tasksample.AccumulatorID{12}, nil, "union@u", ""},
		{nodeNames{"exchange@e", "Op exchange@e (read)", "exchange", "read"}, []tasksample.AccumulatorID{14}, nil, "union@u", ""},
	}, rowInputs(plan, &stage{accumulators: []int64{10, 11, 12, 14}, place: "result"}))
}

// An operator of which a record has no accumulator took in no rows; sums of a metric that was never
// set are not negative.
func TestRowsOfARecord(t *testing.T) {
	s := &stage{inputs: []rowInput{
		{names: nodeNames{"join@j", "Join", "join", ""}, ids: []tasksample.AccumulatorID{3, 5}},
		{names: nodeNames{"scan@t", "Scan", "scan", ""}, ids: []tasksample.AccumulatorID{7}, above: "join@j"},
		{names: nodeNames{"scan@u", "Scan", "scan", ""}, ids: []tasksample.AccumulatorID{9}, above: "join@j", build: "broadcast@b"},
	}}
	require.Equal(t, "[{join@j Join join 28 <nil>  } {scan@t Scan scan 0 <nil> join@j } {scan@u Scan scan 0 <nil> join@j broadcast@b}]", fmt.Sprint(s.rows(nil, &jvmlog.Rows{
		Accumulated: []jvmlog.Accumulated{{ID: 3, Sum: 11}, {ID: 5, Sum: 17}, {ID: 7, Sum: -1}, {ID: 8, Sum: 1000}}})))
}
