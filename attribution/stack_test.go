package attribution

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// jstackFrame is a frame as jstack prints it: loader and module, class, method, place.
var jstackFrame = regexp.MustCompile(`^(.+)\.([^.(]+)\((?:[^/()]*/)?([^()]*)\)$`)

// parseFrame reads a frame as jstack prints it.
func parseFrame(t *testing.T, line string) Frame {
	t.Helper()
	m := jstackFrame.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("no frame: %q", line)
	}
	f := Frame{Kind: FrameJava, Class: m[1], Method: m[2], Level: 4}
	if file, number, ok := strings.Cut(m[3], ":"); ok {
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("frame %q: %v", line, err)
		}
		f.File, f.Line = file, n
	}
	return f
}

// expectedStack is one block of a hand-labelled stacks file.
type expectedStack struct {
	name, want, rule string
	part             Part
	frame, stage     int
	frames           []Frame
}

// readStacks reads a file of blocks: case, expect, optionally stage, then frames.
func readStacks(t *testing.T, path string) []expectedStack {
	t.Helper()
	var out []expectedStack
	for _, line := range directives(t, path) {
		if name, ok := strings.CutPrefix(line, "case "); ok {
			out = append(out, expectedStack{name: name, stage: -1})
			continue
		}
		s := &out[len(out)-1]
		if expect, ok := strings.CutPrefix(line, "expect "); ok {
			parts := strings.Split(expect, " ; ")
			if len(parts) == 4 {
				s.part = Part(parts[3])
			} else if len(parts) != 3 {
				t.Fatalf("%s, case %s: %q", path, s.name, line)
			}
			s.want, s.rule = parts[0], parts[1]
			if _, err := fmt.Sscan(parts[2], &s.frame); err != nil {
				t.Fatalf("%s, case %s: %v", path, s.name, err)
			}
			continue
		}
		if stage, ok := strings.CutPrefix(line, "stage "); ok {
			if _, err := fmt.Sscan(stage, &s.stage); err != nil {
				t.Fatalf("%s, case %s: %v", path, s.name, err)
			}
			continue
		}
		s.frames = append(s.frames, parseFrame(t, line))
	}
	return out
}

func (s *expectedStack) check(t *testing.T, a *Attributor, scope Scope) {
	t.Helper()
	v := a.Attribute(s.frames, scope)
	got := "bucket " + string(v.Bucket)
	if v.Node != nil {
		got = "node " + strings.TrimSpace(v.Node.Name)
		for _, m := range v.Node.Metrics {
			if strings.HasSuffix(s.want, fmt.Sprintf(" #%d", m.ID)) {
				got += fmt.Sprintf(" #%d", m.ID)
			}
		}
	}
	if got != s.want || v.Rule != s.rule || v.Frame != s.frame {
		t.Errorf("%s ; %s ; %d, want %s ; %s ; %d", got, v.Rule, v.Frame, s.want, s.rule, s.frame)
	}
	if v.Part != s.part {
		t.Errorf("part %q, want %q", v.Part, s.part)
	}
}

// checkUnnamed puts a frame of the interpreter that has no name into the stack. Before the deciding
// frame, no operator may get it; behind that frame, and with a name that no rule knows, it changes
// nothing.
func (s *expectedStack) checkUnnamed(t *testing.T, a *Attributor, scope Scope) {
	t.Helper()
	with := func(at int, f Frame) Verdict {
		return a.Attribute(slices.Insert(slices.Clone(s.frames), at, f), scope)
	}
	plain, unnamed := a.Attribute(s.frames, scope), Frame{Kind: FrameInterpreted}
	named := Frame{Kind: FrameInterpreted, Class: "com.example.Hash", Method: "mix"}
	for at := 0; at <= s.frame; at++ {
		counted := a.Stats().Unnamed
		v := with(at, unnamed)
		if plain.Node == nil {
			if v.Node != nil || v.Bucket != plain.Bucket || a.Stats().Unnamed != counted {
				t.Errorf("unnamed frame %d: %+v, want the bucket %q", at, v, plain.Bucket)
			}
			continue
		}
		if want := (Verdict{Bucket: BucketUnknown, Rule: "interpreter", Frame: -1, Weak: true}); v != want || a.Stats().Unnamed != counted+1 {
			t.Errorf("unnamed frame %d: %+v, want %+v", at, v, want)
		}
		if v := with(at, named); v.Node != plain.Node {
			t.Errorf("named frame %d: %+v, want %+v", at, v, plain)
		}
	}
	if s.frame >= 0 && plain.Rule != ruleNameProject { // which looks at the frames behind
		if v := with(s.frame+1, unnamed); v != plain {
			t.Errorf("unnamed frame behind the deciding one: %+v, want %+v", v, plain)
		}
	}
}

// TestBuckets: stacks that belong to no operator, whatever the plan.
func TestBuckets(t *testing.T) {
	c := loadFixture(t, "testdata/spark-3.5.7/q6")
	stacks := readStacks(t, "testdata/stacks/buckets.txt")
	if len(stacks) < 5 {
		t.Fatalf("only %d stacks", len(stacks))
	}
	for _, s := range stacks {
		t.Run(s.name, func(t *testing.T) { s.check(t, New(), c.scope(t, 9)) })
	}
}

// TestStacks: stacks of a case whose plan, stages and sources were captured in the same run.
func TestStacks(t *testing.T) {
	paths, err := filepath.Glob("testdata/stacks/*/stacks.expected")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no stacks: %v", err)
	}
	for _, path := range paths {
		c := loadFixture(t, filepath.Dir(path))
		a := New()
		loaders := make(map[string]uint64)
		for i, src := range c.sources {
			if loaders[simpleName(src.class)] != 0 {
				t.Fatalf("%s: two sources of %s: jstack does not tell loaders", path, src.class)
			}
			loaders[simpleName(src.class)] = uint64(i + 1)
			if err := a.AddSource(uint64(i+1), src.class, src.body, src.comments); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range readStacks(t, path) {
			t.Run(filepath.Base(filepath.Dir(path))+"/"+s.name, func(t *testing.T) {
				for i := range s.frames {
					if strings.HasPrefix(s.frames[i].Class, generatedPrefix+"$") {
						s.frames[i].Loader = loaders[simpleName(s.frames[i].Class)]
					}
				}
				s.check(t, a, c.scope(t, s.stage))
				s.checkUnnamed(t, a, c.scope(t, s.stage))
			})
		}
	}
}

// TestNoPlan: what is said of stacks without a plan, pending or for good.
func TestNoPlan(t *testing.T) {
	user := []Frame{{Kind: FrameJava, Class: "com.example.Job", Method: "map"}, {Kind: FrameJava, Class: "org.apache.spark.scheduler.ResultTask", Method: "runTask"}}
	scan := []Frame{{Kind: FrameJava, Class: "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1", Method: "next"}, user[1]}
	task := []Frame{{Kind: FrameJava, Class: "java.util.HashMap", Method: "get"}, user[1]}
	plan := &Plan{ExecutionID: 3, Updates: []Tree{{Nodes: []Node{{Parent: -1, Codegen: -1, Name: "Project", Text: "Project"}}}}}
	for _, test := range []struct {
		name   string
		frames []Frame
		scope  Scope
		want   Bucket
	}{
		{"user code of an RDD job", user, Scope{}, BucketNoPlan},
		{"user code, plan not there yet", user, Scope{Pending: true}, BucketPending},
		{"user code of a query, no operator around it", user, Scope{Plan: plan}, BucketUnknown},
		{"scan of an RDD job", scan, Scope{}, BucketNoPlan},
		{"scan, plan not there yet", scan, Scope{Pending: true}, BucketPending},
		{"scan of a plan without one", scan, Scope{Plan: plan}, BucketUnknown},
		{"the task itself", task, Scope{Plan: plan}, BucketFramework},
		{"the task itself, plan not there yet", task, Scope{Pending: true}, BucketFramework},
		{"rows of an RDD are deserialised", []Frame{{Kind: FrameJava, Class: "java.io.ObjectInputStream", Method: "readObject"},
			{Kind: FrameJava, Class: "org.apache.spark.InterruptibleIterator", Method: "next"}, {Kind: FrameJava, Class: "org.apache.spark.rdd.RDD", Method: "iterator"}, user[0], user[1]}, Scope{}, BucketNoPlan},
		{"a scan's lambda is deserialised with the task", []Frame{{Kind: FrameJava, Class: "java.util.HashMap", Method: "get"},
			{Kind: FrameJava, Class: "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat", Method: "$deserializeLambda$"}, {Kind: FrameJava, Class: "java.io.ObjectInputStream", Method: "readObject"}, user[1]}, Scope{Plan: plan}, BucketDeserialize},
		{"an empty stack", nil, Scope{Plan: plan}, BucketUnknown},
		{"unnamed frames only", []Frame{{Kind: FrameInterpreted}, {Kind: FrameStub}}, Scope{Plan: plan}, BucketUnknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := New()
			if v := a.Attribute(test.frames, test.scope); v.Bucket != test.want || v.Node != nil {
				t.Errorf("verdict %+v, want %q", v, test.want)
			}
			if s := a.Stats(); s.Stacks != 1 {
				t.Errorf("%d stacks counted, want 1", s.Stacks)
			}
		})
	}
}

// TestBroadcastVariables: a relation that a join reads is its broadcast's, and what a scan reads by
// itself, its Hadoop configuration, is the scan's, although the plan has a broadcast elsewhere.
func TestBroadcastVariables(t *testing.T) {
	const sql = "org.apache.spark.sql.execution."
	plan := &Plan{ExecutionID: 3, Updates: []Tree{{Nodes: []Node{
		{Parent: -1, Codegen: -1, Class: sql + "joins.BroadcastHashJoinExec", Name: "BroadcastHashJoin", Operator: "join"},
		{Parent: 0, Codegen: -1, Class: sql + "FilterExec", Name: "Filter", Operator: "filter"},
		{Parent: 1, Codegen: -1, Class: sql + "FileSourceScanExec", Name: "Scan parquet", Operator: "scan"},
		{Parent: 0, Codegen: -1, Class: sql + "exchange.BroadcastExchangeExec", Name: "BroadcastExchange", Operator: "broadcast"},
	}}}}
	java := func(class, method string) Frame { return Frame{Kind: FrameJava, Class: class, Method: method} }
	read, task := java("org.apache.spark.broadcast.TorrentBroadcast", "readBroadcastBlock"), java("org.apache.spark.scheduler.ResultTask", "runTask")
	for want, frames := range map[string][]Frame{
		"broadcast": {read, java(sql+"joins.BroadcastHashJoinExec", "$anonfun$doExecute$1"), task},
		"scan": {read, java(sql+"datasources.parquet.ParquetFileFormat", "$anonfun$buildReaderWithPartitionValues$2"),
			java(sql+"datasources.FileScanRDD$$anon$1", "nextIterator"), java(sql+"FilterExec", "$anonfun$doExecute$3"), task},
	} {
		if v := New().Attribute(frames, Scope{Plan: plan}); v.Node == nil || v.Node.Operator != want {
			t.Errorf("verdict %+v, want %s", v, want)
		}
	}
}

// TestDescriptions: what an operator is asked of the operators below it is its own work, although
// the question goes down through other stages.
func TestDescriptions(t *testing.T) {
	const sql = "org.apache.spark.sql.execution."
	metric := func(id int64) []Metric { return []Metric{{ID: id, Name: "peak memory"}} }
	plan := &Plan{ExecutionID: 3, Updates: []Tree{{Nodes: []Node{
		{Parent: -1, Codegen: -1, Class: sql + "window.WindowExec", Name: "Window", Operator: "window", Metrics: metric(1)},
		{Parent: 0, Codegen: -1, Class: sql + "joins.SortMergeJoinExec", Name: "SortMergeJoin", Operator: "join", Metrics: metric(2)},
		{Parent: 1, Codegen: -1, Class: sql + "SortExec", Name: "Sort", Operator: "sort", Metrics: metric(3)},
		{Parent: 2, Codegen: -1, Class: sql + "exchange.ShuffleExchangeExec", Name: "Exchange", Operator: "exchange", Metrics: []Metric{{ID: 4, Name: "records read"}, {ID: 5, Name: "shuffle records written"}}},
		{Parent: 3, Codegen: -1, Class: sql + "window.WindowGroupLimitExec", Name: "WindowGroupLimit", Operator: "limit", Metrics: metric(6)},
		{Parent: 4, Codegen: -1, Class: sql + "FilterExec", Name: "Filter", Operator: "filter", Metrics: metric(7)},
	}}}}
	writes, reads := []int64{5, 6, 7}, []int64{1, 2, 3, 4}
	for _, test := range []struct {
		name, want string
		stage      []int64
		frame      int
		stack      string
	}{
		{"a sort asks for the columns of its input", "sort", reads, 9, `org.apache.spark.sql.catalyst.expressions.PredicateHelper.outputWithNullability
			org.apache.spark.sql.execution.FilterExec.outputWithNullability
			org.apache.spark.sql.execution.FilterExec.output
			org.apache.spark.sql.execution.WholeStageCodegenExec.output
			org.apache.spark.sql.execution.exchange.Exchange.output
			org.apache.spark.sql.execution.adaptive.QueryStageExec.output
			org.apache.spark.sql.execution.adaptive.AQEShuffleReadExec.output
			org.apache.spark.sql.execution.InputAdapter.output
			org.apache.spark.sql.execution.SortExec.output
			org.apache.spark.sql.execution.SortExec.createSorter`},
		{"a join lets all below it clean up", "join", reads, 5, `org.apache.spark.sql.execution.FilterExec.child
			org.apache.spark.sql.catalyst.trees.UnaryLike.children
			org.apache.spark.sql.execution.FilterExec.children$lzycompute
			org.apache.spark.sql.execution.FilterExec.children
			org.apache.spark.sql.execution.SparkPlan.cleanupResources
			org.apache.spark.sql.execution.joins.SortMergeJoinExec.$anonfun$doExecute$1`},
		{"a group limit's iterator is no window's", "limit", writes, 0, `org.apache.spark.sql.execution.window.BaseLimitIterator.hasNext
			org.apache.spark.sql.execution.window.GroupedLimitIterator.hasNext`},
	} {
		var frames []Frame
		for _, name := range strings.Fields(test.stack + " org.apache.spark.scheduler.ShuffleMapTask.runTask") {
			at := strings.LastIndexByte(name, '.')
			frames = append(frames, Frame{Kind: FrameJava, Class: name[:at], Method: name[at+1:]})
		}
		if v := New().Attribute(frames, Scope{Plan: plan, Accumulators: test.stage}); v.Node == nil || v.Node.Operator != test.want || v.Frame != test.frame {
			t.Errorf("%s: verdict %+v of %+v, want %s", test.name, v, v.Node, test.want)
		}
	}
}
