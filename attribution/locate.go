package attribution

import "strings"

// caller is the place of the operator found next towards the root of frame i: where the code at frame i was asked for rows.
// Nowhere when there is none.
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

// generatedCaller says whether a frame is called by generated code without an iterator in between.
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

// under is the node of a kind below the operator that asked for rows at frame i, in the same stage; with metrics, only one that the stage
// updates those of. Without such an operator it is the topmost of the stage. Where the operator has none below, it is the operator itself.
func (s *stack) under(i int, is func(*Node) bool, metrics map[string]bool) place {
	if s.plan == nil {
		return place{}
	}
	from := s.caller(i)
	if from.tree == nil {
		return s.first(is, metrics)
	}
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
		return found
	case spare.tree != nil:
		return spare
	case is(from.node()):
		return from
	}
	if p := s.first(is, metrics); p.tree != nil {
		return p
	}
	return from
}

// updates says whether the stage may update a node's metrics of those names; all where names is nil.
func (s *stack) updates(n *Node, names map[string]bool) bool {
	return s.set == nil || len(n.Metrics) == 0 || s.set.count(n, names) > 0
}

// first is the topmost node of a kind that the stage runs, in the latest update that has one; nowhere when it is not known which.
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

// only is the one node of a kind in the latest update, nowhere when there are several.
func (s *stack) only(is func(*Node) bool) place {
	var found place
	if s.plan == nil || len(s.plan.trees) == 0 {
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

// writer is the shuffle that the stage writes: the topmost whose write metrics the stage has, and one of whose operators below it runs.
// A reading stage carries the write metrics of what it reads too, but none of the operators below.
func (s *stack) writer() place {
	if s.plan == nil {
		return place{}
	}
	var found place
	s.plan.find(func(p place) bool {
		n := p.node()
		if !isShuffle(n) || !s.updates(n, shuffleWriteMetrics) {
			return false
		}
		p.below(func(q place) bool {
			if s.set == nil || s.set.count(q.node(), nil) > 0 && !isShuffle(q.node()) {
				found = p
			}
			return found.tree == nil && !endsStage(q.node())
		})
		return found.tree != nil
	})
	if found.tree == nil {
		return s.first(isShuffle, shuffleWriteMetrics)
	}
	return found
}

// projection is the Project that applies a generated projection at frame i to an iterator's rows. Projections are functions, and
// ProjectExec without codegen hands them to Iterator.map: between the projection and whoever asks for rows there is no frame of its own.
// It is the nearest Project without codegen below whoever asks; nowhere when an operator's own code applies the projection.
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
	var found place
	from.below(func(p place) bool {
		n := p.node()
		if found.tree == nil && n.Codegen < 0 && classIs(n, "ProjectExec") {
			found = p
		}
		return found.tree == nil && n.Codegen < 0 && !endsStage(n)
	})
	return found
}

// sink is the node at which a stage's rows end: the shuffle it writes, the table it writes, or the plan's root.
func (s *stack) sink(k int) place {
	for ; k < len(s.frames); k++ {
		if s.frames[k].Class == "" {
			continue
		}
		switch s.a.rule(s.frames[k].Class).kind {
		case ruleShuffleWrite:
			return s.writer()
		case ruleWrite:
			return s.top(isWrite)
		case ruleTaskRun:
			return s.top(func(*Node) bool { return true })
		}
	}
	return place{}
}

// collector is the node whose rows a task packs for the driver: the topmost that the stage updates, or the broadcast above it.
func (s *stack) collector() place {
	if s.plan == nil {
		return place{}
	}
	p := s.first(func(*Node) bool { return true }, nil)
	for q := p; q.tree != nil && q.node().Parent >= 0; {
		q.at = q.node().Parent
		n := q.node()
		if isBroadcast(n) {
			return q
		}
		if n.Operator != "" || isShuffle(n) {
			break
		}
	}
	return p
}

// operator is the node of a physical operator without codegen at frame i: the nearest of its class below the operator that asked it for
// rows, else the topmost of its class in the stage.
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

// byMethod is the node that a generated frame's names suggest where its source is not known: of the subtree with its codegenStageId that
// the stage runs, the operator with its method's prefix, else the topmost.
func (s *stack) byMethod(f *Frame) place {
	if s.plan == nil {
		return place{}
	}
	id, prefix := stageIDOf(simpleName(f.Class), nil), prefixOf(f.Method)
	for _, t := range s.plan.trees {
		for _, w := range t.wholes {
			if id != 0 && t.nodes[w].CodegenStageID != id {
				continue
			}
			hits, first, match := s.set.count(&t.nodes[w], nil), place{}, place{}
			place{t, w}.below(func(p place) bool {
				n := p.node()
				if isWrapper(n, "InputAdapter") || n.Codegen != w && n.Codegen >= 0 || n.Subquery {
					return false
				}
				hits += s.set.count(n, nil)
				if first.tree == nil {
					first = p
				}
				if match.tree == nil && prefix != "" && variablePrefix(n) == prefix {
					match = p
				}
				return true
			})
			switch {
			case s.set != nil && hits == 0:
			case match.tree != nil:
				return match
			case first.tree != nil:
				return first
			}
		}
	}
	return place{}
}

// variablePrefix is the prefix that Spark gives to the identifiers of an operator (CodegenSupport.variablePrefix).
func variablePrefix(n *Node) string {
	name := strings.TrimSpace(n.Name)
	for class, prefix := range map[string]string{"HashAggregate": "hashAgg", "SortAggregate": "sortAgg", "BroadcastHashJoin": "bhj",
		"ShuffledHashJoin": "shj", "SortMergeJoin": "smj", "BroadcastNestedLoopJoin": "bnlj"} {
		if name == class {
			return prefix
		}
	}
	return strings.ToLower(name)
}

func isPython(n *Node) bool { return strings.HasPrefix(n.Class, sqlx+"python.") }

func isEngine(n *Node) bool {
	return strings.HasPrefix(n.Class, "org.apache.spark.sql.comet.") || strings.HasPrefix(n.Class, "org.apache.gluten.") ||
		strings.HasPrefix(n.Class, "io.glutenproject.") || strings.HasSuffix(n.Class, "Transformer")
}

func isWrite(n *Node) bool {
	return strings.HasPrefix(n.Class, sqlx+"datasources.v2.") && !strings.HasSuffix(n.Class, "ScanExec") ||
		strings.HasSuffix(n.Class, "DataWritingCommandExec") || strings.HasSuffix(n.Class, "WriteFilesExec")
}
