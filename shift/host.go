package shift

import (
	"container/list"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/planflame/planflame/shift/internal/stats"
)

const (
	hostRuns    = 64 // kept of a host
	hostLeast   = 5  // runs in the window for a judgement
	hostQueries = 3  // of that many queries
	hostShared  = 4  // a run on more hosts says nothing about one of them
)

// hosts holds the newest runs' common modes by host: several queries that are more expensive
// together on one host, and not on the others, are the host's doing.
type hosts struct {
	window  time.Duration
	least   float64
	most    int
	byName  map[string]*list.Element // of *host
	order   *list.List
	dropped uint64
}

type host struct {
	name   string
	runs   []hostRun // oldest first
	slower time.Time // since when; zero: it is not
}

// hostRun is one run's common mode as seen on one host.
type hostRun struct {
	End      time.Time
	Query    string
	Log, Var float64
}

func newHosts(set Settings) *hosts {
	return &hosts{window: set.HostWindow, least: set.least(), most: set.MaxHosts,
		byName: map[string]*list.Element{}, order: list.New()}
}

// add takes a run's common mode in and returns what it tells about the run's hosts.
func (hs *hosts) add(r *record, parts []Part, query string, kappa float64) (out []Event) {
	if r.CommonVar == 0 {
		return nil
	}
	names := map[string]bool{}
	for _, p := range parts {
		if p.Host != "" {
			names[p.Host] = true
		}
	}
	if len(names) == 0 || len(names) > hostShared {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		h := hs.host(name)
		// A host among n has a part of 1/n in the run: what it adds is seen n times smaller.
		n := float64(len(names))
		h.runs = append(h.runs, hostRun{r.End.Time, query, r.Common * n, (r.CommonVar + kappa) * n * n})
		for len(h.runs) > hostRuns || len(h.runs) > 0 && r.End.Sub(h.runs[0].End) > hs.window {
			h.runs = h.runs[1:]
		}
		if e := hs.judge(h, r); e != nil {
			out = append(out, *e)
		}
	}
	return out
}

func (hs *hosts) host(name string) *host {
	if e, ok := hs.byName[name]; ok {
		hs.order.MoveToFront(e)
		return e.Value.(*host)
	}
	h := &host{name: name}
	hs.byName[name] = hs.order.PushFront(h)
	for len(hs.byName) > hs.most {
		delete(hs.byName, hs.order.Remove(hs.order.Back()).(*host).name)
		hs.dropped++
	}
	return h
}

// judge holds a host's runs against 0 and against the runs of all other hosts at the time.
func (hs *hosts) judge(h *host, r *record) *Event {
	queries := map[string]bool{}
	for _, x := range h.runs {
		queries[x.Query] = true
	}
	if len(h.runs) < hostLeast || len(queries) < hostQueries {
		return nil
	}
	var rest []hostRun
	for e := hs.order.Front(); e != nil; e = e.Next() {
		if o := e.Value.(*host); o != h {
			for _, x := range o.runs {
				if r.End.Sub(x.End).Abs() <= hs.window {
					rest = append(rest, x)
				}
			}
		}
	}
	mean, variance := centreOf(h.runs)
	if len(rest) >= hostLeast {
		m, v := centreOf(rest)
		mean, variance = mean-max(m, 0), variance+v
	}
	e := Evidence{Runs: len(h.runs), Log: mean, SE: math.Sqrt(variance), DF: modeDF + float64(len(h.runs)-1)}
	e.P = stats.Tail(mean/e.SE, e.DF)
	switch {
	case h.slower.IsZero() && e.P <= hostLevel && mean >= hs.least:
		h.slower = h.runs[0].End
		return &Event{Kind: HostSlower, Time: r.End.Time, Run: r.id(), Host: h.name, Since: h.slower, Common: e}
	case !h.slower.IsZero() && mean < hs.least/2:
		out := &Event{Kind: HostRecovered, Time: r.End.Time, Run: r.id(), Host: h.name, Since: h.slower, Common: e}
		h.slower = time.Time{}
		return out
	}
	return nil
}

// centreOf is where runs agree (bisquare weights about the median), and its variance.
func centreOf(runs []hostRun) (mean, variance float64) {
	values := make([]float64, len(runs))
	for i, x := range runs {
		values[i] = x.Log
	}
	mean = stats.Median(values)
	for range passes {
		var sum, weight float64
		for _, x := range runs {
			w := stats.Bisquare((x.Log-mean)/math.Sqrt(x.Var)) / x.Var
			sum, weight = sum+w*x.Log, weight+w
		}
		if weight == 0 {
			return mean, runs[0].Var
		}
		mean, variance = sum/weight, 1/weight
	}
	return mean, variance
}
