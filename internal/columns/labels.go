package columns

import (
	"cmp"
	"maps"
	"slices"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

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
				f.b.label(e.Labels)
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
		*l = Label{Query: None, Execution: None, Stage: None, Operator: None, Estimate: None, Part: string(of.Part), Factor: 1, Samples: of.samples, of: of.Labels}
		s := by[of.Labels]
		if s == nil {
			continue
		}
		if s.nanos > 0 {
			l.Factor = s.sampled / s.nanos
		}
		l.CPUNanos = (of.nanos - of.lost) * l.Factor
		want[i] += of.lost*l.Factor + s.exact
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
		} else if jobs, known := f.executions[executionKey{application, of.Execution, l.Query}]; known && l.Query != None {
			l.Execution = jobs // of several of its stages
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
			if of.Role == exchangeRole {
				f.m.Operators[l.Operator].end = cmp.Or(f.m.Operators[l.Operator].end, l.Part)
			}
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

// work is what tasks did by stage, of executions whose CPU operators have.
func (f *finisher) work() {
	leftOut := map[int]bool{}
	for i := range f.m.Labels {
		if l := &f.m.Labels[i]; l.Bucket == string(window.BucketLeftOut) {
			leftOut[l.Execution] = true
		}
	}
	for i := range f.p.JVMs {
		for k := range f.p.JVMs[i].Work {
			w := &f.p.JVMs[i].Work[k]
			l := &w.Labels
			out := Work{Execution: None, Stage: f.anyAttempt(l), Place: l.StagePlace, Query: f.query(l.Query, l.Plan, l.QueryName), Tasks: w.Tasks, Counted: w.Counted, Rows: [][2]uint64{}}
			out.Execution = f.execution(f.application(l.JVM), i, l.Execution, out.Query)
			if out.Query == None || leftOut[out.Execution] {
				continue
			}
			for _, r := range w.Rows {
				o := f.operator(out.Query, l.StagePlace, r.Operator, r.OperatorName, r.Role)
				f.m.Operators[o].Build = r.Build
				out.Rows = append(out.Rows, [2]uint64{uint64(o), r.Rows})
			}
			f.m.Work = append(f.m.Work, out)
		}
	}
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
