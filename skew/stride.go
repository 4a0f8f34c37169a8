package skew

import "slices"

const (
	// leastStride is the smallest batch that Stride finds. Positions fit smaller ones by chance.
	leastStride = 16
	// readAhead is how many records of the next batch may have been read when one is worked on.
	readAhead = 2
)

// Stride returns how many records lie between a task's dwells if its own code works in batches, as
// with Iterator.grouped; 0 if they tell of none. at are the records that the task had read at each
// dwell, ascending. read is how many it reads at once, at most.
//
// Half of the dwells, and two, stand at multiples of one number. That counts only for a task that
// reads its records one by one: others stand at multiples of read anyway. Or at least three are
// about as far from each other, and the first from the task's start. A filter before the batches
// makes distances vary, and so does read.
func Stride(at []int64, read int64) int64 {
	at = slices.Compact(slices.Clone(at))
	best, most := int64(0), 1
	gaps := make([]int64, len(at))
	for i := range at {
		gaps[i] = at[i] - at[max(i-1, 0)]
		if i == 0 {
			gaps[i] = at[i]
		}
		if gaps[i] < leastStride || read > 1 {
			continue
		}
		n := 0
		for _, a := range at {
			if a >= gaps[i] && a%gaps[i] <= readAhead {
				n++
			}
		}
		if n > most || n == most && n > 1 && gaps[i] > best {
			best, most = gaps[i], n
		}
	}
	if best > 0 && 2*most >= len(at) {
		return best
	}
	const few = 3
	if len(gaps) < few {
		return 0
	}
	slices.Sort(gaps)
	middle := gaps[len(gaps)/2]
	const about = 6 // a sixth
	if middle < leastStride || middle-gaps[0] > middle/about || gaps[len(gaps)-1]-middle > middle/about {
		return 0
	}
	return middle
}
