package main

import (
	"errors"
	"math"
	"slices"
)

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
