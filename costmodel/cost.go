package costmodel

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Model predicts the CPU of an operator as a sum of what its work costs:
//
//	seconds = Σ units of a term × the term's seconds a unit
//
// Units are rows, rows × a count of its expressions or columns, tasks, runs, segments of an
// exchange and rows that it gives. Rows also count by the doublings of what they are sorted among
// or looked up in. Most terms are there for all operators, for a role and for a kind. Costs of
// expressions add up, so the model goes beyond the counts that it was fitted on. A kind that it has
// never seen costs what its role does. A Model is made by Fit or read as JSON, and not changed.
type Model struct {
	Version   int                `json:"version"`
	Spark     string             `json:"spark"`
	JDK       string             `json:"jdk"`
	Operators int                `json:"operators"` // that it was fitted on
	Terms     map[string]float64 `json:"terms"`     // term → seconds a unit
	Spread    float64            `json:"spread"`    // coefficient of variation of costs around the prediction
	// Low and High are the 2.5 % and 97.5 % quantiles of cost ÷ prediction of operators of queries
	// that the prediction had not seen. Roles has the intervals of roles of which there were
	// enough.
	Low   float64               `json:"low"`
	High  float64               `json:"high"`
	Roles map[string][2]float64 `json:"roles"`
}

// Version is the version of Model's JSON.
const Version = 2

// Usual is what an operator usually costs: seconds per row, with the interval in which 95 % of
// operators lie.
type Usual struct{ PerRow, Low, High float64 }

// Known reports whether the model was fitted on anything like the operator. Else all is 0.
func (u Usual) Known() bool { return u.PerRow > 0 }

// Predict returns what an operator usually costs on a host of a speed: 1 is the speed of the
// recordings that the model was fitted on.
func (m *Model) Predict(o *Operator, speed float64) Usual {
	sum := 0.0
	for _, t := range terms(o) {
		sum += m.Terms[t.name] * t.units
	}
	k, low, high := sum/o.Rows/speed, m.Low, m.High
	if own, known := m.Roles[o.Role]; known {
		low, high = own[0], own[1]
	}
	return Usual{k, k * low, k * high}
}

// EnoughSamples are so many that an operator's cost is known well enough to judge it, or its host
// by it.
const EnoughSamples = 5

// Ratio is how much less an operator cost than predicted, as a logarithm, and how much that says.
type Ratio struct{ log, weight float64 }

// Ratio returns an operator's; known is false if it has too few samples, or its Usual is not known.
func (m *Model) Ratio(o *Operator) (r Ratio, known bool) {
	if o.Samples < EnoughSamples || o.Rows <= 0 {
		return Ratio{}, false
	}
	u := m.Predict(o, 1)
	return Ratio{math.Log(u.PerRow * o.Rows / o.seconds()), 1 / (m.Spread*m.Spread + 1/o.Samples)}, u.Known()
}

// Speed is the speed of the host that operators ran on: how much less they cost than predicted, by
// the weighted median. Without enough operators it is 1 and not known. It sorts all.
func Speed(all []Ratio) (speed float64, known bool) {
	if len(all) < fewest {
		return 1, false
	}
	slices.SortFunc(all, func(a, b Ratio) int { return cmp.Compare(a.log, b.log) })
	total, below := 0.0, 0.0
	for _, r := range all {
		total += r.weight
	}
	for _, r := range all {
		if below += r.weight; below >= total/2 {
			return math.Exp(r.log), true
		}
	}
	return math.Exp(all[len(all)-1].log), true
}

// Speed is the speed of the host of a recording.
func (m *Model) Speed(operators []Operator) float64 {
	var all []Ratio
	for i := range operators {
		if r, known := m.Ratio(&operators[i]); known {
			all = append(all, r)
		}
	}
	speed, _ := Speed(all)
	return speed
}

// term is a term of an operator.
type term struct {
	name    string
	units   float64
	typical float64 // seconds a unit, by order of magnitude
}

// Seconds a unit of the shipped model, by order of magnitude: a fit begins with them, and they say
// what little is.
const (
	typicalRun     = 20e-3
	typicalTask    = 2e-3
	typicalSegment = 100e-6
	typicalRow     = 20e-9
	typicalCount   = 10e-9 // of a row
	typicalCall    = 2e-9  // … of calls and columns, which are many
)

// cached is the logarithm of the rows of a hash table that a core's cache holds, by order of
// magnitude: lookups in a larger table miss it. Of 8, 11, 12, 13 and 14 it predicts bench/model's
// 42 statements about best.
const cached = 12

// largestBuild is the most rows of a broadcast table that the 42 statements look rows up in,
// rounded up. What a larger one costs beyond it is not known.
const largestBuild = 1 << 16

// terms are the terms of an operator, features in the order of their names.
func terms(o *Operator) (out []term) {
	add := func(name string, units, typical float64, of ...string) {
		if units <= 0 {
			return
		}
		for _, x := range of {
			out = append(out, term{name + x, units, typical})
		}
	}
	role, kind := " of "+o.Role, " of "+o.Kind
	add("run", o.Runs, typicalRun, "", role, kind)
	add("task", o.Tasks, typicalTask, "", role, kind)
	add("segment", o.Segments, typicalSegment, kind)
	add("row", o.Rows, typicalRow, role, kind)
	add("row out", o.RowsOut, typicalCount, role)
	table := min(o.Build, largestBuild)
	if o.Tasks > 0 {
		doublings := math.Log2(1 + o.Rows/o.Tasks)
		add("row × doublings", o.Rows*doublings, typicalCall, role)
		switch o.Role {
		case "sort":
			add("row × keys × doublings", o.Rows*o.Features["keys"]*doublings, typicalCall, role)
		case "aggregate":
			table = o.RowsOut / o.Tasks
		}
	}
	add("row × doublings of table", o.Rows*max(0, math.Log2(1+table)-cached), typicalCall, "", role)
	for _, name := range slices.Sorted(maps.Keys(o.Features)) {
		typical := typicalCount
		if name == "calls" || name == "columns" {
			typical = typicalCall
		}
		add("row × "+name, o.Rows*o.Features[name], typical, "", role)
	}
	return out
}
