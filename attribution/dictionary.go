package attribution

// Dictionary is the tagging dictionary of one generated class in one stage: what each line of its
// text belongs to there.
type Dictionary struct {
	Unit  *Unit
	Plan  *Plan   // that it is bound to; nil if no subtree of any plan of the stage fits
	Nodes []*Node // by ordinal; empty without Plan
	Twins bool    // another subtree fitted as well: the first was taken
}

// Dictionary returns what the lines of the class with that loader belong to in a scope. ok is false
// if the class's text is not known, or if it is no whole-stage class. The result stays valid.
func (a *Attributor) Dictionary(loader uint64, scope Scope) (d Dictionary, ok bool) {
	u := a.units.get(loader)
	if u == nil || !u.WholeStage() {
		return Dictionary{}, false
	}
	d.Unit = u
	set, known := scope.planSet()
	if !known {
		return d, true
	}
	s := stack{a: a, scope: scope, plan: a.index(set)}
	s.set, s.setHash = a.accumulators(scope.Accumulators)
	b := a.bind(u, &s)
	if b.whole.tree == nil {
		return d, true
	}
	d.Plan, d.Twins = b.whole.plan(), b.twins
	for _, p := range b.nodes {
		d.Nodes = append(d.Nodes, p.unwrap().node())
	}
	return d, true
}
