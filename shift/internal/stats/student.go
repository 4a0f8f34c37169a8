// Package stats is the statistics of the shift judge that are not particular to it: Student's t,
// moments of log variances, and robust location and scale. The distributions are gonum's.
package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Tail is the probability that Student's t with df degrees of freedom exceeds t.
func Tail(t, df float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: df}.Survival(t)
}

// Quantile is the value that Student's t with df degrees of freedom stays below with probability
// p, in (0, 1). More than a million degrees are the normal distribution.
func Quantile(p, df float64) float64 {
	switch {
	case df > 1e6:
		return distuv.UnitNormal.Quantile(p)
	case p < 0.5:
		return -Quantile(1-p, df)
	}
	// P(|T| > t) = I(df/(df+t²); df/2, 1/2).
	x := mathext.InvRegIncBeta(df/2, 0.5, 2*(1-p))
	return math.Sqrt(df * (1 - x) / x)
}

// Quantiles remembers quantiles of Student's t. Its degrees of freedom are rounded to an
// eighth and its tail's probability to 2 %, which changes a quantile by less than 3 % from five
// degrees of freedom on. The zero value is ready to use; it is not safe for concurrent use.
type Quantiles struct{ known map[[2]int]float64 }

// mostQuantiles bounds what is remembered: degrees of freedom end at some 150, levels vary little.
const mostQuantiles = 10_000

// Upper is the value that Student's t exceeds with probability p.
func (q *Quantiles) Upper(p, df float64) float64 {
	k := [2]int{int(math.Round(8 * min(df, 1e4))), int(math.Round(50 * math.Log(p)))}
	x, ok := q.known[k]
	if !ok {
		if q.known == nil || len(q.known) >= mostQuantiles {
			q.known = map[[2]int]float64{}
		}
		x = Quantile(1-math.Exp(float64(k[1])/50), float64(k[0])/8)
		q.known[k] = x
	}
	return x
}

// Digamma is the derivative of log Γ, at x > 0.
func Digamma(x float64) float64 { return mathext.Digamma(x) }

// Trigamma is the second derivative of log Γ, at x > 0: Hurwitz's zeta at 2.
func Trigamma(x float64) float64 { return mathext.Zeta(2, x) }

// InverseTrigamma solves Trigamma(y) = x for x > 0 by Newton steps on 1/trigamma, which is nearly
// linear (Smyth 2004, appendix).
func InverseTrigamma(x float64) float64 {
	y := 0.5 + 1/x
	for range 50 {
		t := Trigamma(y)
		d := t * (1 - t/x) / (-2 * mathext.Zeta(3, y)) // the derivative of trigamma is -2·ζ(3, y)
		y += d
		if math.Abs(d) < 1e-8*y {
			break
		}
	}
	return y
}

// LogChi2 are mean and variance of the log of χ²(df)/df.
func LogChi2(df float64) (mean, variance float64) {
	return Digamma(df/2) - math.Log(df/2), Trigamma(df / 2)
}

// ChiMedian is the median of χ²(df)/df (Wilson and Hilferty 1931).
func ChiMedian(df float64) float64 {
	q := 1 - 2/(9*df)
	return q * q * q
}
