package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// name is a recording's.
type name string

const (
	large  name = "large"
	first  name = "first"
	second name = "second"
)

// burnQuery is the statement whose expression costs more in the second recording. elements is how
// many elements of an array the expression goes through for a row in the first recording. It finds
// nothing, which the code cannot know. How much it costs is a literal's doing, so the names of the
// query and of its operators stay.
const (
	burnQuery    = "burn"
	elements     = 1000
	moreElements = 30 // percent
)

func burnSQL(percent int) string {
	return fmt.Sprintf("SELECT sum(p) AS s FROM (SELECT CAST(array_position(sequence(1, %d), l_suppkey + 200000000) AS INT) AS p, l_orderkey FROM lineitem WHERE l_linenumber = 1) WHERE l_orderkey > 0",
		elements+elements*percent/100)
}

// statements are the 22 queries, and in the recordings that are compared the burn.
func statements(n name) ([]session.Statement, error) {
	var out []session.Statement
	for q := 1; q <= 22; q++ {
		text, err := os.ReadFile(fmt.Sprintf("test/jobs/tpch/q%02d.sql", q))
		if err != nil {
			return nil, err
		}
		out = append(out, session.Statement{ID: fmt.Sprintf("q%02d", q), SQL: strings.TrimSuffix(strings.TrimSpace(string(text)), ";")})
	}
	switch n {
	case first:
		out = append(out, session.Statement{ID: burnQuery, SQL: burnSQL(0)})
	case second:
		out = append(out, session.Statement{ID: burnQuery, SQL: burnSQL(moreElements)})
	}
	return out, nil
}

// folder is where a recording's results are.
func (o *options) folder(n name) string { return filepath.Join(o.work, string(n), "out") }

// record makes a recording unless it may be reused and is there.
func (o *options) record(ctx context.Context, n name) error {
	if _, err := os.Stat(filepath.Join(o.folder(n), "recording")); o.reuse && err == nil {
		return nil
	}
	hz, passes := o.hz, o.passes
	if n != large {
		hz, passes = o.diffHz, o.diffPasses
	}
	spec := session.Spec{Tables: map[string]string{}, Passes: passes, Seed: 1}
	for _, t := range []string{"customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"} {
		spec.Tables[t] = filepath.Join(o.data, t+".parquet")
	}
	var err error
	if spec.Statements, err = statements(n); err != nil {
		return err
	}
	settings := session.Settings{Planflame: o.planflame, Spark: o.spark, Job: "test/jobs/passes.py", Dir: filepath.Join(o.work, string(n)), Hz: hz, Conf: []string{"spark.sql.codegen.cache.maxEntries=2000"}}
	if _, err := session.Run(ctx, settings, spec, func(line string) { fmt.Fprintln(os.Stderr, string(n)+": "+line) }); err != nil {
		return fmt.Errorf("recording %s: %w", n, err)
	}
	return nil
}
