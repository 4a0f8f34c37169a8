package main

import (
	"errors"
	"math"
	"slices"
)

// interval is the median of some ratios with the interval of the sign test: it needs nothing of the
// ratios' distribution but that they are independent. With n sorted ratios it reaches from the k-th
// smallest to the k-th largest, k as large as a coverage of 95 % allows; fewer than six cannot have
// that, so theirs is from the smallest to the largest and Coverage says what it is worth.
type interval struct {
	N        int     `json:"n"`
	Median   float64 `json:"median"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Coverage float64 `json:"coverage"`
}

// wantCoverage is what an interval covers where there are enough pairs.
const wantCoverage = 0.95

// intervalOf is the zero interval for no ratios.
func intervalOf(ratios []float64) interval {
	n := len(ratios)
	if n == 0 {
		return interval{}
	}
	sorted := slices.Sorted(slices.Values(ratios))
	k, coverage := signTest(n)
	return interval{N: n, Median: median(sorted), Low: sorted[k-1], High: sorted[n-k], Coverage: coverage}
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

// resolved tells whether the interval excludes that there is no difference.
func (i interval) resolved() bool { return i.N > 0 && (i.Low > 1 || i.High < 1) }

// median of ascending numbers; NaN for none.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func medianOf(values []float64) float64 { return median(slices.Sorted(slices.Values(values))) }

// point is one observation of a regression: within a group, what is not x is held to be the same.
type point struct {
	Group int     `json:"round"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
}

// line is y = x × Slope + a constant of the group.
type line struct {
	Slope float64 `json:"slope"`
	SE    float64 `json:"se"` // jackknife over groups; 0 with one group
	N     int     `json:"n"`
}

// fit is ordinary least squares with a constant for each group.
func fit(points []point) (line, error) {
	slope, ok := slopeWithout(points, func(int) bool { return false })
	if !ok {
		return line{}, errors.New("regression: x is the same in all points of each group")
	}
	out := line{Slope: slope, N: len(points)}
	var groups []int
	for _, p := range points {
		if !slices.Contains(groups, p.Group) {
			groups = append(groups, p.Group)
		}
	}
	var left []float64
	for _, g := range groups {
		if s, ok := slopeWithout(points, func(group int) bool { return group == g }); ok {
			left = append(left, s)
		}
	}
	if n := float64(len(left)); n > 1 {
		var mean, sum float64
		for _, s := range left {
			mean += s / n
		}
		for _, s := range left {
			sum += (s - mean) * (s - mean)
		}
		out.SE = math.Sqrt(sum * (n - 1) / n)
	}
	return out, nil
}

// slopeWithout leaves out some groups; false: x does not vary in the others.
func slopeWithout(points []point, out func(group int) bool) (float64, bool) {
	type sums struct{ n, x, y float64 }
	means := map[int]*sums{}
	for _, p := range points {
		if out(p.Group) {
			continue
		}
		if means[p.Group] == nil {
			means[p.Group] = &sums{}
		}
		m := means[p.Group]
		m.n, m.x, m.y = m.n+1, m.x+p.X, m.y+p.Y
	}
	var xy, xx float64
	for _, p := range points {
		if m := means[p.Group]; m != nil {
			dx := p.X - m.x/m.n
			xy += dx * (p.Y - m.y/m.n)
			xx += dx * dx
		}
	}
	return xy / xx, xx > 0
}
