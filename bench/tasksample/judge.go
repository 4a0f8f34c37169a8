package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/planflame/planflame/tasksample"
)

// score is how one design did on one stage, over all re-samplings. Errors and widths are in % of
// the stage's CPU, over the operators that have at least five per cent of it (Keys has the buckets
// too).
type score struct {
	Stage   string  `json:"-"`
	Design  design  `json:"design"`
	Samples float64 `json:"samples"` // mean
	Hz      float64 `json:"hz"`      // mean samples a second of CPU
	// Error is the mean absolute error; of the estimate, of naive scaling (N/n), and of the ratio
	// to the known CPU of the whole stage.
	Error         float64    `json:"error"`
	Naive         float64    `json:"naive_error"`
	Ratio         float64    `json:"ratio_error"`
	Bias          float64    `json:"worst_bias"` // of the estimate
	Width         float64    `json:"mean_width"` // of the intervals
	Coverage      float64    `json:"coverage"`
	CoverageWorst float64    `json:"coverage_worst"`
	Valid         float64    `json:"declared_valid"` // share of re-samplings
	CoverageValid float64    `json:"coverage_declared_valid"`
	Undeclared    int        `json:"invalid_undeclared"` // re-samplings that were declared valid although a class was not seen
	Keys          []keyScore `json:"keys"`

	judged int       // operators
	ps     []float64 // of the z-tests of Horvitz-Thompson totals
}

// keyScore is a design's result for one operator.
type keyScore struct {
	Name     string  `json:"name"`
	Share    float64 `json:"share"`
	Error    float64 `json:"error"`
	Bias     float64 `json:"bias"`
	SE       float64 `json:"mean_se"` // mean of the standard errors, against …
	SD       float64 `json:"sd"`      // … the standard deviation of the estimates
	Coverage float64 `json:"coverage"`
	Z        float64 `json:"z"` // of the mean of the Horvitz-Thompson totals against the truth
}

// sums are one key's sums over re-samplings.
type sums struct {
	n, abs, err, err2, se, covered, width, ht, ht2, naive, ratio float64
	valid, coveredValid                                          float64
}

// operator tells plan nodes from buckets.
func operator(key string) bool { return !strings.HasPrefix(key, "[") }

// source is the source of random numbers of one re-sampling.
func source(seed uint64, i int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(i))) }

// minShare is the share of the stage's CPU from which on an operator is judged.
const minShare = 0.05

// observation is one re-sampling.
type observation struct {
	samples           int
	valid, undeclared bool
	keys              []sums
}

// judge re-samples a population with a design and compares with the truth.
func judge(p *population, d design, times int, seed uint64) score {
	truth, all := p.truth()
	seen := make([]observation, times)
	each(times, func(i int) { seen[i] = p.observe(d, source(seed, i), truth, all) })
	total := make([]sums, len(p.Keys))
	s := score{Stage: p.Stage, Design: d, CoverageWorst: 1}
	var samples, valid int
	for _, o := range seen { // in order, so that the sums of floats are the same every time
		samples += o.samples
		if o.valid {
			valid++
		}
		if o.undeclared {
			s.Undeclared++
		}
		for k := range total {
			total[k].join(o.keys[k])
		}
	}
	s.Samples, s.Valid = float64(samples)/float64(times), float64(valid)/float64(times)
	s.Hz = s.Samples / (all / 1e9)
	s.summarize(p, truth, all, total)
	return s
}

// observe re-samples once.
func (p *population) observe(d design, rng *rand.Rand, truth []float64, all float64) observation {
	stage, selected := tasksample.NewStage[byte](), 0
	n := p.sample(rng, d, func(_ int, u *unitOf) {
		if u.tier == tasksample.TierSelected {
			selected++
		}
		stage.Add(u.unit, u.tier, u.cpu)
	})
	r := stage.Estimate()
	o := observation{samples: n, valid: r.Valid, keys: make([]sums, len(truth))}
	o.undeclared = r.Valid && d.Base == 0 && unseenClass(stage, all)
	for k := range o.keys {
		o.keys[k].add(r, stage, byte(k), truth[k], float64(len(p.attemptsOf))/max(1, float64(selected)), d)
	}
	return o
}

func (s *sums) join(o sums) {
	s.n += o.n
	s.abs += o.abs
	s.err += o.err
	s.err2 += o.err2
	s.se += o.se
	s.covered += o.covered
	s.width += o.width
	s.ht += o.ht
	s.ht2 += o.ht2
	s.naive += o.naive
	s.ratio += o.ratio
	s.valid += o.valid
	s.coveredValid += o.coveredValid
}

// add compares one re-sampling with the truth.
func (s *sums) add(r tasksample.Result[byte], stage *tasksample.Stage[byte], key byte, truth, expansion float64, d design) {
	e := r.Keys[key]
	err := float64(e.CPU) - truth
	s.n++
	s.err += err
	s.abs += math.Abs(err)
	s.err2 += err * err
	s.se += float64(e.SE)
	s.width += float64(e.High - e.Low)
	high := float64(e.High)
	if e.Samples == 0 {
		high = float64(r.Unseen)
	}
	in := float64(e.Low) <= truth && truth <= high
	if in {
		s.covered++
	}
	if r.Valid {
		s.valid++
		if in {
			s.coveredValid++
		}
	}
	var ht, weight float64
	for _, c := range stage.Cells {
		weight += c.Weight
		if k := c.Keys[key]; k != nil {
			ht += k.Weight
		}
	}
	if weight > 0 {
		s.ratio += math.Abs(float64(r.CPU)*ht/weight - truth)
	} else {
		s.ratio += truth
	}
	if d.Base == 0 {
		ht *= expansion
	}
	s.naive += math.Abs(ht - truth)
	s.ht += ht - truth
	s.ht2 += (ht - truth) * (ht - truth)
}

func (s *score) summarize(p *population, truth []float64, all float64, total []sums) {
	percent := 100 / all
	var valid, coveredValid float64
	for k, t := range total {
		if truth[k] < minShare*all {
			continue
		}
		key := t.key(p.Keys[k], truth[k]/all, percent)
		s.ps = append(s.ps, math.Erfc(math.Abs(key.Z)/math.Sqrt2))
		s.Keys = append(s.Keys, key)
		if !operator(key.Name) {
			continue
		}
		s.judged++
		s.Error += key.Error
		s.Naive += percent * t.naive / t.n
		s.Ratio += percent * t.ratio / t.n
		s.Width += percent * t.width / t.n
		s.Coverage += key.Coverage
		s.CoverageWorst = min(s.CoverageWorst, key.Coverage)
		if math.Abs(key.Bias) > math.Abs(s.Bias) {
			s.Bias = key.Bias
		}
		valid, coveredValid = valid+t.valid, coveredValid+t.coveredValid
	}
	for _, mean := range []*float64{&s.Error, &s.Naive, &s.Ratio, &s.Width, &s.Coverage} {
		*mean /= max(float64(s.judged), 1)
	}
	s.CoverageValid = coveredValid / max(valid, 1)
}

// key is the result of one key.
func (s *sums) key(name string, share, percent float64) keyScore {
	mean, ht := s.err/s.n, s.ht/s.n
	out := keyScore{Name: name, Share: share, Error: percent * s.abs / s.n, Bias: percent * mean, SE: percent * s.se / s.n,
		SD: percent * math.Sqrt(max(0, s.err2/s.n-mean*mean)), Coverage: s.covered / s.n}
	if se := math.Sqrt(max(0, s.ht2/s.n-ht*ht) / s.n); se > 0 {
		out.Z = ht / se
	}
	return out
}

// each runs f for 0 … n-1 on all CPUs that the process may use.
func each(n int, f func(int)) {
	var group sync.WaitGroup
	next := make(chan int)
	for range workers() {
		group.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
}
