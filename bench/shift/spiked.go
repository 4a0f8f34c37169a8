package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/planflame/planflame/shift"
)

// leastShare is the part in its query's CPU from which an operator's shift is to be found.
const leastShare = 0.1

// judgeSpiked draws histories and later runs from the runs as always of each query that ran often
// enough, of all sessions, and multiplies one operator's cost in the later ones. Noise,
// and what operators of a run have in common of it, is real; the shift is not.
func judgeSpiked(rs *records, o *options) (out []power, err error) {
	rng := rand.New(rand.NewPCG(uint64(o.seed), 0x5b1ce))
	for _, q := range rs.queries() {
		runs := rs.where(q, func(r *sparkRun) bool { return r.asAlways() })
		if len(runs) < o.history+slices.Max(within) {
			continue
		}
		fleet, err := othersHistories(rs, q)
		if err != nil {
			return nil, err
		}
		for _, key := range dear(runs) {
			for _, percent := range []int{10, 20} {
				p, err := o.drawSpiked(rng, fleet, key, percent, runs)
				if err != nil {
					return nil, err
				}
				p.Sessions = q
				fmt.Printf("spiked %s: %s\n", q, p)
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// dear are the operators with leastShare or more of the runs' CPU, in order.
func dear(runs []*sparkRun) (out []shift.Key) {
	sums, total := map[shift.Key]float64{}, 0.
	for _, r := range runs {
		total += r.Run.CPU
		for i := range r.Run.Operators {
			sums[r.Run.Operators[i].Key] += r.Run.Operators[i].CPU
		}
	}
	for k, cpu := range sums {
		if cpu >= leastShare*total {
			out = append(out, k)
		}
	}
	return sortedBy(out, func(k shift.Key) string { return k.Operator + "\x00" + k.Stage })
}

// spike is a copy of a run in which one operator costs so many per cent more; the error of its
// samples grows with it.
func spike(r *sparkRun, key shift.Key, percent int) *sparkRun {
	run, c := *r.Run, *r
	run.Operators = slices.Clone(run.Operators)
	for i := range run.Operators {
		if o := &run.Operators[i]; o.Key == key {
			f := 1 + float64(percent)/100
			more := (f - 1) * o.CPU
			o.CPU, o.Variance = o.CPU+more, o.Sampling()*f*f
			run.CPU += more
			c.TaskCPU += more
		}
	}
	c.Run = &run
	return &c
}

func (o *options) drawSpiked(rng *rand.Rand, fleet [][]byte, key shift.Key, percent int, runs []*sparkRun) (power, error) {
	out := power{Role: key.Role(), Percent: percent, Operator: key.Operator, Stage: key.Stage, Bases: len(runs), Shifted: len(runs), Trials: o.trials, Found: map[int]float64{}, Small: map[int]float64{}}
	spiked := make([]*sparkRun, len(runs))
	for i, r := range runs {
		spiked[i] = spike(r, key, percent)
	}
	out.describe(key, runs, spiked)
	return out, o.draw(&out, key, fleet, func() (before, after []*sparkRun) {
		order := rng.Perm(len(runs))
		for n, i := range order[:o.history+slices.Max(within)] {
			if n < o.history {
				before = append(before, runs[i])
			} else {
				after = append(after, spiked[i])
			}
		}
		return before, after
	})
}
