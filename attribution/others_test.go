package attribution

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// altered is a plan with the same shape: other texts, and metrics whose ids are larger by 100,000.
func altered(t *testing.T, p *Plan, execution int64, text func(string) string) *Plan {
	t.Helper()
	out := &Plan{ExecutionID: execution, Query: "q1-altered"}
	for _, u := range p.Updates {
		tree := Tree{Update: u.Update, Nodes: slices.Clone(u.Nodes)}
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			n.Text, n.Metrics = text(n.Text), slices.Clone(n.Metrics)
			for k := range n.Metrics {
				n.Metrics[k].ID += 100_000
			}
		}
		if err := out.Merge(PlanUpdate{ExecutionID: execution, Tree: tree}); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestCodeOfAnotherPlan: a stage runs code of its own execution's plan and of another, whose
// operators have the same names. The texts tell which plan compiled a class, also where expression
// ids are of a third execution that shares the class.
func TestCodeOfAnotherPlan(t *testing.T) {
	c := loadFixture(t, "testdata/spark-3.5.7/q6")
	src := c.source(t, 0)
	compiled := c.scope(t, 9)
	ids := regexp.MustCompile(`#\d+`)
	shared := altered(t, compiled.Plan, 20, func(s string) string { return ids.ReplaceAllString(s, "#4711") })
	foreign := altered(t, compiled.Plan, 21, func(s string) string { return strings.ReplaceAll(s, "l_discount", "l_other") })
	both := slices.Clone(compiled.Accumulators)
	for _, id := range compiled.Accumulators {
		both = append(both, id+100_000)
	}
	for _, test := range []struct {
		name  string
		scope Scope
		want  *Plan
	}{
		{"its own", Scope{Plan: compiled.Plan, Others: []*Plan{foreign}, Accumulators: both}, compiled.Plan},
		{"another's", Scope{Plan: foreign, Others: []*Plan{compiled.Plan}, Accumulators: both}, compiled.Plan},
		{"a shared class, expression ids of a third", Scope{Plan: foreign, Others: []*Plan{shared}, Accumulators: both}, nil},
		{"no execution", Scope{Others: []*Plan{compiled.Plan}, Accumulators: compiled.Accumulators}, compiled.Plan},
		{"the same plan twice", Scope{Plan: compiled.Plan, Others: []*Plan{compiled.Plan, nil}, Accumulators: both}, compiled.Plan},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := New()
			if err := a.AddSource(7, src.class, src.body, src.comments); err != nil {
				t.Fatal(err)
			}
			if test.want == nil { // both are altered, and in the same way: only one may be in the stage
				test.scope.Plan, test.want = altered(t, foreign, 22, func(s string) string { return s }), shared
				for _, id := range compiled.Accumulators {
					test.scope.Accumulators = append(test.scope.Accumulators, id+200_000)
				}
			}
			v := a.Attribute([]Frame{q6Frame(7)}, test.scope)
			if v.Node == nil || v.Node.Name != "Filter" || v.Plan != test.want {
				t.Errorf("verdict %+v, want the filter of execution %d", v, test.want.ExecutionID)
			}
		})
	}
}

// streamed is the plan of a batch: rows of a file, aggregated in a state store; and a plan that
// reads those rows as an RDD.
func streamed() (batch, reader *Plan) {
	stateful := sqlx + "streaming.operators.stateful."
	batch = &Plan{ExecutionID: 3, Updates: []Tree{{Nodes: []Node{
		{Parent: -1, Class: stateful + "StateStoreSaveExec", Name: "StateStoreSave", Text: "save", Codegen: -1, Metrics: []Metric{{ID: 1, Name: "number of output rows"}}},
		{Parent: 0, Class: stateful + "StateStoreRestoreExec", Name: "StateStoreRestore", Text: "restore", Codegen: -1, Metrics: []Metric{{ID: 2, Name: "number of output rows"}}},
		{Parent: 1, Class: sqlx + "FileSourceScanExec", Name: "Scan parquet", Text: "scan", Codegen: -1, Role: "scan", Metrics: []Metric{{ID: 3, Name: "number of output rows"}}},
	}}}}
	reader = &Plan{ExecutionID: 4, Updates: []Tree{{Nodes: []Node{
		{Parent: -1, Class: sqlx + "window.WindowExec", Name: "Window", Text: "window", Codegen: -1, Metrics: []Metric{{ID: 11, Name: "spill size"}}},
		{Parent: 0, Class: sqlx + "RDDScanExec", Name: "Scan ExistingRDD", Text: "rdd", Codegen: -1, Role: "scan", Metrics: []Metric{{ID: 12, Name: "number of output rows"}}},
	}}}}
	return batch, reader
}

// TestHandedOver: what runs below the scan of an RDD is of the plan that makes its rows.
func TestHandedOver(t *testing.T) {
	batch, reader := streamed()
	java := func(class string) Frame { return Frame{Kind: FrameJava, Class: class, Method: "m", Level: 4} }
	window := java(sqlx + "window.WindowExec$$anon$1")
	save := java(sqlx + "streaming.operators.stateful.StateStoreSaveExec$$anon$2")
	for _, test := range []struct {
		name   string
		frames []Frame
		all    bool // the stage runs both plans
		want   string
		plan   *Plan
	}{
		{"a file, below the RDD", []Frame{java(sqlx + "datasources.FileScanRDD"), window}, true, "scan", batch},
		{"the RDD itself, where no one else scans", []Frame{java(sqlx + "datasources.FileScanRDD"), window}, false, "rdd", reader},
		{"an operator of the batch", []Frame{save, window}, true, "save", batch},
		{"its state", []Frame{java("org.rocksdb.RocksDB"), java(sqlx + "streaming.state.RocksDB"), save, window}, true, "save", batch},
		{"state that a task loads when it begins", []Frame{java(sqlx + "streaming.state.StateStoreRDD")}, true, "save", batch},
		{"an operator of its own", []Frame{java("java.util.ArrayList"), window}, true, "window", reader},
	} {
		scope := Scope{Plan: reader, Accumulators: []int64{11, 12}}
		if test.all {
			scope = Scope{Plan: reader, Others: []*Plan{batch}, Accumulators: []int64{1, 2, 3, 11, 12}}
		}
		if v := New().Attribute(test.frames, scope); v.Node == nil || v.Node.Text != test.want || v.Plan != test.plan {
			t.Errorf("%s: verdict %+v, want %s", test.name, v, test.want)
		}
	}
}

// TestFile: equal bodies have one file, also with other comments; it is the same in every run.
func TestFile(t *testing.T) {
	c := loadFixture(t, "testdata/spark-3.5.7/q6")
	src := c.source(t, 0)
	a := New()
	for loader, body := range []string{src.body, src.body, src.body + "\n"} {
		if err := a.AddSource(uint64(loader), src.class, body, src.comments); err != nil {
			t.Fatal(err)
		}
	}
	if a.File(0) != a.File(1) || a.File(0) == a.File(2) || a.File(9) != "" {
		t.Errorf("files %s, %s, %s, and %q of none", a.File(0), a.File(1), a.File(2), a.File(9))
	}
	if got := FileOf("class A {}"); got != "generated-107310d1.java" { // sha256 of the text
		t.Errorf("file %s", got)
	}
}
