package outcome

import (
	"fmt"
	"strings"

	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// row is an operator as the table has it.
type row struct {
	Operator
	above    []int  // the operators of the query that stand above it, by Order, nearest first
	branches string // of the tree, before its name
}

// layout says which columns the rows of a query have.
type layout struct {
	python, rows, stages bool
	tasks                bool
	bar                  int // width
}

// wide is the width of a table from which on it has the number of tasks and longer bars.
const wide = 100

// layoutOf leaves out what no operator has, and what a narrow table has no room for.
func (t *table) layoutOf(q Query) layout {
	c := layout{python: q.PythonCPUSeconds > 0, tasks: t.Width >= wide, bar: 4}
	if t.Width >= wide {
		c.bar = 8
	}
	for i := range q.Operators {
		c.rows = c.rows || q.Operators[i].Rows != nil
		c.stages = c.stages || len(q.Operators[i].SparkStages) > 0
	}
	if t.Width-length(c.heading()) < 0 { // Python takes its room
		c.rows = false
	}
	return c
}

// cells are the texts of a row before its name.
type cells struct{ cpu, python, interval, share, bar, rows, perRow, tasks, stage string }

func (c layout) heading() string {
	return c.format(cells{"CPU s ", "Python", "±", "share", "", "rows", "a row", "tasks", "stage"}, "operator")
}

// format lays a row out, behind whose figures the name comes.
func (c layout) format(s cells, name string) string {
	out := fmt.Sprintf("%9s", s.cpu)
	if c.python {
		out += fmt.Sprintf(" %6s", s.python)
	}
	out += fmt.Sprintf(" %6s %7s %s", s.interval, s.share, s.bar+strings.Repeat(" ", max(c.bar-length(s.bar), 0)))
	if c.rows {
		out += fmt.Sprintf(" %5s %6s", s.rows, s.perRow)
	}
	if c.stages && c.tasks {
		out += fmt.Sprintf(" %6s", s.tasks)
	}
	if c.stages {
		out += fmt.Sprintf(" %5s", s.stage)
	}
	return out + "  " + name
}

// operator writes a row.
func (t *table) operator(c layout, r row) {
	t.rowsShown = true
	mark := " "
	if r.WeakShare >= window.WeakMark {
		mark, t.weak = "~", true
	}
	s := cells{cpu: seconds(r.CPUSeconds) + mark, python: r.python(), interval: r.plusMinus(), share: percent(r.Share, 1), bar: Bar(r.Share, c.bar), tasks: count(r.Tasks), stage: stagesShort(r.SparkStages)}
	if r.Rows != nil {
		s.rows, s.perRow = count(*r.Rows), perRow(r.CPUSeconds, *r.Rows)
	}
	figures := c.format(s, "")
	room := t.Width - length(figures)
	r.branches = cutFront(r.branches, room/2)
	room -= length(r.branches)
	line := r.lineWithin(room)
	name := cutApart(r.Name, room-length(line), func(name string) bool { return t.names[s.stage+name] })
	t.names[s.stage+name] = true
	if t.IDs {
		defer t.text(dim, "%s%s @ %s", strings.Repeat(" ", 10), r.Operator.Operator, orDash(r.Stage))
	}
	style := plain
	if r.Share >= hotShare {
		style = bold
	}
	t.line(t.styled(style, figures) + t.styled(dim, r.branches) + t.styled(style, name) + t.styled(dim, line))
	if parts := r.partsLine(); parts != "" && (t.All || r.Share >= partsShare) {
		t.text(dim, "%s%s", strings.Repeat(" ", 10), parts)
	}
	if u := r.Usual; u != nil && u.Expensive {
		t.text(plain, "%s× %.1f of what such an operator usually costs: %.3g to %.3g ns a row", strings.Repeat(" ", 10), u.Ratio, u.Low, u.High)
	}
	if r.replaced {
		t.text(dim, "%sreplaced by AQE", strings.Repeat(" ", 10))
	}
	if p := r.PythonRange; p != nil && p[1]-r.PythonCPUSeconds >= 0.005 {
		t.text(dim, "%sup to %s s more in Python", strings.Repeat(" ", 10), seconds(p[1]-r.PythonCPUSeconds))
	}
}

// partsShare is the share of a query from which on the parts of an operator have a line.
const partsShare = 0.1

// partsLine says what the operator did, if that is told of both of its halves.
func (o Operator) partsLine() string {
	if len(o.Parts) < 2 {
		return ""
	}
	var parts []string
	for _, p := range o.Parts {
		parts = append(parts, fmt.Sprintf("%s %s s", p.Part, seconds(p.CPUSeconds)))
	}
	return strings.Join(parts, ", ")
}

// leastName are the columns that a name keeps before a line stands behind it.
const leastName = 16

// lineWithin is the user's own line, to stand behind the name; the first of several, "" where there
// is no room or the name has it.
func (o Operator) lineWithin(room int) string {
	first, more, _ := strings.Cut(o.Line, ", ")
	if first == "" || strings.Contains(o.Name, first) {
		return ""
	}
	if more != "" {
		first += " …"
	}
	if out := " · " + first; room-length(out) >= min(leastName, length(o.Name)) {
		return out
	}
	return ""
}

// python is what Python workers used of an operator's CPU, "" if there is none.
func (o Operator) python() string {
	if o.PythonCPUSeconds == 0 {
		return ""
	}
	return seconds(o.PythonCPUSeconds)
}

// hotShare is the share of a query from which on an operator stands out.
const hotShare = 0.25

// plusMinus is half of the 95 % interval, the longer half; with a question mark where it is not
// valid.
func (o Operator) plusMinus() string {
	half, ok := o.half()
	switch {
	case o.CI95 == nil:
		return "?"
	case !ok:
		return seconds(half) + "?"
	}
	return seconds(half)
}

// half is the longer half of an operator's 95 % interval; ok is false where it cannot be trusted.
func (o Operator) half() (half float64, ok bool) {
	if o.CI95 == nil {
		return 0, false
	}
	return max(o.CPUSeconds-o.CI95[0], o.CI95[1]-o.CPUSeconds), o.Valid
}

// stagesShort is the first of Spark's stage numbers, and how many more there are.
func stagesShort(ids []tasksample.StageID) string {
	switch len(ids) {
	case 0:
		return "-"
	case 1:
		return fmt.Sprint(ids[0])
	}
	return fmt.Sprintf("%d+%d", ids[0], len(ids)-1)
}
