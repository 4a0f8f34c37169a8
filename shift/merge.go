package shift

import (
	"cmp"
	"slices"
)

// newer tells that a's last run is the newer one.
func newer(a, b *history) bool {
	if len(a.Runs) == 0 || len(b.Runs) == 0 {
		return len(a.Runs) > 0
	}
	return a.Runs[len(a.Runs)-1].compare(b.Runs[len(b.Runs)-1]) > 0
}

// merge adds the runs of another history of the query that are not in this one. Of a run in both
// the more complete one stays. What is kept of operators beside their runs stays this history's.
func (h *history) merge(o *history) {
	plans, ops := make([]int32, len(o.Plans)), make([]int32, len(o.Operators))
	for i, v := range o.Plans {
		plans[i] = h.planLike(o, int32(i), v)
	}
	for i, op := range o.Operators {
		op.Plan = plans[op.Plan]
		k, ok := h.index[opKey{op.Plan, op.Key}]
		if !ok {
			k = h.place(op)
		}
		ops[i] = k
	}
	for _, r := range o.Runs {
		mine := h.find(r.id())
		if mine != nil && len(mine.Parts) >= len(r.Parts) {
			mine.learn(r)
			continue
		}
		r.Plan = plans[r.Plan]
		for i := range r.Cells {
			r.Cells[i].op = ops[r.Cells[i].op]
		}
		slices.SortFunc(r.Cells, func(a, b cell) int { return cmp.Compare(a.op, b.op) })
		if mine == nil {
			h.insert(r)
			continue
		}
		r.learn(mine)
		*mine = *r
		slices.SortFunc(h.Runs, (*record).compare)
	}
}

// planLike is the place of this history's plan with the fingerprint and the most operators of
// another's, made if there is none.
func (h *history) planLike(o *history, plan int32, v *variant) int32 {
	best, most := -1, -1
	for i, mine := range h.Plans {
		if mine.Fingerprint != v.Fingerprint {
			continue
		}
		shared := 0
		for _, op := range o.Operators {
			if _, ok := h.index[opKey{int32(i), op.Key}]; ok && op.Plan == plan {
				shared++
			}
		}
		if shared > most {
			best, most = i, shared
		}
	}
	if best < 0 {
		best = len(h.Plans)
		h.Plans = append(h.Plans, &variant{Fingerprint: v.Fingerprint})
	}
	mine := h.Plans[best]
	mine.Runs = max(mine.Runs, v.Runs)
	if v.Last.After(mine.Last.Time) {
		mine.Last = v.Last
	}
	return int32(best)
}
