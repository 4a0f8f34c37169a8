package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planflame/planflame/trial"
)

// trialText writes lines and keeps the first error.
type trialText struct {
	w   io.Writer
	err error
}

func (t *trialText) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

// planText tells people what a plan is.
func planText(w io.Writer, f *trialFile) error {
	t, unit := &trialText{w: w}, unitOf(f.cost())
	over := ""
	if f.Over > 0 {
		over = " in " + days(f.Over)
	}
	t.line("%d queries, %s%s, %d phases", len(f.Queries), unit.with(f.cost()), over, len(f.Phases))
	if f.LeftOut > 0 {
		t.line("%d queries with %s are left out: no one knows how often they ran, or they ran once", f.LeftOut, unit.with(f.LeftCost))
	}
	rows := [][]string{{"queries", unit.name, "re-run", " phase"}}
	for _, p := range f.Phases {
		rows = append(rows, []string{strconv.Itoa(p.Queries), unit.of(p.CPU), strconv.Itoa(p.Drawn), " " + p.Name})
	}
	t.left(rows)
	like := fmt.Sprintf("queries' ratios differ by %.0f %%", 100*f.Spread)
	if f.Like != "" {
		like = "queries differ as in trial " + f.Like
	}
	queries, _ := f.asQueries()
	cost := make([]float64, len(queries))
	for i, q := range queries {
		cost[i] = q.Cost
	}
	t.line("%d re-runs: ± %s (95 %%) if %s. ± 5 %% at 99.7 %% takes %d.", f.Runs, percent(f.Half), like, trial.RunsFor(cost, f.Spread, target, trial.LevelSure))
	t.line("Run these with --conf spark.planflame.label.trial=%s:", f.Name)
	rows = [][]string{{unit.name, "runs", " query", ""}}
	for _, q := range f.drawn() {
		rows = append(rows, []string{unit.of(q.CPU.Sum()), strconv.FormatFloat(q.Usual.Count, 'f', 0, 64), " " + q.Name, " " + q.ID})
	}
	t.left(rows)
	return t.err
}

// left writes rows whose last cells are text, and so begin at one column.
func (t *trialText) left(rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, r := range rows {
		var b strings.Builder
		for i, cell := range r {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if strings.HasPrefix(cell, " ") {
				b.WriteString(" " + cell + pad)
			} else {
				b.WriteString("  " + pad + cell)
			}
		}
		t.line("%s", strings.TrimRight(b.String(), " "))
	}
}

// drawn are the drawn queries, as they were drawn.
func (f *trialFile) drawn() []*fileQuery {
	out := make([]*fileQuery, f.Runs)
	for i := range f.Queries {
		if n := f.Queries[i].Drawn; n > 0 && n <= f.Runs {
			out[n-1] = &f.Queries[i]
		}
	}
	return slices.DeleteFunc(out, func(q *fileQuery) bool { return q == nil })
}

// leastShown is the share of all CPU below which a kind is not shown.
const leastShown = 0.005

// judgedText tells people what a trial says.
func judgedText(w io.Writer, j *judged) error {
	t, unit := &trialText{w: w}, unitOf(j.Cost)
	t.line("%d of %d re-runs seen%s", j.Seen, j.Drawn, t.lost(j))
	for _, list := range []struct {
		word string
		of   []judgedQuery
	}{{"failed", j.Failed}, {"missing", j.Missing}} {
		for _, q := range list.of {
			t.line("  %s  %s  %s", list.word, q.Name, q.ID)
		}
	}
	c := j.Fleet
	t.line("fleet CPU  %s %%  [%s, %s]  = %s%s%s", signed(c.Change), signed(c.Low), signed(c.High), sign(c.Change), unit.with(math.Abs(c.Change)*j.Cost), j.over)
	t.kinds(j, unit)
	t.grown(j, unit)
	t.doubts(j)
	t.next(j)
	return t.err
}

func (t *trialText) lost(j *judged) string {
	var words []string
	if n := len(j.Failed); n > 0 {
		words = append(words, fmt.Sprintf("%d failed", n))
	}
	if n := len(j.Missing); n > 0 {
		words = append(words, fmt.Sprintf("%d missing", n))
	}
	if j.Others > 0 {
		words = append(words, fmt.Sprintf("%d other queries passed over", j.Others))
	}
	if len(words) == 0 {
		return ""
	}
	return ", " + strings.Join(words, ", ")
}

func (t *trialText) kinds(j *judged, unit costUnit) {
	rows, unseen := [][]string{{unit.name, "re-runs", "change", "±", "  operators"}}, 0.
	for _, k := range j.Kinds {
		if k.Seen == 0 {
			unseen += k.Cost
		}
		if k.Cost < leastShown*j.Cost {
			continue
		}
		change, half := "-", "-"
		if k.Change != nil {
			change, half = signed(k.Change.Change)+" %", percent(k.Half())
		}
		rows = append(rows, []string{unit.of(k.Cost), strconv.Itoa(k.Seen), change, half, fmt.Sprintf("  %s  %s", k.Verdict, k.Kind)})
	}
	t.left(rows)
	if unseen >= leastShown*j.Cost {
		t.line("unseen  %s of the cost is in kinds of operators that no re-run has; they are taken to change as all do", percent(unseen/j.Cost))
	}
}

func (t *trialText) grown(j *judged, unit costUnit) {
	if len(j.Grown) == 0 {
		return
	}
	t.line("grew most")
	for _, g := range j.Grown {
		change := "new"
		if g.Old > 0 {
			change = signed(g.New/g.Old-1) + " %"
		}
		t.line("  %s  +%s  %s  %s", change, unit.with(g.New-g.Old), g.judgedQuery.Name, g.OperatorChange.Name)
		t.line("      before %s", g.Before)
		t.line("      after  %s", g.After)
	}
}

// doubts tell of re-runs that say less than others.
func (t *trialText) doubts(j *judged) {
	for _, r := range j.Reruns {
		if r.Cold {
			t.line("cold  %s: %s of its CPU outside operators, before %s; a second run in the same JVM says more", r.Name, percent(r.NewOutside), percent(r.OldOutside))
		}
	}
	for _, r := range j.Reruns {
		if math.Abs(r.Rows-1) > otherRows {
			t.line("rows  %s: %s %% rows a run; its cost is told at the old ones", r.Name, signed(r.Rows-1))
		}
	}
}

func (t *trialText) next(j *judged) {
	var steady []string
	for _, k := range j.Kinds {
		if k.Verdict == trial.Steady && k.Cost >= leastShown*j.Cost {
			steady = append(steady, string(k.Kind))
		}
	}
	switch {
	case j.Next == 0:
		t.line("next  none: the interval is within ± 5 %%")
	case j.over != "": // Prometheus has other costs by then, so it is another draw
		runs := j.Seen + j.Next
		t.line("next  %d re-runs give ± %s: trial plan --name %s-%d --runs %d draws again from newer costs", runs, percent(j.Within), j.Name, runs, runs)
	default:
		t.line("next  %d more re-runs give ± %s: trial plan --name %s --runs %d of the same folders has the same and more", j.Next, percent(j.Within), j.Name, j.Seen+j.Next)
	}
	if len(steady) > 0 {
		t.line("      steady, so no more re-runs are needed for them: %s", strings.Join(steady, ", "))
	}
}

// costUnit is how CPU time is shown.
type costUnit struct {
	name    string
	seconds float64
}

// unitOf is core-hours, or CPU seconds of what is less than one.
func unitOf(seconds float64) costUnit {
	if seconds < 3600 {
		return costUnit{"CPU s", 1}
	}
	return costUnit{"core-hours", 3600}
}

func (u costUnit) of(seconds float64) string {
	x := seconds / u.seconds
	if math.Abs(x) < 100 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

func (u costUnit) with(seconds float64) string { return u.of(seconds) + " " + u.name }

// days is a duration in whole days, or as Go writes it.
func days(d time.Duration) string {
	if d%(24*time.Hour) == 0 {
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	}
	return d.String()
}

func percent(x float64) string { return strconv.FormatFloat(100*x, 'f', digits(x), 64) + " %" }

func signed(x float64) string { return fmt.Sprintf("%+.*f", digits(x), 100*x) }

func digits(x float64) int {
	if math.Abs(x) < 0.1 {
		return 1
	}
	return 0
}

func sign(x float64) string {
	if x < 0 {
		return "-"
	}
	return "+"
}
