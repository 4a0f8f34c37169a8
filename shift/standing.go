package shift

import (
	"math"
	"slices"
	"time"
)

// apply makes the changes found the operators' new normal and returns the events: one for all that became dearer, one for all that became
// cheaper, and one for those that came back by such a step.
func (s *sheet) apply(found []finding, event func(Kind) Event) (out []Event) {
	var steps []finding
	over := event(Resolved)
	for _, f := range found {
		c := &s.rows[f.j]
		first := c.runs[max(0, len(c.runs)-f.evidence.Runs)]
		if e, ok := s.stepsBack(f); ok {
			s.resolve(&over, f.j, first, e)
			continue
		}
		steps = append(steps, f)
	}
	if len(steps) > 0 {
		out = append(out, s.step(steps, event))
	}
	if len(over.Changes) > 0 {
		out = append(out, over)
	}
	return out
}

// stepsBack tells that what was found takes a standing shift back to what would not have been reported, and the evidence against the cost before it.
func (s *sheet) stepsBack(f finding) (Evidence, bool) {
	a := s.rows[f.j].op.active
	if a == nil || f.sign*a.Log > 0 {
		return Evidence{}, false
	}
	e := f.evidence
	e.Log = f.sinceBefore(a) + f.evidence.Log
	return e, s.unreported(math.Abs(e.Log), e.SE)
}

// sinceBefore is the log by which what was found is against lies over the cost before the standing shift.
func (f *finding) sinceBefore(a *active) float64 {
	if f.before.HasX != a.Before.HasX {
		return a.Log
	}
	y, _ := a.Before.at(f.before.Centre)
	return f.before.Level - y
}

// unreported tells that a change of such a size, known that well, may be smaller than the minimum effect.
func (s *sheet) unreported(size, se float64) bool { return size-se < math.Log1p(s.set.MinimumEffect) }

func (s *sheet) step(found []finding, event func(Kind) Event) Event {
	kind := Shift
	switch {
	case found[0].sign < 0:
		kind = Cheaper
	case found[0].evidence.Drift:
		kind = Drift
	}
	ev := event(kind)
	for n, f := range found {
		c := &s.rows[f.j]
		from, to := s.fromTo(f)
		at := max(0, len(c.runs)-f.evidence.Runs)
		first := c.runs[at]
		was, is := s.sides(f)
		if n == 0 {
			ev.Since, ev.SinceRun = s.end(first), s.runs[first].id
			if at > 0 {
				ev.Before, ev.BeforeRun = s.end(c.runs[at-1]), s.runs[c.runs[at-1]].id
			}
		}
		ev.Changes = append(ev.Changes, Change{Key: c.op.Key, Name: c.op.name, From: from, To: to, Evidence: f.evidence,
			CoreHours: coreHours(from, to, s.h.perWeek()), Was: was, Is: is, Reference: s.referenceOf(f)})
		var last *record
		if at > 0 {
			last = s.runs[c.runs[at-1]]
		}
		c.op.restart(c, f, s.runs[first], last)
	}
	return ev
}

// sides are the runs that a finding is against, and those that show it.
func (s *sheet) sides(f finding) (was, is []RunID) {
	c := &s.rows[f.j]
	at := max(0, len(c.runs)-f.evidence.Runs)
	base := c.runs[:min(c.base, at)]
	if f.evidence.Drift {
		for len(base) > 0 && s.end(base[len(base)-1]).After(c.op.refEnd) {
			base = base[:len(base)-1]
		}
	}
	return s.ids(base[max(0, len(base)-s.set.BaselineRuns):]), s.ids(c.runs[at:])
}

func (s *sheet) ids(positions []int) (out []RunID) {
	for _, i := range positions {
		out = append(out, s.runs[i].id)
	}
	return out
}

// referenceOf is the reference that a drift is against.
func (s *sheet) referenceOf(f finding) Reference {
	if !f.evidence.Drift {
		return Reference{}
	}
	op := s.rows[f.j].op
	return Reference{op.Key, op.refEnd}
}

// restart begins a new baseline at the first shifted run. The slope is kept, a little wider. last is the run before; nil: there is none.
func (o *operator) restart(c *column, f finding, first, last *record) {
	if c.line.HasX {
		o.slope = slopePrior{Mean: c.line.Slope, Var: c.line.SlopeVar + slopeLeast/4}
	}
	a := &active{Since: first.end, SinceRun: first.id, Log: f.evidence.Log, P: f.evidence.P, Before: f.before, Was: o.from, Drift: f.evidence.Drift}
	if last != nil {
		a.Last, a.LastEnd = last.id, last.end
	}
	if old := o.active; old != nil {
		// A further step: what was before the first one stays the measure.
		a.Last, a.LastEnd, a.Note = old.Last, old.LastEnd, old.Note
		a.Before, a.Was, a.Log = old.Before, old.Was, f.sinceBefore(old)+f.evidence.Log
	}
	a.Now = a.Log
	o.active, o.from, o.ref, o.seed = a, first.end, nil, nil
}

// settle begins a new baseline with the first run after a shift: near the cost before it, and not quite that.
func (o *operator) settle(c *column, first time.Time) {
	if c.line.HasX {
		o.slope = slopePrior{Mean: c.line.Slope, Var: c.line.SlopeVar + slopeLeast/4}
	}
	o.active, o.ref, o.seed, o.from = nil, nil, nil, first
}

// resume takes up the baseline from before a shift, without the shifted runs.
func (o *operator) resume(shifted span) {
	o.from = o.active.Was
	o.skip = append(o.skip, shifted)
	if len(o.skip) > mostSpans {
		o.skip = o.skip[1:]
	}
	o.active, o.ref, o.slope = nil, nil, slopePrior{}
}

// standing are the operators of a plan that stand shifted and are not in a run (nil: that stand shifted), as verdicts of their standing alone.
func (h *history) standing(plan int32, without *record) (out []Verdict) {
	for i, o := range h.ops {
		if o == nil || o.variant != plan || o.active == nil || without != nil && without.cell(int32(i)) != nil {
			continue
		}
		out = append(out, Verdict{Key: o.Key, Name: o.name, Status: ShiftedCost, Active: o.active.standing()})
	}
	return out
}

// retire ends what stands of operators that do not run any more: of plans that the query has not run for long, and of the judged plan
// those without a cost in all the runs that are looked at, if their shift is not of late. Nobody can tell whether they are mended.
func (h *history) retire(judged *variant, s *sheet) {
	for _, v := range h.variants {
		v.away++
	}
	gone := func(v *variant) bool {
		return v.away >= s.set.AcceptAfter && !judged.last.Before(v.last.Add(s.set.AcceptAge))
	}
	judged.away = 0
	for i, o := range h.ops {
		if o == nil || o.active == nil {
			continue
		}
		seen := func(r *record) bool { return r.cell(int32(i)) != nil }
		long := !judged.last.Before(o.active.Since.Add(s.set.AcceptAge))
		if o.variant == judged.id && long && !slices.ContainsFunc(s.runs, seen) || o.variant != judged.id && gone(h.variant(o.variant)) {
			o.active = nil
		}
	}
}

// accept ends shifts that have stood for long.
func (s *sheet) accept(event func(Kind) Event) []Event {
	ev := event(Accepted)
	last := len(s.runs) - 1
	for j := range s.rows {
		c := &s.rows[j]
		a := c.op.active
		if a == nil || a.Runs < s.set.AcceptAfter || s.end(last).Before(a.Since.Add(s.set.AcceptAge)) {
			continue
		}
		if len(ev.Changes) == 0 {
			ev.Since, ev.SinceRun = a.Since, a.SinceRun
		}
		x := a.Before.Centre // where this run's rows are not known, or out of range
		if o := s.cells[last][j]; c.inRun(last) && s.covers(j, &a.Before, o) {
			x = o.x
		}
		y, _ := a.Before.at(x)
		ev.Changes = append(ev.Changes, Change{Key: c.op.Key, Name: c.op.name, From: math.Exp(y), To: math.Exp(y + a.Now),
			Evidence: Evidence{Runs: a.Runs, Log: a.Now, P: a.P, DF: a.Before.DF}, CoreHours: coreHours(math.Exp(y), math.Exp(y+a.Now), s.h.perWeek())})
		c.op.active = nil
	}
	if len(ev.Changes) == 0 {
		return nil
	}
	return []Event{ev}
}
