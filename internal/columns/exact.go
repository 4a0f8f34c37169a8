package columns

import "math"

// exactRow is CPU that no sample covers.
type exactRow struct {
	label, task, start, end uint32
	nanos, below, above     float64
}

// exactRows are rows while they gather. Rows of one label and task that follow each other within a
// second are one.
type exactRows struct {
	ExactRows
	last map[[2]uint32]int // label, task → the last row
}

// exactStep is the longest time that one row covers of many readings, in ticks: a second, or more
// where a tick is more than a microsecond.
const exactStep = 1_000_000

func (x *exactRows) add(r exactRow) {
	key := [2]uint32{r.label, r.task}
	if i, known := x.last[key]; known && r.task == 0 && r.start >= x.End[i] && r.end-x.Start[i] <= exactStep {
		x.End[i] = r.end
		x.Nanos[i], x.Below[i], x.Above[i] = x.Nanos[i]+r.nanos, x.Below[i]+r.below, x.Above[i]+r.above
		return
	}
	if x.last == nil {
		x.last = map[[2]uint32]int{}
	}
	if r.task == 0 {
		x.last[key] = len(x.Nanos)
	}
	x.Label, x.Task = append(x.Label, r.label), append(x.Task, r.task)
	x.Start, x.End = append(x.Start, r.start), append(x.End, max(r.end, r.start))
	x.Nanos, x.Below, x.Above = append(x.Nanos, r.nanos), append(x.Below, r.below), append(x.Above, r.above)
}

// settle makes the rows of each label add up to what the end of the recording knows. What is
// missing becomes a row between span's times; what is too much leaves the last rows.
func (x *exactRows) settle(want []float64, span func(label uint32) (start, end uint32)) {
	have := make([]float64, len(want))
	for i, label := range x.Label {
		have[label] += x.Nanos[i]
	}
	for label := range want {
		if missing := want[label] - have[label]; missing >= 1 {
			start, end := span(uint32(label))
			x.add(exactRow{label: uint32(label), start: start, end: end, nanos: missing})
		}
	}
	for i := len(x.Label) - 1; i >= 0; i-- {
		label := x.Label[i]
		if extra := have[label] - want[label]; extra >= 1 {
			taken := math.Min(extra, x.Nanos[i])
			x.Nanos[i] -= taken
			have[label] -= taken
		}
	}
}
