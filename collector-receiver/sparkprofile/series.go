package sparkprofile

import (
	"container/list"
	"time"
)

// seriesKey is what a cumulative series is told by. Ids of a run, of an application and of a process are not in it: the series of a query that
// runs every night goes on.
type seriesKey struct {
	owner
	query, name string
	stage       string
	operator    string // "" of a whole query
}

// series is one cumulative series: of an operator, or of a whole query.
type series struct {
	seriesKey
	// operatorName is the one that the operator had first: physical names change from run to run (a join's, with what AQE decides).
	operatorName string
	start        time.Time // when it was 0
	used         time.Time
	cpu          float64 // s
	variance     float64 // s²
	rows         int64
	hasRows      bool
}

// seriesTable holds the cumulative series, as many as it may. One goroutine at a time.
//
// Where there is no room, the one that was used least recently goes, if that was seriesIdle ago or more: it begins at 0 with a new start should it
// come back. If all are in use, what has no series goes to the overflow series.
type seriesTable struct {
	most      int
	by        map[seriesKey]*list.Element // of *series
	recent    *list.List                  // most recently used first
	overflow  map[bool]*series            // of operators (false) and of whole queries (true)
	pushedOut uint64
	folded    uint64 // additions that went to the overflow series
}

// seriesIdle is how long a series must have been unused to make room: Prometheus takes a series as gone after five minutes.
const seriesIdle = 5 * time.Minute

// overflowName is the query and the operator of the overflow series.
const overflowName = "other"

func newSeriesTable(most int) *seriesTable {
	return &seriesTable{most: most, by: map[seriesKey]*list.Element{}, recent: list.New(), overflow: map[bool]*series{}}
}

// of is the series to add to, made with the operator's name where there is none; since is when the time began that is added. It is the overflow series where there is no room.
func (t *seriesTable) of(key seriesKey, operatorName string, since, now time.Time) *series {
	if e := t.by[key]; e != nil {
		t.recent.MoveToFront(e)
		s := e.Value.(*series)
		s.used = now
		return s
	}
	if t.recent.Len() >= t.most && !t.makeRoom(now) {
		t.folded++
		return t.other(key.operator == "", since)
	}
	s := &series{seriesKey: key, operatorName: operatorName, start: since, used: now}
	t.by[key] = t.recent.PushFront(s)
	return s
}

// makeRoom pushes out the series that was used least recently, if it is idle.
func (t *seriesTable) makeRoom(now time.Time) bool {
	oldest := t.recent.Back()
	if oldest == nil || now.Sub(oldest.Value.(*series).used) < seriesIdle {
		return false
	}
	delete(t.by, t.recent.Remove(oldest).(*series).seriesKey)
	t.pushedOut++
	return true
}

// other is the overflow series of operators, or of whole queries.
func (t *seriesTable) other(whole bool, since time.Time) *series {
	s := t.overflow[whole]
	if s == nil {
		s = &series{seriesKey: seriesKey{owner: owner{service: overflowName}, query: overflowName, name: overflowName}, start: since}
		if !whole {
			s.operator, s.operatorName = overflowName, overflowName
		}
		t.overflow[whole] = s
	}
	return s
}

// all calls f with every series, those that were used longest ago first, then with the overflow series.
func (t *seriesTable) all(f func(*series)) {
	for e := t.recent.Back(); e != nil; e = e.Prev() {
		f(e.Value.(*series))
	}
	for _, whole := range []bool{false, true} {
		if s := t.overflow[whole]; s != nil {
			f(s)
		}
	}
}
