package columns

import (
	"cmp"
	"math"
	"slices"
)

// Index is a column of numbers that take two bytes each as long as all of them fit.
type Index struct {
	narrow []uint16
	wide   []uint32
}

// Len is the number of elements.
func (x *Index) Len() int { return max(len(x.narrow), len(x.wide)) }

// At is element i.
func (x *Index) At(i int) uint32 {
	if x.wide != nil {
		return x.wide[i]
	}
	return uint32(x.narrow[i])
}

func (x *Index) add(v uint32) {
	if x.wide == nil && v > math.MaxUint16 {
		x.wide = make([]uint32, len(x.narrow), 2*len(x.narrow)+1)
		for i, n := range x.narrow {
			x.wide[i] = uint32(n)
		}
		x.narrow = nil
	}
	if x.wide != nil {
		x.wide = append(x.wide, v)
		return
	}
	x.narrow = append(x.narrow, uint16(v))
}

// Runs are the weights of samples, run-length coded by lane: from sample At[k] on, the samples of
// its lane weigh Nanos[k].
type Runs struct {
	At    []uint32
	Nanos []float64
}

// Weights walks the weights of samples from the first to the last.
type Weights struct {
	runs  *Runs
	next  int
	lanes []float64
}

// Walk begins to walk; lanes is the number of lanes.
func (r *Runs) Walk(lanes int) Weights { return Weights{runs: r, lanes: make([]float64, lanes)} }

// Next is the weight of sample i, in nanoseconds, on a lane. It is called with every sample once,
// in order.
func (w *Weights) Next(i int, lane int32) float64 {
	if w.next < len(w.runs.At) && w.runs.At[w.next] == uint32(i) {
		w.lanes[lane] = w.runs.Nanos[w.next]
		w.next++
	}
	return w.lanes[lane]
}

// coder makes Runs.
type coder struct {
	Runs
	last []float64 // by lane; 0: none yet
}

func (c *coder) add(i int, lane int32, nanos float64) {
	for len(c.last) <= int(lane) {
		c.last = append(c.last, 0)
	}
	if c.last[lane] == nanos && nanos != 0 {
		return
	}
	c.last[lane] = nanos
	c.At, c.Nanos = append(c.At, uint32(i)), append(c.Nanos, nanos)
}

// arrived are samples in the order in which they came.
type arrived struct {
	Samples
	weight []float32 // nanoseconds
}

// sort orders samples by time, samples of one time as they came, and codes their weights. lane says
// on which lane a task ran.
func (a *arrived) sort(lane func(task uint32) int32) Samples {
	n := len(a.Time)
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	if !slices.IsSorted(a.Time) {
		slices.SortStableFunc(order, func(x, y uint32) int { return cmp.Compare(a.Time[x], a.Time[y]) })
	}
	out := Samples{Time: make([]uint32, n), Stack: make([]uint32, n), Flags: make([]uint8, n)}
	var weights coder
	for to, from := range order {
		out.Time[to], out.Stack[to], out.Flags[to] = a.Time[from], a.Stack[from], a.Flags[from]
		task := a.Task.At(int(from))
		out.Label.add(a.Label.At(int(from)))
		out.Task.add(task)
		weights.add(to, lane(task), float64(a.weight[from]))
	}
	out.Weight = weights.Runs
	return out
}
