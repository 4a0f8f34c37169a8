package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/planflame/planflame/phase"
	"github.com/planflame/planflame/trial"
)

// fleet is queries before and under a change, all of them.
type fleet struct {
	queries  []trial.Query
	after    []trial.Rerun
	x, y     []float64 // costs
	old, now float64   // sums of them
	phases   []phase.Phase
	kinds    map[phase.Kind]float64 // true change of each
}

func newFleet(queries []trial.Query, after []trial.Rerun) *fleet {
	f := &fleet{queries: queries, after: after, kinds: map[phase.Kind]float64{}}
	before, under, mixes := phase.Mix{}, phase.Mix{}, make([]phase.Mix, len(queries))
	for i, q := range queries {
		x, y := q.Cost, after[i].CPU.Sum()+after[i].Other
		f.x, f.y, f.old, f.now, mixes[i] = append(f.x, x), append(f.y, y), f.old+x, f.now+y, q.CPU
		for k := range q.CPU {
			before[k] += q.CPU[k]
			under[k] += after[i].CPU[k]
		}
	}
	for k := range before {
		f.kinds[k] = under[k]/before[k] - 1
	}
	f.phases = phase.Find(mixes, 1)
	return f
}

// draw is the random source of one draw, and its name.
type draw struct {
	random *rand.Rand
	name   string
}

// designs estimate the new cost of all queries from n re-runs.
var designs = []struct {
	name     string
	estimate func(f *fleet, n int, d draw) float64
}{
	{"random_mean", func(f *fleet, n int, d draw) float64 {
		drawn := d.random.Perm(len(f.x))[:n]
		return float64(len(f.x)) * of(f.y, drawn) / float64(n)
	}},
	{"strata_mean", strataMean},
	{"top_ratio", func(f *fleet, n int, _ draw) float64 {
		order := make([]int, len(f.x))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(f.x[b], f.x[a]) })
		return f.ratio(order[:n], nil)
	}},
	{"random_ratio", func(f *fleet, n int, d draw) float64 { return f.ratio(d.random.Perm(len(f.x))[:n], nil) }},
	{"cost_ratio", func(f *fleet, n int, d draw) float64 {
		return f.ratio(trial.Draw(f.queries, d.name, n), trial.Inclusion(f.x, n))
	}},
}

// ratio is the ratio estimate of the new cost; nil: all were drawn with one probability.
func (f *fleet) ratio(drawn []int, probability []float64) float64 {
	var x, y float64
	for _, i := range drawn {
		w := 1.
		if probability != nil {
			w = 1 / probability[i]
		}
		x, y = x+w*f.x[i], y+w*f.y[i]
	}
	return f.old * y / x
}

func of(values []float64, drawn []int) (sum float64) {
	for _, i := range drawn {
		sum += values[i]
	}
	return sum
}

// strataMean draws in phases as strata and adds up the strata's mean costs times their sizes. How
// many it draws of each is Neyman's allocation by the spread of the old cost, and one at least.
func strataMean(f *fleet, n int, d draw) float64 {
	take := neyman(f, n)
	sum := 0.
	for h, p := range f.phases {
		drawn := slices.Clone(p.Members)
		d.random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
		drawn = drawn[:take[h]]
		sum += float64(len(p.Members)) * of(f.y, drawn) / float64(len(drawn))
	}
	return sum
}

// neyman gives each phase re-runs in proportion to its members times their spread: one, then one by
// one to who has fewest of what it should have.
func neyman(f *fleet, n int) []int {
	take, want := make([]int, len(f.phases)), make([]float64, len(f.phases))
	for h, p := range f.phases {
		mean, squares := of(f.x, p.Members)/float64(len(p.Members)), 0.
		for _, i := range p.Members {
			squares += (f.x[i] - mean) * (f.x[i] - mean)
		}
		take[h], want[h] = 1, math.Sqrt(float64(len(p.Members))*squares)+1e-12
		n--
	}
	for ; n > 0; n-- {
		best := -1
		for h, p := range f.phases {
			if take[h] < len(p.Members) && (best < 0 || float64(take[h])/want[h] < float64(take[best])/want[best]) {
				best = h
			}
		}
		if best < 0 {
			break
		}
		take[best]++
	}
	return take
}
