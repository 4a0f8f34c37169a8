package shift

import (
	"math"
)

// usable is the largest variance of a log cost that is taken at all: four samples.
const usable = 0.25

// sheet is a query's plan for the length of one judgement: runs by operators.
type sheet struct {
	h      *history
	priors *Priors
	set    *Settings

	runs  []*record        // of the plan, oldest first, the run under judgement last
	ops   []int32          // indexes in h.ops
	cells [][]*observation // run × operator
	rows  []column         // by operator
	skip  []bool           // operators that have no say in the common mode of the runs under test
	quiet int              // an operator that has none in that of any run; -1
	prior float64          // variance of the query's common modes
	at    []location       // by run
	first []bool           // runs that are left out as first ones
	young []cohort         // … that count, and are not much older: whom they wait for
}

// column is what a sheet knows of one operator.
type column struct {
	op     *operator
	own    bool  // by the rows of its own, not the most of the run
	runs   []int // positions of the operator's runs, oldest first, without the sheet's first ones
	first  []int // … these
	base   int   // the first base of them are the baseline, the last ones of those are used
	line   line
	scale2 float64
	noise  noise
	coarse float64 // mean sampling variance in the baseline
}

// baseline is the positions of the runs of the baseline.
func (c *column) baseline(most int) []int {
	b := c.runs[:c.base]
	return b[max(0, len(b)-most):]
}

// tested is the positions of the newest runs, not in the baseline.
func (c *column) tested() []int { return c.runs[c.base:] }

// inRun tells that the operator has a usable cost in the newest run, at the position last, and that it is not left out as a first one.
func (c *column) inRun(last int) bool { return len(c.runs) > 0 && c.runs[len(c.runs)-1] == last }

// inFirst tells that the operator has a usable cost in the newest run, and that it is left out.
func (c *column) inFirst(last int) bool { return len(c.first) > 0 && c.first[len(c.first)-1] == last }

// newSheet lays out the newest runs of a plan up to the position last in h.records.
func newSheet(h *history, v *variant, last int, p *Priors, set *Settings) *sheet {
	s := &sheet{h: h, priors: p, set: set, quiet: -1}
	most := set.BaselineRuns + maxTested
	first := last + 1
	for n := 0; first > 0 && n < most; {
		first--
		if h.records[first].plan == v.id {
			n++
		}
	}
	for _, r := range h.records[first : last+1] {
		if r.plan == v.id {
			s.runs = append(s.runs, r)
		}
	}
	for i, o := range h.ops {
		if o != nil && o.variant == v.id {
			s.ops = append(s.ops, int32(i))
		}
	}
	s.markFirst(h.records[:last+1])
	slab := make([]observation, len(s.runs)*len(s.ops))
	s.cells = make([][]*observation, len(s.runs))
	for i := range s.runs {
		s.cells[i] = make([]*observation, len(s.ops))
		for j := range s.ops {
			s.cells[i][j] = &slab[i*len(s.ops)+j]
		}
	}
	s.rows = make([]column, len(s.ops))
	s.skip = make([]bool, len(s.ops))
	s.at = make([]location, len(s.runs))
	for j := range s.ops {
		s.lay(j)
	}
	s.prior, _ = p.Common.moderate(h.common)
	return s
}

// lay fills in the costs of operator j.
func (s *sheet) lay(j int) {
	c := &s.rows[j]
	c.op = s.h.ops[s.ops[j]]
	c.noise = s.priors.noise(c.op.spread)
	own, fallback, cells := 0, 0, 0
	for _, r := range s.runs {
		if k := r.cell(s.ops[j]); k != nil && c.op.counts(r) {
			cells++
			if k.rows > 0 {
				own++
			}
			if r.mostRows() > 0 {
				fallback++
			}
		}
	}
	c.own = 2*own >= cells && own > 0
	c.line.HasX = c.own || 5*fallback >= 4*cells && fallback > 0
	for i, r := range s.runs {
		k, o := r.cell(s.ops[j]), s.cells[i][j]
		if k == nil {
			continue
		}
		o.y, o.v = k.logCost()
		o.end = r.end
		o.has = c.op.counts(r) && o.v <= usable
		if c.line.HasX {
			rows := c.rows(r, k)
			o.has = o.has && rows > 0
			o.x = math.Log(max(rows, 1))
		}
		o.c, o.cv = r.common, r.commonVar
		switch {
		case o.has && s.first[i]:
			c.first = append(c.first, i)
		case o.has:
			c.runs = append(c.runs, i)
		}
	}
	c.base = len(c.runs) - min(max(len(c.runs)-s.set.MinimumRuns, 0), mostSudden)
	s.smooth(c, j)
	c.scale2 = s.priors.Variance.Between
	if c.op.line.N > 0 {
		c.scale2 = c.op.line.Scale2
	}
}

// rows is what the operator's cost in a run is held against; 0: not known.
func (c *column) rows(r *record, k *cell) float64 {
	if c.own {
		return k.rows
	}
	return r.mostRows()
}

// covers tells that a line says something about an observation of operator j: its rows are within the line's range, where it knows rows.
func (s *sheet) covers(j int, l *line, o *observation) bool {
	return (!l.HasX || s.rows[j].line.HasX) && l.covers(o.x, s.set.RowsMargin)
}

// smooth sets the sampling variances to their mean over the baseline, unless a run's is another by a factor of four: a run that came out
// low by chance states a larger relative error than one that came out high, and weights by it would be biased upwards. A run under test is not taken to be
// more certain than it says.
func (s *sheet) smooth(c *column, j int) {
	base := c.baseline(s.set.BaselineRuns)
	if len(base) == 0 {
		return
	}
	for _, i := range base {
		c.coarse += s.cells[i][j].v / float64(len(base))
	}
	for _, i := range c.runs[:c.base] {
		if o := s.cells[i][j]; o.v < 4*c.coarse && 4*o.v > c.coarse {
			o.v = c.coarse
		}
	}
	for _, runs := range [...][]int{c.tested(), c.first} {
		for _, i := range runs {
			o := s.cells[i][j]
			o.v = max(o.v, c.coarse)
		}
	}
}

// passes is how often lines and common modes are fitted in turn. They start from what the last judgement found.
const passes = 2

// fit fits lines, common modes and variances.
func (s *sheet) fit() {
	s.settleLines()
	for i, r := range s.runs {
		r.common, r.commonVar = s.at[i].without(nil, 0, s.prior)
		if s.at[i].count == 0 {
			r.common, r.commonVar = 0, 0
		}
	}
	s.commonSpread()
}

// settleLines fits lines and common modes in turn, then variances.
func (s *sheet) settleLines() {
	for range passes {
		for j := range s.rows {
			s.fitColumn(j)
		}
		for i := range s.runs {
			s.locate(i, nil)
		}
	}
	for j := range s.rows {
		s.spread(j, nil)
	}
}

func (s *sheet) fitColumn(j int) {
	c := &s.rows[j]
	base := s.observations(j, c.baseline(s.set.BaselineRuns))
	from := c.op.seed
	if from != nil && from.HasX != c.line.HasX {
		from = nil
	}
	c.line.N = 0
	if len(base) == 0 && from == nil {
		return
	}
	c.line.fit(base, s.slope(c.op), from, c.scale2, c.noise.rho)
	for _, runs := range [...][]int{c.runs, c.first} {
		for _, i := range runs {
			o := s.cells[i][j]
			expected, _ := c.line.at(o.x)
			o.r = o.y - expected
			// Where rows are out of range the line is no measure of the run's common mode. In the baseline they are in range.
			o.has = c.line.covers(o.x, s.set.RowsMargin)
		}
	}
}

func (s *sheet) slope(o *operator) slopePrior {
	if o.slope.Var > 0 {
		return o.slope
	}
	return s.priors.slope(o.Role())
}

func (s *sheet) observations(j int, positions []int) []*observation {
	out := make([]*observation, len(positions))
	for n, i := range positions {
		out[n] = s.cells[i][j]
	}
	return out
}

// locate finds the common mode of run i and what it is to each operator; operators of skip have no say.
func (s *sheet) locate(i int, skip []bool) {
	if skip == nil {
		skip = s.skip
	}
	scale2 := make([]float64, len(s.rows))
	blind := make([]bool, len(s.rows))
	for j := range s.rows {
		scale2[j] = s.rows[j].scale2
		blind[j] = skip[j] && !s.inBase(j, i) || s.rows[j].line.N == 0 || j == s.quiet
	}
	s.at[i] = locate(s.cells[i], scale2, s.prior, blind)
	for j, o := range s.cells[i] {
		o.c, o.cv = s.at[i].without(o, scale2[j], s.prior)
	}
}

func (s *sheet) inBase(j, i int) bool {
	c := &s.rows[j]
	return c.base > 0 && i <= c.runs[c.base-1]
}

// spread measures how operator j's errors spread over its baseline, and those of the runs beside about their own mean, and sets its between-run variance.
func (s *sheet) spread(j int, beside []int) {
	c := &s.rows[j]
	base := s.observations(j, c.baseline(s.set.BaselineRuns))
	prior := s.slope(c.op)
	sp := spread{DF: winsorDF * (float64(len(base)) - c.line.used(prior))}
	if sp.DF <= 0 {
		c.scale2, c.line.Scale2, c.line.DF = s.priors.Variance.Between, s.priors.Variance.Between, s.priors.Variance.DF
		c.op.spread = spread{}
		return
	}
	errs := make([]float64, len(base))
	for n, o := range base {
		errs[n] = o.error()
		sp.Known += (o.v + o.cv) / float64(len(base))
	}
	if len(beside) > 1 {
		others := s.observations(j, beside)
		mean := meanError(others)
		sp.Known *= float64(len(base))
		for _, o := range others {
			errs = append(errs, o.error()-mean)
			sp.Known += o.v + o.cv
		}
		sp.Known /= float64(len(errs))
		sp.DF += winsorDF * float64(len(beside)-1)
	}
	sp.Total = robustVariance(errs, sp.DF/winsorDF)
	sp.tally(errs[:len(base)])
	if c.line.HasX {
		sp.rawSlope(base, c.line)
	}
	c.op.spread = sp
	c.scale2, c.line.DF = s.priors.Variance.moderate(sp)
	c.line.Scale2 = c.scale2
}

// farAt is how far above, in standard deviations, a run is a stray: nearer, the tail of a t of heavyRun explains it.
const farAt = 6

// farBase is how many runs a baseline must have to tell a stray: in a shorter one it hides in the spread.
const farBase = 10

// tally adds up strays and neighbours.
func (sp *spread) tally(errs []float64) {
	sd := math.Sqrt(sp.Total)
	limit := winsorAt * sd
	clip := func(e float64) float64 { return min(max(e, -limit), limit) }
	for n, e := range errs {
		if e > farAt*sd {
			sp.Far++
		}
		if n > 0 {
			sp.Lag += clip(e) * clip(errs[n-1])
		}
	}
	n := float64(len(errs))
	if sp.Runs = n; len(errs) < farBase {
		sp.Runs, sp.Far = 0, 0
	}
	if len(errs) > 3 {
		// The fit's level takes Total/n off each product on average.
		sp.Lag = sp.Lag/(n-1) + sp.Total/n
	} else {
		sp.Lag = 0
	}
}

// leastRows is the sum of squared log rows about their mean below which rows are taken to be equal.
const leastRows = 1e-6

// rawSlope is the slope without its prior, for the fleet to learn from.
func (sp *spread) rawSlope(base []*observation, l line) {
	var sxx, sxy float64
	for _, o := range base {
		d := o.x - l.Centre
		w := huber(math.Abs(o.error()) / math.Sqrt(sp.Total+leastScale2))
		sxx, sxy = sxx+w*d*d, sxy+w*d*(o.error()+l.Slope*d)
	}
	if sxx > leastRows {
		sp.Slope, sp.Slopes = sxy/sxx, (sp.Total+leastScale2)/sxx
	}
}

// commonSpread measures how the runs' common modes spread. The newest runs are left out, as they may be the ones that changed.
func (s *sheet) commonSpread() {
	var values []float64
	sp := spread{}
	for i := range max(0, len(s.runs)-mostSudden) {
		if a := s.at[i]; a.count >= 2 && !s.first[i] {
			values = append(values, a.sum/a.weight)
			sp.Known += 1 / a.weight
		}
	}
	if len(values) < 2 {
		return
	}
	sp.Known /= float64(len(values))
	sp.DF = winsorDF * float64(len(values)-1)
	sp.Total = robustVariance(values, float64(len(values)-1))
	s.h.common = sp
	s.prior, _ = s.priors.Common.moderate(sp)
}
