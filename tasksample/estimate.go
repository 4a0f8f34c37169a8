package tasksample

import (
	"fmt"
	"math"
	"time"
)

// Result is what a stage's statistics say.
type Result[K comparable] struct {
	// CPU is the known CPU of all finished units, by the threads' own clocks. The estimates of all
	// keys and Unsampled sum to it.
	CPU       time.Duration
	Keys      map[K]Estimate
	Unsampled time.Duration // known CPU of which no sample says anything
	// Unseen is the upper end of the 95 % interval of the CPU of any key that no sample has shown.
	Unseen  time.Duration
	Samples uint64
	Units   uint64
	Sampled uint64 // units whose tier had a clock
	// Valid is false where the intervals cannot be trusted; Why says what is missing. See the
	// package's "Domain of validity".
	Valid bool
	Why   string
}

// Estimate is the CPU of one key.
type Estimate struct {
	CPU       time.Duration
	SE        time.Duration // standard error
	Low, High time.Duration // 95 % interval, widened where Result.Valid is false for units that were not seen
	Samples   uint64        // raw
	Effective float64       // number of samples, drawn at random from the stage's CPU, that would give the same standard error
}

// Bounds of the domain of validity.
const (
	minClassShare = 0.05 // of the stage's CPU, from which on a band must have been seen
	minClassUnits = 5    // selected units in such a band
)

// Estimate computes the CPU of every key. It changes nothing and costs O(cells × keys).
func (s *Stage[K]) Estimate() Result[K] { return s.estimate(true) }

// EstimateWithoutIntervals is Estimate with Estimate.Low and Estimate.High left at 0. Exact
// intervals of keys with few samples take most of Estimate's time. A caller that merges stages or
// adds up variances has no use for them.
func (s *Stage[K]) EstimateWithoutIntervals() Result[K] { return s.estimate(false) }

func (s *Stage[K]) estimate(intervals bool) Result[K] {
	bands := s.bands()
	out := Result[K]{Keys: map[K]Estimate{}, Valid: true}
	var all, known, unclocked float64 // known: of bands from which anything can be said
	for _, b := range bands {
		all += b.cpu()
		out.Units += b.units()
		out.Sampled += b.units() - b.tier[TierNone].Units
		for t := range b.tier {
			out.Samples += b.tier[t].Samples
		}
		if b.rule != ruleNothing || b.borrows {
			known += b.cpu()
		}
		if b.rule == ruleBase {
			unclocked += b.tier[TierNone].CPU
		}
	}
	out.CPU, out.Unsampled = nanos(math.Round(all)), nanos(math.Round(all-known))
	wide := out.judge(bands, all, unclocked, s.FragmentsCPU)
	out.Unseen = nanos(math.Round(min(unseen(bands, all)+wide, all)))
	for key := range keysOf(bands) {
		sum := moments{total: all}
		for _, b := range bands {
			sum.add(b.key(key))
		}
		e := sum.estimate()
		if intervals {
			e.Low, e.High = sum.interval(wide)
		}
		if intervals && e.CPU >= out.CPU { // all samples are of this key
			e.Low, e.High = max(0, e.CPU-out.Unseen), min(out.CPU, e.CPU+out.Unseen)
		}
		out.Keys[key] = e
	}
	return out
}

// judge fills Valid and Why and returns by how much intervals are to be widened: the CPU of bands
// of which too little was seen.
func (r *Result[K]) judge(bands []*band[K], all, unclocked, fragments float64) (wide float64) {
	say := func(format string, args ...any) {
		if r.Valid {
			r.Valid, r.Why = false, fmt.Sprintf(format, args...)
		}
	}
	pure := false
	for _, b := range bands {
		if b.rule == ruleBase || b.tier[TierNone].CPU == 0 {
			continue
		}
		pure = true
		if n := b.tier[TierSelected].Units; n < minClassUnits && b.cpu() >= minClassShare*all {
			wide += b.tier[TierNone].CPU
			say("%.0f %% of the CPU is in tasks of %s to %s, of which %d were sampled and %d are needed", 100*b.cpu()/all,
				time.Duration(b.low).Round(time.Microsecond), time.Duration(b.high).Round(time.Microsecond), n, minClassUnits)
		}
	}
	if unclocked > minClassShare*all {
		say("%.0f %% of the CPU is in tasks whose clock could not be started", 100*unclocked/all)
	}
	if pure && fragments > minClassShare*all {
		say("%.0f %% of the CPU is in attempts that ended apart from their partition's others", 100*fragments/all)
	}
	if r.Unsampled > 0 && float64(r.Unsampled) >= minClassShare*all {
		say("no sample says anything of %.0f %% of the CPU", 100*float64(r.Unsampled)/all)
	}
	return wide
}

func keysOf[K comparable](bands []*band[K]) map[K]bool {
	out := map[K]bool{}
	for _, b := range bands {
		for t := range b.tier {
			for key := range b.tier[t].Keys {
				out[key] = true
			}
		}
	}
	return out
}

// moments are the estimate of one key in some of the stage's bands.
type moments struct {
	total    float64 // CPU of the whole stage, nanoseconds
	cpu      float64
	variance float64
	binomial float64 // variance that the same samples would have if each were drawn on its own
	weak     float64 // Σ variance²/df, for Satterthwaite's degrees of freedom
	samples  uint64
}

func (m *moments) add(o moments) {
	m.cpu += o.cpu
	m.variance += o.variance
	m.binomial += o.binomial
	m.weak += o.weak
	m.samples += o.samples
}

// freedom are the degrees of freedom of the variance (Satterthwaite 1946).
func (m *moments) freedom() float64 {
	if m.weak == 0 {
		return math.Inf(1)
	}
	return max(1, m.variance*m.variance/m.weak)
}

// estimate is the estimate without its interval.
func (m *moments) estimate() Estimate {
	e := Estimate{CPU: nanos(math.Round(m.cpu)), Samples: m.samples, SE: nanos(math.Round(math.Sqrt(m.variance)))}
	if p, v := m.share(); v > 0 && p > 0 && p < 1 {
		e.Effective = p * (1 - p) / v
	}
	return e
}

// share is the part of the stage's CPU, 0 … 1, and its variance; both 0 of a stage without CPU.
func (m *moments) share() (p, variance float64) {
	if m.total <= 0 {
		return 0, 0
	}
	return min(max(m.cpu/m.total, 0), 1), m.variance / (m.total * m.total)
}

// interval is the 95 % interval of the CPU; wide is by how much it is widened at most.
func (m *moments) interval(wide float64) (low, high time.Duration) {
	if m.total <= 0 {
		return 0, 0
	}
	p, v := m.share()
	l, h := shareInterval(p, v, m.samples, m.freedom())
	low, high = nanos(math.Floor(l*m.total)), nanos(math.Ceil(min(h*m.total+wide, m.total)))
	if wide > 0 {
		low = max(0, low-time.Duration(wide*p))
	}
	return low, high
}

// few is the number of samples of a key below which intervals are exact instead of Wilson's.
const few = 5

// confidence is the upper quantile of all intervals: 95 % lies between it and its mirror.
const confidence = 0.975

// shareInterval is the 95 % interval of a share p whose estimate has variance v > 0. It works with
// the number of independent draws that would have this variance (the effective sample size of Korn
// and Graubard 1998). The interval is Wilson's score interval, or Clopper and Pearson's exact one
// if few samples show the key or show anything else.
func shareInterval(p, v float64, samples uint64, df float64) (low, high float64) {
	if p <= 0 || p >= 1 || v <= 0 {
		return p, p
	}
	q := studentQuantile(confidence, df)
	n := p * (1 - p) / v
	if samples < few {
		n *= math.Pow(studentQuantile(confidence, math.Inf(1))/q, 2)
		return betaQuantile(1-confidence, n*p, n*(1-p)+1), betaQuantile(confidence, n*p+1, n*(1-p))
	}
	z := q * q / n
	centre, half := (p+z/2)/(1+z), math.Sqrt(z*p*(1-p)+z*z/4)/(1+z)
	return max(0, centre-half), min(1, centre+half)
}

// unseen bounds the CPU of a key that no sample has shown: with n random draws its share is below 1
// - 0.05^(1/n) with 95 %. Draws within a unit are not independent: where units were selected, n is
// their number at most.
func unseen[K comparable](bands []*band[K], all float64) float64 {
	sum := 0.0
	for _, b := range bands {
		n := b.draws()
		if n <= 0 {
			sum += b.cpu()
			continue
		}
		sum += b.cpu() * (1 - math.Pow(0.05, 1/n))
	}
	return min(sum, all)
}

// nanos is a time of so many nanoseconds, at most the 292 years that a Duration holds.
func nanos(ns float64) time.Duration {
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}
