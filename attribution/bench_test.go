package attribution

import (
	"fmt"
	"testing"
)

// BenchmarkAttribute is the cost of one stack when unit, plan and classes are known, by the depth
// of library frames above the generated one.
func BenchmarkAttribute(b *testing.B) {
	c := loadFixture(b, "testdata/spark-3.5.7/two-of-a-kind")
	a := New()
	s := c.sources[2]
	if err := a.AddSource(7, s.class, s.body, s.comments); err != nil {
		b.Fatal(err)
	}
	scope := Scope{Plan: c.plans[c.stages[2].Execution], Accumulators: c.stages[2].Accumulators}
	for _, depth := range []int{1, 5, 20} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			frames := make([]Frame, 0, depth+30)
			for range depth {
				frames = append(frames, Frame{Kind: FrameJava, Class: "org.apache.spark.unsafe.types.UTF8String", Method: "equals", Level: 4})
			}
			frames = append(frames, Frame{Kind: FrameJava, Class: s.class, Method: "processNext", Line: 92, Loader: 7, Level: 4})
			for range 29 {
				frames = append(frames, Frame{Kind: FrameJava, Class: "java.lang.Thread", Method: "run"})
			}
			hits := 0
			for b.Loop() {
				if v := a.Attribute(frames, scope); v.Node != nil && hasMetric(v.Node, 909) {
					hits++
				}
			}
			if hits != b.N {
				b.Fatalf("%d of %d stacks went to the join", hits, b.N)
			}
			b.ReportMetric(float64(len(frames)), "frames")
		})
	}
}

// BenchmarkParseUnit is the cost of a new source, by its size.
func BenchmarkParseUnit(b *testing.B) {
	for _, dir := range []string{"q6", "split-methods", "wide-300-fused"} {
		s := loadFixture(b, "testdata/spark-3.5.7/"+dir).sources[0]
		b.Run(dir, func(b *testing.B) {
			b.SetBytes(int64(len(s.body)))
			for b.Loop() {
				if _, err := ParseUnit(7, s.class, s.body, s.comments); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
