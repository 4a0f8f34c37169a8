package shift

import (
	"math"
	"slices"
	"time"
)

// apply makes the changes found the operators' new normal and returns the events: one for all that became dearer, one for all that became
// cheaper.
func (s *sheet) apply(found []finding, event func(Kind) Event) []Event {
	if len(found) == 0 {
		return nil
	}
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
		from, to := s.fromTo(f.j, f.evidence)
		first := c.runs[max(0, len(c.runs)-f.evidence.Runs)]
		if n == 0 {
			ev.Since, ev.SinceRun = s.end(first), s.runs[first].id
			if first > 0 {
				ev.Before, ev.BeforeRun = s.end(first-1), s.runs[first-1].id
			}
		}
		ev.Changes = append(ev.Changes, Change{Key: c.op.Key, Name: c.op.name, From: from, To: to, Evidence: f.evidence,
			CoreHours: coreHours(from, to, s.h.perWeek())})
		c.op.restart(c, f, s.runs[first])
	}
	return []Event{ev}
}

// restart begins a new baseline at the first shifted run. The slope is kept, a little wider.
func (o *operator) restart(c *column, f finding, first *record) {
	before := c.line
	if f.evidence.Drift {
		before = *o.ref
		before.Scale2, before.DF = c.scale2, c.line.DF
	}
	if c.line.HasX {
		o.slope = slopePrior{Mean: c.line.Slope, Var: c.line.SlopeVar + slopeLeast/4}
	}
	a := &active{Since: first.end, SinceRun: first.id, Log: f.evidence.Log, P: f.evidence.P, Before: before, Was: o.from, Drift: f.evidence.Drift}
	if old := o.active; old != nil {
		// A further step: what was before the first one stays the measure.
		a.Before, a.Was, a.Log = old.Before, old.Was, old.Log+f.evidence.Log
	}
	o.active, o.from, o.ref, o.seed = a, first.end, nil, nil
}

// returned finds the standing shifts that are mended.
func (s *sheet) returned(event func(Kind) Event) []Event {
	ev := event(Resolved)
	last := len(s.runs) - 1
	for j := range s.rows {
		c := &s.rows[j]
		a := c.op.active
		if a == nil || !c.inRun(last) {
			continue
		}
		a.Runs++
		first, e := s.mended(j)
		if first < 0 {
			continue
		}
		if len(ev.Changes) == 0 {
			ev.Since, ev.SinceRun = s.end(first), s.runs[first].id
			ev.Before, ev.BeforeRun = a.Since, a.SinceRun
		}
		y, _ := a.Before.at(s.cells[last][j].x)
		from, to := math.Exp(y+a.Log), math.Exp(y+e.Log)
		ev.Changes = append(ev.Changes, Change{Key: c.op.Key, Name: c.op.name, From: from, To: to, Evidence: e,
			CoreHours: coreHours(from, to, s.h.perWeek())})
		c.op.resume(span{a.Since, s.end(first)})
		s.skip[j] = true // not tested in this run: its baseline is that of the shifted cost
		c.line, c.base = a.Before, 0
	}
	if len(ev.Changes) == 0 {
		return nil
	}
	return []Event{ev}
}

// mended is the position of the first run of the return to the cost before the shift, -1 where there is none, and the evidence against
// that cost: not near the shifted one, and as near to the old one as what is not reported.
func (s *sheet) mended(j int) (int, Evidence) {
	c := &s.rows[j]
	a := c.op.active
	sign := math.Copysign(1, a.Log)
	for k := 1; k <= 3 && k <= len(c.runs)-1; k++ {
		positions := c.runs[len(c.runs)-k:]
		if !s.end(positions[0]).After(a.Since) {
			break
		}
		old, shifted := make([]*observation, k), make([]*observation, k)
		for n, i := range positions {
			o := *s.cells[i][j]
			if !s.covers(j, &a.Before, &o) {
				return -1, Evidence{}
			}
			y, _ := a.Before.at(o.x)
			o.r = o.y - y
			if o.cv == 0 {
				o.c, o.cv = s.at[i].without(nil, 0, s.prior)
			}
			far := o
			far.r -= a.Log
			old[n], shifted[n] = &o, &far
		}
		mean, variance := a.Before.measure(old, nil, c.noise)
		left := a.Before.up(shifted, -sign, c.noise)
		if left.P <= returnLevel && sign*mean < max(s.least(), 0) && sign*mean < sign*a.Log/2 {
			return positions[0], Evidence{Runs: k, Log: mean, SE: math.Sqrt(variance), DF: a.Before.DF, P: left.P}
		}
	}
	return -1, Evidence{}
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

// retire ends what stands of operators that do not run any more: of plans that the query's last most runs did not have, and of the judged plan
// those without a cost in all the runs that are looked at. Nobody can tell whether they are mended.
func (h *history) retire(judged *variant, s *sheet, most int) {
	for _, v := range h.variants {
		v.away++
	}
	judged.away = 0
	for i, o := range h.ops {
		if o == nil || o.active == nil {
			continue
		}
		seen := func(r *record) bool { return r.cell(int32(i)) != nil }
		if o.variant == judged.id && !slices.ContainsFunc(s.runs, seen) || o.variant != judged.id && h.variant(o.variant).away >= most {
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
		if a == nil || a.Runs < s.set.AcceptAfter {
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
		ev.Changes = append(ev.Changes, Change{Key: c.op.Key, Name: c.op.name, From: math.Exp(y), To: math.Exp(y + a.Log),
			Evidence: Evidence{Runs: a.Runs, Log: a.Log, P: a.P, DF: a.Before.DF}, CoreHours: coreHours(math.Exp(y), math.Exp(y+a.Log), s.h.perWeek())})
		c.op.active = nil
	}
	if len(ev.Changes) == 0 {
		return nil
	}
	return []Event{ev}
}

// wholeFar is how often a run strays as a whole: cold caches, a busy neighbour.
const wholeFar = 0.02

// whole looks at the common modes themselves: this run as a whole, and the query over its last runs.
func (s *sheet) whole(level float64, event func(Kind) Event) (out []Event) {
	l := line{N: len(s.runs), Scale2: s.prior, LevelVar: s.prior / float64(max(len(s.runs)-mostSudden, 1)),
		DF: s.priors.Common.DF + s.h.common.DF}
	var runs []*observation
	for i := max(0, len(s.runs)-mostSudden); i < len(s.runs); i++ {
		if a := s.at[i]; a.count >= 2 {
			runs = append(runs, &observation{has: true, r: a.sum / a.weight, v: 1 / a.weight})
		}
	}
	last := len(s.runs) - 1
	if len(s.runs) < s.set.MinimumRuns+len(runs) || len(runs) == 0 || s.at[last].count < 2 {
		return nil
	}
	n := noise{rho: s.priors.Rho, far: wholeFar}
	best := Evidence{P: 1}
	for _, w := range windows[1:] {
		if w.runs <= len(runs) {
			if e := l.up(runs[len(runs)-w.runs:], 1, n); e.P/w.share < best.P {
				best = e
				best.P /= w.share
			}
		}
	}
	one := l.up(runs[len(runs)-1:], 1, noise{rho: n.rho})
	switch {
	case s.h.slower.IsZero() && best.P <= level && best.Log >= s.least():
		first := max(0, len(s.runs)-best.Runs)
		s.h.slower = s.end(first)
		e := event(QuerySlower)
		e.Common, e.Since, e.SinceRun = best, s.end(first), s.runs[first].id
		out = append(out, e)
	case !s.h.slower.IsZero():
		if m, v := l.measure(runs, nil, n); len(runs) == mostSudden && m < s.least()/2 {
			e := event(QueryRecovered)
			e.Common, e.Since = Evidence{Runs: len(runs), Log: m, SE: math.Sqrt(v), DF: l.DF, P: 1}, s.h.slower
			s.h.slower = time.Time{}
			out = append(out, e)
		}
	case one.P < 0.001 && one.Log >= math.Log1p(s.set.MinimumEffect):
		e := event(RunSlower)
		e.Common, e.Since, e.SinceRun = one, s.end(last), s.runs[last].id
		out = append(out, e)
	}
	return out
}
