package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/planflame/planflame/bench/internal/recorder"
	"github.com/planflame/planflame/bench/internal/session"
)

// kind is what a session is for.
type kind string

const (
	usual      kind = "usual"      // all variants, in two slots of one JVM
	executors  kind = "executors"  // queries as always, on two executors
	partitions kind = "partitions" // … with other partitions, too
	joining    kind = "joining"    // … on one to three executors, which leave and join
)

// plan is a session before it runs.
type plan struct {
	Name       string
	Kind       kind
	Statements []session.Statement
	Passes     int
	Slow       int // passes after these, on a slower host
	Warmup     int
	Master     string
	Conf       []string
	Seed       int64
}

// plans are the sessions of a whole run.
func (o *options) plans(all []variant) (out []plan) {
	var asAlways []variant
	for _, v := range all {
		if v.Cause == "" {
			asAlways = append(asAlways, v)
		}
	}
	for n := range o.sessions {
		out = append(out, plan{Name: "usual-" + strconv.Itoa(n), Kind: usual, Statements: statements(all), Passes: o.passes, Slow: o.slow, Warmup: o.warmup, Master: "local[2]",
			Seed: o.seed + int64(n)})
	}
	if o.others > 0 {
		two := plan{Name: "executors", Kind: executors, Statements: statements(asAlways), Passes: o.others, Warmup: 1, Master: "local-cluster[2,1,2048]", Seed: o.seed}
		split := two
		split.Name, split.Kind, split.Conf = "partitions", partitions, []string{"spark.sql.files.maxPartitionBytes=8m", "spark.sql.shuffle.partitions=7"}
		out = append(out, two, split)
	}
	if o.joining > 0 {
		out = append(out, plan{Name: "joining", Kind: joining, Statements: statements(asAlways), Passes: o.joining, Warmup: 1, Master: "local-cluster[3,1,1024]", Conf: comeAndGo, Seed: o.seed})
	}
	return out
}

// comeAndGo has executors leave that had nothing to do for a second, and join where tasks have
// waited for one.
var comeAndGo = []string{
	"spark.dynamicAllocation.enabled=true", "spark.dynamicAllocation.minExecutors=1", "spark.dynamicAllocation.maxExecutors=3",
	"spark.dynamicAllocation.executorIdleTimeout=1s", "spark.dynamicAllocation.schedulerBacklogTimeout=1s",
	"spark.dynamicAllocation.shuffleTracking.enabled=true", "spark.dynamicAllocation.shuffleTracking.timeout=1s",
	// With the executors' number in force it would change the tasks, and that is another cause.
	"spark.default.parallelism=3", "spark.sql.files.minPartitionNum=3",
}

// jvmOptions are the options in config/spark-defaults.conf, which the plugin gives to executors. In
// local mode the driver's JVM is the executor.
const jvmOptions = "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints"

// conf are Spark's settings of every session.
func (o *options) conf(p plan) ([]string, error) {
	jar, err := filepath.Abs(o.plugin)
	if err != nil {
		return nil, err
	}
	return append([]string{
		"spark.jars=" + jar, "spark.plugins=io.planflame.spark.PlanflamePlugin", "spark.driver.extraJavaOptions=" + jvmOptions,
		"spark.sql.shuffle.partitions=4",
		// With fewer entries each pass evicts the code of the pass before, and every run has cold
		// code.
		"spark.sql.codegen.cache.maxEntries=2000",
	}, p.Conf...), nil
}

// meta is what is kept of a plan beside the session's record.
type meta struct {
	Kind   kind `json:"kind"`
	Passes int  `json:"passes"` // from this pass on the host is slow
	Hz     int  `json:"hz"`
}

// record runs a session under the Collector, and keeps its record in dir/NAME: session.json,
// executions.jsonl and events of Spark, requests.jsonl of the Collector.
func (o *options) record(ctx context.Context, p plan, data tables) error {
	dir, side := filepath.Join(o.dir, p.Name), filepath.Join(o.dir, p.Name+".collector")
	if err := errors.Join(os.RemoveAll(side), os.MkdirAll(side, 0o755)); err != nil {
		return err
	}
	text, err := json.Marshal(meta{p.Kind, p.Passes, o.hz})
	if err = errors.Join(err, os.WriteFile(filepath.Join(side, "session.json"), text, 0o644)); err != nil {
		return err
	}
	rec, err := recorder.Start(filepath.Join(side, "requests.jsonl"))
	if err != nil {
		return err
	}
	c, err := o.startCollector(ctx, side, rec.URL)
	if err != nil {
		return errors.Join(err, rec.Close())
	}
	if p.Kind == joining { // else no task waits for a second, and no one joins
		data.Editions = nil
	}
	err = o.runSpark(ctx, p, dir, data)
	return errors.Join(err, c.stop(), rec.Close())
}

// runSpark runs a session's statements; in the passes after Passes the host is made slow.
func (o *options) runSpark(ctx context.Context, p plan, dir string, data tables) error {
	conf, err := o.conf(p)
	if err != nil {
		return err
	}
	var slow *interrupts
	var slowErr error
	settings := session.Settings{Plain: true, Spark: o.spark, Job: "test/jobs/passes.py", Conf: conf, Master: p.Master, Dir: dir}
	spec := session.Spec{Tables: data.All, Editions: data.Editions, Statements: p.Statements, Warmup: p.Warmup, Passes: p.Passes + p.Slow, Seed: p.Seed}
	_, err = session.Run(ctx, settings, spec, func(line string) {
		fmt.Fprintf(os.Stderr, "%s, %s\n", p.Name, line)
		if p.Slow > 0 && slow == nil && strings.HasPrefix(line, fmt.Sprintf("pass %d:", p.Passes-1)) {
			slow, slowErr = startInterrupts(o.every)
		}
	})
	if slow != nil {
		slowErr = errors.Join(slowErr, slow.stop())
	}
	return errors.Join(err, slowErr)
}

// tables are what sessions read: TPC-H's tables, the tables of the query report, and the editions
// that replace some of them, another in each pass.
type tables struct {
	All      map[string]string
	Editions map[string][]string
}

// prepareTables writes the editions and the tables of the query report, once.
func (o *options) prepareTables(ctx context.Context) (tables, error) {
	dir, err := filepath.Abs(filepath.Join(o.dir, "tables"))
	if err != nil {
		return tables{}, err
	}
	out := tables{map[string]string{}, map[string][]string{}}
	for _, t := range []string{"customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"} {
		out.All[t] = filepath.Join(o.data, t+".parquet")
	}
	whole := session.Spec{Tables: maps.Clone(out.All), Setup: append(prepareReport(dir), prepareEditions(dir, o.editions)...),
		Statements: []session.Statement{{ID: "count", SQL: "SELECT count(*) FROM lineitem WHERE l_quantity > 0"}}, Passes: 1}
	for _, t := range []string{tableThird, tableAll, tableCodec, tableSkew} {
		out.All[t] = filepath.Join(dir, t)
	}
	for n := range o.editions {
		for t := range keyOf {
			out.Editions[t] = append(out.Editions[t], editionOf(dir, t, n))
		}
	}
	done := filepath.Join(dir, fmt.Sprintf("complete-%d", o.editions))
	if _, err := os.Stat(done); err == nil {
		return out, nil
	}
	settings := session.Settings{Plain: true, Spark: o.spark, Job: "test/jobs/passes.py", Dir: filepath.Join(o.dir, "prepare")}
	if _, err := session.Run(ctx, settings, whole, func(string) {}); err != nil {
		return tables{}, fmt.Errorf("write the editions and the tables of report: %w", err)
	}
	return out, errors.Join(os.WriteFile(done, nil, 0o644))
}
