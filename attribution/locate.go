package attribution

import "strings"

// caller is the place of the operator found next towards the root of frame i: where the code at
// frame i was asked for rows. Nowhere when there is none.
func (s *stack) caller(i int) place {
	for k := i + 1; k < len(s.frames); k++ {
		f := &s.frames[k]
		if f.Class == "" || f.Kind == FrameNative || f.Kind == FrameKernel || f.Kind == FrameStub {
			continue
		}
		switch s.a.rule(f.Class).kind {
		case ruleWholeStage:
			return s.line(k)
		case rulePhysical:
			if helperFrame(f) && s.generatedCaller(k) {
				continue
			}
			if p := s.operator(k); p.tree != nil {
				return p
			}
		case ruleTaskRun:
			return place{}
		}
	}
	return place{}
}

// line is the place of the operator to which a generated frame's line belongs.
func (s *stack) line(k int) place {
	f := &s.frames[k]
	if s.plan == nil {
		return place{}
	}
	u := s.a.units.get(f.Loader)
	if u == nil || !u.WholeStage() {
		return s.byMethod(f)
	}
	b := s.a.bind(u, s)
	if b.whole.tree == nil {
		return s.byMethod(f)
	}
	if line, ok := u.Line(f.Line); ok {
		return b.nodes[line.Operator]
	}
	op, _ := u.Root(f.Method)
	return b.nodes[op]
}

// generatedCaller reports whether a frame is called by generated code without an iterator in
// between.
func (s *stack) generatedCaller(i int) bool {
	for k := i + 1; k < len(s.frames); k++ {
		f := &s.frames[k]
		if f.Class == "" {
			continue
		}
		switch s.a.rule(f.Class).kind {
		case ruleWholeStage:
			return true
		case ruleNeutral, rulePhysical:
			if strings.HasPrefix(f.Class, "scala.collection.") {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// under is the node of a kind below the operator that asked for rows at frame i, in the same stage.
// With metrics, it is only one that the stage updates metrics of. Without such an operator it is
// the topmost of the stage. Where the operator has none below, it is the operator itself.
func (s *stack) under(i int, is func(*Node) bool, metrics map[string]bool) place {
	if s.plan == nil {
		return place{}
	}
	from := s.caller(i)
	if from.tree == nil {
		return s.maker(s.first(is, metrics), is, metrics)
	}
	if p := s.below(from, is, metrics); p.tree != nil {
		return p
	}
	if p := s.first(is, metrics); p.tree != nil {
		return p
	}
	return from
}

// below is the node of a kind below an operator in the same stage, else the operator itself if it
// is of the kind; nowhere without either.
func (s *stack) below(from place, is func(*Node) bool, metrics map[string]bool) place {
	var found, spare place
	from.below(func(p place) bool {
		n := p.node()
		if is(n) {
			switch {
			case s.updates(n, metrics) && found.tree == nil:
				found = p
			case spare.tree == nil:
				spare = p
			}
		}
		return !endsStage(n)
	})
	switch {
	case found.tree != nil:
		return s.maker(found, is, metrics)
	case spare.tree != nil:
		return s.maker(spare, is, metrics)
	case is(from.node()):
		return from
	}
	return place{}
}

// maker is p, or if p reads rows that another plan makes, the node of that kind in that plan.
func (s *stack) maker(p place, is func(*Node) bool, metrics map[string]bool) place {
	if p.tree == nil || s.set == nil || !isHandedOver(p.node()) {
		return p
	}
	made := p
	s.plan.find(func(q place) bool {
		if n := q.node(); q.plan() != p.plan() && is(n) && !isHandedOver(n) && s.set.count(n, metrics) > 0 {
			made = q
		}
		return made != p
	})
	return made
}

// updates reports whether the stage may update a node's metrics of those names; all where names is
// nil.
func (s *stack) updates(n *Node, names map[string]bool) bool {
	return s.set == nil || len(n.Metrics) == 0 || s.set.count(n, names) > 0
}

// first is the topmost node of a kind that the stage runs, in the latest update that has one;
// nowhere when it is not known which.
func (s *stack) first(is func(*Node) bool, metrics map[string]bool) place {
	var found place
	if s.plan == nil || s.set == nil {
		return s.only(is)
	}
	s.plan.find(func(p place) bool {
		if n := p.node(); is(n) && s.set.count(n, metrics) > 0 {
			found = p
			return true
		}
		return false
	})
	if found.tree == nil {
		return s.only(is)
	}
	return found
}

// only is the one node of a kind in the latest update of the task's own plan, nowhere when there
// are several.
func (s *stack) only(is func(*Node) bool) place {
	var found place
	if s.scope.Plan == nil || len(s.plan.trees) == 0 {
		return found
	}
	t := s.plan.trees[0]
	for i := range t.nodes {
		if !is(&t.nodes[i]) {
			continue
		}
		if found.tree != nil {
			return place{}
		}
		found = place{t, i}
	}
	return found
}

// top is the topmost node of a kind, whether or not it has metrics.
func (s *stack) top(is func(*Node) bool) place {
	var found place
	if s.plan != nil {
		s.plan.find(func(p place) bool {
			if is(p.node()) {
				found = p
			}
			return found.tree != nil
		})
	}
	return found
}

// operator is the node of a physical operator without codegen at frame i. It is the nearest of its
// class below the operator that asked it for rows, else the topmost of its class in the stage.
func (s *stack) operator(i int) place {
	names := s.a.rule(s.frames[i].Class).physical
	is := func(n *Node) bool {
		for _, name := range names {
			if classIs(n, name) || n.Class == "" && n.Name == strings.TrimSuffix(name, "Exec") {
				return true
			}
		}
		return false
	}
	if s.plan == nil {
		return place{}
	}
	if from := s.otherCaller(i, names); from.tree != nil {
		var found place
		from.below(func(p place) bool {
			if found.tree == nil && is(p.node()) {
				found = p
			}
			return found.tree == nil && !endsStage(p.node())
		})
		if found.tree != nil {
			return found
		}
	}
	if p := s.first(is, nil); p.tree != nil {
		return p
	}
	return s.top(is)
}

// otherCaller is the caller of frame i beyond the frames of the same operator.
func (s *stack) otherCaller(i int, names []string) place {
	k := i
	for j := i + 1; j < len(s.frames); j++ {
		if s.frames[j].Class == "" {
			continue
		}
		r := s.a.rule(s.frames[j].Class)
		if r.kind == rulePhysical && equalNames(r.physical, names) {
			k = j
			continue
		}
		if r.kind == rulePhysical || r.kind == ruleWholeStage || r.kind == ruleTaskRun {
			break
		}
	}
	return s.caller(k)
}

func equalNames(a, b []string) bool { return len(a) > 0 && len(b) > 0 && a[0] == b[0] }

// projection is the Project that applies a generated projection at frame i to an iterator's rows.
// Projections are functions, and ProjectExec without codegen hands them to Iterator.map: between
// the projection and whoever asks for rows there is no frame of its own. It is the nearest Project
// without codegen below whoever asks; nowhere when an operator's own code applies the projection.
func (s *stack) projection(i int) place {
	if s.plan == nil || !strings.Contains(s.frames[i].Class, "Projection") {
		return place{}
	}
	k := i + 1
	for k < len(s.frames) && s.frames[k].Class == s.frames[i].Class {
		k++
	}
	if k == len(s.frames) || !strings.HasPrefix(s.frames[k].Class, "scala.collection.Iterator$$anon$") {
		return place{}
	}
	from := s.caller(i)
	if from.tree == nil {
		from = s.sink(k)
	}
	if from.tree == nil {
		return place{}
	}
	// Every iterator between is one more operator on the way down, but the one with which an
	// exchange pairs rows and partitions.
	depth := 0
	for ; k < len(s.frames) && strings.HasPrefix(s.frames[k].Class, "scala.collection.Iterator$$anon$"); k++ {
		depth++
	}
	if isShuffle(from.node()) && depth > 1 {
		depth--
	}
	var nearest, exact place
	from.below(func(p place) bool {
		n := p.node()
		if n.Codegen >= 0 || exact.tree != nil {
			return false
		}
		if isProject := classIs(n, "ProjectExec"); isProject || isScan(n) {
			if isProject && nearest.tree == nil {
				nearest = p
			}
			if depth == 1 {
				exact = p
			}
		}
		if !p.passes() {
			depth--
		}
		return exact.tree == nil && !endsStage(n)
	})
	if exact.tree != nil {
		return exact
	}
	return nearest
}
