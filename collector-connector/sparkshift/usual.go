package sparkshift

import (
	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
)

// usualCost is the CPU that an operator usually costs, by the receivers' model, in seconds. 95 % of
// such operators cost between low and high. It changes no verdict and is in no history: it says
// what a run's cost is worth while there is none.
type usualCost struct{ cpu, low, high float64 }

// putUsual takes a value of a usual cost and reports whether it is one that had room. known is
// false for all other values.
func (p *openPart) putUsual(x *costmetrics.ExecutionPoint) (known, room bool) {
	k := shift.Key{Stage: x.Place, Operator: x.Operator}
	u, there := p.usual[k]
	switch x.Told {
	case costmetrics.ToldOperatorUsual:
		u.cpu = x.Value
	case costmetrics.ToldOperatorUsualLow:
		u.low = x.Value
	case costmetrics.ToldOperatorUsualHigh:
		u.high = x.Value
	default:
		return false, false
	}
	if !there && len(p.usual) >= mostOperators {
		return true, false
	}
	p.usual[k] = u
	return true, true
}

// usual adds up what operators usually cost in all parts. Executors without a sample of an operator
// count, too. An operator of which a part with CPU tells nothing has none.
func (r *openRun) usual() map[shift.Key]usualCost {
	out := map[shift.Key]usualCost{}
	for _, id := range sortedKeys(r.parts) {
		for k, u := range r.parts[id].usual {
			sum := out[k]
			out[k] = usualCost{sum.cpu + u.cpu, sum.low + u.low, sum.high + u.high}
		}
	}
	for _, p := range r.parts {
		for k, c := range p.operators {
			if _, told := p.usual[k]; !told && c.CPU > 0 {
				delete(out, k)
			}
		}
	}
	return out
}

// usualPoints are the gauges of what the operators of a run usually cost.
func usualPoints(r *settledRun, verdicts []shift.Verdict) (out []point) {
	costs := map[shift.Key]*shift.Cost{}
	for i := range r.Operators {
		costs[r.Operators[i].Key] = &r.Operators[i]
	}
	for i := range verdicts {
		v := &verdicts[i]
		c, u := costs[v.Key], r.usual[v.Key]
		if c == nil || c.Samples < costmodel.EnoughSamples || !(u.cpu > 0) {
			continue
		}
		out = append(out, point{semconv.MetricCostUsual, v, u.cpu}, point{semconv.MetricCostUsualRatio, v, c.CPU / u.cpu},
			point{semconv.MetricCostUsualLower, v, u.low / u.cpu}, point{semconv.MetricCostUsualUpper, v, u.high / u.cpu})
	}
	return out
}
