package costmetrics

import (
	"container/list"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/semconv"
)

// SeriesKey is what a cumulative series is told by. Ids of a run, of an application and of a
// process are not in it: the series of a query that runs every night goes on.
type SeriesKey struct {
	Owner
	Query, Name string
	Stage       string
	Operator    string // "" of a whole query
}

// Series is one cumulative series: of an operator, or of a whole query.
type Series struct {
	SeriesKey
	// OperatorName is the one that the operator had first: physical names change from run to run (a
	// join's, with what AQE decides).
	OperatorName string
	Start        time.Time // when it was 0
	used         time.Time
	CPU          float64 // s, of tasks and Python workers
	Python       float64 // s, of which of Python workers
	Variance     float64 // s²
	Rows         int64
	HasRows      bool
	Times        *QueryTimes // of a whole query that a driver told of
}

// QueryTimes are of a query's executions that are over. Times are in seconds.
type QueryTimes struct {
	Runs    int64 // that did not fail
	Wall    float64
	Driver  float64 // part of Wall in which none of its tasks ran
	Waiting float64 // slot time that its tasks held without using CPU
	Idle    float64 // slot time that no task held while its stages were active
}

// SeriesTable holds the cumulative series, as many as it may. One goroutine at a time.
//
// If there is no room, the least recently used series goes, if it was last used seriesIdle ago or
// more. It begins at 0 with a new start if it comes back. If all are in use, what has no series
// goes to the overflow series.
type SeriesTable struct {
	PushedOut uint64 // series that made room
	Folded    uint64 // additions that went to the overflow series

	most     int
	by       map[SeriesKey]*list.Element // of *Series
	recent   *list.List                  // most recently used first
	overflow map[bool]*Series            // of operators (false) and of whole queries (true)
}

// seriesIdle is how long a series must have been unused to make room: Prometheus takes a series as
// gone after five minutes.
const seriesIdle = 5 * time.Minute

// overflowName is the query and the operator of the overflow series.
const overflowName = "other"

// NewSeriesTable returns an empty table for at most so many series, beside the overflow series.
func NewSeriesTable(most int) *SeriesTable {
	return &SeriesTable{most: most, by: map[SeriesKey]*list.Element{}, recent: list.New(), overflow: map[bool]*Series{}}
}

// Of is the series to add to, made with the operator's name where there is none; since is when the
// time began that is added. It is the overflow series where there is no room.
func (t *SeriesTable) Of(key SeriesKey, operatorName string, since, now time.Time) *Series {
	if e := t.by[key]; e != nil {
		t.recent.MoveToFront(e)
		s := e.Value.(*Series)
		s.used = now
		return s
	}
	if t.recent.Len() >= t.most && !t.makeRoom(now) {
		t.Folded++
		return t.other(key.Operator == "", since)
	}
	s := &Series{SeriesKey: key, OperatorName: operatorName, Start: since, used: now}
	t.by[key] = t.recent.PushFront(s)
	return s
}

// makeRoom pushes out the series that was used least recently, if it is idle.
func (t *SeriesTable) makeRoom(now time.Time) bool {
	oldest := t.recent.Back()
	if oldest == nil || now.Sub(oldest.Value.(*Series).used) < seriesIdle {
		return false
	}
	delete(t.by, t.recent.Remove(oldest).(*Series).SeriesKey)
	t.PushedOut++
	return true
}

// other is the overflow series of operators, or of whole queries.
func (t *SeriesTable) other(whole bool, since time.Time) *Series {
	s := t.overflow[whole]
	if s == nil {
		s = &Series{SeriesKey: SeriesKey{Owner: Owner{Service: overflowName}, Query: overflowName, Name: overflowName}, Start: since}
		if !whole {
			s.Operator, s.OperatorName = overflowName, overflowName
		}
		t.overflow[whole] = s
	}
	return s
}

// all calls f with every series, those that were used longest ago first, then with the overflow
// series.
func (t *SeriesTable) all(f func(*Series)) {
	for e := t.recent.Back(); e != nil; e = e.Prev() {
		f(e.Value.(*Series))
	}
	for _, whole := range []bool{false, true} {
		if s := t.overflow[whole]; s != nil {
			f(s)
		}
	}
}

// SeriesScope is who tells the series.
type SeriesScope struct {
	Scope
	Host     string // host.name of the resources; "": they have none, for the series are not of one host
	Instance string // service.instance.id
}

// Tell adds a point of every series at a time, one resource for each owner.
func (t *SeriesTable) Tell(to pmetric.Metrics, by SeriesScope, at time.Time) {
	ts := pcommon.NewTimestampFromTime(at)
	sets := map[Owner]*Set{}
	t.all(func(s *Series) {
		set := sets[s.Owner]
		if set == nil {
			rm := to.ResourceMetrics().AppendEmpty()
			a := rm.Resource().Attributes()
			a.PutStr(semconv.ServiceName, s.Service)
			a.PutStr(semconv.ServiceInstanceID, by.Instance)
			if by.Host != "" {
				a.PutStr(semconv.HostName, by.Host)
			}
			s.Each(func(key, value string) { a.PutStr(key, value) })
			set = NewSet(rm, by.Scope)
			sets[s.Owner] = set
		}
		set.series(s, ts)
	})
}

// series adds the points of one series.
func (m *Set) series(s *Series, at pcommon.Timestamp) {
	point := func(name, unit, text string) pmetric.NumberDataPoint {
		dp := m.sum(name, unit, text, pmetric.AggregationTemporalityCumulative)
		dp.SetStartTimestamp(pcommon.NewTimestampFromTime(s.Start))
		dp.SetTimestamp(at)
		a := dp.Attributes()
		a.PutStr(semconv.QueryFingerprint, s.Query)
		a.PutStr(semconv.QueryName, s.Name)
		if s.Operator != "" {
			a.PutStr(semconv.StagePlace, s.Stage)
			a.PutStr(semconv.OperatorID, s.Operator)
			a.PutStr(semconv.OperatorName, s.OperatorName)
		}
		return dp
	}
	if s.Operator == "" {
		point(semconv.MetricQueryCPU, "s", "CPU of the query's tasks that ended, by their threads' own clocks, and of its Python workers").SetDoubleValue(s.CPU)
		if s.Python > 0 {
			point(semconv.MetricQueryPythonCPU, "s", "The part of spark.sql.query.cpu.time that Python workers used").SetDoubleValue(s.Python)
		}
		if t := s.Times; t != nil {
			point(semconv.MetricQueryRuns, "{run}", "Executions of the query that are over and did not fail, by the driver's events").SetIntValue(t.Runs)
			point(semconv.MetricQueryWall, "s", "Wall time of the query's executions that are over, by the driver's events").SetDoubleValue(t.Wall)
			point(semconv.MetricQueryDriver, "s", "The part of spark.sql.query.wall.time in which none of the query's tasks ran").SetDoubleValue(t.Driver)
			point(semconv.MetricQueryWaiting, "s", "Time that the query's tasks held a task slot without using CPU of their thread: input, output, shuffle, locks, Python").SetDoubleValue(t.Waiting)
			point(semconv.MetricQueryIdle, "s", "Time of task slots that no task held while a stage of the query was active").SetDoubleValue(t.Idle)
		}
		return
	}
	point(semconv.MetricOperatorCPU, "s", "CPU of the operator in tasks that ended, estimated for all of them, and of its Python workers; buckets in brackets are no operator's").SetDoubleValue(s.CPU)
	if s.Python > 0 {
		point(semconv.MetricOperatorPythonCPU, "s", "The part of spark.sql.operator.cpu.time that Python workers used: exact").SetDoubleValue(s.Python)
	}
	point(semconv.MetricOperatorVariance, "s2", "Variance of spark.sql.operator.cpu.time by sampling").SetDoubleValue(s.Variance)
	if s.HasRows {
		point(semconv.MetricOperatorRows, "{row}", "Rows that the operator took in; a scan, that it gave").SetIntValue(s.Rows)
	}
}
