package costmodel

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// Constants of the fit.
const (
	iterations = 60
	tolerance  = 1e-3 // of the largest change of a prediction, as a logarithm
	// huber is the residual, in standard deviations, from which on an operator weighs less: 95 %
	// as efficient as least squares if residuals are normal (Huber, Robust Statistics, 1981).
	huber = 1.345
	// interactions shrink more than what all roles have in common.
	interactionRidge = 3
	// longestStep bounds the change of a prediction, as a logarithm, in an iteration: counts of 0
	// would let it run away.
	longestStep = 1.5
	folds       = 8
)

// ridges are the strengths of shrinkage that Fit chooses from.
var ridges = []float64{0.3, 1, 3, 10}

// ErrFew is the error of a fit on too few operators.
var ErrFew = errors.New("too few operators for a model")

// fewestToFit is how many operators a fit needs: about as many as a few queries have.
const fewestToFit = 50

// Fit fits a model. Counts of samples have the mean rows × CPU per row ÷ seconds a sample, and the
// variance μ + φμ²; so operators without a sample count, too. The strength of shrinkage is the one
// that predicts left-out groups best, and the model's interval is the one of left-out groups.
func Fit(operators []Operator) (*Model, error) {
	ridge, held, err := choose(operators)
	if err != nil {
		return nil, err
	}
	m, err := fit(operators, ridge)
	if err != nil {
		return nil, err
	}
	m.interval(held)
	return m, nil
}

// enoughOfRole is how many operators of a role tell its own interval: beyond its quantiles is one.
const enoughOfRole = 40

// interval sets the intervals from the ratios of cost to prediction by role.
func (m *Model) interval(held map[string][]float64) {
	var all []float64
	m.Roles = map[string][2]float64{}
	for role, ratios := range held {
		all = append(all, ratios...)
		if len(ratios) >= enoughOfRole {
			slices.Sort(ratios)
			m.Roles[role] = [2]float64{quantile(ratios, 0.025), quantile(ratios, 0.975)}
		}
	}
	slices.Sort(all)
	m.Low, m.High = quantile(all, 0.025), quantile(all, 0.975)
}

// choose chooses the ridge, and returns with it the ratios of cost to prediction of operators of
// left-out groups, by role.
func choose(operators []Operator) (best float64, held map[string][]float64, err error) {
	if len(operators) < fewestToFit {
		return 0, nil, fmt.Errorf("%w: %d, at least %d", ErrFew, len(operators), fewestToFit)
	}
	if !slices.ContainsFunc(operators, func(o Operator) bool { return o.Group != operators[0].Group }) {
		return 0, nil, fmt.Errorf("%w: all of them of one query", ErrFew)
	}
	bestLoss := math.Inf(1)
	for _, ridge := range ridges {
		predictions, err := crossed(operators, ridge)
		if err != nil {
			return 0, nil, err
		}
		loss, ratios := 0.0, map[string][]float64{}
		for i := range operators {
			o := &operators[i]
			expected := predictions[i] * o.Rows / o.Sample
			loss += math.Abs(math.Log((o.Samples + 1) / (expected + 1))) // factors; few samples weigh little
			if max(o.Samples, expected) >= enoughSamples {
				ratios[o.Role] = append(ratios[o.Role], (o.Samples+0.5)/(expected+0.5))
			}
		}
		if loss < bestLoss {
			best, bestLoss, held = ridge, loss, ratios
		}
	}
	return best, held, nil
}

// quantile is a quantile of sorted values; of none it is 1.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 1
	}
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// crossed predicts the cost per row of each operator by a model of the other groups, in folds.
func crossed(operators []Operator, ridge float64) ([]float64, error) {
	groups := map[string]int{}
	for i := range operators {
		groups[operators[i].Group] = 0
	}
	for i, g := range slices.Sorted(maps.Keys(groups)) {
		groups[g] = i % folds
	}
	out := make([]float64, len(operators))
	for fold := range min(folds, len(groups)) {
		var train []Operator
		for i := range operators {
			if groups[operators[i].Group] != fold {
				train = append(train, operators[i])
			}
		}
		m, err := fit(train, ridge)
		if err != nil {
			return nil, err
		}
		for i := range operators {
			if groups[operators[i].Group] == fold {
				out[i] = m.Predict(&operators[i], 1).PerRow
			}
		}
	}
	return out, nil
}

// LeftOut predicts the seconds per row of each operator by a model of all other groups. Shrinkage
// and intervals are what Fit finds on all of them.
func LeftOut(operators []Operator) ([]Usual, error) {
	ridge, held, err := choose(operators)
	if err != nil {
		return nil, err
	}
	out := make([]Usual, len(operators))
	seen := map[string]bool{}
	for k := range operators {
		group := operators[k].Group
		if seen[group] {
			continue
		}
		seen[group] = true
		others := slices.DeleteFunc(slices.Clone(operators), func(o Operator) bool { return o.Group == group })
		m, err := fit(others, ridge)
		if err != nil {
			return nil, fmt.Errorf("without %s: %w", group, err)
		}
		m.interval(held)
		speeds := map[string]float64{others[0].Host: 1} // the model's
		for i := range operators {
			o := &operators[i]
			if o.Group != group {
				continue
			}
			speed, known := speeds[o.Host]
			if !known {
				speed = m.Speed(slices.DeleteFunc(slices.Clone(others), func(x Operator) bool { return x.Host != o.Host }))
				speeds[o.Host] = speed
			}
			out[i] = m.Predict(o, speed)
		}
	}
	return out, nil
}

// design is the data of a fit.
type design struct {
	names   []string  // of terms
	rows    [][]entry // of operators
	penalty []float64 // of terms
	counts  []float64 // samples
	offset  []float64 // log(rows ÷ seconds a sample)
	beta    []float64 // of terms
	phi     float64
}

// entry is a term of an operator that is not 0.
type entry struct {
	term  int
	value float64
}

// fit fits the terms by iteratively reweighted least squares.
func fit(operators []Operator, ridge float64) (*Model, error) {
	ranges := rangesOf(operators)
	d := newDesign(operators, ranges, ridge)
	for range iterations {
		moved, err := d.step()
		if err != nil {
			return nil, err
		}
		if moved < tolerance {
			break
		}
	}
	m := &Model{Version: Version, Operators: len(operators), Terms: map[string]float64{}, Ranges: ranges, Spread: math.Sqrt(d.phi), Low: 1, High: 1, Roles: map[string][2]float64{}}
	for i, name := range d.names {
		if !strings.HasPrefix(name, hostTerm) {
			m.Terms[name] = d.beta[i]
		}
	}
	return m, nil
}

func rangesOf(operators []Operator) map[string][2]float64 {
	out := map[string][2]float64{}
	for i := range operators {
		for name, value := range operators[i].Features {
			x := math.Log1p(max(value, 0))
			r, seen := out[name]
			if !seen {
				r = [2]float64{x, x}
			}
			out[name] = [2]float64{min(r[0], x), max(r[1], x)}
		}
	}
	return out
}

func newDesign(operators []Operator, ranges map[string][2]float64, ridge float64) *design {
	d := &design{phi: 0.5}
	at := map[string]int{}
	samples, exposure := 0.0, 0.0
	for i := range operators {
		o := &operators[i]
		all := terms(o, ranges)
		if o.Host != operators[0].Host { // whose speed is the model's
			all = append(all, term{hostTerm + o.Host, 1})
		}
		var row []entry
		for _, t := range all {
			if t.value == 0 {
				continue
			}
			k, known := at[t.name]
			if !known {
				k = len(d.names)
				at[t.name] = k
				d.names, d.penalty = append(d.names, t.name), append(d.penalty, ridgeOf(t.name, ridge))
			}
			row = append(row, entry{k, t.value})
		}
		d.rows = append(d.rows, row)
		d.counts = append(d.counts, o.Samples)
		d.offset = append(d.offset, math.Log(max(o.Rows, 1)/o.Sample))
		samples, exposure = samples+o.Samples, exposure+max(o.Rows, 1)/o.Sample
	}
	d.beta = make([]float64, len(d.names))
	d.beta[at[intercept]] = math.Log(max(samples, 1) / exposure)
	return d
}

// ridgeOf is how much a term shrinks.
func ridgeOf(name string, ridge float64) float64 {
	switch {
	case name == intercept || strings.HasPrefix(name, hostTerm):
		return 1e-6 // only so that the equations have a solution
	case strings.Contains(name, interaction):
		return ridge * interactionRidge
	}
	return ridge
}

// step improves the coefficients once and returns the largest change of a prediction, as a
// logarithm.
func (d *design) step() (float64, error) {
	p := len(d.names)
	normal, right := mat.NewSymDense(p, nil), mat.NewVecDense(p, nil)
	squares, n := 0.0, 0.0
	for i, row := range d.rows {
		eta := d.offset[i]
		for _, e := range row {
			eta += d.beta[e.term] * e.value
		}
		mu := math.Exp(min(max(eta, -20), 25))
		residual := (d.counts[i] - mu) / math.Sqrt(mu+d.phi*mu*mu)
		robust := 1.0
		// Within one sample nothing is an outlier: weighing the rare sample of small operators
		// less would bias them towards 0.
		if beyond := math.Abs(d.counts[i]-mu) / math.Sqrt(1+mu+d.phi*mu*mu); beyond > huber {
			robust = huber / beyond
		}
		squares, n = squares+robust*robust*residual*residual, n+1
		weight := robust * mu / (1 + d.phi*mu)
		z := eta - d.offset[i] + (d.counts[i]-mu)/mu
		for _, a := range row {
			right.SetVec(a.term, right.AtVec(a.term)+weight*a.value*z)
			for _, b := range row {
				if b.term >= a.term {
					normal.SetSym(a.term, b.term, normal.At(a.term, b.term)+weight*a.value*b.value)
				}
			}
		}
	}
	for i, penalty := range d.penalty {
		normal.SetSym(i, i, normal.At(i, i)+penalty)
	}
	var factor mat.Cholesky
	if !factor.Factorize(normal) {
		return 0, errors.New("fit: the equations have no solution")
	}
	var solved mat.VecDense
	if err := factor.SolveVecTo(&solved, right); err != nil {
		return 0, fmt.Errorf("fit: %w", err)
	}
	solved.SubVec(&solved, mat.NewVecDense(p, d.beta))
	longest := 0.0 // change of an operator's logarithm
	for _, row := range d.rows {
		change := 0.0
		for _, e := range row {
			change += solved.AtVec(e.term) * e.value
		}
		longest = max(longest, math.Abs(change))
	}
	scale := min(1, longestStep/max(longest, longestStep))
	for i := range d.beta {
		d.beta[i] += scale * solved.AtVec(i)
	}
	// φ grows while residuals are larger than it says: Huber's have the variance 0.71 of normal
	// ones at this bound.
	d.phi = min(max(d.phi*math.Sqrt(squares/n/0.7102), 0.02), 10)
	return longest, nil
}
