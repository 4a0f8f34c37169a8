package attribution

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzParseUnit: any text and comments give a unit or an error. Every line of a unit names one of
// its operators, and every expectation that the mapping relies on (operators ↔ parents ↔ lines)
// holds.
func FuzzParseUnit(f *testing.F) {
	for _, dir := range []string{"testdata/spark-3.5.7/q6", "testdata/spark-4.3.0/two-of-a-kind", "testdata/spark-3.5.7/sort-merge-join"} {
		for _, s := range loadFixture(f, dir).sources {
			comments, err := json.Marshal(s.comments)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(s.class, s.body, comments)
		}
	}
	f.Add("GeneratedIterator", "/*a_c_0*/{}}}}\"'\\", []byte(`{"a_c_0":"// PRODUCE: A"}`))
	f.Add("GeneratedIterator", "class X { void processNext() { /*a_c_0*/ f(); } void f() { /*b_c_0*/ processNext(); } }",
		[]byte(`{"a_c_0":"// PRODUCE: A","b_c_0":"// CONSUME: A"}`))
	f.Fuzz(func(t *testing.T, class, body string, comments []byte) {
		m := map[string]string{}
		if json.Unmarshal(comments, &m) != nil {
			t.Skip("comments are not a JSON object")
		}
		u, err := ParseUnit(7, class, body, m)
		if err != nil {
			return
		}
		for n := 0; n <= strings.Count(body, "\n")+2; n++ {
			line, ok := u.Line(n)
			if ok && (line.Operator < 0 || line.Operator >= len(u.Operators())) {
				t.Fatalf("line %d is operator %d of %d", n, line.Operator, len(u.Operators()))
			}
		}
		for name, op := range u.roots {
			if op < 0 || op >= len(u.Operators()) {
				t.Fatalf("method %q is operator %d of %d", name, op, len(u.Operators()))
			}
		}
	})
}

// FuzzParsePlanUpdate: any JSON gives an update that can be merged, indexed and walked, or an
// error.
func FuzzParsePlanUpdate(f *testing.F) {
	for _, pattern := range []string{"testdata/spark-*/q6/plan-*.json", "testdata/spark-*/subqueries/plan-*.json"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("%s: no fixtures: %v", pattern, err)
		}
		for _, path := range paths {
			f.Add(read(f, path))
		}
	}
	f.Add([]byte(`{"version":1,"execution_id":3,"nodes":[{"parent":-1,"name":"WholeStageCodegen (1)","codegen":0}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := ParsePlanUpdate(data)
		if err != nil {
			return
		}
		p := &Plan{ExecutionID: u.ExecutionID}
		if err := p.Merge(u); err != nil {
			t.Fatal(err)
		}
		frames := []Frame{{Kind: FrameJava, Class: generatedPrefix + "$GeneratedIteratorForCodegenStage1", Method: "agg_x_0$", Line: 5},
			{Kind: FrameJava, Class: "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1", Method: "next"},
			{Kind: FrameJava, Class: "org.apache.spark.sql.execution.SortExec", Method: "$anonfun$doExecute$1"},
			{Kind: FrameJava, Class: "org.apache.spark.shuffle.sort.UnsafeShuffleWriter", Method: "write"}}
		a := New()
		for i := range frames {
			v := a.Attribute(frames[i:], Scope{Plan: p, Accumulators: []int64{3, 5}})
			if (v.Node == nil) == (v.Bucket == BucketNone) {
				t.Fatalf("verdict %+v has both or neither of node and bucket", v)
			}
		}
	})
}
