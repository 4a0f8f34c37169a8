package main

import (
	"fmt"
	"math"
	"time"

	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/schedule"
)

// scanRole is the role of operators that read tables.
const scanRole = "scan"

// placedIn is an operator in a stage of a query.
type placedIn struct{ query, place, operator, name string }

// slopes say how the costs of operators grow with their rows.
type slopes struct {
	of       map[placedIn]float64 // part of the cost that grows as rows do; 1 of others
	from, to float64              // rows of a run that scans gave in the smaller and the larger recording; equal: one was read
}

// slopesOf are the slopes of a recording's operators against an older one of the same queries, nil:
// none.
func slopesOf(m, old *columns.Model) *slopes {
	out := &slopes{of: map[placedIn]float64{}}
	if old == nil {
		for _, q := range sidesOf(m) {
			out.to += q.scanned()
		}
		out.from = out.to
		return out
	}
	before, after := sidesOf(old), sidesOf(m)
	for _, n := range after {
		for _, o := range before {
			if n.query == o.query {
				out.from, out.to = out.from+o.scanned(), out.to+n.scanned()
			}
		}
	}
	out.from, out.to = min(out.from, out.to), max(out.from, out.to)
	for _, x := range match(old, m) {
		out.add(x)
	}
	return out
}

// add adds the operators of a query.
func (s *slopes) add(x *matched) {
	for i := range x.pairs {
		if part, known := x.pairs[i].Slope(); known {
			s.of[placedIn{x.query, x.operators[i].place, x.operators[i].operator, x.operators[i].name}] = part
		}
	}
}

// scanned are the rows that the scans of a run gave.
func (s *querySides) scanned() (rows float64) {
	for o, side := range s.by {
		if o.physical == "Scan" && side.RowsKnown {
			rows += side.Rows
		}
	}
	return rows
}

// stagePart is the CPU of the stages of a query at one place, in seconds of all runs.
type stagePart struct {
	reads     bool    // a scan is in it
	operators float64 // CPU of operators
	grows     float64 // the part of it that grows as rows do
	tasks     float64 // CPU of tasks
}

// stageKind is a query with a place of stages in it.
type stageKind struct{ query, place string }

// stageParts are the parts of all stages, for so many times the rows.
func stageParts(m *columns.Model, s *slopes, rows float64) map[stageKind]*stagePart {
	out := map[stageKind]*stagePart{}
	of := func(k stageKind) *stagePart {
		if out[k] == nil {
			out[k] = &stagePart{}
		}
		return out[k]
	}
	report := m.Report(columns.Selection{})
	for i := range report.Queries {
		q := &report.Queries[i]
		for k := range q.Operators {
			o := &q.Operators[k]
			slope, known := s.of[placedIn{q.Query, o.Stage, o.Operator, o.Name}]
			if !known || rows < 1 && slope > 1 { // the line of a steeper slope leads below 0
				slope = 1
			}
			p := of(stageKind{q.Query, o.Stage})
			p.reads = p.reads || o.Role == scanRole
			p.operators, p.grows = p.operators+o.CPUSeconds, p.grows+slope*o.CPUSeconds
		}
	}
	for n := 1; n < len(m.Tasks.ID); n++ {
		if i := m.Tasks.Stage[n]; i >= 0 {
			of(stageKindOf(m, &m.Stages[i])).tasks += m.Tasks.CPUNanos[n] / 1e9
		}
	}
	return out
}

func stageKindOf(m *columns.Model, st *columns.Stage) stageKind {
	k := stageKind{place: st.Place}
	if st.Query >= 0 {
		k.query = m.Queries[st.Query].Query
	}
	return k
}

// growth is how many times as much CPU a stage uses with so many times the rows, and as many times
// the tasks. CPU of no operator is each task's.
func (p *stagePart) growth(rows, tasks float64) float64 {
	if p.operators <= 0 {
		return rows
	}
	other := max(0, p.tasks-p.operators)
	return (rows*p.grows + p.operators - p.grows + tasks*other) / (p.operators + other)
}

// grown is the schedule with so many times the rows. Stages that read tables have as many times the
// tasks. Other stages have as many tasks as before, which take longer. A task's time grows as its
// stage's CPU does. cpu is how many times as much CPU all stages use.
func (t *timeline) grown(m *columns.Model, parts map[stageKind]*stagePart, rows float64) (out schedule.Schedule, cpu float64) {
	out = schedule.Schedule{Slots: t.Slots, End: t.End, Stages: make([]schedule.Stage, len(t.Stages))}
	was, is := 0.0, 0.0
	for k := range t.Stages {
		part := parts[stageKindOf(m, &m.Stages[t.of[k]])]
		stage := t.Stages[k]
		n, tasks := len(stage.Tasks), len(stage.Tasks)
		if part.reads {
			tasks = max(1, int(math.Round(rows*float64(n))))
		}
		more := float64(tasks) / float64(n)
		growth := part.growth(rows, more)
		stage.Tasks = make([]schedule.Task, tasks)
		for i := range stage.Tasks {
			task := t.Stages[k].Tasks[i*n/tasks]
			task.Excess = time.Duration((1 - growth/more) * float64(task.Duration()))
			stage.Tasks[i] = task
		}
		for _, task := range t.Stages[k].Tasks {
			was, is = was+task.CPU.Seconds(), is+growth*task.CPU.Seconds()
		}
		out.Stages[k] = stage
	}
	if was > 0 {
		return out, is / was
	}
	return out, rows
}

// rowsTime is how long an application would take with other rows.
type rowsTime struct {
	Factor float64 `json:"factor"` // times the rows of the recording
	Slots  int     `json:"slots"`
	Wall   float64 `json:"seconds"`
	CPU    float64 `json:"cpu_factor"` // times the CPU of its tasks
	// Scanned are the rows of a run that scans gave in the recordings: of the smaller and of the
	// larger one, equal if one was read.
	Scanned [2]float64 `json:"scanned_rows"`
}

// withRows replays with other rows.
func (t *timeline) withRows(m *columns.Model, flags *timing, pace schedule.Pace) *rowsTime {
	s := slopesOf(m, flags.old)
	grown, cpu := t.grown(m, stageParts(m, s, flags.rows), flags.rows)
	slots := t.Slots
	if asked := flags.slots(); asked > 0 {
		slots = asked
	}
	return &rowsTime{Factor: flags.rows, Slots: slots, Wall: grown.Span(grown.Replay(slots, pace)).Seconds(), CPU: cpu, Scanned: [2]float64{s.from, s.to}}
}

func (r *rowsTime) text(now float64) string {
	from := fmt.Sprintf("as if all costs grew as rows do: one size was recorded, %s rows of scans; --against gives slopes", rowsText(r.Scanned[1]))
	if r.Scanned[0] < r.Scanned[1] {
		from = fmt.Sprintf("by slopes between %s and %s rows of scans", rowsText(r.Scanned[0]), rowsText(r.Scanned[1]))
	}
	return fmt.Sprintf("with %g × the rows on %d slots: %s now → %s, %.1f × the CPU, %s", r.Factor, r.Slots, wallText(now), wallText(r.Wall), r.CPU, from)
}
