package attribution

import (
	"sort"
	"strings"
)

// walk follows a unit's calls from its entry points, keeping track of the region, and decides every
// line.
//
// PRODUCE and CONSUME marks have no end. A mark's region ends with the block that it stands in. A
// mark behind it in the same block lies inside it, since Spark nests the code of a child in its
// parent's. A method's text belongs to the region of its first call.
type walk struct {
	*structure
	comments  map[string]string
	operators []Operator
	parents   []int // of each operator; -1 for the topmost
	lines     []Line
	roots     map[string]int
	classRoot []int                  // operator of an inner class, -1 not known yet
	owners    map[string]int         // identifier → the one of several operators with its prefix that made it
	votes     map[string]map[int]int // field → operators with its prefix in whose regions it is used
	prefixes  map[string][]int
	deciding  bool // the second pass: owners are known, lines are decided for good
	done      map[*method]bool
	looping   bool   // the walk follows the calls of processNext, the loop of the operators
	given     []bool // of each operator of halves: it gives rows now

	inner map[string]int // name → inner class
	steps int            // comparisons with operators and regions so far
}

// region is one entry of the region stack.
type region struct {
	op      int
	depth   int  // brace depth of the mark; -1 for a method's root
	consume bool // a CONSUME mark
}

// cursor is where a walk stands in a method.
type cursor struct {
	regions []region
	depth   int
	last    int         // operator of the line before in this region; -1 none
	open    bool        // the statement of the line before is not complete
	opened  map[int]int // brace depth → operator of the line that opened the block there
	column  bool        // the lines before read a column of an operator upstream, because somebody needed it only now
	asked   int         // who: the operator of the line before those
}

const noOperator = -1

// Bounds of what one text may cost. A unit of Spark 4.3 has at most 64 branches of a union
// (spark.sql.codegen.wholeStage.union.maxChildren) with some operators each. The largest unit of
// testdata takes less than a hundredth of maxSteps.
const (
	maxOperators = 1024
	maxSteps     = 1 << 28
)

// newWalk collects the operators of a unit: its PRODUCE marks in the order in which calls reach
// them.
func newWalk(s *structure, comments map[string]string) *walk {
	w := &walk{structure: s, comments: comments, owners: make(map[string]int), votes: make(map[string]map[int]int), prefixes: make(map[string][]int)}
	seen := make(map[*method]bool)
	var visit func(m *method)
	visit = func(m *method) {
		if seen[m] {
			return
		}
		seen[m] = true
		for _, e := range m.events {
			switch e.kind {
			case eventCall:
				visit(s.byName[e.name])
			case eventMark:
				if text, ok := produce(comments[e.name]); ok {
					w.operators = append(w.operators, Operator{Text: text, Prefix: prefixOf(e.name)})
				}
			}
		}
	}
	for _, m := range w.entries() {
		visit(m)
	}
	w.inner = make(map[string]int)
	for n, c := range s.classes {
		if c.nested {
			w.inner[c.name] = n
		}
	}
	w.parents = pipelineParents(comments["wsc_codegenPipeline"], w.operators)
	for i, op := range w.operators {
		if op.Prefix == "" {
			continue
		}
		w.prefixes[op.Prefix] = append(w.prefixes[op.Prefix], i)
	}
	return w
}

// entries are the methods in the order in which a walk takes them up: the driver first, then what
// only the JVM or Spark calls, then the rest.
func (w *walk) entries() []*method {
	out := append([]*method(nil), w.methods...)
	rank := func(m *method) int {
		switch {
		case w.classes[m.class].nested:
			return 3
		case m.name == "processNext":
			return 0
		case m.name == "init":
			return 1
		}
		return 2
	}
	sort.SliceStable(out, func(i, k int) bool { return rank(out[i]) < rank(out[k]) })
	return out
}

// run decides all lines: once to learn which operator made which identifier, once for good.
func (w *walk) run() {
	for _, w.deciding = range []bool{false, true} {
		w.lines = make([]Line, len(w.structure.lines))
		w.roots = make(map[string]int, len(w.methods))
		w.done = make(map[*method]bool, len(w.methods))
		w.given = make([]bool, len(w.operators))
		w.classRoot = make([]int, len(w.classes))
		for i := range w.classRoot {
			w.classRoot[i] = noOperator
		}
		for _, m := range w.entries() {
			if !w.done[m] {
				w.looping = m.name == "processNext"
				w.method(m, w.entryRoot(m))
			}
		}
		w.elect()
	}
	w.forgetHalves()
}

// elect makes the operator that uses a field most its owner; of equals the topmost.
func (w *walk) elect() {
	for name, votes := range w.votes {
		if _, declared := w.owners[name]; declared {
			continue
		}
		best := noOperator
		for op, n := range votes {
			if best == noOperator || n > votes[best] || n == votes[best] && op < best {
				best = op
			}
		}
		w.owners[name] = best
	}
	clear(w.votes)
}

// entryRoot is the operator of a method that no line of the unit calls.
func (w *walk) entryRoot(m *method) int {
	if c := w.classes[m.class]; c.nested {
		if root := w.classRoot[m.class]; root != noOperator {
			return root
		}
		if ops := w.prefixes[prefixOf(c.name)]; len(ops) > 0 {
			return ops[0]
		}
		return 0
	}
	if ops := w.prefixes[prefixOf(m.name)]; len(ops) == 1 {
		return ops[0]
	}
	return 0
}

// method walks one method whose call site belongs to root.
func (w *walk) method(m *method, root int) {
	w.done[m] = true
	w.roots[m.name] = root
	w.own(m, root)
	nested := w.classes[m.class].nested
	c := &cursor{regions: []region{{op: root, depth: -1}}, depth: m.depth, last: noOperator, opened: make(map[int]int)}
	for _, e := range m.events {
		if w.steps > maxSteps {
			return
		}
		switch e.kind {
		case eventMark:
			c.mark(w, e.name)
		case eventOpen:
			c.depth = e.to
			c.opened[e.to] = c.last
		case eventClose:
			c.close(e.to)
		case eventLine:
			line := w.decide(c, &w.structure.lines[e.line])
			if nested {
				line = Line{Operator: root, Rule: LineNested}
			}
			line.Method, line.Part = m.name, w.part(m, &w.structure.lines[e.line], line)
			w.lines[e.line] = line
			w.noteClass(&w.structure.lines[e.line], line.Operator)
		case eventCall:
			if callee := w.byName[e.name]; !w.done[callee] {
				w.method(callee, w.calleeRoot(c, e))
			}
		}
	}
}

// own notes whose the parameters of a method are: of twins, the method's own.
func (w *walk) own(m *method, root int) {
	if w.deciding {
		return
	}
	identifiers(m.params, func(name string, _ int) bool {
		if ops := w.makers(name); len(ops) > 1 && w.contains(ops, root) {
			if _, known := w.owners[name]; !known {
				w.owners[name] = root
			}
		}
		return true
	})
}

// calleeRoot is the operator to which a called method belongs: the one of its name's prefix as the
// call site sees it, else the line's.
func (w *walk) calleeRoot(c *cursor, e event) int {
	if ops := w.prefixes[prefixOf(e.name)]; len(ops) > 0 {
		if op, _, disputed := w.peek(c, ops, noOperator); !disputed {
			return op
		}
	}
	return w.lines[e.line].Operator
}

// noteClass learns to which operator an inner class belongs: the one of the first line that makes
// one.
func (w *walk) noteClass(t *textLine, op int) {
	if len(w.inner) == 0 {
		return
	}
	for _, rest, ok := strings.Cut(t.code, "new "); ok; _, rest, ok = strings.Cut(rest, "new ") {
		name := firstWord(rest)
		if n, ok := w.inner[name]; ok && w.classRoot[n] == noOperator && strings.HasPrefix(rest[len(name):], "(") {
			w.classRoot[n] = op
		}
	}
}

// mark enters the region of a PRODUCE or CONSUME mark; other marks are names of expressions.
func (c *cursor) mark(w *walk, name string) {
	comment := w.comments[name]
	w.steps += len(c.regions)
	if text, ok := produce(comment); ok {
		c.enter(region{op: w.find(text, prefixOf(name), c.region().op), depth: c.depth})
	} else if text, ok := strings.CutPrefix(comment, "// CONSUME: "); ok {
		c.enter(region{op: w.consumer(text, c.region().op), depth: c.depth, consume: true})
	}
}

// produce returns the text of a PRODUCE mark.
func produce(comment string) (string, bool) { return strings.CutPrefix(comment, "// PRODUCE: ") }

// upstream reports whether operator op feeds operator in, directly or not.
func (w *walk) upstream(op, in int) bool {
	for op > in {
		w.steps++
		if op = w.parents[op]; op == in {
			return true
		}
	}
	return false
}

// find is the operator of a PRODUCE mark inside the region of another: of equal ones the nearest
// upstream.
func (w *walk) find(text, prefix string, in int) int {
	w.compare(text)
	first := noOperator
	for i, op := range w.operators {
		if op.Text != text || op.Prefix != prefix {
			continue
		}
		if first == noOperator {
			first = i
		}
		if i > in {
			return i
		}
	}
	if first != noOperator {
		return first
	}
	return in
}

// compare counts that a text is compared with each operator's.
func (w *walk) compare(text string) { w.steps += len(w.operators) * (1 + len(text)/64) }

// consumer is the operator of a CONSUME mark inside the region of its child. The consumer of the
// topmost operator is the whole-stage wrapper, which writes the topmost operator's rows.
func (w *walk) consumer(text string, in int) int {
	parent := w.parents[in]
	if parent == noOperator || strings.HasPrefix(text, "WholeStageCodegen") {
		return 0
	}
	w.compare(text)
	for i := parent; i != noOperator; i = w.parents[i] {
		if w.operators[i].Text == text {
			return i
		}
	}
	for i := range w.operators {
		if w.operators[i].Text == text {
			return i
		}
	}
	return parent
}

func (c *cursor) region() region { return c.regions[len(c.regions)-1] }

func (c *cursor) enter(r region) {
	c.regions = append(c.regions, r)
	c.last = noOperator
}

// close leaves the regions of the block that has ended.
func (c *cursor) close(depth int) {
	c.depth = depth
	for n := len(c.regions); n > 1 && c.regions[n-1].depth > depth; n = len(c.regions) {
		c.regions = c.regions[:n-1]
		c.last = noOperator
	}
}

// back leaves all regions down to the nearest of op that is still open at this depth; false where
// there is none.
func (c *cursor) back(op int) bool {
	for n := len(c.regions) - 1; n >= 0; n-- {
		if c.regions[n].op == op {
			if n < len(c.regions)-1 {
				c.regions = c.regions[:n+1]
			}
			return true
		}
		if c.regions[n].depth != c.depth {
			return false
		}
	}
	return false
}

// prefixOf is the part of an identifier that names the operator that made it.
func prefixOf(identifier string) string {
	prefix, _, ok := strings.Cut(identifier, "_")
	if !ok {
		return ""
	}
	return prefix
}
