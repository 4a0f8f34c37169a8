package attribution

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Unit is one generated class: what each line of its text belongs to. It is immutable once parsed
// and safe for concurrent use.
type Unit struct {
	Loader uint64 // the agent's number of its class loader
	Class  string // simple name, such as GeneratedIteratorForCodegenStage1
	*text
}

// text is what is equal in all units with the same body and comments.
type text struct {
	operators []Operator
	parents   []int          // of each operator; -1 for the topmost
	lines     []storedLine   // line n is element n-1
	methods   []string       // that lines stand in
	roots     map[string]int // method → operator of its call site
	stageID   int            // codegenStageId, 0 unknown
}

// storedLine is a Line as it is kept: a JVM's classes have hundreds of thousands of lines, up to
// maxLines.
type storedLine struct {
	operator int32
	method   uint32 // index of text.methods
	rule     uint8  // index of lineRules
	part     uint8  // index of parts
	disputed bool
}

// Operator is one physical operator fused into a unit.
type Operator struct {
	Text   string // of its PRODUCE mark: the simpleString of its plan node
	Prefix string // of the identifiers in its code
}

// Line says what a line of a unit belongs to. The zero value is a line without code.
type Line struct {
	Operator int // ordinal; meaningless while Rule is empty
	Rule     LineRule
	Disputed bool   // prefix and region disagree in a way that lazy evaluation does not explain
	Method   string // the method it stands in, without Janino's `$`; "" outside
	Part     Part   // of its operator
}

// LineRule is the rule that decided a line.
type LineRule string

// Rules for lines, strongest first.
const (
	LineMetric    LineRule = "metric"    // an SQLMetric that only one operator has
	LinePrefix    LineRule = "prefix"    // the prefix of what it assigns or calls
	LineLazy      LineRule = "lazy"      // a prefix upstream of the region: lazy evaluation
	LineRegion    LineRule = "region"    // the PRODUCE or CONSUME mark around it
	LineContinued LineRule = "continued" // it continues a statement or a decision of the line before
	LineNested    LineRule = "nested"    // an inner class, by the operator that makes it
)

// lineRules are the rules by the number that a storedLine has.
var lineRules = [...]LineRule{"", LineMetric, LinePrefix, LineLazy, LineRegion, LineContinued, LineNested}

// ErrNoMarks says that a whole-stage unit has no PRODUCE marks: Spark was not told to write
// comments into generated code.
var ErrNoMarks = errors.New("no PRODUCE marks (spark.sql.codegen.comments is off)")

// maxUnitLines bounds the text of one unit; a JVM method is at most 64 KiB of bytecode and a class
// 64 K constants.
const maxUnitLines = 1 << 20

// ParseUnit reads the text of a generated class.
//
// body is CodeAndComment.body, the text to which the class's line numbers refer; comments maps its
// placeholders to their texts. A class other than a whole-stage one (projections, predicates,
// orderings) is a unit without operators: its lines belong to whoever calls it. Errors name the
// class: an empty body or class name, [ErrNoMarks], or a text beyond any class's size or nesting.
func ParseUnit(loader uint64, class, body string, comments map[string]string) (*Unit, error) {
	simple := simpleName(class)
	if simple == "" {
		return nil, fmt.Errorf("parse generated class of loader %d: no class name", loader)
	}
	if body == "" {
		return nil, fmt.Errorf("parse generated class %s of loader %d: no body", simple, loader)
	}
	t, err := parseText(simple, body, comments)
	if err != nil {
		return nil, fmt.Errorf("parse generated class %s of loader %d: %w", simple, loader, err)
	}
	return &Unit{Loader: loader, Class: strings.Clone(simple), text: t}, nil
}

func parseText(class, body string, comments map[string]string) (*text, error) {
	if n := strings.Count(body, "\n"); n > maxUnitLines {
		return nil, fmt.Errorf("%d lines, more than %d", n, maxUnitLines)
	}
	if !isWholeStage(class) {
		return &text{}, nil
	}
	w := newWalk(parseStructure(splitLines(body)), comments)
	if len(w.operators) == 0 {
		return nil, ErrNoMarks
	}
	if n := len(w.operators); n > maxOperators {
		return nil, fmt.Errorf("%d operators, more than %d", n, maxOperators)
	}
	if w.run(); w.steps > maxSteps {
		return nil, fmt.Errorf("%d lines and %d operators take more than %d comparisons", len(w.lines), len(w.operators), maxSteps)
	}
	t := &text{operators: w.operators, parents: w.parents, stageID: stageIDOf(class, comments)}
	t.store(w)
	return t, nil
}

// store keeps what a walk found without the body that it read: every name in a walk is a piece of
// the body, and would keep all of it.
func (t *text) store(w *walk) {
	t.methods = []string{""}
	numbers := map[string]uint32{"": 0}
	number := func(method string) uint32 {
		n, ok := numbers[method]
		if !ok {
			method = strings.Clone(method)
			n = uint32(len(t.methods))
			t.methods = append(t.methods, method)
			numbers[method] = n
		}
		return n
	}
	t.lines = make([]storedLine, len(w.lines))
	for i, l := range w.lines {
		t.lines[i] = storedLine{operator: int32(l.Operator), method: number(l.Method), rule: uint8(slices.Index(lineRules[:], l.Rule)), part: uint8(slices.Index(parts[:], l.Part)), disputed: l.Disputed}
	}
	t.roots = make(map[string]int, len(w.roots))
	for method, op := range w.roots {
		t.roots[t.methods[number(method)]] = op
	}
	for i := range t.operators {
		t.operators[i].Prefix = strings.Clone(t.operators[i].Prefix)
	}
}

// Operators are the operators of the unit by ordinal; none where the class is not a whole-stage
// one. Not to be changed.
func (u *Unit) Operators() []Operator { return u.operators }

// Lines is the number of lines of the unit's text; 0 for a class other than a whole-stage one.
func (u *Unit) Lines() int { return len(u.lines) }

// WholeStage reports whether the unit is a whole-stage class.
func (u *Unit) WholeStage() bool { return len(u.operators) > 0 }

// Line says what line n (from 1) belongs to; false where the unit has no such line or the line has
// no code.
func (u *Unit) Line(n int) (Line, bool) {
	if n < 1 || n > len(u.lines) || u.lines[n-1].rule == 0 {
		return Line{}, false
	}
	l := u.lines[n-1]
	return Line{Operator: int(l.operator), Rule: lineRules[l.rule], Disputed: l.disputed, Method: u.methods[l.method], Part: parts[l.part]}, true
}

// Root is the operator from whose code a method is called, for frames without a line; false for a
// method the unit does not have.
func (u *Unit) Root(method string) (int, bool) {
	op, ok := u.roots[strings.TrimSuffix(method, "$")]
	return op, ok
}

// generatedPrefix begins the names of all classes that Spark generates.
const generatedPrefix = "org.apache.spark.sql.catalyst.expressions.GeneratedClass"

// isWholeStage reports whether a simple class name is a whole-stage class's
// (WholeStageCodegenExec.generatedClassName).
func isWholeStage(class string) bool { return strings.HasPrefix(class, "GeneratedIterator") }

// simpleName takes package and outer classes from the binary name of a generated class.
func simpleName(class string) string {
	class = class[strings.LastIndexByte(class, '.')+1:]
	class = strings.TrimPrefix(class, "GeneratedClass$")
	name, _, _ := strings.Cut(class, "$")
	return name
}

// stageIDOf reads a unit's codegenStageId: from the class name, or from its mark where
// spark.sql.codegen.useIdInClassName is off.
func stageIDOf(class string, comments map[string]string) int {
	if id, ok := strings.CutPrefix(class, "GeneratedIteratorForCodegenStage"); ok {
		if n, err := strconv.Atoi(id); err == nil {
			return n
		}
	}
	if _, id, ok := strings.Cut(comments["wsc_codegenStageId"], "codegenStageId="); ok {
		if n, err := strconv.Atoi(strings.TrimSpace(id)); err == nil {
			return n
		}
	}
	return 0
}
