package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/planflame/planflame/internal/columns"
)

// Dictionary writes the tagging dictionary, by text of generated code and stage that ran it. It has
// the operators by ordinal, then each line with its rule, ordinal, plan node and part.
func Dictionary(w io.Writer, m *columns.Model) error {
	p := &printer{w: w}
	for i := range m.Bindings {
		b := &m.Bindings[i]
		s := &m.Sources[b.Source]
		if i > 0 {
			p.line("")
		}
		p.line("%s %s · stage %d, attempt %d%s", s.Class, s.File, m.Stages[b.Stage].ID, m.Stages[b.Stage].Attempt, twins(b))
		nodes, width := make([]string, len(s.Operators)), 0
		for ordinal, op := range s.Operators {
			nodes[ordinal] = nodeOf(m, b, ordinal)
			width = max(width, len(nodes[ordinal]))
			p.line("  %2d  %s  %s", ordinal, nodes[ordinal], op.Text)
		}
		p.line("%s", dictionaryRow("line", "rule", "#", padded("node", -width), "part", "", "code"))
		text := strings.Split(s.Text, "\n")
		for n, ordinal := range s.LineOps {
			if ordinal < 0 {
				continue
			}
			code, disputed := "", ""
			if n < len(text) {
				code = strings.TrimSpace(text[n])
			}
			if slices.Contains(s.Disputed, n+1) {
				disputed = "disputed"
			}
			p.line("%s", dictionaryRow(fmt.Sprint(n+1), m.Rules[s.LineRules[n]], fmt.Sprint(ordinal), padded(nodes[ordinal], -width), m.Parts[s.LineParts[n]], disputed, code))
		}
	}
	return p.err
}

func dictionaryRow(line, rule, ordinal, node, part, disputed, code string) string {
	return padded(line, 6) + "  " + padded(rule, -9) + padded(ordinal, 4) + "  " + node + "  " + padded(part, -6) + "  " + padded(disputed, -8) + "  " + code
}

// nodeOf is the stable name of the plan node that an operator of a class is in a stage; of a
// wrapper, such as InputAdapter, the node's name; "?" if no plan of the stage fits the class.
func nodeOf(m *columns.Model, b *columns.Binding, ordinal int) string {
	if ordinal < len(b.Operators) && b.Operators[ordinal] >= 0 {
		return m.Operators[b.Operators[ordinal]].Operator
	}
	if ordinal < len(b.Nodes) && b.Nodes[ordinal] >= 0 {
		n := &m.Plans[b.Plan].Nodes[b.Nodes[ordinal]]
		if n.Operator != "" {
			return n.Operator
		}
		return n.Name
	}
	return "?"
}

// twins says that the nodes are a choice of several.
func twins(b *columns.Binding) string {
	if !b.Twins {
		return ""
	}
	return " · another part of the plan fits as well, the first is shown"
}
