package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// bare is a physical operator without the end of an exchange.
func bare(physical string) string {
	physical, _, _ = strings.Cut(physical, " ")
	return physical
}

// text writes a bridge for people.
func (r *bridgeReport) text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "planflame: seconds of CPU of a run, in operators\n  new  %s\n  old  %s\n", r.New, r.Old)
	for i := range r.Queries {
		q := &r.Queries[i]
		fmt.Fprintf(&b, "\n%s   %s → %s s of CPU   %s\n", q.Name, plain(q.Old), plain(q.New), signedText(q.Change.Seconds))
		row := func(name string, p bridgePart, why string) {
			fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("  %-10s %9s ± %-7s %s", name, signedText(p.Seconds), plain((p.CI95[1]-p.CI95[0])/2), why), " "))
		}
		row("rows", q.Rows, q.rowsText())
		row("plan", q.Plan, q.planText())
		row("whole run", q.Run, fmt.Sprintf("all operators alike, × %.2f", r.Common))
		row("code", q.Code, q.codeText())
		failed := func(failed, others int, recording string) {
			if failed > 0 {
				fmt.Fprintf(&b, "  failed     %d of %d runs of %s\n", failed, failed+others, recording)
			}
		}
		failed(q.FailedOld, q.RunsOld, "old")
		failed(q.FailedNew, q.RunsNew, "new")
	}
	for _, lost := range r.Lost {
		fmt.Fprintf(&b, "\n%s\n", lost)
	}
	if len(r.Queries) == 0 && len(r.Lost) == 0 {
		b.WriteString("\nno query is in both recordings\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// largest is the operator with the largest part, nil if it is none.
func (q *queryBridge) largest(part func(*operatorBridge) bridgePart) *operatorBridge {
	if len(q.Operators) == 0 {
		return nil
	}
	size := func(o operatorBridge) float64 { return math.Abs(part(&o).Seconds) }
	most := slices.MaxFunc(q.Operators, func(a, b operatorBridge) int { return cmp.Compare(size(a), size(b)) })
	if size(most) == 0 {
		return nil
	}
	return &most
}

// told reports whether the interval of a part does not hold 0.
func (p bridgePart) told() bool { return p.CI95[0] > 0 || p.CI95[1] < 0 }

func (q *queryBridge) rowsText() string {
	o := q.largest(func(o *operatorBridge) bridgePart { return o.Rows })
	if o == nil || !q.Rows.told() {
		return ""
	}
	return fmt.Sprintf("%s  %s → %s rows", o.Name, rowsText(*o.RowsOld), rowsText(*o.RowsNew))
}

func (q *queryBridge) codeText() string {
	o := q.largest(func(o *operatorBridge) bridgePart { return o.Code })
	if o == nil || !q.Code.told() || !o.Code.told() {
		return ""
	}
	if o.RowsOld == nil || o.RowsNew == nil || *o.RowsOld == 0 || *o.RowsNew == 0 {
		return fmt.Sprintf("%s  %s → %s s", o.Name, plain(o.Old), plain(o.New))
	}
	return fmt.Sprintf("%s  %.0f → %.0f ns/row", o.Name, 1e9*o.Old / *o.RowsOld, 1e9*o.New / *o.RowsNew)
}

// planText says which physical operators came and went.
func (q *queryBridge) planText() string {
	var parts []string
	for _, side := range []struct {
		names []string
		verb  string
	}{{q.Came, "came"}, {q.Went, "went"}} {
		if len(side.names) > 0 {
			parts = append(parts, counted(side.names)+" "+side.verb)
		}
	}
	return strings.Join(parts, "; ")
}

// counted lists names, equal ones once with their number.
func counted(names []string) string {
	n := map[string]int{}
	var order []string
	for _, name := range names {
		if n[name]++; n[name] == 1 {
			order = append(order, name)
		}
	}
	for i, name := range order {
		if n[name] > 1 {
			order[i] = fmt.Sprintf("%d %s", n[name], name)
		}
	}
	return strings.Join(order, ", ")
}

// plain are seconds without their unit.
func plain(seconds float64) string {
	if math.Abs(seconds) < 9.995 {
		return fmt.Sprintf("%.2f", seconds)
	}
	return fmt.Sprintf("%.1f", seconds)
}

func signedText(seconds float64) string {
	if seconds <= -0.005 {
		return "- " + plain(-seconds)
	}
	return "+ " + plain(math.Abs(seconds))
}

func rowsText(rows float64) string {
	for _, unit := range []struct {
		of   float64
		name string
	}{{1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if rows >= unit.of {
			return fmt.Sprintf("%.1f%s", rows/unit.of, unit.name)
		}
	}
	return fmt.Sprintf("%.0f", rows)
}
