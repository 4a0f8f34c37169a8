package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/planflame/planflame/phase"
	"github.com/planflame/planflame/trial"
)

// trialQuery is a query with what its runs cost.
type trialQuery struct {
	id, name string
	runs     trial.Runs // Count is 0 if no run ended well, or if no one knows how many did
	failed   bool       // some run failed
}

// mix is the query's CPU by kind.
func (q *trialQuery) mix() phase.Mix {
	m := phase.Mix{}
	for _, o := range q.runs.Operators {
		m[o.Kind] += o.CPU
	}
	return m
}

// kindOf is the kind of an operator: its role and the physical operator, which stands first in its
// name and often says the same ("scan", "Scan lineitem").
func kindOf(id, name string) phase.Kind {
	role, _, found := strings.Cut(id, "@")
	class, _, _ := strings.Cut(name, " ")
	if !found || class == "" || strings.EqualFold(strings.ReplaceAll(role, "-", ""), class) {
		return phase.Kind(role)
	}
	return phase.Kind(role + " " + class)
}

// trialQueries gathers queries by their fingerprints.
type trialQueries map[string]*trialQuery

func (t trialQueries) of(id, name string) *trialQuery {
	q := t[id]
	if q == nil {
		q = &trialQuery{id: id}
		t[id] = q
	}
	q.name = cmp.Or(q.name, name)
	return q
}

// add adds CPU and rows of an operator, or of a bucket in brackets.
func (q *trialQuery) add(id, name string, cpu, rows float64, bucket bool) {
	if cpu > 0 {
		q.runs.Operators = append(q.runs.Operators, trial.Operator{ID: id, Name: name, Kind: kindOf(id, name), CPU: cpu, Rows: rows, Bucket: bucket})
	}
}

// sorted are the queries by id.
func (t trialQueries) sorted() (out []*trialQuery) {
	for _, q := range t {
		out = append(out, q)
	}
	slices.SortFunc(out, func(a, b *trialQuery) int { return cmp.Compare(a.id, b.id) })
	return out
}
