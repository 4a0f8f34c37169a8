package growth

import (
	"math"
	"time"
)

// leastErrors is by how many standard errors a stack must have changed.
const leastErrors = 3

// Change is the stack that changed most, callees included.
type Change struct {
	Frames   []string // below the operator's frame, its callee first; the last is where the change is no longer mostly one callee's
	From, To float64  // CPU of a run before and since
}

// Change is the stack of the operator that changed most with a run: since is the end of the first run on the new side, from and to what a run
// cost before and since, in any unit. Where to is larger, it is what grew most, else what fell most. It begins with the callee of the operator that changed most,
// and goes on to the callee's callee while that has half of its caller's change or more. False where no callee changed by three standard errors, or runs of one side are not there.
func (h *History) Change(since time.Time, from, to float64) (Change, bool) {
	var before, after side
	var both Tree
	both.begin()
	for i := range h.groups {
		g := &h.groups[i]
		switch {
		case g.last.Before(since):
			before.add(&both, g)
		case !g.first.Before(since):
			after.add(&both, g)
		}
		// A group with runs of both sides says nothing of either.
	}
	if before.samples == 0 || after.samples == 0 {
		return Change{}, false
	}
	was, is := before.costs(&both, from), after.costs(&both, to)
	sign := 1.
	if to < from {
		sign = -1
	}
	change := func(i int) float64 { return sign * (is.cpu[i] - was.cpu[i]) }
	out, at := Change{}, int32(0)
	for {
		best := int32(0)
		for i := int(at) + 1; i < both.Len(); i++ {
			if both.nodes[i].caller == at && (best == 0 || change(i) > change(int(best))) {
				best = int32(i)
			}
		}
		if best == 0 || at > 0 && change(int(best)) < change(int(at))/2 ||
			!(change(int(best)) > leastErrors*math.Sqrt(was.variance[best]+is.variance[best])) {
			break
		}
		at = best
		out.Frames = append(out.Frames, both.nodes[at].frame.Value())
		out.From, out.To = was.cpu[at], is.cpu[at]
	}
	return out, at > 0
}

// side is all runs before a shift, or since.
type side struct {
	samples float64
	own     []float64 // CPU by node of the common tree; may be shorter
}

func (s *side) add(both *Tree, g *group) {
	at := both.place(&g.tree)
	if n := both.Len() - len(s.own); n > 0 {
		s.own = append(s.own, make([]float64, n)...)
	}
	for i, to := range at {
		s.own[to] += g.tree.nodes[i].cpu
	}
	s.samples += g.samples
}

// costs are what each node of a tree cost a run, callees included, and the variance of that by sampling.
type costs struct{ cpu, variance []float64 }

func (s *side) costs(both *Tree, run float64) costs {
	of := Tree{nodes: make([]node, both.Len())}
	copy(of.nodes, both.nodes)
	for i := range s.own {
		of.nodes[i].cpu = s.own[i]
	}
	c := costs{cpu: of.whole(), variance: make([]float64, both.Len())}
	total := c.cpu[0]
	for i := range c.cpu {
		share := c.cpu[i] / total
		c.cpu[i] = share * run
		// A share of nothing is no more certain than one of half a sample.
		p := min(max(share, 0.5/s.samples), 1-0.5/s.samples)
		c.variance[i] = run * run * p * (1 - p) / s.samples
	}
	return c
}
