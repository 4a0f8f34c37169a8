package trial

import (
	"errors"
	"fmt"
	"math"

	"github.com/planflame/planflame/phase"
	"gonum.org/v1/gonum/stat/distuv"
)

// DefaultSpread is the standard deviation of the log of queries' cost ratios if no earlier trial
// has told it. Measured: 0.135 from JDK 17 to 25 and 0.29 with the row-based Parquet reader, over
// 64 queries.
const DefaultSpread = 0.15

// Levels of intervals: the usual one, and SimProf's three standard deviations.
const (
	Level     = 0.95
	LevelSure = 0.997
)

// Settings say how large a draw is. One of Runs and Within is above 0.
type Settings struct {
	Name   string  // of the trial: draws of one name contain each other
	Runs   int     // re-runs
	Within float64 // half width of the 95 % interval, as a part of the fleet's new cost
	Spread float64 // standard deviation of the queries' cost ratios over their mean; 0: DefaultSpread
}

// Plan is a draw.
type Plan struct {
	Phases      []phase.Phase // members are indices of queries
	Order       []int         // of the drawn queries, as indices: a smaller draw is the beginning
	Probability []float64     // :: query → with which it was drawn, 0 … 1
	Spread      float64
	Half        float64 // half width to expect of the 95 % interval, as a part of the new cost
}

// NewPlan draws queries. Neither their order nor the order of phases matters, but for the
// numbering.
func NewPlan(queries []Query, s Settings) (*Plan, error) {
	cost, err := costs(queries)
	if err != nil {
		return nil, err
	}
	if len(queries) < leastSeen {
		return nil, fmt.Errorf("%d queries: a trial needs %d", len(queries), leastSeen)
	}
	if s.Spread == 0 {
		s.Spread = DefaultSpread
	}
	if s.Runs > 0 == (s.Within > 0) {
		return nil, errors.New("want a number of re-runs or a width of the interval")
	}
	if s.Within > 0 {
		s.Runs = RunsFor(cost, s.Spread, s.Within, Level)
	}
	if s.Runs < leastSeen {
		return nil, fmt.Errorf("%d re-runs: an interval needs %d", s.Runs, leastSeen)
	}
	mixes := make([]phase.Mix, len(queries))
	for i, q := range queries {
		mixes[i] = q.CPU
	}
	p := &Plan{Phases: phase.Find(mixes, 1), Probability: Inclusion(cost, s.Runs), Spread: s.Spread, Half: Half(cost, s.Runs, s.Spread, Level)}
	p.Order = Draw(queries, s.Name, s.Runs)
	return p, nil
}

// Draw returns the queries of a draw of n, as indices: a smaller draw of the same name is its
// beginning.
func Draw(queries []Query, name string, n int) []int {
	d := drawing{name: name}
	for _, q := range queries {
		d.ids, d.cost = append(d.ids, q.ID), append(d.cost, q.Cost)
	}
	return d.order(n)
}

// Half returns the half width to expect of an interval after n re-runs, as a part of the new cost.
// spread is the standard deviation of queries' ratios over their mean, whatever they cost.
func Half(cost []float64, n int, spread, level float64) float64 {
	variance, free := 0., -1. // degrees of freedom
	for i, p := range Inclusion(cost, n) {
		variance += cost[i] * cost[i] * (1 - p) / p
		if p < 1 {
			free += p
		}
	}
	if variance == 0 {
		return 0
	}
	return quantile(max(free, 1), level) * spread * math.Sqrt(variance) / sum(cost)
}

// RunsFor returns the least number of re-runs after which Half is within a width.
func RunsFor(cost []float64, spread, within, level float64) int {
	low, high := leastSeen-1, len(cost) // low is too few
	for low+1 < high {
		if mid := (low + high) / 2; Half(cost, mid, spread, level) <= within {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// quantile is Student's t with so many degrees of freedom that a two-sided interval of a level
// reaches to.
func quantile(free, level float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: free}.Quantile((1 + level) / 2)
}
