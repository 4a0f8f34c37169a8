package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// freshPasses is how often each form of a plan runs, its first time included, when its code is
// compiled and interpreted.
const freshPasses = 8

// mostFresh bounds the plans of a session: 16 statements' classes are about half of the 100 that
// Spark keeps (spark.sql.codegen.cache.maxEntries).
const mostFresh = 4

// freshFamilies are the filter of LLSS's query below a join and an aggregate, and as a control the
// filter alone, with 40 hashes more or without.
var freshFamilies = []family{
	{Name: "filter", Role: "filter", Column: "l_commitdate", Step: 40, SQL: llss("", "", burnTrue)},
	{Name: "pure", Role: "filter", Column: "l_commitdate", Step: 40, SQL: "SELECT count(*) FROM lineitem WHERE l_commitdate < DATE '1998-12-01'" + burnTrue},
}

// freshResult is the growth of one family over plans that each session compiles again.
type freshResult struct {
	Family string `json:"family"`
	Hz     int    `json:"hz"`
	// All is of all passes, and First of each plan's first pass alone; E + 1 is the filter's share
	// of the growth, and the jackknife is over plans.
	All   estimate `json:"all"`
	First estimate `json:"first"`
}

// form is the statement of a plan with the hashes or without them. Days after the last order's date
// all have the same rows, and each has code of its own.
func (f family) form(day int, burns bool) session.Statement {
	level, sql := 0, strings.Replace(f.SQL, burnTrue, "", 1)
	if burns {
		level, sql = levels-1, f.SQL
	}
	sql = strings.Replace(sql, "1998-12-01", fmt.Sprintf("1998-12-%02d", day), 1)
	return session.Statement{ID: fmt.Sprintf("%s %d/%d", f.Name, day, level), SQL: f.fill(sql, 1, "")}
}

// freshSpec runs pairs of plans. The JVM is warm by then, since a first statement loads classes for
// all others: its setup runs the same with another day.
func freshSpec(o options, plans int, seed int64) session.Spec {
	const warmUps, otherDay = 4, 31
	spec := session.Spec{Tables: tables(o.data), Passes: freshPasses, Seed: seed}
	for range warmUps {
		for _, f := range freshFamilies {
			spec.Setup = append(spec.Setup, f.form(otherDay, false).SQL, f.form(otherDay, true).SQL)
		}
	}
	for _, f := range freshFamilies {
		for day := 1; day <= plans; day++ {
			spec.Statements = append(spec.Statements, f.form(day, false), f.form(day, true))
		}
	}
	return spec
}

// measureFresh runs the sessions of one rate.
func measureFresh(ctx context.Context, o options, r rate) ([]freshResult, error) {
	all, first := map[string][]growth{}, map[string][]growth{}
	for n := range r.sessions {
		name := fmt.Sprintf("fresh-%dhz-%d", r.hz, n)
		settings := session.Settings{Planflame: "build/planflame", Spark: o.spark, Job: "test/jobs/passes.py", Dir: filepath.Join(o.dir, name), Hz: r.hz, Master: o.master, Conf: o.sparkConf()}
		executions, err := o.record()(ctx, settings, freshSpec(o, o.fresh, int64(1000*r.hz+n)), func(line string) {
			fmt.Fprintf(os.Stderr, "%d Hz, session %d of %d, %s\n", r.hz, n+1, r.sessions, line)
		})
		if err != nil {
			return nil, err
		}
		for _, f := range freshFamilies {
			for day := 1; day <= o.fresh; day++ {
				plan := family{Name: fmt.Sprintf("%s %d", f.Name, day), Role: f.Role}
				g, err := collectForms(plan, len(all[f.Name]), executions)
				if err != nil {
					return nil, fmt.Errorf("session %s: %w", name, err)
				}
				first[f.Name] = append(first[f.Name], g[0])
				all[f.Name] = append(all[f.Name], sum(g))
			}
		}
	}
	var out []freshResult
	for _, f := range freshFamilies {
		x := freshResult{Family: f.Name, Hz: r.hz, All: estimateE(all[f.Name], 0), First: estimateE(first[f.Name], 0)}
		for what, e := range map[string]estimate{"all passes": x.All, "first passes": x.First} {
			fmt.Fprintf(os.Stderr, "%-8s %4d Hz, %s: the filter has %.1f ± %.1f %% of its growth (%.1f s in %d plans)\n", f.Name, r.hz, what, 100*(1+e.E), 100*e.SE, e.TrueSeconds, e.Passes)
		}
		out = append(out, x)
	}
	return out, nil
}

// collectForms is the growth of one plan, pass by pass; its middle level has not run.
func collectForms(plan family, number int, executions []session.Execution) ([]growth, error) {
	var twice []session.Execution
	for _, e := range executions {
		if name, ok := strings.CutSuffix(e.Statement, "/0"); ok && name == plan.Name {
			middle := e
			middle.Statement = name + "/1"
			twice = append(twice, middle)
		}
		twice = append(twice, e)
	}
	return collect(plan, number, twice, "", warm)
}

// sum adds up the passes of one plan.
func sum(passes []growth) growth {
	out := growth{session: passes[0].session}
	for l := range levels {
		out.operators[l] = map[string]float64{}
		for _, g := range passes {
			out.truth[l] += g.truth[l]
			for id, s := range g.operators[l] {
				out.operators[l][id] += s
			}
		}
	}
	return out
}
