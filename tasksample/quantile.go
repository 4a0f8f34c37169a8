package tasksample

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// studentQuantile is the value that Student's t with df > 0 degrees of freedom stays below with
// probability p; +Inf df is the normal distribution.
func studentQuantile(p, df float64) float64 {
	if df > 1e6 {
		return mathext.NormalQuantile(p)
	}
	if p < 0.5 {
		return -studentQuantile(1-p, df)
	}
	// P(|T| > t) = I(df/(df+t²); df/2, 1/2).
	x := betaQuantile(2*(1-p), df/2, 0.5)
	return math.Sqrt(df * (1 - x) / x)
}

// betaQuantile is the value that a beta variable of shape a, b stays below with probability p.
func betaQuantile(p, a, b float64) float64 { return mathext.InvRegIncBeta(a, b, p) }
