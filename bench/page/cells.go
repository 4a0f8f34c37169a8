package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/pprof/profile"

	"github.com/planflame/planflame/test/cells"
)

// cells counts what a reader of the results would take for something else.
func (o *options) cells(ctx context.Context, r *results) error {
	facts, err := cells.Read(filepath.Join(o.folder(first), "recording"))
	if err != nil {
		return err
	}
	f, err := os.Open(filepath.Join(o.folder(first), "profile.pb.gz"))
	if err != nil {
		return err
	}
	defer f.Close() // read only: nothing to lose
	p, err := profile.Parse(f)
	if err != nil {
		return fmt.Errorf("profile of %s: %w", first, err)
	}
	merged := facts.Merged(p)
	for _, line := range merged {
		r.found("merged bodies: %s", line)
	}
	r.Figures["generated_bodies"], r.Figures["merged_bodies"] = float64(facts.Bodies()), float64(len(merged))
	samples, astray := facts.Foreign(p)
	foreign := int64(0)
	for where, n := range astray {
		foreign += n
		r.found("foreign stage: %d samples of %s", n, where)
	}
	r.Figures["staged_samples"], r.Figures["foreign_stage_samples"] = float64(samples), float64(foreign)
	all, _, err := o.reportOf(ctx, first)
	if err != nil {
		return err
	}
	rows, twins := 0, 0
	for _, q := range all.Queries {
		known := map[string]string{}
		for _, op := range q.Operators {
			rows++
			key := op.Stage + " " + op.Name
			if other, there := known[key]; there {
				twins++
				r.found("twins in %s: %s and %s are both %s", q.Name, other, op.Operator, key)
			}
			known[key] = op.Operator
		}
	}
	r.Figures["rows"], r.Figures["twin_lines"] = float64(rows), float64(twins)
	return nil
}
