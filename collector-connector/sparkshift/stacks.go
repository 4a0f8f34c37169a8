package sparkshift

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/growth"
)

// Bounds of call trees. In all they have Config.MaxStackNodes.
const (
	mostOpenNodes = 512  // of an operator while its run is open: twice so many are pruned to that
	mostNodes     = 64   // of an operator of a judged run
	leastShare    = 0.01 // of the operator's CPU that a node of a judged run has
	mostStackRuns = 64   // of a query
)

// stackBook holds the stacks of open runs, and of the newest of each query's judged runs. It is not
// safe for concurrent use.
type stackBook struct {
	most      int // nodes of all trees
	mostOpen  int // open runs
	openNodes int // of open runs
	nodes     int // of judged ones
	open      map[shift.RunID]*openStacks
	queries   map[string]*queryStacks
	// unsaved is what the storage does not know yet, by its key; nil: it is to be deleted.
	unsaved map[string]stored
	dropped int // runs, or parts of a run, whose stacks were dropped
}

// openStacks are the stacks of a run that is not judged yet. They may come before the run's first
// point.
type openStacks struct {
	touched   time.Time
	nodes     int
	operators map[shift.Key]*growth.Tree
}

// queryStacks are the stacks of a query's judged runs, and of what its operators are held against
// for long.
type queryStacks struct {
	nodes      int          // of runs
	runs       []*runStacks // in the order of their ends
	held       int          // nodes of references
	references references
}

// stored is what has an entry of its own in the storage.
type stored interface{ encode() ([]byte, error) }

type runStacks struct {
	id        shift.RunID
	slot      int // its place in the storage, among its query's
	end       time.Time
	nodes     int
	operators map[shift.Key]*growth.Run
}

func newStackBook(cfg *Config) stackBook {
	return stackBook{most: cfg.MaxStackNodes, mostOpen: cfg.Waiting.MaxOpenRuns, open: map[shift.RunID]*openStacks{}, queries: map[string]*queryStacks{}, unsaved: map[string]stored{}}
}

// add adds CPU of a stack to a run; false where it has too many operators.
func (b *stackBook) add(id shift.RunID, k shift.Key, stack []growth.Frame, cpu float64, now time.Time) bool {
	o := b.open[id]
	if o == nil {
		if len(b.open) >= b.mostOpen {
			b.discard(first(b.open, func(a, o *openStacks) bool { return a.touched.Before(o.touched) }))
			b.dropped++
		}
		o = &openStacks{operators: map[shift.Key]*growth.Tree{}}
		b.open[id] = o
	}
	o.touched = now
	t := o.operators[k]
	if t == nil {
		if len(o.operators) >= mostOperators {
			return false
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
	return true
}

// discard drops what came of a run that is not judged.
func (b *stackBook) discard(id shift.RunID) {
	if o := b.open[id]; o != nil {
		b.openNodes -= o.nodes
		delete(b.open, id)
	}
}

// finish keeps what came of a run for the operators that it had, if the run is in its query's
// history: known are the runs there. A run that is there already gets more.
func (b *stackBook) finish(r *shift.Run, known []shift.RunID) {
	o := b.open[r.ID]
	b.discard(r.ID)
	b.trim(r.Query, known)
	if o != nil && slices.Contains(known, r.ID) {
		b.keep(r, o)
	}
	b.makeRoom()
}

func (b *stackBook) keep(r *shift.Run, o *openStacks) {
	if !slices.ContainsFunc(r.Operators, func(c shift.Cost) bool { return o.operators[c.Key] != nil }) {
		return
	}
	q, s := b.of(r.Query, r.ID, r.End)
	if s == nil {
		return
	}
	for i := range r.Operators {
		c := &r.Operators[i]
		t := o.operators[c.Key]
		if t == nil {
			continue
		}
		of := s.operators[c.Key]
		if of == nil {
			of = &growth.Run{}
			s.operators[c.Key] = of
		}
		// Where stacks came of a part of the cost only, they stand on so many samples less.
		of.Samples += min(c.Support(), math.MaxInt32) * min(1, t.Total()/c.CPU)
		of.Tree.Merge(t)
		of.Tree.Prune(mostNodes, leastShare)
	}
	b.count(q, s)
	b.unsaved[stacksKey(r.Query, s.slot)] = s
}

// of is what is kept of a run, made if there is nothing; nil for one that is older than all of a
// query that has the most.
func (b *stackBook) of(query string, id shift.RunID, end time.Time) (*queryStacks, *runStacks) {
	q := b.queries[query]
	if q == nil {
		q = &queryStacks{}
		b.queries[query] = q
	}
	// Its parts may each have an end of their own, so by its id.
	if at := slices.IndexFunc(q.runs, func(s *runStacks) bool { return s.id == id }); at >= 0 {
		return q, q.runs[at]
	}
	s := &runStacks{id: id, end: end, operators: map[shift.Key]*growth.Run{}}
	at, _ := slices.BinarySearchFunc(q.runs, s, (*runStacks).compare)
	if len(q.runs) == mostStackRuns {
		if at == 0 {
			return q, nil
		}
		b.drop(query, q, 0)
		at--
	}
	for slices.ContainsFunc(q.runs, func(o *runStacks) bool { return o.slot == s.slot }) {
		s.slot++
	}
	q.runs = slices.Insert(q.runs, at, s)
	return q, s
}

// count brings the numbers of nodes up to date with a run's trees.
func (b *stackBook) count(q *queryStacks, s *runStacks) {
	was := s.nodes
	s.nodes = 0
	for _, of := range s.operators {
		s.nodes += of.Tree.Len()
	}
	q.nodes += s.nodes - was
	b.nodes += s.nodes - was
}

// trim drops the runs of a query that are not known.
func (b *stackBook) trim(query string, known []shift.RunID) {
	q := b.queries[query]
	if q == nil {
		return
	}
	there := make(map[shift.RunID]bool, len(known))
	for _, id := range known {
		there[id] = true
	}
	for i := len(q.runs) - 1; i >= 0; i-- {
		if !there[q.runs[i].id] {
			b.drop(query, q, i)
		}
	}
}

// drop drops the run at a place of a query.
func (b *stackBook) drop(query string, q *queryStacks, at int) {
	s := q.runs[at]
	q.runs = slices.Delete(q.runs, at, at+1)
	q.nodes -= s.nodes
	b.nodes -= s.nodes
	b.unsaved[stacksKey(query, s.slot)] = nil
	if len(q.runs) == 0 && len(q.references) == 0 {
		delete(b.queries, query)
	}
}

// makeRoom drops nodes if there are too many, until there is room for some. If open runs have more
// than half of the nodes, it drops the largest open run. Otherwise it drops the oldest run of the
// query with the most nodes in runs, and references when no query has runs.
func (b *stackBook) makeRoom() {
	if b.openNodes+b.nodes <= b.most {
		return
	}
	for b.openNodes+b.nodes > b.most-b.most/16 {
		if b.openNodes > b.most/2 {
			b.discard(first(b.open, func(a, o *openStacks) bool { return a.nodes > o.nodes }))
		} else {
			query := first(b.queries, (*queryStacks).goesBefore)
			if q := b.queries[query]; len(q.runs) > 0 {
				b.drop(query, q, 0)
			} else {
				b.fixed(query, q, nil)
			}
		}
		b.dropped++
	}
}

// goesBefore reports whether a query has more nodes in runs than another, or neither has any, and
// more in references.
func (q *queryStacks) goesBefore(o *queryStacks) bool {
	return cmp.Or(cmp.Compare(q.nodes, o.nodes), cmp.Compare(q.held, o.held)) > 0
}

// first is the key of the value that none is before.
func first[K comparable, V any](of map[K]V, before func(a, b V) bool) (key K) {
	var best V
	found := false
	for k, v := range of {
		if !found || before(v, best) {
			key, best, found = k, v, true
		}
	}
	return key
}

// forget drops the stacks of open runs that nothing came of since a time and whose costs are not
// waited for, and runs of queries without a history.
func (b *stackBook) forget(since time.Time, waits func(shift.RunID) bool, has func(query string) bool) {
	for id, o := range b.open {
		if o.touched.Before(since) && !waits(id) {
			b.discard(id)
			b.dropped++
		}
	}
	for query := range b.queries {
		if !has(query) {
			b.fixed(query, b.queries[query], nil)
			b.trim(query, nil)
		}
	}
}

// changes are the stacks that changed most in the operators of an event, one for each of its
// Changes. It has no frames if none is known, and only operators that have shifted can have some. A
// drift's are held against what is kept of its reference where the runs of that are gone. nil where
// no stacks of the query are known.
func (b *stackBook) changes(e *shift.Event) []growth.Change {
	q := b.queries[e.Query]
	if q == nil {
		return nil
	}
	by := make(map[shift.RunID]*runStacks, len(q.runs))
	for _, s := range q.runs {
		by[s.id] = s
	}
	of := func(runs []shift.RunID, k shift.Key) (out []*growth.Run) {
		for _, id := range runs {
			if s := by[id]; s != nil && s.operators[k] != nil {
				out = append(out, s.operators[k])
			}
		}
		return out
	}
	out := make([]growth.Change, len(e.Changes))
	for i := range e.Changes {
		c := &e.Changes[i]
		was := of(c.Was, c.Key)
		if r := q.references[idOf(c.Reference)]; r != nil && len(was) < r.Merged {
			was = []*growth.Run{r}
		}
		out[i], _ = growth.Changed(was, of(c.Is, c.Key), c.From, c.To)
	}
	return out
}

func (s *runStacks) compare(o *runStacks) int {
	return cmp.Or(s.end.Compare(o.end), cmp.Compare(s.id.Application, o.id.Application), cmp.Compare(s.id.Execution, o.id.Execution))
}

// stacksVersion is the version of stored stacks.
const stacksVersion = 1

// The stored form of a run's stacks.
type (
	storedStacks struct {
		Version     int              `json:"version"`
		Application string           `json:"application"`
		Execution   int64            `json:"execution"`
		End         int64            `json:"end"` // nanoseconds since 1970
		Operators   []storedOperator `json:"operators"`
	}
	storedOperator struct {
		Stage    string       `json:"stage"`
		Operator string       `json:"operator"`
		Samples  float64      `json:"samples"`
		Tree     *growth.Tree `json:"tree"`
	}
)

func (s *runStacks) encode() ([]byte, error) {
	stored := storedStacks{Version: stacksVersion, Application: s.id.Application, Execution: s.id.Execution, End: s.end.UnixNano()}
	keys := slices.SortedFunc(maps.Keys(s.operators), func(a, b shift.Key) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Operator, b.Operator))
	})
	for _, k := range keys {
		of := s.operators[k]
		stored.Operators = append(stored.Operators, storedOperator{k.Stage, k.Operator, of.Samples, &of.Tree})
	}
	text, err := json.Marshal(stored)
	if err != nil {
		return nil, fmt.Errorf("encode stacks of run %s: %w", s.id, err)
	}
	return text, nil
}

// decode takes the stored stacks of a query's run in, if it is known.
func (b *stackBook) decode(query string, slot int, text []byte, known []shift.RunID) error {
	var stored storedStacks
	if err := json.Unmarshal(text, &stored); err != nil {
		return fmt.Errorf("decode stacks of query %s: %w", query, err)
	}
	if stored.Version != stacksVersion {
		return fmt.Errorf("decode stacks of query %s: %w", query, shift.ErrVersion)
	}
	operators := map[shift.Key]*growth.Run{}
	for _, o := range stored.Operators {
		if o.Tree == nil || o.Tree.Len() > mostNodes || !(o.Samples > 0) || math.IsInf(o.Samples, 0) {
			return fmt.Errorf("decode stacks of query %s: operator %q has no tree, too large a one, or %g samples", query, o.Operator, o.Samples)
		}
		operators[shift.Key{Stage: o.Stage, Operator: o.Operator}] = &growth.Run{Tree: *o.Tree, Samples: o.Samples}
	}
	id := shift.RunID{Application: stored.Application, Execution: stored.Execution}
	if !slices.Contains(known, id) {
		b.unsaved[stacksKey(query, slot)] = nil
		return nil
	}
	q, s := b.of(query, id, time.Unix(0, stored.End).UTC())
	if s == nil {
		return nil
	}
	s.slot, s.operators = slot, operators
	b.count(q, s)
	b.makeRoom()
	return nil
}
