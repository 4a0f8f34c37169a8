package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/planflame/planflame/internal/columns"
)

// printer writes lines and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
}

// barColumns is the width of bars.
const barColumns = 10

// Text writes a report as plain text: of each query the plan as a tree, each operator with its CPU.
func Text(w io.Writer, r *columns.Report) error {
	p := &printer{w: w}
	p.line("%s", title(r))
	for i := range r.Queries {
		p.query(&r.Queries[i])
	}
	p.buckets("not of any operator", r.Buckets, r.CPUSeconds)
	p.buckets("beside the tasks: other threads of the JVMs", r.Outside, 0)
	p.buckets("beside the tasks: child processes", r.Children, 0)
	p.line("")
	p.line("CPU with its 95 %% interval; ?: it cannot be trusted; ~: the JVM had not optimized a tenth of the code or more. rows: taken in, of a scan: given.")
	return p.err
}

// title names the recording and the selection.
func title(r *columns.Report) string {
	parts := []string{"planflame: " + cmp.Or(r.Meta.Title, "recording"), seconds(r.CPUSeconds) + " CPU", fmt.Sprintf("%d samples", r.Samples)}
	if r.PythonSeconds > 0 {
		parts = append(parts, seconds(r.PythonSeconds)+" of it Python")
	}
	if r.Meta.Spark != "" {
		parts = append(parts, "Spark "+r.Meta.Spark)
	}
	if r.Meta.Hz > 0 {
		parts = append(parts, fmt.Sprintf("%d Hz", r.Meta.Hz))
	}
	return strings.Join(append(parts, selected(r.Selection)...), " · ")
}

// selected says what a selection narrows.
func selected(s columns.Selection) (parts []string) {
	if s.Query != "" {
		parts = append(parts, "query "+s.Query)
	}
	if s.Execution != nil {
		parts = append(parts, fmt.Sprintf("execution %d", *s.Execution))
	}
	if s.Stage != nil {
		parts = append(parts, fmt.Sprintf("stage %d", *s.Stage))
	}
	if s.Operator != "" {
		parts = append(parts, "operator "+s.Operator)
	}
	if s.Task != nil {
		parts = append(parts, fmt.Sprintf("task %d", *s.Task))
	}
	if s.From != 0 || s.To != 0 {
		to := "the end"
		if s.To != 0 {
			to = s.To.Round(time.Microsecond).String()
		}
		parts = append(parts, fmt.Sprintf("from %v to %s", s.From.Round(time.Microsecond), to))
	}
	if s.Search != "" {
		parts = append(parts, fmt.Sprintf("frames with %q", s.Search))
	}
	return parts
}

// heading is a query's name with its runs, its time and its CPU.
func heading(q *columns.QueryReport) string {
	out := cmp.Or(q.Name, q.Query)
	if q.CallSite != "" {
		out += " · " + q.CallSite
	}
	if q.Wall != nil {
		out += " · " + seconds(*q.Wall) + " wall"
	}
	out += " · " + seconds(q.CPUSeconds) + " CPU"
	if q.Runs > 1 {
		out += fmt.Sprintf(" in %d runs", q.Runs)
	}
	return out
}

func (p *printer) query(q *columns.QueryReport) {
	p.line("")
	p.line("%s", heading(q))
	p.line("%s", row("CPU", "", "±", "share", "rows", "a row", "", "operator"))
	for i, branch := range branchesOf(q) {
		o := &q.Operators[i]
		p.line("%s", row(seconds(o.CPUSeconds), mark(o), half(o), percent(o.Share), count(o.Rows), perRow(o.NsPerRow), bar(o.Share, barColumns), branch+name(o)))
	}
}

func row(cpu, mark, half, share, rows, perRow, bar, operator string) string {
	return padded(cpu, 9) + padded(mark, -1) + padded(half, 9) + padded(share, 8) + padded(rows, 7) + padded(perRow, 9) + "  " + padded(bar, -barColumns) + " " + operator
}

// name is what an operator is called, with what is special about it.
func name(o *columns.OperatorReport) string {
	out := o.Name
	if len(o.Stages) > 0 {
		out += fmt.Sprintf(" · stage %d", o.Stages[0])
		if n := len(o.Stages) - 1; n > 0 {
			out += fmt.Sprintf("+%d", n)
		}
	}
	if o.Line != "" {
		out += " · " + o.Line
	}
	if o.Python > 0 {
		out += " · " + seconds(o.Python) + " Python"
	}
	if o.Replaced {
		out += " · replaced by AQE"
	}
	return out
}

func branchesOf(q *columns.QueryReport) []string {
	parents := make([]int, len(q.Operators))
	for i := range q.Operators {
		parents[i] = q.Operators[i].Parent
	}
	return branches(parents)
}

func (p *printer) buckets(heading string, buckets []columns.BucketReport, of float64) {
	if len(buckets) == 0 {
		return
	}
	p.line("")
	p.line("%s", heading)
	for _, b := range buckets {
		share := ""
		if of > 0 {
			share = percent(b.CPUSeconds / of)
		}
		p.line("%s%s  %s", padded(seconds(b.CPUSeconds), 9), padded(share, 18), b.Name)
	}
}

// Markdown writes a report as tables of Markdown.
func Markdown(w io.Writer, r *columns.Report) error {
	p := &printer{w: w}
	p.line("**%s**", escaped(title(r)))
	for i := range r.Queries {
		q := &r.Queries[i]
		p.line("")
		p.line("### %s", escaped(heading(q)))
		p.line("")
		p.line("| operator | CPU | ± | share | | rows | a row |")
		p.line("|---|---:|---:|---:|---|---:|---:|")
		for k, branch := range branchesOf(q) {
			o := &q.Operators[k]
			p.line("| %s%s | %s%s | %s | %s | %s | %s | %s |", strings.ReplaceAll(branch, " ", "&nbsp;"), escaped(name(o)), seconds(o.CPUSeconds), escaped(mark(o)), half(o), percent(o.Share),
				bar(o.Share, barColumns), count(o.Rows), perRow(o.NsPerRow))
		}
	}
	if len(r.Buckets) > 0 {
		p.line("")
		p.line("| not of any operator | CPU | share |")
		p.line("|---|---:|---:|")
		for _, b := range r.Buckets {
			p.line("| %s | %s | %s |", escaped(b.Name), seconds(b.CPUSeconds), percent(b.CPUSeconds/max(r.CPUSeconds, 1e-9)))
		}
	}
	return p.err
}

var markdownSpecial = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`", "~", `\~`, "[", `\[`, "]", `\]`, "\n", " ")

func escaped(s string) string { return markdownSpecial.Replace(s) }
