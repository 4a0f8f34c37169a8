package trial

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/planflame/planflame/phase"
)

// leastSeen is how many re-runs an interval needs: with fewer, t's quantile leaves nothing to say.
const leastSeen = 3

// steadyWithin is the change that a steady kind does not reach (SimProf, section 5).
const steadyWithin = 0.1

// Rerun is a drawn query under the change, at its old rows and its old number of runs.
type Rerun struct {
	Query int       // index of the query
	CPU   phase.Mix // CPU seconds by kind, of kinds that the query had
	Other float64   // CPU seconds of operators that the query did not have
}

// mostPart bounds what a single re-run can weigh in a kind's ratio before its own spread is
// unknown.
const mostPart = 0.9

// Verdict says what is known of a kind.
type Verdict string

// Verdicts: a steady kind changes by less than a tenth, a sensitive one by more. If the interval
// leaves both possible, the kind is open.
const (
	Steady    Verdict = "steady"
	Sensitive Verdict = "sensitive"
	Open      Verdict = "open"
)

// Change is a change of cost as a part of the old cost, 0.1 for + 10 %, with its 95 % interval.
type Change struct {
	Change float64 `json:"change"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Half is half the width of the interval.
func (c Change) Half() float64 { return (c.High - c.Low) / 2 }

// KindChange is what a kind's cost changes by.
type KindChange struct {
	Kind phase.Kind `json:"kind"`
	Cost float64    `json:"cpu_seconds"` // old, of all queries
	Seen int        `json:"seen"`        // re-runs that have it
	// Change is nil if fewer than two re-runs have the kind. Re-runs of certain queries count only
	// if all queries with the kind are certain, since they tell nothing of others.
	*Change
	Verdict Verdict `json:"verdict"`
}

// Judgement is what re-runs say about all queries.
type Judgement struct {
	Fleet  Change       `json:"fleet"`
	Cost   float64      `json:"cpu_seconds"` // old, of all queries
	Kinds  []KindChange `json:"kinds"`       // by falling cost
	Spread float64      `json:"spread"`      // standard deviation of what the ratios of kinds leave of queries' ratios, over the fleet's
}

// Judge estimates the fleet's change from the re-runs of a draw that were seen. probability has
// of every query; drawn is how many were drawn: re-runs that failed or are missing count as
// left out by chance, so they make the interval wider.
func Judge(queries []Query, probability []float64, drawn int, reruns []Rerun) (*Judgement, error) {
	if _, err := costs(queries); err != nil {
		return nil, err
	}
	if len(reruns) < leastSeen {
		return nil, fmt.Errorf("%d of %d re-runs were seen: an interval needs %d", len(reruns), drawn, leastSeen)
	}
	e := newEstimator(queries, probability, float64(len(reruns))/float64(drawn), reruns)
	ratio, se := e.fleet()
	t := quantile(max(e.free-1, 1), Level)
	return &Judgement{
		Fleet: Change{ratio - 1, ratio - t*se - 1, ratio + t*se - 1}, Cost: e.total, Spread: e.spread / ratio, Kinds: e.changes(),
	}, nil
}

// changes are the changes of all kinds that some query has.
func (e *estimator) changes() (out []KindChange) {
	for k, kind := range e.kinds {
		c := KindChange{Kind: kind, Cost: e.fleetShare[k] * e.total, Verdict: Open}
		chance := 0 // of them, drawn by chance
		for _, u := range e.units {
			if u.old[k] > 0 {
				c.Seen++
				if !u.certain {
					chance++
				}
			}
		}
		if c.Seen < 2 || chance < 2 && e.partly[k] {
			out = append(out, c)
			continue
		}
		r, half := e.kind(k)
		c.Change = &Change{r - 1, r - half - 1, r + half - 1}
		switch {
		case c.Low > -steadyWithin && c.High < steadyWithin:
			c.Verdict = Steady
		case c.Low > steadyWithin || c.High < -steadyWithin:
			c.Verdict = Sensitive
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b KindChange) int {
		switch {
		case a.Cost > b.Cost:
			return -1
		case a.Cost < b.Cost:
			return 1
		}
		return 0
	})
	return out
}

// unit is a re-run. Its costs are parts of the query's old cost.
type unit struct {
	old, now []float64 // :: kind → cost before, and under the change
	ratio    float64   // new cost over old
	weight   float64   // share of the estimate, all add up to 1
	open     float64   // 1 - the probability of having been seen
	certain  bool      // was drawn for certain
}

// estimator has the re-runs of a draw.
type estimator struct {
	kinds      []phase.Kind
	fleetShare []float64 // :: kind → share of the old cost of all queries
	// uneven :: kind → squared coefficient of variation of the old cost that re-runs show of it. It
	// is 0 if all queries with the kind are sure to be seen, and 1/n or less if n equal ones are
	// expected.
	uneven []float64
	partly []bool  // :: kind → some query with it is not drawn for certain
	total  float64 // old cost of all queries
	units  []unit
	free   float64    // re-runs that were drawn by chance
	spread float64    // standard deviation of what ratios leave, after fleet
	fit    kindRatios // from all units
}

func newEstimator(queries []Query, probability []float64, response float64, reruns []Rerun) *estimator {
	all, variance, partly := phase.Mix{}, phase.Mix{}, map[phase.Kind]bool{}
	for i, q := range queries {
		p := probability[i] * response
		for k, cpu := range q.CPU {
			all[k] += cpu
			variance[k] += cpu * cpu * (1 - p) / p
			partly[k] = partly[k] || cpu > 0 && probability[i] < 1
		}
	}
	maps.DeleteFunc(all, func(_ phase.Kind, cpu float64) bool { return cpu == 0 })
	e := &estimator{kinds: all.Kinds(), total: all.Sum()}
	for _, k := range e.kinds {
		e.fleetShare, e.uneven, e.partly = append(e.fleetShare, all[k]/e.total), append(e.uneven, variance[k]/square(all[k])), append(e.partly, partly[k])
	}
	weights := 0.
	for _, r := range reruns {
		q := queries[r.Query]
		u := unit{old: make([]float64, len(e.kinds)), now: make([]float64, len(e.kinds)), open: 1 - probability[r.Query]*response, certain: probability[r.Query] >= 1}
		u.weight = q.Cost / (1 - u.open)
		weights += u.weight
		for k, kind := range e.kinds {
			u.old[k], u.now[k] = q.CPU[kind]/q.Cost, r.CPU[kind]/q.Cost
			u.ratio += u.now[k]
		}
		u.ratio += r.Other / q.Cost
		if u.open > 0 {
			e.free++
		}
		e.units = append(e.units, u)
	}
	for i := range e.units {
		e.units[i].weight /= weights
	}
	e.fit = e.ratios(-1)
	return e
}

// kindRatios are the ratios of kinds as far as some units know them.
type kindRatios struct {
	common float64   // of all kinds
	drawn  []float64 // :: kind → its ratio, drawn towards the common one
	trust  []float64 // :: kind → weight of what was seen of it, 0 … 1
	vary   []float64 // :: kind → variance of what was seen of it, by the units' spread
}

// ratios fits the ratios of kinds to all units but one; -1 leaves none out.
//
// What a unit's kind costs is taken to vary about the ratio's prediction, with a variance in
// proportion to its share of the query. The ratios of kinds vary about the common one.
func (e *estimator) ratios(except int) (f kindRatios) {
	n := len(e.kinds)
	seen, now, squares := make([]float64, n), make([]float64, n), make([]float64, n)
	total := 0.
	for i, u := range e.units {
		if i == except {
			continue
		}
		f.common, total = f.common+u.weight*u.ratio, total+u.weight
		for k := range n {
			seen[k] += u.weight * u.old[k]
			now[k] += u.weight * u.now[k]
			squares[k] += u.weight * u.weight * u.old[k]
		}
	}
	f.common /= total
	raw, left, expected := make([]float64, n), 0., 0. // expected is what left would be if the noise is 1
	for k := range n {
		if seen[k] == 0 {
			continue
		}
		raw[k] = now[k] / seen[k]
		for i, u := range e.units {
			if i != except {
				left += u.weight * square(u.now[k]-raw[k]*u.old[k])
				part := u.old[k] / seen[k]
				expected += u.weight * (u.old[k]*(1-2*u.weight*part) + part*part*squares[k])
			}
		}
	}
	noise := 0. // variance of a unit that is all one kind
	if expected > 0 {
		noise = left / expected
	}
	f.shrink(raw, seen, squares, e.uneven, noise)
	return f
}

// shrink draws ratios towards the common one: DerSimonian and Laird's moments for the variance
// between kinds.
//
// A kind takes the common ratio if fewer than leastSeen re-runs of it are expected, even if more
// are there. Its own ratio would be missing in the draws without the kind: a bias.
func (f *kindRatios) shrink(raw, seen, squares, uneven []float64, noise float64) {
	n := len(raw)
	f.drawn, f.trust, f.vary = make([]float64, n), make([]float64, n), make([]float64, n)
	var far, precision, precision2, kinds float64
	for k := range n {
		if seen[k] == 0 || noise == 0 {
			continue
		}
		f.vary[k] = noise * squares[k] / (seen[k] * seen[k])
		p := 1 / f.vary[k]
		far, precision, precision2, kinds = far+p*square(raw[k]-f.common), precision+p, precision2+p*p, kinds+1
	}
	between := 0.
	if kinds > 1 {
		between = max(0, far-(kinds-1)) / (precision - precision2/precision)
	}
	for k := range n {
		if seen[k] > 0 && uneven[k] <= 1./leastSeen {
			f.trust[k] = 1
			if f.vary[k] > 0 {
				f.trust[k] = between / (between + f.vary[k])
			}
		}
		f.drawn[k] = f.common + f.trust[k]*(raw[k]-f.common)
	}
}

// miss is what ratios leave of a unit's own ratio.
func (f *kindRatios) miss(u *unit) float64 {
	predicted := 0.
	for k, share := range u.old {
		predicted += f.drawn[k] * share
	}
	return u.ratio - predicted
}

// fleet is the ratio of the fleet's new cost to its old one, and its standard error.
func (e *estimator) fleet() (ratio, se float64) {
	middle, n := 0., float64(len(e.units))
	for i := range e.units {
		middle += e.units[i].weight * e.fit.miss(&e.units[i])
	}
	for k, share := range e.fleetShare {
		ratio += e.fit.drawn[k] * share
	}
	variance, spread := 0., 0.
	for i := range e.units {
		u := &e.units[i]
		others := e.ratios(i)
		d := square(others.miss(u) - middle)
		variance += u.open * u.weight * u.weight * d * n / (n - 1)
		spread += u.weight * d * n / (n - 1)
	}
	e.spread = math.Sqrt(spread)
	return ratio + middle, math.Sqrt(variance)
}

// kind is the own ratio of a kind that was seen, half its 95 % interval included. It is not drawn
// towards the common one: such intervals are right of all kinds on average, and wrong of those that
// stand out. Where few re-runs have most of the kind, they count as few.
func (e *estimator) kind(k int) (ratio, half float64) {
	var seen, now, variance, squares float64
	for _, u := range e.units {
		seen, now = seen+u.weight*u.old[k], now+u.weight*u.now[k]
	}
	ratio = now / seen
	for _, u := range e.units {
		// Without this re-run the ratio would be further off, the more so the more it weighs.
		part := u.weight * u.old[k] / seen
		squares += part * part
		variance += u.open * square(u.weight*(u.now[k]-ratio*u.old[k])/seen) / (1 - min(part, mostPart))
	}
	return ratio, quantile(max(1/squares-1, 1), Level) * math.Sqrt(variance)
}

func square(x float64) float64 { return x * x }
