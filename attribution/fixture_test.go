package attribution

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// fixtureCase is one folder of testdata/spark-*.
type fixtureCase struct {
	name    string
	sources []fixtureSource // by number
	plans   map[int64]*Plan
	stages  []fixtureStage
}

type fixtureSource struct {
	number   int
	class    string
	body     string
	comments map[string]string
	path     string // without extension
}

type fixtureStage struct {
	Stage        int
	Execution    int64
	Accumulators []int64
}

func fixtureDirs(t testing.TB) []string {
	t.Helper()
	dirs, err := filepath.Glob("testdata/spark-*/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return dirs
}

func loadFixture(t testing.TB, dir string) *fixtureCase {
	t.Helper()
	c := &fixtureCase{name: strings.TrimPrefix(dir, "testdata/"), plans: make(map[int64]*Plan)}
	bodies, err := filepath.Glob(filepath.Join(dir, "*.java"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range bodies {
		base := strings.TrimSuffix(path, ".java")
		number, class, _ := strings.Cut(filepath.Base(base), "-")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		s := fixtureSource{number: n, class: generatedPrefix + "$" + class, body: string(read(t, path)), path: base}
		if err := json.Unmarshal(read(t, base+".comments.json"), &s.comments); err != nil {
			t.Fatalf("%s: %v", base, err)
		}
		c.sources = append(c.sources, s)
	}
	sort.Slice(c.sources, func(i, k int) bool { return c.sources[i].number < c.sources[k].number })
	if err := json.Unmarshal(read(t, filepath.Join(dir, "stages.json")), &c.stages); err != nil {
		t.Fatal(err)
	}
	plans, err := filepath.Glob(filepath.Join(dir, "plan-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range plans {
		u, err := ParsePlanUpdate(read(t, path))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if c.plans[u.ExecutionID] == nil {
			c.plans[u.ExecutionID] = &Plan{ExecutionID: u.ExecutionID}
		}
		if err := c.plans[u.ExecutionID].Merge(u); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return c
}

func (c *fixtureCase) source(t testing.TB, number int) fixtureSource {
	t.Helper()
	for _, s := range c.sources {
		if s.number == number {
			return s
		}
	}
	t.Fatalf("%s has no source %d", c.name, number)
	return fixtureSource{}
}

func (c *fixtureCase) scope(t testing.TB, stage int) Scope {
	t.Helper()
	for _, s := range c.stages {
		if s.Stage == stage {
			return Scope{Plan: c.plans[s.Execution], Accumulators: s.Accumulators}
		}
	}
	t.Fatalf("%s has no stage %d", c.name, stage)
	return Scope{}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// expectedLine is one range of a hand-written .expected file.
type expectedLine struct{ first, last, operator int }

// readExpected reads a hand-written .expected file: the beginnings of the operators' texts, and
// line ranges.
func readExpected(t testing.TB, path string) (operators []string, lines []expectedLine) {
	t.Helper()
	for n, text := range directives(t, path) {
		if op, ok := strings.CutPrefix(text, "op "); ok {
			ordinal, name, _ := strings.Cut(op, " ")
			if ordinal != strconv.Itoa(len(operators)) {
				t.Fatalf("%s, directive %d: operator %s out of order", path, n, ordinal)
			}
			operators = append(operators, name)
			continue
		}
		var e expectedLine
		if _, err := fmt.Sscanf(text, "%d-%d %d", &e.first, &e.last, &e.operator); err != nil {
			if _, err := fmt.Sscanf(text, "%d %d", &e.first, &e.operator); err != nil {
				t.Fatalf("%s: %q: %v", path, text, err)
			}
			e.last = e.first
		}
		lines = append(lines, e)
	}
	return operators, lines
}

// directives are the lines of a file without comments and blank ones.
func directives(t testing.TB, path string) []string {
	t.Helper()
	var out []string
	scan := bufio.NewScanner(strings.NewReader(string(read(t, path))))
	for scan.Scan() {
		if text := strings.TrimSpace(scan.Text()); text != "" && !strings.HasPrefix(text, "#") {
			out = append(out, text)
		}
	}
	return out
}
