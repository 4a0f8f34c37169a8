package trial

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/phase"
)

// Operator is an operator of a query, or a bucket, summed over runs.
type Operator struct {
	ID   string     `json:"id"` // the same in all runs
	Name string     `json:"name"`
	Kind phase.Kind `json:"kind"`
	CPU  float64    `json:"cpu_seconds"`
	// Rows are those that it took in, 0 if they are not known.
	Rows float64 `json:"rows,omitempty"`
	// Bucket is CPU of no operator. It is taken not to grow with rows: generating code costs the
	// same whatever the code reads.
	Bucket bool `json:"bucket,omitempty"`
}

// Runs are some runs of a query.
type Runs struct {
	Count     float64    `json:"runs"` // > 0
	Operators []Operator `json:"operators"`
}

// OperatorChange is an operator before and under the change.
type OperatorChange struct {
	ID   string     `json:"id"`
	Name string     `json:"name"`
	Kind phase.Kind `json:"kind"`
	Old  float64    `json:"old_cpu_seconds"`
	New  float64    `json:"new_cpu_seconds"` // at the old rows and the old number of runs
}

// Comparison is a query before and under the change.
type Comparison struct {
	CPU       phase.Mix        // new CPU seconds by kind of the operators that the query had, at the old rows and number of runs
	Other     float64          // new CPU seconds of the others
	Rows      float64          // new rows a run over old ones, 1 if they are not known
	Operators []OperatorChange // by ID
	// Outside is the share of buckets before and under the change: compiling and loading classes,
	// in young JVMs above all.
	OldOutside, NewOutside float64
}

// AtOldRows compares a query's runs under the change with those before. CPU of operators is taken
// to grow with rows, all by the same factor: the median of the operators' ratios, each with the
// weight of its CPU. One operator's own ratio may be what the change itself did, such as a scan
// that skips more.
func AtOldRows(before, after Runs) Comparison {
	old, now := byID(before.Operators), byID(after.Operators)
	c := Comparison{CPU: phase.Mix{}, Rows: rowsRatio(old, now, before.Count/after.Count)}
	runs := before.Count / after.Count
	var all, outside, newAll, newOutside float64
	ids := map[string]bool{}
	for _, o := range append(slices.Clone(before.Operators), after.Operators...) {
		if ids[o.ID] {
			continue
		}
		ids[o.ID] = true
		was, had := old[o.ID]
		is := now[o.ID]
		cpu := is.CPU * runs
		if !o.Bucket {
			cpu /= c.Rows
		} else {
			outside, newOutside = outside+was.CPU, newOutside+cpu
		}
		all, newAll = all+was.CPU, newAll+cpu
		if had && was.CPU > 0 {
			c.CPU[was.Kind] += cpu
		} else {
			c.Other += cpu
		}
		c.Operators = append(c.Operators, OperatorChange{ID: o.ID, Name: cmp.Or(was.Name, is.Name), Kind: cmp.Or(was.Kind, is.Kind), Old: was.CPU, New: cpu})
	}
	slices.SortFunc(c.Operators, func(a, b OperatorChange) int { return cmp.Compare(a.ID, b.ID) })
	if all > 0 && newAll > 0 {
		c.OldOutside, c.NewOutside = outside/all, newOutside/newAll
	}
	return c
}

// byID sums operators that stand at several places of a plan. Rows that one place does not know
// make the sum unknown.
func byID(operators []Operator) map[string]Operator {
	out, unknown := map[string]Operator{}, map[string]bool{}
	for _, o := range operators {
		s, there := out[o.ID]
		if !there {
			s = Operator{ID: o.ID, Name: o.Name, Kind: o.Kind, Bucket: o.Bucket}
		}
		s.CPU, s.Rows = s.CPU+o.CPU, s.Rows+o.Rows
		if unknown[o.ID] = unknown[o.ID] || o.Rows == 0; unknown[o.ID] {
			s.Rows = 0
		}
		out[o.ID] = s
	}
	return out
}

// rowsRatio is the weighted median of new rows a run over old ones; runs is old runs over new ones.
func rowsRatio(old, now map[string]Operator, runs float64) float64 {
	type known struct{ ratio, weight float64 }
	var all []known
	sum := 0.
	for id, o := range old {
		if n := now[id]; o.Rows > 0 && n.Rows > 0 && o.CPU > 0 {
			all = append(all, known{n.Rows * runs / o.Rows, o.CPU})
			sum += o.CPU
		}
	}
	slices.SortFunc(all, func(a, b known) int { return cmp.Or(cmp.Compare(a.ratio, b.ratio), cmp.Compare(a.weight, b.weight)) })
	below := 0.
	for _, k := range all {
		if below += k.weight; below >= sum/2 {
			return k.ratio
		}
	}
	return 1
}
