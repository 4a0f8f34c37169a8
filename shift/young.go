package shift

import (
	"cmp"
	"math"
	"slices"
)

const (
	coldPrior = 0.1 // share of applications in which an operator is still not compiled in its young runs, before any are known
	coldLeast = 2   // … and how many applications that weighs as much as
)

// group are the young runs of one application in a window: where the operator is not compiled there, all of them are dear.
type group struct {
	application string
	runs        []*observation
	mean        float64 // of their errors
}

// groups are the young runs among positions by application, the dearest first, and the other runs.
func (s *sheet) groups(j int, positions []int) (young []group, rest []*observation) {
	for _, i := range positions {
		o := s.cells[i][j]
		if s.young[i] == "" {
			rest = append(rest, o)
			continue
		}
		at := slices.IndexFunc(young, func(g group) bool { return g.application == s.young[i] })
		if at < 0 {
			at = len(young)
			young = append(young, group{application: s.young[i]})
		}
		young[at].runs = append(young[at].runs, o)
	}
	for n := range young {
		for _, o := range young[n].runs {
			young[n].mean += o.error() / float64(len(young[n].runs))
		}
	}
	slices.SortFunc(young, func(a, b group) int { return cmp.Compare(b.mean, a.mean) })
	return young, rest
}

// cold is the probability that operator j is not compiled yet in the young runs of an application, by those of its baseline.
func (s *sheet) cold(j int) float64 {
	c := &s.rows[j]
	young, _ := s.groups(j, c.baseline(s.set.BaselineRuns))
	dear := 0.
	for _, g := range young {
		if g.mean > max(s.least(), 2*math.Sqrt(c.scale2+c.coarse)) {
			dear++
		}
	}
	return (coldPrior*coldLeast + dear) / (coldLeast + float64(len(young)))
}

// unlessCold is the probability of a window as dear as this one or more, where p is that without young runs that wait for the compiler: any number m
// of its applications may, and then the rest is as extreme as it is: P ≤ Σ C(k,m)·cold^m·P(the rest). They must besides have come near the others by
// chance, as strays must.
func (s *sheet) unlessCold(j int, positions []int, p float64) float64 {
	if !slices.ContainsFunc(positions, func(i int) bool { return s.young[i] != "" }) {
		return p
	}
	c := &s.rows[j]
	young, rest := s.groups(j, positions)
	cold, near, choose := s.cold(j), c.line.agree(s.observations(j, positions)), 1.
	for m := 1; m <= len(young); m++ {
		choose *= cold * float64(len(young)-m+1) / float64(m)
		left := slices.Clone(rest)
		for _, g := range young[m:] {
			left = append(left, g.runs...)
		}
		if len(left) == 0 {
			return min(1, p+choose*math.Pow(near, float64(m-1)))
		}
		p += choose * math.Pow(near, float64(m)) * c.line.up(left, 1, c.noise).P
	}
	return min(1, p)
}

// driftUnlessCold is that of a drift, whose median only half of the runs move: so many applications must be cold that their young runs are the half.
func (s *sheet) driftUnlessCold(j int, positions []int, p float64) float64 {
	young, _ := s.groups(j, positions)
	slices.SortFunc(young, func(a, b group) int { return cmp.Compare(len(b.runs), len(a.runs)) })
	runs := 0
	for m, g := range young {
		if runs += len(g.runs); 2*runs >= len(positions) {
			return min(1, p+math.Pow(2, float64(len(young)))*math.Pow(s.cold(j), float64(m+1)))
		}
	}
	return p
}
