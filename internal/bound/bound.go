// Package bound says how far what a test samples may lie off the truth by chance alone.
//
// A sample is a draw: it hits with a probability p, independently of the others. Bernstein's
// inequality bounds how far the hits X of n draws lie off their mean:
//
//	P(X - np ≥ d) ≤ exp(-d² / (2(np(1-p) + d/3)))
//
// Solved for the d at which the right side is Failure, it holds for each n and p; the normal
// approximation does not where np is small. A test of ten checks, both sides each, fails by chance
// less than once in 5,000 runs, and in truth far more rarely: the inequality is not tight.
//
// What is not chance is the caller's to add, with its source: the bias of a clock, or CPU that the
// hypervisor took.
package bound

import "math"

// Failure is the probability with which chance alone exceeds a bound, on one side.
const Failure = 1e-5

// Count is how far a number of hits may lie off its mean, if its variance is at most so large. The
// variance of n draws is np(1-p), and at most their mean.
func Count(variance float64) float64 {
	l := -math.Log(Failure)
	return l/3 + math.Sqrt(l*l/9+2*l*max(variance, 0))
}

// Share is how far the share of n samples may lie off its truth p.
func Share(p, n float64) float64 { return Count(n*p*(1-p)) / n }

// Weights is how far a sum of weights may lie off its mean, by its standard error and the largest
// weight. It is that many times a standard error, and a part of the largest.
func Weights(se, largest float64) float64 {
	l := -math.Log(Failure)
	return l*largest/3 + math.Sqrt(l*l*largest*largest/9+2*l*se*se)
}
