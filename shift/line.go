package shift

import (
	"math"
	"slices"
	"time"
)

// observation is one operator in one run, as the fit sees it. All of it is in logs.
type observation struct {
	has bool    // the operator has a usable cost in this run
	x   float64 // log of rows; 0 where the operator is judged without rows
	y   float64 // log of CPU seconds
	v   float64 // variance of y by sampling
	r   float64 // y less the line: common mode and error
	h   float64 // weight of r in the run's common mode, 0 … 1
	c   float64 // the run's common mode as the other operators tell it
	cv  float64 // its variance
	end time.Time
}

// error is what neither the line nor the common mode explains.
func (o *observation) error() float64 { return o.r - o.c }

// slopePrior is what is known of a slope before the operator's own history: normal, mean and variance.
type slopePrior struct{ Mean, Var float64 }

// seed is a line of another plan's history taken over with a variance: one observation more.
type seed struct {
	X, Y, Var float64
	HasX      bool
	Common    float64
}

// line is y = level + slope·(x - centre), fitted over a baseline.
type line struct {
	N        int     // runs of the baseline
	Level    float64 // at Centre
	Slope    float64
	Centre   float64 // weighted mean of x
	LevelVar float64
	SlopeVar float64
	Low      float64 // range of x in the baseline
	High     float64
	Scale2   float64 // between-run variance, moderated
	DF       float64 // its degrees of freedom, the prior's included
	HasX     bool
	Common   float64 // mean common mode of the baseline's runs, as Level weighs them
}

// at is the expected log cost at x, and the variance of that expectation.
func (l *line) at(x float64) (y, variance float64) {
	if !l.HasX {
		return l.Level, l.LevelVar
	}
	d := x - l.Centre
	return l.Level + l.Slope*d, l.LevelVar + l.SlopeVar*d*d
}

// covers tells that x is within the baseline's range and a margin (of rows: 0.25 is a quarter).
func (l *line) covers(x, margin float64) bool {
	m := math.Log1p(margin)
	return !l.HasX || x >= l.Low-m && x <= l.High+m
}

// huberAt is where the weight of a residual begins to fall, in standard deviations.
const huberAt = 2

// fitSteps is the number of reweighted steps of a fit.
const fitSteps = 4

// fit fits the line to the baseline's observations, less their common modes, by weighted least squares with Huber's weights and a normal
// prior of the slope. scale2 is the between-run variance that weighs them, rho the correlation of neighbouring runs in it.
func (l *line) fit(base []*observation, slope slopePrior, from *seed, scale2, rho float64) {
	l.N = len(base)
	l.Low, l.High = math.Inf(1), math.Inf(-1)
	for _, o := range base {
		l.Low, l.High = min(l.Low, o.x), max(l.High, o.x)
	}
	if from != nil {
		l.Low, l.High = min(l.Low, from.X), max(l.High, from.X)
	}
	l.Slope = slope.Mean
	if !l.HasX {
		l.Slope, l.Low, l.High = 0, 0, 0
	}
	l.start(base, from)
	for range fitSteps {
		l.step(base, slope, from, scale2)
	}
	// Neighbouring runs that err alike count for fewer.
	l.LevelVar *= 1 + 2*rho/(1-rho)*(1-1/float64(max(l.N, 1)))
}

// start is the level by the median: a few bad runs do not move it.
func (l *line) start(base []*observation, from *seed) {
	rest := make([]float64, 0, len(base)+1)
	for _, o := range base {
		rest = append(rest, o.y-o.c-l.Slope*o.x)
	}
	if len(rest) == 0 && from != nil {
		rest = append(rest, from.Y-l.Slope*from.X)
	}
	l.Centre, l.Level = 0, median(rest)
}

func (l *line) step(base []*observation, slope slopePrior, from *seed, scale2 float64) {
	var sw, sx, sy, sc float64
	weights := make([]float64, len(base))
	for i, o := range base {
		v := o.v + o.cv + scale2
		expected, _ := l.at(o.x)
		weights[i] = huber(math.Abs(o.y-o.c-expected)/math.Sqrt(v)) / v
		sw, sx, sy, sc = sw+weights[i], sx+weights[i]*o.x, sy+weights[i]*(o.y-o.c), sc+weights[i]*o.c
	}
	if from != nil {
		w := 1 / (from.Var + scale2)
		sw, sx, sy, sc = sw+w, sx+w*from.X, sy+w*from.Y, sc+w*from.Common
	}
	if sw == 0 {
		l.LevelVar = math.Inf(1)
		return
	}
	l.Centre, l.Level, l.LevelVar, l.Common = sx/sw, sy/sw, 1/sw, sc/sw
	if !l.HasX {
		l.Centre = 0
		return
	}
	sxx, sxy := 1/slope.Var, slope.Mean/slope.Var
	for i, o := range base {
		d := o.x - l.Centre
		sxx, sxy = sxx+weights[i]*d*d, sxy+weights[i]*d*(o.y-o.c-l.Level)
	}
	l.Slope, l.SlopeVar = sxy/sxx, 1/sxx
}

// used is how many degrees of freedom the fit took: one for the level, up to one for the slope.
func (l *line) used(slope slopePrior) float64 {
	if !l.HasX {
		return 1
	}
	return 2 - min(1, l.SlopeVar/slope.Var)
}

// huber is Huber's weight of a residual of u standard deviations.
func huber(u float64) float64 {
	if u <= huberAt {
		return 1
	}
	return huberAt / u
}

// median of unsorted values, which it sorts; 0 of none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}
