package sparkprofile

import (
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/usualcost"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// costs makes metrics out of windows. One goroutine at a time.
type costs struct {
	shape *shape
	table *costmetrics.SeriesTable
	names *costmetrics.QueryNames
	usual *usualcost.Book
	// now is the clock that a JVMs' times are of.
	now func() jvmlog.MonoTime
}

// told is what one window says to the next consumer of metrics.
type told struct {
	metrics    pmetric.Metrics
	executions int    // of which they tell the cost
	failed     int    // executions that failed and are not told
	nameless   int    // executions of which no one knows the query, not told
	incomplete int    // operators of told executions without their rows, because some tasks' are missing
	units      uint64 // of which the sums are told
	unkeyed    uint64 // of those, as if no clock had run, because the window has too many sums
}

func newCosts(c *Config, s *shape) *costs {
	return &costs{shape: s, table: costmetrics.NewSeriesTable(c.MaxSeries), names: costmetrics.NewQueryNames(c.MaxSeries), usual: usualcost.NewBook(usualcost.Shipped()), now: jvmlog.Now}
}

// window adds a window to the series and makes its metrics: all series, and the executions that are
// over.
func (c *costs) window(w delivery) told {
	out := told{metrics: pmetric.NewMetrics()}
	c.know(w)
	c.times(w)
	if c.shape.config.TaskSampling.Calibration == calibrationStage {
		c.sums(w, &out)
	} else {
		c.estimates(w)
	}
	until := w.start.Add(w.duration)
	c.table.Tell(out.metrics, costmetrics.SeriesScope{Scope: c.scope(), Host: c.shape.origin.Host, Instance: c.shape.origin.Instance}, until)
	c.executions(w, &out)
	return out
}

func (c *costs) scope() costmetrics.Scope {
	return costmetrics.Scope{Name: scopeName, Version: c.shape.version}
}

// estimates adds what the samples of a window's tasks say to the series.
func (c *costs) estimates(w delivery) {
	until := w.start.Add(w.duration)
	owners, tenants := map[sampler.JVMID]costmetrics.Owner{}, map[sampler.JVMID]string{}
	for i := range w.profile.JVMs {
		j := &w.profile.JVMs[i]
		owner := c.shape.owner(j)
		owners[j.JVM.ID], tenants[j.JVM.ID] = owner, tenant(j)
		for k := range j.Known {
			c.names.Add(owner, j.Known[k].Query, j.Known[k].QueryName)
		}
		for k := range j.Entries {
			c.names.Add(owner, j.Entries[k].Labels.Query, j.Entries[k].Labels.QueryName)
		}
	}
	for i := range w.profile.Stages {
		st := &w.profile.Stages[i]
		at := func(query, place, operator, name string) *costmetrics.Series {
			owner := owners[st.Labels.JVM]
			key := costmetrics.SeriesKey{Owner: owner, Query: query, Name: c.names.Of(owner, query), Stage: place, Operator: operator}
			if st.Labels.Query == query {
				key.Name = st.Labels.QueryName
			}
			return c.table.Of(tenants[st.Labels.JVM], key, name, w.start, until)
		}
		for key, e := range st.Estimate.Keys {
			operator, name := key.Shown()
			s := at(key.Query, key.Place, operator, name)
			s.CPU += e.CPU.Seconds() / st.RunProbability
			s.Variance += square(e.SE.Seconds() / st.RunProbability)
		}
		if e := st.Estimate.Unsampled; e > 0 {
			none := bucketName(attribution.BucketNoSamples)
			at(st.Labels.Query, st.Labels.StagePlace, none, none).CPU += e.Seconds() / st.RunProbability
		}
	}
}

// know adds what is known without samples to the series: exact CPU, Python workers, rows.
func (c *costs) know(w delivery) {
	until := w.start.Add(w.duration)
	for i := range w.profile.JVMs {
		j := &w.profile.JVMs[i]
		owner := c.shape.owner(j)
		for _, k := range j.Known {
			key, name := costmetrics.SeriesKey{Owner: owner, Query: k.Query, Name: k.QueryName, Stage: k.StagePlace, Operator: k.Operator}, k.OperatorName
			if k.Bucket != attribution.BucketNone {
				key.Operator, name = bucketName(k.Bucket), bucketName(k.Bucket)
			}
			s := c.table.Of(tenant(j), key, name, w.start, until)
			s.CPU += (k.CPU + k.Python).Seconds()
			s.Python += k.Python.Seconds()
			if k.Rows > 0 {
				s.Rows, s.HasRows = s.Rows+int64(k.Rows), true
			}
		}
	}
}

// times adds the times that drivers report of executions. It skips executions that ended before
// this Collector read the JVM: a replay reports them, too.
func (c *costs) times(w delivery) {
	until := w.start.Add(w.duration)
	for i := range w.profile.JVMs {
		j := &w.profile.JVMs[i]
		found := until.Add(-time.Duration(c.now() - j.JVM.FoundAt))
		for k := range j.Times.Executions {
			x := &j.Times.Executions[k]
			if x.Query == "" || time.UnixMilli(x.EndedMS).Before(found) {
				continue
			}
			s := c.table.Of(tenant(j), costmetrics.SeriesKey{Owner: c.shape.owner(j), Query: x.Query, Name: x.QueryName}, "", w.start, until)
			if s.Times == nil {
				s.Times = &costmetrics.QueryTimes{}
			}
			if !x.Failed && !x.Inner && !x.Told {
				s.Times.Runs++
			}
			if !x.Inner {
				s.Times.Wall += float64(max(0, x.EndedMS-x.StartedMS-x.ToldMS)) / 1e3
				s.Times.Driver += float64(x.TaskFreeMS) / 1e3
			}
			s.Times.Waiting += max(0, float64(x.HeldUS)/1e6-float64(x.CPUNanos)/1e9)
			s.Times.Idle += float64(x.IdleUS) / 1e6
		}
	}
}

func square(x float64) float64 { return x * x }

func bucketName(b attribution.Bucket) string { return semconv.Bracketed(string(b)) }

// executions adds the costs of executions that are over, one resource for each JVM.
func (c *costs) executions(w delivery, out *told) {
	sets := map[sampler.JVMID]*executionSet{}
	until := w.start.Add(w.duration)
	wall := func(t jvmlog.MonoTime) time.Time { return until.Add(-time.Duration(c.now() - t)) }
	stages := c.shape.config.TaskSampling.Calibration == calibrationStage
	for i := range w.profile.Executions {
		x := &w.profile.Executions[i]
		switch {
		case x.Over.Failed:
			out.failed++
		case x.Labels.Query == "":
			out.nameless++
		}
		if untold := x.Over.Failed || x.Labels.Query == ""; untold && !stages {
			continue
		}
		m := sets[x.Labels.JVM]
		if m == nil {
			j := jvmOf(w, x.Labels.JVM)
			if j == nil {
				continue // Take gives every JVM that it has executions of
			}
			rm := out.metrics.ResourceMetrics().AppendEmpty()
			c.shape.resource(rm.Resource().Attributes(), j)
			m = &executionSet{resource: rm}
			sets[x.Labels.JVM] = m
		}
		end := x.Over.End
		if end.IsZero() {
			end = wall(x.Over.LastTask)
		}
		out.executions++
		if stages {
			out.incomplete += c.tellEnd(m.resource, w, x, end)
			continue
		}
		if m.set == nil {
			m.set = costmetrics.NewSet(m.resource, c.scope())
		}
		out.incomplete += c.tellExecution(m.set, x, end)
	}
}

// executionSet is where the executions of a JVM are told.
type executionSet struct {
	resource pmetric.ResourceMetrics
	set      *costmetrics.Set // nil: none yet, or each has a scope of its own
}

func jvmOf(w delivery, id sampler.JVMID) *window.JVMProfile {
	k := slices.IndexFunc(w.profile.JVMs, func(j window.JVMProfile) bool { return j.JVM.ID == id })
	if k < 0 {
		return nil
	}
	return &w.profile.JVMs[k]
}

// executionOf is what is said of an execution.
func executionOf(x *window.ExecutionCost, end time.Time) costmetrics.Execution {
	return costmetrics.Execution{ID: int64(x.Labels.Execution), Query: x.Labels.Query, Name: x.Labels.QueryName, Plan: x.Labels.Plan, End: end,
		Left: x.Over.How == pipeline.EndLeft, LeftOut: x.LeftOut}
}

// tellExecution adds the cost of an execution. It returns how many operators lack the rows of some
// of their tasks.
func (c *costs) tellExecution(m *costmetrics.Set, x *window.ExecutionCost, end time.Time) (incomplete int) {
	of := executionOf(x, end)
	m.Execution(&of, x.CPU)
	if x.LeftOut {
		return 0 // what was sampled of it, because the Collector came in its midst, is not all of it
	}
	usual := c.usualOf(x)
	for i := range x.Operators {
		o := &x.Operators[i]
		if o.RowsMissing {
			incomplete++
		}
		m.Operator(&of, &costmetrics.OperatorCost{Place: o.StagePlace, Operator: o.Operator, Name: o.OperatorName, CPU: o.CPU, Python: o.Python,
			Variance: o.Variance, Samples: o.Samples, Rows: o.Rows - o.Unseen, RowsKnown: o.RowsKnown, Usual: usual[i]})
	}
	return incomplete
}
