package sparkprofile

import (
	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/usualcost"
	"github.com/planflame/planflame/internal/window"
)

// usualOf is what the operators of an execution usually cost here; nil if it is not known. The
// host's speed is learned from this execution, too, so that a first one can be told.
// :: x.Operators
func (c *costs) usualOf(x *window.ExecutionCost) []*costmetrics.UsualCPU {
	described := make([]*costmodel.Operator, len(x.Operators))
	for i := range x.Operators {
		o := &x.Operators[i]
		if described[i] = describe(o); described[i] != nil {
			c.usual.Learn(usualcost.Key{Query: x.Labels.Query, Place: o.StagePlace, Operator: o.Operator}, described[i])
		}
	}
	out := make([]*costmetrics.UsualCPU, len(x.Operators))
	speed, known := c.usual.Speed()
	if !known {
		return out
	}
	for i, o := range described {
		if o == nil {
			continue
		}
		if u := c.usual.Predict(o, speed); u.Known() {
			out[i] = &costmetrics.UsualCPU{CPU: u.PerRow * o.Rows, Low: u.Low * o.Rows, High: u.High * o.Rows}
		}
	}
	return out
}

// describe describes an operator to the model, with the rows of stages that a sample hit. It is nil
// if there are none, or Python workers have a part, of whose cost the model knows nothing.
func describe(o *window.OperatorCost) *costmodel.Operator {
	rows := o.Rows - o.Unseen
	if o.Node == nil || !o.RowsKnown || rows == 0 || o.Python > 0 {
		return nil
	}
	node := usualcost.Node{Role: o.Role, Name: o.OperatorName, Mode: o.Node.Mode, Text: o.Node.Text, Counts: make(map[string]float64, len(o.Node.Counts))}
	for _, n := range o.Node.Counts {
		node.Counts[n.Name] = float64(n.N)
	}
	out := &costmodel.Operator{Runs: 1, Tasks: float64(o.Tasks), RowsOut: float64(o.RowsOut), Build: float64(o.Build), Samples: float64(o.Samples)}
	if o.Samples > 0 {
		out.Sample = o.CPU.Seconds() / out.Samples
	}
	node.Describe(out, float64(rows))
	return out
}
