package shift

import (
	"math"
	"time"
)

// judging is one judgement while it is made. The view and the history stay as they are; what is to
// be remembered is in now.
type judging struct {
	*view
	fits []*fit // held out: mostSudden, mostTested, and the frozen lines
	now  []normal
	done []bool // told in this run
	out  Judgement
}

// updates is what a judgement wants the history to remember.
type updates struct {
	normals           map[int32]normal // by index in the history's operators
	spreads           map[int32]spread
	slower            time.Time // since when the query is slower
	common, commonVar float64   // of the run
	kappa             float64   // variance of common modes
	tests             int
	young             bool // the run was left out
}

// judge judges a view's newest run.
func judge(v *view) (Judgement, updates) {
	g := &judging{view: v, now: make([]normal, len(v.ops)), done: make([]bool, len(v.ops))}
	for j := range v.ops {
		g.now[j] = v.ops[j].normal
	}
	f := newFit(v, mostSudden, v.set.MinimumRuns)
	g.fits = []*fit{f}
	if !v.set.without("long") && f.apart() {
		g.fits = append(g.fits, newFit(v, mostTested, v.set.MinimumRuns))
	}
	if r := f.against(); r != nil && !v.set.without("drift") {
		g.fits = append(g.fits, r)
	}
	last := v.last()
	run := v.runs[last]
	u := updates{normals: map[int32]normal{}, spreads: map[int32]spread{}, slower: v.h.Slower.Time, kappa: f.kappa, young: v.left[last]}
	g.out = v.h.judgement(run.id())
	status := make([]Status, len(v.ops))
	for j := range v.ops {
		if status[j] = g.status(j); g.inRun(j) && (status[j] == Judged || status[j] == ShiftedCost) {
			u.tests++
		}
	}
	u.common, u.commonVar = f.common(last)
	if u.commonVar > 0 && !u.young {
		g.out.Common = Evidence{Runs: 1, Log: u.common, SE: math.Sqrt(u.commonVar), DF: modeDF}
	}
	g.returned()
	g.apply(g.moved(g.search(status)))
	g.accept()
	u.slower = g.whole()
	for j := range v.ops {
		s := &v.ops[j]
		if run.cell(s.index) != nil {
			if status[j] == ShiftedCost && g.now[j].Active == nil {
				status[j] = Judged // mended or accepted in this run
			}
			g.out.Operators = append(g.out.Operators, g.verdict(j, status[j]))
		}
		g.freeze(j)
		u.spreads[s.index] = f.spread(j)
		u.normals[s.index] = g.now[j]
	}
	return g.out, u
}

// apart reports whether the newest runs of an operator lie off the runs before, so that a long
// window may find something. Half of what is reported is enough, for its own line is another one.
func (f *fit) apart() bool {
	for j := range f.cols {
		c := &f.cols[j]
		runs := c.runs[max(0, len(c.runs)-len(c.base)-len(c.test)):]
		if len(runs) < f.set.MinimumRuns+pooledRuns {
			continue
		}
		for _, k := range [...]int{pooledRuns, mostTested} {
			var was, is float64
			n := len(runs) - min(k, len(runs)-1)
			for m, i := range runs {
				if e := f.error(i, j); m < n {
					was += e / float64(n)
				} else {
					is += e / float64(len(runs)-n)
				}
			}
			if math.Abs(is-was) > f.set.least()/2 {
				return true
			}
		}
	}
	return false
}

// event is one of the newest run.
func (g *judging) event(k Kind) Event {
	return g.h.event(k, g.runs[g.last()])
}

// tell adds an event to the judgement if it has changes.
func (g *judging) tell(e Event) {
	if len(e.Changes) > 0 {
		g.out.Events = append(g.out.Events, e)
	}
}

// inRun reports whether operator j has a usable cost in the newest run that is not left out.
func (g *judging) inRun(j int) bool {
	return g.ops[j].obs[g.last()].has && !g.left[g.last()]
}

// status says whether operator j can be judged in the newest run; "" if it is not in it.
func (g *judging) status(j int) Status {
	c, run := &g.fits[0].cols[j], g.runs[g.last()]
	k, o := run.cell(c.index), &c.obs[g.last()]
	if k == nil {
		return ""
	}
	switch {
	case o.v > usable || c.Sampling > coarsest:
		return FewSamples
	case c.hasX && c.rows(g.most[g.last()], k) == 0:
		return RowsUnknown
	case !o.has:
		return Learning
	case c.known() && !c.covers(o.x, g.margin):
		return OutOfRange
	case c.Active != nil:
		return ShiftedCost
	case !c.good || g.inRun(j) && len(c.test) == 0: // a run in its own baseline is no news
		return Learning
	}
	return Judged
}

// finding is an operator that has changed.
type finding struct {
	j        int
	fit      *fit
	evidence Evidence
	first    int // position of the first run that shows it
}

func (f *finding) sign() float64 { return math.Copysign(1, f.evidence.Log) }

// line is what the finding is against.
func (f *finding) line() *line { return &f.fit.cols[f.j].line }

// search finds the operators that changed, the strongest evidence first. Each has no say in the
// common mode for the next.
func (g *judging) search(status []Status) (found []finding) {
	if g.left[g.last()] {
		return nil
	}
	for {
		best := finding{j: -1, evidence: Evidence{P: g.level}}
		for _, f := range g.fits {
			for j := range f.cols {
				if !g.done[j] && f.cols[j].good && g.inRun(j) && (status[j] == Judged || status[j] == ShiftedCost) {
					g.strongest(f, j, &best)
				}
			}
		}
		if best.j < 0 {
			return found
		}
		g.done[best.j] = true
		for _, f := range g.fits {
			f.hush(best.j)
		}
		found = append(found, g.dated(best))
	}
}

// dated is a finding with the date of the change and the size since. What a long window found is
// held against a line that is fitted to all runs until then.
func (g *judging) dated(f finding) finding {
	if f.fit.hold == frozen {
		return f
	}
	b, r := f.fit.blocks(f.j), f.fit
	since := f.fit.date(b)
	if r.hold == mostTested {
		r = newFit(g.view, since, g.set.MinimumRuns)
		for j, done := range g.done {
			if done {
				r.hush(j)
			}
		}
		b = r.blocks(f.j)
	}
	b = b[max(0, len(b)-since):]
	s := r.sample(f.j, b, 0)
	e := s.test(g.set)
	if math.Abs(e.Log) < g.set.least() || e.Log*f.evidence.Log < 0 {
		return f
	}
	e.P, e.Runs = f.evidence.P, count(b)
	return finding{f.j, r, e, b[0].first}
}

// count is how many runs blocks are.
func count(blocks []block) (runs int) {
	for _, b := range blocks {
		runs += int(b.runs)
	}
	return runs
}

// hush takes operator j's say in the common modes of runs under test away, as it changed.
func (f *fit) hush(j int) {
	f.cols[j].quiet = true
	f.locate(f.oldest())
}

// oldest is the position of the oldest run that is held out.
func (f *fit) oldest() int {
	oldest := len(f.runs)
	for j := range f.cols {
		if t := f.cols[j].test; len(t) > 0 {
			oldest = min(oldest, t[0])
		}
	}
	return oldest
}

// strongest sets best to the window of operator j that has more evidence.
func (g *judging) strongest(f *fit, j int, best *finding) {
	all := f.blocks(j)
	if len(all) == 0 {
		return
	}
	cold := 0.
	if g.pooled {
		cold = g.fits[0].cold(j)
	}
	for _, w := range windows {
		if w.hold != f.hold || w.runs > len(all) {
			continue
		}
		b := all[len(all)-w.runs:]
		s := f.sample(j, b, cold)
		e := s.test(g.set)
		e.P, e.Drift = min(1, e.P/w.share), f.hold == frozen
		if e.P > best.evidence.P || e.P == best.evidence.P && best.j >= 0 || math.Abs(e.Log) < g.set.least() {
			continue
		}
		c := finding{j, f, e, b[0].first}
		if from, to := g.fromTo(&c); math.Abs(coreHours(from, to, g.h.perWeek())) >= g.set.MinimumCoreHours {
			c.evidence.Runs = count(b)
			*best = c
		}
	}
}

// fromTo is the CPU of a run of the newest's rows before and after a change.
func (g *judging) fromTo(f *finding) (from, to float64) {
	y, _ := f.line().at(g.ops[f.j].obs[g.last()].x, 0)
	return math.Exp(y), math.Exp(y + f.evidence.Log)
}

// freeze fixes the line that slow drift of operator j is held against, if there are runs enough.
func (g *judging) freeze(j int) {
	c, n := &g.fits[0].cols[j], &g.now[j]
	if n.Active != nil || n.Ref != nil || len(c.base) < g.set.ReferenceRuns || !n.From.Before(g.end(g.last())) || g.done[j] {
		return
	}
	l := c.line
	n.Ref, n.RefEnd = &l, moment{g.end(c.base[len(c.base)-1])}
	g.out.Fixed = append(g.out.Fixed, Fixed{Reference{c.Key, n.RefEnd.Time}, g.ids(c.base)})
}

func (g *judging) end(position int) time.Time { return g.runs[position].End.Time }

func (g *judging) ids(positions []int) (out []RunID) {
	for _, i := range positions {
		out = append(out, g.runs[i].id())
	}
	return out
}

// whole looks at the common modes themselves, as if each were an operator: this run as a whole,
// and the query over its last runs. It returns since when the query is slower.
func (g *judging) whole() (slower time.Time) {
	f, last := g.fits[0], g.last()
	slower = g.h.Slower.Time
	var b []block // newest last
	counted := 0
	for i := range f.runs {
		if g.left[i] {
			continue
		}
		counted++
		if l := f.at[i]; i > last-2*mostSudden && l.count >= 2 {
			x := block{first: i, end: g.end(i), young: g.young[i]}
			sd := math.Sqrt(f.kappa + 1/l.weight)
			x.add(l.sum/l.weight, sd, math.Sqrt(f.kappa/float64(max(counted-mostSudden, 1))))
			b = append(b, x)
		}
	}
	if len(b) == 0 || b[len(b)-1].first != last || counted < g.set.MinimumRuns+min(len(b), mostSudden) {
		return slower
	}
	b = b[max(0, len(b)-mostSudden):]
	s := sample{scale2: f.kappa, own: f.kappa, df: float64(modeDF + counted), far: commonFar, rho: g.priors.Rho, pooled: g.pooled, cold: commonFar}
	test := func(k int) Evidence {
		s.blocks = b[len(b)-k:]
		return s.test(g.set)
	}
	best, first := Evidence{P: 1}, last
	for _, w := range windows[:3] {
		if w.runs <= len(b) {
			if e := test(w.runs); e.Log > 0 && e.P/w.share < best.P {
				best, first = e, s.blocks[0].first
				best.P = min(1, best.P/w.share)
			}
		}
	}
	s.far = 0
	one := test(1)
	switch {
	case slower.IsZero() && best.P <= g.level && best.Log >= g.set.least():
		slower = g.end(first)
		e := g.event(QuerySlower)
		e.Common, e.Since, e.SinceRun = best, slower, g.runs[first].id()
		g.out.Events = append(g.out.Events, e)
	case !slower.IsZero():
		if e := test(len(b)); len(b) == mostSudden && e.Log < g.set.least()/2 {
			back := g.event(QueryRecovered)
			back.Common, back.Since = e, slower
			g.out.Events = append(g.out.Events, back)
			slower = time.Time{}
		}
	case one.P < threeSE && one.Log >= math.Log1p(g.set.MinimumEffect):
		e := g.event(RunSlower)
		e.Common, e.Since, e.SinceRun = one, g.end(last), g.runs[last].id()
		g.out.Events = append(g.out.Events, e)
	}
	return slower
}
