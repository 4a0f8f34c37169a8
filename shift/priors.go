package shift

import "math"

// Priors are what the fleet says about operators of which little is known. They are fitted again now and then from all histories.
type Priors struct {
	// Slopes of log cost over log rows, by role; "" is for roles of which little is known.
	Slopes map[string]slopePrior
	// Variance is of operators between runs, Common that of runs' common modes.
	Variance, Common variancePrior
	// Rho is the correlation of neighbouring runs, Far the probability that an operator lies far above in a run for no lasting reason.
	Rho, Far float64
	// FarRuns is how many runs of an operator Far weighs as much as: many where operators are alike in it.
	FarRuns float64
	// Operators is from how many operators they were fitted.
	Operators int
}

// Before there is a fleet: an operator varies by 3 % from run to run, a run by 4 % as a whole, with wide room for both; cost grows nearly
// as rows do; one run in a thousand strays.
func defaultPriors() Priors {
	return Priors{
		Slopes:   map[string]slopePrior{"": {Mean: 0.95, Var: 0.3 * 0.3}},
		Variance: variancePrior{Between: 0.03 * 0.03, DF: 4, Scale: 1},
		Common:   variancePrior{Between: 0.04 * 0.04, DF: 4, Scale: 1},
		Rho:      0.1, Far: 0.001, FarRuns: farAlike / 0.001,
	}
}

const (
	rhoWeight  = 100. // runs that the fleet's correlation weighs in an operator's
	rhoMost    = 0.8  // beyond that a shift and noise are the same
	farAlike   = 0.3  // shape of the gamma by which operators differ in their share of strays, before the fleet tells
	farLeast   = 0.1  // … and its range
	farMost    = 20.
	farFit     = 10    // strays from which it is fitted
	farRuns    = 2000. // runs of the share of strays that is there before any fleet
	farStart   = 1.    // strays among these
	slopeStart = 4     // operators that the common prior weighs in a role's
	slopeLeast = 0.1 * 0.1
	slopeMost  = 0.3 * 0.3
	slopeUse   = 0.25 * 0.25 // variance of a slope that a prior is fitted from, at most
)

// noise is what an operator's errors are like, by its own history drawn towards the fleet's.
func (p *Priors) noise(s spread) noise {
	n := noise{rho: p.Rho, far: (p.FarRuns*p.Far + s.Far) / (p.FarRuns + s.Runs)}
	if between := s.Total - s.Known; between > 0.2*s.Total && s.Runs > 0 {
		own := min(max(s.Lag/between, 0), 1)
		n.rho = (rhoWeight*p.Rho + s.Runs*own) / (rhoWeight + s.Runs)
	}
	n.rho = min(n.rho, rhoMost)
	return n
}

func (p *Priors) slope(role string) slopePrior {
	if s, ok := p.Slopes[role]; ok {
		return s
	}
	return p.Slopes[""]
}

// fitPriors fits them over operators (by role) and queries' common modes.
func fitPriors(byRole map[string][]spread, common []spread) Priors {
	p := defaultPriors()
	var all []spread
	for _, role := range sortedKeys(byRole) {
		all = append(all, byRole[role]...)
	}
	p.Operators = len(all)
	p.Variance = fitVariance(all, p.Variance)
	p.Common = fitVariance(common, p.Common)
	p.Slopes[""] = fitSlopes(all, p.Slopes[""])
	for role, spreads := range byRole {
		p.Slopes[role] = fitSlopes(spreads, p.Slopes[""])
	}
	far, runs, lag, between := farStart, farRuns, 0., 0.
	for _, s := range all {
		far, runs = far+s.Far, runs+s.Runs
		if b := s.Total - s.Known; b > 0.2*s.Total && s.DF >= minSpreadDF {
			w := s.DF / (s.Total * s.Total)
			lag, between = lag+w*s.Lag*s.Total, between+w*b*s.Total
		}
	}
	p.Far = far / runs
	p.FarRuns = alike(all) / p.Far
	if between > 0 {
		p.Rho = min(max(lag/between, 0), rhoMost)
	}
	return p
}

// alike is the shape of the gamma by which operators differ in their share of strays, by the moments of their counts: a Poisson's
// variance is its mean, what is more is the gamma's.
func alike(all []spread) float64 {
	var n, far, runs float64
	for _, s := range all {
		n, far, runs = n+1, far+s.Far, runs+s.Runs
	}
	if far < farFit || n < 2*farFit {
		return farAlike
	}
	var over, expected2 float64
	for _, s := range all {
		expected := far / runs * s.Runs
		over, expected2 = over+square(s.Far-expected)-expected, expected2+expected*expected
	}
	return min(max(expected2/max(over, 1e-9), farLeast), farMost)
}

// fitSlopes is a normal prior by DerSimonian and Laird's moments; otherwise counts as slopeStart operators.
func fitSlopes(spreads []spread, otherwise slopePrior) slopePrior {
	w, wy, w2, n := 0., 0., 0., 0.
	for _, s := range spreads {
		if s.Slopes > 0 && s.Slopes <= slopeUse && math.Abs(s.Slope) < 5 {
			i := 1 / (s.Slopes + slopeLeast)
			w, wy, w2, n = w+i, wy+i*s.Slope, w2+i*i, n+1
		}
	}
	if n < 3 {
		return otherwise
	}
	mean, q := wy/w, 0.
	for _, s := range spreads {
		if s.Slopes > 0 && s.Slopes <= slopeUse && math.Abs(s.Slope) < 5 {
			q += square(s.Slope-mean) / (s.Slopes + slopeLeast)
		}
	}
	between := slopeLeast + max(0, (q-(n-1))/(w-w2/w))
	return slopePrior{
		Mean: (n*mean + slopeStart*otherwise.Mean) / (n + slopeStart),
		Var:  min(max((n*between+slopeStart*otherwise.Var)/(n+slopeStart), slopeLeast), slopeMost),
	}
}
