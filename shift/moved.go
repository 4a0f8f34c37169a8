package shift

import (
	"math"
	"slices"
)

// Operators of a stage share loops, and the compiler decides which of two neighbors an instruction
// counts for. If it compiles again, one may look more expensive and the other cheaper by the same
// CPU. Nothing costs more then. So what is found in a stage is held against what the stage's other
// operators did in the same runs. Cost has moved if these make up for half of it or more, and all
// of them as one operator would not be reported. And a change that is a small part of another one
// in the stage is that one's shadow, not a shift.

// side is what one operator of a stage did in the runs that show a finding.
type side struct {
	j        int
	evidence Evidence
	from, to float64
	first    int // position of the first of these runs
}

// moved takes from found what was cost that moved within a stage, and tells of it.
func (g *judging) moved(found []finding) (left []finding) {
	if g.set.without("moved") {
		return found
	}
	ev := g.event(Moved)
	for len(found) > 0 {
		stage := g.ops[found[0].j].Stage
		var together, rest []finding
		for _, f := range found {
			if g.ops[f.j].Stage == stage {
				together = append(together, f)
			} else {
				rest = append(rest, f)
			}
		}
		found = rest
		sides := g.balanced(together)
		if sides == nil {
			left = append(left, g.apartFrom(together)...)
			continue
		}
		for _, d := range sides {
			s := &g.ops[d.j]
			if len(ev.Changes) == 0 {
				g.begins(&ev, s, d.first)
			}
			ev.Changes = append(ev.Changes, Change{Key: s.Key, Name: s.Name, From: d.from, To: d.to, Evidence: d.evidence,
				CoreHours: coreHours(d.from, d.to, g.h.perWeek())})
			g.settle(d.j, d.first) // a standing shift that this takes back is over
		}
	}
	g.tell(ev)
	return left
}

// apartFrom leaves out of the findings of one stage what another operator's shift explains. A
// change so small beside it may be the other's own CPU, booked one line too far. Or it is the price
// of the caches that the other emptied. Such an operator gets a new baseline, and no shift is told
// of it.
func (g *judging) apartFrom(found []finding) (left []finding) {
	type change struct {
		first int
		cpu   float64
	}
	var all []change
	for _, f := range found {
		from, to := g.fromTo(&f)
		all = append(all, change{f.first, math.Abs(to - from)})
	}
	most := slices.Clone(all)
	for j := range g.ops {
		a := g.now[j].Active
		if a == nil || g.ops[j].Stage != g.ops[found[0].j].Stage || !g.inRun(j) {
			continue
		}
		if since := slices.IndexFunc(g.runs, func(r *record) bool { return !r.End.Before(a.Since.Time) }); since >= 0 {
			y, _ := a.Before.at(g.ops[j].obs[g.last()].x, 0)
			most = append(most, change{since, math.Abs(math.Exp(y+a.Now) - math.Exp(y))})
		}
	}
	for i, f := range found {
		explained := slices.ContainsFunc(most, func(c change) bool {
			return all[i].cpu < besideShare*c.cpu && max(f.first-c.first, c.first-f.first) <= mostSudden
		})
		if explained && g.now[f.j].Active == nil && !f.evidence.Drift {
			g.settle(f.j, f.first)
		} else {
			left = append(left, f)
		}
	}
	return left
}

// balanced are the findings of one stage and what moved against them, if they add up to no change
// that would be reported; nil if not. What was found comes first, and of that what costs more.
func (g *judging) balanced(found []finding) (sides []side) {
	var from, to, up, down float64
	add := func(d side) {
		sides = append(sides, d)
		from, to = from+d.from, to+d.to
		up, down = up+max(d.to-d.from, 0), down+max(d.from-d.to, 0)
	}
	slices.SortStableFunc(found, func(a, b finding) int { return int(b.sign() - a.sign()) })
	for _, f := range found {
		if f.evidence.Drift || g.now[f.j].Active != nil {
			return nil // no step; or one on top of a shift that was told
		}
		d := side{j: f.j, evidence: f.evidence, first: f.first}
		d.from, d.to = g.fromTo(&f)
		add(d)
	}
	for j := range g.ops {
		if g.ops[j].Stage != g.ops[found[0].j].Stage || slices.ContainsFunc(found, func(f finding) bool { return f.j == j }) {
			continue
		}
		if d, ok := g.otherSide(&found[0], j); ok {
			add(d)
		}
	}
	if up == 0 || down == 0 || math.Abs(math.Log(to/from)) >= g.set.least() || math.Abs(up-down) >= max(up, down)/2 {
		return nil
	}
	return sides
}

// otherSide is what operator j did in the runs of a finding, and whether it changed the other way
// by movedSE standard errors. A standing shift of it counts by its size if it began within
// mostSudden runs of the finding: an improvement of last month hides no shift of today.
func (g *judging) otherSide(found *finding, j int) (d side, ok bool) {
	c, sign := &found.fit.cols[j], -found.sign()
	o := &c.obs[g.last()]
	if !g.inRun(j) {
		return d, false
	}
	if a := g.now[j].Active; a != nil {
		since := slices.IndexFunc(g.runs, func(r *record) bool { return !r.End.Before(a.Since.Time) })
		if sign*a.Log <= 0 || since < 0 || max(found.first-since, since-found.first) > mostSudden ||
			a.Before.HasX != c.hasX || !a.Before.covers(o.x, g.margin) {
			return d, false
		}
		y, _ := a.Before.at(o.x, 0)
		return side{j, Evidence{Runs: a.Runs, Log: a.Now, DF: a.Before.DF, P: a.P}, math.Exp(y), math.Exp(y + a.Now), since}, true
	}
	if !c.good {
		return d, false
	}
	b := found.fit.blocks(j)
	for len(b) > 0 && b[0].first < found.first {
		b = b[1:]
	}
	if len(b) == 0 {
		return d, false
	}
	s := found.fit.sample(j, b, 0)
	e := s.test(g.set)
	if !(sign*e.Log >= movedSE*e.SE) {
		return d, false
	}
	y, _ := c.at(o.x, 0)
	return side{j, e, math.Exp(y), math.Exp(y + e.Log), b[0].first}, true
}
