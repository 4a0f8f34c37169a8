package sparkshift

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/growth"
)

// mostOpenNodes bounds one operator's tree while its run is open: twice so many are pruned to that.
const mostOpenNodes = 512

// stackBook holds the stacks of open runs, and those of the operators of queries by run. It is not safe for concurrent use.
type stackBook struct {
	most      int // nodes of all trees
	openNodes int // of open runs
	nodes     int // of queries
	open      *recent[shift.RunID, *openStacks]
	queries   *recent[string, *queryStacks]
	dropped   int // how many runs' and queries' stacks were dropped
}

// openStacks are the stacks of a run that is not judged yet. They may come before the run's first point.
type openStacks struct {
	touched   time.Time
	nodes     int
	operators map[shift.Key]*growth.Tree
}

// queryStacks are those of a query's operators.
type queryStacks struct {
	nodes     int
	operators map[planKey]*growth.History
}

// planKey is an operator of one plan.
type planKey struct {
	Plan string
	shift.Key
}

func newStackBook(most int) stackBook {
	return stackBook{most: most, open: newRecent[shift.RunID, *openStacks](), queries: newRecent[string, *queryStacks]()}
}

// add adds CPU of a stack to a run.
func (b *stackBook) add(id shift.RunID, k shift.Key, stack []growth.Frame, cpu float64, now time.Time) {
	o, ok := b.open.use(id)
	if !ok {
		o = &openStacks{operators: map[shift.Key]*growth.Tree{}}
		b.open.put(id, o)
	}
	o.touched = now
	t := o.operators[k]
	if t == nil {
		if len(o.operators) >= mostOperators {
			return
		}
		t = &growth.Tree{}
		o.operators[k] = t
	}
	was := t.Len()
	t.Add(stack, cpu)
	if t.Len() > 2*mostOpenNodes {
		t.Prune(mostOpenNodes, 0)
	}
	o.nodes += t.Len() - was
	b.openNodes += t.Len() - was
	b.makeRoom()
}

// finish puts what came of a run to the operators that it had.
func (b *stackBook) finish(r *shift.Run) {
	o, ok := b.open.remove(r.ID)
	if !ok {
		return
	}
	b.openNodes -= o.nodes
	q, ok := b.queries.use(r.Query)
	if !ok {
		q = &queryStacks{operators: map[planKey]*growth.History{}}
	}
	was := q.nodes
	for i := range r.Operators {
		c := &r.Operators[i]
		t := o.operators[c.Key]
		if t == nil {
			continue
		}
		k := planKey{r.Plan, c.Key}
		h := q.operators[k]
		if h == nil {
			h = &growth.History{}
			q.operators[k] = h
		}
		q.nodes -= h.Nodes()
		h.Add(growth.Run{End: r.End, Samples: c.Samples, Tree: *t})
		q.nodes += h.Nodes()
	}
	b.nodes += q.nodes - was
	if !ok && q.nodes > 0 {
		b.queries.put(r.Query, q)
	}
	b.makeRoom()
}

// makeRoom drops what was used least recently while there are too many nodes: an open run where open runs have more than half of them, else a query.
func (b *stackBook) makeRoom() {
	for b.openNodes+b.nodes > b.most {
		if b.openNodes > b.most/2 {
			_, o, _ := b.open.removeOldest()
			b.openNodes -= o.nodes
		} else {
			_, q, _ := b.queries.removeOldest()
			b.nodes -= q.nodes
		}
		b.dropped++
	}
}

// forget drops open runs of which nothing came since a time, and the stacks of queries without a history.
func (b *stackBook) forget(since time.Time, has func(query string) bool) {
	for {
		_, o, ok := b.open.oldest()
		if !ok || !o.touched.Before(since) {
			break
		}
		b.open.removeOldest()
		b.openNodes -= o.nodes
		b.dropped++
	}
	for query, q := range b.queries.all() {
		if !has(query) {
			b.queries.remove(query)
			b.nodes -= q.nodes
		}
	}
}

// changes are the stacks that changed most in the operators of an event of a run of a plan, one for each of its Changes; without frames where none is known.
func (b *stackBook) changes(e *shift.Event, plan string) []growth.Change {
	out := make([]growth.Change, len(e.Changes))
	q, ok := b.queries.use(e.Query)
	if !ok {
		return out
	}
	for i := range e.Changes {
		c := &e.Changes[i]
		if h := q.operators[planKey{plan, c.Key}]; h != nil && c.From > 0 && c.To > 0 {
			out[i], _ = h.Change(e.Since, c.From, c.To)
		}
	}
	return out
}

// stacksVersion is that of stored stacks.
const stacksVersion = 1

// storedStacks are a query's.
type storedStacks struct {
	Version   int              `json:"version"`
	Operators []storedOperator `json:"operators"`
}

type storedOperator struct {
	Plan     string          `json:"plan"`
	Stage    string          `json:"stage"`
	Operator string          `json:"operator"`
	Stacks   *growth.History `json:"stacks"`
}

// encode is the stored form of a query's stacks; nil where it has none.
func (b *stackBook) encode(query string) ([]byte, error) {
	q, ok := b.queries.use(query)
	if !ok {
		return nil, nil
	}
	s := storedStacks{Version: stacksVersion}
	for k, h := range q.operators {
		s.Operators = append(s.Operators, storedOperator{k.Plan, k.Stage, k.Operator, h})
	}
	slices.SortFunc(s.Operators, func(a, b storedOperator) int {
		return strings.Compare(a.Plan+"\x00"+a.Stage+"\x00"+a.Operator, b.Plan+"\x00"+b.Stage+"\x00"+b.Operator)
	})
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encode stacks of query %s: %w", query, err)
	}
	return text, nil
}

// decode takes a query's stored stacks in.
func (b *stackBook) decode(query string, text []byte) error {
	var s storedStacks
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("decode stacks of query %s: %w", query, err)
	}
	if s.Version != stacksVersion {
		return fmt.Errorf("decode stacks of query %s: %w", query, shift.ErrVersion)
	}
	q := &queryStacks{operators: map[planKey]*growth.History{}}
	for i := range s.Operators {
		o := &s.Operators[i]
		if o.Stacks == nil {
			return fmt.Errorf("decode stacks of query %s: operator %q has none", query, o.Operator)
		}
		q.operators[planKey{o.Plan, shift.Key{Stage: o.Stage, Operator: o.Operator}}] = o.Stacks
		q.nodes += o.Stacks.Nodes()
	}
	b.queries.put(query, q)
	b.nodes += q.nodes
	b.makeRoom()
	return nil
}
