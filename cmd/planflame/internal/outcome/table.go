package outcome

import (
	"fmt"
	"io"
	"strings"
)

// smallShare is the share of a query below which operators are summed up in one line of the table.
const smallShare = 0.005

// Table writes the summary for people: a block per query, then the buckets.
func (s Summary) Table(w io.Writer) error {
	t := &table{w: w}
	t.printf("planflame: %.2f CPU seconds%s, %d samples at %s (%s), Spark %s, JDK %s\n",
		s.CPUSeconds, s.parts(), s.Samples, s.rates(), orDash(s.Mode), orDash(s.SparkVersion), orDash(s.JDKVersion))
	names := s.applicationNames()
	for _, q := range s.Queries {
		t.query(q, names)
	}
	if len(s.Buckets) > 0 {
		t.printf("\nnot of any operator\n")
	}
	for _, b := range s.Buckets {
		t.printf("  %8.2f s  %5.1f %%  %s\n", b.CPUSeconds, percent(b.CPUSeconds, s.CPUSeconds), b.Name)
	}
	t.outside(s)
	t.printf("\n%.1f %% of the CPU has an operator, %.1f %% is unknown, %.1f %% disputed", 100*s.AttributedShare, 100*s.UnknownShare, 100*s.DisputedShare)
	t.printf("; %d samples lost, %d stacks truncated\n", s.LostSamples, s.TruncatedStacks)
	return t.err
}

// parts says of which the CPU is.
func (s Summary) parts() string {
	if s.Python.WorkerCPUSeconds == 0 {
		return " of tasks"
	}
	return fmt.Sprintf(" (%.2f of tasks in the JVM, %.2f of Python workers)", s.TaskCPUSeconds+s.Python.FeedCPUSeconds, s.Python.WorkerCPUSeconds)
}

// applicationNames are the names of the run's applications by their ids; nil of a single one, which goes without saying.
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

// table keeps the first error of its writer.
type table struct {
	w   io.Writer
	err error
}

func (t *table) printf(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

// query writes a block; applications are as of applicationNames.
func (t *table) query(q Query, applications map[string]string) {
	name := q.QueryName
	if name == "" {
		name = "(no name)"
	}
	cost := fmt.Sprintf("%.2f s", q.CPUSeconds)
	if q.Time != nil {
		cost = fmt.Sprintf("%.2f s wall, %s CPU", q.Time.WallSeconds, cost)
	}
	t.printf("\n%s  %s  %s  %s  %s\n", name, cost, q.Query, q.Plan, executions(q))
	if applications != nil {
		for _, id := range q.Applications {
			t.printf("  in %s (%s)\n", orDash(applications[id]), orDash(id))
		}
	}
	if r := q.Runs; r != nil {
		t.printf("  %d of its %d runs were drawn, %.2f s of %.2f s; of them is what follows, and of all of them what summary.json has under runs\n",
			r.Sampled, r.All, r.SampledCPUSeconds, r.CPUSeconds)
	}
	if len(q.Operators) == 0 {
		t.printf("  no CPU in its operators\n")
		return
	}
	t.printf("  %10s  %8s  %7s  %7s  %6s  %s\n", "CPU", "± 95 %", "share", "samples", "weak", "operator @ stage")
	var rest Operator
	small := 0
	for _, op := range q.Operators {
		if op.Share < smallShare && op.PythonRange == nil {
			rest.CPUSeconds += op.CPUSeconds
			rest.Share += op.Share
			rest.Samples += op.Samples
			small++
			continue
		}
		weak := ""
		if op.WeakShare >= smallShare {
			weak = fmt.Sprintf("%.0f %%", 100*op.WeakShare)
		}
		t.printf("  %8.2f s  %8s  %5.1f %%  %7d  %6s  %s @ %s\n", op.CPUSeconds, op.plusMinus(), 100*op.Share, op.Samples, weak, op.Name, orDash(op.Stage))
		if line := op.python(); line != "" {
			t.printf("  %48s  %s\n", "", line)
		}
	}
	if small > 0 {
		t.printf("  %8.2f s  %8s  %5.1f %%  %7d  %6s  %d more below %.1f %%\n", rest.CPUSeconds, "", 100*rest.Share, rest.Samples, "", small, 100*smallShare)
	}
}

// python says which part of an operator's CPU is of Python workers, and how much more may be; "" where there is none.
func (o Operator) python() string {
	text := ""
	if o.PythonCPUSeconds > 0 {
		text = fmt.Sprintf("%.2f s in Python", o.PythonCPUSeconds)
	}
	if o.PythonRange != nil && o.PythonRange[1] > o.PythonCPUSeconds {
		text += fmt.Sprintf(", up to %.2f s more", o.PythonRange[1]-o.PythonCPUSeconds)
	}
	return strings.TrimPrefix(text, ", ")
}

// plusMinus is half of the 95 % interval, the longer half; with a question mark where it is not valid.
func (o Operator) plusMinus() string {
	if o.CI95 == nil {
		return "?"
	}
	mark := ""
	if !o.Valid {
		mark = "?"
	}
	return fmt.Sprintf("± %.2f%s", max(o.CPUSeconds-o.CI95[0], o.CI95[1]-o.CPUSeconds), mark)
}

// outside writes what the JVMs and their children used beside the tasks, a line each.
func (t *table) outside(s Summary) {
	if s.ProcessCPUSeconds > 0 {
		t.printf("\nOutside of tasks, %.2f s of the JVMs' %.2f:", max(s.ProcessCPUSeconds-s.TaskThreadSeconds, 0), s.ProcessCPUSeconds)
		for i, b := range s.Outside {
			separator := ","
			if i == 0 {
				separator = ""
			}
			t.printf("%s %s %.2f s", separator, b.Name, b.CPUSeconds)
		}
		t.printf("\n")
	}
	if p := s.Python; p != (Python{}) {
		t.printf("Child processes: Python workers %.2f s (%.2f s of no plan node, %.2f s of no query), their daemon %.2f s, others %.2f s\n",
			p.WorkerCPUSeconds, p.UnplacedSeconds, p.OutsideSeconds, p.DaemonCPUSeconds, p.OtherCPUSeconds)
	}
}

// executions lists the execution ids of a query, a few of them.
func executions(q Query) string {
	const most = 5
	var ids []string
	for i, id := range q.SQLExecutionIDs {
		if i == most {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, fmt.Sprint(id))
	}
	return "execution " + strings.Join(ids, ", ")
}

func percent(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return 100 * part / whole
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
