package growth

import "math"

const (
	half        = 0.5 // of its caller's change that a callee must hold
	leastErrors = 3   // standard errors by which it must be more
	leastFree   = 4   // degrees of freedom from which on runs tell how they differ
)

// Run is the stacks of one run of an operator.
type Run struct {
	Tree Tree
	// Samples is how many independent samples Tree stands on, > 0.
	Samples float64
}

// Change is the stack that changed most, callees included.
type Change struct {
	Frames   []string // below the operator's frame, its callee first; the last is where no one callee surely holds half of the change
	From, To float64  // CPU of a run before and since
}

// Changed is the stack of an operator that changed most between the runs of two sides. from and to are what a run cost before and since, in any unit. Where to is larger it
// is what grew most, else what fell most. False where no one callee of the operator holds half of its change, by three standard errors, or
// a side has no runs.
func Changed(was, is []*Run, from, to float64) (Change, bool) {
	var both Tree
	both.begin()
	before, since := newSide(&both, was, from), newSide(&both, is, to)
	if before.samples == 0 || since.samples == 0 {
		return Change{}, false
	}
	before.mean(&both)
	since.mean(&both)
	sign := 1.
	if to < from {
		sign = -1
	}
	change := func(i int32) float64 { return sign * (since.share[i]*to - before.share[i]*from) }
	holds := func(callee, caller int32) bool {
		// No less than on the other side: a share that is small by chance would be known too well.
		share := max(before.share[caller], since.share[caller])
		squares := before.squares(callee, caller) + since.squares(callee, caller)
		free := len(before.runs) + len(since.runs) - 2
		v := before.variance(share, squares, free) + since.variance(share, squares, free)
		return change(callee)-half*change(caller) > leastErrors*math.Sqrt(v)
	}
	out, at := Change{}, int32(0)
	for {
		best := int32(0)
		for i := at + 1; int(i) < both.Len(); i++ {
			if both.nodes[i].caller == at && (best == 0 || change(i) > change(best)) {
				best = i
			}
		}
		if best == 0 || !holds(best, at) {
			return out, at > 0
		}
		at = best
		out.Frames = append(out.Frames, both.nodes[at].frame.Value())
		out.From, out.To = before.share[at]*from, since.share[at]*to
	}
}

// side is all runs before a change, or since, in the nodes of a common tree.
type side struct {
	cost    float64     // of a run
	runs    [][]float64 // by run: CPU by node, callees included; a run that lacks the last nodes is shorter
	samples float64
	share   []float64 // by node: its part of all CPU of the side
}

func newSide(both *Tree, runs []*Run, cost float64) *side {
	s := &side{cost: cost}
	for _, r := range runs {
		if !(r.Tree.Total() > 0) || !(r.Samples > 0) {
			continue
		}
		at := both.place(&r.Tree)
		own := make([]float64, both.Len())
		for i, to := range at {
			own[to] += r.Tree.nodes[i].cpu
		}
		s.runs = append(s.runs, both.sums(own))
		s.samples += r.Samples
	}
	return s
}

// mean sets the shares, when both has all nodes.
func (s *side) mean(both *Tree) {
	s.share = make([]float64, both.Len())
	for _, run := range s.runs {
		for i, cpu := range run {
			s.share[i] += cpu
		}
	}
	total := s.share[0]
	for i := range s.share {
		s.share[i] /= total
	}
}

// squares is how runs differ in what a callee has beyond half of its caller: the sum of squares about the side's.
func (s *side) squares(callee, caller int32) (sum float64) {
	beyond := func(share []float64, i int32) float64 {
		if int(i) < len(share) {
			return share[i]
		}
		return 0
	}
	mean := s.share[callee] - half*s.share[caller]
	for _, run := range s.runs {
		d := (beyond(run, callee)-half*beyond(run, caller))/run[0] - mean
		sum += d * d
	}
	return sum
}

// variance is that of what a callee costs a run beyond half of its caller: by sampling, where the caller's share is that, or by how runs of both sides
// differ, whichever is more. A sample of the callee counts a half, one of its caller alone minus a half.
func (s *side) variance(caller, squares float64, free int) float64 {
	v := half * half * max(caller, 1/s.samples) / s.samples
	if free >= leastFree {
		v = max(v, squares/float64(free)/float64(len(s.runs)))
	}
	return s.cost * s.cost * v
}
