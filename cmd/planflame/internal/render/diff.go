package render

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"github.com/planflame/planflame/internal/columns"
)

// DiffText writes a comparison as plain text.
func DiffText(w io.Writer, d *columns.Diff) error {
	p := &printer{w: w}
	p.line("planflame diff: seconds of CPU in a run")
	p.line("  A  %s", sideTitle(&d.A, d.NameA))
	p.line("  B  %s", sideTitle(&d.B, d.NameB))
	p.line("  whole run  %s", wholeRun(d))
	for i := range d.Queries {
		q := &d.Queries[i]
		p.line("")
		p.line("%s · A (%s): %s in %d runs · B (%s): %s in %d runs · %s%s%s", cmp.Or(q.Name, q.Query), d.NameA, seconds(q.A), q.RunsA, d.NameB, seconds(q.B), q.RunsB,
			change(q.Difference, q.CI95, q.Ratio, q.Verdict), planChanged(q), failures(q))
		if q.Verdict == columns.Lost {
			continue
		}
		p.line("%s", diffRow("A", "B", "B - A", "whole run", "±", "", "A a row", "B a row", "operator"))
		for k := range q.Operators {
			o := &q.Operators[k]
			p.line("%s", diffRow(there(o.A, o.Verdict == columns.New), there(o.B, o.Verdict == columns.Gone), signed(o.Difference), signed(o.Whole), diffHalf(o), ratioOf(o.Ratio, o.Verdict), perRow(o.NsPerRowA), perRow(o.NsPerRowB),
				o.Name+" · "+o.Verdict))
		}
	}
	return p.err
}

// DiffMarkdown writes a comparison as tables of Markdown.
func DiffMarkdown(w io.Writer, d *columns.Diff) error {
	p := &printer{w: w}
	p.line("**planflame diff: seconds of CPU in a run**")
	p.line("")
	p.line("- A: %s", Escaped(sideTitle(&d.A, d.NameA)))
	p.line("- B: %s", Escaped(sideTitle(&d.B, d.NameB)))
	p.line("- whole run: %s", wholeRun(d))
	for i := range d.Queries {
		q := &d.Queries[i]
		p.line("")
		p.line("### %s: %s%s%s", Escaped(cmp.Or(q.Name, q.Query)), change(q.Difference, q.CI95, q.Ratio, q.Verdict), planChanged(q), failures(q))
		if q.Verdict == columns.Lost {
			continue
		}
		p.line("")
		p.line("| operator | A (%s) | B (%s) | B - A | whole run | ± | | A a row | B a row | |", Escaped(d.NameA), Escaped(d.NameB))
		p.line("|---|---:|---:|---:|---:|---:|---:|---:|---:|---|")
		for k := range q.Operators {
			o := &q.Operators[k]
			p.line("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |", Escaped(o.Name), there(o.A, o.Verdict == columns.New), there(o.B, o.Verdict == columns.Gone), signed(o.Difference), signed(o.Whole), diffHalf(o),
				ratioOf(o.Ratio, o.Verdict), perRow(o.NsPerRowA), perRow(o.NsPerRowB), o.Verdict)
		}
	}
	return p.err
}

func sideTitle(m *columns.Meta, name string) string {
	return fmt.Sprintf("%s · %s · Spark %s · %d Hz", name, cmp.Or(m.Title, "no application"), cmp.Or(m.Spark, "?"), m.Hz)
}

// wholeRun says what all operators have in common, which no verdict is of.
func wholeRun(d *columns.Diff) string {
	w := d.WholeRun
	if w.CI95[0] == w.CI95[1] {
		return "too few operators to tell what all have in common"
	}
	return fmt.Sprintf("× %.2f (%.2f to %.2f): the cost a row that all operators have in common; verdicts are of the rest", w.Factor, w.CI95[0], w.CI95[1])
}

func planChanged(q *columns.QueryDiff) string {
	if q.PlanChanged {
		return " · plan changed"
	}
	return ""
}

// failures says how many runs failed on which side, "" if none did.
func failures(q *columns.QueryDiff) (out string) {
	if q.FailedA > 0 {
		out += fmt.Sprintf(" · A: %d of %d runs failed", q.FailedA, q.RunsA+q.FailedA)
	}
	if q.FailedB > 0 {
		out += fmt.Sprintf(" · B: %d of %d runs failed", q.FailedB, q.RunsB+q.FailedB)
	}
	return out
}

func change(difference float64, ci *[2]float64, ratio *float64, verdict string) string {
	if verdict == columns.Lost {
		return verdict
	}
	if verdict == columns.Same {
		return verdict + " (" + signed(difference) + " ±" + seconds((ci[1]-ci[0])/2) + ")"
	}
	out := signed(difference) + " ±" + seconds((ci[1]-ci[0])/2)
	if text := ratioOf(ratio, verdict); text != "" {
		out += " (" + text + ")"
	}
	return out
}

func signed(difference float64) string {
	if difference < 0 {
		return "-" + seconds(-difference)
	}
	return "+" + seconds(difference)
}

func diffHalf(o *columns.OperatorDiff) string {
	text := "±" + seconds((o.CI95[1]-o.CI95[0])/2)
	if !o.Valid {
		text += "?"
	}
	return text
}

// there is a cost, and nothing where the recording does not have the operator.
func there(cpu float64, missing bool) string {
	if missing {
		return "-"
	}
	return seconds(cpu)
}

// ratioOf is a change in per cent, where one can be told.
func ratioOf(ratio *float64, verdict string) string {
	if ratio == nil || verdict != columns.Changed {
		return ""
	}
	if *ratio > 10 {
		return fmt.Sprintf("×%.0f", *ratio)
	}
	return fmt.Sprintf("%+.0f %%", math.Round(100*(*ratio-1)))
}

func diffRow(a, b, difference, whole, half, ratio, perRowA, perRowB, operator string) string {
	return padded(a, 9) + padded(b, 9) + padded(difference, 10) + padded(whole, 11) + padded(half, 9) + padded(ratio, 8) + padded(perRowA, 9) + padded(perRowB, 9) + "  " + operator
}
