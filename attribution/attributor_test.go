package attribution

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// q6Frame is a frame in the whole-stage class of case q6, stage 9, on line 108: the filter's
// comparison.
func q6Frame(loader uint64) Frame {
	return Frame{Kind: FrameJava, Class: generatedPrefix + "$GeneratedIteratorForCodegenStage1", Method: "hashAgg_doAggregateWithoutKey_0$", Line: 108, Loader: loader, Level: 4}
}

// TestWeak: what cannot be trusted is still attributed, and says so.
func TestWeak(t *testing.T) {
	c := loadFixture(t, "testdata/spark-3.5.7/q6")
	src := c.source(t, 0)
	for _, test := range []struct {
		name  string
		frame func(*Frame)
		node  string
		rule  string
		weak  bool
	}{
		{"C2", func(*Frame) {}, "Filter", "prefix", false},
		{"interpreted, with its line", func(f *Frame) { f.Kind, f.Level = FrameInterpreted, 0 }, "Filter", "prefix", false},
		{"C1", func(f *Frame) { f.Level = 3 }, "Filter", "prefix", true},
		{"no line: the method's call site", func(f *Frame) { f.Line = 0 }, "HashAggregate", "method", true},
		{"no line, nextBatch", func(f *Frame) { f.Line, f.Method = 0, "columnartorow_nextBatch_0$" }, "ColumnarToRow", "method", true},
		{"no source: the method's prefix", func(f *Frame) { f.Loader, f.Method = 99, "columnartorow_nextBatch_0$" }, "ColumnarToRow", "source", true},
		{"no source, no prefix", func(f *Frame) { f.Loader, f.Method = 99, "processNext" }, "HashAggregate", "source", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := New()
			if err := a.AddSource(7, src.class, src.body, src.comments); err != nil {
				t.Fatal(err)
			}
			f := q6Frame(7)
			test.frame(&f)
			v := a.Attribute([]Frame{{Kind: FrameStub}, f}, c.scope(t, 9))
			if v.Node == nil || v.Node.Name != test.node || v.Rule != test.rule || v.Weak != test.weak || v.Frame != 1 {
				t.Errorf("verdict %+v, want %s by %s, weak %v", v, test.node, test.rule, test.weak)
			}
			if s := a.Stats(); (s.Weak == 1) != test.weak || (s.MissingSources == 1) != (test.rule == "source") {
				t.Errorf("counted weak %d, missing sources %d", s.Weak, s.MissingSources)
			}
		})
	}
}

// TestUnmapped: a class that fits no node of the plan, as when a stage's accumulators are of none
// of its nodes.
func TestUnmapped(t *testing.T) {
	c := loadFixture(t, "testdata/spark-3.5.7/q6")
	src := c.source(t, 0)
	a := New()
	if err := a.AddSource(7, src.class, src.body, src.comments); err != nil {
		t.Fatal(err)
	}
	scope := c.scope(t, 9)
	scope.Accumulators = []int64{1, 3, 5}
	v := a.Attribute([]Frame{q6Frame(7)}, scope)
	if v.Node != nil || v.Bucket != BucketUnknown || v.Rule != "unmapped" {
		t.Errorf("verdict %+v, want unknown by unmapped", v)
	}
	s := a.Stats()
	if s.Unmapped != 1 || len(s.UnknownClasses) != 1 || !strings.HasSuffix(s.UnknownClasses[0].Class, "GeneratedIteratorForCodegenStage1") {
		t.Errorf("unmapped %d, unknown %v", s.Unmapped, s.UnknownClasses)
	}
	scope.Accumulators = nil // not known: names and texts decide
	if v := a.Attribute([]Frame{q6Frame(7)}, scope); v.Node == nil || v.Node.Name != "Filter" {
		t.Errorf("verdict %+v without accumulators, want the filter", v)
	}
}

// TestPlanGrows: an update that arrives later is seen by the next stack, and the nodes are the
// plan's own.
func TestPlanGrows(t *testing.T) {
	c := loadFixture(t, "testdata/spark-3.5.7/q6")
	src, full := c.source(t, 0), c.scope(t, 9)
	a := New()
	if err := a.AddSource(7, src.class, src.body, src.comments); err != nil {
		t.Fatal(err)
	}
	p := &Plan{ExecutionID: full.Plan.ExecutionID}
	for i, tree := range full.Plan.Updates {
		if err := p.Merge(PlanUpdate{ExecutionID: p.ExecutionID, Tree: tree}); err != nil {
			t.Fatal(err)
		}
		v := a.Attribute([]Frame{q6Frame(7)}, Scope{Plan: p, Accumulators: full.Accumulators})
		if (v.Node != nil) != (i > 0) { // update 0 is the plan before AQE made any stage
			t.Fatalf("after update %d: verdict %+v", i, v)
		}
		if i > 0 && !pointsInto(p, v.Node) {
			t.Errorf("after update %d: the node is none of the plan's", i)
		}
	}
}

func pointsInto(p *Plan, n *Node) bool {
	for _, tree := range p.Updates {
		for i := range tree.Nodes {
			if &tree.Nodes[i] == n {
				return true
			}
		}
	}
	return false
}

// TestUnitsAreBounded: the least recently used go, texts are shared, and what went is counted.
func TestUnitsAreBounded(t *testing.T) {
	c := loadFixture(t, "testdata/spark-3.5.7/q6")
	src := c.source(t, 0)
	lines := strings.Count(src.body, "\n") + 1
	other := func(n int) string { return src.body + fmt.Sprintf("\n// %d", n) }
	t.Run("by number", func(t *testing.T) {
		u := newUnits(3, 1<<20, &parsed[text]{})
		for loader := range uint64(5) {
			if loader == 3 && u.get(0) == nil {
				t.Fatal("loader 0 left too early")
			}
			if err := u.add(loader, src.class, src.body, src.comments); err != nil {
				t.Fatal(err)
			}
		}
		if u.recent.Len() != 3 || u.evicted != 2 || len(u.texts) != 1 || u.lines != lines {
			t.Errorf("%d units, %d evicted, %d texts, %d lines, want 3, 2, 1, %d", u.recent.Len(), u.evicted, len(u.texts), u.lines, lines)
		}
		if u.get(0) == nil || u.get(1) != nil {
			t.Error("loader 0 was used last and should stay, loader 1 should go")
		}
	})
	t.Run("by lines", func(t *testing.T) {
		u := newUnits(100, 2*lines+5, &parsed[text]{})
		for loader := range 5 {
			if err := u.add(uint64(loader), src.class, other(loader), src.comments); err != nil {
				t.Fatal(err)
			}
		}
		if u.recent.Len() != 2 || u.evicted != 3 || len(u.texts) != 2 {
			t.Errorf("%d units, %d evicted, %d texts, want 2, 3, 2", u.recent.Len(), u.evicted, len(u.texts))
		}
	})
	t.Run("replaced", func(t *testing.T) {
		u := newUnits(3, 1<<20, &parsed[text]{})
		for range 2 {
			if err := u.add(7, src.class, src.body, src.comments); err != nil {
				t.Fatal(err)
			}
		}
		if err := u.add(7, src.class, other(7), src.comments); err != nil {
			t.Fatal(err)
		}
		if u.recent.Len() != 1 || u.evicted != 0 || len(u.texts) != 1 || u.lines != lines+1 {
			t.Errorf("%d units, %d evicted, %d texts, %d lines, want 1, 0, 1, %d", u.recent.Len(), u.evicted, len(u.texts), u.lines, lines+1)
		}
	})
}

// TestUnknownIsBounded: classes that no rule knows are noted up to a bound, the rest is counted.
func TestUnknownIsBounded(t *testing.T) {
	a := New()
	p := &Plan{Updates: []Tree{{Nodes: []Node{{Parent: -1, Codegen: -1, Name: "Project"}}}}}
	for i := range maxUnknownClasses + 5 {
		a.Attribute([]Frame{{Kind: FrameJava, Class: fmt.Sprintf("com.example.C%d", i), Method: "m"}}, Scope{Plan: p})
	}
	s := a.Stats()
	if len(s.UnknownClasses) != maxUnknownClasses || s.UnknownNotNoted != 5 || s.ByRule["none"] != uint64(maxUnknownClasses+5) {
		t.Errorf("%d noted, %d not, %d by none", len(s.UnknownClasses), s.UnknownNotNoted, s.ByRule["none"])
	}
}

// TestAttributorKeepsNoNames: a frame's names are pieces of whole tables of names, and each that is
// kept keeps a table.
func TestAttributorKeepsNoNames(t *testing.T) {
	a := New()
	p := &Plan{Updates: []Tree{{Nodes: []Node{{Parent: -1, Codegen: -1, Name: "Project"}}}}}
	for range 2 {
		table := strings.Clone("com.example.Unknown org.apache.spark.sql.execution.SortExec java.lang.Thread")
		first, last := uintptr(unsafe.Pointer(unsafe.StringData(table))), uintptr(len(table))
		for _, class := range strings.Fields(table) {
			a.Attribute([]Frame{{Kind: FrameJava, Class: class, Method: "m"}}, Scope{Plan: p})
		}
		a.Attribute([]Frame{{Kind: FrameJava, Class: table[:len("com.example.Unknown")], Method: "m"}}, Scope{Plan: p})
		kept := slices.Concat(slices.Collect(maps.Keys(a.rules)), slices.Collect(maps.Keys(a.tally.unknown)), slices.Collect(maps.Keys(a.tally.DisputedMethods)))
		for _, r := range a.recent {
			if r.rule != nil {
				kept = append(kept, r.class, r.rule.class)
			}
		}
		if len(kept) < 8 {
			t.Fatalf("nothing is kept: %q", kept)
		}
		for _, name := range kept {
			if at := uintptr(unsafe.Pointer(unsafe.StringData(name))); at-first < last {
				t.Errorf("%q is kept as a piece of what it came from", name)
			}
		}
		runtime.KeepAlive(table)
	}
}

// TestBadSource: a source that is none is refused, counted, and leaves what was there.
func TestBadSource(t *testing.T) {
	a := New()
	if err := a.AddSource(7, generatedPrefix+"$GeneratedIteratorForCodegenStage1", "class X {}", nil); err == nil {
		t.Error("a whole-stage class without marks was taken")
	}
	if s := a.Stats(); s.BadSources != 1 || s.Sources != 0 || s.Units != 0 {
		t.Errorf("bad %d, good %d, held %d", s.BadSources, s.Sources, s.Units)
	}
}

func TestForget(t *testing.T) {
	a, gone, kept := New(), &Plan{ExecutionID: 3}, &Plan{ExecutionID: 4}
	ofGone, ofKept := bindingKey{x: a.index(planSet{gone}), set: 7}, bindingKey{x: a.index(planSet{kept}), set: 7}
	a.bindings[ofGone], a.bindings[ofKept] = &binding{}, &binding{}
	a.Forget(gone)
	a.Forget(gone)
	a.Forget(&Plan{ExecutionID: 5})
	if len(a.plans) != 1 || a.plans[planSet{kept}] != ofKept.x || len(a.bindings) != 1 || a.bindings[ofKept] == nil {
		t.Errorf("kept %v and %v, want what is of execution 4 alone", a.plans, a.bindings)
	}
	if a.index(planSet{gone}) == ofGone.x || len(a.plans) != 2 {
		t.Error("a plan that is asked for again is not made again")
	}
}
