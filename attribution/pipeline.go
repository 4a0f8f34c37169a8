package attribution

import "strings"

// pipelineParents reads the tree of a unit's operators from its wsc_codegenPipeline mark, the tree
// string that Spark writes above the class: `*(n)` stands before the operators fused into it.
// Element i is the parent's ordinal of operator i, -1 of the topmost.
//
// PRODUCE marks come in the same pre-order, but for input adapters, which the tree string does not
// show. Where the two do not agree, the operators are taken for a chain, which is what they are
// without a union.
func pipelineParents(comment string, operators []Operator) []int {
	parents := make([]int, len(operators))
	for i := range parents {
		parents[i] = i - 1
	}
	var (
		open []struct{ depth, op int } // the fused operators on the way down to the present line
		cut  = -1                      // depth of an operator that is not fused: what is below it is none of ours
		next int
	)
	skipAdapters := func() {
		for next < len(operators) && strings.HasPrefix(operators[next].Text, "InputAdapter") {
			next++
		}
	}
	found := make([]int, len(operators))
	copy(found, parents)
	for _, line := range strings.Split(comment, "\n") {
		text, ok := strings.CutPrefix(line, " * ")
		if !ok || strings.HasPrefix(text, "Codegened pipeline") {
			continue
		}
		depth, name, fused := treeLine(text)
		if cut >= 0 && depth > cut {
			continue
		}
		if cut = -1; !fused {
			cut = depth
			continue
		}
		skipAdapters()
		if next == len(operators) || firstWord(operators[next].Text) != firstWord(name) {
			return parents
		}
		for len(open) > 0 && open[len(open)-1].depth >= depth {
			open = open[:len(open)-1]
		}
		found[next] = noOperator
		if len(open) > 0 {
			found[next] = open[len(open)-1].op
		}
		open = append(open, struct{ depth, op int }{depth, next})
		next++
	}
	if skipAdapters(); next != len(operators) || len(operators) > 0 && found[0] != noOperator {
		return parents
	}
	return found
}

// treeLine takes a line of a tree string apart: its depth, the node's text, and whether the node is
// fused into whole-stage code.
func treeLine(s string) (depth int, text string, fused bool) {
	for strings.HasPrefix(s, ":") || strings.HasPrefix(s, "+") || strings.HasPrefix(s, " ") {
		if len(s) < 3 {
			return depth, "", false
		}
		s = s[3:]
		depth++
	}
	if rest, ok := strings.CutPrefix(s, "*("); ok {
		if _, text, ok := strings.Cut(rest, ") "); ok {
			return depth, text, true
		}
	}
	return depth, s, false
}

// firstWord is the part of a node's text that is its name: `HashAggregate` of
// `HashAggregate(keys=[…`.
func firstWord(s string) string {
	for i := 0; i < len(s); i++ {
		if !identPart(s[i]) {
			return s[:i]
		}
	}
	return s
}
