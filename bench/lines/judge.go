package main

import (
	"regexp"
	"strings"

	"github.com/planflame/planflame/attribution"
)

// outcome is what is said of a line.
type outcome string

const (
	right     outcome = "right"
	wrong     outcome = "wrong"
	disputed  outcome = "disputed"   // planflame itself says that its rules disagree
	unwritten outcome = "not signed" // the class's frame, fields and constructors
	mixed     outcome = "mixed"      // several operators wrote it
	unsame    outcome = "not same"   // signing changed the class's text: nothing in it is judged
)

// lineJudgement is the judgement on one line of one class.
type lineJudgement struct {
	line    int // number in the text, from 1
	code    string
	outcome outcome
	want    *attribution.Node // who wrote it; nil where that is not known
	got     *attribution.Node // who planflame says
	rule    string            // by which rule
	isRight bool              // also of a disputed line
	empty   bool              // braces, keywords, a method's head: no instruction has this line
}

// mutationCounts say what became of mutations.
type mutationCounts struct {
	Tried      int `json:"tried"`
	Refused    int `json:"refused"`    // by Spark
	NoEffect   int `json:"no_effect"`  // constants that are no part of the text
	Unconfined int `json:"unconfined"` // lines moved
	Confined   int `json:"confined"`
	Lines      int `json:"lines"`    // that confined ones changed
	Agree      int `json:"agree"`    // of which the signature names the same node
	Disagree   int `json:"disagree"` // names another
	Unsigned   int `json:"unsigned"` // names none: constants that a class makes when it begins
}

// disagreement is a line on which the two oracles differ.
type disagreement struct {
	Query    string `json:"query"`
	Line     int    `json:"line"`
	Code     string `json:"code"`
	Mutated  string `json:"mutated"` // node whose expression was changed
	What     string `json:"what"`
	SignedBy string `json:"signed_by"`
}

// judgement is that on a whole class.
type judgement struct {
	unit      *unit
	lines     []lineJudgement
	differs   string // how signing changed the text; "" where it did not
	mutations mutationCounts
	disagree  []disagreement
}

// generatedClass begins the names of generated classes, as stacks have them.
const generatedClass = "org.apache.spark.sql.catalyst.expressions.GeneratedClass$"

// judge has planflame's attribution label every line of a class and compares.
func (c *oracleCase) judge(u *unit) (*judgement, error) {
	base, err := codeLines(u.Body)
	if err != nil {
		return nil, err
	}
	signed, err := codeLines(u.Signed)
	if err != nil {
		return nil, err
	}
	j := &judgement{unit: u}
	same, how := sameCode(base, signed)
	if !same {
		j.differs = how
	}
	a := attribution.New()
	if err := a.AddSource(1, generatedClass+u.Class, u.Body, u.Comments); err != nil {
		return nil, err
	}
	scope := attribution.Scope{Plan: c.plan}
	if len(u.Accumulators) > 0 {
		scope.Accumulators = u.Accumulators // else not known, as in the pipeline
	}
	head := heads(base)
	for i, line := range base {
		l := lineJudgement{line: line.number, code: line.code, outcome: unsame, empty: head[i] || noInstruction(line.code)}
		v := a.Attribute([]attribution.Frame{{Kind: attribution.FrameJava, Class: generatedClass + u.Class, Method: "processNext", Line: line.number, Loader: 1, Level: 4}}, scope)
		l.got, l.rule = v.Node, v.Rule
		if same {
			c.compare(&l, u, signed[i], v)
		}
		j.lines = append(j.lines, l)
	}
	if same {
		err = c.mutate(j, base, signed)
	}
	return j, err
}

// compare fills in the outcome.
func (c *oracleCase) compare(l *lineJudgement, u *unit, signed codeLine, v attribution.Verdict) {
	switch {
	case signed.owner == unsigned || signed.owner >= len(u.Owners):
		l.outcome = unwritten
		return
	case signed.mixed:
		l.outcome = mixed
		return
	}
	l.want = &c.nodes()[c.target(u.Owners[signed.owner])]
	l.isRight = v.Node != nil && same(v.Node, l.want)
	switch {
	case v.Disputed:
		l.outcome = disputed
	case l.isRight:
		l.outcome = right
	default:
		l.outcome = wrong
	}
}

// methodHead matches the first line of a method's head, which may go on to the line that ends with
// its brace.
var methodHead = regexp.MustCompile(`^(public|private|protected) [^=;]*\([^=;]*$`)

// heads says of each line whether it is part of a method's head.
func heads(lines []codeLine) []bool {
	out := make([]bool, len(lines))
	inside := false
	for i, l := range lines {
		inside = inside || methodHead.MatchString(l.code)
		out[i] = inside
		inside = inside && !strings.HasSuffix(l.code, "{")
	}
	return out
}

// noInstruction reports whether a line of code outside of methods' heads compiles to nothing.
func noInstruction(code string) bool {
	switch code {
	case "} else {", "do {", "} while (false);", "} while(false);", "try {", "static {":
		return true
	}
	return strings.Trim(code, "{}();") == "" || classHead.MatchString(code)
}

// classHead matches the lines of a class's head.
var classHead = regexp.MustCompile(`^((public|private|static|final) )*class \w+|^extends `)

// mutate holds the mutations against the signatures.
func (c *oracleCase) mutate(j *judgement, base, signed []codeLine) error {
	for _, m := range j.unit.Mutations {
		j.mutations.Tried++
		if m.Refused != "" {
			j.mutations.Refused++
			continue
		}
		after, err := codeLines(m.Body)
		if err != nil {
			return err
		}
		what, lines := changed(base, after)
		switch what {
		case effectNone:
			j.mutations.NoEffect++
			continue
		case effectUnconfined:
			j.mutations.Unconfined++
			continue
		}
		j.mutations.Confined++
		for _, i := range lines {
			j.mutations.Lines++
			by := signed[i].owner
			if by == unsigned {
				j.mutations.Unsigned++
				continue
			}
			signer, node := &c.nodes()[j.unit.Owners[by]], &c.nodes()[m.Node]
			if same(signer, node) {
				j.mutations.Agree++
				continue
			}
			j.mutations.Disagree++
			j.disagree = append(j.disagree, disagreement{Query: c.Query, Line: base[i].number, Code: base[i].code, Mutated: node.Text, What: m.What, SignedBy: signer.Text})
		}
	}
	return nil
}

// standsFor reports whether a node of that name only stands for the one below it (attribution's
// documented convention).
func standsFor(name string) bool {
	switch name {
	case "InputAdapter", "AQEShuffleRead", "ReusedExchange", "AdaptiveSparkPlan":
		return true
	}
	return strings.HasSuffix(name, "QueryStage") || strings.HasPrefix(name, "WholeStageCodegen")
}
