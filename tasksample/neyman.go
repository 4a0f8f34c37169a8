package tasksample

import "math"

// Stratum is a group of units of which some are to be selected.
type Stratum struct {
	Units int
	SD    float64 // standard deviation of what is to be estimated, between its units
}

// Neyman allocates n selected units to strata in proportion to Units·SD (Neyman 1934; Cochran,
// Sampling Techniques, 5.5), at least two of each (one pair for the variance; all of it where it
// has fewer) and never more than there are. It returns the units of each stratum; their sum is n,
// but for strata that are too small or too many.
//
// It is here to be measured, not used: a task's stratum must be known before it runs, and base +
// detail needs none (docs/estimation.md).
func Neyman(n int, strata []Stratum) []int {
	out, left := make([]int, len(strata)), n
	for i, s := range strata {
		out[i] = min(2, s.Units)
		left -= out[i]
	}
	for left > 0 {
		best, gain := -1, 0.0
		for i, s := range strata {
			// What one more unit takes off the variance Units²·SD²/n.
			w := float64(s.Units) * s.SD
			if g := w * w / float64(max(out[i], 1)*(out[i]+1)); out[i] < s.Units && (best < 0 || g > gain) && !math.IsNaN(g) {
				best, gain = i, g
			}
		}
		if best < 0 {
			break
		}
		out[best]++
		left--
	}
	return out
}
