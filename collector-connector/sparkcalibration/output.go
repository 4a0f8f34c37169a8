package sparkcalibration

import (
	"cmp"
	"fmt"
	"maps"
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

const noSamples = "no samples"

// addSeries adds what a run cost to the cumulative series. names are of the queries of all runs.
func addSeries(table *costmetrics.SeriesTable, names *costmetrics.QueryNames, est *estimated, since, now time.Time) {
	for i := range est.stages {
		names.Add(est.stages[i].owner, est.stages[i].Query, est.stages[i].Name)
	}
	for i := range est.stages {
		st := &est.stages[i]
		at := func(query, place, operator, name string) *costmetrics.Series {
			key := costmetrics.SeriesKey{Owner: st.owner, Query: query, Name: names.Of(st.owner, query), Stage: place, Operator: operator}
			if query == st.Query {
				key.Name = st.Name
			}
			return table.Of(st.owner.String(), key, name, since, now)
		}
		for key, e := range st.result.Keys {
			operator, name := key.Shown()
			s := at(key.Query, key.Place, operator, name)
			se := e.SE.Seconds() / st.Probability
			s.CPU += e.CPU.Seconds() / st.Probability
			s.Variance += se * se
		}
		if e := st.result.Unsampled; e > 0 {
			at(st.Query, st.Place, semconv.Bracketed(noSamples), semconv.Bracketed(noSamples)).CPU += e.Seconds() / st.Probability
		}
	}
}

// tellExecution adds what an execution cost. Each executor's CPU has its own resource. What
// operators cost has the attributes that all executors share, with an executor id of its own, made
// of teller. So spark_shift does not mistake it for another part of the run.
func tellExecution(to pmetric.Metrics, scope costmetrics.Scope, r *run, est *estimated, teller string, now time.Time) {
	if r.id.Execution == tasksample.NoExecution || r.id.Application == "" {
		return
	}
	x, ok := r.execution(now)
	if !ok {
		return
	}
	leftOut := false
	for _, t := range r.totals {
		leftOut = leftOut || t.LeftOut
		newSet(to, scope, t.resource).Execution(&t.Execution, t.CPU)
	}
	if leftOut || len(est.stages) == 0 {
		return
	}
	resource := maps.Clone(r.common)
	delete(resource, semconv.PID)
	resource[semconv.ExecutorID] = fmt.Sprintf("%s.%d", teller, r.told+1)
	set := newSet(to, scope, resource)
	set.Execution(&x, 0) // the executors' own have it
	if est.invalid > 0 {
		set.Invalid(&x, est.invalid)
	}
	for i := range est.operators {
		set.Operator(&x, &est.operators[i])
	}
}

// execution describes a run as a whole. ok is false if it failed or its query is not known.
func (r *run) execution(now time.Time) (x costmetrics.Execution, ok bool) {
	x = costmetrics.Execution{ID: int64(r.id.Execution), Left: !r.ended}
	for _, t := range r.totals {
		if t.Failed {
			return x, false
		}
		x.Query, x.Name, x.Plan = cmp.Or(x.Query, t.Query), cmp.Or(x.Name, t.Name), cmp.Or(x.Plan, t.Plan)
		if t.End.After(x.End) {
			x.End = t.End
		}
	}
	for _, st := range r.stages {
		x.Query, x.Name = cmp.Or(x.Query, st.Query), cmp.Or(x.Name, st.Name)
	}
	if x.End.IsZero() {
		x.End = now
	}
	return x, x.Query != ""
}

func newSet(to pmetric.Metrics, scope costmetrics.Scope, resource map[string]any) *costmetrics.Set {
	rm := to.ResourceMetrics().AppendEmpty()
	_ = rm.Resource().Attributes().FromRaw(resource) // what AsRaw gave
	return costmetrics.NewSet(rm, scope)
}
