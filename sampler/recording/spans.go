package recording

import (
	"cmp"
	"slices"
)

// span is a range of addresses, both of its ends in it.
type span struct{ start, end uint64 }

// spans are ranges of addresses.
type spans []span

// join makes them ascend, without any two that overlap.
func (s *spans) join() {
	slices.SortFunc(*s, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	out := (*s)[:0]
	for _, one := range *s {
		if n := len(out); n > 0 && one.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, one.end)
			continue
		}
		out = append(out, one)
	}
	*s = out
}

// overlap reports whether a range overlaps any of them. They must be joined.
func (s spans) overlap(with span) bool {
	i, _ := slices.BinarySearchFunc(s, with.start, func(one span, start uint64) int {
		if one.end < start {
			return -1
		}
		return 1
	})
	return i < len(s) && s[i].start <= with.end
}
