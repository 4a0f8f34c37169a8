package shift

import (
	"fmt"
	"math"
	"slices"

	"github.com/planflame/planflame/shift/internal/stats"
)

// Priors are what the fleet says about operators of which little is known. They are fitted again
// now and then from all histories.
type Priors struct {
	// Between is the typical operator's variance between runs, DF how alike operators are in it.
	Between, DF float64
	// Rho is the correlation of neighboring runs' errors, Far the probability that an operator is
	// far above in a run for no lasting reason.
	Rho, Far float64
	// Operators is from how many operators they were fitted.
	Operators int
}

// Before there is a fleet: an operator varies by 3 % from run to run, with wide room; one run in
// two thousand is a stray.
func defaultPriors() Priors {
	return Priors{Between: 0.03 * 0.03, DF: 4, Rho: 0.2, Far: 0.0005}
}

// spread is how an operator's errors spread over its baseline, as the priors are fitted from it.
type spread struct {
	DF     float64 // degrees of freedom of Total
	Total  float64 // robust variance of the errors
	Known  float64 // the mean part of it that sampling and the common modes' estimates explain
	Lag    float64 // mean product of neighboring errors
	Far    float64 // runs that are strays
	Runs   float64 // runs looked at
	Pooled bool    // young runs were counted
}

const (
	rhoMost  = 0.9 // beyond that a shift and noise are the same
	mostDF   = 25  // degrees of freedom of a prior, at most
	fitLeast = 10  // operators from which priors are fitted
)

// fitPriors fits them: the variance's by moments of its log (Smyth 2004), the share of strays and
// the correlation by their own.
func fitPriors(all []spread) Priors {
	p := defaultPriors()
	use := all[:0:0]
	for _, s := range all {
		if s.DF >= 3 && s.Total > 0 {
			use = append(use, s)
		}
	}
	if p.Operators = len(use); len(use) < fitLeast {
		return p
	}
	// What is believed before there is a fleet weighs as 2,000 runs and ten operators.
	rest := slices.Repeat([]float64{p.Between}, fitLeast)
	far, runs, lag, weight := 2000*p.Far, 2000., fitLeast*p.Rho, float64(fitLeast)
	for _, s := range use {
		rest = append(rest, s.Total/stats.ChiMedian(s.DF)-s.Known)
		if s.Runs >= 10 && !s.Pooled {
			far, runs = far+s.Far, runs+s.Runs
		}
		if own := 1 - s.Known/s.Total; own > 0.2 && s.Runs >= 10 {
			n := s.Runs / 10 // short baselines tell little of it
			lag, weight = lag+n*n*s.Lag/s.Total, weight+n*n*own
		}
	}
	p.Between = max(stats.Median(rest), 1e-6)
	p.Far, p.Rho = far/runs, min(max(lag/weight, 0), rhoMost)
	p.DF = fitDF(use, p.Between)
	return p
}

// fitDF is how alike operators' variances are, by those whose variance is mostly between runs: the
// known part is alike for all. Only the part that is between runs is the prior's (Satterthwaite).
func fitDF(use []spread, between float64) float64 {
	var logs []float64
	expected, part := 0., 0.
	for _, s := range use {
		if s.Known < between {
			mean, variance := stats.LogChi2(s.DF)
			logs = append(logs, math.Log(s.Total/(s.Known+between))-mean)
			expected, part = expected+variance, part+square(between/(s.Known+between))
		}
	}
	if len(logs) < fitLeast {
		return defaultPriors().DF
	}
	n := float64(len(logs))
	low, _, high := stats.Quartiles(logs)
	sd := (high - low) / 1.349 // of a normal
	// Few operators tell little of it: what was believed before weighs as much as fitLeast.
	x := max(n*(sd*sd-expected/n), 0) + fitLeast*stats.Trigamma(defaultPriors().DF/2)
	return max(2*stats.InverseTrigamma(x/(n+fitLeast))*part/n, 3)
}

func (p *Priors) check() error {
	if !within(p.Between, 1e-12, 100) || !within(p.DF, 1, 1e4) {
		return fmt.Errorf("variance %g, %g degrees of freedom", p.Between, p.DF)
	}
	if !within(p.Rho, 0, rhoMost) || !within(p.Far, 1e-9, 1) {
		return fmt.Errorf("correlation %g, share of strays %g", p.Rho, p.Far)
	}
	return nil
}
