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
