package sparkshift

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/growth"
)

// mostReferenceNodes bounds the call tree of a reference. It is merged of some twenty, and lasts
// until its operator shifts.
const mostReferenceNodes = 256

// references are the stacks of the references that a query's operators are held against for drift.
// Their runs are long gone when a slow drift shows.
type references map[referenceID]*growth.Run

// referenceID is a shift.Reference as a key.
type referenceID struct {
	shift.Key
	end int64 // nanoseconds since 1970
}

func idOf(r shift.Reference) referenceID {
	if r.End.IsZero() {
		return referenceID{}
	}
	return referenceID{r.Key, r.End.UnixNano()}
}

// fix keeps the stacks of the references that were fixed now, as far as there are any of their
// runs, and drops the references of all that stand no more.
func (b *stackBook) fix(query string, now []shift.Fixed, standing []shift.Reference) {
	q := b.queries[query]
	if q == nil {
		return
	}
	all := references{}
	for _, r := range standing {
		if of := q.references[idOf(r)]; of != nil {
			all[idOf(r)] = of
		}
	}
	changed := len(all) < len(q.references)
	for _, f := range now {
		var runs []*growth.Run
		for _, s := range q.runs {
			if of := s.operators[f.Key]; of != nil && slices.Contains(f.Runs, s.id) {
				runs = append(runs, of)
			}
		}
		if len(runs) > 0 {
			r := growth.Merge(runs, mostReferenceNodes)
			all[idOf(f.Reference)], changed = &r, true
		}
	}
	if changed {
		b.fixed(query, q, all)
		b.makeRoom()
	}
}

// fixed replaces all references of a query, which is forgotten where it has nothing else.
func (b *stackBook) fixed(query string, q *queryStacks, all references) {
	had := len(q.references) > 0
	b.hold(q, all)
	switch {
	case len(all) > 0:
		b.unsaved[referencesKey(query)] = all
	case had:
		b.unsaved[referencesKey(query)] = nil
	}
	if len(q.runs) == 0 && len(all) == 0 {
		delete(b.queries, query)
	}
}

// hold gives a query references and counts their nodes.
func (b *stackBook) hold(q *queryStacks, all references) {
	b.nodes -= q.held
	q.references, q.held = all, 0
	for _, of := range all {
		q.held += of.Tree.Len()
	}
	b.nodes += q.held
}

// The stored form of a query's references.
type (
	storedReferences struct {
		Version    int               `json:"version"`
		References []storedReference `json:"references"`
	}
	storedReference struct {
		storedOperator
		End  int64 `json:"end"` // nanoseconds since 1970
		Runs int   `json:"runs"`
	}
)

func (r references) encode() ([]byte, error) {
	out := storedReferences{Version: stacksVersion}
	ids := slices.SortedFunc(maps.Keys(r), func(a, b referenceID) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.end, b.end))
	})
	for _, id := range ids {
		of := r[id]
		out.References = append(out.References, storedReference{storedOperator{id.Stage, id.Operator, of.Samples, &of.Tree}, id.end, of.Merged})
	}
	text, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("encode stacks of references: %w", err)
	}
	return text, nil
}

// decodeReferences takes in what is stored of a query's references, as far as they stand. What
// cannot be read is to be deleted.
func (b *stackBook) decodeReferences(query string, text []byte, standing []shift.Reference) error {
	all, err := readReferences(query, text)
	if err != nil || len(all) == 0 {
		b.unsaved[referencesKey(query)] = nil
		return err
	}
	q := b.queries[query]
	if q == nil {
		q = &queryStacks{}
		b.queries[query] = q
	}
	b.hold(q, all)
	b.fix(query, nil, standing)
	b.makeRoom()
	return nil
}

func readReferences(query string, text []byte) (references, error) {
	var s storedReferences
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("decode references of query %s: %w", query, err)
	}
	if s.Version != stacksVersion {
		return nil, fmt.Errorf("decode references of query %s: %w", query, shift.ErrVersion)
	}
	all := references{}
	for _, o := range s.References {
		if o.Tree == nil || o.Tree.Len() > mostReferenceNodes || !(o.Samples > 0) || math.IsInf(o.Samples, 0) || o.Runs < 1 {
			return nil, fmt.Errorf("decode references of query %s: operator %q has no tree, too large a one, %g samples, or %d runs", query, o.Operator, o.Samples, o.Runs)
		}
		all[referenceID{shift.Key{Stage: o.Stage, Operator: o.Operator}, o.End}] = &growth.Run{Tree: *o.Tree, Samples: o.Samples, Merged: o.Runs}
	}
	return all, nil
}
