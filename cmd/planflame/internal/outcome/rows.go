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

// columns are the columns of a query's rows.
type columns struct{ python, rows, stages bool }

// columnsOf leaves out what no operator has.
func columnsOf(q Query) (c columns) {
	c.python = q.PythonCPUSeconds > 0
	for i := range q.Operators {
		c.rows = c.rows || q.Operators[i].Rows != nil
		c.stages = c.stages || len(q.Operators[i].SparkStages) > 0
	}
	return c
}

func (c columns) heading() string {
	return c.format("CPU s ", "Python", "±", "share", "rows", "tasks", "stage", "operator")
}

// format lays a row out, behind whose figures the name comes.
func (c columns) format(cpu, python, interval, share, rows, tasks, stage, name string) string {
	out := fmt.Sprintf("%9s", cpu)
	if c.python {
		out += fmt.Sprintf(" %6s", python)
	}
	out += fmt.Sprintf(" %6s %7s", interval, share)
	if c.rows {
		out += fmt.Sprintf(" %5s", rows)
	}
	if c.stages {
		out += fmt.Sprintf(" %6s %5s", tasks, stage)
	}
	return out + "  " + name
}

// operator writes a row.
func (t *table) operator(c columns, r row) {
	t.rowsShown = true
	mark := " "
	if r.WeakShare >= window.WeakMark {
		mark, t.weak = "~", true
	}
	rows := ""
	if r.Rows != nil {
		rows = count(*r.Rows)
	}
	figures := c.format(seconds(r.CPUSeconds)+mark, r.python(), r.plusMinus(), percent(r.Share, 1), rows, count(r.Tasks), stagesShort(r.SparkStages), "")
	room := t.Width - length(figures)
	r.branches = cutFront(r.branches, room/2)
	room -= length(r.branches)
	line := r.lineWithin(room)
	name := cut(r.Name, room-length(line))
	if t.IDs {
		defer t.text(dim, "%s%s @ %s", strings.Repeat(" ", 10), r.Operator.Operator, orDash(r.Stage))
	}
	style := plain
	if r.Share >= hotShare {
		style = bold
	}
	t.line(t.styled(style, figures) + t.styled(dim, r.branches) + t.styled(style, name) + t.styled(dim, line))
	if p := r.PythonRange; p != nil && p[1]-r.PythonCPUSeconds >= 0.005 {
		t.text(dim, "%sup to %s s more in Python", strings.Repeat(" ", 10), seconds(p[1]-r.PythonCPUSeconds))
	}
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

// python is what Python workers used of an operator's CPU, "" where there is none.
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
