package attribution

import (
	"slices"
	"strings"
)

// metricOwners names, by prefix, the operators that have a metric of their own; metrics that many
// operators have (numOutputRows) say nothing. Names as in the metric maps of Spark's physical
// operators, 3.5 to 4.3.
var metricOwners = map[string][]string{
	"aggTime":            {"hashAgg", "sortAgg"},
	"avgHashProbe":       {"hashAgg"},
	"numTasksFallBacked": {"hashAgg"},
	"sortTime":           {"sort"},
	"numInputBatches":    {"columnartorow"},
	"buildTime":          {"shj"},
	"buildDataSize":      {"shj"},
}

// columnPrefixes are the prefixes of the operators whose rows others read lazily, column by column,
// and that have no expression that could be lazy.
var columnPrefixes = map[string]bool{"columnartorow": true, "inputadapter": true, "range": true, "smj": true, "shj": true, "bhj": true, "bnlj": true}

// nameMakers names, by its prefix, the operator that makes a variable whose own prefix misleads.
// Spark takes the prefix of whoever consumed rows last, and these names are made after the
// consumer's code (SortMergeJoinExec, 3.5 to 4.3).
var nameMakers = map[string]string{"initJoin": "smj", "cleanedFlag": "smj", "hasMatchedRow": "smj"}

// makers are the operators that may have made an identifier.
func (w *walk) makers(identifier string) []int {
	prefix, rest, ok := strings.Cut(identifier, "_")
	if !ok {
		return nil
	}
	name, _, _ := strings.Cut(rest, "_")
	if ops := w.prefixes[nameMakers[name]]; len(ops) > 0 {
		return ops
	}
	return w.prefixes[prefix]
}

// decide says to which operator a line of code belongs.
func (w *walk) decide(c *cursor, t *textLine) Line {
	if strings.HasPrefix(t.code, "if (shouldStop())") {
		c.leaveConsumers() // written by the loop that produces rows, behind what it hands them to
	}
	line := Line{Operator: c.last, Rule: LineContinued}
	if opener, ok := c.opened[c.depth]; ok && opener != noOperator && strings.HasPrefix(t.code, "} while") {
		line.Operator = opener // `do {`
	} else if !c.open || c.last == noOperator {
		line = w.statement(c, t)
	}
	w.noteColumn(c, line)
	c.last = line.Operator
	end := t.code[len(t.code)-1]
	c.open = end != ';' && end != '{' && end != '}' && !strings.HasPrefix(t.code, "@")
	return line
}

// noteColumn notes who needs a column that is read only now. c.last is still of the line
// before.
func (w *walk) noteColumn(c *cursor, line Line) {
	switch {
	case !columnPrefixes[w.operators[line.Operator].Prefix] || line.Operator == c.region().op:
		c.column = false
	case c.column && line.Operator == c.last:
	case line.Rule == LineLazy:
		c.column = true
		if c.asked = c.last; c.asked == noOperator {
			c.asked = c.region().op
		}
	default:
		c.column = false
	}
}

// statement decides the line on which a statement begins.
func (w *walk) statement(c *cursor, t *textLine) Line {
	if op, ok := w.byMetric(t.metrics); ok {
		return Line{Operator: op, Rule: LineMetric}
	}
	target, kind := anchorOf(t.code)
	if kind == anchorWriter {
		return Line{Operator: c.region().op, Rule: LineRegion}
	}
	if ops := w.makers(target); len(ops) > 0 {
		return w.anchored(c, t, target, kind, ops)
	}
	if !w.deciding {
		w.vote(c, t)
	}
	return w.reading(c, t)
}

// byMetric decides by a metric that exactly one operator of the unit has.
func (w *walk) byMetric(metrics []string) (int, bool) {
	for _, name := range metrics {
		var ops []int
		for _, prefix := range metricOwners[name] {
			ops = append(ops, w.prefixes[prefix]...)
		}
		if len(ops) == 1 {
			return ops[0], true
		}
	}
	return 0, false
}

// anchored decides by the identifier that a line assigns or calls; ops are the operators with its
// prefix.
func (w *walk) anchored(c *cursor, t *textLine, target string, kind anchorKind, ops []int) Line {
	hint := noOperator
	if len(ops) > 1 {
		hint = w.ownerHint(c, t, target, kind)
	}
	op, rule, disputed := w.resolve(c, ops, hint)
	if disputed && kind == anchorCall && w.byName[target] != nil {
		// A split method is named after whoever was writing code then, and called by whoever had to
		// split.
		op, rule, disputed = c.region().op, LineRegion, false
	}
	if len(ops) > 1 && !w.deciding {
		if _, known := w.owners[target]; kind == anchorDeclare && !known {
			w.owners[target] = op
		}
		w.vote(c, t)
	}
	return Line{Operator: op, Rule: rule, Disputed: disputed}
}

// ownerHint tells twins apart. A column read from a row, or a variable, belongs to the operator in
// whose region the row or variable was made, wherever it is used.
func (w *walk) ownerHint(c *cursor, t *textLine, target string, kind anchorKind) int {
	if row := rowRead(t.code); row != "" && prefixOf(row) == prefixOf(target) {
		if owner, ok := w.owners[row]; ok {
			return owner
		}
	}
	if kind == anchorDeclare { // a value follows its null flag
		flag := nullFlag(t.code)
		if flag == "" || prefixOf(flag) != prefixOf(target) || !strings.Contains(target, "_value_") {
			flag = strings.Replace(target, "_value_", "_isNull_", 1)
		}
		if !strings.Contains(flag, "_isNull_") || !strings.Contains(t.code, flag) {
			return noOperator
		}
		target = flag
	}
	if owner, ok := w.owners[target]; ok {
		return owner
	}
	return noOperator
}

// vote notes which identifiers the region's own code uses.
func (w *walk) vote(c *cursor, t *textLine) {
	op := c.region().op
	identifiers(t.code, func(name string, _ int) bool {
		if prefixOf(name) == w.operators[op].Prefix {
			if w.votes[name] == nil {
				w.votes[name] = make(map[int]int)
			}
			w.votes[name][op]++
		}
		return true
	})
}

// resolve chooses among the operators with a line's prefix. In this order: the region's own, the
// one that made the identifier, one whose child's code has ended here, and the nearest upstream
// (lazy evaluation). Last comes the nearest downstream, which is a dispute.
func (w *walk) resolve(c *cursor, ops []int, hint int) (int, LineRule, bool) {
	in := c.region().op
	w.steps += len(c.regions)
	switch {
	case hint != noOperator && hint != in && w.contains(ops, hint):
		if !w.upstream(hint, in) {
			c.back(hint)
		}
		return hint, LineLazy, !w.upstream(hint, in) && !c.encloses(hint)
	case w.contains(ops, in):
		return in, LinePrefix, false
	}
	for n := len(c.regions) - 1; n >= 0; n-- {
		if op := c.regions[n].op; !w.upstream(op, in) && w.contains(ops, op) {
			w.steps += len(c.regions)
			if c.back(op) {
				return op, LinePrefix, false
			}
		}
	}
	nearest := noOperator
	for _, op := range ops {
		if !w.upstream(op, in) {
			continue
		}
		w.steps += 2 * len(c.regions)
		if nearest == noOperator || c.encloses(op) && !c.encloses(nearest) {
			nearest = op // of several branches the one that the walk stands in
		}
	}
	if nearest != noOperator {
		return nearest, LineLazy, false
	}
	return ops[len(ops)-1], LinePrefix, true
}

// encloses reports whether the walk stands inside a region of op.
func (c *cursor) encloses(op int) bool {
	for _, r := range c.regions {
		if r.op == op {
			return true
		}
	}
	return false
}

// reading decides a line that assigns and calls nothing of any operator: conditions, returns,
// rethrown errors. It goes with its region where the region's operator made something it reads,
// else with the line before it.
func (w *walk) reading(c *cursor, t *textLine) Line {
	if c.column && w.tests(t.code, c.last) {
		return Line{Operator: c.asked, Rule: LineRegion}
	}
	in := c.region().op
	first := noOperator
	identifiers(t.code, func(name string, _ int) bool {
		if strings.Contains(name, "_mutableStateArray_") {
			return true
		}
		ops := w.makers(name)
		if w.contains(ops, in) {
			first = in
			return false
		}
		if len(ops) > 0 && first == noOperator {
			hint, ok := w.owners[name]
			if !ok {
				hint = noOperator
			}
			first, _, _ = w.peek(c, ops, hint)
		}
		return true
	})
	switch {
	case first == in:
		return Line{Operator: in, Rule: LineRegion}
	case c.last != noOperator:
		return Line{Operator: c.last, Rule: LineContinued}
	case first != noOperator && w.upstream(first, in):
		return Line{Operator: first, Rule: LineLazy}
	}
	return Line{Operator: in, Rule: LineRegion}
}

// tests reports whether a condition reads columns of op that are complete, and nothing else of any
// operator. Code that reads a column has no condition on what it has read: the test is by whoever
// needed the column.
func (w *walk) tests(code string, op int) bool {
	if !strings.HasPrefix(code, "if (") {
		return false
	}
	columns := false
	identifiers(code, func(name string, _ int) bool {
		if ops := w.makers(name); len(ops) > 0 {
			columns = w.contains(ops, op) && (strings.Contains(name, "_isNull_") || strings.Contains(name, "_value_"))
			return columns
		}
		return true
	})
	return columns
}

// peek is resolve without leaving any region.
func (w *walk) peek(c *cursor, ops []int, hint int) (int, LineRule, bool) {
	kept := c.regions[:len(c.regions):len(c.regions)]
	op, rule, disputed := w.resolve(c, ops, hint)
	c.regions = kept
	return op, rule, disputed
}

// leaveConsumers leaves the CONSUME regions that were entered at the present depth.
func (c *cursor) leaveConsumers() {
	for n := len(c.regions); n > 1 && c.regions[n-1].consume && c.regions[n-1].depth == c.depth; n = len(c.regions) {
		c.regions = c.regions[:n-1]
		c.last = noOperator
	}
}

// contains reports whether op is one of ops.
func (w *walk) contains(ops []int, op int) bool {
	w.steps += len(ops)
	return slices.Contains(ops, op)
}
