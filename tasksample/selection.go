package tasksample

import "math"

// Selection says which units of a stage are sampled closely. A unit is a partition of the stage
// with all its attempts.
//
// Attempts: the selection looks at the partition alone, so every attempt at a selected partition is
// sampled closely, wherever it runs:
//
//   - A retried attempt, and all attempts of a retried stage, belong to the partition's unit: their
//     CPU was burnt, their samples count.
//   - A speculative copy likewise; original and copy are the same unit.
//   - A killed or failed attempt counts with the CPU that it used until it ended.
//   - An attempt that still runs is in no statistic: its samples are provisional until it ends
//     (Recorder.Open).
//
// Partial jobs: a job may run only m of the N partitions (take, limit). Each of them still has π =
// n/N, so estimates stay unbiased. But the number of selected ones among the m is hypergeometric
// with mean m·n/N: it is not fixed and can be 0. "Exactly n" and "at least Min" hold for whole
// stages only.
type Selection struct {
	permutation Permutation
	n           uint32
	key         uint64
	fraction    float64
}

// NewSelection selects max(⌈fraction·N⌉, least) of N = partitions units, all of them where that is
// more than N. fraction is clamped to [0, 1]; with 0 nothing is selected whatever least says. Where
// the number of partitions is not known (0), every partition is drawn on its own with probability
// fraction, and least cannot hold.
func NewSelection(key uint64, partitions uint32, fraction float64, least uint32) Selection {
	s := Selection{permutation: NewPermutation(key, partitions), key: key, fraction: min(max(fraction, 0), 1)}
	if math.IsNaN(fraction) {
		s.fraction = 0
	}
	if s.fraction > 0 && partitions > 0 {
		s.n = min(max(uint32(math.Ceil(s.fraction*float64(partitions))), least), partitions)
	}
	return s
}

// Selects reports whether the unit of a partition is selected.
func (s Selection) Selects(partition PartitionID) bool {
	if s.permutation.partitions == 0 {
		return partition >= 0 && float64(mix(s.key^mix(uint64(partition)+golden))>>11)*0x1p-53 < s.fraction
	}
	return s.permutation.Rank(partition) < s.n
}
