package costmodel

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Constants of the fit.
const (
	iterations = 400
	// huber is the residual, in standard deviations, from which on an operator weighs less: 95 %
	// as efficient as least squares if residuals are normal (Huber, Robust Statistics, 1981).
	huber = 1.345
	folds = 8
)

// ridges are the strengths of shrinkage that Fit chooses from: samples that a term must explain
// before it costs what is typical.
var ridges = []float64{0.1, 0.3, 1, 3}

// ErrFew is the error of a fit on too few operators.
var ErrFew = errors.New("too few operators for a model")

// fewestToFit is how many operators a fit needs: about as many as a few queries have.
const fewestToFit = 50

// Fit fits a model. Counts of samples have the mean seconds ÷ seconds a sample, and the variance
// μ + φμ²; so operators without a sample count, too. The strength of shrinkage is the one that
// predicts left-out groups best, and the model's interval is the one of left-out groups.
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
			if max(o.Samples, expected) >= EnoughSamples {
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

// crossed predicts the cost per row of each operator on its host by a model of the other groups, in
// folds.
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
		speed := m.speeds(train)
		for i := range operators {
			if o := &operators[i]; groups[o.Group] == fold {
				out[i] = m.Predict(o, speed(o.Host)).PerRow
			}
		}
	}
	return out, nil
}

// speeds returns the speed of a host, by the operators that a model was fitted on: 1 is the first
// one's host.
func (m *Model) speeds(fitted []Operator) func(host string) float64 {
	speeds := map[string]float64{fitted[0].Host: 1}
	return func(host string) float64 {
		speed, known := speeds[host]
		if !known {
			speed = m.Speed(slices.DeleteFunc(slices.Clone(fitted), func(o Operator) bool { return o.Host != host }))
			speeds[host] = speed
		}
		return speed
	}
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
		speed := m.speeds(others)
		for i := range operators {
			if o := &operators[i]; o.Group == group {
				out[i] = m.Predict(o, speed(o.Host))
			}
		}
	}
	return out, nil
}

// design is the data of a fit.
type design struct {
	names  []string
	theta  []float64 // of terms: seconds a unit
	prior  []float64 // of terms: what a unit is to explain at least
	rows   [][]entry // of operators
	counts []float64 // samples
	host   []int     // of operators
	slow   []float64 // of hosts: what their operators cost over what the first host's do
	phi    float64
}

// entry is a term of an operator, in samples a second a unit.
type entry struct {
	term  int
	units float64
}

// fit fits the terms as a mixture. Each operator's samples are divided among its terms in
// proportion to what they predict. A term costs what it got over its units (Lee and Seung, Nature
// 401, 1999). No cost falls below 0. Shrinkage is the exponential prior of each term.
func fit(operators []Operator, ridge float64) (*Model, error) {
	d := newDesign(operators, ridge)
	for range iterations {
		d.step()
	}
	m := &Model{Version: Version, Operators: len(operators), Terms: map[string]float64{}, Spread: math.Sqrt(d.phi), Low: 1, High: 1, Roles: map[string][2]float64{}}
	for i, name := range d.names {
		if d.theta[i]*d.prior[i] > leastTerm*ridge {
			m.Terms[name] = d.theta[i]
		}
	}
	if len(m.Terms) == 0 {
		return nil, errors.New("fit: no operator has a sample")
	}
	return m, nil
}

// leastTerm is the part of what is typical below which a term is left out.
const leastTerm = 1e-3

func newDesign(operators []Operator, ridge float64) *design {
	d := &design{phi: 0.5}
	at, hosts := map[string]int{}, map[string]int{}
	for i := range operators {
		o := &operators[i]
		var row []entry
		for _, t := range terms(o) {
			k, known := at[t.name]
			if !known {
				k = len(d.names)
				at[t.name] = k
				d.names, d.theta, d.prior = append(d.names, t.name), append(d.theta, t.typical), append(d.prior, ridge/t.typical)
			}
			row = append(row, entry{k, t.units / o.Sample})
		}
		h, known := hosts[o.Host]
		if !known {
			h = len(hosts)
			hosts[o.Host], d.slow = h, append(d.slow, 1)
		}
		d.rows, d.counts, d.host = append(d.rows, row), append(d.counts, o.Samples), append(d.host, h)
	}
	return d
}

// leastCount is the least count of samples that is predicted, so that it divides.
const leastCount = 1e-9

// step improves the costs of terms and the speeds of hosts once.
func (d *design) step() {
	got, units := make([]float64, len(d.theta)), slices.Clone(d.prior)
	took, expected := make([]float64, len(d.slow)), make([]float64, len(d.slow))
	squares, n := 0.0, 0.0
	for i, row := range d.rows {
		slow := d.slow[d.host[i]]
		mu := leastCount
		for _, e := range row {
			mu += d.theta[e.term] * e.units * slow
		}
		// Within one sample nothing is an outlier: weighing the rare sample of small operators
		// less would bias them towards 0.
		off, robust := math.Abs(d.counts[i]-mu), 1.0
		if beyond := off / math.Sqrt(1+mu+d.phi*mu*mu); beyond > huber {
			robust = huber / beyond
		}
		if mu >= 1 { // below, a count says little of φ
			squares, n = squares+robust*robust*off*off/(mu+d.phi*mu*mu), n+1
		}
		weight := robust / (1 + d.phi*mu)
		took[d.host[i]] += weight * d.counts[i]
		expected[d.host[i]] += weight * mu
		for _, e := range row {
			got[e.term] += weight * e.units * slow * d.counts[i] / mu
			units[e.term] += weight * e.units * slow
		}
	}
	for k := range d.theta {
		d.theta[k] *= got[k] / units[k]
	}
	for h := 1; h < len(d.slow); h++ { // the first one's is the model's
		if expected[h] > 0 && took[h] > 0 {
			d.slow[h] *= took[h] / expected[h]
		}
	}
	// φ grows while residuals are larger than it says: Huber's have the variance 0.71 of normal
	// ones at this bound.
	d.phi = min(max(d.phi*math.Sqrt(squares/max(n, 1)/0.7102), 0.02), 10)
}
