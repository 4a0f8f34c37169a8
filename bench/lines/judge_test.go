package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// filterOverRange is a class as Spark writes it, cut down: a Filter (operator 0) over a Range (1).
// Line 10 is signed by the Filter although it assigns a variable of the Range's, so that
// attribution is wrong there.
const (
	filterOverRange = `final class GeneratedIteratorForCodegenStage1 extends org.apache.spark.sql.execution.BufferedRowIterator {
protected void processNext() throws java.io.IOException {
/*filter_c_0*/
/*range_c_0*/
while (range_batch_0 < 7) {
long range_value_0 = range_batch_0;
/*filter_c_1*/
do {
boolean filter_value_0 = range_value_0 > 5L;
range_nextIndex_0 = 3;
} while (false);
}
}
}
`
	filterOverRangeSigned = `final class GeneratedIteratorForCodegenStage1 extends org.apache.spark.sql.execution.BufferedRowIterator {
protected void processNext() throws java.io.IOException {
/*filter_c_0*/
/*@<0*/
/*range_c_0*/
/*@<1*/
while (range_batch_0 < 7) {
long range_value_0 = range_batch_0;
/*filter_c_1*/
/*@<0*/
do {
/*@<0e*/boolean filter_value_0 = range_value_0 > 5L;/*@>*/
range_nextIndex_0 = 3;
} while (false);/*@>*/
}
/*@>*/
/*@>*/
}
}
`
	filterOverRangePlan = `{"version": 1, "execution_id": 4, "update": 0, "nodes": [
{"parent": -1, "name": "WholeStageCodegen (1)", "class": "x.WholeStageCodegenExec", "codegen_stage_id": 1, "text": "WholeStageCodegen (1)", "metrics": [{"id": 31, "name": "duration"}]},
{"parent": 0, "name": "Filter", "class": "x.FilterExec", "codegen": 0, "text": "Filter (id > 5)", "metrics": [{"id": 37, "name": "number of output rows"}]},
{"parent": 1, "name": "Range", "class": "x.RangeExec", "codegen": 0, "text": "Range (0, 7)", "metrics": [{"id": 41, "name": "number of output rows"}]}]}`
)

func filterCase(t *testing.T) *oracleCase {
	t.Helper()
	c, err := parseCase([]byte(`{"query": "q", "spark": "4.3.0", "plans": [` + filterOverRangePlan + `]}`))
	require.NoError(t, err)
	c.Units = []unit{{Whole: 0, Class: "GeneratedIteratorForCodegenStage1", Body: filterOverRange, Signed: filterOverRangeSigned, Owners: []int{1, 2},
		Comments:     map[string]string{"filter_c_0": "// PRODUCE: Filter (id > 5)", "range_c_0": "// PRODUCE: Range (0, 7)", "filter_c_1": "// CONSUME: Filter (id > 5)"},
		Accumulators: []int64{31, 37, 41}}}
	return c
}

func TestJudge(t *testing.T) {
	c := filterCase(t)
	u := &c.Units[0]
	u.Mutations = []mutation{
		{Node: 1, What: "5 -> 6", Body: replaced(filterOverRange, "> 5L", "> 6L")},
		{Node: 2, What: "5 -> 8", Body: replaced(filterOverRange, "> 5L", "> 8L")}, // the oracles disagree
		{Node: 1, What: "none", Body: filterOverRange},
		{Node: 1, What: "a line that no one signed", Body: replaced(filterOverRange, "BufferedRowIterator {", "BufferedIterator {")},
		{Node: 1, What: "refused", Refused: "x"},
		{Node: 1, What: "longer", Body: filterOverRange + "more;"},
	}
	j, err := c.judge(u)
	require.NoError(t, err)
	type line struct {
		line    int
		outcome outcome
		want    string
	}
	var got []line
	for _, l := range j.lines {
		if l.empty {
			continue
		}
		want := ""
		if l.want != nil {
			want = l.want.Name
		}
		got = append(got, line{l.line, l.outcome, want})
	}
	assert.Equal(t, []line{{5, right, "Range"}, {6, right, "Range"}, {9, right, "Filter"}, {10, wrong, "Filter"}}, got)
	assert.Equal(t, mutationCounts{Tried: 6, Refused: 1, NoEffect: 1, Unconfined: 1, Confined: 3, Lines: 3, Agree: 1, Disagree: 1, Unsigned: 1}, j.mutations)
	assert.Equal(t, []disagreement{{Query: "q", Line: 9, Code: "boolean filter_value_0 = range_value_0 > 5L;", Mutated: "Range (0, 7)", What: "5 -> 8", SignedBy: "Filter (id > 5)"}}, j.disagree)
}

func TestJudgeNothingWhereSigningChangedTheText(t *testing.T) {
	c := filterCase(t)
	u := &c.Units[0]
	u.Signed = replaced(u.Signed, "range_batch_0 < 7", "range_batch_1 < 7")
	j, err := c.judge(u)
	require.NoError(t, err)
	assert.Contains(t, j.differs, "range_batch_1")
	for _, l := range j.lines {
		assert.Equal(t, unsame, l.outcome)
	}
}

func TestTarget(t *testing.T) {
	c, err := parseCase([]byte(`{"query": "q", "plans": [{"version": 1, "execution_id": 4, "nodes": [
{"parent": -1, "name": "WholeStageCodegen (2)"}, {"parent": 0, "name": "HashAggregate"}, {"parent": 1, "name": "InputAdapter"},
{"parent": 2, "name": "AQEShuffleRead"}, {"parent": 3, "name": "ShuffleQueryStage"}, {"parent": 4, "name": "Exchange"}]}]}`))
	require.NoError(t, err)
	for node, want := range map[int]int{0: 1, 1: 1, 2: 5, 5: 5} {
		assert.Equal(t, want, c.target(node), "node %d", node)
	}
}

func TestParseCaseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{"query": "q", "plans": []}`:                                                                                `statement "q" has no plan`,
		`{"plans": [` + filterOverRangePlan + `], "units": [{"whole": 3}]}`:                                          "unit 0: node 3 of 3",
		`{"plans": [` + filterOverRangePlan + `], "units": [{"whole": 0, "owners": [-1]}]}`:                          "unit 0: node -1 of 3",
		`{"plans": [` + filterOverRangePlan + `], "units": [{"whole": 0, "mutations": [{"node": 2}, {"node": 9}]}]}`: "unit 0, mutation 1: node 9 of 3",
		`{"plans": [{"version": 1, "execution_id": 4, "nodes": [{"parent": 0}]}]}`:                                   `"parent"`,
		`{"plans": [` + filterOverRangePlan + `, {"version": 1, "execution_id": 5, "update": 1, "nodes": []}]}`:      "execution 4",
	} {
		_, err := parseCase([]byte(text))
		assert.ErrorContains(t, err, want, text)
	}
}

func TestLinesWithoutInstructions(t *testing.T) {
	lines, err := codeLines(`public Object generate(Object[] references) {
private int x = new int[] {1};
private void a_0(int y, long z)
throws java.io.IOException {
if (a) {
b(c);
} else {
do {
continue;
} while (false);
}
while (a) {
}
private boolean find(
scala.collection.Iterator left) {
return true;
}`)
	require.NoError(t, err)
	head := heads(lines)
	var with []string
	for i, l := range lines {
		if !head[i] && !noInstruction(l.code) {
			with = append(with, l.code)
		}
	}
	assert.Equal(t, []string{"private int x = new int[] {1};", "if (a) {", "b(c);", "continue;", "while (a) {", "return true;"}, with)
}
