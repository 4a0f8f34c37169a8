package shift

import (
	"math"
	"time"
)

// Status says whether an operator was judged in a run, and why not.
type Status string

// The states of an operator in a run.
const (
	Judged      Status = "judged"
	Learning    Status = "learning"          // too short a history
	OutOfRange  Status = "rows_out_of_range" // more or fewer rows than the history has seen: not judged
	RowsUnknown Status = "rows_not_known"    // the operator's history has rows and this run has none: not judged
	FewSamples  Status = "few_samples"       // sampling alone makes the cost too coarse
	// ShiftedCost: found more expensive or cheaper, neither mended nor accepted; the ratio is to
	// the cost before. Where that cannot be told, the reason is the status, and Active is as ever.
	ShiftedCost Status = "shifted"
)

// Verdict is what is known of one operator after a run.
type Verdict struct {
	Key
	Name     string
	Status   Status
	Observed float64 // CPU seconds; 0: the operator is not in the run, and is here as it stands shifted
	// Expected is the CPU by the history at this run's rows and common mode; 0: not known.
	Expected float64
	// Ratio of this run to what was expected, with its 95 % interval; 0: not known.
	Ratio, Low, High float64
	// Detectable is the ratio that would be found within five runs in nine cases of ten; 0: not
	// known.
	Detectable float64
	// Active is the shift that stands; Ratio 0: none.
	Active Standing
}

// Standing is a shift that stands.
type Standing struct {
	// Ratio is the cost of the newest runs, five at most, over that before the shift. On the way
	// back it may be near 1 before the shift is over.
	Ratio float64
	// Costlier tells that the shift was to a higher cost.
	Costlier bool
	Since    time.Time
	Run      RunID
	// Last is the last run at the cost before the shift, and LastEnd its end; zero: not known.
	Last    RunID
	LastEnd time.Time
	// Note is what was said by Fleet.Note.
	Note string
}

func (a *active) standing() Standing {
	return Standing{Ratio: math.Exp(a.Now), Costlier: a.Log > 0, Since: a.Since.Time, Run: a.SinceRun, Last: a.Last, LastEnd: a.LastEnd.Time, Note: a.Note}
}

// Kind is the kind of an event.
type Kind string

// The kinds of events. Only Shift and Drift are alarms.
const (
	Shift          Kind = "shift"           // an operator costs more since a run
	Drift          Kind = "drift"           // an operator has become more expensive bit by bit
	Cheaper        Kind = "cheaper"         // an operator costs less since a run
	Moved          Kind = "moved"           // operators of one stage cost more and less since a run, and together what they did
	Resolved       Kind = "resolved"        // a shifted operator costs again what it did before
	Accepted       Kind = "accepted"        // a shifted cost is normal now
	PlanChanged    Kind = "plan_changed"    // another plan; what changed with it is listed, and is no shift
	RunSlower      Kind = "run_slower"      // all operators of one run are more expensive together
	QuerySlower    Kind = "query_slower"    // all operators of a query, over several runs
	QueryRecovered Kind = "query_recovered" // … and no longer
	HostSlower     Kind = "host_slower"     // the runs of several queries on one host are more expensive together
	HostRecovered  Kind = "host_recovered"
)

// judgement is one of a run of the query that has nothing yet.
func (h *history) judgement(run RunID) Judgement {
	return Judgement{Run: run, Query: h.Query, Name: h.Name, Labels: h.Labels, Version: h.Spark}
}

// event is one that a run of the query told.
func (h *history) event(k Kind, r *record) Event {
	return Event{Kind: k, Time: r.End.Time, Run: r.id(), Query: h.Query, Name: h.Name, Labels: h.Labels, Version: h.Spark}
}

// Alarm reports whether a page is wanted.
func (k Kind) Alarm() bool { return k == Shift || k == Drift }

// Change is one operator in an event.
type Change struct {
	Key
	Name     string
	From, To float64 // CPU seconds a run, at the newest run's rows; 0: it was not there, or is not there now
	Evidence Evidence
	// CoreHours is what the change costs in a week at the query's present frequency; negative:
	// saves.
	CoreHours float64
	// Was and Is are the runs that From stands for, and the runs since the change, oldest first, as
	// far as the history has them. Of a drift's reference it may have none. Of Shift, Drift and
	// Cheaper alone.
	Was, Is []RunID
	// Reference is that which From stands for where the change is a drift; zero else.
	Reference Reference
}

// Reference is the frozen reference of an operator: End the end of its newest run, by which it is
// told from one before and from another plan's.
type Reference struct {
	Key
	End time.Time
}

// Fixed is a reference that has been fixed, by its runs, oldest first.
type Fixed struct {
	Reference
	Runs []RunID
}

// Event is something that somebody may want to know. One run gives at most one of a kind.
type Event struct {
	Kind  Kind
	Time  time.Time // end of the run that told
	Run   RunID
	Query string
	Name  string
	// Since is the first run that shows it, as far as can be told, and Before the last one that
	// does not. A drift has no first run: Since is the first one under test.
	Since, Before       time.Time
	SinceRun, BeforeRun RunID
	// Changes, that with the strongest evidence first. In PlanChanged: operators of both plans; of
	// whole runs and hosts: none.
	Changes []Change
	// Appeared and Vanished are the operators of PlanChanged in one plan only.
	Appeared, Vanished []Change
	Plan, PlanBefore   string
	Host               string   // of HostSlower and HostRecovered
	Common             Evidence // of runs, queries and hosts as a whole
	Labels             map[string]string
	Version            string
}

// Judgement is what a run has told.
type Judgement struct {
	Run       RunID
	Query     string
	Name      string
	Plan      string
	Operators []Verdict // of the run, and the operators of its plan that stand shifted; in no order
	Events    []Event
	// Seen is how many runs of its plan the history has had, at most Needed: so many are there
	// before operators are judged.
	Seen, Needed int
	// Fixed are the references that this run fixed.
	Fixed []Fixed
	// Common is how much more expensive all operators of the run were together; SE 0: not known, or
	// one of its application's first runs, which all are.
	Common Evidence
	// Late tells that newer runs were there already, or that it was to be kept only: the run is in
	// the history and was not judged.
	Late bool
	// Duplicate tells that the run was there already, and nothing was added.
	Duplicate bool
	// Amended tells that the run was there already and this brought parts of it that were not.
	Amended bool
	Labels  map[string]string
	Version string
}

// coreHours of a change of CPU a run, in a week.
func coreHours(from, to, perWeek float64) float64 { return (to - from) * perWeek / 3600 }

// verdict is what is known of operator j after the newest run.
func (g *judging) verdict(j int, status Status) Verdict {
	f, last := g.fits[0], g.last()
	c := &f.cols[j]
	o, k := &c.obs[last], g.runs[last].cell(c.index)
	v := Verdict{Key: c.Key, Name: c.Name, Status: status, Observed: k.cpu}
	l, known := c.line, c.known()
	if a := g.now[j].Active; a != nil {
		l, known = a.Before, true
		v.Active = a.standing()
		if v.Status == OutOfRange || v.Status == Judged {
			v.Status = ShiftedCost // found in this run, or out of the range of the shifted runs alone
		}
	} else if a := c.Active; a != nil {
		l, known = a.Before, true // over with this run
	}
	if v.Status == FewSamples || v.Status == RowsUnknown || v.Status == OutOfRange || !known {
		return v
	}
	if !o.has || l.HasX != c.hasX || !l.covers(o.x, g.margin) {
		v.Status = OutOfRange
		return v
	}
	y, fixed := l.at(o.x, f.c[last][j])
	e := Evidence{Log: o.y - y, SE: math.Sqrt(l.noise(o.v, f.cv[last][j]) + fixed + f.youngVariance(j)), DF: l.DF}
	m := g.quantiles.Upper(0.025, max(e.DF, 1)) * e.SE
	v.Ratio, v.Low, v.High = math.Exp(e.Log), math.Exp(e.Log-m), math.Exp(e.Log+m)
	v.Expected = math.Exp(y)
	v.Detectable = f.detectable(j)
	return v
}

// youngVariance is the variance that a run which is left out as young has beside the variance of
// warm ones. It is the mean square by which earlier ones lie off, drawn towards coldSD. It is 0 if
// the newest run is not young.
func (f *fit) youngVariance(j int) float64 {
	c, young := &f.cols[j], f.cols[j].young
	n, sum := 4., 4.*coldSD*coldSD
	switch {
	case !f.young[f.last()]:
		return 0
	case f.pooled: // they are what the baseline is made of, but for the tails
		n, sum, young = 0.1, 0, c.base
	case !f.left[f.last()]:
		return 0
	}
	for _, i := range young {
		if o := &c.obs[i]; i != f.last() && c.covers(o.x, f.margin) {
			n, sum = n+1, sum+max(0, square(f.error(i, j))-c.noise(o.v, f.cv[i][j]))
		}
	}
	return sum / n
}
