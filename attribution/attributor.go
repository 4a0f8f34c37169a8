package attribution

import (
	"maps"
	"slices"
	"strings"
)

// Limits of what an Attributor holds. Beyond them the least recently used goes, and is counted.
const (
	maxUnits    = 8192    // generated classes
	maxLines    = 1 << 18 // lines of their texts, 12 bytes each: some 650 classes, where Spark's cache keeps 100 by default
	maxClasses  = 1 << 16 // rules of classes
	maxPlans    = 1024    // plan indexes: of plans, and of plans that run together
	maxBindings = 8192    // units mapped to plans
)

// Attributor says where the CPU of one JVM's stacks belongs. It is to be used by one goroutine at a
// time; memory is bounded.
type Attributor struct {
	units    *units
	rules    map[string]*rule // by class
	recent   [512]recentRule  // in front of rules
	plans    map[planSet]*planIndex
	bindings map[bindingKey]*binding
	last     scopeCache
	tally    tally
}

// bindingKey names a unit's text, a state of a plan and a set of accumulators.
type bindingKey struct {
	text *text
	x    *planIndex
	set  uint64
}

// scopeCache keeps what was made of the scope that came last: stacks of one task come together.
type scopeCache struct {
	ids  []int64
	set  accumulators
	hash uint64
}

// New returns an Attributor that knows no source yet.
func New() *Attributor { return new(Common).New() }

// New returns an Attributor that knows no source yet. It shares what it parses with the others of
// c.
func (c *Common) New() *Attributor {
	return &Attributor{units: newUnits(maxUnits, maxLines, &c.texts), rules: make(map[string]*rule), plans: make(map[planSet]*planIndex),
		bindings: make(map[bindingKey]*binding), tally: newTally()}
}

// AddSource makes a generated class known. loader is the agent's number of its class loader, class
// its name (binary or simple). body and comments are as for [ParseUnit], whose errors it returns. A
// class that is known already is replaced.
func (a *Attributor) AddSource(loader uint64, class, body string, comments map[string]string) error {
	if err := a.units.add(loader, class, body, comments); err != nil {
		a.tally.BadSources++
		return err
	}
	a.tally.Sources++
	return nil
}

// File names the text of the generated class with that loader: `generated-3fa91c20.java`, the same
// for the same text in every run. Spark gives many classes one name. "" where the text is not
// known. The string is the same one as long as the text is held.
func (a *Attributor) File(loader uint64) string { return a.units.file(loader) }

// Stats returns what was counted so far; the caller may keep it.
func (a *Attributor) Stats() Stats {
	s := a.tally.snapshot()
	s.EvictedUnits, s.Units, s.Texts, s.Lines = a.units.evicted, a.units.recent.Len(), len(a.units.texts), a.units.lines
	return s
}

// Attribute says where a stack belongs. frames are leaf first; neither they nor the scope are kept.
// The scope's plans may grow between calls by [Plan.Merge], not otherwise. Its verdict's Node
// points into one of them.
func (a *Attributor) Attribute(frames []Frame, scope Scope) Verdict {
	s := stack{a: a, frames: frames, scope: scope}
	if set, ok := scope.planSet(); ok {
		s.plan = a.index(set)
		s.set, s.setHash = a.accumulators(scope.Accumulators)
	}
	v := s.decide()
	a.tally.verdict(v, frames)
	return v
}

// index returns the index of plans as they are now.
func (a *Attributor) index(set planSet) *planIndex {
	old := a.plans[set]
	if old != nil && old.merges == set.merges() {
		return old
	}
	if len(a.plans) >= maxPlans {
		clear(a.plans)
		clear(a.bindings)
	} else if old != nil {
		a.drop(set, old)
	}
	x := &planIndex{merges: set.merges()}
	if set[1] == nil {
		x = indexPlan(set[0])
	} else {
		for _, p := range set {
			if p != nil {
				x.trees = append(x.trees, a.index(planSet{p}).trees...)
			}
		}
	}
	a.plans[set] = x
	return x
}

// Forget lets go of what was made of a plan. Whoever asks for it again has it made again.
func (a *Attributor) Forget(p *Plan) {
	for set, x := range a.plans {
		if slices.Contains(set[:], p) {
			a.drop(set, x)
		}
	}
}

func (a *Attributor) drop(set planSet, x *planIndex) {
	delete(a.plans, set)
	maps.DeleteFunc(a.bindings, func(k bindingKey, _ *binding) bool { return k.x == x })
}

// accumulators returns a set of accumulator ids and a hash of it.
func (a *Attributor) accumulators(ids []int64) (accumulators, uint64) {
	if ids == nil {
		return nil, 0
	}
	if a.last.ids == nil || !slices.Equal(a.last.ids, ids) {
		a.last = scopeCache{ids: append([]int64{}, ids...), set: newAccumulators(ids), hash: 14695981039346656037}
		for _, id := range ids {
			a.last.hash = (a.last.hash ^ uint64(id)) * 1099511628211
		}
	}
	return a.last.set, a.last.hash
}

// recentRule is an entry of a direct-mapped cache: stacks repeat their classes.
type recentRule struct {
	class string
	rule  *rule
}

// rule returns what is known of a class; class is not empty.
func (a *Attributor) rule(class string) *rule {
	n := len(class)
	slot := &a.recent[(uint(n)*31^uint(class[n-1])<<4^uint(class[n/2])<<2^uint(class[n*3/4]))%uint(len(a.recent))]
	if slot.class != class {
		*slot = a.lookUp(class)
	}
	return slot.rule
}

// lookUp is the rule of a class. The caller's string is not kept: it may be a piece of a whole
// table of names.
func (a *Attributor) lookUp(class string) recentRule {
	r := a.rules[class]
	if r == nil {
		if len(a.rules) >= maxClasses { // generated and lambda classes are without number
			clear(a.rules)
		}
		known := ruleFor(class)
		known.class = strings.Clone(class)
		r = &known
		a.rules[r.class] = r
	}
	return recentRule{r.class, r}
}

// bind maps a unit to a plan.
func (a *Attributor) bind(u *Unit, s *stack) *binding {
	key := bindingKey{u.text, s.plan, s.setHash}
	if b, ok := a.bindings[key]; ok {
		return b
	}
	if len(a.bindings) >= maxBindings {
		clear(a.bindings)
	}
	b := bind(u.text, s.plan, s.set)
	a.bindings[key] = b
	return b
}
