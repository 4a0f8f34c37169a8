package shift

import (
	"cmp"
	"container/list"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/planflame/planflame/shift/internal/stats"
)

// MostAhead is how far a run's end may lie ahead of the judge's clock: what the clocks of two
// machines differ by.
const MostAhead = 5 * time.Minute

// ErrAhead is the cause where a run ends later than that.
var ErrAhead = errors.New("the end is ahead of the clock")

// Drops counts what was forgotten or refused for want of room, since the Fleet was made.
type Drops struct {
	Queries   uint64 // whole histories
	Plans     uint64 // plans with their runs
	Runs      uint64 // oldest runs
	Operators uint64 // costs of operators beyond MaxOperators
	Hosts     uint64
	Late      uint64 // runs older than all that a full history holds
}

// Fleet is the histories of all queries. It is not safe for concurrent use.
type Fleet struct {
	set     Settings
	priors  Priors
	budget  budget
	queries map[string]*list.Element // of *history
	order   *list.List               // newest used first
	hosts   *hosts
	drops   Drops
	runs    int // taken in since the priors were fitted

	quantiles stats.Quantiles
}

// NewFleet returns an empty Fleet.
func NewFleet(set Settings) (*Fleet, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	return &Fleet{set: set, priors: defaultPriors(), queries: map[string]*list.Element{}, order: list.New(), hosts: newHosts(set)}, nil
}

// Drops is what was dropped so far.
func (f *Fleet) Drops() Drops {
	d := f.drops
	d.Hosts = f.hosts.dropped
	return d
}

// Queries is how many histories there are.
func (f *Fleet) Queries() int { return len(f.queries) }

// Priors is what the fleet says about operators at present.
func (f *Fleet) Priors() Priors { return f.priors }

// Level is the probability of a false alarm that a test has at present.
func (f *Fleet) Level() float64 { return f.budget.level(f.set.AlarmsPerWeek) }

// Add takes a finished run in and judges it. A run that is there already adds the parts that are
// new, and nothing if there are none; a run older than the newest is taken in and not judged.
// now is the time by the judge's own clock, by which tests are counted. A run that ends more than
// MostAhead later is refused, for all runs that end before it would be late. An unfit run is an
// error (Run.Validate, ErrAhead).
func (f *Fleet) Add(r *Run, now time.Time) (Judgement, error) { return f.add(r, now, true) }

// Keep takes a run in as Add does and judges nothing, as if it had come late: one of which parts
// are missing that will come by Add.
func (f *Fleet) Keep(r *Run, now time.Time) (Judgement, error) { return f.add(r, now, false) }

func (f *Fleet) add(r *Run, now time.Time, wanted bool) (Judgement, error) {
	if err := r.Validate(); err != nil {
		return Judgement{}, err
	}
	if r.End.After(now.Add(MostAhead)) {
		return Judgement{}, fmt.Errorf("run %s: end %s, now %s: %w", r.ID, r.End, now, ErrAhead)
	}
	h := f.history(r)
	out := h.judgement(r.ID)
	out.Plan = r.Plan
	if old := h.find(r.ID); old != nil {
		out.Amended = f.amend(h, old, r)
		out.Duplicate = !out.Amended
		return out, nil
	}
	if len(h.Runs) >= f.set.MaxRuns && newRecord(r).compare(h.Runs[0]) < 0 {
		f.drops.Late++
		out.Late = true
		return out, nil
	}
	plan := h.match(r, f.set.MaxOperators)
	isNew := plan < 0
	if isNew { // the one that ran longest ago goes where there are too many
		f.drops.Plans += uint64(h.bound(f.set.MaxPlans - 1))
		plan = int32(len(h.Plans))
		h.Plans = append(h.Plans, &variant{Fingerprint: r.Plan, Last: moment{r.End}})
	}
	v := h.Plans[plan]
	rec := f.record(h, plan, r)
	v.Runs++
	if rec != h.Runs[len(h.Runs)-1] || !wanted {
		f.drops.Runs += uint64(h.trim(f.set.MaxRuns))
		out.Late = true
		return out, nil
	}
	v.Last = rec.End
	h.describe(r)
	f.drops.Runs += uint64(h.trim(f.set.MaxRuns))
	before, away := h.previous(rec)
	number(h.Runs)
	last := len(h.Runs) - 1
	var lines map[int32]*line
	if before >= 0 && (isNew || away) {
		lines = h.lines(before, last, &f.priors, &f.set)
	}
	if isNew && before >= 0 {
		h.seed(before, plan, lines)
	}
	w := newView(h, plan, last, &f.set)
	h.retire(plan, w.runs, &f.set)
	w.priors, w.quantiles, w.level = &f.priors, &f.quantiles, f.Level()
	judged, u := judge(w)
	h.write(&u, rec)
	judged.Operators = append(judged.Operators, h.standing(plan, rec)...)
	judged.Plan, judged.Needed = r.Plan, f.set.MinimumRuns+mostSudden
	judged.Seen = min(v.Runs, judged.Needed)
	f.budget.count(now, u.tests)
	if before >= 0 && (isNew || away) {
		e := h.event(PlanChanged, rec)
		h.changed(&e, before, rec, lines)
		judged.Events = append(judged.Events, e)
	}
	if !u.young {
		judged.Events = append(judged.Events, f.hosts.add(rec, r.Parts, h.Query, u.kappa)...)
	}
	f.learn()
	return judged, nil
}

// describe takes over what the newest run says about the query.
func (h *history) describe(r *Run) {
	if r.Name != "" {
		h.Name = r.Name
	}
	if r.Version != "" {
		h.Spark = r.Version
	}
	if r.Labels != nil {
		h.Labels = maps.Clone(r.Labels)
	}
}

// history is the run's, made if there is none. The one used longest ago goes where there are too
// many.
func (f *Fleet) history(r *Run) *history {
	if e, ok := f.queries[r.Query]; ok {
		f.order.MoveToFront(e)
		return e.Value.(*history)
	}
	h := newHistory(r.Query)
	h.describe(r)
	f.put(h)
	return h
}

func (f *Fleet) put(h *history) {
	f.queries[h.Query] = f.order.PushFront(h)
	for len(f.queries) > f.set.MaxQueries {
		last := f.order.Back()
		delete(f.queries, f.order.Remove(last).(*history).Query)
		f.drops.Queries++
	}
}

// record takes a run in as one of a plan; the dearest operators have room.
func (f *Fleet) record(h *history, plan int32, r *Run) *record {
	rec := newRecord(r)
	rec.Plan = plan
	h.insert(rec)
	byCost := slices.SortedFunc(slices.Values(r.Operators), func(a, b Cost) int {
		return cmp.Or(cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Stage, b.Stage))
	})
	for n := range byCost {
		if n < f.set.MaxOperators {
			f.charge(h, rec, &byCost[n])
		} else {
			f.drops.Operators++
		}
	}
	return rec
}

// charge adds an operator's cost to a run's, if there is room for the operator.
func (f *Fleet) charge(h *history, rec *record, o *Cost) {
	k := h.operator(rec.Plan, o.Key, o.Name, f.set.MaxOperators)
	if k < 0 {
		f.drops.Operators++
		return
	}
	sum := *o
	at, found := rec.find(k)
	if found {
		sum = rec.Cells[at].cost()
		sum.add(o)
	} else {
		rec.Cells = slices.Insert(rec.Cells, at, cell{})
	}
	rec.Cells[at] = cell{op: k, cpu: sum.CPU, variance: sum.Variance, rows: sum.Rows, samples: sum.Samples}
}

// amend adds the parts of a run that are not there yet. Where some are and some are not, nothing
// can be taken apart: it is left as it is.
func (f *Fleet) amend(h *history, old *record, r *Run) bool {
	has := func(p Part) bool { return slices.ContainsFunc(old.Parts, func(o part) bool { return o.ID == p.ID }) }
	if len(r.Parts) == 0 || slices.ContainsFunc(r.Parts, has) || len(old.Parts)+len(r.Parts) > maxParts {
		return false
	}
	old.Parts = append(old.Parts, newParts(r.Parts)...)
	old.CPU += r.CPU
	for i := range r.Operators {
		f.charge(h, old, &r.Operators[i])
	}
	return true
}

// learn fits the priors again when a fifth more runs came, at least every thousand.
func (f *Fleet) learn() {
	f.runs++
	if f.runs < max(20, min(1000, f.order.Len()*2)) {
		return
	}
	f.runs = 0
	var all []spread
	for e := f.order.Front(); e != nil; e = e.Next() {
		for _, o := range e.Value.(*history).Operators {
			if o.Spread.DF > 0 {
				all = append(all, o.Spread)
			}
		}
	}
	f.priors = fitPriors(all)
}

// known is the history of the query; nil if there is none.
func (f *Fleet) known(query string) *history {
	e, ok := f.queries[query]
	if !ok {
		return nil
	}
	return e.Value.(*history)
}

// Has reports whether there is a history of the query.
func (f *Fleet) Has(query string) bool { _, ok := f.queries[query]; return ok }

// Runs are the runs of a query's history, oldest first.
func (f *Fleet) Runs(query string) (out []RunID) {
	if h := f.known(query); h != nil {
		for _, r := range h.Runs {
			out = append(out, r.id())
		}
	}
	return out
}

// References are those that a query's operators have, of all its plans, in no order.
func (f *Fleet) References(query string) (out []Reference) {
	if h := f.known(query); h != nil {
		for _, o := range h.Operators {
			if o.Ref != nil {
				out = append(out, Reference{o.Key, o.RefEnd.Time})
			}
		}
	}
	return out
}

// Note keeps a text with the shift of an operator of the query's newest plan, as long as it stands
// (Standing.Note); without one it does nothing.
func (f *Fleet) Note(query string, k Key, text string) {
	h := f.known(query)
	if h == nil || len(h.Runs) == 0 {
		return
	}
	if i, ok := h.index[opKey{h.Runs[len(h.Runs)-1].Plan, k}]; ok && h.Operators[i].Active != nil {
		h.Operators[i].Active.Note = text
	}
}

// Retire ends all shifts that stand of a query that does not run any more, and reports whether it
// is one. A repaired query is often another one by its fingerprint, so no run would end them.
func (f *Fleet) Retire(query string, now time.Time) bool {
	h := f.known(query)
	if h == nil || !h.over(now, &f.set) {
		return false
	}
	for _, o := range h.Operators {
		o.Active = nil
	}
	return true
}

// Standing is a judgement with the operators of a query's newest plan that stand shifted, as after
// their last run, and nothing else.
func (f *Fleet) Standing(query string) (out Judgement) {
	h := f.known(query)
	if h == nil {
		return out
	}
	out = h.judgement(RunID{})
	if n := len(h.Runs); n > 0 {
		out.Operators = h.standing(h.Runs[n-1].Plan, nil)
	}
	return out
}
