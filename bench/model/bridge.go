package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
)

// bridge holds the parts of changes whose cause was injected against the cause. Right is the
// smallest share of the change that the part of the cause has; leak the largest share that another
// part has which is told, not within its interval. Whole run may have any, for what all operators
// have in common is each recording's own.
func (o *options) bridge(r *results) error {
	right, leak, gap := math.Inf(1), 0.0, 0.0
	for _, c := range []struct {
		n     name
		cause string
		in    func(statement string) bool // that the cause changes
	}{
		{larger, "rows", func(string) bool { return true }},
		{merged, "plan", func(s string) bool { return s == "q03" || s == "q12" || s == "q14" }},
		{burned, "code", func(s string) bool { return s == "burn" }},
	} {
		queries, err := o.against(c.n)
		if err != nil {
			return err
		}
		cause, others, whole := 0.0, map[string]float64{}, 0.0
		for statement, q := range queries {
			parts := map[string]bridgePart{"rows": q.Rows, "plan": q.Plan, "whole run": q.Run, "code": q.Code}
			sum := 0.0
			for _, p := range parts {
				sum += p.Seconds
			}
			gap = max(gap, math.Abs(sum-q.Change.Seconds))
			r.line("bridge %s %s: %.2f → %.2f s = rows %+.2f ± %.2f, plan %+.2f ± %.2f, whole run %+.2f ± %.2f, code %+.2f ± %.2f", c.n, statement, q.Old, q.New,
				q.Rows.Seconds, q.Rows.half(), q.Plan.Seconds, q.Plan.half(), q.Run.Seconds, q.Run.half(), q.Code.Seconds, q.Code.half())
			if !c.in(statement) {
				continue
			}
			cause += parts[c.cause].Seconds
			whole += q.Change.Seconds - q.Run.Seconds
			for name, p := range parts {
				if name != c.cause && name != "whole run" && (p.CI95[0] > 0 || p.CI95[1] < 0) {
					others[name] += p.Seconds
				}
			}
		}
		if whole <= 0 {
			return fmt.Errorf("%s: no query with the cause %q got more expensive", o.folder(c.n), c.cause)
		}
		r.Figures["bridge_right_"+c.cause] = cause / whole
		right = min(right, cause/whole)
		for _, s := range others {
			leak = max(leak, math.Abs(s)/whole)
		}
	}
	r.Figures["bridge_right"], r.Figures["bridge_leak"], r.Figures["bridge_gap_seconds"] = right, leak, gap
	return nil
}

// bridgePart is a part of a change.
type bridgePart struct {
	Seconds float64    `json:"seconds"`
	CI95    [2]float64 `json:"ci95"`
}

func (p bridgePart) half() float64 { return (p.CI95[1] - p.CI95[0]) / 2 }

// queryBridge has those fields of planflame report --against that are read here.
type queryBridge struct {
	Name   string     `json:"name"`
	Old    float64    `json:"old_seconds"`
	New    float64    `json:"new_seconds"`
	Change bridgePart `json:"change"`
	Rows   bridgePart `json:"rows"`
	Plan   bridgePart `json:"plan"`
	Run    bridgePart `json:"whole_run"`
	Code   bridgePart `json:"code"`
}

// against are the bridges from the recording base to another, by statement.
func (o *options) against(n name) (map[string]queryBridge, error) {
	text, err := exec.Command(o.planflame, "report", o.folder(n), "--against", o.folder(base), "--format", "json").Output()
	if err != nil {
		return nil, fmt.Errorf("planflame report %s --against %s: %w", o.folder(n), o.folder(base), err)
	}
	var out struct{ Queries []queryBridge }
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, err
	}
	statements, err := causes(0)
	if err != nil {
		return nil, err
	}
	named := map[string]queryBridge{}
	for _, q := range out.Queries {
		for _, s := range statements {
			if q.Name == s.ID {
				named[s.ID] = q
			}
		}
	}
	if len(named) != len(statements) {
		return nil, fmt.Errorf("planflame report %s --against %s: %d of %d statements", o.folder(n), o.folder(base), len(named), len(statements))
	}
	return named, nil
}
