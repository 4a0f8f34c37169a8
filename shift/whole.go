package shift

import (
	"math"
	"slices"
	"time"
)

// wholeFar is how often a run strays as a whole: cold caches, a busy neighbour.
const wholeFar = 0.02

// whole looks at the common modes themselves: this run as a whole, and the query over its last runs.
func (s *sheet) whole(level float64, event func(Kind) Event) (out []Event) {
	last, counted := len(s.runs)-1, 0
	var positions []int // of the newest runs, newest last
	for i := last; i >= 0; i-- {
		if s.first[i] {
			continue
		}
		counted++
		if a := s.at[i]; last-i < 2*mostSudden && len(positions) < mostSudden && a.count >= 2 {
			positions = append(positions, i)
		}
	}
	slices.Reverse(positions)
	if len(positions) == 0 || counted < s.set.MinimumRuns+len(positions) || positions[len(positions)-1] != last {
		return nil
	}
	runs := make([]*observation, len(positions))
	for n, i := range positions {
		runs[n] = &observation{has: true, r: s.at[i].sum / s.at[i].weight, v: 1 / s.at[i].weight}
	}
	l := line{N: counted, Scale2: s.prior, LevelVar: s.prior / float64(max(counted-mostSudden, 1)), DF: s.priors.Common.DF + s.h.common.DF}
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
		first := positions[len(positions)-best.Runs]
		s.h.slower = s.end(first)
		e := event(QuerySlower)
		e.Common, e.Since, e.SinceRun = best, s.end(first), s.runs[first].id
		out = append(out, e)
	case !s.h.slower.IsZero():
		if m, v := l.measure(runs, l.weights(runs), n); len(runs) == mostSudden && m < s.least()/2 {
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
