package main

import (
	"fmt"

	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/usualcost"
)

// usualModel is the model of a file, or the one that planflame comes with.
func usualModel(file string) (*costmodel.Model, error) {
	if file == "" {
		return usualcost.Shipped(), nil
	}
	m, err := readModel(file)
	if err != nil {
		return nil, fmt.Errorf("--model: %w", err)
	}
	return m, nil
}

// usual sets what the operators of a report usually cost on the host of the recording, where their
// rows are known.
func usual(m *columns.Model, r *columns.Report, model *costmodel.Model) {
	t := newPlanTree(m)
	speed := model.Speed(modelOperators(m, ""))
	for i := range r.Queries {
		q := &r.Queries[i]
		for k := range q.Operators {
			o := &q.Operators[k]
			op, known := t.operator(q, o, "")
			if !known || o.NsPerRow == nil {
				continue
			}
			if u := model.Predict(&op, speed); u.Known() {
				o.Usual = &columns.Usual{NsPerRow: u.PerRow * 1e9, Low: u.Low * 1e9, High: u.High * 1e9, Ratio: *o.NsPerRow / (u.PerRow * 1e9), Expensive: expensive(&op, u)}
			}
		}
	}
}

// hold sets what the operators of the summary and of the model usually cost.
func (a *analysis) hold(model *costmodel.Model) {
	r := a.model.Report(columns.Selection{})
	usual(a.model, r, model)
	type key struct{ query, plan, stage, operator string }
	found := map[key]*columns.Usual{}
	for i := range r.Queries {
		q := &r.Queries[i]
		for k := range q.Operators {
			o := &q.Operators[k]
			found[key{q.Query, q.Plan, o.Stage, o.Operator}] = o.Usual
		}
	}
	for i := range a.model.Operators { // for the page
		o := &a.model.Operators[i]
		q := &a.model.Queries[o.Query]
		o.Usual = found[key{q.Query, q.Plan, o.Place, o.Operator}]
	}
	for i := range a.summary.Queries {
		q := &a.summary.Queries[i]
		for k := range q.Operators {
			o := &q.Operators[k]
			o.Usual = found[key{q.Query, q.Plan, o.Stage, o.Operator}]
		}
	}
}
