package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/planflame/planflame/bench/internal/session"
	"github.com/planflame/planflame/bench/internal/workload"
)

// recordHz is above the 220 Hz of a closely sampled task, which are drawn from it.
const recordHz = 500

// record returns the path of the bench's own recording, which it makes if it is not there.
func (o *options) record(ctx context.Context) (string, error) {
	path := filepath.Join(o.work, "out", "recording")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	statements, err := workload.TPCH()
	if err != nil {
		return "", err
	}
	spec := session.Spec{Tables: workload.Tables(o.data), Statements: statements, Passes: o.passes, Seed: 1}
	settings := session.Settings{Planflame: o.planflame, Spark: o.spark, Job: "test/jobs/passes.py", Dir: o.work, Hz: recordHz, Master: "local[1]"}
	if _, err := session.Run(ctx, settings, spec, func(line string) { fmt.Fprintln(os.Stderr, line) }); err != nil {
		return "", fmt.Errorf("record TPC-H: %w", err)
	}
	return path, nil
}
