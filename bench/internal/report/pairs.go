package report

import (
	"math"
	"slices"
)

// Interval is the median of some ratios with the interval of the sign test: it needs nothing of the
// ratios' distribution but that they are independent. With n sorted ratios it reaches from the k-th
// smallest to the k-th largest, with k as large as a coverage of 95 % allows. Fewer than six ratios
// cannot have that coverage. Their interval is from the smallest to the largest, and Coverage says
// what it is worth.
type Interval struct {
	N        int     `json:"n"`
	Median   float64 `json:"median"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Coverage float64 `json:"coverage"`
}

// wantCoverage is what an interval covers where there are enough pairs.
const wantCoverage = 0.95

// IntervalOf is the zero interval for no ratios.
func IntervalOf(ratios []float64) Interval {
	n := len(ratios)
	if n == 0 {
		return Interval{}
	}
	sorted := slices.Sorted(slices.Values(ratios))
	k, coverage := signTest(n)
	return Interval{N: n, Median: median(sorted), Low: sorted[k-1], High: sorted[n-k], Coverage: coverage}
}

// signTest returns the rank k and the coverage 1 - 2 P(B < k), B binomial (n, ½).
func signTest(n int) (k int, coverage float64) {
	below := math.Pow(0.5, float64(n)) // P(B < 1)
	term := below
	k, coverage = 1, 1-2*below
	for {
		term *= float64(n-k+1) / float64(k) // P(B = k)
		below += term
		if 1-2*below < wantCoverage {
			return k, coverage
		}
		k, coverage = k+1, 1-2*below
	}
}

// Resolved reports whether the interval excludes that there is no difference.
func (i Interval) Resolved() bool { return i.N > 0 && (i.Low > 1 || i.High < 1) }

// Median of numbers in any order; NaN for none.
func Median(values []float64) float64 { return median(slices.Sorted(slices.Values(values))) }

func median(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
