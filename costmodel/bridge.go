package costmodel

import (
	"cmp"
	"math"
	"slices"
)

// Side is an operator in one of two runs. All figures are of one run of its query.
type Side struct {
	There     bool
	CPU       float64 // seconds
	Variance  float64 // of CPU, square seconds: of sampling, and between runs
	Sample    float64 // seconds that one sample stands for
	Rows      float64 // that it took in
	RowsKnown bool
}

// Pair is an operator of which at least one of two runs has a Side.
type Pair struct{ Old, New Side }

// Part is a part of a change, in seconds, with its standard error.
type Part struct{ Seconds, SE float64 }

// Bridge leads from the cost of an old run to the cost of a new one. Its parts sum to Change
// exactly.
type Bridge struct {
	Change Part
	Rows   Part // operators took in more rows
	Plan   Part // operators that only one of the runs has
	Run    Part // what all operators have in common: another machine, JVM, or warm-up
	Code   Part // the rest: this operator's own cost per row
	Of     []Bridge
}

// Common is a factor that the cost per row of all operators of a run has in common, as a logarithm
// with its standard error.
type Common struct{ Log, SE float64 }

// fewest is how many operators must be in both runs for a common factor to be told from their own
// changes: the median of fewer is one operator's.
const fewest = 5

// z95 is the normal distribution's quantile of a 95 % interval.
const z95 = 1.959964

// Half is half the 95 % interval of a part.
func (p Part) Half() float64 { return z95 * p.SE }

// CommonOf estimates the common factor of two runs from the operators of both: the weighted median
// of the logarithms of their costs per row. A change of some operators does not move it. Its
// standard error is the median's (1.2533 times the mean's, of a normal distribution), from the
// spread of the operators around it.
func CommonOf(pairs []Pair) Common {
	type ratio struct{ log, weight float64 }
	var all []ratio
	total, squares := 0.0, 0.0
	for _, p := range pairs {
		if !p.matched() || !p.rowsKnown() {
			continue
		}
		old, new := p.shrunk()
		if old.CPU <= 0 || new.CPU <= 0 {
			continue // no sample on either side
		}
		r := ratio{math.Log(new.CPU / new.Rows * old.Rows / old.CPU), 1 / (old.relative() + new.relative())}
		all = append(all, r)
		total, squares = total+r.weight, squares+r.weight*r.weight
	}
	if len(all) < fewest {
		return Common{}
	}
	median := func() float64 {
		slices.SortFunc(all, func(a, b ratio) int { return cmp.Compare(a.log, b.log) })
		below := 0.0
		for _, r := range all {
			if below += r.weight; below >= total/2 {
				return r.log
			}
		}
		return all[len(all)-1].log
	}
	out := Common{Log: median()}
	for i := range all {
		all[i].log = math.Abs(all[i].log - out.Log)
	}
	spread := median() / 0.6745 // a normal distribution's median deviation
	out.SE = 1.2533 * max(spread*math.Sqrt(squares)/total, math.Sqrt(1/total))
	return out
}

// Split splits the change of operators by the logarithmic mean (LMDI; Ang, Energy Policy 32, 2004).
// An operator's cost is rows × common factor × its own cost per row. A factor's part is the
// logarithmic mean of both costs times the logarithm of the factor's ratio. What few samples leave
// open is in Code, within its interval.
func Split(pairs []Pair, common Common) Bridge {
	out := Bridge{Of: make([]Bridge, len(pairs))}
	slope := 0.0 // of all operators' Run part by the common factor
	for i := range pairs {
		of, mean := pairs[i].split(common)
		out.Of[i] = of
		slope += mean
		out.Change.add(of.Change)
		out.Rows.add(of.Rows)
		out.Plan.add(of.Plan)
		out.Code.add(of.Code)
		out.Run.Seconds += of.Run.Seconds
	}
	// The error of the common factor is one for all operators, what Run has too much Code lacks.
	out.Run.SE = slope * common.SE
	out.Code.SE = math.Hypot(out.Code.SE, out.Run.SE)
	return out
}

// add adds a part whose error is independent.
func (p *Part) add(q Part) { p.Seconds, p.SE = p.Seconds+q.Seconds, math.Hypot(p.SE, q.SE) }

// split splits the change of one operator; mean is the logarithmic mean of its costs.
func (p *Pair) split(common Common) (out Bridge, mean float64) {
	out.Change = Part{p.New.CPU - p.Old.CPU, math.Sqrt(p.Old.Variance + p.New.Variance)}
	if !p.matched() {
		out.Plan = out.Change
		return out, 0
	}
	old, new := p.shrunk()
	mean = logMean(old.CPU, new.CPU)
	if mean == 0 {
		out.Code = out.Change
		return out, 0
	}
	byOld, byNew := logMeanSlopes(old.CPU, new.CPU)
	rows := 0.0
	if p.rowsKnown() {
		rows = math.Log(new.Rows / old.Rows)
	}
	byOld, byNew = byOld*old.Sensitive, byNew*new.Sensitive
	error := func(old, new float64) float64 { return math.Sqrt(old*old*p.Old.Variance + new*new*p.New.Variance) }
	out.Rows = Part{mean * rows, error(byOld*rows, byNew*rows)}
	out.Run.Seconds = mean * common.Log
	out.Code = Part{
		out.Change.Seconds - out.Rows.Seconds - out.Run.Seconds,
		error(-1-byOld*(rows+common.Log), 1-byNew*(rows+common.Log)),
	}
	return out, mean
}

func (p *Pair) matched() bool { return p.Old.There && p.New.There }

func (p *Pair) rowsKnown() bool {
	return p.Old.RowsKnown && p.New.RowsKnown && p.Old.Rows > 0 && p.New.Rows > 0
}

// shrunk is a side whose cost per row is drawn towards the one of both sides.
type shrunk struct {
	Side
	Sensitive float64 // the derivative of its CPU by the side's own
}

// shrunk draws the costs per row of both sides towards the one of both by one sample, so that a
// side without a sample has a cost.
func (p *Pair) shrunk() (old, new shrunk) {
	old, new = shrunk{p.Old, 1}, shrunk{p.New, 1}
	if !p.rowsKnown() {
		old.Rows, new.Rows = 1, 1
	}
	both := (old.CPU + new.CPU) / (old.Rows + new.Rows)
	for _, s := range []*shrunk{&old, &new} {
		if usual := both * s.Rows; usual > 0 {
			s.Sensitive = usual / (usual + s.Sample)
			s.CPU = (s.CPU + s.Sample) * s.Sensitive
		}
	}
	return old, new
}

// leastGrowth is how many times as many rows one of two runs must have for a slope: below, the
// error of a cost counts five times and more.
const leastGrowth = 1.25

// Slope returns the part of the new run's cost that grows as its rows do, by the line through both
// runs. It is 1 if there is no fixed cost, and more if cost grows faster than rows. It is not known
// if the runs have about as many rows. Another machine or JVM is taken for a slope.
func (p *Pair) Slope() (part float64, known bool) {
	if !p.matched() || !p.rowsKnown() || max(p.New.Rows/p.Old.Rows, p.Old.Rows/p.New.Rows) < leastGrowth {
		return 1, false
	}
	old, new := p.shrunk()
	if new.CPU <= 0 {
		return 1, false
	}
	return max(0, (1-old.CPU/new.CPU)/(1-old.Rows/new.Rows)), true
}

// relative is the variance of the logarithm of a side's cost.
func (s *Side) relative() float64 {
	if s.CPU <= 0 {
		return 1
	}
	return s.Variance/(s.CPU*s.CPU) + s.Sample/s.CPU
}

// logMean is the logarithmic mean of two costs: (b - a) / ln(b / a), 0 if one is 0.
func logMean(a, b float64) float64 {
	switch x := math.Log(b / a); {
	case a <= 0 || b <= 0:
		return 0
	case math.Abs(x) < 1e-6: // the limit, where the quotient is 0 / 0
		return (a + b) / 2
	default:
		return (b - a) / x
	}
}

// logMeanSlopes are the derivatives of the logarithmic mean.
func logMeanSlopes(a, b float64) (byA, byB float64) {
	x := math.Log(b / a)
	if math.Abs(x) < 1e-3 { // the limit; the terms of the quotients cancel
		return 0.5, 0.5
	}
	return ((b-a)/a - x) / (x * x), (x - (b-a)/b) / (x * x)
}
