package sparkprofile

import (
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// The metrics of the second signal; doc.go has their meaning.
const (
	metricOperatorCPU      = "spark.sql.operator.cpu.time"
	metricOperatorVariance = "spark.sql.operator.cpu.variance"
	metricOperatorRows     = "spark.sql.operator.rows"
	metricQueryCPU         = "spark.sql.query.cpu.time"
)

// costs makes metrics out of windows. One goroutine at a time.
type costs struct {
	shape *shape
	table *seriesTable
	// now is the clock that a JVMs' times are of.
	now func() jvmlog.MonoTime
}

// told is what one window says to the next consumer of metrics.
type told struct {
	metrics    pmetric.Metrics
	executions int // of which they tell the cost
	failed     int // executions that failed and are not told
	nameless   int // executions of which nobody knows the query, not told
	incomplete int // operators of told executions without their rows, because some tasks' are missing
}

func newCosts(c *Config, s *shape) *costs {
	return &costs{shape: s, table: newSeriesTable(c.MaxSeries), now: jvmlog.Now}
}

// window adds a window to the series and makes its metrics: all series, and the executions that are over.
func (c *costs) window(w window) told {
	c.add(w)
	out := told{metrics: pmetric.NewMetrics()}
	c.series(w, out.metrics)
	c.executions(w, &out)
	return out
}

// add adds what a window's tasks cost to the series.
func (c *costs) add(w window) {
	until := w.start.Add(w.duration)
	owners, names := map[sampler.JVMID]owner{}, map[string]string{}
	for i := range w.profile.JVMs {
		j := &w.profile.JVMs[i]
		owners[j.JVM.ID] = c.shape.owner(j)
		for k := range j.Known {
			names[j.Known[k].Query] = j.Known[k].QueryName
		}
	}
	for i := range w.profile.Stages {
		st := &w.profile.Stages[i]
		at := func(query, place, operator, name string) *series {
			key := seriesKey{owner: owners[st.Labels.JVM], query: query, name: names[query], stage: place, operator: operator}
			if st.Labels.Query == query {
				key.name = st.Labels.QueryName
			}
			return c.table.of(key, name, w.start, until)
		}
		for key, e := range st.Estimate.Keys {
			operator, name := key.Operator, key.OperatorName
			if key.Bucket != attribution.BucketNone {
				operator, name = bucketName(key.Bucket), bucketName(key.Bucket)
			}
			s := at(key.Query, key.StagePlace, operator, name)
			s.cpu += e.CPU.Seconds() / st.RunProbability
			s.variance += square(e.SE.Seconds() / st.RunProbability)
		}
		if e := st.Estimate.Unsampled; e > 0 {
			none := bucketName(attribution.BucketNoSamples)
			at(st.Labels.Query, st.Labels.StagePlace, none, none).cpu += e.Seconds() / st.RunProbability
		}
	}
	for i := range w.profile.JVMs {
		j := &w.profile.JVMs[i]
		for _, k := range j.Known {
			key, name := seriesKey{owner: owners[j.JVM.ID], query: k.Query, name: k.QueryName, stage: k.StagePlace, operator: k.Operator}, k.OperatorName
			if k.Bucket != attribution.BucketNone {
				key.operator, name = bucketName(k.Bucket), bucketName(k.Bucket)
			}
			s := c.table.of(key, name, w.start, until)
			s.cpu += k.CPU.Seconds()
			if k.Rows > 0 {
				s.rows, s.hasRows = s.rows+int64(k.Rows), true
			}
		}
	}
}

func square(x float64) float64 { return x * x }

func bucketName(b attribution.Bucket) string { return "[" + string(b) + "]" }

// series adds all cumulative series, one resource for each owner.
func (c *costs) series(w window, to pmetric.Metrics) {
	ts := pcommon.NewTimestampFromTime(w.start.Add(w.duration))
	by := map[owner]*metricSet{}
	c.table.all(func(s *series) {
		m := by[s.owner]
		if m == nil {
			rm := to.ResourceMetrics().AppendEmpty()
			a := rm.Resource().Attributes()
			a.PutStr("service.name", s.service)
			a.PutStr("service.instance.id", c.shape.host)
			a.PutStr("host.name", c.shape.host)
			s.each(func(key, value string) { a.PutStr(key, value) })
			m = c.newSet(rm)
			by[s.owner] = m
		}
		point := func(name, unit, text string) pmetric.NumberDataPoint {
			dp := m.sum(name, unit, text)
			dp.SetStartTimestamp(pcommon.NewTimestampFromTime(s.start))
			dp.SetTimestamp(ts)
			a := dp.Attributes()
			a.PutStr("spark.query.fingerprint", s.query)
			a.PutStr("spark.query.name", s.name)
			if s.operator != "" {
				a.PutStr("spark.stage.name", s.stage)
				a.PutStr("spark.sql.operator.id", s.operator)
				a.PutStr("spark.sql.operator.name", s.operatorName)
			}
			return dp
		}
		if s.operator == "" {
			point(metricQueryCPU, "s", "CPU of the query's tasks that ended, by their threads' own clocks").SetDoubleValue(s.cpu)
			return
		}
		point(metricOperatorCPU, "s", "CPU of the operator in tasks that ended, estimated for all of them; buckets in brackets are no operator's").SetDoubleValue(s.cpu)
		point(metricOperatorVariance, "s2", "Variance of spark.sql.operator.cpu.time by sampling").SetDoubleValue(s.variance)
		if s.hasRows {
			point(metricOperatorRows, "{row}", "Rows that the operator took in; a scan, that it gave").SetIntValue(s.rows)
		}
	})
}

// executions adds the costs of executions that are over, one resource for each JVM.
func (c *costs) executions(w window, out *told) {
	sets := map[sampler.JVMID]*metricSet{}
	until := w.start.Add(w.duration)
	wall := func(t jvmlog.MonoTime) time.Time { return until.Add(-time.Duration(c.now() - t)) }
	for i := range w.profile.Executions {
		x := &w.profile.Executions[i]
		switch {
		case x.Over.Failed:
			out.failed++
			continue
		case x.Labels.Query == "":
			out.nameless++
			continue
		}
		m := sets[x.Labels.JVM]
		if m == nil {
			k := slices.IndexFunc(w.profile.JVMs, func(j pipeline.JVMProfile) bool { return j.JVM.ID == x.Labels.JVM })
			if k < 0 {
				continue // Take gives every JVM that it has executions of
			}
			rm := out.metrics.ResourceMetrics().AppendEmpty()
			c.shape.resource(rm.Resource().Attributes(), &w.profile.JVMs[k])
			m = c.newSet(rm)
			sets[x.Labels.JVM] = m
		}
		end := x.Over.End
		if end.IsZero() {
			end = wall(x.Over.LastTask)
		}
		out.executions++
		out.incomplete += m.execution(x, pcommon.NewTimestampFromTime(end))
	}
}

// metricSet are the metrics of one resource, by name.
type metricSet struct {
	to pmetric.ScopeMetrics
	by map[string]pmetric.Metric
}

func (c *costs) newSet(rm pmetric.ResourceMetrics) *metricSet {
	sm := rm.ScopeMetrics().AppendEmpty()
	sm.Scope().SetName(scopeName)
	sm.Scope().SetVersion(c.shape.version)
	return &metricSet{to: sm, by: map[string]pmetric.Metric{}}
}

// sum is a new point of a cumulative, monotonic sum.
func (m *metricSet) sum(name, unit, text string) pmetric.NumberDataPoint {
	return m.metric(name, unit, text, func(m pmetric.Metric) {
		s := m.SetEmptySum()
		s.SetIsMonotonic(true)
		s.SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	}).Sum().DataPoints().AppendEmpty()
}

// gauge is a new point of a gauge.
func (m *metricSet) gauge(name, unit, text string) pmetric.NumberDataPoint {
	return m.metric(name, unit, text, func(m pmetric.Metric) { m.SetEmptyGauge() }).Gauge().DataPoints().AppendEmpty()
}

func (m *metricSet) metric(name, unit, text string, shape func(pmetric.Metric)) pmetric.Metric {
	metric, ok := m.by[name]
	if !ok {
		metric = m.to.Metrics().AppendEmpty()
		metric.SetName(name)
		metric.SetUnit(unit)
		metric.SetDescription(text)
		shape(metric)
		m.by[name] = metric
	}
	return metric
}
