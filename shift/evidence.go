package shift

import (
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// windows are the numbers of newest runs that are tested together against the baseline before them, with the part of the level that each gets. The rest is
// that of longer windows and the drift's. One run alone gets little: it is hardly ever enough, for a single bad run is no shift.
var windows = [...]struct {
	runs  int
	share float64
}{{1, 0.05}, {2, 0.5}, {3, 0.2}, {5, 0.12}}

const (
	mostSudden = 5                              // runs under test for a sudden shift; they are not in the baseline
	mostLong   = 24                             // runs under test for a shift that fewer could not show: each number of newest runs from mostSudden + 1 to this
	longShare  = 0.06 / (mostLong - mostSudden) // of each
	driftShare = 0.07
	driftRuns  = 10 // runs under test for a drift, at most
	driftLeast = 5
	driftFades = 0.8 // weight of a run for the drift, over that of the next
	driftLimit = 3   // standard deviations to which one run counts for the drift
	maxTested  = driftRuns
)

// Evidence is what some newest runs say about an operator against a line.
type Evidence struct {
	Runs  int     // how many
	Drift bool    // against the frozen reference, newer runs weigh more
	Log   float64 // estimated log of the ratio
	SE    float64 // its standard error
	DF    float64
	// P is the probability of this or more where nothing changed, over all windows tested at this run; 1 where it is not small.
	P float64
}

// Ratio is the estimate with its 95 % interval.
func (e Evidence) Ratio() (ratio, low, high float64) {
	m := tQuantile(0.975, e.DF) * e.SE
	return math.Exp(e.Log), math.Exp(e.Log - m), math.Exp(e.Log + m)
}

// noise is what an operator's errors are like, beside their variance.
type noise struct {
	rho float64 // correlation of the between-run errors of neighbouring runs
	far float64 // probability that a run lies far above for no lasting reason
}

// leaning is how unlike operators are in what a slower host does to them: where a run is dearer as a whole by c (of the log), an operator's part in
// that is c times one give or take this. Measured by bench/shift on a machine whose runs' common modes vary by 14 %: 0.13 over eleven operators.
// It stays while the host is slow, so runs do not average it out.
const leaning = 0.15

// leans is a run's standard error by that. What the runs of the baseline were dearer by as a whole is in the line; what counts is how far this one is from them.
func (l *line) leans(o *observation) float64 { return leaning * (o.c - l.Common) }

// weights are those of runs in their mean: each counts by its own standard error (Stouffer 1949). So each has the same part in the mean's error, and the mean of k runs has
// the tails of k; weighted by precision, one usual run beside slow ones would be all of it.
func (l *line) weights(runs []*observation) []float64 {
	w := make([]float64, len(runs))
	for i, o := range runs {
		w[i] = 1 / math.Sqrt(o.v+o.cv+l.Scale2+square(l.leans(o)))
	}
	return w
}

// measure is the weighted mean of the newest runs over the line, and its variance: each run's own (sampling, common mode), between-run
// variance with neighbours correlated, what the operator may lean to in their common modes, and the line's.
func (l *line) measure(runs []*observation, weight []float64, n noise) (mean, variance float64) {
	var total, x, lean float64
	for i, o := range runs {
		total, x = total+weight[i], x+weight[i]*o.x
	}
	for i, o := range runs {
		w := weight[i] / total
		mean += w * o.error()
		lean += w * l.leans(o)
		variance += w * w * (o.v + o.cv)
		for j := range i + 1 {
			part := w * weight[j] / total * l.Scale2 * math.Pow(n.rho, float64(i-j))
			if i != j {
				part *= 2
			}
			variance += part
		}
	}
	_, fixed := l.at(x / total)
	return mean, variance + fixed + square(lean)
}

// outlierSpan is how many logs the sizes of strays are taken to spread over: one agrees with other runs by chance with the probability
// width/outlierSpan. Two runs agree within agreeWithin standard deviations of their difference.
const (
	outlierSpan = 1
	agreeWithin = 3
)

// agreeShare is the part of the level for windows whose runs agree, as those after a shift do. A window with a stray in it may be one of them or one of the others, so each kind
// has its part (union bound).
const agreeShare = 0.8

// interesting is the statistic below which no p value is computed.
const interesting = 3

// up tests whether the newest runs are dearer than the line says (sign 1; cheaper: -1). P is that of this window alone.
//
// Runs are strays with probability n.far, more often soon after another, and then lie anywhere above. A window is as extreme as seen only if, for some number m of strays
// among its k runs, the others are as extreme as they are: P ≤ Σ C(k,m)·far^m·P(the k-m least certain, less what they have from their
// neighbours astray). Where all agree with each other, each stray must besides have come near the others by chance.
func (l *line) up(runs []*observation, sign float64, n noise) Evidence {
	weight := l.weights(runs)
	mean, variance := l.measure(runs, weight, n)
	e := Evidence{Runs: len(runs), Log: mean, SE: math.Sqrt(variance), DF: l.DF, P: 1}
	if sign*mean/e.SE < interesting {
		return e
	}
	rest, place := make([]*observation, len(runs)), make([]int, len(runs))
	strays := make([]int, 0, len(runs))
	for i, o := range runs {
		c := *o
		rest[i], place[i] = &c, i
	}
	p, choose := l.tail(sign*mean/e.SE, len(runs)), 1.0
	near, agrees := l.agree(runs)
	share := agreeShare
	switch {
	case len(runs) == 1:
		share = 1
	case !agrees:
		share = 1 - agreeShare
	}
	for m := 1; m <= len(runs); m++ {
		choose *= float64(len(runs)-m+1) / float64(m)
		top := 0
		for i, o := range rest {
			if sign*o.error()*weight[i] > sign*rest[top].error()*weight[top] {
				top = i
			}
		}
		// Nearer than farAt it may be the noise that neighbours share. What it is off beyond that is its own.
		limit := farAt * math.Sqrt(rest[top].v+rest[top].cv+l.Scale2)
		gone, at := min(max(rest[top].error(), -limit), limit), place[top]
		rest, place, weight = slices.Delete(rest, top, top+1), slices.Delete(place, top, top+1), slices.Delete(weight, top, top+1)
		for i, o := range rest {
			// What comes near a stray is astray with it, as far as neighbours are alike.
			own := l.Scale2 / (l.Scale2 + o.v + o.cv)
			o.r -= gone * own * math.Pow(n.rho, math.Abs(float64(place[i]-at)))
		}
		strays = append(strays, at)
		far := choose * n.astray(runs, strays) / share
		if len(rest) == 0 {
			p += far * math.Pow(near, float64(m-1))
			break
		}
		mean, variance := l.measure(rest, weight, n)
		p += far * math.Pow(near, float64(m)) * l.tail(sign*mean/math.Sqrt(variance), len(rest))
	}
	e.P = min(p, 1)
	return e
}

// What sends a run astray may last: a method that the compiler gave up and has to compile again, a neighbour on the machine. Of 33 runs that followed on a
// stray within strayLasts, six were astray (bench/shift's records of two sessions: 13 queries, 2,259 operator-runs, strays beyond five standard deviations).
const (
	strayLasts = 5 * time.Minute
	strayAgain = 0.2
)

// again is the probability that a run is astray so long after another one that is.
func (n noise) again(gap time.Duration) float64 {
	if gap.Abs() <= strayLasts {
		return max(n.far, strayAgain)
	}
	return n.far
}

// astray is the probability that the runs at these places are.
func (n noise) astray(runs []*observation, places []int) float64 {
	places = slices.Sorted(slices.Values(places))
	p := n.far
	for i, at := range places[1:] {
		p *= n.again(runs[at].end.Sub(runs[places[i]].end))
	}
	return p
}

// agree tells whether the runs lie together, and the probability that a stray lies as close to the others; 1 where they do not.
func (l *line) agree(runs []*observation) (near float64, agrees bool) {
	low, high, sd := math.Inf(1), math.Inf(-1), 0.0
	for _, o := range runs {
		low, high = min(low, o.error()), max(high, o.error())
		sd += math.Sqrt(o.v+o.cv+l.Scale2) / float64(len(runs))
	}
	width := 2 * agreeWithin * math.Sqrt2 * sd
	if high-low > width/2 {
		return 1, false
	}
	return min(1, width/outlierSpan), true
}

// drifted tests the newest runs, oldest first, against a frozen reference by an exponentially weighted mean in which each run counts to
// driftLimit standard deviations. With level a it alarms falsely once in 1/a runs or more rarely (union bound).
func (l *line) drifted(runs []*observation, sign float64, n noise) Evidence {
	weight := make([]float64, len(runs))
	clipped := make([]*observation, len(runs))
	for i, o := range runs {
		weight[i] = math.Pow(driftFades, float64(len(runs)-1-i))
		c := *o
		limit := driftLimit * math.Sqrt(o.v+o.cv+l.Scale2)
		c.r = c.c + min(max(o.error(), -limit), limit)
		clipped[i] = &c
	}
	_, variance := l.measure(clipped, weight, n)
	// The size is told by all; the test by what is clipped, about the median, so that a lasting shift is not clipped away.
	errs := make([]float64, len(runs))
	for i, o := range runs {
		errs[i] = o.error()
	}
	middle := median(errs)
	for i, o := range runs {
		limit := driftLimit * math.Sqrt(o.v+o.cv+l.Scale2)
		clipped[i].r = clipped[i].c + min(max(o.error(), middle-limit), middle+limit)
	}
	mean, _ := l.measure(clipped, weight, n)
	e := Evidence{Runs: len(runs), Drift: true, Log: mean, SE: math.Sqrt(variance), DF: l.DF, P: 1}
	if t := sign * mean / e.SE; t >= interesting {
		// Half of the runs must be strays to move the median.
		m := (len(runs) + 1) / 2
		e.P = min(1, l.tail(t, len(runs)/2)+math.Pow(2, float64(len(runs)))*math.Pow(n.far, float64(m)))
	}
	return e
}

// heavyRun is the degrees of freedom of a t whose tails a single run's error has at most, strays aside; a mean of k runs has k times as many.
// It was chosen by simulation: with the tails of the variance's uncertainty alone, errors of a t of 5 gave three times the false alarms that
// the level allows.
const heavyRun = 8

// tail is the probability that a mean of so many runs is t standard errors or more above.
func (l *line) tail(t float64, runs int) float64 {
	if t < interesting/2 {
		return 1
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: l.tailDF(runs)}.Survival(t)
}

func (l *line) tailDF(runs int) float64 { return min(l.DF, float64(heavyRun*max(runs, 1))) }

// tQuantile is the quantile p of a t with df degrees of freedom, by Wallace's transformation of a normal's: within 3 % from 8 degrees
// on, and for p up to 0.975 from 3 degrees on.
func tQuantile(p, df float64) float64 {
	z := math.Sqrt2 * math.Erfinv(2*p-1)
	if p > 1-1e-12 {
		z = 7.1
	}
	if math.IsInf(df, 1) || df > 1e6 {
		return z
	}
	df = max(df, 1)
	g := z * (8*df + 3) / (8*df + 1)
	return math.Copysign(math.Sqrt(df*math.Expm1(g*g/df)), z)
}
