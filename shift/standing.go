package shift

import (
	"math"
	"slices"
	"time"

	"github.com/planflame/planflame/shift/internal/stats"
)

// apply makes what was found the operators' new normal. It returns an event for all that became
// more expensive and one for all that became cheaper. Operators that came back by such a step have
// one too.
func (g *judging) apply(found []finding) {
	for _, sign := range []float64{1, -1} {
		var steps []finding
		over := g.event(Resolved)
		for _, f := range found {
			if f.sign() != sign {
				continue
			}
			if e, ok := g.stepsBack(&f); ok {
				g.resolve(&over, f.j, f.first, e)
				continue
			}
			steps = append(steps, f)
		}
		if len(steps) > 0 {
			g.step(steps)
		}
		g.tell(over)
	}
}

// stepsBack reports whether what was found takes a standing shift back to what would not have been
// reported, and the evidence against the cost before it.
func (g *judging) stepsBack(f *finding) (Evidence, bool) {
	a := g.now[f.j].Active
	if a == nil || f.sign()*a.Log > 0 {
		return Evidence{}, false
	}
	e := f.evidence
	e.Log += sinceBefore(f.line(), a)
	e.SE = math.Sqrt(e.SE*e.SE + a.Before.LevelVar)
	return e, g.set.unreported(math.Abs(e.Log), e.SE)
}

// sinceBefore is the log by which a line lies over the cost before a standing shift.
func sinceBefore(l *line, a *active) float64 {
	if l.HasX != a.Before.HasX {
		return a.Log
	}
	y, _ := a.Before.at(l.Centre, l.Common)
	return l.Level - y
}

// step tells of shifts of one direction.
func (g *judging) step(found []finding) {
	kind := Shift
	switch {
	case found[0].evidence.Log < 0:
		kind = Cheaper
	case found[0].evidence.Drift:
		kind = Drift
	}
	ev := g.event(kind)
	for n, f := range found {
		s := &g.ops[f.j]
		from, to := g.fromTo(&f)
		at, _ := slices.BinarySearch(s.runs, f.first)
		if n == 0 {
			g.begins(&ev, s, f.first)
		}
		c := Change{Key: s.Key, Name: s.Name, From: from, To: to, Evidence: f.evidence, CoreHours: coreHours(from, to, g.h.perWeek()),
			Was: g.was(&f), Is: g.ids(s.runs[at:])}
		if f.evidence.Drift {
			c.Reference = Reference{s.Key, s.RefEnd.Time}
		}
		ev.Changes = append(ev.Changes, c)
		g.restart(&f, at)
	}
	g.tell(ev)
}

// begins dates an event by the first run of an operator that shows it.
func (g *judging) begins(ev *Event, s *series, first int) {
	ev.Since, ev.SinceRun = g.end(first), g.runs[first].id()
	if at := slices.Index(s.runs, first); at > 0 {
		ev.Before, ev.BeforeRun = g.end(s.runs[at-1]), g.runs[s.runs[at-1]].id()
	}
}

// was are the runs that a finding is against.
func (g *judging) was(f *finding) []RunID {
	base := f.fit.cols[f.j].base
	return g.ids(base[max(0, len(base)-g.set.BaselineRuns):])
}

// restart begins a new baseline at the first shifted run, the at-th of the operator's. The slope is
// kept, a little wider.
func (g *judging) restart(f *finding, at int) {
	s, first := &g.ops[f.j], g.runs[f.first]
	old := g.now[f.j]
	a := &active{Since: first.End, SinceRun: first.id(), Log: f.evidence.Log, P: f.evidence.P, Before: *f.line(), Was: old.From, Drift: f.evidence.Drift}
	if at > 0 {
		last := g.runs[s.runs[at-1]]
		a.Last, a.LastEnd = last.id(), last.End
	}
	if was := old.Active; was != nil {
		// A further step: what was before the first one stays the measure.
		a.Last, a.LastEnd, a.Note = was.Last, was.LastEnd, was.Note
		a.Before, a.Was, a.Log = was.Before, was.Was, sinceBefore(f.line(), was)+f.evidence.Log
	}
	a.Now = a.Log
	g.now[f.j] = normal{From: first.End, Skip: old.Skip, Slope: f.line().widened(slopeSD * slopeSD / 4), Active: a}
}

// settle begins a new baseline with the first run after a shift: near the cost before it, and not
// quite that.
func (g *judging) settle(j, first int) {
	g.now[j] = normal{From: g.runs[first].End, Skip: g.now[j].Skip, Slope: g.fits[0].cols[j].widened(slopeSD * slopeSD / 4)}
	g.done[j] = true
}

// returned ends standing shifts that are over, and keeps how large the others are now.
func (g *judging) returned() {
	over := g.event(Resolved)
	for j := range g.ops {
		n := &g.now[j]
		if n.Active == nil || !g.ops[j].obs[g.last()].has {
			continue
		}
		a := *n.Active
		n.Active = &a
		if a.Runs++; g.left[g.last()] {
			continue
		}
		if first, e := g.mended(j, n.Active); first >= 0 {
			g.resolve(&over, j, first, e)
		}
	}
	g.tell(over)
}

// mended is the position of the first run back at the cost before a shift, and the evidence against
// that cost; -1 if it stands. It sets the shift's present size.
func (g *judging) mended(j int, a *active) (int, Evidence) {
	s, f := &g.ops[j], g.fits[0]
	sign := math.Copysign(1, a.Log)
	// A shift that stands is asked about at each run, which may be each second. So the sum of its
	// levels over all runs is twice the sum over the first ones.
	level := threeSE / max(1, square(float64(a.Runs)/float64(g.set.BaselineRuns)))
	var sum, variance, fixed, n float64
	for k := len(s.runs) - 1; k >= 0 && n < pooledRuns; k-- {
		i := s.runs[k]
		o := &s.obs[i]
		if g.end(i).Before(a.Since.Time) || o.x != 0 && !a.Before.covers(o.x, g.margin) || a.Before.HasX != s.hasX {
			break
		}
		y, v := a.Before.at(o.x, f.c[i][j])
		sum, variance, fixed, n = sum+o.y-y, variance+a.Before.noise(o.v, f.cv[i][j]), fixed+math.Sqrt(v), n+1
		mean := sum / n
		if n <= mostSudden {
			a.Now = mean
		}
		if n > 3 && n != 5 && n != pooledRuns || !g.end(i).After(a.Since.Time) {
			continue
		}
		// The errors' and the line's: n independent runs, neighbors as alike as in the fleet.
		se := math.Sqrt(variance/n/n*alike(int(n), g.priors.Rho, a.Before.between()/a.Before.Scale2) + square(fixed/n))
		near := g.set.unreported(max(0, sign*mean), se)
		if n == 1 {
			near = sign*mean < g.set.least() // one run's error explains anything
		}
		back := sign*mean < sign*a.Log/2 && near
		back = back || n == pooledRuns && sign*mean < g.set.least() // a small shift: never surely nearer to one
		t := (sign*a.Log - sign*mean) / se
		if !back || t < interesting {
			continue
		}
		strays := g.priors.Far / agreeShare * math.Pow(max(g.priors.Far, strayAgain), n-1)
		if p := stats.Tail(t, min(a.Before.DF, runDF*n)) + strays; p <= level {
			return i, Evidence{Runs: int(n), Log: mean, SE: se, DF: a.Before.DF, P: p}
		}
	}
	return -1, Evidence{}
}

// resolve ends operator j's standing shift with the run at the position first. e is the evidence
// against the cost before.
func (g *judging) resolve(ev *Event, j, first int, e Evidence) {
	s, n := &g.ops[j], &g.now[j]
	a := n.Active
	if len(ev.Changes) == 0 {
		ev.Since, ev.SinceRun = g.end(first), g.runs[first].id()
		ev.Before, ev.BeforeRun = a.Since.Time, a.SinceRun
	}
	y, _ := a.Before.at(s.obs[g.last()].x, 0)
	from, to := math.Exp(y+a.Log), math.Exp(y+e.Log)
	ev.Changes = append(ev.Changes, Change{Key: s.Key, Name: s.Name, From: from, To: to, Evidence: e, CoreHours: coreHours(from, to, g.h.perWeek())})
	if math.Abs(e.Log) > 2*e.SE { // 95 %: what is left would be told as a shift of its own
		g.settle(j, first)
		return
	}
	// The baseline from before the shift is taken up, without the shifted runs.
	skip := append(slices.Clone(n.Skip), span{a.Since, g.runs[first].End})
	*n = normal{From: a.Was, Skip: skip[max(0, len(skip)-mostSpans):]}
	g.done[j] = true
}

// accept ends shifts that have stood for long.
func (g *judging) accept() {
	ev := g.event(Accepted)
	last := g.last()
	for j := range g.ops {
		s, a := &g.ops[j], g.now[j].Active
		if a == nil || a.Runs < g.set.AcceptAfter || g.end(last).Before(a.Since.Add(g.set.AcceptAge)) {
			continue
		}
		if len(ev.Changes) == 0 {
			ev.Since, ev.SinceRun = a.Since.Time, a.SinceRun
		}
		x := a.Before.Centre // if this run's rows are not known, or out of range
		if o := &s.obs[last]; g.inRun(j) && s.hasX == a.Before.HasX && a.Before.covers(o.x, g.margin) {
			x = o.x
		}
		y, _ := a.Before.at(x, 0)
		ev.Changes = append(ev.Changes, Change{Key: s.Key, Name: s.Name, From: math.Exp(y), To: math.Exp(y + a.Now),
			Evidence: Evidence{Runs: a.Runs, Log: a.Now, P: a.P, DF: a.Before.DF}, CoreHours: coreHours(math.Exp(y), math.Exp(y+a.Now), g.h.perWeek())})
		g.now[j].Active = nil
	}
	g.tell(ev)
}

// standing are the operators of a plan that stand shifted and are not in a run (nil: all that stand
// shifted), as verdicts of their standing alone.
func (h *history) standing(plan int32, without *record) (out []Verdict) {
	for i, o := range h.Operators {
		if o.Plan != plan || o.Active == nil || without != nil && without.cell(int32(i)) != nil {
			continue
		}
		out = append(out, Verdict{Key: o.Key, Name: o.Name, Status: ShiftedCost, Active: o.Active.standing()})
	}
	return out
}

// retire ends what stands of operators that do not run any more. These are operators of plans that
// the query has not run for long. Of the judged plan they are operators without a cost in all runs
// that are looked at. No one can tell whether they are mended.
func (h *history) retire(judged int32, runs []*record, set *Settings) {
	for _, v := range h.Plans {
		v.Away++
	}
	now := h.Plans[judged]
	now.Away = 0
	for i, o := range h.Operators {
		if o.Active == nil {
			continue
		}
		v := h.Plans[o.Plan]
		gone := v.Away >= set.AcceptAfter && !now.Last.Before(v.Last.Add(set.AcceptAge))
		if o.Plan == judged {
			seen := func(r *record) bool { return r.cell(int32(i)) != nil }
			gone = !now.Last.Before(o.Active.Since.Add(set.AcceptAge)) && !slices.ContainsFunc(runs, seen)
		}
		if gone {
			o.Active = nil
		}
	}
}

// pauses is how long a query may pause that runs on working days, or on one day a week.
const pauses = week + 24*time.Hour

// over reports whether the query does not run any more. At the frequency of its newest runs it has
// missed AcceptAfter runs, and it has run for neither AcceptAge nor pauses. A single run after a
// long pause does not make it a weekly one.
func (h *history) over(now time.Time, set *Settings) bool {
	if len(h.Runs) == 0 {
		return false
	}
	missed := time.Duration(float64(set.AcceptAfter) / h.lately() * float64(week))
	return now.Sub(h.Runs[len(h.Runs)-1].End.Time) > max(set.AcceptAge, pauses, missed)
}

// write makes what a judgement wants remembered so: the one place where a history's operators
// change by what was found.
func (h *history) write(u *updates, run *record) {
	for i, n := range u.normals {
		h.Operators[i].normal = n
	}
	for i, s := range u.spreads {
		h.Operators[i].Spread = s
	}
	h.Slower = moment{u.slower}
	run.Common, run.CommonVar = u.common, u.commonVar
}
