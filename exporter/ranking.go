package exporter

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"
)

// ranking keeps the keys with the most weight, where weight is forgotten by half every half-life. A
// tenant has a share, an equal part of all, whatever the weight of others. One that brought none of
// its keys for a half-life has no share: its keys stay only by their weight. Safe for concurrent
// use.
type ranking[K comparable] struct {
	max      int
	halfLife time.Duration

	mu      sync.Mutex
	entries map[K]*rank
}

type rank struct {
	weight  float64 // as of at
	at      time.Time
	in      bool
	tenant  string    // who brought the key first, or took it over from one who left it
	brought time.Time // by the tenant
}

// halfLife of weights: a query that has not run for some hours gives its series up.
const halfLife = 30 * time.Minute

// loyalty is how much heavier an outside key must be than an inside key to take its place. Without
// it two keys of similar weight would take turns, and neither would have a whole curve.
const loyalty = 1.5

// memory is how many keys, in multiples of max, are remembered: a key outside gathers weight until
// it gets in.
const memory = 4

func newRanking[K comparable](max int, halfLife time.Duration) *ranking[K] {
	return &ranking[K]{max: max, halfLife: halfLife, entries: map[K]*rank{}}
}

// admit adds the weights of one push of a tenant and returns the keys that are among the first.
// Time may not run backwards by more than measurement noise.
func (r *ranking[K]) admit(now time.Time, tenant string, weights map[K]int64) map[K]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k, w := range weights {
		e := r.entries[k]
		if e == nil {
			e = &rank{at: now, tenant: tenant}
			r.entries[k] = e
		}
		e.weight = r.decayed(e, now) + float64(w)
		e.at = now
		if e.tenant == tenant || r.left(e, now) {
			e.tenant, e.brought = tenant, now
		}
	}
	r.rank(now)
	admitted := make(map[K]bool, len(weights))
	for k := range weights {
		if e := r.entries[k]; e != nil && e.in {
			admitted[k] = true
		}
	}
	return admitted
}

// release takes back weights that admit added a moment ago: what brought them comes again.
func (r *ranking[K]) release(weights map[K]int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k, w := range weights {
		if e := r.entries[k]; e != nil {
			e.weight = max(0, e.weight-float64(w))
		}
	}
}

func (r *ranking[K]) decayed(e *rank, now time.Time) float64 {
	age := now.Sub(e.at)
	if age <= 0 {
		return e.weight
	}
	return e.weight * math.Exp2(-float64(age)/float64(r.halfLife))
}

// left reports whether a key's tenant has not brought it for a half-life.
func (r *ranking[K]) left(e *rank, now time.Time) bool { return now.Sub(e.brought) >= r.halfLife }

// rank decides who is in and forgets the last of those who are not.
func (r *ranking[K]) rank(now time.Time) {
	if len(r.entries) <= r.max {
		for _, e := range r.entries {
			e.in = true
		}
		return
	}
	type scored struct {
		key   K
		score float64
		*rank
	}
	all := make([]scored, 0, len(r.entries))
	for k, e := range r.entries {
		s := r.decayed(e, now)
		if e.in {
			s *= loyalty
		}
		all = append(all, scored{k, s, e})
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	keys := map[string]int{} // :: tenant with a share → its keys that are in
	for _, s := range all {
		if !r.left(s.rank, now) {
			keys[s.tenant] = 0
		}
	}
	share, in := r.max/max(len(keys), 1), 0
	for _, s := range all {
		n, shares := keys[s.tenant]
		if s.in = shares && n < share; s.in {
			keys[s.tenant]++
			in++
		}
	}
	outside := 0
	for _, s := range all {
		switch {
		case s.in:
		case in < r.max:
			s.in = true
			in++
		case outside < r.max*(memory-1):
			outside++
		default:
			delete(r.entries, s.key)
		}
	}
}
