package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
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
	if words := outcome.SelectionWords(r.Selection); words != "" {
		parts = append(parts, words)
	}
	return strings.Join(parts, " · ")
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
	if q.FailedRuns > 0 {
		out += fmt.Sprintf(" · %d of %d runs failed", q.FailedRuns, q.Runs)
	}
	return out
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
	if o.Usual != nil && o.Usual.Expensive {
		out += " · usual " + perRow(&o.Usual.Low) + " … " + perRow(&o.Usual.High) + " a row"
	}
	if o.Python > 0 {
		out += " · " + seconds(o.Python) + " Python"
	}
	if parts := named(o.Parts); len(parts) > 1 {
		out += " · " + strings.Join(parts, ", ")
	}
	if o.Replaced {
		out += " · replaced by AQE"
	}
	return out
}

// named are the parts of an operator that can be told, with their CPU.
func named(parts []columns.PartReport) (out []string) {
	for _, p := range parts {
		if p.Part != "" {
			out = append(out, p.Part+" "+seconds(p.CPUSeconds))
		}
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

// Markdown writes a report as tables of Markdown.
func Markdown(w io.Writer, r *columns.Report) error {
	p := &printer{w: w}
	p.line("**%s**", Escaped(title(r)))
	for i := range r.Queries {
		q := &r.Queries[i]
		p.line("")
		p.line("### %s", Escaped(heading(q)))
		p.line("")
		p.line("| operator | CPU | ± | share | | rows | a row | usual |")
		p.line("|---|---:|---:|---:|---|---:|---:|---:|")
		for k, branch := range branchesOf(q) {
			o := &q.Operators[k]
			p.line("| %s%s | %s%s | %s | %s | %s | %s | %s | %s |", strings.ReplaceAll(branch, " ", "&nbsp;"), Escaped(name(o)), seconds(o.CPUSeconds), Escaped(mark(o)), half(o), percent(o.Share),
				outcome.Bar(o.Share, barColumns), count(o.Rows), perRow(o.NsPerRow), usual(o))
		}
	}
	if len(r.Buckets) > 0 {
		p.line("")
		p.line("| not of any operator | CPU | share |")
		p.line("|---|---:|---:|")
		for _, b := range r.Buckets {
			p.line("| %s | %s | %s |", Escaped(b.Name), seconds(b.CPUSeconds), percent(b.CPUSeconds/max(r.CPUSeconds, 1e-9)))
		}
	}
	return p.err
}

var markdownSpecial = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`", "~", `\~`, "[", `\[`, "]", `\]`, "\n", " ")

// Escaped is a text in Markdown.
func Escaped(s string) string { return markdownSpecial.Replace(s) }
