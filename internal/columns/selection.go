package columns

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/tasksample"
)

// Selection narrows a Model. The zero value is all of it.
type Selection struct {
	Query     string                    `json:"query,omitempty"` // fingerprint or name
	Execution *tasksample.ExecutionID   `json:"execution,omitempty"`
	Stage     *tasksample.StageID       `json:"stage,omitempty"`
	Operator  string                    `json:"operator,omitempty"` // id or name; a bucket in brackets
	Task      *tasksample.TaskAttemptID `json:"task,omitempty"`
	From      time.Duration             `json:"from_ns,omitempty"` // since the start of the recording
	To        time.Duration             `json:"to_ns,omitempty"`   // 0: its end
	Search    string                    `json:"search,omitempty"`  // in the names of frames, letters of either case
	// WithoutFailed leaves failed executions out.
	WithoutFailed bool `json:"-"`
}

// IsAll reports whether nothing is left out.
func (s *Selection) IsAll() bool { return *s == Selection{} }

// partial reports whether a selection has executions in part.
func (s *Selection) partial() bool { return s.Stage != nil || s.Operator != "" || !s.whole() }

// whole reports whether a selection has stages as a whole, whose rows are known.
func (s *Selection) whole() bool { return s.From == 0 && s.To == 0 && s.Task == nil && s.Search == "" }

// scope is a selection in terms of a Model.
type scope struct {
	labels   []bool
	tasks    []bool  // nil: all
	stacks   []bool  // nil: all
	from, to float64 // ticks
}

func (m *Model) scope(s Selection) scope {
	out := scope{labels: make([]bool, len(m.Labels)), to: math.Inf(1)}
	for i := range m.Labels {
		out.labels[i] = m.selects(s, &m.Labels[i])
	}
	tick := float64(m.TickNanos)
	out.from = float64(s.From) / tick
	if s.To != 0 {
		out.to = float64(s.To) / tick
	}
	if s.Task != nil {
		out.tasks = make([]bool, len(m.Tasks.ID))
		for i := range out.tasks {
			out.tasks[i] = i > 0 && m.Tasks.ID[i] == float64(*s.Task)
		}
	}
	if s.Search != "" {
		out.stacks = m.search(strings.ToLower(s.Search))
	}
	return out
}

func (m *Model) selects(s Selection, l *Label) bool {
	if !m.selectsQuery(s, l.Query) || !m.selectsRun(s, l.Execution) {
		return false
	}
	if s.Stage != nil && (l.Stage == None || m.Stages[l.Stage].ID != *s.Stage) {
		return false
	}
	if s.Operator == "" {
		return true
	}
	if l.Operator == None {
		return s.Operator == "["+l.Bucket+"]"
	}
	return s.Operator == m.Operators[l.Operator].Operator || s.Operator == m.Operators[l.Operator].Name
}

// selectsQuery reports whether a selection has a query, or with None what is of none.
func (m *Model) selectsQuery(s Selection, query int) bool {
	return s.Query == "" || query != None && (s.Query == m.Queries[query].Query || s.Query == m.Queries[query].Name)
}

// selectsRun reports whether a selection has an execution, or with None what is of none.
func (m *Model) selectsRun(s Selection, execution int) bool {
	if s.Execution == nil && !s.WithoutFailed {
		return true
	}
	if execution == None {
		return s.Execution == nil
	}
	x := &m.Executions[execution]
	return (s.Execution == nil || x.ID == *s.Execution || slices.Contains(x.inner, *s.Execution)) && !(s.WithoutFailed && x.Failed)
}

// search finds the stacks that have a frame with a text in its name.
func (m *Model) search(text string) []bool {
	frames := make([]bool, len(m.Tree.Name))
	for i, name := range m.Tree.Name {
		frames[i] = strings.Contains(strings.ToLower(m.Strings[name]), text)
	}
	nodes := make([]bool, len(m.Tree.Parent))
	for i, parent := range m.Tree.Parent { // parents come first
		nodes[i] = frames[m.Tree.Frame[i]] || parent >= 0 && nodes[parent]
	}
	stacks := make([]bool, len(m.Tree.Leaf))
	for i, leaf := range m.Tree.Leaf {
		stacks[i] = leaf >= 0 && nodes[leaf]
	}
	return stacks
}

// Sums are the sums of a selection by label. CPU is in nanoseconds.
type Sums struct {
	Selection Selection
	Labels    []LabelSums // :: Model.Labels
}

// Empty reports whether nothing is selected.
func (s *Sums) Empty() bool {
	return !slices.ContainsFunc(s.Labels, func(l LabelSums) bool { return l != LabelSums{} })
}

// LabelSums are the sums of one label.
type LabelSums struct {
	Samples             uint64
	CPU                 float64 // of its samples
	Weak, Disputed      float64 // of CPU
	Exact, Below, Above float64 // of rows of exact CPU
}

// each calls f with every sample of a scope.
func (m *Model) each(in scope, f func(i int, label, task uint32, cpu float64)) {
	s := &m.Samples
	weights := s.Weight.Walk(len(m.Lanes))
	first, _ := slices.BinarySearchFunc(s.Time, in.from, func(t uint32, from float64) int {
		if float64(t) < from {
			return -1
		}
		return 1
	})
	for i, t := range s.Time {
		task := s.Task.At(i)
		weight := weights.Next(i, m.Tasks.Lane[task])
		if float64(t) >= in.to {
			return
		}
		label := s.Label.At(i)
		if i < first || !in.labels[label] || in.tasks != nil && !in.tasks[task] || in.stacks != nil && !in.stacks[s.Stack[i]] {
			continue
		}
		f(i, label, task, weight*m.Labels[label].Factor)
	}
}

// eachExact calls f with every row of exact CPU of a scope, and the part of it that lies within.
func (m *Model) eachExact(in scope, f func(i int, part float64)) {
	if in.stacks != nil {
		return
	}
	e := &m.Exact
	for i, label := range e.Label {
		if !in.labels[label] || in.tasks != nil && !in.tasks[e.Task[i]] {
			continue
		}
		if part := in.part(float64(e.Start[i]), float64(e.End[i])); part > 0 {
			f(i, part)
		}
	}
}

// part is the part of an interval that lies in the scope's window.
func (in *scope) part(start, end float64) float64 {
	if start == end {
		if in.from <= start && start < in.to {
			return 1
		}
		return 0
	}
	return max(0, min(end, in.to)-max(start, in.from)) / (end - start)
}

// Select sums a selection up by label.
func (m *Model) Select(s Selection) *Sums {
	out := &Sums{Selection: s, Labels: make([]LabelSums, len(m.Labels))}
	in := m.scope(s)
	m.each(in, func(i int, label, _ uint32, cpu float64) {
		l := &out.Labels[label]
		l.Samples++
		l.CPU += cpu
		if m.Samples.Flags[i]&FlagWeak != 0 {
			l.Weak += cpu
		}
		if m.Samples.Flags[i]&FlagDisputed != 0 {
			l.Disputed += cpu
		}
	})
	m.eachExact(in, func(i int, part float64) {
		l := &out.Labels[m.Exact.Label[i]]
		l.Exact += part * m.Exact.Nanos[i]
		l.Below += part * m.Exact.Below[i]
		l.Above += part * m.Exact.Above[i]
	})
	return out
}
