package columns

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Keys of the tables' rows.
type (
	queryKey    struct{ query, plan string }
	operatorKey struct {
		query           int
		place, operator string
	}
	executionKey struct {
		application string
		id          tasksample.ExecutionID
		query       int // of jobs without SQL; else None
	}
	stageKey struct {
		application string
		id          tasksample.StageID
		attempt     tasksample.StageAttempt
	}
	estimateKey struct {
		application string
		stage       tasksample.StageID
		key         semconv.Operator
	}
)

// finisher makes a Model of what a Builder and its Accumulator have.
type finisher struct {
	b          *Builder
	p          *window.Profile
	m          *Model
	jvms       map[sampler.JVMID]int
	texts      map[string]uint32
	queries    map[queryKey]int
	executions map[executionKey]int
	stages     map[stageKey]int
	operators  map[operatorKey]int
	estimates  map[estimateKey]int
	sources    map[string]int
	merged     []*merged // :: plan
	ofPlan     map[*attribution.Plan]int
	folded     uint64
}

// Model takes what was accumulated: the profile and the same in columns. The Builder is used up.
func (b *Builder) Model() (*Model, window.Profile) {
	p := b.Take()
	f := &finisher{
		b: b, p: &p, m: &Model{}, jvms: map[sampler.JVMID]int{}, texts: map[string]uint32{}, queries: map[queryKey]int{}, executions: map[executionKey]int{},
		stages: map[stageKey]int{}, operators: map[operatorKey]int{}, estimates: map[estimateKey]int{}, sources: map[string]int{}, ofPlan: map[*attribution.Plan]int{},
	}
	f.m.Head = Head{
		Version: Version, Strings: []string{}, Rules: []string{""}, JVMs: []JVM{}, Lanes: []Lane{}, Queries: []Query{}, Executions: []Execution{},
		Stages: []Stage{}, Plans: []Plan{}, Operators: []Operator{}, Work: []Work{}, Estimates: []Estimate{}, Labels: []Label{}, Sources: []Source{}, Bindings: []Binding{},
	}
	f.text("")
	f.jvmTable()
	f.times()
	f.ran()
	f.span()
	f.calibrate()
	f.labelTable()
	f.work()
	f.plans()
	f.code()
	f.lines()
	f.number()
	f.columns()
	f.meta()
	return f.m, p
}

// text is the number of a text.
func (f *finisher) text(s string) uint32 {
	n, known := f.texts[s]
	if !known {
		n = uint32(len(f.m.Strings))
		f.texts[s] = n
		f.m.Strings = append(f.m.Strings, s)
	}
	return n
}

func (f *finisher) jvmTable() {
	for i := range f.p.JVMs {
		j := &f.p.JVMs[i]
		f.jvms[j.JVM.ID] = i
		t := &j.Totals
		f.m.JVMs = append(f.m.JVMs, JVM{
			Application: j.Application.ID, Name: j.Application.Name, Executor: j.Application.ExecutorID, PID: j.JVM.PID, Spark: j.Application.SparkVersion,
			JDK: j.JVM.Header.JDKVersion, Mode: j.JVM.Mode.String(), Samples: t.Samples, Truncated: t.Truncated, Lost: j.Sampler.Lost + j.Sampler.Overrun,
			Tasks: t.Tasks, TaskCPUNanos: int64(t.TaskCPU), KernelNanos: int64(t.Kernel), ProcessNanos: int64(t.Process), TaskThreadsNanos: int64(t.TaskThreads),
			ThreadsNanos: int64(t.Threads), ChildrenNanos: int64(t.Children), WorkersNanos: int64(t.Workers), UnplacedNanos: int64(t.Unplaced),
		})
	}
	for i, thread := range f.b.tasks.threads {
		lane := Lane{JVM: None}
		if i > 0 {
			lane = Lane{JVM: f.jvm(thread.jvm), TID: thread.tid, Thread: f.b.tasks.names[i]}
		}
		f.m.Lanes = append(f.m.Lanes, lane)
	}
}

// jvm is the row of a JVM.
func (f *finisher) jvm(id sampler.JVMID) int {
	if i, known := f.jvms[id]; known {
		return i
	}
	return None
}

// application is that of a JVM; one without is one of its own.
func (f *finisher) application(id sampler.JVMID) string {
	if i := f.jvm(id); i >= 0 && f.m.JVMs[i].Application != "" {
		return f.m.JVMs[i].Application
	}
	return fmt.Sprintf("jvm %d", id)
}

// query is the row of a query; None where it is not known.
func (f *finisher) query(query, plan, name string) int {
	if query == "" {
		return None
	}
	key := queryKey{query, plan}
	i, known := f.queries[key]
	if !known {
		i = len(f.m.Queries)
		f.queries[key] = i
		f.m.Queries = append(f.m.Queries, Query{Query: query, Plan: plan})
	}
	f.m.Queries[i].Name = cmp.Or(f.m.Queries[i].Name, name)
	return i
}

// execution is the row of an execution. Jobs without SQL have one for each query.
func (f *finisher) execution(application string, jvm int, id tasksample.ExecutionID, query int) int {
	key := executionKey{application, id, None}
	if id == tasksample.NoExecution {
		key.query = query
	}
	i, known := f.executions[key]
	if !known {
		i = len(f.m.Executions)
		f.executions[key] = i
		f.m.Executions = append(f.m.Executions, Execution{JVM: jvm, Application: application, ID: id, Query: query, Plan: None, Start: ^uint32(0)})
	}
	x := &f.m.Executions[i]
	if x.Query == None {
		x.Query = query
	}
	return i
}

// stage is the row of a stage attempt.
func (f *finisher) stage(application string, jvm int, id tasksample.StageID, attempt tasksample.StageAttempt) int {
	if id == pipeline.NoStage {
		return None
	}
	key := stageKey{application, id, attempt}
	i, known := f.stages[key]
	if !known {
		i = len(f.m.Stages)
		f.stages[key] = i
		f.m.Stages = append(f.m.Stages, Stage{JVM: jvm, Application: application, ID: id, Attempt: attempt, Execution: None, Query: None, Start: ^uint32(0)})
	}
	return i
}

// millis is a time of the wall clock in ticks.
func (f *finisher) millis(ms int64) uint32 {
	return f.b.at(jvmlog.MonoTime(max(ms*1e6-f.b.meta.ClockOffset, 0)))
}

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
		}
	}
	for i := range f.p.JVMs {
		t := &f.p.JVMs[i].Times
		for k := range t.Executions {
			x := &t.Executions[k]
			row := &f.m.Executions[f.execution(x.ApplicationID, i, x.ID, f.query(x.Query, x.Plan, x.QueryName))]
			row.Start, row.End, row.Failed, row.Inner, row.Times = f.millis(x.StartedMS), f.millis(x.EndedMS), x.Failed, x.Inner, x
		}
		for k := range t.Stages {
			st := &t.Stages[k]
			row := &f.m.Stages[f.stage(st.ApplicationID, i, st.ID, st.Attempt)]
			row.Start, row.End, row.Times = f.millis(st.SubmittedMS), f.millis(st.CompletedMS), st
		}
	}
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

// calibrate gives labels their factors, and rows of exact CPU to what the Accumulator knows beyond
// those that came.
func (f *finisher) calibrate() {
	type sums struct{ sampled, exact, nanos float64 }
	by := map[pipeline.Labels]*sums{}
	for i := range f.p.JVMs {
		for k := range f.p.JVMs[i].Entries {
			e := &f.p.JVMs[i].Entries[k]
			s := by[e.Labels]
			if s == nil {
				s = &sums{}
				by[e.Labels] = s
				f.b.label(e.Labels, "")
			}
			s.sampled, s.exact = s.sampled+float64(e.CPU-e.Exact), s.exact+float64(e.Exact)
		}
	}
	for i := range f.b.of {
		if s := by[f.b.of[i].Labels]; s != nil {
			s.nanos += f.b.of[i].nanos
		}
	}
	want := make([]float64, len(f.b.of))
	f.m.Labels = make([]Label, len(f.b.of))
	for i := range f.b.of {
		of := &f.b.of[i]
		l := &f.m.Labels[i]
		*l = Label{Query: None, Execution: None, Stage: None, Operator: None, Estimate: None, Part: of.part, Factor: 1, Samples: of.samples, of: of.Labels}
		s := by[of.Labels]
		if s == nil {
			continue
		}
		if s.nanos > 0 {
			l.Factor = s.sampled / s.nanos
		}
		l.CPUNanos = (of.nanos - of.lost) * l.Factor
		want[i] += of.lost * l.Factor
		if of.part == "" {
			want[i] += s.exact
		}
	}
	f.b.exact.settle(want, func(label uint32) (start, end uint32) {
		l := f.b.of[label].Labels
		if i, known := f.stages[stageKey{f.application(l.JVM), l.Stage, l.StageAttempt}]; known {
			return f.m.Stages[i].Start, f.m.Stages[i].End
		}
		return 0, f.m.Span
	})
}

// labelTable finds the rows that labels point to.
func (f *finisher) labelTable() {
	f.estimateTable()
	for i := range f.m.Labels {
		l := &f.m.Labels[i]
		of := l.of
		application := f.application(of.JVM)
		l.JVM, l.Place, l.Bucket, l.Group = f.jvm(of.JVM), of.StagePlace, string(of.Bucket), string(of.Group)
		l.Query = f.query(of.Query, of.Plan, of.QueryName)
		l.Stage = f.stage(application, l.JVM, of.Stage, of.StageAttempt)
		if of.Execution != tasksample.NoExecution || of.Stage != pipeline.NoStage {
			l.Execution = f.execution(application, l.JVM, of.Execution, l.Query)
		}
		if of.Group == pipeline.GroupTasks && l.Samples > 0 {
			if e, known := f.estimates[estimateKey{application, of.Stage, of.Key()}]; known {
				l.Estimate = e
			}
		}
		if l.Query == None {
			continue
		}
		switch {
		case of.Operator != "":
			l.Operator = f.operator(l.Query, of.StagePlace, of.Operator, of.OperatorName, of.Role)
		case of.Bucket == pipeline.BucketPython || of.Bucket == pipeline.BucketPythonFeed:
			l.Operator = f.operator(l.Query, of.StagePlace, of.Name(), of.Name(), "")
		}
	}
}

func (f *finisher) estimateTable() {
	for i := range f.p.Stages {
		st := &f.p.Stages[i]
		application := cmp.Or(st.Application, f.application(st.Labels.JVM))
		keys := slices.SortedFunc(maps.Keys(st.Estimate.Keys), func(a, b semconv.Operator) int {
			return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Place, b.Place), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Bucket, b.Bucket))
		})
		for _, key := range keys {
			e := st.Estimate.Keys[key]
			f.estimates[estimateKey{application, st.Labels.Stage, key}] = len(f.m.Estimates)
			f.m.Estimates = append(f.m.Estimates, Estimate{int64(e.CPU), int64(e.Low), int64(e.High), int64(e.SE), st.Estimate.Valid, st.Estimate.Why})
		}
	}
}

// operator is the row of an operator.
func (f *finisher) operator(query int, place, operator, name, role string) int {
	key := operatorKey{query, place, operator}
	i, known := f.operators[key]
	if !known {
		i = len(f.m.Operators)
		f.operators[key] = i
		f.m.Operators = append(f.m.Operators, Operator{Query: query, Place: place, Operator: operator, Name: name, Role: role, Parent: None})
	}
	return i
}

// work is what tasks did by stage.
func (f *finisher) work() {
	for i := range f.p.JVMs {
		for k := range f.p.JVMs[i].Work {
			w := &f.p.JVMs[i].Work[k]
			l := &w.Labels
			out := Work{Execution: None, Stage: f.anyAttempt(l), Place: l.StagePlace, Query: f.query(l.Query, l.Plan, l.QueryName), Tasks: w.Tasks, Counted: w.Counted, Rows: [][2]uint64{}}
			out.Execution = f.execution(f.application(l.JVM), i, l.Execution, out.Query)
			if out.Query == None {
				continue
			}
			for _, r := range w.Rows {
				out.Rows = append(out.Rows, [2]uint64{uint64(f.operator(out.Query, l.StagePlace, r.Operator, r.OperatorName, r.Role)), r.Rows})
			}
			f.m.Work = append(f.m.Work, out)
		}
	}
}

// anyAttempt is the row of the first attempt at a stage.
func (f *finisher) anyAttempt(l *pipeline.Labels) int {
	for attempt := range tasksample.StageAttempt(8) { // Spark gives a stage up after four
		if i, known := f.stages[stageKey{f.application(l.JVM), l.Stage, attempt}]; known {
			return i
		}
	}
	return None
}

// lines are the user's own.
func (f *finisher) lines() {
	lines := map[pipeline.UserLineOf]string{}
	for i := range f.p.JVMs {
		for of, known := range f.p.JVMs[i].UserLines {
			for _, line := range known {
				if have := lines[of]; have == "" {
					lines[of] = line
				} else if have != line {
					lines[of] = have + ", " + line
				}
			}
		}
	}
	for i := range f.m.Queries {
		q := &f.m.Queries[i]
		q.CallSite = lines[pipeline.UserLineOf{Query: q.Query, Plan: q.Plan}]
	}
	for i := range f.m.Operators {
		op := &f.m.Operators[i]
		q := &f.m.Queries[op.Query]
		op.Line = lines[pipeline.UserLineOf{Query: q.Query, Plan: q.Plan, Operator: op.Operator}]
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
	order := make([]int, len(f.m.Executions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.m.Executions[a].Start, f.m.Executions[b].Start) })
	runs := map[int]int{}
	for _, i := range order {
		if x := &f.m.Executions[i]; x.Query != None && !x.Inner {
			runs[x.Query]++
			x.Run = runs[x.Query]
		}
	}
}

// columns orders the samples and closes the columns.
func (f *finisher) columns() {
	f.m.Tasks = f.b.tasks.TaskRows
	f.m.Samples = f.b.rows.sort(func(task uint32) int32 { return f.m.Tasks.Lane[task] })
	f.m.Exact = f.b.exact.ExactRows
	f.m.Tree = f.b.grove.finish(f.text, func(file string) int32 {
		if i, known := f.sources[file]; known {
			return int32(i)
		}
		return None
	})
	f.folded = f.b.grove.folded
	f.b.rows, f.b.grove = arrived{}, nil
}

func (f *finisher) meta() {
	b, meta := f.b, &f.m.Meta
	f.m.TickNanos, f.m.UnixNanos = b.tick, int64(b.start)+b.meta.ClockOffset
	meta.Command, meta.Hz, meta.DetailHz, meta.TaskFraction, meta.RunFraction = append([]string{}, b.meta.Command...), b.meta.Hz, b.meta.DetailHz, b.meta.Fraction, b.meta.RunFraction
	meta.Planflame, meta.LeftOut = b.meta.Version, b.leftOut
	meta.Folded = f.folded
	meta.LostSources, meta.LostBindings, meta.LostPlans = b.classes.lost, b.classes.lostTies, b.lost
	for i := range f.m.JVMs {
		j := &f.m.JVMs[i]
		meta.Lost += j.Lost
		if j.Tasks == 0 && j.Samples == 0 {
			continue
		}
		meta.Title, meta.Mode, meta.Spark, meta.JDK = cmp.Or(meta.Title, j.Name), cmp.Or(meta.Mode, j.Mode), cmp.Or(meta.Spark, j.Spark), cmp.Or(meta.JDK, j.JDK)
	}
}
