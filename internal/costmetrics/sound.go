package costmetrics

import (
	"math"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

// rounding is how far sums may be from what they cannot exceed.
const rounding = 1e-6

// MakeSound looks whether the sums of each cell fit each other, as sums of units do. They do not
// where a point of a split window was lost, or where no one measured them. Such a cell's units
// count as if no clock had run; a cell whose units and CPU are not of its class is dropped. Cells
// is how many those are.
func MakeSound(s *tasksample.Stage[semconv.Operator]) (cells int) {
	for id, c := range s.Cells {
		known := ofClass(id.Class, c)
		if known && sound(c) {
			continue
		}
		cells++
		delete(s.Cells, id)
		if !known {
			continue
		}
		only := tasksample.NewStage[semconv.Operator]()
		only.Cells[tasksample.Cell{Class: id.Class, Tier: tasksample.TierNone}] = &tasksample.Sums[semconv.Operator]{Units: c.Units, CPU: c.CPU}
		s.Merge(only)
	}
	return cells
}

// ofClass reports whether the units' CPU fits a class: between its borders, as each unit's.
func ofClass(class tasksample.Class, c *tasksample.Sums[semconv.Operator]) bool {
	border := func(class float64) float64 { return float64(c.Units) * math.Exp2(class/2) }
	return c.Units > 0 && c.CPU <= border(float64(class)+1)*(1+rounding) && (class == 0 || c.CPU >= border(float64(class))*(1-rounding))
}

// sound reports whether sums can be sums of units: each inequality is one between sums of the same
// non-negative numbers.
func sound(c *tasksample.Sums[semconv.Operator]) bool {
	atMost := func(a, b float64) bool { return a <= b*(1+rounding) }
	var samples uint64
	weight := 0.
	for _, k := range c.Keys {
		samples += k.Samples
		weight += k.Weight
		if k.Samples == 0 || !(k.Weight > 0) || !atMost(k.Square, k.Weight*k.Weight) || !(k.Square > 0) || !atMost(k.Square, k.Cross) || !atMost(k.Cross, c.WeightUnits) || !atMost(k.Changes, c.Squares) {
			return false
		}
	}
	return samples == c.Samples && (c.Samples > 0) == (c.Weight > 0) && math.Abs(weight-c.Weight) <= rounding*c.Weight &&
		atMost(c.WeightUnits, c.Weight*c.Weight) && atMost(c.Squares, c.WeightUnits) && atMost(c.First, c.Squares) && (c.First > 0) == (c.Samples > 0)
}
