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
// new, and nothing where there are none; a run older than the newest is taken in and not judged.
// now is the time by the judge's own clock: tests are counted by it, and a run that ends more than
// MostAhead later is refused, for it would make all that end before it late. An error is that of a
// run that is unfit (Run.Validate, ErrAhead).
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
	out := Judgement{Run: r.ID, Query: r.Query, Name: h.name, Plan: r.Plan, Labels: h.labels, Version: h.version}
	if old := h.find(r.ID); old != nil {
		out.Amended = f.amend(h, old, r)
		out.Duplicate = !out.Amended
		return out, nil
	}
	if len(h.records) >= f.set.MaxRuns && (&record{id: r.ID, end: r.End}).compare(h.records[0]) < 0 {
		f.drops.Late++
		out.Late = true
		return out, nil
	}
	v := h.match(r, f.set.MaxOperators)
	isNew := v == nil
	if isNew {
		v = f.variant(h, r)
	}
	rec := f.record(h, v, r)
	last := h.insert(rec)
	v.runs++
	if last != len(h.records)-1 || !wanted {
		f.drops.Runs += uint64(h.trim(f.set.MaxRuns))
		out.Late = true
		return out, nil
	}
	v.last = r.End
	h.describe(r)
	f.drops.Runs += uint64(h.trim(f.set.MaxRuns))
	before, away := h.previous(rec)
	number(h.records)
	last = len(h.records) - 1
	var lines map[int32]*line
	if before != nil && (isNew || away) {
		lines = h.lines(before.id, last, &f.priors, &f.set)
	}
	if isNew && before != nil {
		h.seed(before.id, v.id, lines)
	}
	w := newView(h, v.id, last, &f.set)
	h.retire(v, w.runs, &f.set)
	w.priors, w.quantiles, w.level = &f.priors, &f.quantiles, f.Level()
	judged, u := judge(w)
	h.write(&u, rec)
	judged.Operators = append(judged.Operators, h.standing(v.id, rec)...)
	judged.Plan, judged.Needed = r.Plan, f.set.MinimumRuns+mostSudden
	judged.Seen = min(v.runs, judged.Needed)
	f.budget.count(now, u.tests)
	if before != nil && (isNew || away) {
		e := Event{Kind: PlanChanged, Time: r.End, Run: r.ID, Query: h.query, Name: h.name, Labels: h.labels, Version: h.version}
		h.changed(&e, before, rec, lines)
		judged.Events = append(judged.Events, e)
	}
	if !u.young {
		judged.Events = append(judged.Events, f.hosts.add(rec, h.query, u.kappa)...)
	}
	f.learn()
	return judged, nil
}

// describe takes over what the newest run says about the query.
func (h *history) describe(r *Run) {
	if r.Name != "" {
		h.name = r.Name
	}
	if r.Version != "" {
		h.version = r.Version
	}
	if r.Labels != nil {
		h.labels = maps.Clone(r.Labels)
	}
}

// history is the run's, made where there is none. The one used longest ago goes where there are too
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
	f.queries[h.query] = f.order.PushFront(h)
	for len(f.queries) > f.set.MaxQueries {
		last := f.order.Back()
		delete(f.queries, f.order.Remove(last).(*history).query)
		f.drops.Queries++
	}
}

// variant makes a plan's. The one that ran longest ago goes where there are too many.
func (f *Fleet) variant(h *history, r *Run) *variant {
	for len(h.variants) >= f.set.MaxPlans {
		f.drops.Plans++
		h.forget(slices.MinFunc(h.variants, func(a, b *variant) int { return a.last.Compare(b.last) }))
	}
	v := &variant{id: h.nextPlan, plan: r.Plan, last: r.End}
	h.nextPlan++
	h.variants = append(h.variants, v)
	return v
}

// record makes the run's; the dearest operators have room.
func (f *Fleet) record(h *history, v *variant, r *Run) *record {
	rec := &record{id: r.ID, end: r.End, plan: v.id, cpu: r.CPU, parts: newParts(r.Parts)}
	h.pending = rec
	defer func() { h.pending = &record{} }()
	byCost := slices.SortedFunc(slices.Values(r.Operators), func(a, b Cost) int {
		return cmp.Or(cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Stage, b.Stage))
	})
	for _, o := range byCost {
		i := int32(-1)
		if len(rec.cells) < f.set.MaxOperators {
			i = h.operator(v.id, o.Key, o.Name, f.set.MaxOperators)
		}
		if i < 0 {
			f.drops.Operators++
			continue
		}
		rec.cells = append(rec.cells, cell{op: i, cpu: o.CPU, variance: o.Variance, rows: o.Rows, samples: o.Samples})
	}
	slices.SortFunc(rec.cells, func(a, b cell) int { return cmp.Compare(a.op, b.op) })
	return rec
}

// amend adds the parts of a run that are not there yet. Where some are and some are not, nothing
// can be taken apart: it is left as it is.
func (f *Fleet) amend(h *history, old *record, r *Run) bool {
	has := func(p Part) bool { return slices.ContainsFunc(old.parts, func(o part) bool { return o.id == p.ID }) }
	if len(r.Parts) == 0 || slices.ContainsFunc(r.Parts, has) || len(old.parts)+len(r.Parts) > maxParts {
		return false
	}
	old.parts = append(old.parts, newParts(r.Parts)...)
	old.cpu += r.CPU
	for i := range r.Operators {
		o := &r.Operators[i]
		k := h.operator(old.plan, o.Key, o.Name, f.set.MaxOperators)
		if k < 0 {
			f.drops.Operators++
			continue
		}
		if c := old.cell(k); c != nil {
			sum := c.cost()
			sum.add(o)
			c.cpu, c.variance, c.rows, c.samples = sum.CPU, sum.Variance, sum.Rows, sum.Samples
			continue
		}
		at, _ := slices.BinarySearchFunc(old.cells, k, func(c cell, op int32) int { return cmp.Compare(c.op, op) })
		old.cells = slices.Insert(old.cells, at, cell{op: k, cpu: o.CPU, variance: o.Variance, rows: o.Rows, samples: o.Samples})
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
		for _, o := range e.Value.(*history).ops {
			if o != nil && o.spread.DF > 0 {
				all = append(all, o.spread)
			}
		}
	}
	f.priors = fitPriors(all)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func (f *Fleet) String() string {
	return fmt.Sprintf("%d queries, level %.2g", len(f.queries), f.Level())
}

// Has reports whether there is a history of the query.
func (f *Fleet) Has(query string) bool { _, ok := f.queries[query]; return ok }

// Runs are the runs of a query's history, oldest first.
func (f *Fleet) Runs(query string) (out []RunID) {
	if e, ok := f.queries[query]; ok {
		for _, r := range e.Value.(*history).records {
			out = append(out, r.id)
		}
	}
	return out
}

// References are those that a query's operators have, of all its plans, in no order.
func (f *Fleet) References(query string) (out []Reference) {
	e, ok := f.queries[query]
	if !ok {
		return nil
	}
	for _, o := range e.Value.(*history).ops {
		if o != nil && o.ref != nil {
			out = append(out, Reference{o.Key, o.refEnd})
		}
	}
	return out
}

// Note keeps a text with the shift of an operator of the query's newest plan, as long as it stands
// (Standing.Note); without one it does nothing.
func (f *Fleet) Note(query string, k Key, text string) {
	e, ok := f.queries[query]
	if !ok {
		return
	}
	h := e.Value.(*history)
	for _, o := range h.ops {
		if n := len(h.records); n > 0 && o != nil && o.variant == h.records[n-1].plan && o.Key == k && o.active != nil {
			o.active.Note = text
		}
	}
}

// Standing is a judgement with the operators of a query's newest plan that stand shifted, as after
// their last run, and nothing else.
func (f *Fleet) Standing(query string) (out Judgement) {
	e, ok := f.queries[query]
	if !ok {
		return out
	}
	h := e.Value.(*history)
	out = Judgement{Query: h.query, Name: h.name, Labels: h.labels, Version: h.version}
	if n := len(h.records); n > 0 {
		out.Operators = h.standing(h.records[n-1].plan, nil)
	}
	return out
}
