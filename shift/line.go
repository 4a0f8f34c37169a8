package shift

import (
	"math"
)

// line is an operator's expected log CPU and how sure it is. Level is its value at the log rows
// Centre and the common mode Common. Slope is over log rows, Load over common modes.
type line struct {
	N               int     // runs of the baseline
	Level, LevelVar float64 // LevelVar: of the mean of N runs, neighbors correlated
	Slope, SlopeVar float64
	Load, LoadVar   float64
	Cross           float64 // covariance of Slope and Load
	Kappa           float64 // variance of the common modes of the baseline
	Centre, Common  float64 // weighted means of the baseline
	Low, High       float64 // range of x in the baseline
	Scale2          float64 // variance of a usual run's error: Sampling and Modes included
	Sampling, Modes float64 // mean variances of the baseline by sampling and of common modes
	DF              float64 // degrees of freedom of Scale2
	HasX            bool
}

// at is the expected log cost at log rows x and common mode c, and that expectation's variance.
func (l *line) at(x, c float64) (y, variance float64) {
	dx, dc := x-l.Centre, c-l.Common
	if !l.HasX {
		dx = 0
	}
	return l.Level + l.Slope*dx + l.Load*dc,
		l.LevelVar + l.SlopeVar*dx*dx + 2*l.Cross*dx*dc + l.leaning(dc)
}

// leaning is the variance of an operator's part in a common mode. A run that is slower than the
// runs of the baseline has another cause, and they do not tell the loading on that one. Beyond two
// standard deviations it is the prior's.
func (l *line) leaning(dc float64) float64 {
	return l.LoadVar*dc*dc + loadSD*loadSD*max(dc*dc-4*l.Kappa, 0)
}

// noise is the variance of a run's error: more than usual if the run is less sure than the
// baseline.
func (l *line) noise(sampling, mode float64) float64 {
	return l.Scale2 + max(sampling-l.Sampling, 0) + max(mode-l.Modes, 0)
}

// covers reports whether x is in the baseline's range and a margin, in logs.
func (l *line) covers(x, margin float64) bool {
	return !l.HasX || x >= l.Low-margin && x <= l.High+margin
}

// finite reports whether a stored line can be computed with.
func (l *line) finite() bool {
	for _, v := range []float64{l.Level, l.Slope, l.Load, l.Centre, l.Common, l.Low, l.High, l.Cross} {
		if math.Abs(v) > 1e3 || math.IsNaN(v) {
			return false
		}
	}
	for _, v := range []float64{l.SlopeVar, l.LoadVar, l.Kappa, l.Sampling, l.Modes} {
		if !within(v, 0, 1e3) {
			return false
		}
	}
	if l.Cross*l.Cross > l.SlopeVar*l.LoadVar*(1+1e-6)+1e-30 { // no covariance
		return false
	}
	return l.N >= 0 && l.N < 1e6 && within(l.LevelVar, 1e-15, 1e3) && within(l.Scale2, 1e-15, 1e3) && within(l.DF, 1, 1e6)
}

// slopePrior is what is known of a slope before the operator's own history; Var 0: nothing.
type slopePrior struct{ Mean, Var float64 }

// widened is a line's slope as the prior of the next baseline.
func (l *line) widened(by float64) slopePrior {
	if !l.HasX {
		return slopePrior{}
	}
	return slopePrior{Mean: l.Slope, Var: l.SlopeVar + by}
}

// seed is the line of another plan, taken over as one observation of a variance.
type seed struct {
	X, Y, Var float64
	HasX      bool
	Common    float64
}

func square(x float64) float64 { return x * x }
