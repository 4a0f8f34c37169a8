package shift

import (
	"cmp"
	"math"
	"slices"

	"github.com/planflame/planflame/shift/internal/stats"
)

// passes is how often lines, common modes and variances are fitted in turn, and leastLoad guards a
// division: an operator that hardly follows the run says little of it.
const (
	passes    = 2
	leastLoad = 0.3
)

// fit is the model fitted to a view with the newest observations of each operator held out.
type fit struct {
	*view
	hold  int
	cols  []column
	c, cv [][]float64 // common mode and its variance as the other operators tell them: run × operator
	at    []location  // … as all do: by run
	kappa float64     // variance of the runs' common modes
	from  int         // position of the first run that any operator needs
}

// column is one operator in a fit.
type column struct {
	*series
	line
	good       bool    // the baseline is long enough to test against
	quiet      bool    // the operator changed: no say in the common mode of runs under test
	base, test []int   // positions of runs
	raw, df    float64 // variance of the baseline's errors, and its degrees of freedom
}

// location is the common mode of a run: the precision of the operators that agree and their mean.
type location struct {
	weight, sum float64
	count       int
}

func newFit(v *view, hold, least int) *fit {
	f := &fit{view: v, hold: hold, kappa: 0.04 * 0.04}
	f.cols, f.from = make([]column, len(v.ops)), len(v.runs)
	f.room()
	for j := range v.ops {
		s := &v.ops[j]
		n := v.split(s, hold, least)
		c := &f.cols[j]
		c.series, c.base, c.test = s, s.runs[max(0, n-v.set.BaselineRuns):n], s.runs[n:]
		c.good = len(c.base) >= v.set.MinimumRuns
		c.start(v.priors)
		for _, runs := range [...][]int{c.base, c.test} {
			if len(runs) > 0 {
				f.from = min(f.from, runs[0])
			}
		}
	}
	for range passes {
		for j := range f.cols {
			f.cols[j].line.N = len(f.cols[j].base)
			f.regress(j)
		}
		f.locate(f.from)
		f.spreadModes()
		for j := range f.cols {
			f.moderate(j)
		}
	}
	return f
}

// room makes room for common modes.
func (f *fit) room() {
	n, m := len(f.runs), len(f.ops)
	slab := make([]float64, 2*n*m)
	f.c, f.cv, f.at = make([][]float64, n), make([][]float64, n), make([]location, n)
	for i := range n {
		f.c[i], f.cv[i] = slab[2*i*m:(2*i+1)*m], slab[(2*i+1)*m:(2*i+2)*m]
	}
}

// start is what is known of the line before it is fitted.
func (c *column) start(p *Priors) {
	c.HasX, c.Load, c.Low, c.High = c.hasX, 1, math.Inf(1), math.Inf(-1)
	for _, i := range c.base {
		o := &c.obs[i]
		c.Sampling += o.v / float64(len(c.base))
		c.Low, c.High = min(c.Low, o.x), max(c.High, o.x)
	}
	if s := c.seedLine(); s != nil {
		c.Low, c.High = min(c.Low, s.X), max(c.High, s.X)
	}
	c.Scale2 = p.Between + c.Sampling
}

// seedLine is what another plan knew of the operator; nil if nothing.
func (c *column) seedLine() *seed {
	if s := c.Seed; s != nil && s.HasX == c.hasX {
		return s
	}
	return nil
}

// known reports whether anything is known of the operator's cost.
func (c *column) known() bool { return len(c.base) > 0 || c.seedLine() != nil }

// regress fits operator j's level, slope and loading over its baseline: ridge regression with
// Huber's weights. A seed is one observation more.
func (f *fit) regress(j int) {
	c := &f.cols[j]
	if !c.known() {
		return
	}
	type point struct{ x, y, c, w float64 }
	points := make([]point, 0, len(c.base)+1)
	for _, i := range c.base {
		o := &c.obs[i]
		p := point{o.x, o.y, f.c[i][j], 1}
		if c.DF > 0 && !f.set.without("huber") {
			y, _ := c.at(o.x, f.c[i][j])
			p.w = stats.Huber(math.Abs(o.y-y) / math.Sqrt(c.Scale2))
		}
		points = append(points, p)
	}
	if s := c.seedLine(); s != nil {
		points = append(points, point{s.X, s.Y, s.Common, c.Scale2 / (c.Scale2 + s.Var)})
	}
	var w, x, y, m float64
	for _, p := range points {
		w, x, y, m = w+p.w, x+p.w*p.x, y+p.w*p.y, m+p.w*p.c
	}
	c.Centre, c.Level, c.Common = x/w, y/w, m/w
	if !c.HasX {
		c.Centre = 0
	}
	prior := c.normal.Slope
	if prior.Var == 0 {
		prior = slopePrior{slopeMean, slopeSD * slopeSD}
	}
	pb, pl := c.Scale2/prior.Var, c.Scale2/(loadSD*loadSD)
	if f.set.without("loading") {
		pl = 1e9
	}
	bb, bl, ll, by, ly := pb, 0., pl, pb*prior.Mean, pl
	for _, p := range points {
		dx, dc, dy := p.x-c.Centre, p.c-c.Common, p.y-c.Level
		if !c.HasX {
			dx = 0
		}
		bb, bl, ll = bb+p.w*dx*dx, bl+p.w*dx*dc, ll+p.w*dc*dc
		by, ly = by+p.w*dx*dy, ly+p.w*dc*dy
	}
	d := bb*ll - bl*bl
	c.Slope, c.Load = (ll*by-bl*ly)/d, (bb*ly-bl*by)/d
	c.SlopeVar, c.LoadVar, c.Cross = c.Scale2*ll/d, c.Scale2*bb/d, -c.Scale2*bl/d
	if !c.HasX {
		c.Slope, c.SlopeVar, c.Cross = 0, 0, 0
	}
	used := 3 - min(1, pl*bb/d)
	if c.HasX {
		used -= min(1, pb*ll/d)
	} else {
		used--
	}
	c.df = stats.WinsorDF * max(float64(len(c.base))-used, 0)
}

// moderate sets operator j's variance: the variance of its errors, drawn towards the fleet's. What
// sampling and the common modes add to the prior is known.
func (f *fit) moderate(j int) {
	c := &f.cols[j]
	if !c.known() {
		return
	}
	if c.Modes, c.Kappa = 0, f.kappa; f.set.without("leaning") {
		c.Kappa = math.Inf(1)
	}
	errs := make([]float64, len(c.base))
	for n, i := range c.base {
		errs[n] = f.error(i, j)
		c.Modes += f.cv[i][j] / float64(len(c.base))
	}
	n := float64(len(c.base))
	c.raw = stats.Variance(errs, c.df/stats.WinsorDF)
	known := c.Sampling + c.Modes
	prior := f.priors.Between + known
	df := min(f.priors.DF*square(prior/f.priors.Between), mostDF)
	if f.set.without("satterthwaite") {
		df = f.priors.DF
	}
	if f.alone() || f.priors.Operators < fitLeast {
		// Alone, the runs' variance is the operator's. Without a fleet no one knows how large the
		// part between runs is.
		df = defaultPriors().DF
	}
	if f.set.without("moderation") && c.df > 0 {
		df = 0
	}
	c.DF = max(c.df+df, 1)
	c.Scale2 = max((df*prior+c.df*c.raw)/(df+c.df), 1e-8)
	if n > 0 {
		groups := 1.
		for k := 1; k < len(c.base); k++ {
			if f.group[c.base[k]] != f.group[c.base[k-1]] {
				groups++
			}
		}
		n = groups
	}
	rho := f.rho() * c.between() / c.Scale2
	n *= (1 - rho) / (1 + rho)
	if len(c.base) > 0 {
		n = max(n, 1)
	}
	if s := c.seedLine(); s != nil {
		n += c.Scale2 / (c.Scale2 + s.Var)
	}
	c.LevelVar = c.Scale2 / n
}

// rho is the correlation of neighboring runs' errors.
func (v *view) rho() float64 {
	if v.set.without("correlation") {
		return 0
	}
	return v.priors.Rho
}

// between is the part of the variance that neighbors share some of.
func (l *line) between() float64 { return max(l.Scale2-l.Sampling-l.Modes, 0) }

// alone reports whether nothing tells a slow run from a slow operator.
func (f *fit) alone() bool { return len(f.cols) < 2 }

// error is what neither the line nor the common mode explains.
func (f *fit) error(i, j int) float64 {
	c := &f.cols[j]
	y, _ := c.at(c.obs[i].x, f.c[i][j])
	return c.obs[i].y - y
}

// heard reports whether operator j has a say in the common mode of run i.
func (f *fit) heard(i, j int) bool {
	c := &f.cols[j]
	return c.good && c.obs[i].has && !(c.quiet && (len(c.base) == 0 || i > c.base[len(c.base)-1])) &&
		c.covers(c.obs[i].x, f.margin)
}

// locate finds the common modes of the runs from the position first on.
func (f *fit) locate(first int) {
	m := len(f.cols)
	u, w := make([]float64, m), make([]float64, m)
	order := make([]int, 0, m)
	for i := first; i < len(f.runs); i++ {
		order = order[:0]
		for j := range f.cols {
			if w[j] = 0; !f.heard(i, j) {
				continue
			}
			c := &f.cols[j]
			o := &c.obs[i]
			load := max(c.Load, leastLoad)
			y, _ := c.at(o.x, 0)
			dx := o.x - c.Centre
			if !c.HasX {
				dx = 0
			}
			u[j], w[j] = (o.y-y)/load, load*load/(c.noise(o.v, 0)+c.SlopeVar*dx*dx)
			order = append(order, j)
		}
		f.at[i] = f.agree(u, w, order)
		l := f.at[i]
		for j := range f.cols {
			f.c[i][j], f.cv[i][j] = f.shrunk(l.weight-w[j], l.sum-w[j]*u[j], l.weight)
		}
	}
}

// agree is where operators agree: u are the run's common mode by each, w their precisions, which it
// turns into their weights. It starts at the weighted median.
func (f *fit) agree(u, w []float64, order []int) (l location) {
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(u[a], u[b]) })
	total, below, middle := 0., 0., 0.
	for _, j := range order {
		total += w[j]
	}
	for _, j := range order {
		if below += w[j]; below >= total/2 {
			middle = u[j]
			break
		}
	}
	for _, j := range order {
		// How well the operators' loadings are known counts, the more the further off the run is.
		c := &f.cols[j]
		w[j] = 1 / (1/w[j] + c.leaning(middle-c.Common)/square(max(c.Load, leastLoad)))
		w[j] *= stats.Bisquare((u[j] - middle) * math.Sqrt(w[j]))
		if w[j] > 0 {
			l.weight, l.sum, l.count = l.weight+w[j], l.sum+w[j]*u[j], l.count+1
		}
	}
	if f.set.without("common") {
		return location{}
	}
	return l
}

// shrunk is the common mode by operators of a precision, and its variance: drawn towards 0 by a t.
func (f *fit) shrunk(weight, sum, of float64) (c, variance float64) {
	switch {
	case f.alone(): // what runs have in common is the operator's error
		return 0, 0
	case weight <= 1e-9*of || weight <= 0:
		return 0, f.kappa
	}
	p := (modeDF + 1) / (modeDF*f.kappa + square(sum/weight))
	return sum / (weight + p), 1 / (weight + p)
}

// common is the common mode of run i by all operators; the variance is 0 if no one knows.
func (f *fit) common(i int) (c, variance float64) {
	if l := f.at[i]; l.count > 0 {
		return f.shrunk(l.weight, l.sum, l.weight)
	}
	return 0, 0
}

// spreadModes measures the variance of common modes, without the newest runs: these may be the ones
// that changed.
func (f *fit) spreadModes() {
	var squares []float64
	for i := f.from; i < len(f.runs); i++ {
		if l := f.at[i]; i < max(len(f.runs)-mostSudden, f.set.MinimumRuns) && !f.left[i] && l.weight > 0 {
			squares = append(squares, square(l.sum/l.weight))
		}
	}
	if len(squares) > 1 {
		f.kappa = max(stats.Median(squares)/stats.MedianSquare, 1e-4)
	}
}

// spread is how operator j's errors spread over the baseline, for the fleet's priors.
func (f *fit) spread(j int) spread {
	c := &f.cols[j]
	if c.df <= 0 {
		return spread{}
	}
	s := spread{DF: c.df, Total: c.raw, Known: c.Sampling + c.Modes, Runs: float64(len(c.base)), Pooled: f.pooled}
	sd, last := math.Sqrt(c.raw), 0.
	limit := stats.WinsorAt * sd
	for n, i := range c.base {
		e := f.error(i, j)
		if e > strayAt*sd {
			s.Far++
		}
		e = min(max(e, -limit), limit)
		if n > 0 {
			s.Lag += e * last / (s.Runs - 1)
		}
		last = e
	}
	// The baseline's own mean draws neighbors apart: E[r] = ρ - (1+4ρ)/n (Kendall 1954).
	if n := s.Runs; n > 8 {
		s.Lag = (s.Lag + c.raw/n) / (1 - 4/n)
	} else {
		s.Lag = 0
	}
	return s
}

// against is the fit with the operators' frozen lines in the place of their own, for drift; nil if
// there is none.
func (f *fit) against() *fit {
	r := *f
	r.hold, r.cols = frozen, make([]column, len(f.cols))
	any := false
	for j := range f.cols {
		c := f.cols[j]
		if c.good = c.Ref != nil && c.good && c.Active == nil; !c.good {
			c.base, c.test = nil, nil
			r.cols[j] = c
			continue
		}
		any = true
		s2, sampling, modes, df := c.Scale2, c.Sampling, c.Modes, c.DF
		c.line = *c.Ref
		c.Scale2, c.Sampling, c.Modes, c.DF = s2, sampling, modes, df
		n := len(c.runs)
		for n > 0 && f.runs[c.runs[n-1]].End.After(c.RefEnd.Time) {
			n--
		}
		c.base, c.test = c.runs[:n], c.runs[max(n, len(c.runs)-pooledRuns):]
		r.cols[j] = c
	}
	if !any {
		return nil
	}
	r.room()
	r.from = r.oldest()
	r.locate(r.from)
	return &r
}
