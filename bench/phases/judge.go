package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/planflame/planflame/trial"
)

// sizes of draws that are judged, of which reported is the one in figures.
var sizes = []int{10, 20, 30}

const reported = 20

// design is how a design fared.
type design struct {
	Error    float64 `json:"error"` // mean, as a part of the new cost
	Coverage float64 `json:"coverage,omitempty"`
	Half     float64 `json:"half,omitempty"` // mean half width of the interval, as a part of the new cost
}

// outcome is a condition, or the simulated fleet under it.
type outcome struct {
	Queries int                       `json:"queries"`
	Change  float64                   `json:"change"`
	Phases  int                       `json:"phases"`
	Designs map[string]map[int]design `json:"designs"` // name → re-runs
	Spread  float64                   `json:"spread"`  // that trials of 20 tell, mean
	// Steady and Wrong are kinds called steady over all draws, and those that truly moved by more
	// than a tenth. Saved is the mean share of a trial's re-runs that the next needs no more, if
	// steady kinds are left out.
	Steady int     `json:"steady"`
	Wrong  int     `json:"steady_wrong"`
	Saved  float64 `json:"steady_saved"`
	Nested bool    `json:"nested"`
}

// judge draws n re-runs again and again by each design.
func judge(f *fleet, times int, seed uint64) (*outcome, error) {
	out := &outcome{Queries: len(f.x), Change: f.now/f.old - 1, Phases: len(f.phases), Designs: map[string]map[int]design{}, Nested: nested(f)}
	for _, n := range sizes {
		if n >= len(f.x) {
			continue
		}
		for _, d := range designs {
			if d.name == "strata_mean" && n < len(f.phases) {
				continue
			}
			errors := make([]float64, times)
			each(times, func(i int) { errors[i] = math.Abs(d.estimate(f, n, drawOf(seed, n, i))/f.now - 1) })
			out.put(d.name, n, design{Error: mean(errors)})
		}
		if err := out.trials(f, n, times, seed); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (o *outcome) put(name string, n int, d design) {
	if o.Designs[name] == nil {
		o.Designs[name] = map[int]design{}
	}
	o.Designs[name][n] = d
}

func drawOf(seed uint64, n, i int) draw {
	return draw{rand.New(rand.NewPCG(seed, uint64(n)<<32|uint64(i))), fmt.Sprintf("%d %d", seed, i)}
}

// trials are draws and judgements as planflame trial makes them.
func (o *outcome) trials(f *fleet, n, times int, seed uint64) error {
	type told struct {
		err           error
		off, half     float64
		held          bool
		spread, saved float64
		steady, wrong int
	}
	all, probability := make([]told, times), trial.Inclusion(f.x, n)
	each(times, func(i int) {
		t := &all[i]
		var seen []trial.Rerun
		for _, q := range trial.Draw(f.queries, drawOf(seed, n, i).name, n) {
			seen = append(seen, f.after[q])
		}
		var j *trial.Judgement
		if j, t.err = trial.Judge(f.queries, probability, n, seen); t.err != nil {
			return
		}
		truth := f.now/f.old - 1
		t.off, t.half, t.held = math.Abs(j.Fleet.Change-truth)/(1+truth), j.Fleet.Half()/(1+truth), j.Fleet.Low <= truth && truth <= j.Fleet.High
		t.spread = j.Spread
		steady := map[string]bool{}
		for _, k := range j.Kinds {
			if k.Verdict == trial.Steady {
				t.steady++
				steady[string(k.Kind)] = true
				if math.Abs(f.kinds[k.Kind]) > 0.1 {
					t.wrong++
				}
			}
		}
		t.saved = saved(f, n, steady)
	})
	var off, half, held, spread, save []float64
	for _, t := range all {
		if t.err != nil {
			return t.err
		}
		off, half, held, spread, save = append(off, t.off), append(half, t.half), append(held, is(t.held)), append(spread, t.spread), append(save, t.saved)
		if n == reported {
			o.Steady, o.Wrong = o.Steady+t.steady, o.Wrong+t.wrong
		}
	}
	o.put("trial", n, design{mean(off), mean(held), mean(half)})
	if n == reported {
		o.Spread, o.Saved = mean(spread), mean(save)
	}
	return nil
}

// saved is the part of n re-runs that a next trial no longer needs for the same width, as a part of
// all cost. It holds if the kinds that are steady are not judged again.
func saved(f *fleet, n int, steady map[string]bool) float64 {
	rest := make([]float64, len(f.x))
	sum := 0.
	for i, q := range f.queries {
		for k, cpu := range q.CPU {
			if !steady[string(k)] {
				rest[i] += cpu
			}
		}
		rest[i] += 1e-9 * f.x[i] // costs are positive
		sum += rest[i]
	}
	const spread = 1                                                             // any: widths are in proportion to it
	within := trial.Half(f.x, n, spread, trial.Level) * f.old / sum * (1 + 1e-6) // against rounding
	return 1 - float64(trial.RunsFor(rest, spread, within, trial.Level))/float64(n)
}

// nested reports whether draws of 30 contain draws of 20.
func nested(f *fleet) bool {
	for i := range 20 {
		name := fmt.Sprint("nested ", i)
		small, in := trial.Draw(f.queries, name, 20), map[int]bool{}
		for _, q := range trial.Draw(f.queries, name, 30) {
			in[q] = true
		}
		for _, q := range small {
			if !in[q] {
				return false
			}
		}
	}
	return true
}

// each calls f with 0 … n-1 on all cores.
func each(n int, f func(int)) {
	var wg sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for c := range cores {
		wg.Go(func() {
			for i := c; i < n; i += cores {
				f(i)
			}
		})
	}
	wg.Wait()
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
