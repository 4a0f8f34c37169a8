package growth

import (
	"math"
	"slices"
)

const (
	half        = 0.5  // of its caller's change that a callee must hold
	leastErrors = 3    // standard errors by which it must be more
	leastFree   = 4    // degrees of freedom from which on runs tell how they differ
	mostHidden  = 0.01 // of a side's CPU that a callee may have beside what is known
)

// Run is the stacks of one run of an operator, or of some together.
type Run struct {
	Tree Tree
	// Samples is how many independent samples Tree stands on, > 0.
	Samples float64
	// Merged is how many runs it was made of (Merge); 0: it is one.
	Merged int
}

// Merge is the sum of runs as one, of at most so many nodes.
func Merge(runs []*Run, most int) (out Run) {
	for _, r := range runs {
		out.Tree.Merge(&r.Tree)
		out.Samples += r.Samples
		out.Merged += max(1, r.Merged)
	}
	out.Tree.Prune(most, 0)
	return out
}

// Change is the stack that changed most, callees included.
type Change struct {
	Frames   []string // below the operator's frame, its callee first; the last is where no one callee surely holds half of the change
	From, To float64  // CPU of a run before and since
}

// Changed is the stack of an operator that changed most between the runs of two sides. from and to
// are what a run cost before and since, in any unit. Where to is larger it is what grew most, else
// what fell most. It goes no deeper than the trees of both sides surely do: a callee that was
// pruned from some did not cost nothing. False if no single callee of the operator holds half of
// its change, by three standard errors. False also if a side has no runs, or one has merged runs
// and the other fewer than five.
func Changed(was, is []*Run, from, to float64) (Change, bool) {
	var both Tree
	both.begin()
	before, since := newSide(&both, was, from), newSide(&both, is, to)
	if len(before.runs) == 0 || len(since.runs) == 0 {
		return Change{}, false
	}
	free := len(before.runs) + len(since.runs) - 2
	if free < leastFree && (before.merged() || since.merged()) {
		return Change{}, false // many runs, and nothing tells how they differ
	}
	before.sum(&both)
	since.sum(&both)
	sign := 1.
	if to < from {
		sign = -1
	}
	change := func(i int32) float64 { return sign * (since.share[i]*to - before.share[i]*from) }
	holds := func(callee, caller int32) bool {
		if max(before.hidden[callee], since.hidden[callee]) > mostHidden {
			return false
		}
		// No less than on the other side: a share that is small by chance would be known too well.
		share := max(before.share[caller], since.share[caller])
		squares := before.squares(callee, caller) + since.squares(callee, caller)
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
	cost  float64 // of a run
	runs  []sideRun
	share []float64 // by node: its part of all CPU of the side, callees included
	// hidden is by node the most that it may have besides, as it was pruned from some runs' trees
	// and counts there as its caller's own.
	hidden []float64
	// A run weighs its part w of the side's CPU: perRun is the sum of w², perSample the sum of w²
	// over the run's samples.
	perRun, perSample float64
}

type sideRun struct {
	*Run
	at    []int32   // where its nodes are in the common tree
	whole []float64 // CPU by node of the common tree, callees included
}

func newSide(both *Tree, runs []*Run, cost float64) *side {
	s := &side{cost: cost}
	for _, r := range runs {
		if r.Tree.Total() > 0 && r.Samples > 0 {
			s.runs = append(s.runs, sideRun{Run: r, at: both.place(&r.Tree)})
		}
	}
	return s
}

// merged tells that some of the runs are more than one.
func (s *side) merged() bool {
	return slices.ContainsFunc(s.runs, func(r sideRun) bool { return r.Merged > 1 })
}

// sum sets all but the runs, when both has all nodes.
func (s *side) sum(both *Tree) {
	s.share, s.hidden = make([]float64, both.Len()), make([]float64, both.Len())
	for n := range s.runs {
		r := &s.runs[n]
		own, there := make([]float64, both.Len()), make([]bool, both.Len())
		for i, at := range r.at {
			own[at], there[at] = r.Tree.nodes[i].cpu, true
		}
		hidden := make([]float64, both.Len())
		for i := 1; i < both.Len(); i++ {
			switch caller := both.nodes[i].caller; {
			case there[i] && r.Merged <= 1:
			case there[caller]: // where runs were merged, some may have had it pruned
				hidden[i] = min(own[caller], r.Tree.cut)
			default:
				hidden[i] = hidden[caller]
			}
		}
		r.whole = both.sums(own)
		for i := range r.whole {
			s.share[i] += r.whole[i]
			s.hidden[i] += hidden[i]
		}
	}
	total := s.share[0]
	for i := range s.share {
		s.share[i] /= total
		s.hidden[i] /= total
	}
	for _, r := range s.runs {
		w := r.whole[0] / total
		s.perRun += w * w / float64(max(1, r.Merged))
		s.perSample += w * w / r.Samples
	}
}

// squares is how runs differ in what a callee has beyond half of its caller: the sum of squares
// about the side's.
func (s *side) squares(callee, caller int32) (sum float64) {
	mean := s.share[callee] - half*s.share[caller]
	for _, r := range s.runs {
		d := (r.whole[callee]-half*r.whole[caller])/r.whole[0] - mean
		sum += d * d
	}
	return sum
}

// variance is the variance of what a callee costs a run beyond half of its caller. It comes from
// sampling at the caller's share, or from how runs of both sides differ, whichever is more. A
// sample of the callee counts a half, one of its caller alone minus a half.
func (s *side) variance(caller, squares float64, free int) float64 {
	v := half * half * max(caller, s.perSample) * s.perSample
	if free >= leastFree {
		v = max(v, squares/float64(free)*s.perRun)
	}
	return s.cost * s.cost * v
}
