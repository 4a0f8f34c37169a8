package costmodel

import (
	"maps"
	"math"
	"slices"
)

// Model predicts CPU per row from an operator's kind and features:
//
//	log(seconds per row) = intercept + role + kind + Σ (coefficient + role's coefficient) × log(1 + feature)
//
// The terms of roles, kinds and features shrink towards 0, so a kind that the model has never seen
// costs what its role does. A Model is made by Fit or read as JSON, and not changed.
type Model struct {
	Version   int                   `json:"version"`
	Spark     string                `json:"spark"`
	JDK       string                `json:"jdk"`
	Operators int                   `json:"operators"` // that it was fitted on
	Terms     map[string]float64    `json:"terms"`     // term → coefficient; log(1 + features), natural logarithms
	Ranges    map[string][2]float64 `json:"ranges"`    // feature → least and most log(1 + value) seen
	Spread    float64               `json:"spread"`    // coefficient of variation of costs around the prediction
	// Low and High are the 2.5 % and 97.5 % quantiles of cost ÷ prediction of operators of queries
	// that the prediction had not seen. Roles has the intervals of roles of which there were
	// enough.
	Low   float64               `json:"low"`
	High  float64               `json:"high"`
	Roles map[string][2]float64 `json:"roles"`
}

// Version is the version of Model's JSON.
const Version = 1

// Usual is what an operator usually costs: seconds per row, with the interval in which 95 % of
// operators lie.
type Usual struct{ PerRow, Low, High float64 }

// Predict returns what an operator usually costs on a host of a speed: 1 is the speed of the
// recordings that the model was fitted on.
func (m *Model) Predict(o *Operator, speed float64) Usual {
	sum := 0.0
	for _, t := range terms(o, m.Ranges) {
		sum += m.Terms[t.name] * t.value
	}
	k, low, high := math.Exp(sum)/speed, m.Low, m.High
	if own, known := m.Roles[o.Role]; known {
		low, high = own[0], own[1]
	}
	return Usual{k, k * low, k * high}
}

// enoughSamples are so many that an operator's cost says something of its host.
const enoughSamples = 5

// Speed is the speed of the host of a recording: how much less its operators cost than predicted,
// by the weighted median. Without enough operators it is 1.
func (m *Model) Speed(operators []Operator) float64 {
	type ratio struct{ log, weight float64 }
	var all []ratio
	total := 0.0
	for i := range operators {
		o := &operators[i]
		if o.Samples < enoughSamples || o.Rows <= 0 {
			continue
		}
		r := ratio{math.Log(m.Predict(o, 1).PerRow * o.Rows / o.seconds()), 1 / (m.Spread*m.Spread + 1/o.Samples)}
		all, total = append(all, r), total+r.weight
	}
	if len(all) < fewest {
		return 1
	}
	slices.SortFunc(all, func(a, b ratio) int {
		if a.log < b.log {
			return -1
		}
		return 1
	})
	below := 0.0
	for _, r := range all {
		if below += r.weight; below >= total/2 {
			return math.Exp(r.log)
		}
	}
	return 1
}

// term is a term of an operator.
type term struct {
	name  string
	value float64
}

// terms are the terms of an operator, features in the order of their names. They are clipped to
// their ranges if there are any.
func terms(o *Operator, ranges map[string][2]float64) []term {
	out := []term{{intercept, 1}, {"role " + o.Role, 1}, {"kind " + o.Kind, 1}}
	for _, name := range slices.Sorted(maps.Keys(o.Features)) {
		x := math.Log1p(max(o.Features[name], 0))
		if ranges != nil {
			r, seen := ranges[name]
			if !seen {
				continue
			}
			x = min(max(x, r[0]), r[1])
		}
		out = append(out, term{"feature " + name, x}, term{"role " + o.Role + interaction + name, x})
	}
	return out
}

// Names of terms.
const (
	intercept   = "intercept"
	interaction = " × feature "
	hostTerm    = "host "
)
