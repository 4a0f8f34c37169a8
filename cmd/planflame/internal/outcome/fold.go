package outcome

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// folded are the operators that share a line.
type folded struct {
	count            int
	cpu, share, half float64
	valid            bool
}

// foldOperators tells the operators that get a row from those that share one: they cost no more
// than their own interval, or a share that is shown as 0.
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

// worth reports whether an operator gets a row of its own.
func (o *Operator) worth() bool {
	half, _ := o.half()
	return o.PythonRange != nil || o.CPUSeconds > half && o.Share >= smallShare
}

// fold adds operators up. Operators of different stages are sampled on their own, so the squares of
// their intervals add. Intervals of one stage share its samples: one more for an operator is one
// fewer for another, and the same sum is no less than the true one. But tasks that were selected
// bring all of their operators together, so with selected tasks the intervals themselves add within
// a stage.
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

func (c layout) fold(f *folded, width int) string {
	mark := ""
	if !f.valid {
		mark = "?"
	}
	figures := c.format(cells{cpu: seconds(f.cpu) + " ", interval: seconds(f.half) + mark, share: percent(f.share, 1)}, "")
	names := length(figures)
	text := fmt.Sprintf("%d more, below ± or 0.5 %%", f.count)
	figures = strings.TrimRight(figures, " ") // the columns of rows and stages are empty: a long text begins there
	return figures + strings.Repeat(" ", max(2, min(names, width-length(text))-length(figures))) + text
}

// smallTail is the share of the CPU, and of the wall time, that folded queries have together at
// most.
const smallTail = 0.05

// smallQueries are the cheapest queries, by CPU or wall time, as long as they have no more than
// smallTail of either.
func (s Summary) smallQueries() map[int]bool {
	var wall float64
	if s.Time != nil {
		wall = s.Time.WallSeconds
	}
	of := func(part, whole float64) float64 {
		if whole == 0 {
			return 0
		}
		return part / whole
	}
	size := func(i int) float64 {
		return max(of(s.Queries[i].CPUSeconds, s.CPUSeconds), of(s.Queries[i].wall(), wall))
	}
	order := make([]int, len(s.Queries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(a), size(b)) })
	small := map[int]bool{}
	var cpu, time float64
	for _, i := range order {
		q := s.Queries[i]
		cpu, time = cpu+q.CPUSeconds, time+q.wall()
		if of(cpu, s.CPUSeconds) > smallTail || of(time, wall) > smallTail {
			break
		}
		if q.Runs == nil {
			small[i] = true
		}
	}
	return small
}
