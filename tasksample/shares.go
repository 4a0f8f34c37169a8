package tasksample

import "math"

// ratio is the share of a key in a tier, with what is known of its error.
type ratio struct {
	share    float64
	clock    float64 // variance by the sampling clock, given the units
	between  float64 // variance of the mean of a simple random sample of units, before the finite population correction
	binomial float64
	units    float64
	samples  uint64
}

// minDesign is the least design effect that is believed. The changes between neighbors see blocks
// of one key only at their ends; a few samples may miss those.
const minDesign = 0.1

// leastDesign is the least design effect that is believed where so many samples are of the key, or
// so many are not, whichever is less. Below five they are taken as drawn each on its own: two
// neighbors that are alike by chance look like a block.
func leastDesign(samples uint64) float64 {
	if samples <= few {
		return 1
	}
	return max(minDesign, few/float64(samples))
}

// ratioOf is the ratio estimator Σ Wk / Σ W of a tier and its variances.
//
// Clock: perf's task clock is systematic within a thread. The first sample of an attempt comes at a
// random moment: p(1-p) by itself. Each further sample is judged against the one before (successive
// differences: Wolter, Introduction to Variance Estimation, 2007, 8.2). The term is half a squared
// difference. On average it is p(1-p) if keys alternate faster than the clock, and less if a key
// holds for many samples.
//
// Between: linearised residuals e = Wk - share·W over units (Särndal, Swensson, Wretman 1992, 5.7).
func ratioOf[K comparable](c *Sums[K], key K) ratio {
	r := ratio{units: float64(c.Units)}
	k := c.Keys[key]
	if k == nil {
		k = &KeySums{}
	}
	r.share, r.samples = k.Weight/c.Weight, k.Samples
	w2 := c.Weight * c.Weight
	spread := r.share * (1 - r.share)
	others := c.Samples - min(r.samples, c.Samples)
	if others == 0 {
		spread = alone(w2 / c.Squares)
	}
	r.binomial = c.Squares * spread / w2
	r.clock = max((c.First*spread+k.Changes)/w2, leastDesign(min(r.samples, others))*r.binomial)
	if c.Units > 1 {
		e2 := max(0, k.Square-2*r.share*k.Cross+r.share*r.share*c.WeightUnits)
		r.between = max(r.units/(r.units-1)*e2/w2, 0)
	}
	return r
}

// alone is p(1-p) where all of n samples are of one key: that p is 1 is the estimate, and that it
// is so for certain no one said. It is taken at the mean of Jeffreys' posterior, (n + 1/2) / (n +
// 1) (Brown, Cai, DasGupta, Interval Estimation for a Binomial Proportion, 2001). So one sample is
// known to 43 %, twenty to 3.4 % and a hundred to 0.7 %.
func alone(n float64) float64 {
	p := (n + 0.5) / (n + 1)
	return p * (1 - p)
}

// key is the estimate of one key in the band.
func (b *band[K]) key(key K) moments {
	var m moments
	if b.rule == ruleNothing {
		return m
	}
	rest := b.rest()
	for t := range b.tier {
		c := &b.tier[t]
		if c.Weight == 0 {
			continue
		}
		r, cpu := ratioOf(c, key), c.CPU
		m.samples += r.samples
		speaks := b.speaks(Tier(t))
		if speaks {
			cpu += rest
		}
		variance, df := r.clock, math.Inf(1)
		switch {
		case speaks && b.rule == ruleSelected && rest > 0:
			f := r.units / (r.units + float64(b.tier[TierNone].Units))
			variance, df = (1-f)*r.between+f*r.clock, r.units-1
		}
		m.add(of(cpu, r.share, variance, r.binomial, df))
	}
	return m
}

// of are the moments of CPU times an estimated share.
func of(cpu, share, variance, binomial, df float64) moments {
	m := moments{cpu: cpu * share, variance: cpu * cpu * variance, binomial: cpu * cpu * binomial}
	if !math.IsInf(df, 1) {
		m.weak = m.variance * m.variance / max(df, 0.5)
	}
	return m
}

// speaks reports whether a tier represents what has no samples of its own.
func (b *band[K]) speaks(t Tier) bool {
	switch b.rule {
	case ruleBase:
		return t == TierBase
	case ruleSelected:
		return t == TierSelected
	case rulePromoted:
		return t == TierPromoted
	}
	return false
}
