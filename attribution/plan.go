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

// Share replaces the update's texts by equal ones in known, and adds the others there. Updates of a
// plan, and plans of an application, repeat most of their texts. Without it each would be kept as
// often as it was read. Share returns how many bytes of text it added.
func (u *PlanUpdate) Share(known map[string]string) (added int) {
	share := func(s *string) {
		if *s == "" {
			return
		}
		text, ok := known[*s]
		if !ok {
			text = *s
			known[text] = text
			added += len(text)
		}
		*s = text
	}
	for _, s := range []*string{&u.Query, &u.QueryName, &u.Plan, &u.Description, &u.CallSite} {
		share(s)
	}
	for i := range u.Tree.Nodes {
		n := &u.Tree.Nodes[i]
		for _, s := range []*string{&n.Class, &n.Name, &n.Text, &n.Operator, &n.OperatorName, &n.Line, &n.Role, &n.Mode, &n.Stage} {
			share(s)
		}
		for k := range n.Counts {
			share(&n.Counts[k].Name)
		}
		for k := range n.Metrics {
			share(&n.Metrics[k].Name)
			share(&n.Metrics[k].Type)
		}
	}
	return added
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
