package shift

import (
	"math"
	"slices"
)

// Operators of a stage share loops, and which of two neighbours an instruction counts for is the compiler's doing: compiled anew, one may look dearer and the other cheaper
// by the same CPU (a filter 18 ms a run instead of 11, the columnar-to-row below it 17 instead of 27, after the literals of the query had changed). Nothing costs more then. So what is
// found in a stage is held against what the stage's other operators did in the same runs: where these make up for half of it or more, and all of them read as one operator
// would not be reported, cost has moved.

// movedAt is how many standard errors an operator must have changed by to count as the other side. Not found by itself, it needs fewer than at a fleet's level; one that is off
// by chance, and just that much, would hide a shift.
const movedAt = 5

// side is what one operator of a stage did in the runs that show a finding.
type side struct {
	j        int
	evidence Evidence
	from, to float64
	first    int // position of the first of these runs
}

// moved takes from found what was cost that moved within a stage, and returns the event that says so; nil where there is none.
func (s *sheet) moved(found []finding, event func(Kind) Event) (left []finding, out []Event) {
	ev := event(Moved)
	for len(found) > 0 {
		f := found[0]
		stage := s.rows[f.j].op.Stage
		same := func(g finding) bool { return s.rows[g.j].op.Stage == stage }
		var together []finding
		for _, g := range found {
			if same(g) {
				together = append(together, g)
			}
		}
		found = slices.DeleteFunc(slices.Clone(found), same)
		sides := s.balanced(together)
		if sides == nil {
			left = append(left, together...)
			continue
		}
		for _, d := range sides {
			c := &s.rows[d.j]
			if len(ev.Changes) == 0 {
				ev.Since, ev.SinceRun = s.end(d.first), s.runs[d.first].id
				if at := slices.Index(c.runs, d.first); at > 0 {
					ev.Before, ev.BeforeRun = s.end(c.runs[at-1]), s.runs[c.runs[at-1]].id
				}
			}
			ev.Changes = append(ev.Changes, Change{Key: c.op.Key, Name: c.op.name, From: d.from, To: d.to, Evidence: d.evidence, CoreHours: coreHours(d.from, d.to, s.h.perWeek())})
			c.op.settle(c, s.end(d.first)) // a standing shift that this takes back is over
			c.base, s.skip[d.j] = 0, true
		}
	}
	if len(ev.Changes) > 0 {
		out = append(out, ev)
	}
	return left, out
}

// balanced are the findings of one stage and what moved against them, where they add up to no change that would be reported; nil else. The findings come first.
func (s *sheet) balanced(found []finding) (sides []side) {
	var from, to, up, down float64
	add := func(d side) {
		sides = append(sides, d)
		from, to = from+d.from, to+d.to
		up, down = up+max(d.to-d.from, 0), down+max(d.from-d.to, 0)
	}
	for _, f := range found {
		if f.evidence.Drift || s.rows[f.j].op.active != nil {
			return nil // no step; or one on top of a shift that was told
		}
		c := &s.rows[f.j]
		d := side{j: f.j, evidence: f.evidence, first: c.runs[max(0, len(c.runs)-f.evidence.Runs)]}
		d.from, d.to = s.fromTo(f)
		add(d)
	}
	n, first, sign := len(sides), sides[0].first, found[0].sign
	for j := range s.rows {
		if s.rows[j].op.Stage != s.rows[found[0].j].op.Stage || slices.ContainsFunc(found, func(f finding) bool { return f.j == j }) {
			continue
		}
		if d, ok := s.otherSide(j, first, -sign, found[0].j); ok {
			add(d)
		}
	}
	if len(sides) == n || !(from > 0) || math.Abs(math.Log(to/from)) >= s.least() || math.Abs(up-down) >= max(up, down)/2 {
		return nil
	}
	return sides
}

// otherSide is what operator j did from the run at the position first on, and whether it changed in the direction sign by movedAt standard errors; a shift of it
// that stands counts by its size where it began within mostSudden runs of first: an improvement of last month hides no shift of today. finder has no say in the common mode.
func (s *sheet) otherSide(j, first int, sign float64, finder int) (d side, ok bool) {
	c, last := &s.rows[j], len(s.runs)-1
	if !c.inRun(last) || c.line.N == 0 || c.line.DF == 0 {
		return d, false
	}
	o := s.cells[last][j]
	if a := c.op.active; a != nil {
		since := slices.IndexFunc(s.runs, func(r *record) bool { return !r.end.Before(a.Since) })
		if sign*a.Log <= 0 || since < 0 || max(first-since, since-first) > mostSudden || !s.covers(j, &a.Before, o) {
			return d, false
		}
		y, _ := a.Before.at(o.x)
		return side{j, Evidence{Runs: a.Runs, Log: a.Now, DF: a.Before.DF, P: a.P}, math.Exp(y), math.Exp(y + a.Now), since}, true
	}
	at, _ := slices.BinarySearch(c.runs, first)
	if at < s.set.MinimumRuns || at == len(c.runs) {
		return d, false
	}
	measure := func() {
		e, fits := s.window(j, c.runs[at:], sign)
		if !fits || !(sign*e.Log >= movedAt*e.SE) {
			return
		}
		y, _ := c.line.at(o.x)
		d, ok = side{j, e, math.Exp(y), math.Exp(y + e.Log), c.runs[at]}, true
	}
	if at >= c.base {
		measure()
		return d, ok
	}
	s.unheard(finder, func() { s.against(j, at, measure) })
	return d, ok
}
