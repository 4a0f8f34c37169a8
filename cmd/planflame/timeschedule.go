package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/schedule"
)

// timeline is the schedule of one application of a recording. Its tasks have the times that the
// executors saw: not every recording has the driver's.
type timeline struct {
	schedule.Schedule
	of      []int // of Stages: index in the model's stages
	counted bool  // Slots were counted from tasks: no driver told them
}

// timelines are the schedules of the applications of a recording that have tasks.
func timelines(m *columns.Model) []*timeline {
	tasks := make([][]int, len(m.Stages))
	for n := 1; n < len(m.Tasks.ID); n++ {
		if s := m.Tasks.Stage[n]; s >= 0 {
			tasks[s] = append(tasks[s], n)
		}
	}
	byApplication := map[string][]int{}
	var applications []string
	for i := range m.Stages {
		if len(tasks[i]) == 0 {
			continue
		}
		application := m.Stages[i].Application
		if byApplication[application] == nil {
			applications = append(applications, application)
		}
		byApplication[application] = append(byApplication[application], i)
	}
	var out []*timeline
	for _, application := range applications {
		out = append(out, newTimeline(m, byApplication[application], tasks))
	}
	return out
}

// newTimeline is the schedule of the stages of an application, from its start to its end. Those
// that no driver told are the recording's.
func newTimeline(m *columns.Model, stages []int, tasks [][]int) *timeline {
	t := &timeline{of: stages}
	slices.SortStableFunc(t.of, func(a, b int) int { return cmp.Compare(m.Stages[a].Start, m.Stages[b].Start) })
	told := columns.Application{End: m.Span}
	if i := slices.IndexFunc(m.Applications, func(a columns.Application) bool { return a.ID == m.Stages[t.of[0]].Application }); i >= 0 {
		told = m.Applications[i]
	}
	at := func(ticks uint32) time.Duration {
		return time.Duration((int64(ticks) - int64(told.Start)) * int64(m.TickNanos))
	}
	t.End, t.Slots = at(told.End), told.Slots
	for _, i := range t.of {
		st := &m.Stages[i]
		stage := schedule.Stage{Start: at(st.Start), End: at(st.End)}
		for _, n := range tasks[i] {
			stage.Tasks = append(stage.Tasks, schedule.Task{
				ID: m.Tasks.ID[n], Start: at(m.Tasks.Start[n]), End: at(m.Tasks.End[n]), CPU: time.Duration(m.Tasks.CPUNanos[n]), GC: time.Duration(m.Tasks.GCMillis[n]) * time.Millisecond,
			})
		}
		slices.SortStableFunc(stage.Tasks, func(a, b schedule.Task) int { return cmp.Compare(a.Start, b.Start) })
		t.Stages = append(t.Stages, stage)
		t.End = max(t.End, stage.End)
	}
	for k := range t.Stages {
		t.Stages[k].Parents = t.After(k, t.named(m, k))
	}
	if t.Slots < 1 {
		t.Slots, t.counted = t.most(), true
	}
	return t
}

// named are the parents that Spark names of a stage, by index; -1 one of which no attempt was over
// when the stage was submitted.
func (t *timeline) named(m *columns.Model, k int) (out []int) {
	times := m.Stages[t.of[k]].Times
	if times == nil {
		return nil
	}
	for _, id := range times.Parents {
		found := false
		for p := range k {
			if m.Stages[t.of[p]].ID == id && t.Stages[p].End <= t.Stages[k].Start {
				out, found = append(out, p), true
			}
		}
		if !found {
			out = append(out, -1)
		}
	}
	return out
}

// most is how many tasks ran at once.
func (t *timeline) most() int {
	type edge struct {
		at   time.Duration
		step int
	}
	var edges []edge
	for i := range t.Stages {
		for _, task := range t.Stages[i].Tasks {
			edges = append(edges, edge{task.Start, 1}, edge{task.End, -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.step, b.step)) })
	running, most := 0, 1
	for _, e := range edges {
		running += e.step
		most = max(most, running)
	}
	return most
}
