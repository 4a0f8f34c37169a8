package shift

import (
	"math"
	"slices"
	"time"
)

// coarsest is the mean sampling variance of the baseline above which an operator is not judged: eight samples.
const coarsest = 0.125

// finding is an operator that has changed.
type finding struct {
	j        int
	evidence Evidence
	sign     float64
	before   line // what the evidence is against
}

// judge judges the sheet's newest run: tests each operator, strongest evidence first, applies what is found to the history and returns
// verdicts and events. level is that of one operator's test over all windows.
func (s *sheet) judge(level float64) (Judgement, int) {
	s.fit()
	last := len(s.runs) - 1
	run := s.runs[last]
	out := Judgement{Run: run.id, Query: s.h.query, Name: s.h.name, Labels: s.h.labels, Version: s.h.version}
	status := make([]Status, len(s.rows))
	tests := 0
	for j := range s.rows {
		if status[j] = s.status(j); s.rows[j].inRun(last) && (status[j] == Judged || status[j] == ShiftedCost) {
			tests++
		}
	}
	if a := s.at[last]; a.count > 0 && !s.newestIsFirst() {
		c, v := a.without(nil, 0, s.prior)
		out.Common = Evidence{Runs: 1, Log: c, SE: math.Sqrt(v), DF: s.priors.Common.DF + s.h.common.DF}
	}
	event := func(k Kind) Event {
		return Event{Kind: k, Time: run.end, Run: run.id, Query: s.h.query, Name: s.h.name, Labels: s.h.labels, Version: s.h.version}
	}
	out.Events = append(out.Events, s.returned(event)...)
	for _, sign := range []float64{1, -1} {
		found, moved := s.moved(s.search(status, level, sign), event)
		out.Events = append(out.Events, moved...)
		out.Events = append(out.Events, s.apply(found, event)...)
	}
	out.Events = append(out.Events, s.accept(event)...)
	out.Events = append(out.Events, s.whole(level, event)...)
	for j := range s.rows {
		if run.cell(s.ops[j]) != nil {
			if status[j] == ShiftedCost && s.rows[j].op.active == nil {
				status[j] = Judged // mended or accepted in this run
			}
			out.Operators = append(out.Operators, s.verdict(j, status[j], level))
		}
		if fixed, ok := s.keep(j); ok {
			out.Fixed = append(out.Fixed, fixed)
		}
	}
	out.Operators = append(out.Operators, s.h.standing(run.plan, run)...)
	return out, tests
}

// status says whether operator j can be judged in the newest run; "" where it is not in it.
func (s *sheet) status(j int) Status {
	c, last := &s.rows[j], len(s.runs)-1
	k := s.runs[last].cell(s.ops[j])
	if k == nil {
		return ""
	}
	_, v := k.logCost()
	switch {
	case v > usable || c.coarse > coarsest:
		return FewSamples
	case c.line.HasX && c.rows(s.runs[last], k) == 0:
		return RowsUnknown
	case !c.inRun(last) && !c.inFirst(last):
		return Learning
	case !s.cells[last][j].has:
		return OutOfRange
	case c.op.active != nil:
		return ShiftedCost
	case c.base < s.set.MinimumRuns || c.inRun(last) && s.inBase(j, last): // a run in its own baseline is no news
		return Learning
	}
	return Judged
}

// search finds the operators that changed in one direction, the strongest first, each left out of the common mode for the next.
func (s *sheet) search(status []Status, level, sign float64) (found []finding) {
	for {
		best := finding{j: -1}
		drifts := s.drifts(sign)
		for j := range s.rows {
			c := &s.rows[j]
			if s.skip[j] || !c.inRun(len(s.runs)-1) || (status[j] != Judged && status[j] != ShiftedCost) || c.base < s.set.MinimumRuns {
				continue
			}
			f := finding{j, s.sudden(j, sign), sign, c.line}
			if e, before := s.lasting(j, sign); e.P < f.evidence.P {
				f.evidence, f.before = e, before
			}
			if d := drifts[j]; d.P/driftShare < f.evidence.P && status[j] == Judged {
				d.P = min(1, d.P/driftShare)
				f.evidence, f.before = d, c.reference()
			}
			e := f.evidence
			if e.P > level || sign*e.Log < s.least() || !s.matters(f) {
				continue
			}
			if best.j < 0 || e.P < best.evidence.P || e.P == best.evidence.P && math.Abs(e.Log)/e.SE > math.Abs(best.evidence.Log)/best.evidence.SE {
				best = f
			}
		}
		if best.j < 0 {
			return found
		}
		found = append(found, best)
		s.skip[best.j] = true
		for i := s.underTest(); i < len(s.runs); i++ {
			s.locate(i, nil)
		}
	}
}

// underTest is the position of the oldest run that any operator is tested by.
func (s *sheet) underTest() int {
	oldest := len(s.runs)
	for j := range s.rows {
		if t := s.rows[j].tested(); len(t) > 0 {
			oldest = min(oldest, t[0])
		}
	}
	return oldest
}

// least is the log of the smallest estimate that is reported. A shift of exactly the minimum effect would be estimated below it half of
// the time, so two thirds are asked for.
func (s *sheet) least() float64 { return 2. / 3 * math.Log1p(s.set.MinimumEffect) }

// matters tells whether a change is worth its core-hours.
func (s *sheet) matters(f finding) bool {
	from, to := s.fromTo(f)
	return math.Abs(coreHours(from, to, s.h.perWeek())) >= s.set.MinimumCoreHours
}

// fromTo is the CPU of a run of the newest's rows before and after a change.
func (s *sheet) fromTo(f finding) (from, to float64) {
	y, _ := f.before.at(s.cells[len(s.runs)-1][f.j].x)
	return math.Exp(y), math.Exp(y + f.evidence.Log)
}

// sudden is the evidence of the window that has most of it, P over all windows.
func (s *sheet) sudden(j int, sign float64) Evidence {
	c := &s.rows[j]
	tested := c.tested()
	best := Evidence{P: 1}
	for _, w := range windows {
		if w.runs > len(tested) {
			break
		}
		e, ok := s.window(j, tested[len(tested)-w.runs:], sign)
		if !ok {
			break
		}
		e.P = min(1, e.P/w.share)
		if e.P < best.P || best.Runs == 0 {
			best = e
		}
	}
	return best
}

// window is the evidence of the runs at these positions against operator j's line; false where the rows of one are out of its range.
func (s *sheet) window(j int, positions []int, sign float64) (Evidence, bool) {
	c := &s.rows[j]
	runs := s.observations(j, positions)
	if slices.ContainsFunc(runs, func(o *observation) bool { return !o.has }) {
		return Evidence{}, false
	}
	e := c.line.up(runs, sign, c.noise)
	if sign > 0 && e.P < 1 {
		e.P = s.unlessCold(j, positions, e.P)
	}
	return e, true
}

// drifts is the evidence of each operator against its frozen reference; P 1 where there is none.
func (s *sheet) drifts(sign float64) []Evidence {
	out := make([]Evidence, len(s.rows))
	first := len(s.runs)
	for j := range s.rows {
		out[j].P = 1
		if p := s.afterReference(j); len(p) >= driftLeast {
			first = min(first, p[0])
		}
	}
	if first == len(s.runs) {
		return out
	}
	saved := make([]observation, 0, (len(s.runs)-first)*len(s.rows))
	at := slices.Clone(s.at[first:])
	for i := first; i < len(s.runs); i++ {
		for j, o := range s.cells[i] {
			saved = append(saved, *o)
			ref := s.rows[j].op.ref
			if ref == nil || !s.covers(j, ref, o) {
				o.has = false
				continue
			}
			y, _ := ref.at(o.x)
			o.r = o.y - y
		}
		s.locate(i, nil)
	}
	for j := range s.rows {
		positions := s.afterReference(j)
		if len(positions) < driftLeast || s.skip[j] {
			continue
		}
		runs := s.observations(j, positions)
		usable := runs[:0:0]
		for _, o := range runs {
			if o.has {
				usable = append(usable, o)
			}
		}
		if len(usable) >= driftLeast && usable[len(usable)-1] == s.cells[len(s.runs)-1][j] {
			l := s.rows[j].reference()
			out[j] = l.drifted(usable, sign, s.rows[j].noise)
			if sign > 0 && out[j].P < 1 {
				out[j].P = s.driftUnlessCold(j, positions, out[j].P)
			}
		}
	}
	n := 0
	for i := first; i < len(s.runs); i++ {
		for _, o := range s.cells[i] {
			*o = saved[n]
			n++
		}
	}
	copy(s.at[first:], at)
	return out
}

// reference is the frozen line, with the variance that is known now.
func (c *column) reference() line {
	l := *c.op.ref
	l.Scale2, l.DF = c.scale2, c.line.DF
	return l
}

// afterReference is the newest runs of operator j after its reference, driftRuns at most.
func (s *sheet) afterReference(j int) []int {
	c := &s.rows[j]
	if c.op.ref == nil || c.op.active != nil {
		return nil
	}
	n := len(c.runs)
	for n > 0 && len(c.runs)-n < driftRuns && s.runs[c.runs[n-1]].end.After(c.op.refEnd) {
		n--
	}
	return c.runs[n:]
}

// keep stores what the next judgement starts from, and tells the reference that it fixes.
func (s *sheet) keep(j int) (fixed Fixed, ok bool) {
	c := &s.rows[j]
	c.op.line = c.line
	if c.op.active != nil || c.op.ref != nil || c.base < s.set.ReferenceRuns || !c.op.from.Before(s.runs[len(s.runs)-1].end) {
		return Fixed{}, false
	}
	l := c.line
	c.op.ref = &l
	c.op.refEnd = s.runs[c.runs[c.base-1]].end
	return Fixed{Reference{c.op.Key, c.op.refEnd}, s.ids(c.runs[max(0, c.base-s.set.BaselineRuns):c.base])}, true
}

// verdict is what is known of operator j after the newest run.
func (s *sheet) verdict(j int, status Status, level float64) Verdict {
	c, last := &s.rows[j], len(s.runs)-1
	o, k := s.cells[last][j], s.runs[last].cell(s.ops[j])
	v := Verdict{Key: c.op.Key, Name: c.op.name, Status: status, Observed: k.cpu}
	l := c.line
	if a := c.op.active; a != nil {
		l = a.Before
		v.Active = a.standing()
		if v.Status == OutOfRange || v.Status == Judged {
			v.Status = ShiftedCost // found in this run, or out of the range of the shifted runs alone
		}
	}
	if v.Status == FewSamples || v.Status == RowsUnknown || v.Status == OutOfRange {
		return v
	}
	if l.DF == 0 || !(l.LevelVar > 0) || math.IsInf(l.LevelVar, 1) || l.N == 0 && c.op.seed == nil {
		return v
	}
	if !c.inRun(last) && !c.inFirst(last) || !s.covers(j, &l, o) {
		v.Status = OutOfRange
		return v
	}
	y, fixed := l.at(o.x)
	e := Evidence{Log: o.y - y - o.c, SE: math.Sqrt(o.v + o.cv + l.Scale2 + fixed + square(l.leans(o)) + s.firstSpread2(j)), DF: l.DF}
	v.Ratio, v.Low, v.High = e.Ratio()
	v.Expected = math.Exp(y + o.c)
	v.Detectable = s.detectable(c, level, s.least())
	return v
}

func (s *sheet) end(position int) time.Time { return s.runs[position].end }
