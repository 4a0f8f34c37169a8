package columns

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// millis is a time of the wall clock in ticks.
func (f *finisher) millis(ms int64) uint32 {
	return f.b.at(jvmlog.MonoTime(max(ms*1e6-f.b.meta.ClockOffset, 0)))
}

// endOf is when an application ended, or up to when its driver told of it.
func endOf(a *pipeline.ApplicationTimes) int64 { return cmp.Or(a.EndedMS, a.UntilMS) }

// ticks are taken once all times have been seen: ticks double on the way.
func (f *finisher) times() {
	for i := range f.p.JVMs {
		t := &f.p.JVMs[i].Times
		for k := range t.Executions { // first, so that ticks have room for all
			f.millis(t.Executions[k].EndedMS)
		}
		for k := range t.Stages {
			f.millis(t.Stages[k].CompletedMS)
		}
		for k := range t.Applications {
			f.m.Meta.Slots = max(f.m.Meta.Slots, t.Applications[k].Slots)
			f.millis(endOf(&t.Applications[k]))
		}
	}
	for i := range f.p.JVMs {
		t := &f.p.JVMs[i].Times
		for k := range t.Applications {
			a := &t.Applications[k]
			f.m.Applications = append(f.m.Applications, Application{ID: a.ApplicationID, Start: f.millis(a.StartedMS), End: f.millis(endOf(a)), Slots: a.Slots})
		}
		for k := range t.Executions {
			x := &t.Executions[k]
			if x.Inner {
				continue
			}
			row := &f.m.Executions[f.execution(x.ApplicationID, i, x.ID, f.query(x.Query, x.Plan, x.QueryName))]
			row.Start, row.End, row.Failed, row.Times = f.millis(x.StartedMS), f.millis(x.EndedMS), x.Failed, x
		}
		for k := range t.Executions {
			if x := &t.Executions[k]; x.Inner {
				f.nest(i, x)
			}
		}
		for k := range t.Stages {
			st := &t.Stages[k]
			row := &f.m.Stages[f.stage(st.ApplicationID, i, st.ID, st.Attempt)]
			row.Start, row.End, row.Times = f.millis(st.SubmittedMS), f.millis(st.CompletedMS), st
		}
	}
}

// nest gives an inner execution the row of its outer one. The tasks have the inner one's id and
// plan.
func (f *finisher) nest(jvm int, x *pipeline.ExecutionTimes) {
	query := f.query(x.Query, x.Plan, x.QueryName)
	i := f.execution(x.ApplicationID, jvm, x.Root, query)
	f.executions[executionKey{x.ApplicationID, x.ID, None}] = i
	row := &f.m.Executions[i]
	row.Query, row.inner = query, append(row.inner, x.ID)
}

// ran gives tasks their stages and executions.
func (f *finisher) ran() {
	t := &f.b.tasks
	t.Stage, t.Execution = make([]int32, len(t.ID)), make([]int32, len(t.ID))
	t.Stage[0], t.Execution[0] = None, None
	order := make([]int, len(t.ID)-1)
	for i := range order {
		order[i] = i + 1
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(t.Start[x], t.Start[y]) })
	for _, n := range order {
		of := t.of[n]
		jvm, application, l := f.jvm(of.jvm), f.application(of.jvm), f.b.stages[of]
		query := f.query(l.Query, l.Plan, l.QueryName)
		x := f.execution(application, jvm, of.execution, query)
		s := f.stage(application, jvm, of.stage, of.attempt)
		t.Execution[n], t.Stage[n] = int32(x), int32(s)
		st := &f.m.Stages[s]
		st.Tasks++
		st.Execution, st.Query, st.Place = x, max(st.Query, query), cmp.Or(st.Place, l.StagePlace)
	}
}

// span finds the end of the recording and the times of what no driver told.
func (f *finisher) span() {
	t, span := &f.b.tasks, uint32(0)
	for _, times := range [][]uint32{f.b.rows.Time, t.End, f.b.exact.End} {
		for _, at := range times {
			span = max(span, at)
		}
	}
	f.m.Span = span
	t.endOpen(span)
	for n := 1; n < len(t.ID); n++ {
		if st := &f.m.Stages[t.Stage[n]]; st.Times == nil {
			st.Start, st.End = min(st.Start, t.Start[n]), max(st.End, t.End[n])
		}
		if x := &f.m.Executions[t.Execution[n]]; x.Times == nil {
			x.Start, x.End = min(x.Start, t.Start[n]), max(x.End, t.End[n])
		}
	}
}

// number counts the runs of each query.
func (f *finisher) number() {
	for i := range f.m.Executions {
		if x := &f.m.Executions[i]; x.Start > x.End {
			x.Start = x.End
		}
	}
	for i := range f.m.Stages {
		if s := &f.m.Stages[i]; s.Start > s.End {
			s.Start = s.End
		}
	}
	runs := map[int]int{}
	for _, i := range f.m.inOrder() {
		if x := &f.m.Executions[i]; x.Query != None {
			runs[x.Query]++
			x.Run = runs[x.Query]
		}
	}
}
