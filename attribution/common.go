package attribution

import (
	"crypto/sha256"
	"maps"
	"weak"
)

// Common is what attributors of several JVMs share: executors of one application have the same
// plans and the same generated classes. A text is parsed once for as long as anyone holds what came
// of it. It is known by its hash alone, so that no JVM can change what another one gets. Common
// holds nothing itself, so that no JVM can push out what another one has. The zero value is ready.
// One goroutine at a time.
type Common struct {
	plans parsed[PlanUpdate]
	texts parsed[text]
}

// PlanUpdate is [ParsePlanUpdate] of data. It takes texts of known, which has each to itself,
// instead of equal ones where it can. The caller holds the update for as long as it uses the
// update's nodes, and does not change one that is not fresh.
func (c *Common) PlanUpdate(data []byte, known map[string]string) (update *PlanUpdate, fresh bool, err error) {
	key := sha256.Sum256(data)
	if known := c.plans.get(key); known != nil {
		return known, false, nil
	}
	u, err := parsePlanUpdate(data, known)
	if err != nil {
		return nil, false, err
	}
	c.plans.put(key, &u)
	return &u, true, nil
}

// parsed finds what others hold, by the hash of the text that it was parsed from.
type parsed[T any] struct {
	by     map[[sha256.Size]byte]weak.Pointer[T]
	enough int // entries up to which no one looks for those that no one holds
}

// get returns nil if no one holds it.
func (p *parsed[T]) get(key [sha256.Size]byte) *T { return p.by[key].Value() }

func (p *parsed[T]) put(key [sha256.Size]byte, t *T) {
	if len(p.by) > p.enough {
		maps.DeleteFunc(p.by, func(_ [sha256.Size]byte, w weak.Pointer[T]) bool { return w.Value() == nil })
		p.enough = 2 * len(p.by)
	}
	if p.by == nil {
		p.by = map[[sha256.Size]byte]weak.Pointer[T]{}
	}
	p.by[key] = weak.Make(t)
}
