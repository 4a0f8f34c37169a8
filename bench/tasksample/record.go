package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/planflame/planflame/bench/internal/session"
)

// recordHz is the rate at which everything is recorded: the truth of all re-samplings.
const recordHz = 1000

// record runs a stage's statement once under planflame and reduces the recording to the samples of
// its tasks, in the file at path.
func (o options) record(ctx context.Context, s stage) error {
	settings := session.Settings{
		Planflame: o.planflame, Spark: o.spark, Job: "test/jobs/passes.py", Hz: recordHz, Conf: s.conf(), Master: o.master,
		Dir: filepath.Join(o.dir, fileName(s.Name)),
	}
	if s.Speculation {
		submit, err := filepath.Abs("bench/tasksample/two-hosts")
		if err != nil {
			return err
		}
		settings.Submit, settings.Master = submit, "spark://127.0.0.1:17077"
	}
	spec := session.Spec{Tables: tables(o.data), Setup: []string{s.SQL(warm), s.SQL(warm), s.SQL(warm)}, Statements: []session.Statement{s.statement()}, Passes: 1, Seed: 1}
	executions, err := session.Run(ctx, settings, spec, func(line string) { fmt.Fprintf(os.Stderr, "%s, %s\n", s.Name, line) })
	if err != nil {
		return err
	}
	if len(executions) != 1 {
		return fmt.Errorf("stage %s: %d executions, not one", s.Name, len(executions))
	}
	return o.reduce(s, executions[0].ID)
}

// fileName is the name of a stage's folder.
func fileName(stage string) string { return strings.ReplaceAll(stage, " ", "-") }

func tables(data string) map[string]string {
	out := map[string]string{}
	for _, t := range []string{"lineitem", "orders", "partsupp", "supplier", "nation"} {
		out[t] = filepath.Join(data, t+".parquet")
	}
	return out
}
