package outcome

import (
	"fmt"
	"math"
)

// folded are the operators that share a line.
type folded struct {
	count            int
	cpu, share, half float64
	valid            bool
}

// foldOperators tells the operators that get a row from those that share one: they cost no more than their own interval, or a share that is shown as 0.
func (t *table) foldOperators(q Query) (shown []row, rest *folded) {
	rows := t.rows(q)
	var small []Operator
	for _, r := range rows {
		if t.All || r.worth() {
			shown = append(shown, r)
		} else {
			small = append(small, r.Operator)
		}
	}
	if len(small) == 0 || len(shown) == 0 {
		return rows, nil
	}
	return shown, fold(small, t.selected)
}

// worth says whether an operator gets a row of its own.
func (o *Operator) worth() bool {
	half, _ := o.half()
	return o.PythonRange != nil || o.CPUSeconds > half && o.Share >= smallShare
}

// fold adds operators up. Operators of different stages are sampled on their own, so the squares of their intervals add. Those of one stage share its
// samples: one more for an operator is one fewer for another, and the same sum is no less than the true one. But tasks that were selected bring all of
// their operators together, so with selected tasks the intervals themselves add within a stage.
func fold(operators []Operator, selected bool) *folded {
	f := &folded{count: len(operators), valid: true}
	stages := map[string]float64{}
	for i := range operators {
		o := &operators[i]
		half, ok := o.half()
		f.cpu, f.share, f.valid = f.cpu+o.CPUSeconds, f.share+o.Share, f.valid && ok
		if selected {
			stages[o.Stage] += half
		} else {
			stages[o.Stage] = math.Hypot(stages[o.Stage], half)
		}
	}
	for _, half := range stages {
		f.half = math.Hypot(f.half, half)
	}
	return f
}

func (c columns) fold(f *folded) string {
	mark := ""
	if !f.valid {
		mark = "?"
	}
	return c.format(seconds(f.cpu)+" ", "", seconds(f.half)+mark, percent(f.share, 1), "", "", "", fmt.Sprintf("%d more, below ± or 0.5 %%", f.count))
}
