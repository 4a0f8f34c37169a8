package shift

import "math"

// bisquareAt is where the weight of a deviation is 0, in standard deviations: an operator that moved so far on its own says nothing about
// the rest of its run (Tukey's bisquare).
const bisquareAt = 4.685

// commonSteps is the number of reweighted steps of a location.
const commonSteps = 3

// heavyTail is the degrees of freedom of the common mode's prior, a t: large common modes are believed.
const heavyTail = 4

// location is the common mode of a run before any operator is left out: sums over its operators.
type location struct {
	centre float64 // of the bisquare's weights
	sum    float64 // Σ weight · residual
	weight float64 // Σ weight: 1/variance
	count  int     // operators with a weight
}

// locate finds where the residuals of a run's operators agree. scale2[j] is the between-run variance of operator j, prior the variance of
// common modes; operators of skip have no say. It sets the h of each observation.
//
// Few operators can agree on two places: the start with the least loss of none, the median and the heaviest half's median is taken, and as
// the loss of an operator that is far off is bounded, that is the place where the most operators are.
func locate(run []*observation, scale2 []float64, prior float64, skip []bool) location {
	values := make([]float64, 0, len(run))
	for j, o := range run {
		o.h = 0
		if o.has && !skip[j] {
			values = append(values, o.r)
		}
	}
	if len(values) == 0 {
		return location{}
	}
	best, least := 0.0, math.Inf(1)
	for _, c := range []float64{0, median(values), weightedMedian(run, scale2, skip)} {
		c = descend(run, scale2, prior, skip, c)
		if l := loss(run, scale2, prior, skip, c); l < least {
			best, least = c, l
		}
	}
	at := location{centre: best}
	for j, o := range run {
		if !o.has || skip[j] {
			continue
		}
		v := scale2[j] + o.v
		o.h = bisquare(math.Abs(o.r-best) / math.Sqrt(v))
		if o.h > 0 {
			at.sum, at.weight, at.count = at.sum+o.h*o.r/v, at.weight+o.h/v, at.count+1
		}
	}
	return at
}

// without is the common mode as all but one operator tell it, drawn towards 0 by the prior, and its variance.
func (at location) without(o *observation, scale2, prior float64) (c, variance float64) {
	sum, weight := at.sum, at.weight
	if o != nil && o.h > 0 {
		w := o.h / (scale2 + o.v)
		sum, weight = sum-w*o.r, weight-w
	}
	if weight <= 1e-9*at.weight || weight <= 0 {
		return 0, prior
	}
	c = sum / weight
	for range 2 {
		p := 1 / wide(prior, c)
		c, variance = sum/(weight+p), 1/(weight+p)
	}
	return c, variance
}

// wide is the prior's variance at c: that of the normal that a t of heavyTail degrees looks like there.
func wide(prior, c float64) float64 { return (heavyTail*prior + c*c) / (heavyTail + 1) }

func descend(run []*observation, scale2 []float64, prior float64, skip []bool, c float64) float64 {
	for range commonSteps {
		p := 1 / wide(prior, c)
		sum, weight := 0.0, p
		for j, o := range run {
			if o.has && !skip[j] {
				v := scale2[j] + o.v
				h := bisquare(math.Abs(o.r-c) / math.Sqrt(v))
				sum, weight = sum+h*o.r/v, weight+h/v
			}
		}
		c = sum / weight
	}
	return c
}

func loss(run []*observation, scale2 []float64, prior float64, skip []bool, c float64) float64 {
	sum := rho2(c * c / prior)
	for j, o := range run {
		if o.has && !skip[j] {
			d := o.r - c
			sum += rho2(d * d / (scale2[j] + o.v))
		}
	}
	return sum
}

// rho2 is the bisquare's loss of a squared standardised deviation, 1 at most.
func rho2(u2 float64) float64 {
	q := 1 - u2/(bisquareAt*bisquareAt)
	if q <= 0 {
		return 1
	}
	return 1 - q*q*q
}

func bisquare(u float64) float64 {
	q := 1 - u*u/(bisquareAt*bisquareAt)
	if q <= 0 {
		return 0
	}
	return q * q
}

// weightedMedian is the residual at half of the precision.
func weightedMedian(run []*observation, scale2 []float64, skip []bool) float64 {
	var total float64
	for j, o := range run {
		if o.has && !skip[j] {
			total += 1 / (scale2[j] + o.v)
		}
	}
	// Runs have few operators: the next larger residual is looked for until half of the weight is below.
	below, last := 0.0, math.Inf(-1)
	for below < total/2 {
		next, w := math.Inf(1), 0.0
		for j, o := range run {
			switch {
			case !o.has || skip[j] || o.r <= last:
			case o.r < next:
				next, w = o.r, 1/(scale2[j]+o.v)
			case o.r == next:
				w += 1 / (scale2[j] + o.v)
			}
		}
		if math.IsInf(next, 1) {
			break
		}
		last, below = next, below+w
	}
	return last
}
