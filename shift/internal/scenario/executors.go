package scenario

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/planflame/planflame/shift"
)

// crew are the executors of an application. Now and then some leave and as many join.
type crew struct {
	rng     *rand.Rand // its own: without joiners nothing else is drawn otherwise
	ever    int
	workers []worker
}

// worker is one executor.
type worker struct {
	id   string
	warm *warming
	runs int
	part float64 // of the run's work
}

// warming is how the JVMs that began together wait for the compiler, by operator.
type warming struct {
	runs     []int     // until it is compiled
	costlier []float64 // times its cost in them
}

// joiners begins some workers again.
func (c *crew) joiners(some, operators int, cold float64) {
	w := &warming{}
	for range operators {
		runs := 0
		for runs < 5 && c.rng.Float64() < 0.5 {
			runs++
		}
		w.runs, w.costlier = append(w.runs, runs), append(w.costlier, math.Exp(c.rng.Float64()*math.Log(max(cold, 1))))
	}
	for _, i := range c.rng.Perm(len(c.workers))[:some] {
		c.ever++
		c.workers[i] = worker{id: fmt.Sprint(c.ever), warm: w}
	}
}

// begin has a run's workers share its work. first: the application is new.
func (c *crew) begin(n *Noise, operators int, first bool) {
	switch {
	case first:
		c.ever, c.workers = 0, make([]worker, n.Executors)
		c.joiners(n.Executors, operators, n.Cold)
	case c.rng.Float64() < n.Join:
		most := max(1, int(math.Round(n.JoinMost*float64(n.Executors))))
		c.joiners(1+c.rng.IntN(most), operators, n.Cold)
	}
	sum := 0.
	for i := range c.workers {
		w := &c.workers[i]
		w.part = 0.5 + c.rng.Float64()
		if w.runs == 0 && !first {
			w.part *= c.rng.Float64() // it came in the midst of the run
		}
		sum += w.part
	}
	for i := range c.workers {
		c.workers[i].part /= sum
	}
}

// cost is what operator j costs on a worker, of what it costs on warm ones together.
func (w *worker) cost(j int) float64 {
	if w.runs < w.warm.runs[j] {
		return w.part * w.warm.costlier[j]
	}
	return w.part
}

// costlier is by how much operator j is more expensive in the run, times.
func (c *crew) costlier(j int) (sum float64) {
	for i := range c.workers {
		sum += c.workers[i].cost(j)
	}
	return sum
}

// end tells what each worker had of the run's CPU, by operator.
func (c *crew) end(cpu []float64, n *Noise) (parts []shift.Part) {
	for i := range c.workers {
		w := &c.workers[i]
		p := shift.Part{ID: w.id, Host: "h1"}
		for j, v := range cpu {
			if !n.Blind {
				p.CPU += v * w.cost(j) / c.costlier(j)
			}
		}
		parts = append(parts, p)
		w.runs++
	}
	return parts
}
