package outcome

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/planflame/planflame/tasksample"
)

// TableOptions say how a table looks.
type TableOptions struct {
	Width int  // columns; 0: DefaultWidth
	Color bool // ANSI styles
	Sort  Sort
	IDs   bool // the hashes of queries, plans, operators and stages
	All   bool // nothing is folded
}

// DefaultWidth is the width of a table that no terminal shows, minWidth the least that leaves room
// for names.
const (
	DefaultWidth = 80
	minWidth     = 60
)

// Sort is an order of the operators of a query.
type Sort string

// Orders of operators.
const (
	SortPlan Sort = "plan" // as in the plan, as a tree
	SortCPU  Sort = "cpu"  // by falling CPU
)

// smallShare is the share below which operators and buckets are folded: it is shown as 0 %.
const smallShare = 0.005

// Table writes the summary for people: a block per query, then what belongs to no operator, and a
// legend.
func (s Summary) Table(w io.Writer, o TableOptions) error {
	o.Width = max(cmp.Or(o.Width, DefaultWidth), minWidth)
	t := &table{w: w, TableOptions: o, selected: s.DetailHz > 0, applications: s.applicationNames()}
	if s.Samples == 0 && s.CPUSeconds == 0 && len(s.Queries) == 0 { // no task ran: the caller says so, or why nothing is known of them
		t.findings(s)
		t.outside(s)
		return t.err
	}
	t.head(s)
	shown, folded := t.worth(s)
	for _, q := range shown {
		t.query(q)
	}
	if len(folded) > 0 {
		t.foldedQueries(folded)
	}
	t.findings(s)
	t.slowTasks(s.SlowTasks)
	t.slowRecords(s.SlowRecords)
	t.buckets(s)
	t.outside(s)
	if s.selection == "" {
		t.quality(s)
	}
	if t.rowsShown {
		t.legend()
	}
	return t.err
}

// applicationNames are table.applications.
func (s Summary) applicationNames() map[string]string {
	if len(s.Applications) < 2 {
		return nil
	}
	names := map[string]string{}
	for _, a := range s.Applications {
		names[a.ID] = a.Name
	}
	return names
}

// table writes lines of a width and keeps the first error of its writer.
type table struct {
	TableOptions
	w   io.Writer
	err error
	// selected says that some tasks were sampled more closely than others.
	selected  bool
	rowsShown bool
	// applications are the names of the run's applications by their ids; nil of a single one, which
	// goes without saying.
	applications map[string]string
	weak         bool            // a row has the mark of weak CPU
	names        map[string]bool // of rows of the query, as cut, behind their stages
}

func (t *table) line(styled string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, styled+"\n")
	}
}

// text writes prose, broken at the width.
func (t *table) text(s style, format string, args ...any) {
	for _, line := range wrap(fmt.Sprintf(format, args...), t.Width) {
		t.line(t.styled(s, line))
	}
}

func (t *table) head(s Summary) {
	t.text(bold, "planflame: %s CPU seconds%s", seconds(s.CPUSeconds), s.parts())
	if s.selection != "" {
		t.text(plain, "of %s", s.selection)
	}
	t.text(dim, "Spark %s · JDK %s · %d samples at %s, mode %s", orDash(s.SparkVersion), shortJDK(s.JDKVersion), s.Samples, s.rates(), orDash(s.Mode))
}

// parts says of which the CPU is.
func (s Summary) parts() string {
	if s.Python.WorkerCPUSeconds == 0 {
		return " of tasks"
	}
	return fmt.Sprintf(", %s of tasks in the JVM, %s of Python workers", seconds(s.CPUSeconds-s.Python.WorkerCPUSeconds), seconds(s.Python.WorkerCPUSeconds))
}

// shortJDK is a Java version without its vendor's part.
func shortJDK(version string) string {
	short, _, _ := strings.Cut(version, "-")
	return orDash(short)
}

// rates are the rates in words.
func (s Summary) rates() string {
	switch detail := fmt.Sprintf("%g Hz on %.3g %% of the tasks", s.DetailHz, 100*s.TaskFraction); {
	case s.DetailHz == 0:
		return fmt.Sprintf("%d Hz", s.Hz)
	case s.Hz == 0:
		return detail
	default:
		return fmt.Sprintf("%d Hz + %s", s.Hz, detail)
	}
}

// worth tells queries that get a block from the cheapest ones, which together have little of the
// CPU and of the wall time.
func (t *table) worth(s Summary) (shown, folded []Query) {
	small := map[int]bool{}
	if !t.All {
		small = s.smallQueries()
	}
	if len(small) < 2 { // a block is hardly longer than the line
		return s.Queries, nil
	}
	for i, q := range s.Queries {
		if small[i] {
			folded = append(folded, q)
		} else {
			shown = append(shown, q)
		}
	}
	return shown, folded
}

func (t *table) foldedQueries(folded []Query) {
	var cpu, wall float64
	for _, q := range folded {
		cpu, wall = cpu+q.CPUSeconds, wall+q.wall()
	}
	timed := ""
	if wall > 0 {
		timed = seconds(wall) + " s wall · "
	}
	t.line("")
	t.text(dim, "%d more queries, together %s%s s CPU; --all shows them", len(folded), timed, seconds(cpu))
}

func (t *table) query(q Query) {
	t.line("")
	t.title(q)
	if t.IDs {
		t.text(dim, "  %s  %s", q.Query, q.Plan)
	}
	if t.applications != nil {
		t.text(dim, "  in %s", t.ranIn(q))
	}
	if q.Time != nil && q.Time.FailedExecutions > 0 {
		t.text(plain, "  %d of %d runs failed", q.Time.FailedExecutions, q.Time.Executions)
	}
	if r := q.Runs; r != nil {
		t.text(plain, "  %d of its %d runs were drawn, %s s of %s s; of them is what follows, and of all of them what summary.json has under runs",
			r.Sampled, r.All, seconds(r.SampledCPUSeconds), seconds(r.CPUSeconds))
	}
	if len(q.Operators) == 0 {
		t.text(dim, "  no CPU in its operators")
		return
	}
	c := t.layoutOf(q)
	t.line(t.styled(dim, c.heading()))
	t.names = map[string]bool{}
	shown, folded := t.foldOperators(q)
	if t.Sort != SortCPU {
		drawTree(shown)
	}
	for _, r := range shown {
		t.operator(c, r)
	}
	if folded != nil {
		t.line(t.styled(dim, c.fold(folded, t.Width)))
	}
}

// ranIn names the applications of a query.
func (t *table) ranIn(q Query) string {
	var names []string
	for _, id := range q.Applications {
		names = append(names, fmt.Sprintf("%s (%s)", orDash(t.applications[id]), orDash(id)))
	}
	return strings.Join(names, ", ")
}

// title is a query's name with the user's line, its times and its executions behind it; without
// room for that, below it.
func (t *table) title(q Query) {
	rest := fmt.Sprintf(" · %s s CPU · %s", seconds(q.CPUSeconds), executions(q))
	if q.wall() > 0 {
		rest = fmt.Sprintf(" · %s s wall", seconds(q.wall())) + rest
	}
	name := cmp.Or(q.QueryName, "(no name)")
	site, more, _ := strings.Cut(q.CallSite, ", ")
	if more != "" {
		site += " …"
	}
	if site != "" && !strings.Contains(name, q.CallSite) && t.Width-length(rest)-length(" · "+site) >= min(leastName, length(name)) {
		rest = " · " + site + rest
	}
	if t.Width-length(rest) < min(leastName, length(name)) {
		t.line(t.styled(bold, cut(name, t.Width)))
		t.text(plain, "  %s", strings.TrimPrefix(rest, " · "))
		return
	}
	name = cut(name, t.Width-length(rest))
	t.line(t.styled(bold, name) + rest)
}

// executions lists the execution ids of a query, a few of them.
func executions(q Query) string {
	const most = 3
	var ids []string
	for _, id := range q.SQLExecutionIDs {
		if id != tasksample.NoExecution {
			ids = append(ids, fmt.Sprint(id))
		}
	}
	switch n := len(ids); {
	case n == 0:
		return "no SQL"
	case n == 1:
		return "execution " + ids[0]
	case n > most:
		return fmt.Sprintf("%d executions, %s … %s", n, ids[0], ids[n-1])
	}
	return "executions " + strings.Join(ids, ", ")
}

// buckets writes what tasks did for no operator.
func (t *table) buckets(s Summary) {
	if len(s.Buckets) == 0 {
		return
	}
	t.line("")
	t.line(t.styled(bold, "not of any operator"))
	var rest float64
	small := 0
	for _, b := range s.Buckets {
		if !t.All && b.CPUSeconds < smallShare*s.CPUSeconds {
			rest += b.CPUSeconds
			small++
			continue
		}
		t.line(bucketLine(b.CPUSeconds, s.CPUSeconds, b.Name))
	}
	if small > 0 {
		t.line(t.styled(dim, bucketLine(rest, s.CPUSeconds, fmt.Sprintf("%d more", small))))
	}
}

func bucketLine(cpu, of float64, name string) string {
	return fmt.Sprintf("%8s         %6s   %s", seconds(cpu), percent(cpu, of), name)
}

// outside writes what the JVMs and their children used beside the tasks.
func (t *table) outside(s Summary) {
	if s.selection != "" {
		t.besides("Outside of tasks", s.Outside)
		t.besides("Child processes", s.children)
		return
	}
	if s.ProcessCPUSeconds > 0 {
		parts := []string{}
		for _, b := range s.Outside {
			parts = append(parts, fmt.Sprintf("%s %s s", b.Name, seconds(b.CPUSeconds)))
		}
		t.line("")
		t.text(plain, "Outside of tasks, %s s of the JVMs' %s s: %s", seconds(max(s.ProcessCPUSeconds-s.TaskThreadSeconds, 0)),
			seconds(s.ProcessCPUSeconds), strings.Join(parts, ", "))
	}
	if parts := s.Python.parts(); len(parts) > 0 {
		t.text(plain, "Child processes: %s", strings.Join(parts, ", "))
	}
}

// besides writes what ran beside the tasks in a selection.
func (t *table) besides(heading string, buckets []Bucket) {
	var parts []string
	for _, b := range buckets {
		if b.CPUSeconds >= 0.005 {
			parts = append(parts, fmt.Sprintf("%s %s s", b.Name, seconds(b.CPUSeconds)))
		}
	}
	if len(parts) > 0 {
		t.text(plain, "%s: %s", heading, strings.Join(parts, ", "))
	}
}

// parts are what child processes used, as far as it is shown as more than 0.
func (p Python) parts() (out []string) {
	for _, part := range []struct {
		name string
		cpu  float64
	}{{"Python workers", p.WorkerCPUSeconds}, {"of them without a plan node", p.UnplacedSeconds}, {"of them without a query", p.OutsideSeconds},
		{"Python daemons", p.DaemonCPUSeconds}, {"others", p.OtherCPUSeconds}} {
		if part.cpu >= 0.005 {
			out = append(out, fmt.Sprintf("%s %s s", part.name, seconds(part.cpu)))
		}
	}
	return out
}

func (t *table) quality(s Summary) {
	t.line("")
	t.text(plain, "Operators have %.1f %% of the CPU, %.1f %% is unknown, %.1f %% disputed; %d samples lost, %d stacks truncated.",
		100*s.AttributedShare, 100*s.UnknownShare, 100*s.DisputedShare, s.LostSamples, s.TruncatedStacks)
}

// legend explains the columns, in three lines of 80 columns.
func (t *table) legend() {
	t.line("")
	t.text(dim, "%s", "CPU s ±: CPU seconds, Python's too, with their 95 % interval; ?: too few tasks.")
	t.text(dim, "%s", "rows: taken in, of a scan: given; a row: CPU. stage: Spark's number, +n: n more.")
	if t.weak {
		t.text(dim, "%s", "~: for a tenth or more the JVM had not optimized the code: lines are in doubt.")
	} else {
		t.text(dim, "%s", "share: of the query. --all shows the rows that cost less than their ± or 0.5 %.")
	}
}

func orDash(s string) string { return cmp.Or(s, "-") }
