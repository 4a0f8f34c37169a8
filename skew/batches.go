package skew

import "slices"

// Batches are batches of records in which a task's own code works, as with Iterator.grouped.
type Batches struct {
	Size int64 // records; 0: the task's dwells tell of none
	// Exact reports whether each batch ends at a multiple of Size. Else batches have about as many.
	Exact bool
}

const (
	// leastBatch is the smallest batch that two dwells tell of, leastOfMany that more do. By chance
	// one in fifty slow records stands at a multiple of another one.
	leastBatch  = 150
	leastOfMany = 50
	// readAhead is how many records of the next batch may have been read when one is worked on.
	readAhead = 2
)

// BatchesOf finds the batches of a task. at are the records that it had read at each dwell,
// ascending. read is how many it reads at once, at most.
//
// Half of the dwells, and three or all, stand at multiples of one number. That counts only for a
// task that reads its records one by one: others stand at multiples of read anyway. Or at least
// three are about as far from each other, and the first from the task's start. A filter before the
// batches makes distances vary, and so does read.
func BatchesOf(at []int64, read int64) Batches {
	at = slices.Compact(slices.Clone(at))
	best, most := int64(0), 0
	gaps := make([]int64, len(at))
	for i := range at {
		gaps[i] = at[i] - at[max(i-1, 0)]
		if i == 0 {
			gaps[i] = at[i]
		}
		if gaps[i] < leastOfMany || read > 1 {
			continue
		}
		n := 0
		for _, a := range at {
			if (Batches{Size: gaps[i], Exact: true}).Has(a) {
				n++
			}
		}
		if enough := n > 2 || len(at) == 2 && n == 2 && gaps[i] >= leastBatch; enough && (n > most || n == most && gaps[i] > best) {
			best, most = gaps[i], n
		}
	}
	if best > 0 && 2*most >= len(at) {
		return Batches{Size: best, Exact: true}
	}
	const few = 3
	if len(gaps) < few {
		return Batches{}
	}
	slices.Sort(gaps)
	middle := gaps[len(gaps)/2]
	const about = 6 // a sixth
	if middle < leastOfMany || middle-gaps[0] > middle/about || gaps[len(gaps)-1]-middle > middle/about {
		return Batches{}
	}
	return Batches{Size: middle}
}

// Has reports whether a dwell may be at a batch.
func (b Batches) Has(at int64) bool {
	return b.Size > 0 && (!b.Exact || at >= b.Size && at%b.Size <= readAhead)
}

// End is the last record of the batch at which a dwell is.
func (b Batches) End(at int64) int64 {
	if b.Exact {
		return at - at%b.Size
	}
	return at
}
