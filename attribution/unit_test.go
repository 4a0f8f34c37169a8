package attribution

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// TestExpectedLines holds every hand-written expectation against the parser.
func TestExpectedLines(t *testing.T) {
	checked := 0
	for _, dir := range fixtureDirs(t) {
		c := loadFixture(t, dir)
		for _, s := range c.sources {
			if _, err := os.Stat(s.path + ".expected"); err != nil {
				continue
			}
			t.Run(strings.TrimPrefix(s.path, "testdata/"), func(t *testing.T) {
				checked += checkLines(t, s)
			})
		}
	}
	if checked < 500 {
		t.Errorf("only %d lines were checked", checked)
	}
}

func checkLines(t *testing.T, s fixtureSource) int {
	u, err := ParseUnit(7, s.class, s.body, s.comments)
	if err != nil {
		t.Fatal(err)
	}
	operators, want := readExpected(t, s.path+".expected")
	if len(u.Operators()) != len(operators) {
		t.Fatalf("operators %v, want %v", u.Operators(), operators)
	}
	for i, op := range u.Operators() {
		if !strings.HasPrefix(op.Text, operators[i]) {
			t.Errorf("operator %d is %q, want %q", i, op.Text, operators[i])
		}
	}
	texts, n := strings.Split(s.body, "\n"), 0
	for _, e := range want {
		for line := e.first; line <= e.last; line++ {
			if !significant(texts[line-1]) {
				continue
			}
			n++
			got, ok := u.Line(line)
			if !ok || got.Operator != e.operator {
				t.Errorf("line %d is operator %d by %q, want %d: %s", line, got.Operator, got.Rule, e.operator, texts[line-1])
			}
			if got.Disputed {
				t.Errorf("line %d is disputed: %s", line, texts[line-1])
			}
		}
	}
	return n
}

// significant reports whether a line has code that can burn CPU: not blank, a comment, braces only,
// or the head of a method.
func significant(text string) bool {
	var lex lexer
	code := strings.Trim(lex.line(text).code, "{} ;")
	return code != "" && !strings.HasPrefix(code, "private ") && !strings.HasPrefix(code, "public ")
}

func TestParseUnitErrors(t *testing.T) {
	const class = generatedPrefix + "$GeneratedIteratorForCodegenStage5"
	for _, test := range []struct {
		name, class, body string
		want              string
		is                error
	}{
		{"no class", "", "x", "no class name", nil},
		{"no body", class, "", "no body", nil},
		{"no marks", class, "final class GeneratedIteratorForCodegenStage5 {\nvoid processNext() {\n}\n}", "GeneratedIteratorForCodegenStage5", ErrNoMarks},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseUnit(3, test.class, test.body, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "loader 3") {
				t.Errorf("error %v, want %q and the loader", err, test.want)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v is not %v", err, test.is)
			}
		})
	}
}

// TestUnitsThatNoOneCompiles are texts that fit into a record and would take minutes or more.
func TestUnitsThatNoOneCompiles(t *testing.T) {
	const class = "GeneratedIteratorForCodegenStage5"
	long := strings.Repeat("x", 1<<20)
	comments := map[string]string{"a_1": "// PRODUCE: Filter", "a_2": "// CONSUME: Filter", "b_1": "// PRODUCE: Sort" + long + "y", "b_2": "// CONSUME: Sort" + long + "z"}
	times := strings.Repeat
	for _, test := range []struct {
		name, code, want string
	}{
		{"operators", times("/*a_1*/", 600_000), "600000 operators"},
		{"regions", "/*a_1*/" + times("/*a_2*/", 500_000), "comparisons"},
		{"long texts", times("/*b_1*/", 1000) + times("/*b_2*/", 300_000), "comparisons"},
		{"regions and lines", times("/*a_1*/", 1000) + times("/*a_2*/", 10_000) + times("a_3 = a_4;\n", 300_000), "comparisons"},
		{"inner classes", "/*a_1*/" + times("x = new K0();\n", 100_000) + "} class L {} " + times("class K { ; }\n", 100_000), ""},
		{"comments", "/*a_1*/ " + times("x", 2<<20) + times("/* a */", 250_000), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseUnit(7, class, "final class "+class+" {\nvoid processNext() {\n"+test.code+"\n}\n}", comments)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// TestUnitsAreFarFromTheBounds: real units cost a hundredth of what they may.
func TestUnitsAreFarFromTheBounds(t *testing.T) {
	for _, dir := range fixtureDirs(t) {
		for _, s := range loadFixture(t, dir).sources {
			if !isWholeStage(simpleName(s.class)) {
				continue
			}
			w := newWalk(parseStructure(splitLines(s.body)), s.comments)
			if len(w.operators) == 0 {
				continue
			}
			if w.run(); w.steps > maxSteps/100 {
				t.Errorf("%s takes %d comparisons", s.path, w.steps)
			}
		}
	}
}

// TestUnitKeepsNoBody holds that nothing of a unit is a piece of the text that it was read from. A
// piece would keep all of the text. Generated classes have tens of thousands of bytes each, and
// stay until others push them out.
func TestUnitKeepsNoBody(t *testing.T) {
	for _, s := range loadFixture(t, fixtureDirs(t)[0]).sources {
		a := New()
		freed := make(chan struct{})
		func() {
			body := strings.Clone(s.body)
			class := simpleName(s.class)
			at := strings.Index(body, class)
			if at < 0 {
				t.Fatalf("%s does not name its class", s.path)
			}
			runtime.AddCleanup(unsafe.StringData(body), func(freed chan struct{}) { close(freed) }, freed)
			if err := a.AddSource(7, body[at:at+len(class)], body, s.comments); err != nil {
				t.Fatal(err)
			}
		}()
		if !collected(freed) {
			t.Errorf("%s: the body is still held", s.path)
		}
		runtime.KeepAlive(a)
	}
}

// collected reports whether freed is closed by a garbage collection.
func collected(freed chan struct{}) bool {
	for range 100 {
		runtime.GC()
		select {
		case <-freed:
			return true
		case <-time.After(10 * time.Millisecond): // cleanups run on a goroutine of their own
		}
	}
	return false
}
