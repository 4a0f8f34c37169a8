package attribution

import "strings"

// binding maps the operators of a unit to the nodes of one plan, for one set of plans and one of
// accumulators.
type binding struct {
	whole place   // the WholeStageCodegen node; nowhere when no subtree fits
	nodes []place // by ordinal
	twins bool    // another subtree fitted as well: the first was taken
}

// candidate is a subtree whose operators have the names of the unit's.
type candidate struct {
	binding
	hits  int // metrics that the stage updates
	id    bool
	exact int // texts that are equal
	alike int // texts that are equal without expression ids
}

// bind finds the WholeStageCodegen subtree that a unit was made for.
//
// Bodies are shared between queries and codegenStageIds within one, so several tests find the
// subtree, in this order. It must have the operators' names, and one of the stage's accumulators if
// they are known. Then come codegenStageId, text, text without expression ids, and the number of
// accumulators. Last comes its place: the latest update, topmost.
//
// Where the stage runs code of several plans, codegenStageIds say nothing about which: text without
// expression ids comes first then. Expression ids are of the execution that compiled the
// class, which others share.
func bind(u *text, x *planIndex, set accumulators) *binding {
	var best *candidate
	seen := make(map[int64]bool)
	for _, t := range x.trees {
		for _, w := range t.wholes {
			if m := t.nodes[w].Metrics; len(m) > 0 && seen[m[0].ID] {
				continue // as below; fit takes long
			}
			c := u.fit(place{t, w}, set)
			if c == nil {
				continue
			}
			if id, ok := c.identity(); ok {
				if seen[id] {
					continue // the same subtree in an earlier update, or of a reused subquery
				}
				seen[id] = true
			}
			switch {
			case best == nil || c.better(best):
				best = c
			case !best.better(c):
				best.twins = true
			}
		}
	}
	if best == nil {
		return &binding{}
	}
	return &best.binding
}

// identity is the accumulator that tells a subtree from its copies.
func (c *candidate) identity() (int64, bool) {
	for _, p := range append([]place{c.whole}, c.nodes...) {
		if p.tree != nil && len(p.node().Metrics) > 0 {
			return p.node().Metrics[0].ID, true
		}
	}
	return 0, false
}

func (c *candidate) better(than *candidate) bool {
	switch {
	case c.whole.plan() != than.whole.plan() && c.alike != than.alike:
		return c.alike > than.alike
	case c.whole.plan() != than.whole.plan() && c.exact != than.exact:
		return c.exact > than.exact
	case c.id != than.id:
		return c.id
	case c.exact != than.exact:
		return c.exact > than.exact
	case c.alike != than.alike:
		return c.alike > than.alike
	}
	return c.hits > than.hits
}

// fit lays the unit's operators over the subtree under a WholeStageCodegen node; nil where names or
// accumulators do not agree.
func (u *text) fit(whole place, set accumulators) *candidate {
	nodes := make([]place, len(u.operators))
	if next, _ := u.lay(whole, noOperator, nodes); next < len(u.operators) {
		return nil
	}
	c := &candidate{binding: binding{whole: whole, nodes: nodes}}
	c.id = u.stageID != 0 && u.stageID == whole.node().CodegenStageID
	metrics := len(whole.node().Metrics)
	c.hits = set.count(whole.node(), nil)
	for i, p := range nodes {
		n := p.node()
		metrics += len(n.Metrics)
		c.hits += set.count(n, nil)
		if n.Text == u.operators[i].Text {
			c.exact++
		}
		if alike(n.Text, u.operators[i].Text) {
			c.alike++
		}
	}
	if set != nil && metrics > 0 && c.hits == 0 {
		return nil
	}
	return c
}

// lay lays the operators below op over the nodes below parent, on which op itself lies. It returns
// the ordinal behind them. Each goes to the first child that fits it behind its sibling's. An
// earlier child leaves more to the siblings that follow, and what fits below it does not depend on
// them.
func (u *text) lay(parent place, op int, nodes []place) (next int, ok bool) {
	more := func() bool { return next < len(u.operators) && u.parents[next] == op }
	next = op + 1
	built := buildSide(parent.node())
	for side, at := range parent.tree.children[parent.at] {
		if !more() {
			break
		}
		child := place{parent.tree, at}
		if n := child.node(); side == built || n.Subquery || !named(u.operators[next].Text, n) {
			continue
		}
		nodes[next] = child
		if behind, ok := u.lay(child, next, nodes); ok {
			next = behind
		}
	}
	return next, !more()
}

// buildSide is the child of a hash or nested-loop join whose rows are in its relation, before the
// code runs: that child has no code in the unit. It is the first or the second, by the join's text
// (3.5 to 4.3); -1 for other nodes.
func buildSide(n *Node) int {
	if !strings.HasPrefix(n.Name, "BroadcastHashJoin") && !strings.HasPrefix(n.Name, "ShuffledHashJoin") && !strings.HasPrefix(n.Name, "BroadcastNestedLoopJoin") {
		return -1
	}
	left, right := strings.Index(n.Text, " BuildLeft"), strings.Index(n.Text, " BuildRight")
	switch {
	case left >= 0 && (right < 0 || left < right): // the other may stand in the join's condition
		return 0
	case right >= 0:
		return 1
	}
	return -1
}

// named reports whether a PRODUCE text is of a node's kind: the text begins with the node's name.
func named(text string, n *Node) bool {
	name := strings.TrimSpace(n.Name)
	return n.Text == text || name != "" && strings.HasPrefix(text, name) && !(len(text) > len(name) && identPart(text[len(name)]))
}

// alike reports whether two plan texts are equal without expression ids: `l_tax#1576L` is `l_tax`.
func alike(a, b string) bool {
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		i, j = behindID(a, i), behindID(b, j)
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if a[i] != b[j] {
			return false
		}
	}
}

// behindID is i, or the first place behind the expression ids that begin at s[i].
func behindID(s string, i int) int {
	for i < len(s) && s[i] == '#' {
		begin := i + 1
		for i = begin; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		}
		if i > begin && i < len(s) && s[i] == 'L' {
			i++
		}
	}
	return i
}
