package window

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler/codemap"
)

func labelledStacks() []*pipeline.Labelled {
	java := codemap.Frame{Kind: codemap.Java, Class: "a.B", Method: "c", File: "B.java", Line: 7, Addr: 0x10}
	otherLine := java
	otherLine.Line = 8
	interpreted := codemap.Frame{Kind: codemap.Interpreted, Class: "a.B", Method: "c", File: "B.java", Line: 7}
	native := codemap.Frame{Kind: codemap.Native, Method: "memcpy", File: "libc.so.6"}
	kernel := codemap.Frame{Kind: codemap.Kernel, Method: "memcpy"}
	operator := pipeline.Labels{Operator: "filter@1", OperatorName: "Filter a > ?"}
	bucket := pipeline.Labels{Bucket: attribution.BucketFramework}
	return []*pipeline.Labelled{
		{Labels: operator, Frames: []codemap.Frame{native, java, otherLine}, OperatorAt: 1},
		{Labels: bucket, Frames: []codemap.Frame{native, java, otherLine}, OperatorAt: 1},
		{Labels: operator, Frames: []codemap.Frame{native, java, otherLine}, OperatorAt: 2},
		{Labels: operator, Frames: []codemap.Frame{kernel, interpreted, {}}, OperatorAt: 0},
		{Labels: operator, OperatorAt: -1},
	}
}

// A sample's stack is its frames, with the operator's or the bucket's on the caller's side of the
// one that decided. Names that lie elsewhere in memory are the same names.
func TestStackOfASample(t *testing.T) {
	native := pipeline.StackFrame{Name: "memcpy", File: "libc.so.6", Type: pipeline.FrameNative}
	java := pipeline.StackFrame{Name: "a.B.c", File: "B.java", Line: 7, Type: pipeline.FrameJVM}
	otherLine := pipeline.StackFrame{Name: "a.B.c", File: "B.java", Line: 8, Type: pipeline.FrameJVM}
	operator := pipeline.StackFrame{Name: "Filter a > ?", Type: pipeline.FrameOperator}
	bucket := pipeline.StackFrame{Name: "[task framework]", Type: pipeline.FrameOperator}
	want := [][]pipeline.StackFrame{
		{native, java, operator, otherLine},
		{native, java, bucket, otherLine},
		{native, java, otherLine, operator},
		{{Name: "memcpy", Type: pipeline.FrameKernel}, operator, java, {Name: "[unknown]", Type: pipeline.FrameNative}},
		{operator},
	}
	table := NewStacks()
	for i, l := range labelledStacks() {
		id := table.sample(l)
		assert.EqualValues(t, i, id)
		assert.Equal(t, want[i], stackOf(table, id), i)
		assert.Equal(t, id, table.Intern(want[i]), i)

		for k := range l.Frames { // the same names at other places in memory
			f := &l.Frames[k]
			f.Class, f.Method, f.File = strings.Clone(f.Class), strings.Clone(f.Method), strings.Clone(f.File)
		}
		assert.Equal(t, id, table.sample(l), i)
	}
}

func TestKnownFramesAreBounded(t *testing.T) {
	table := NewStacks()
	l := &pipeline.Labelled{Frames: []codemap.Frame{{Kind: codemap.Native, Method: "f"}}}
	want := table.sample(l)
	for i := range maxKnownFrames + 10 {
		l.Frames[0].Method = strings.Clone("f")
		l.Frames[0].Line = 0
		if got := table.sample(l); got != want {
			t.Fatalf("symbol made again %d times: stack %d, want %d", i, got, want)
		}
	}
	assert.LessOrEqual(t, len(table.known), maxKnownFrames)
}

// BenchmarkAccumulate is what a labelled sample of a deep stack costs once its stack is known.
func BenchmarkAccumulate(b *testing.B) {
	l := &pipeline.Labelled{Labels: pipeline.Labels{JVM: 1, Operator: "filter@1", OperatorName: "Filter a > ?", Query: "q1-0", StagePlace: "exchange>aggregate@3fa91c20"}, OperatorAt: 3, Weight: 5}
	for i := range 80 {
		l.Frames = append(l.Frames, codemap.Frame{Kind: codemap.Java, Class: fmt.Sprintf("org.apache.spark.sql.execution.Class%d", i), Method: "processNext", File: "Class.java", Line: i})
	}
	a := New(Settings{})
	b.ReportAllocs()
	for b.Loop() {
		a.Sample(l)
	}
}
