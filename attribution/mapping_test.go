package attribution

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestMapping holds the hand-written stage → plan node expectations against the attributor. Every
// source is added under two loaders, as in local mode, and stages are asked for in turn. So the
// stage alone must tell a shared class apart.
func TestMapping(t *testing.T) {
	for _, dir := range fixtureDirs(t) {
		path := filepath.Join(dir, "mapping.expected")
		if _, err := os.Stat(path); err != nil {
			continue
		}
		c := loadFixture(t, dir)
		t.Run(c.name, func(t *testing.T) {
			a := New()
			for loader := range uint64(2) {
				for _, s := range c.sources {
					if err := a.AddSource(loader*100+uint64(s.number)+1, s.class, s.body, s.comments); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, text := range directives(t, path) {
				var stage, source, ordinal int
				var metric int64
				if _, err := fmt.Sscanf(text, "%d %d %d %d", &stage, &source, &ordinal, &metric); err != nil {
					t.Fatalf("%s: %q: %v", path, text, err)
				}
				s := c.source(t, source)
				line := lineOf(t, s, ordinal)
				for loader := range uint64(2) {
					frames := []Frame{
						{Kind: FrameJava, Class: "java.lang.String", Method: "length", Level: 4},
						{Kind: FrameJava, Class: s.class, Method: "processNext", Line: line, Loader: loader*100 + uint64(source) + 1, Level: 4},
					}
					v := a.Attribute(frames, c.scope(t, stage))
					if v.Node == nil || !hasMetric(v.Node, metric) {
						t.Errorf("%s: line %d of source %d is %v, want the node with accumulator %d", text, line, source, v, metric)
					}
					if v.Frame != 1 || v.Weak || v.Disputed {
						t.Errorf("%s: verdict %+v, want frame 1, neither weak nor disputed", text, v)
					}
				}
			}
			if got := a.Stats(); got.Ambiguous != 0 || got.Unmapped != 0 || got.MissingSources != 0 {
				t.Errorf("ambiguous %d, unmapped %d, without source %d, want none", got.Ambiguous, got.Unmapped, got.MissingSources)
			}
		})
	}
}

// lineOf returns some line of a source that belongs to an operator; lines themselves are judged by
// TestExpectedLines.
func lineOf(t *testing.T, s fixtureSource, ordinal int) int {
	t.Helper()
	u, err := ParseUnit(1, s.class, s.body, s.comments)
	if err != nil {
		t.Fatal(err)
	}
	for n := range u.lines {
		if line, ok := u.Line(n + 1); ok && line.Operator == ordinal && line.Rule == LineRegion {
			return n + 1
		}
	}
	t.Fatalf("%s has no line of operator %d", s.path, ordinal)
	return 0
}

func hasMetric(n *Node, id int64) bool {
	for _, m := range n.Metrics {
		if m.ID == id {
			return true
		}
	}
	return false
}
