package columns

import (
	"cmp"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
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

// planKey is the execution whose plan it is.
func planKey(application string, p *attribution.Plan) executionKey {
	return executionKey{application, tasksample.ExecutionID(p.ExecutionID), None}
}

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
	ofPlan     map[executionKey]int
	folded     uint64
}

// Model takes what was accumulated: the profile and the same in columns. The Builder is used up.
func (b *Builder) Model() (*Model, window.Profile) {
	p := b.Take()
	f := &finisher{
		b: b, p: &p, m: &Model{}, jvms: map[sampler.JVMID]int{}, texts: map[string]uint32{}, queries: map[queryKey]int{}, executions: map[executionKey]int{},
		stages: map[stageKey]int{}, operators: map[operatorKey]int{}, estimates: map[estimateKey]int{}, sources: map[string]int{}, ofPlan: map[executionKey]int{},
	}
	f.m.Head = Head{
		Version: Version, Strings: []string{}, Rules: []string{""}, Parts: []string{""}, JVMs: []JVM{}, Lanes: []Lane{}, Queries: []Query{}, Executions: []Execution{},
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
	meta.Hz, meta.DetailHz, meta.TaskFraction, meta.RunFraction = b.meta.Hz, b.meta.DetailHz, b.meta.Fraction, b.meta.RunFraction
	meta.Planflame, meta.LeftOut = b.meta.Version, b.leftOut
	meta.Folded, meta.Spread = f.folded, Spread{Exchange: exchangeSpread, Operator: operatorSpread}
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
