package attribution

import (
	"maps"
	"sort"
	"strings"
)

// Stats counts what an Attributor did; all values only grow, except Units, Texts and Lines, which
// say what is held now.
type Stats struct {
	Stacks          uint64
	ByRule          map[string]uint64 // verdicts by Verdict.Rule
	Disputed        uint64
	Weak            uint64
	Ambiguous       uint64 // verdicts whose unit or class fitted several nodes; one of them was taken
	Unmapped        uint64 // verdicts on generated lines whose unit fitted no subtree of the plan
	Unnamed         uint64 // verdicts left unknown because an interpreted method before the operator's frame has no name
	MissingSources  uint64 // verdicts on whole-stage frames whose source is not there
	Sources         uint64 // AddSource calls that were understood
	BadSources      uint64 // AddSource calls that were not
	EvictedUnits    uint64
	Units           int               // classes held
	Texts           int               // different texts held; classes with equal text share one
	Lines           int               // lines of those texts
	UnknownClasses  []UnknownClass    // the leaf-most unknown classes of stacks that no rule decided, most frequent first
	UnknownNotNoted uint64            // stacks whose class found no room there
	DisputedMethods map[string]uint64 // class and method of disputed lines, bounded like UnknownClasses
}

// UnknownClass is a class at which stacks were left undecided.
type UnknownClass struct {
	Class  string
	Stacks uint64
}

// maxUnknownClasses bounds the classes and methods that are noted.
const maxUnknownClasses = 256

// tally is the mutable side of Stats.
type tally struct {
	Stats
	unknown map[string]uint64
}

func newTally() tally {
	return tally{Stats: Stats{ByRule: make(map[string]uint64), DisputedMethods: make(map[string]uint64)}, unknown: make(map[string]uint64)}
}

func (t *tally) verdict(v Verdict, frames []Frame) {
	t.Stacks++
	t.ByRule[v.Rule]++
	if v.Weak {
		t.Weak++
	}
	if v.Disputed {
		t.Disputed++
		if v.Frame >= 0 {
			note(t.DisputedMethods, frames[v.Frame].Class+"."+frames[v.Frame].Method)
		}
	}
}

func (t *tally) undecided(class string) {
	if !note(t.unknown, strings.Clone(class)) { // a map takes on the last string that a key is assigned by
		t.UnknownNotNoted++
	}
}

// note counts a name in a bounded map, which keeps it; false when there is no room for a new one.
func note(counts map[string]uint64, name string) bool {
	if _, ok := counts[name]; !ok && len(counts) >= maxUnknownClasses {
		return false
	}
	counts[name]++
	return true
}

func (t *tally) snapshot() Stats {
	s := t.Stats
	s.ByRule = maps.Clone(t.ByRule)
	s.DisputedMethods = maps.Clone(t.DisputedMethods)
	for class, n := range t.unknown {
		s.UnknownClasses = append(s.UnknownClasses, UnknownClass{class, n})
	}
	sort.Slice(s.UnknownClasses, func(i, k int) bool {
		a, b := s.UnknownClasses[i], s.UnknownClasses[k]
		return a.Stacks > b.Stacks || a.Stacks == b.Stacks && a.Class < b.Class
	})
	return s
}
