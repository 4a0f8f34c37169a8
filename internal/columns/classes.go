package columns

import (
	"slices"
	"strings"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// Limits of generated code that a Builder holds.
const (
	mostTexts    = 64 << 20 // bytes
	mostBindings = 1 << 16
)

// classes are generated classes by the file that names their text.
type classes struct {
	texts    map[string]string
	bytes    int
	units    map[string]*attribution.Unit
	files    []string // of units, in the order in which they came
	bound    []bound
	byKey    map[boundKey]bool
	lost     uint64 // texts
	lostTies uint64
}

// boundKey is a text in a stage attempt.
type boundKey struct {
	file    string
	jvm     sampler.JVMID
	stage   tasksample.StageID
	attempt tasksample.StageAttempt
}

// bound is a dictionary of a stage attempt.
type bound struct {
	boundKey
	execution tasksample.ExecutionID
	labels    pipeline.Labels
	attribution.Dictionary
}

func newClasses() classes {
	return classes{texts: map[string]string{}, units: map[string]*attribution.Unit{}, byKey: map[boundKey]bool{}}
}

// text keeps the text of a class.
func (c *classes) text(body string) {
	file := attribution.FileOf(body)
	if _, known := c.texts[file]; known {
		return
	}
	if c.bytes += len(body); c.bytes > mostTexts {
		c.bytes -= len(body)
		c.lost++
		return
	}
	c.texts[file] = strings.Clone(body)
}

// bind keeps a dictionary of the stage of a sample that its class decided.
func (c *classes) bind(l *pipeline.Labelled, d attribution.Dictionary) {
	key := boundKey{l.Frames[l.Verdict.Frame].File, l.JVM, l.Of.Stage, l.Of.StageAttempt}
	if c.byKey[key] {
		return
	}
	if len(c.bound) >= mostBindings {
		c.lostTies++
		return
	}
	c.byKey[key] = true
	if c.units[key.file] == nil {
		c.units[key.file] = d.Unit
		c.files = append(c.files, key.file)
	}
	c.bound = append(c.bound, bound{key, l.Of.Execution, l.Labels, d})
}

// source is the table's row of a text.
func (c *classes) source(file string, rules, parts *[]string) Source {
	u := c.units[file]
	s := Source{File: file, Class: u.Class, Text: c.texts[file], Methods: []string{}, Operators: []SourceOp{}, Disputed: []int{}}
	for _, op := range u.Operators() {
		s.Operators = append(s.Operators, SourceOp(op))
	}
	for n := 1; n <= u.Lines(); n++ {
		line, code := u.Line(n)
		if !code {
			line.Operator = None
		}
		s.LineOps = append(s.LineOps, line.Operator)
		s.LineRules = append(s.LineRules, numbered(rules, string(line.Rule)))
		s.LineParts = append(s.LineParts, numbered(parts, string(line.Part)))
		s.LineIn = append(s.LineIn, numbered(&s.Methods, line.Method))
		if line.Disputed {
			s.Disputed = append(s.Disputed, n)
		}
	}
	return s
}

// numbered is the index of a text in a short list, which gets it unless it is there.
func numbered(list *[]string, text string) int {
	i := slices.Index(*list, text)
	if i < 0 {
		i = len(*list)
		*list = append(*list, text)
	}
	return i
}
