package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/planflame/planflame/attribution"
)

// score sums judgements; a line's weight is its CPU in seconds, or 1.
type score struct {
	Right     float64 `json:"right"`
	Wrong     float64 `json:"wrong"`
	Disputed  float64 `json:"disputed"`           // planflame says so itself: apart from right and wrong
	AmongThem float64 `json:"disputed_but_right"` // of the disputed
	NotJudged float64 `json:"not_judged"`         // the sum of why
	// Why lines are not judged.
	Why map[string]float64 `json:"why_not_judged"`
}

func (s *score) add(o outcome, isRight bool, weight float64) {
	switch o {
	case right:
		s.Right += weight
	case wrong:
		s.Wrong += weight
	case disputed:
		s.Disputed += weight
		if isRight {
			s.AmongThem += weight
		}
	default:
		s.skip(string(o), weight)
	}
}

func (s *score) skip(why string, weight float64) {
	if s.Why == nil {
		s.Why = map[string]float64{}
	}
	s.NotJudged += weight
	s.Why[why] += weight
}

// rightShare is right / (right + wrong), 0 if nothing was judged.
func (s *score) rightShare() float64 { return share(s.Right, s.Right+s.Wrong) }

// total is all weight.
func (s *score) total() float64 { return s.Right + s.Wrong + s.Disputed + s.NotJudged }

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// wrongLine is a line whose label is not the node that wrote it, or that is disputed.
type wrongLine struct {
	Query   string  `json:"query"`
	Class   string  `json:"class"`
	Line    int     `json:"line"`
	Code    string  `json:"code"`
	Outcome outcome `json:"outcome"`
	Want    string  `json:"want"`
	Got     string  `json:"got"`
	Rule    string  `json:"rule"`
	Weight  float64 `json:"weight"`
}

// setResult is what a set of statements gave.
type setResult struct {
	Statements int                `json:"statements"`
	Classes    int                `json:"classes"`
	Lines      score              `json:"lines"`       // each line that compiles to something counts 1
	CPU        *score             `json:"cpu_seconds"` // lines weighed by a recorded run; none for a set that was not recorded
	Operators  map[string]*score  `json:"operators"`   // by the physical class that wrote the line; CPU where there is any, else lines
	Rules      map[string]*score  `json:"rules"`       // by attribution's rule, likewise
	NotSame    map[string]string  `json:"not_same"`    // statement and class → how signing changed the text
	Mutations  mutationCounts     `json:"mutations"`
	Disagree   []disagreement     `json:"disagreements"`
	WrongLines []wrongLine        `json:"wrong_lines"` // the heaviest first
	Failed     map[string]string  `json:"failed"`      // statement → why it was not examined
	OtherCPU   map[string]float64 `json:"other_cpu_seconds,omitempty"`
}

// mostListed bounds the lists in the report.
const mostListed = 200

// tally sums judgements of a set.
type tally struct {
	setResult
	weights *weights           // nil: not recorded
	seen    map[place]struct{} // places that have been given their weight
	bodies  map[place]struct{} // the classes that the oracle has seen
}

func newTally(w *weights) *tally {
	t := &tally{weights: w, seen: map[place]struct{}{}, bodies: map[place]struct{}{}}
	t.Operators, t.Rules, t.NotSame, t.Failed = map[string]*score{}, map[string]*score{}, map[string]string{}, map[string]string{}
	if w != nil {
		t.CPU = &score{}
	}
	return t
}

// add adds the judgement on one class of a statement.
func (t *tally) add(query string, j *judgement) {
	t.Classes++
	text := fingerprintOf(j.unit.Body)
	t.bodies[place{query, text.key, ""}] = struct{}{}
	if j.differs != "" {
		t.NotSame[query+" "+j.unit.Class] = j.differs
	}
	t.mutations(j)
	for _, l := range j.lines {
		var weight float64
		name, _ := text.line(l.line)
		at := place{query, text.key, name}
		_, twice := t.seen[at]
		if t.weights != nil && !twice {
			weight = t.weights.lines[at].Seconds()
		}
		t.seen[at] = struct{}{}
		if l.empty && weight == 0 {
			continue
		}
		if t.line(query, j.unit.Class, l, weight); !twice {
			t.list(query, j.unit.Class, l, weight)
		}
	}
}

func (t *tally) mutations(j *judgement) {
	m, n := &t.Mutations, j.mutations
	m.Tried += n.Tried
	m.Refused += n.Refused
	m.NoEffect += n.NoEffect
	m.Unconfined += n.Unconfined
	m.Confined += n.Confined
	m.Lines += n.Lines
	m.Agree += n.Agree
	m.Disagree += n.Disagree
	m.Unsigned += n.Unsigned
	t.Disagree = append(t.Disagree, j.disagree...)
}

func (t *tally) line(query, class string, l lineJudgement, cpu float64) {
	weight := cpu
	if t.CPU == nil {
		weight = 1
	} else {
		t.CPU.add(l.outcome, l.isRight, cpu)
	}
	if !l.empty {
		t.Lines.add(l.outcome, l.isRight, 1)
	}
	of(t.Rules, l.rule).add(l.outcome, l.isRight, weight)
	if l.want != nil {
		of(t.Operators, simpleName(l.want)).add(l.outcome, l.isRight, weight)
	}
}

// list notes a line that is wrong or disputed.
func (t *tally) list(query, class string, l lineJudgement, weight float64) {
	if l.outcome == wrong || l.outcome == disputed {
		w := wrongLine{Query: query, Class: class, Line: l.line, Code: l.code, Outcome: l.outcome, Want: l.want.Text, Rule: l.rule, Weight: weight}
		if l.got != nil {
			w.Got = l.got.Text
		}
		t.WrongLines = append(t.WrongLines, w)
	}
}

// finish adds the CPU of lines that the oracle has not seen, and sorts.
func (t *tally) finish() setResult {
	if t.weights != nil {
		for at, cpu := range t.weights.lines {
			if _, ok := t.seen[at]; !ok {
				t.CPU.skip(t.unseen(at), cpu.Seconds())
			}
		}
		t.CPU.skip("no line or no source", t.weights.unlined.Seconds())
		t.OtherCPU = map[string]float64{"decided by another frame than generated code": t.weights.other.Seconds()}
	}
	slices.SortStableFunc(t.WrongLines, func(a, b wrongLine) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Query, b.Query), cmp.Compare(a.Line, b.Line))
	})
	t.WrongLines = t.WrongLines[:min(len(t.WrongLines), mostListed)]
	t.Disagree = t.Disagree[:min(len(t.Disagree), mostListed)]
	return t.setResult
}

// unseen says why a recorded line was not among those judged.
func (t *tally) unseen(at place) string {
	if _, ok := t.bodies[place{at.statement, at.body, ""}]; ok {
		return "line without code"
	}
	return "class not seen by the oracle"
}

func of(scores map[string]*score, name string) *score {
	s := scores[name]
	if s == nil {
		s = &score{}
		scores[name] = s
	}
	return s
}

// simpleName is a node's physical class without its package and Exec.
func simpleName(n *attribution.Node) string {
	return strings.TrimSuffix(n.Class[strings.LastIndexByte(n.Class, '.')+1:], "Exec")
}
