package shift

import (
	"math"
	"slices"
)

// A shift that the newest runs could not show goes into the baseline run by run, widens its spread, and in the end is the baseline. So where the newest runs of an
// operator lie off those before, longer windows are looked at, each against the runs before it alone: a two-sample test, whose variance is that within both.

// lasting is the evidence of the longer window that has most of it, P over all windows, and the line that it is against.
func (s *sheet) lasting(j int, sign float64) (best Evidence, before line) {
	best.P = 1
	bases := s.apart(j, sign)
	if len(bases) == 0 {
		return best, before
	}
	s.unheard(j, func() {
		for _, base := range bases {
			s.against(j, base, func() {
				c := &s.rows[j]
				e, ok := s.window(j, c.tested(), sign)
				if e.P = min(1, e.P/longShare); ok && e.P < best.P {
					best, before = e, c.line
				}
			})
		}
	})
	return best, before
}

// apart are the lengths of baselines after which operator j's runs, mostSudden + 1 to mostLong of them, may lie off those before: Student's t of two samples, without all
// that makes it smaller.
func (s *sheet) apart(j int, sign float64) (bases []int) {
	c := &s.rows[j]
	n := len(c.runs)
	sums, squares := make([]float64, n+1), make([]float64, n+1) // of the errors of the first so many runs
	for k, i := range c.runs {
		e := s.cells[i][j].error()
		sums[k+1], squares[k+1] = sums[k]+e, squares[k]+e*e
	}
	for base := n - mostSudden - 1; base >= max(n-mostLong, s.set.MinimumRuns); base-- {
		from := max(0, base-s.set.BaselineRuns)
		old, fresh := float64(base-from), float64(n-base)
		was, is := (sums[base]-sums[from])/old, (sums[n]-sums[base])/fresh
		within := squares[n] - squares[from] - old*was*was - fresh*is*is
		if rise := sign * (is - was); rise >= s.least() && rise >= interesting*math.Sqrt(max(within, 0)/(old+fresh-2)*(1/old+1/fresh)) {
			bases = append(bases, base)
		}
	}
	return bases
}

// unheard calls f while operator j has no say in any run's common mode: were it shifted, its own line, which takes the shift for noise, would mislead the others
// in all of them.
func (s *sheet) unheard(j int, f func()) {
	rows, at := slices.Clone(s.rows), slices.Clone(s.at)
	spreads, cells := make([]spread, len(s.rows)), make([]observation, 0, len(s.runs)*len(s.rows))
	for i := range s.rows {
		spreads[i] = s.rows[i].op.spread
	}
	for _, run := range s.cells {
		for _, o := range run {
			cells = append(cells, *o)
		}
	}
	s.quiet = j
	s.settleLines()
	f()
	s.quiet = -1
	copy(s.at, at)
	copy(s.rows, rows)
	for i := range s.rows {
		s.rows[i].op.spread = spreads[i]
	}
	for i, run := range s.cells {
		for k, o := range run {
			*o = cells[i*len(s.rows)+k]
		}
	}
}

// against calls f while operator j's baseline ends with its base-th run: with the line and the errors that follow from that, and the variance within the baseline
// and within the runs after it.
func (s *sheet) against(j, base int, f func()) {
	c := &s.rows[j]
	kept, had := *c, c.op.spread
	saved := make([]observation, len(s.runs))
	for i := range s.runs {
		saved[i] = *s.cells[i][j]
	}
	c.base = base
	s.fitColumn(j)
	s.spread(j, c.tested())
	s.fitColumn(j) // by the variance of this baseline
	f()
	*c, c.op.spread = kept, had
	for i := range s.runs {
		*s.cells[i][j] = saved[i]
	}
}
