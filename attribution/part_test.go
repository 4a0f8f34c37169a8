package attribution

import (
	"fmt"
	"path/filepath"
	"testing"
)

// TestLineParts holds the parts of lines against parts.expected, written by hand. A line has the
// number of a source, a range of its lines, and the part of all lines with code in it, "-" for
// none.
func TestLineParts(t *testing.T) {
	paths, err := filepath.Glob("testdata/spark-*/*/parts.expected")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	seen := map[Part]bool{}
	for _, path := range paths {
		c := loadFixture(t, filepath.Dir(path))
		t.Run(c.name, func(t *testing.T) {
			for _, text := range directives(t, path) {
				var number, first, last int
				var part string
				if _, err := fmt.Sscanf(text, "%d %d-%d %s", &number, &first, &last, &part); err != nil {
					t.Fatalf("%s: %q: %v", path, text, err)
				}
				want := Part(part)
				if part == "-" {
					want = PartNone
				}
				s := c.source(t, number)
				u, err := ParseUnit(1, s.class, s.body, s.comments)
				if err != nil {
					t.Fatal(err)
				}
				code := 0
				for n := first; n <= last; n++ {
					line, ok := u.Line(n)
					if !ok {
						continue
					}
					code++
					if line.Part != want {
						t.Errorf("source %d, line %d: part %q, want %q", number, n, line.Part, want)
					}
				}
				if code == 0 {
					t.Errorf("%q: no line has code", text)
				}
				seen[want] = true
			}
		})
	}
	for _, part := range []Part{PartNone, PartBuild, PartProbe, PartInsert, PartOutput, PartSort, PartMerge} {
		if !seen[part] {
			t.Errorf("no line of part %q is expected", part)
		}
	}
}

// TestPartNeedsItsEnd: of a hash aggregate whose code does not say where it begins to give groups,
// no part is told.
func TestPartNeedsItsEnd(t *testing.T) {
	body := `public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage1(references);
}
final class GeneratedIteratorForCodegenStage1 extends org.apache.spark.sql.execution.BufferedRowIterator {
protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
hashAgg_hashMap_0 = hashAgg_new_0();
%s
hashAgg_value_0 = hashAgg_hashMap_0.next();
}
}`
	comments := map[string]string{"hashAgg_c_0": "// PRODUCE: HashAggregate(keys=[k#1], functions=[])"}
	const added = `((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* aggTime */).add(hashAgg_time_0);`
	for text, want := range map[string][2]Part{added: {PartInsert, PartOutput}, "hashAgg_time_0 = 1;": {}} {
		u, err := ParseUnit(1, "GeneratedIteratorForCodegenStage1", fmt.Sprintf(body, text), comments)
		if err != nil {
			t.Fatal(err)
		}
		before, _ := u.Line(7)
		behind, _ := u.Line(9)
		if got := [2]Part{before.Part, behind.Part}; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestPhysicalParts: parts of operators without generated code, by frames of Spark's sources
// (4.3.0) of which no jstack was at hand.
func TestPhysicalParts(t *testing.T) {
	root := Frame{Kind: FrameJava, Class: "org.apache.spark.scheduler.ResultTask", Method: "runTask"}
	frame := func(class, method string) Frame { return Frame{Kind: FrameJava, Class: sqlx + class, Method: method} }
	leaf := Frame{Kind: FrameJava, Class: "org.apache.spark.unsafe.map.BytesToBytesMap", Method: "append"}
	for _, test := range []struct {
		name, class string
		frames      []Frame
		want        Part
	}{
		{"a shuffled hash join builds its table", "joins.ShuffledHashJoinExec", []Frame{leaf, frame("joins.UnsafeHashedRelation$", "apply"), frame("joins.HashedRelation$", "apply"),
			frame("joins.ShuffledHashJoinExec", "buildHashedRelation"), frame("joins.ShuffledHashJoinExec", "$anonfun$doExecute$1")}, PartBuild},
		{"a shuffled hash join looks a row up", "joins.ShuffledHashJoinExec", []Frame{leaf, frame("joins.UnsafeHashedRelation", "getValue"),
			frame("joins.HashJoin", "$anonfun$innerJoin$1"), frame("joins.ShuffledHashJoinExec", "$anonfun$doExecute$1")}, PartProbe},
		{"a shuffled hash join makes its iterator", "joins.ShuffledHashJoinExec", []Frame{frame("joins.ShuffledHashJoinExec", "$anonfun$doExecute$1")}, PartNone},
		{"a sort takes a row", "SortExec", []Frame{frame("UnsafeExternalRowSorter", "insertRow"), frame("UnsafeExternalRowSorter", "sort"), frame("SortExec", "$anonfun$doExecute$1")}, PartSort},
		{"a sort computes the prefix of a row", "SortExec", []Frame{frame("SortExec$$anon$1", "computePrefix"), frame("UnsafeExternalRowSorter", "insertRow"),
			{Kind: FrameJava, Class: generatedPrefix + "$GeneratedIteratorForCodegenStage2", Method: "sort_addToSorter_0$"}}, PartSort},
		{"a sort makes its sorter", "SortExec", []Frame{frame("UnsafeExternalRowSorter", "<init>"), frame("SortExec", "createSorter"), frame("SortExec", "$anonfun$doExecute$1")}, PartNone},
		{"a join that hashes nothing", "joins.SortMergeJoinExec", []Frame{frame("joins.SortMergeJoinScanner", "findNextInnerJoinRows"), frame("joins.SortMergeJoinExec", "$anonfun$doExecute$1")}, PartNone},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := &Plan{ExecutionID: 3, Updates: []Tree{{Nodes: []Node{{Parent: -1, Codegen: -1, Class: sqlx + test.class, Name: "N", Text: "N"}}}}}
			v := New().Attribute(append(test.frames, root), Scope{Plan: plan})
			if v.Node == nil || v.Part != test.want {
				t.Errorf("verdict %+v, want the node and part %q", v, test.want)
			}
		})
	}
}
