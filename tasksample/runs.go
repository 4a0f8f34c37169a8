package tasksample

import (
	"math"
	"time"
)

// SelectRun reports whether a run of a query, which is an SQL execution of an application, is
// sampled, with inclusion probability π in [0, 1]. Runs are drawn one by one. All nodes of a run
// agree without communication. application is the application's id. The draw is practically
// independent of which partitions of the run's stages are selected.
func SelectRun(seed uint64, application string, execution ExecutionID, probability float64) bool {
	return float64(Key(seed, application, uint64(execution)+1, runStage)>>11)*0x1p-53 < probability
}

// runStage is no stage's id.
const runStage StageID = -1

// Runs are the additive statistics of a recurring query's runs, sampled or not, over a day or any
// other time. The zero value is empty.
//
// The CPU of every run is known; of the sampled ones also how it divides. With n of N runs sampled,
// the total of a key is the ratio estimate X·Σy/Σx. Its variance has two parts (two-stage sampling;
// Särndal, Swensson, Wretman 1992, 4.3 and 8.6):
//
//	X²/(Σx)² · (1 - n/N) · n · s²(e)   between runs, e = y - (Σy/Σx)·x
//	X²/(Σx)² · n/N · Σ v               within runs: their own sampling error v, of which the first part already holds 1 - n/N
type Runs[K comparable] struct {
	All     uint64
	AllCPU  float64 // nanoseconds
	Sampled uint64
	CPU     float64 // Σ x of the sampled runs
	CPU2    float64 // Σ x²
	Keys    map[K]*RunSums
}

// RunSums are the sums of one key over the sampled runs.
type RunSums struct {
	CPU      float64 // Σ y, nanoseconds
	Square   float64 // Σ y²
	Cross    float64 // Σ x·y
	Variance float64 // Σ v
	Samples  uint64
}

// AddKnown takes a run that was not sampled.
func (r *Runs[K]) AddKnown(cpu time.Duration) {
	r.All++
	r.AllCPU += float64(cpu)
}

// Add takes a sampled run's estimates; cpu is its known CPU.
func (r *Runs[K]) Add(cpu time.Duration, estimates map[K]Estimate) {
	r.AddKnown(cpu)
	x := float64(cpu)
	r.Sampled++
	r.CPU += x
	r.CPU2 += x * x
	for key, e := range estimates {
		y, s := float64(e.CPU), r.key(key)
		s.CPU += y
		s.Square += y * y
		s.Cross += x * y
		s.Variance += float64(e.SE) * float64(e.SE)
		s.Samples += e.Samples
	}
}

func (r *Runs[K]) key(key K) *RunSums {
	if r.Keys == nil {
		r.Keys = map[K]*RunSums{}
	}
	s := r.Keys[key]
	if s == nil {
		s = &RunSums{}
		r.Keys[key] = s
	}
	return s
}

// Estimate computes the total of every key over all runs. It is valid from two sampled runs on, or
// where all were sampled.
func (r *Runs[K]) Estimate() Result[K] {
	out := Result[K]{CPU: nanos(math.Round(r.AllCPU)), Keys: map[K]Estimate{}, Units: r.All, Sampled: r.Sampled, Valid: true}
	if r.CPU <= 0 {
		out.Unsampled, out.Unseen = out.CPU, out.CPU
		out.Valid, out.Why = r.AllCPU == 0, "no run was sampled"
		if out.Valid {
			out.Why = ""
		}
		return out
	}
	n, f := float64(r.Sampled), float64(r.Sampled)/float64(r.All)
	if r.Sampled < 2 && r.Sampled < r.All {
		out.Valid, out.Why = false, "one run was sampled: nothing is known of the spread between runs"
	}
	for key, s := range r.Keys {
		share, scale := s.CPU/r.CPU, r.AllCPU*r.AllCPU/(r.CPU*r.CPU)
		m := moments{total: r.AllCPU, cpu: r.AllCPU * share, samples: s.Samples}
		within := scale * s.Variance
		if n > 1 {
			within *= f
			between := scale * (1 - f) * n / (n - 1) * max(0, s.Square-2*share*s.Cross+share*share*r.CPU2)
			m.variance, m.weak = between, between*between/(n-1)
		}
		m.variance += within
		e := m.estimate()
		e.Low, e.High = m.interval(0)
		out.Keys[key] = e
		out.Samples += s.Samples
	}
	return out
}
