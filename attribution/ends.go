package attribution

// Nodes at which the rows of a stage end.

// writer is the shuffle that the stage writes: the topmost whose write metrics the stage has, and
// one of whose operators below it runs. A reading stage carries the write metrics of what it reads
// too, but none of the operators below.
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

// sink is the node at which a stage's rows end: the shuffle it writes, the table it writes, or the
// plan's root.
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

// collector is the node whose rows a task packs for the driver: the topmost that the stage updates,
// or the broadcast above it.
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
