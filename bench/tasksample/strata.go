package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/planflame/planflame/tasksample"
)

// whole is a unit of which everything is known: its CPU by key, in ticks.
type whole struct {
	cpu  float64
	keys []float64
}

// strataErrors are the mean absolute errors, in % of the stage, of selections of n units that know
// the stage beforehand: a simple random sample, strata of like CPU, and strata of like mixes
// (SimProf: Huang et al., IISWC 2017, clusters units by what they execute), both with Neyman's
// allocation by the true spread. They pay nothing for the clock: each selected unit is known
// exactly.
func strataErrors(p *population, n, times int, seed uint64) map[string]float64 {
	units := p.wholes()
	truth, all := p.truth()
	judged := p.judged(truth, all)
	out := map[string]float64{}
	for name, label := range map[string][]int{
		"simple": make([]int, len(units)), "neyman": byCPU(units), "simprof": byMix(units, all/float64(len(units)), seed),
	} {
		strata := split(units, label)
		var spreads []tasksample.Stratum
		for _, s := range strata {
			spreads = append(spreads, tasksample.Stratum{Units: len(s), SD: spread(s, judged)})
		}
		take := tasksample.Neyman(n, spreads)
		errors := make([]float64, times)
		each(times, func(i int) { errors[i] = stratified(source(seed, i), strata, take, judged) })
		for _, e := range errors {
			out[name] += 100 * e * float64(tick) / all / float64(times)
		}
	}
	return out
}

func (p *population) wholes() []whole {
	at, out := map[int32]int{}, []whole{}
	for _, t := range p.Attempts {
		i, known := at[t.Partition]
		if !known {
			i = len(out)
			at[t.Partition] = i
			out = append(out, whole{keys: make([]float64, len(p.Keys))})
		}
		out[i].cpu += float64(len(t.Ticks))
		for _, k := range t.Ticks {
			out[i].keys[k]++
		}
	}
	return out
}

// byCPU gives each unit the number of its quarter of the stage's CPU, smallest units first.
func byCPU(units []whole) []int {
	order, all, sum := make([]int, len(units)), 0.0, 0.0
	for i, u := range units {
		order[i], all = i, all+u.cpu
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(units[i].cpu, units[j].cpu) })
	out := make([]int, len(units))
	for _, i := range order {
		out[i] = min(int(4*sum/all), 3)
		sum += units[i].cpu
	}
	return out
}

// byMix clusters units by the shares of their keys: k-means with four centres.
func byMix(units []whole, mean float64, seed uint64) []int {
	const centres = 4
	point := func(u whole) []float64 {
		out := make([]float64, len(u.keys))
		for k, v := range u.keys {
			out[k] = v / max(u.cpu, 1)
		}
		return out
	}
	rng, out := source(seed, 0), make([]int, len(units))
	var at [][]float64
	for range centres {
		at = append(at, point(units[rng.IntN(len(units))]))
	}
	for range 20 {
		sums, n := make([][]float64, centres), make([]float64, centres)
		for i, u := range units {
			x := point(u)
			out[i] = nearest(at, x)
			if sums[out[i]] == nil {
				sums[out[i]] = make([]float64, len(x))
			}
			for k := range x {
				sums[out[i]][k] += x[k]
			}
			n[out[i]]++
		}
		for c := range at {
			for k := range sums[c] {
				at[c][k] = sums[c][k] / n[c]
			}
		}
	}
	return out
}

func nearest(at [][]float64, x []float64) (best int) {
	least := math.Inf(1)
	for c, y := range at {
		d := 0.0
		for k := range x {
			d += (x[k] - y[k]) * (x[k] - y[k])
		}
		if d < least {
			best, least = c, d
		}
	}
	return best
}

func split(units []whole, label []int) [][]whole {
	by := map[int][]whole{}
	for i, u := range units {
		by[label[i]] = append(by[label[i]], u)
	}
	var out [][]whole
	for c := range 8 {
		if len(by[c]) > 0 {
			out = append(out, by[c])
		}
	}
	return out
}

// spread is the standard deviation between units of what the ratio estimate leaves, over all judged
// keys.
func spread(units []whole, judged []int) float64 {
	var cpu, sum float64
	for _, u := range units {
		cpu += u.cpu
	}
	for _, k := range judged {
		key := 0.0
		for _, u := range units {
			key += u.keys[k]
		}
		for _, u := range units {
			e := u.keys[k] - key/max(cpu, 1)*u.cpu
			sum += e * e
		}
	}
	return math.Sqrt(sum / float64(len(units)))
}

// stratified draws once and returns the mean absolute error over the judged keys, in ticks: in each
// stratum the ratio to its known CPU.
func stratified(rng *rand.Rand, strata [][]whole, take, judged []int) float64 {
	errors := make([]float64, len(judged))
	for h, units := range strata {
		var cpu, seen float64
		keys, got := make([]float64, len(judged)), make([]float64, len(judged))
		for i, from := range rng.Perm(len(units)) {
			u := units[from]
			cpu += u.cpu
			if i < take[h] {
				seen += u.cpu
			}
			for j, k := range judged {
				keys[j] += u.keys[k]
				if i < take[h] {
					got[j] += u.keys[k]
				}
			}
		}
		for j := range judged {
			errors[j] += cpu*got[j]/max(seen, 1) - keys[j]
		}
	}
	sum := 0.0
	for _, e := range errors {
		sum += math.Abs(e)
	}
	return sum / float64(len(judged))
}
