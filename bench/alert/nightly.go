package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/planflame/planflame/bench/internal/session"
)

// files is how many files lineitem has: each is a task, so that 5 % of a stage are more than
// min_tasks_per_stage.
const files = 80

// conf are Spark's settings of each application, as in config/spark-defaults.conf, for local mode.
func (o *options) conf(jar string) []string {
	return []string{
		"spark.jars=" + jar, "spark.plugins=io.planflame.spark.PlanflamePlugin", "spark.sql.codegen.comments=true",
		"spark.driver.extraJavaOptions=-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints",
		"spark.planflame.label.team=" + o.team, "spark.ui.enabled=false",
		"spark.sql.files.maxPartitionBytes=4m", "spark.sql.shuffle.partitions=4",
	}
}

// prepare writes lineitem as so many files, once, and returns the folder.
func (o *options) prepare(ctx context.Context) (string, error) {
	dir, err := filepath.Abs(filepath.Join(o.dir, "lineitem-"+filepath.Base(o.data)))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "_SUCCESS")); err == nil {
		return dir, nil
	}
	settings := session.Settings{Plain: true, Spark: o.spark, Job: "test/jobs/passes.py", Dir: filepath.Join(o.dir, "prepare")}
	spec := session.Spec{Tables: map[string]string{"lineitem": filepath.Join(o.data, "lineitem.parquet")}, Passes: 1,
		Setup: []string{fmt.Sprintf("INSERT OVERWRITE DIRECTORY '%s' USING parquet SELECT /*+ REPARTITION(%d) */ * FROM lineitem", dir, files)},
		// A session has one statement at least.
		Statements: []session.Statement{{ID: "count", SQL: "SELECT count(*) FROM lineitem WHERE l_quantity > 0"}}}
	if _, err := session.Run(ctx, settings, spec, func(string) {}); err != nil {
		return "", fmt.Errorf("write lineitem as %d files: %w", files, err)
	}
	return dir, nil
}

// execution is one run of one query.
type execution struct {
	Night       int       `json:"night"` // number of the application, from 0
	Application string    `json:"application"`
	Query       string    `json:"query"`
	Shifted     bool      `json:"shifted"`
	Execution   int64     `json:"execution"`
	End         time.Time `json:"end"`              // of the application
	TaskCPU     float64   `json:"task_cpu_seconds"` // Spark's own account
	Wall        float64   `json:"seconds"`
}

// night runs one application, a JVM of its own.
func (o *options) night(ctx context.Context, n int, shifted bool, jar, lineitem string) (out []execution, err error) {
	settings := session.Settings{Plain: true, Spark: o.spark, Submit: o.submit, Job: "test/jobs/passes.py", Dir: filepath.Join(o.dir, "night-"+strconv.Itoa(n)), Conf: o.conf(jar)}
	spec := session.Spec{Tables: map[string]string{"lineitem": lineitem, "supplier": filepath.Join(o.data, "supplier.parquet")}, Statements: statements(shifted), Passes: 1, Seed: int64(n)}
	all, err := session.Run(ctx, settings, spec, func(string) {})
	if err != nil {
		return nil, err
	}
	end := time.Now()
	logs, err := filepath.Glob(filepath.Join(settings.Dir, "events", "*"))
	if err != nil || len(logs) != 1 {
		return nil, fmt.Errorf("%s: %d event logs, want one (%w)", settings.Dir, len(logs), err)
	}
	for _, e := range all {
		out = append(out, execution{Night: n, Application: filepath.Base(logs[0]), Query: e.Statement, Shifted: shifted, Execution: e.ID, End: end, TaskCPU: e.TaskCPU.Seconds(), Wall: e.Wall.Seconds()})
	}
	return out, nil
}
