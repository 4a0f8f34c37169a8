package costmetrics

import (
	"cmp"
	"container/list"
	"maps"
	"slices"
	"strings"
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
	tenant       string
	ofTenant     time.Time // when the tenant used it last
	CPU          float64   // s, of tasks and Python workers
	Python       float64   // s, of which of Python workers
	Variance     float64   // s²
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
// A series counts for the tenant who needed it first. If that tenant has not used it for
// seriesIdle, the series counts for the next one who does. If there is no room, the least recently
// used series goes, if it was last used seriesIdle ago or more. A tenant has a share, an equal part
// of all. If all are in use, a tenant may have less than its share. It takes the place of the least
// recently used series of the tenant with the most. What finds no room goes to its owner's overflow
// series.
//
// A series that was not used for seriesAge goes, too. One that comes back begins at 0 with a new
// start.
type SeriesTable struct {
	PushedOut uint64 // series in use that made room
	Folded    uint64 // additions that went to an overflow series

	most     int
	by       map[SeriesKey]*list.Element // of *Series
	recent   *list.List                  // most recently used first
	tenants  map[string]int              // :: tenant → its series
	overflow map[overflowKey]*Series
}

// overflowKey is what an overflow series is of.
type overflowKey struct {
	Owner
	whole bool // queries, not operators
}

// mostOverflow bounds overflow series, and mostOfTenant the share of one tenant, who may claim any
// number of owners. Beyond them the owner is overflowName.
const (
	mostOverflow = 256
	mostOfTenant = 8
)

// seriesIdle is how long a series must have been unused to make room: Prometheus takes a series as
// gone after five minutes.
const seriesIdle = 5 * time.Minute

// seriesAge is how long a series must have been unused to be forgotten. A weekly query keeps its
// series: Prometheus does not see the first increase of one that begins. A query and its operators
// have one age, since their costs are divided by each other.
const seriesAge = 8 * 24 * time.Hour

// overflowName is the query and the operator of overflow series.
const overflowName = "other"

// NewSeriesTable returns an empty table for at most so many series, beside overflow series.
func NewSeriesTable(most int) *SeriesTable {
	return &SeriesTable{most: most, by: map[SeriesKey]*list.Element{}, recent: list.New(), tenants: map[string]int{}, overflow: map[overflowKey]*Series{}}
}

// Of is the series to add to, made with the operator's name if there is none; since is when the
// time began that is added. It is an overflow series if there is no room. tenant is who runs the
// query, as far as the caller knows better than by its owner.
func (t *SeriesTable) Of(tenant string, key SeriesKey, operatorName string, since, now time.Time) *Series {
	if e := t.by[key]; e != nil {
		t.recent.MoveToFront(e)
		s := e.Value.(*Series)
		s.used = now
		t.claim(s, tenant, now)
		return s
	}
	if t.recent.Len() >= t.most && !t.makeRoom(tenant, now) {
		t.Folded++
		return t.other(tenant, overflowKey{key.Owner, key.Operator == ""}, since, now)
	}
	s := &Series{SeriesKey: key, OperatorName: operatorName, Start: since, used: now, tenant: tenant, ofTenant: now}
	t.by[key] = t.recent.PushFront(s)
	t.tenants[tenant]++
	return s
}

// claim notes that a tenant uses a series. The series counts for it from then on, unless it counts
// for another tenant who used it within seriesIdle.
func (t *SeriesTable) claim(s *Series, tenant string, now time.Time) {
	if s.tenant != tenant {
		if now.Sub(s.ofTenant) < seriesIdle {
			return
		}
		t.discount(s)
		s.tenant = tenant
		t.tenants[tenant]++
	}
	s.ofTenant = now
}

// discount takes a series from its tenant.
func (t *SeriesTable) discount(s *Series) {
	if t.tenants[s.tenant]--; t.tenants[s.tenant] == 0 {
		delete(t.tenants, s.tenant)
	}
}

// makeRoom pushes out a series for a tenant.
func (t *SeriesTable) makeRoom(tenant string, now time.Time) bool {
	oldest := t.recent.Back()
	if oldest == nil {
		return false
	}
	if now.Sub(oldest.Value.(*Series).used) < seriesIdle {
		if oldest = t.ofLargest(tenant); oldest == nil {
			return false
		}
		t.PushedOut++
	}
	t.remove(oldest)
	return true
}

func (t *SeriesTable) remove(e *list.Element) {
	s := t.recent.Remove(e).(*Series)
	delete(t.by, s.SeriesKey)
	t.discount(s)
}

// forget removes the series that were not used for seriesAge, overflow series as well.
func (t *SeriesTable) forget(now time.Time) {
	old := func(s *Series) bool { return now.Sub(s.used) >= seriesAge }
	for e := t.recent.Back(); e != nil && old(e.Value.(*Series)); e = t.recent.Back() {
		t.remove(e)
	}
	maps.DeleteFunc(t.overflow, func(_ overflowKey, s *Series) bool { return old(s) })
}

// ofLargest is the least recently used series of the tenant with the most, for a tenant with less
// than its share. It is nil if the tenant has its share, or no one has more.
func (t *SeriesTable) ofLargest(tenant string) *list.Element {
	tenants, largest := len(t.tenants), ""
	for name, n := range t.tenants {
		if most := t.tenants[largest]; n > most || n == most && name < largest {
			largest = name
		}
	}
	if t.tenants[tenant] == 0 {
		tenants++
	}
	share := max(t.most/tenants, 1)
	if t.tenants[tenant] >= share || t.tenants[largest] <= share {
		return nil
	}
	e := t.recent.Back()
	for e != nil && e.Value.(*Series).tenant != largest {
		e = e.Prev()
	}
	return e
}

// other is the overflow series of an owner's operators, or of its whole queries.
func (t *SeriesTable) other(tenant string, key overflowKey, since, now time.Time) *Series {
	s := t.overflow[key]
	if s == nil && !t.overflows(tenant, now) {
		tenant, key.Owner = "", Owner{Service: overflowName}
		s = t.overflow[key]
	}
	if s == nil {
		s = &Series{SeriesKey: SeriesKey{Owner: key.Owner, Query: overflowName, Name: overflowName}, Start: since, tenant: tenant}
		if !key.whole {
			s.Operator, s.OperatorName = overflowName, overflowName
		}
		t.overflow[key] = s
	}
	s.used = now
	return s
}

// overflows reports whether a tenant may have one more overflow series. Those that were not used
// for seriesIdle go.
func (t *SeriesTable) overflows(tenant string, now time.Time) bool {
	own := 0
	for key, s := range t.overflow {
		switch {
		case now.Sub(s.used) >= seriesIdle && key.Service != overflowName:
			delete(t.overflow, key)
		case s.tenant == tenant:
			own++
		}
	}
	return own < mostOfTenant && len(t.overflow) < mostOverflow
}

// all calls f with every series, those that were used longest ago first, then with overflow series
// by their owners.
func (t *SeriesTable) all(f func(*Series)) {
	for e := t.recent.Back(); e != nil; e = e.Prev() {
		f(e.Value.(*Series))
	}
	keys := slices.SortedFunc(maps.Keys(t.overflow), func(a, b overflowKey) int {
		return cmp.Or(strings.Compare(a.Service, b.Service), strings.Compare(a.labels, b.labels), strings.Compare(t.overflow[a].Operator, t.overflow[b].Operator))
	})
	for _, key := range slices.Backward(keys) {
		f(t.overflow[key])
	}
}

// SeriesScope is who tells the series.
type SeriesScope struct {
	Scope
	Host     string // host.name of the resources; "": they have none, for the series are not of one host
	Instance string // service.instance.id
}

// Tell adds a point of every series at a time, one resource for each owner. It forgets the series
// that were not used for seriesAge.
func (t *SeriesTable) Tell(to pmetric.Metrics, by SeriesScope, at time.Time) {
	t.forget(at)
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
