package shift

import (
	"cmp"
	"math"
	"slices"
)

const (
	coldPrior = 0.1 // share of cohorts in which an operator is still not compiled in its young runs, before any are known
	coldLeast = 2   // … and how many cohorts that weighs as much as
)

// cohort is whom a young run waits for: the executors that joined an application at a run of the plan, counted from 1 among those known. 1 stands for the
// application's first ones, and where nobody knows. The zero value is that of a run that waits for none.
type cohort struct {
	application string
	joined      uint16
}

// group are the young runs of one cohort in a window: where the operator is not compiled there, all of them are dear.
type group struct {
	cohort
	runs []*observation
	mean float64 // of their errors
}

// groups are the young runs among positions by cohort, the dearest first, and the other runs.
func (s *sheet) groups(j int, positions []int) (young []group, rest []*observation) {
	for _, i := range positions {
		o := s.cells[i][j]
		if s.young[i] == (cohort{}) {
			rest = append(rest, o)
			continue
		}
		at := slices.IndexFunc(young, func(g group) bool { return g.cohort == s.young[i] })
		if at < 0 {
			at = len(young)
			young = append(young, group{cohort: s.young[i]})
		}
		young[at].runs = append(young[at].runs, o)
	}
	for n := range young {
		young[n].mean = meanError(young[n].runs)
	}
	slices.SortFunc(young, func(a, b group) int { return cmp.Compare(b.mean, a.mean) })
	return young, rest
}

func meanError(runs []*observation) (mean float64) {
	for _, o := range runs {
		mean += o.error() / float64(len(runs))
	}
	return mean
}

// cold is the probability that operator j is not compiled yet in the young runs of a cohort, by those of its baseline. Where the young runs at
// positions are all those of joiners, the baseline has such cohorts run by run: those count that are dear enough to explain what is seen.
func (s *sheet) cold(j int, positions []int) float64 {
	c := &s.rows[j]
	size := meanError(s.observations(j, positions))
	if slices.ContainsFunc(positions, func(i int) bool { return s.young[i].joined == 1 }) {
		size = 0
	}
	young, _ := s.groups(j, c.baseline(s.set.BaselineRuns))
	dear := 0.
	for _, g := range young {
		if g.mean > max(s.least(), 2*math.Sqrt(c.scale2+c.coarse), size/2) {
			dear++
		}
	}
	return (coldPrior*coldLeast + dear) / (coldLeast + float64(len(young)))
}

// unlessCold is the probability of a window as dear as this one or more, where p is that without young runs that wait for the compiler: any number m
// of its cohorts may, and then the rest is as extreme as it is: P ≤ Σ C(k,m)·cold^m·P(the rest). They must besides have come near the others by
// chance, as strays must.
func (s *sheet) unlessCold(j int, positions []int, p float64) float64 {
	if !slices.ContainsFunc(positions, func(i int) bool { return s.young[i] != (cohort{}) }) {
		return p
	}
	c := &s.rows[j]
	young, rest := s.groups(j, positions)
	cold, choose := s.cold(j, positions), 1.
	near, _ := c.line.agree(s.observations(j, positions))
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

// driftUnlessCold is that of a drift, whose median only half of the runs move: so many cohorts must be cold that their young runs are the half.
func (s *sheet) driftUnlessCold(j int, positions []int, p float64) float64 {
	young, _ := s.groups(j, positions)
	slices.SortFunc(young, func(a, b group) int { return cmp.Compare(len(b.runs), len(a.runs)) })
	runs := 0
	for m, g := range young {
		if runs += len(g.runs); 2*runs >= len(positions) {
			return min(1, p+math.Pow(2, float64(len(young)))*math.Pow(s.cold(j, positions), float64(m+1)))
		}
	}
	return p
}
