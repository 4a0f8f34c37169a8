package growth

import (
	"slices"
	"time"
)

// Bounds of a History.
const (
	mostOfSize = 4    // groups of one size
	largest    = 8    // runs of a group
	mostNodes  = 64   // of a group's tree
	leastShare = 0.01 // of a group's CPU that a node has
)

// Run is what a finished run of the operator adds.
type Run struct {
	End time.Time
	// Samples behind Tree; less than one for each call of Add stands for as many as there were.
	Samples float64
	Tree    Tree
}

// History is what is known of one operator's stacks: some sixty runs at most. The zero History is empty.
type History struct {
	groups []group // in the order of their ends
}

// group is some runs one after the other.
type group struct {
	first, last time.Time // ends of its first and last run
	runs        int
	samples     float64
	tree        Tree
}

// Add adds a run, which may be older than others; a tree without CPU adds nothing. The tree is the History's from then on.
func (h *History) Add(r Run) {
	if !(r.Tree.Total() > 0) {
		return
	}
	r.Tree.Prune(mostNodes, leastShare)
	at, _ := slices.BinarySearchFunc(h.groups, r.End, func(g group, end time.Time) int { return g.last.Compare(end) })
	h.groups = slices.Insert(h.groups, at, group{first: r.End, last: r.End, runs: 1, samples: max(r.Samples, float64(r.Tree.adds)), tree: r.Tree})
	h.fold()
}

// fold puts the two oldest groups of a size together where there are too many, and forgets the oldest of the largest.
func (h *History) fold() {
	for size := 1; size <= largest; size *= 2 {
		var of []int
		for i := range h.groups {
			if h.groups[i].runs == size {
				of = append(of, i)
			}
		}
		if len(of) <= mostOfSize {
			continue
		}
		a, b := of[0], of[1]
		if size < largest {
			h.groups[b].join(&h.groups[a])
		}
		h.groups = slices.Delete(h.groups, a, a+1)
		slices.SortFunc(h.groups, func(a, b group) int { return a.last.Compare(b.last) })
	}
}

func (g *group) join(o *group) {
	if o.first.Before(g.first) {
		g.first = o.first
	}
	if o.last.After(g.last) {
		g.last = o.last
	}
	g.runs += o.runs
	g.samples += o.samples
	g.tree.Merge(&o.tree)
	g.tree.Prune(mostNodes, leastShare)
}

// Nodes is how many nodes the trees have together.
func (h *History) Nodes() (n int) {
	for i := range h.groups {
		n += h.groups[i].tree.Len()
	}
	return n
}
