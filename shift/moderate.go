package shift

import (
	"math"

	"github.com/planflame/planflame/shift/internal/stats"
)

// Winsorised variance: residuals count up to winsorAt standard deviations. winsorMean is E[min(Z², winsorAt²)] of a normal Z, winsorDF what
// is left of each degree of freedom.
const (
	winsorAt   = 2.5
	winsorMean = 0.97756
	winsorDF   = 0.9
)

// robustVariance is the variance of errors over df degrees of freedom, of which a few bad ones do not matter. It sorts nothing and keeps
// errors as they are.
func robustVariance(errors []float64, df float64) float64 {
	if len(errors) == 0 || df <= 0 {
		return 0
	}
	absolute := make([]float64, len(errors))
	for i, e := range errors {
		absolute[i] = math.Abs(e)
	}
	// The median of |error| of a normal is 0.6745 standard deviations; the fit has drawn the errors together.
	v := square(median(absolute)/0.6745) * float64(len(errors)) / df
	var all float64
	for _, e := range errors {
		all += e * e
	}
	if v == 0 {
		v = all / df
	}
	for range 10 {
		limit, sum := winsorAt*winsorAt*v, 0.0
		for _, e := range errors {
			sum += min(e*e, limit)
		}
		next := sum / (winsorMean * df)
		if math.Abs(next-v) < 1e-4*v {
			return next
		}
		v = next
	}
	return v
}

// spread is how an operator's (or a query's) errors spread, as the fleet's prior is fitted from it.
type spread struct {
	DF     float64 // degrees of freedom of Total
	Total  float64 // robust variance of the errors
	Known  float64 // the mean part of it that sampling and the common mode's estimate explain
	Lag    float64 // mean product of neighbouring errors, the estimate's own bias taken out
	Far    float64 // runs far above, more than farAt standard deviations
	Runs   float64 // runs looked at
	Slope  float64 // least squares slope over rows, without prior
	Slopes float64 // its variance; 0: there is none
}

// variancePrior is what the fleet says about variances: total variance of an operator is distributed as
// Scale·(known + Between)·DF/χ²(DF) (Smyth 2004, with a trend in the known part).
type variancePrior struct {
	Between float64 // between-run variance of the typical operator
	DF      float64
	Scale   float64
}

// moderate is the between-run variance of a spread drawn towards the prior, and the degrees of freedom of the total variance.
func (p variancePrior) moderate(s spread) (between, df float64) {
	total := (p.DF*p.Scale*(s.Known+p.Between) + s.DF*s.Total) / (p.DF + s.DF)
	return max(total-s.Known, leastBetween*p.Between, leastScale2), p.DF + s.DF
}

const (
	leastBetween = 0.05         // of the typical between-run variance: no operator is steadier than that
	leastScale2  = 0.002 * .002 // nor steadier than 0.2 %
	leastPriorDF = 3
	mostPriorDF  = 60
	priorOverOwn = 2  // the prior's degrees of freedom over the operators' own, at most
	minPriorFit  = 10 // spreads from which a prior is fitted
	minSpreadDF  = 3
)

// fitVariance fits the prior over the fleet's spreads, by the moments of log variances (Smyth 2004; winsorised as in Phipson 2016). Where
// there are too few it returns otherwise.
func fitVariance(all []spread, otherwise variancePrior) variancePrior {
	var use []spread
	for _, s := range all {
		if s.DF >= minSpreadDF && s.Total > 0 {
			use = append(use, s)
		}
	}
	if len(use) < minPriorFit {
		return otherwise
	}
	p := variancePrior{Between: typicalBetween(use)}
	logs := make([]float64, len(use))
	for i, s := range use {
		logs[i] = math.Log(s.Total/(s.Known+p.Between)) - stats.Digamma(s.DF/2) + math.Log(s.DF/2)
	}
	centre, deviation := centreAndDeviation(logs)
	var expected float64
	for _, s := range use {
		expected += stats.Trigamma(s.DF/2) / float64(len(use))
	}
	// What is left of the spread of log variances is the prior's; two standard errors more, for a prior believed too sharp is worse than one
	// too wide.
	p.DF = mostPriorDF
	if rest := deviation*deviation*(1+2*math.Sqrt(2/float64(len(use)-1))) - expected; rest > 0 {
		p.DF = min(max(2*stats.InverseTrigamma(rest), leastPriorDF), mostPriorDF)
	}
	// Short histories cannot tell how alike operators are.
	var own float64
	for _, s := range use {
		own += s.DF / float64(len(use))
	}
	p.DF = max(min(p.DF, priorOverOwn*own), leastPriorDF)
	p.Scale = math.Exp(centre + stats.Digamma(p.DF/2) - math.Log(p.DF/2))
	return p
}

// typicalBetween is the between-run variance at which the middle operator's total is as large as its known part and this.
func typicalBetween(use []spread) float64 {
	rest := make([]float64, len(use))
	for i, s := range use {
		// The median of χ²(d)/d is about (1 - 2/(9d))³.
		rest[i] = s.Total/cube(1-2/(9*s.DF)) - s.Known
	}
	return max(median(rest), leastScale2)
}

// centreAndDeviation are mean and standard deviation of values, each drawn in to three robust deviations.
func centreAndDeviation(values []float64) (centre, deviation float64) {
	m := median(append([]float64(nil), values...))
	absolute := make([]float64, len(values))
	for i, v := range values {
		absolute[i] = math.Abs(v - m)
	}
	limit := 3 * median(absolute) / 0.6745
	var sum, squares float64
	for _, v := range values {
		sum += min(max(v, m-limit), m+limit)
	}
	centre = sum / float64(len(values))
	for _, v := range values {
		squares += square(min(max(v, m-limit), m+limit) - centre)
	}
	return centre, math.Sqrt(squares / float64(len(values)-1))
}

func square(x float64) float64 { return x * x }
func cube(x float64) float64   { return x * x * x }
