package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/planflame/planflame/internal/columns"
)

// diff compares the two recordings of one job.
func (o *options) diff(ctx context.Context, r *results) error {
	text, _, err := o.planflameOutput(ctx, "diff", "--format", "json", o.folder(first), o.folder(second))
	if err != nil {
		return err
	}
	var d columns.Diff
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("comparison: %w", err)
	}
	operators, wrong, found := 0, 0, -1.0
	for _, q := range d.Queries {
		if q.Name == burnQuery {
			found = told(&q, r)
			continue
		}
		for _, op := range q.Operators {
			operators++
			if op.Verdict != columns.Same {
				wrong++
				r.found("falsely %s: %s of %s, %.3f s and %.3f s", op.Verdict, op.Name, q.Name, op.A, op.B)
			}
		}
	}
	if found < 0 || operators == 0 {
		return fmt.Errorf("comparison: %d operators, and the query %q must be among %d queries", operators, burnQuery, len(d.Queries))
	}
	r.Figures["diff_operators"], r.Figures["diff_false_share"], r.Figures["diff_found"] = float64(operators), float64(wrong)/float64(operators), found
	return nil
}

// told is 1 if the operator with the expression is said to cost more. It is the one that costs most
// of its query, for the expression is nearly all that the query does.
func told(q *columns.QueryDiff, r *results) float64 {
	var most *columns.OperatorDiff
	for i := range q.Operators {
		if op := &q.Operators[i]; most == nil || op.A > most.A {
			most = op
		}
	}
	if most == nil {
		return 0
	}
	r.found("%d %% more elements: %s is %s, %.3f s and %.3f s", moreElements, most.Name, most.Verdict, most.A, most.B)
	if most.Verdict == columns.Changed && most.Difference > most.Whole {
		return 1
	}
	return 0
}
