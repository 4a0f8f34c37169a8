package attribution

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

const smallPlan = `{"version": 1, "execution_id": 11, "update": 2, "identity": 1, "query": "q1-aa", "query_name": "nightly", "plan": "p1-bb",
 "description": "run 3", "call_site": "etl.py:9", "future": {"x": 1}, "nodes": [
 {"parent": -1, "class": "a.b.WholeStageCodegenExec", "name": "WholeStageCodegen (5)", "text": "WholeStageCodegen (5)", "operator": "",
  "operator_name": "", "role": "", "mode": "", "codegen": -1, "codegen_stage_id": 5, "stage": "s>t", "subquery": false, "metrics": []},
 {"parent": 0, "class": "a.b.FilterExec", "name": "Filter", "text": "Filter (x#3 > 7)", "operator": "filter@12", "operator_name": "Filter x > 7", "line": "etl.py:7",
  "role": "filter", "mode": "partial", "counts": {"like": 4, "keys": 2}, "codegen": 0, "codegen_stage_id": null, "stage": "s>` + "\xff" + `u", "subquery": true,
  "metrics": [{"id": 17, "name": "number of output rows", "type": "sum"}]}]}`

func TestParsePlanUpdate(t *testing.T) {
	u, err := ParsePlanUpdate([]byte(smallPlan))
	if err != nil {
		t.Fatal(err)
	}
	if u.ExecutionID != 11 || u.Query != "q1-aa" || u.QueryName != "nightly" || u.Plan != "p1-bb" || u.Description != "run 3" || u.CallSite != "etl.py:9" || u.Tree.Update != 2 {
		t.Errorf("update %+v", u)
	}
	if len(u.Tree.Nodes) != 2 {
		t.Fatalf("%d nodes, want 2", len(u.Tree.Nodes))
	}
	whole, n := u.Tree.Nodes[0], u.Tree.Nodes[1]
	if whole.Parent != -1 || whole.CodegenStageID != 5 || whole.Codegen != -1 || whole.Stage != "s>t" || len(whole.Metrics) != 0 {
		t.Errorf("node 0 %+v", whole)
	}
	if n.Parent != 0 || n.Class != "a.b.FilterExec" || n.Name != "Filter" || n.Text != "Filter (x#3 > 7)" || n.Operator != "filter@12" ||
		n.OperatorName != "Filter x > 7" || n.Line != "etl.py:7" || n.Role != "filter" || n.Mode != "partial" || n.Codegen != 0 || n.CodegenStageID != 0 ||
		n.Stage != "s>\ufffdu" || !n.Subquery || len(n.Metrics) != 1 || n.Metrics[0] != (Metric{17, "number of output rows", "sum"}) ||
		!slices.Equal(n.Counts, []Count{{"keys", 2}, {"like", 4}}) || len(whole.Counts) != 0 {
		t.Errorf("node 1 %+v", n)
	}
}

func TestParsePlanUpdateErrors(t *testing.T) {
	for _, test := range []struct{ name, json, want string }{
		{"no JSON", `{`, "unexpected EOF"},
		{"no version", `{"execution_id": 3}`, `"version" is missing`},
		{"later version", `{"version": 2, "execution_id": 3}`, `"version" is 2`},
		{"no execution", `{"version": 1}`, `"execution_id" is missing`},
		{"wrong type", `{"version": 1, "execution_id": "x"}`, `"execution_id"`},
		{"negative update", `{"version": 1, "execution_id": 3, "update": -5}`, `"update" is -5`},
		{"no parent", `{"version": 1, "execution_id": 3, "nodes": [{"parent": -1}, {}]}`, `node 1: key "parent" is missing`},
		{"parent later", `{"version": 1, "execution_id": 3, "nodes": [{"parent": 0}]}`, `node 0: key "parent" is 0`},
		{"counts of no number", `{"version": 1, "execution_id": 3, "nodes": [{"parent": -1, "counts": {"keys": "x"}}]}`, `node 0: key "counts": key "keys"`},
		{"counts twice", `{"version": 1, "execution_id": 3, "nodes": [{"parent": -1, "counts": {"keys": 1, "like": 2, "keys": 3}}]}`, `node 0: key "counts": key "keys" comes twice`},
		{"two plans", `{"version": 1, "execution_id": 3} {}`, "something stands behind it"},
		{"more than a plan", `{"version": 1, "execution_id": 3} x`, "something stands behind it"},
		{"codegen outside", `{"version": 1, "execution_id": 3, "nodes": [{"parent": -1, "codegen": 7}]}`, `node 0: key "codegen" is 7 of 1`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParsePlanUpdate([]byte(test.json))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// A text that only looks like nodes and metrics keeps no memory for them.
func TestParsePlanUpdateTrims(t *testing.T) {
	u, err := ParsePlanUpdate([]byte(`{"version": 1, "execution_id": 3, "nodes": [{"parent": -1, "metrics": [{"id": 1}]}], "x": [` + strings.Repeat(`{"parent":0,"id":0},`, 1000) + `0]}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := u.Tree.Nodes; len(n) != 1 || cap(n) > 2 || len(n[0].Metrics) != 1 || cap(n[0].Metrics) > 4 {
		t.Errorf("%d nodes of %d, %d metrics of %d", len(n), cap(n), len(n[0].Metrics), cap(n[0].Metrics))
	}
}

// What a key that comes again replaces keeps no memory.
func TestParsePlanUpdateForgetsWhatIsReplaced(t *testing.T) {
	metrics, counts := strings.Repeat("{},", 1000), strings.Repeat(`"a":1,`, 1000)
	u, err := ParsePlanUpdate([]byte(`{"version": 1, "execution_id": 3, "nodes": [{"parent": -1, "metrics": [` + metrics + `{}]}],
		"nodes": [{"parent": -1, "metrics": [{}], "counts": {` + counts + `"b": 1}, "counts": {"c": 2}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := u.Tree.Nodes; len(n) != 1 || cap(n[0].Metrics) > 4 || len(n[0].Counts) != 1 || cap(n[0].Counts) > 4 {
		t.Errorf("%+v", n)
	}
}

func TestMerge(t *testing.T) {
	p := &Plan{ExecutionID: 3}
	update := func(n int, query, text string) PlanUpdate {
		return PlanUpdate{ExecutionID: 3, Query: query, Tree: Tree{Update: n, Nodes: []Node{{Parent: -1, Text: text}}}}
	}
	for _, u := range []PlanUpdate{update(5, "q1-late", "five"), update(0, "", "zero"), update(2, "", "two"), update(2, "", "two again")} {
		if err := p.Merge(u); err != nil {
			t.Fatal(err)
		}
	}
	var texts []string
	for _, tree := range p.Updates {
		texts = append(texts, tree.Nodes[0].Text)
	}
	if got := strings.Join(texts, ","); got != "zero,two again,five" {
		t.Errorf("updates %s, want them ascending and the second one replaced", got)
	}
	if p.Query != "q1-late" {
		t.Errorf("query %q was overwritten by an update without one", p.Query)
	}
	if err := p.Merge(PlanUpdate{ExecutionID: 4}); err == nil || !strings.Contains(err.Error(), "execution 3") || !strings.Contains(err.Error(), "execution 4") {
		t.Errorf("error %v, want one naming both executions", err)
	}
}

// Texts that two updates have in common can be kept once; nothing else changes.
func TestEachText(t *testing.T) {
	parse := func() PlanUpdate {
		u, err := ParsePlanUpdate([]byte(`{"version": 1, "execution_id": 3, "update": 5, "query": "q1-7", "query_name": "nightly", "plan": "p1-9", "description": "d", "call_site": "c.py:1",
			"nodes": [{"parent": -1, "class": "a.Scan", "name": "Scan", "text": "Scan t", "operator": "scan@1", "operator_name": "Scan of t", "line": "c.py:2", "role": "scan", "mode": "m", "stage": "s",
				"metrics": [{"id": 11, "name": "rows", "type": "sum"}]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	first, second, known := parse(), parse(), map[string]string{}
	for _, u := range []*PlanUpdate{&first, &second} {
		u.EachText(func(s *string) {
			if _, ok := known[*s]; !ok {
				known[*s] = *s
			}
			*s = known[*s]
		})
	}
	for i, u := range []PlanUpdate{first, second} {
		if want := parse(); !reflect.DeepEqual(u, want) {
			t.Errorf("update %d is %+v, want %+v", i, u, want)
		}
	}
	if len(known) != 16 {
		t.Errorf("%d texts are known, want 16: %v", len(known), known)
	}
	a, b := first.Tree.Nodes[0], second.Tree.Nodes[0]
	if unsafe.StringData(a.Text) != unsafe.StringData(b.Text) || unsafe.StringData(a.Metrics[0].Name) != unsafe.StringData(b.Metrics[0].Name) {
		t.Error("texts are kept twice")
	}
}
