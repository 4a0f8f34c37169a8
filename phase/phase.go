package phase

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Kind is what CPU is told apart by: an operator kind, such as "sort", or a bucket in brackets.
type Kind string

// Mix is CPU by kind, in any unit. No value is negative.
type Mix map[Kind]float64

// Sum returns the CPU of all kinds. It adds in the order of kinds, so the last digit is always the
// same.
func (m Mix) Sum() (sum float64) {
	for _, k := range m.Kinds() {
		sum += m[k]
	}
	return sum
}

// Kinds returns the kinds in their order.
func (m Mix) Kinds() []Kind { return slices.Sorted(maps.Keys(m)) }

// Phase is a group of queries with like mixes.
type Phase struct {
	Name    string // the kinds that stand out; unique
	Members []int  // indices of mixes, ascending
}

const (
	mostPhases = 20  // SimProf, section 3
	goodEnough = 0.9 // part of the best silhouette that the number of phases must reach: the same
	// outstanding is by how much the mean share of a kind in a phase must exceed its mean share in
	// all mixes to be in the phase's name.
	outstanding = 0.05
	mostNamed   = 2 // kinds in a name
)

// Find groups mixes, those with most members first. The seed chooses the first centers. A mix
// without CPU has no shares and stands with those that are nearest to none.
func Find(mixes []Mix, seed uint64) []Phase {
	if len(mixes) == 0 {
		return nil
	}
	kinds, points := shares(mixes)
	return phasesOf(kinds, points, choose(points, seed))
}

// phasesOf makes phases of clusters. A cluster whose center all points left is none.
func phasesOf(kinds []Kind, points [][]float64, best clusters) []Phase {
	phases := make([]Phase, len(best.centers))
	for i, c := range best.of {
		phases[c].Members = append(phases[c].Members, i)
	}
	all := mean(points)
	for c := range phases {
		phases[c].Name = name(kinds, best.centers[c], all)
	}
	phases = slices.DeleteFunc(phases, func(p Phase) bool { return len(p.Members) == 0 })
	slices.SortStableFunc(phases, func(a, b Phase) int {
		return cmp.Or(cmp.Compare(len(b.Members), len(a.Members)), cmp.Compare(a.Members[0], b.Members[0]))
	})
	number(phases)
	return phases
}

// shares are the points of mixes: a coordinate for each kind, in the order of kinds.
func shares(mixes []Mix) (kinds []Kind, points [][]float64) {
	all := Mix{}
	for _, m := range mixes {
		for k := range m {
			all[k] = 0
		}
	}
	kinds = all.Kinds()
	for _, m := range mixes {
		x, sum := make([]float64, len(kinds)), m.Sum()
		for k, kind := range kinds {
			if sum > 0 {
				x[k] = m[kind] / sum
			}
		}
		points = append(points, x)
	}
	return kinds, points
}

// choose clusters points with the smallest number of clusters whose silhouette is good enough.
func choose(points [][]float64, seed uint64) clusters {
	var tried []clusters
	best := 0.
	for k := 2; k <= min(mostPhases, len(points)-1); k++ {
		c := cluster(points, k, seed)
		if len(c.centers) < k {
			break // there are no more different points
		}
		tried = append(tried, c)
		best = max(best, c.silhouette)
	}
	for _, c := range tried {
		if c.silhouette > 0 && c.silhouette >= goodEnough*best {
			return c
		}
	}
	return cluster(points, 1, seed)
}

// name joins the kinds of which a phase has more than all mixes do.
func name(kinds []Kind, center, all []float64) string {
	order := make([]int, 0, len(kinds))
	for k := range kinds {
		if center[k]-all[k] >= outstanding {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(center[b]-all[b], center[a]-all[a]) })
	var words []string
	for _, k := range order[:min(len(order), mostNamed)] {
		words = append(words, string(kinds[k]))
	}
	return cmp.Or(strings.Join(words, ", "), "mixed")
}

// number makes names unique.
func number(phases []Phase) {
	seen := map[string]int{}
	for i := range phases {
		p := &phases[i]
		if seen[p.Name]++; seen[p.Name] > 1 {
			p.Name += " " + strconv.Itoa(seen[p.Name])
		}
	}
}
