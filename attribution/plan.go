package attribution

import (
	"fmt"
	"sort"
)

// PlanUpdate is one update of one execution's plan, as a plan dictionary carries it.
type PlanUpdate struct {
	ExecutionID int64
	Query       string
	QueryName   string
	Plan        string
	Description string
	CallSite    string
	Tree        Tree
}

// EachText calls f with each text of the update. f may replace a text by an equal one, to share its
// memory: updates of a plan, and plans of an application, repeat most of their texts.
func (u *PlanUpdate) EachText(f func(text *string)) {
	for _, s := range []*string{&u.Query, &u.QueryName, &u.Plan, &u.Description, &u.CallSite} {
		f(s)
	}
	for i := range u.Tree.Nodes {
		n := &u.Tree.Nodes[i]
		for _, s := range []*string{&n.Class, &n.Name, &n.Text, &n.Operator, &n.OperatorName, &n.Line, &n.Role, &n.Mode, &n.Stage} {
			f(s)
		}
		for k := range n.Counts {
			f(&n.Counts[k].Name)
		}
		for k := range n.Metrics {
			f(&n.Metrics[k].Name)
			f(&n.Metrics[k].Type)
		}
	}
}

// Merge adds an update to the plan. An update that is there already is replaced, names that the
// update knows win over what was there. Updates stay ascending. It is an error to merge another
// execution's update.
func (p *Plan) Merge(u PlanUpdate) error {
	if p.ExecutionID != u.ExecutionID {
		return fmt.Errorf("merge plan of execution %d: update %d is of execution %d", p.ExecutionID, u.Tree.Update, u.ExecutionID)
	}
	for _, name := range []struct {
		to   *string
		from string
	}{{&p.Query, u.Query}, {&p.QueryName, u.QueryName}, {&p.Plan, u.Plan}, {&p.Description, u.Description}, {&p.CallSite, u.CallSite}} {
		if name.from != "" {
			*name.to = name.from
		}
	}
	p.merges++
	i := sort.Search(len(p.Updates), func(i int) bool { return p.Updates[i].Update >= u.Tree.Update })
	if i < len(p.Updates) && p.Updates[i].Update == u.Tree.Update {
		p.Updates[i] = u.Tree
		return nil
	}
	p.Updates = append(p.Updates, Tree{})
	copy(p.Updates[i+1:], p.Updates[i:])
	p.Updates[i] = u.Tree
	return nil
}
