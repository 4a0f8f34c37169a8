package shift

import (
	"math"
	"slices"
	"time"

	"github.com/planflame/planflame/shift/internal/stats"
)

// Evidence is what some newest runs say about an operator against a line.
type Evidence struct {
	Runs  int     // how many
	Drift bool    // against the frozen line
	Log   float64 // estimated log of the ratio
	SE    float64 // its standard error
	DF    float64
	// P is the probability of this or more where nothing changed, over all windows tested at this
	// run; 1 where it is not small.
	P float64
}

// Ratio is the estimate with its 95 % interval.
func (e Evidence) Ratio() (ratio, low, high float64) {
	m := stats.Quantile(0.975, max(e.DF, 1)) * e.SE
	return math.Exp(e.Log), math.Exp(e.Log - m), math.Exp(e.Log + m)
}

// interesting is the statistic below which no p value is computed.
const interesting = 3

// block is one observation of an operator: several young runs may be one.
type block struct {
	first  int // position of its first run
	runs   float64
	end    time.Time
	young  bool
	z, err float64 // standardized error, and the error
	sd     float64 // standard deviation of the error
	fixed  float64 // the line's standard error over it
}

// add takes one more run into the block.
func (b *block) add(err, sd, fixed float64) {
	n := b.runs
	b.z, b.err, b.sd, b.fixed = (b.z*n+err/sd)/(n+1), (b.err*n+err)/(n+1), (b.sd*n+sd)/(n+1), (b.fixed*n+fixed/sd)/(n+1)
	b.runs++
}

// blocks are operator j's observations that are held out, oldest first, as far as its line covers
// them.
func (f *fit) blocks(j int) (out []block) {
	c := &f.cols[j]
	group := -1
	for _, i := range c.test {
		o := &c.obs[i]
		if !c.covers(o.x, f.margin) {
			out, group = out[:0], -1
			continue
		}
		y, fixed := c.at(o.x, f.c[i][j])
		if f.group[i] != group {
			out, group = append(out, block{first: i, end: f.runs[i].End.Time, young: f.young[i]}), f.group[i]
		}
		out[len(out)-1].add(o.y-y, math.Sqrt(c.noise(o.v, f.cv[i][j])), math.Sqrt(fixed))
	}
	return out
}

// sample is what a test needs to know of blocks of one operator.
type sample struct {
	blocks         []block
	scale2, own    float64 // variance of a usual error, and the part of it between runs
	df             float64
	far, cold, rho float64
	pooled         bool
}

// test is the evidence of blocks, by the gross-error mixture: any m of them may be strays, and then
// the others are as far off as they are. Strays must also have come near the others by chance.
func (s *sample) test(set *Settings) Evidence {
	k := len(s.blocks)
	n := float64(k)
	var sum, fixed, sd float64
	for _, b := range s.blocks {
		sum, fixed, sd = sum+b.err/n, fixed+b.fixed/n, sd+b.sd/n
	}
	e := Evidence{Runs: k, Log: sum, DF: s.df, P: 1}
	sign := math.Copysign(1, e.Log)
	z, widest := make([]float64, k), 0.
	low, high, young := math.Inf(1), math.Inf(-1), false
	for i, b := range s.blocks {
		z[i] = sign * b.z
		low, high, young = min(low, b.err), max(high, b.err), young || b.young
	}
	widest = high - low
	slices.SortFunc(z, func(a, b float64) int { // the farthest first
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	if k >= pooledRuns && !set.without("pooling") {
		within := 0.
		for _, b := range s.blocks {
			within += square(b.err - e.Log)
		}
		scale := math.Sqrt(max(1, (e.DF*s.scale2+within)/((e.DF+n-1)*s.scale2)))
		e.DF, sd = e.DF+n-1, sd*scale
		for i := range z {
			z[i] /= scale
		}
	}
	total := 0.
	for _, x := range z {
		total += x
	}
	e.SE = s.se(k, fixed) * sd
	if t := total / n / s.se(k, fixed); t >= interesting && !(sign < 0 && s.pooled) { // a pooled baseline was cold
		e.P = s.mixture(z, total, fixed, sd, widest, young && s.pooled, e.DF, set)
	}
	return e
}

// mixture is the sum over the number of strays.
func (s *sample) mixture(z []float64, sum, fixed, sd, widest float64, cold bool, df float64, set *Settings) float64 {
	k := len(z)
	tail := func(t float64, k int) float64 {
		if !set.without("tails") {
			df := min(df, runDF*float64(k))
			return stats.Tail(t, df)
		}
		return stats.Tail(t, df)
	}
	p := tail(sum/float64(k)/s.se(k, fixed), k)
	if s.far == 0 || set.without("strays") {
		return p
	}
	far, next := s.far, s.far
	for i, b := range s.blocks[1:] {
		if b.end.Sub(s.blocks[i].end).Abs() <= strayLasts && !set.without("again") {
			next = max(next, strayAgain)
		}
	}
	if cold {
		far = max(far, s.cold)
		next = max(next, far)
	}
	near, share := 1., 1-agreeShare
	if width := agreeAt * math.Sqrt2 * sd; widest <= width {
		near, share = min(1, 2*width), agreeShare
	}
	if set.without("agreement") {
		near, share = 1, 1
	}
	stray := far / next / share
	for m := 1; m <= k; m++ {
		stray *= next * float64(k-m+1) / float64(m)
		if sum -= z[m-1]; m == k {
			p += stray * math.Pow(near, float64(k-1))
			break
		}
		if rest := sum / float64(k-m) / s.se(k-m, fixed); rest > 0 {
			p += stray * math.Pow(near, float64(m)) * tail(rest, k-m)
		} else {
			p += stray * math.Pow(near, float64(m))
		}
	}
	return min(p, 1)
}

// se is the standard error of the mean of k standardized errors: neighbors are alike, and the
// line's error is in all of them.
func (s *sample) se(k int, fixed float64) float64 {
	return math.Sqrt(alike(k, s.rho, s.own/s.scale2)/float64(k) + fixed*fixed)
}

// alike is by how much the variance of a mean of k errors exceeds the variance with independent
// ones, of which a part correlates by rho with the next.
func alike(k int, rho, part float64) float64 {
	out, power := 1., 1.
	for d := 1; d < k; d++ {
		power *= rho
		out += 2 * (1 - float64(d)/float64(k)) * part * power
	}
	return out
}

// sample is the sample of operator j's newest blocks.
func (f *fit) sample(j int, b []block, cold float64) sample {
	c := &f.cols[j]
	return sample{blocks: b, scale2: c.Scale2, own: c.between(), df: c.DF, far: f.priors.Far, cold: cold, rho: f.rho(), pooled: f.pooled}
}

// cold is the share of young observations in which operator j is not compiled yet, by its baseline:
// a beta prior of mean 0.1 that weighs two.
func (f *fit) cold(j int) float64 {
	c := &f.cols[j]
	if f.set.without("cold") {
		return 0
	}
	limit := max(f.set.least(), 2*math.Sqrt(c.Scale2))
	cold, all := 0.2, 2.
	for k := 0; k < len(c.base); {
		first, sum, n := c.base[k], 0., 0.
		for ; k < len(c.base) && f.group[c.base[k]] == f.group[first]; k++ {
			sum, n = sum+f.error(c.base[k], j), n+1
		}
		if f.young[first] {
			if all++; sum/n > limit {
				cold++
			}
		}
	}
	return cold / all
}

// date is how many of operator j's newest blocks are since its cost changed: the change point of
// the highest likelihood (Hinkley 1970). Blocks before it count with the baseline.
func (f *fit) date(all []block) (since int) {
	best, fixed, before := 0., 0., 0.
	for _, b := range all {
		fixed, before = fixed+b.fixed/float64(len(all)), before+b.z
	}
	base, after := 1/(fixed*fixed), 0. // as many runs as the line is sure of
	for k := 1; k <= len(all); k++ {   // one run alone is a stray
		z, n := all[len(all)-k].z, float64(k)
		before, after = before-z, after+z
		old := base + float64(len(all)-k)
		if t := math.Abs(after/n-before/old) * math.Sqrt(n*old/(n+old)); k > 1 && t > best {
			best, since = t, k
		}
	}
	return since
}

// detectable is the ratio that operator j would show within mostSudden runs with power 0.9.
func (f *fit) detectable(j int) float64 {
	c := &f.cols[j]
	if !c.known() || c.DF == 0 {
		return 0
	}
	const k = mostSudden
	s := f.sample(j, nil, 0)
	se := s.se(k, math.Sqrt(c.LevelVar/c.Scale2)) * math.Sqrt(c.Scale2)
	t := f.quantiles.Upper(f.level*windows[2].share, min(c.DF, runDF*k)) + f.quantiles.Upper(0.1, c.DF)
	return math.Exp(max(f.set.least(), t*se))
}
