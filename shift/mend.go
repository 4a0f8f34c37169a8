package shift

import "math"

// returned finds the standing shifts that are mended, and how large the others are now.
func (s *sheet) returned(event func(Kind) Event) []Event {
	ev := event(Resolved)
	last := len(s.runs) - 1
	for j := range s.rows {
		c := &s.rows[j]
		a := c.op.active
		if a == nil || !c.inRun(last) && !c.inFirst(last) {
			continue
		}
		a.Runs++
		if c.inFirst(last) {
			continue
		}
		if first, e := s.mended(j); first >= 0 {
			s.resolve(&ev, j, first, e)
		}
	}
	if len(ev.Changes) == 0 {
		return nil
	}
	return []Event{ev}
}

// resolve ends operator j's standing shift with the run at the position first, and adds it to the event. e is the evidence against the cost before.
func (s *sheet) resolve(ev *Event, j, first int, e Evidence) {
	c := &s.rows[j]
	a := c.op.active
	if len(ev.Changes) == 0 {
		ev.Since, ev.SinceRun = s.end(first), s.runs[first].id
		ev.Before, ev.BeforeRun = a.Since, a.SinceRun
	}
	y, _ := a.Before.at(s.cells[len(s.runs)-1][j].x)
	from, to := math.Exp(y+a.Log), math.Exp(y+e.Log)
	ev.Changes = append(ev.Changes, Change{Key: c.op.Key, Name: c.op.name, From: from, To: to, Evidence: e, CoreHours: coreHours(from, to, s.h.perWeek())})
	if math.Abs(e.Log) > restSure*e.SE {
		c.op.settle(c, s.end(first)) // against the cost before, what is left would be told as a shift of its own
	} else {
		c.op.resume(span{a.Since, s.end(first)})
	}
	s.skip[j] = true // not tested in this run: its baseline is that of the shifted cost
	c.line, c.base = a.Before, 0
}

// restSure is from how many standard errors on something is left of a shift that is over.
const restSure = 2

// How a return is found: only operators that stand shifted are asked.
const (
	returnLevel = 0.001 // of a window's test that the shift is as ever, over its first returnAsked runs
	returnAsked = 50
	returnRuns  = 8   // in the longest window: runs of few samples tell little
	fades       = 1.5 // standard errors, less than which the longest window shows nothing of the shift any more; and how many fewer they are
	fadesLess   = 0.3 // for each e-fold that the level falls by: so does the tail of a normal, three errors out
	standRuns   = 5   // by which a standing shift's size is told
)

// mended is the position of the first run of the return to the cost before the shift, -1 where there is none, and the evidence against
// that cost: not near the shifted one, nearer to the old one, and off it by what would not have been reported. It sets the shift's present size.
func (s *sheet) mended(j int) (int, Evidence) {
	c := &s.rows[j]
	a := c.op.active
	sign := math.Copysign(1, a.Log)
	// A shift that stands is asked about at each run, which may be each second: so at a level the sum of which over all runs is twice that of the first ones.
	often := max(1, square(float64(a.Runs)/returnAsked))
	level, faded := returnLevel/often, fades-fadesLess*math.Log(often)
	var old, shifted []*observation // newest first
	for n := len(c.runs) - 1; n >= 0 && len(old) < returnRuns; n-- {
		i := c.runs[n]
		o := *s.cells[i][j]
		if s.end(i).Before(a.Since) || !s.covers(j, &a.Before, &o) {
			break
		}
		y, _ := a.Before.at(o.x)
		o.r = o.y - y
		if o.cv == 0 {
			o.c, o.cv = s.at[i].without(nil, 0, s.prior)
		}
		far := o
		far.r -= a.Log
		old, shifted = append(old, &o), append(shifted, &far)
		k := len(old)
		mean, variance := a.Before.measure(old, a.Before.weights(old), c.noise)
		if k <= standRuns {
			a.Now = mean
		}
		if k > 3 && k != standRuns && k != returnRuns || !s.end(i).After(a.Since) {
			continue
		}
		se := math.Sqrt(variance)
		near := s.unreported(max(0, sign*mean), se)
		if k == 1 {
			near = sign*mean < s.least() // one run's error explains anything
		}
		if !near || sign*mean >= sign*a.Log/2 && k < returnRuns {
			continue
		}
		left := a.Before.up(shifted, -sign, c.noise)
		if left.P <= level && sign*mean < sign*a.Log/2 || k == returnRuns && sign*mean < faded*se {
			return i, Evidence{Runs: k, Log: mean, SE: se, DF: a.Before.DF, P: left.P}
		}
	}
	return -1, Evidence{}
}
