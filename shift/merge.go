package shift

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// newer tells that a's last run is the newer one.
func newer(a, b *history) bool {
	if len(a.records) == 0 || len(b.records) == 0 {
		return len(a.records) > 0
	}
	return a.records[len(a.records)-1].compare(b.records[len(b.records)-1]) > 0
}

// merge adds the runs of another history of the query that are not in this one. Of a run in both
// the more complete one stays. What is kept of operators beside their runs stays this history's.
func (h *history) merge(o *history) {
	plans := map[int32]int32{}
	for _, v := range o.variants {
		plans[v.id] = h.planLike(o, v)
	}
	ops := make([]int32, len(o.ops))
	for k, op := range o.ops {
		if op == nil {
			continue
		}
		id := opKey{plans[op.variant], op.Key}
		i, ok := h.index[id]
		if !ok {
			copied := *op
			copied.variant = id.variant
			i = int32(len(h.ops))
			h.ops = append(h.ops, &copied)
			h.index[id] = i
		}
		ops[k] = i
	}
	for _, r := range o.records {
		mine := h.find(r.id)
		if mine != nil && len(mine.parts) >= len(r.parts) {
			mine.learn(r)
			continue
		}
		copied := *r
		copied.parts = slices.Clone(r.parts)
		if mine != nil {
			copied.learn(mine)
		}
		copied.plan = plans[r.plan]
		copied.cells = slices.Clone(r.cells)
		for i := range copied.cells {
			copied.cells[i].op = ops[copied.cells[i].op]
		}
		slices.SortFunc(copied.cells, func(a, b cell) int { return cmp.Compare(a.op, b.op) })
		if mine != nil {
			*mine = copied
			slices.SortFunc(h.records, (*record).compare)
			continue
		}
		h.insert(&copied)
	}
}

// planLike is the id of this history's plan with the fingerprint and the most operators of
// another's, made where there is none.
func (h *history) planLike(o *history, v *variant) int32 {
	best, most := (*variant)(nil), -1
	for _, mine := range h.variants {
		if mine.plan != v.plan {
			continue
		}
		shared := 0
		for _, op := range o.ops {
			if op != nil && op.variant == v.id {
				if _, ok := h.index[opKey{mine.id, op.Key}]; ok {
					shared++
				}
			}
		}
		if shared > most {
			best, most = mine, shared
		}
	}
	if best == nil {
		best = &variant{id: h.nextPlan, plan: v.plan}
		h.nextPlan++
		h.variants = append(h.variants, best)
	}
	best.runs = max(best.runs, v.runs)
	if v.last.After(best.last) {
		best.last = v.last
	}
	return best.id
}

// storedFleet is what is kept beside the histories.
type storedFleet struct {
	Version int    `json:"version"`
	Priors  Priors `json:"priors"`
	Budget  budget `json:"budget"`
}

// EncodePriors is what the fleet knows beside its histories, in its stored form.
func (f *Fleet) EncodePriors() ([]byte, error) {
	text, err := json.Marshal(storedFleet{formatVersion, f.priors, f.budget})
	if err != nil {
		return nil, fmt.Errorf("encode the fleet's priors: %w", err)
	}
	return text, nil
}

// DecodePriors takes over what EncodePriors has written. What does not fit is an error, and nothing
// is taken over.
func (f *Fleet) DecodePriors(text []byte) error {
	var s storedFleet
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("decode the fleet's priors: %w", err)
	}
	if s.Version == withoutLoading {
		var old struct {
			Priors struct{ Variance struct{ Between, DF float64 } }
		}
		if err := json.Unmarshal(text, &old); err != nil {
			return fmt.Errorf("decode the fleet's priors: %w", err)
		}
		s.Priors.Between, s.Priors.DF = old.Priors.Variance.Between, old.Priors.Variance.DF
	} else if s.Version != formatVersion {
		return fmt.Errorf("decode the fleet's priors: version %d, want %d: %w", s.Version, formatVersion, ErrVersion)
	}
	if err := s.Priors.check(); err != nil {
		return fmt.Errorf("decode the fleet's priors: %w", err)
	}
	for i, n := range s.Budget.Hours {
		if !within(n, 0, 1e12) {
			return fmt.Errorf("decode the fleet's priors: %g tests in hour %d", n, i)
		}
	}
	if s.Budget.Hour < 0 || s.Budget.Hour > 1e8 {
		return fmt.Errorf("decode the fleet's priors: hour %d", s.Budget.Hour)
	}
	f.priors, f.budget = s.Priors, s.Budget
	return nil
}
