package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/planflame/planflame/bench/internal/session"
	"github.com/planflame/planflame/bench/internal/workload"
)

// name is a recording's.
type name string

const (
	tpch    name = "tpch"    // the 22 queries on the larger tables
	own     name = "own"     // the 42 statements of workload.Own
	base    name = "base"    // what the next four change
	again   name = "again"   // base, without a change
	larger  name = "larger"  // tables of three times the rows
	merged  name = "merged"  // joins without broadcasts
	burned  name = "burned"  // one expression twice as expensive
	onefold name = "onefold" // expressions as usual
	tenfold name = "tenfold" // … ten times as expensive
	cores1  name = "cores1"  // the 22 queries in small tasks on one slot
	cores2  name = "cores2"  // … on two
	sleep4  name = "sleep4"  // sleeping tasks on 4 slots
	sleep8  name = "sleep8"  // … 8
	sleep16 name = "sleep16" // … 16
)

// plan says what a recording runs.
type plan struct {
	statements func() ([]session.Statement, error)
	setup      []string
	scale      string // of the tables; "": -scale
	master     string
	passes     int
	hz         int
	conf       map[string]string // of each statement
}

// causes are the statements in which causes are injected: without a join, with joins, and one whose
// expression costs more in the recording burned.
func causes(percent int) ([]session.Statement, error) {
	all, err := workload.TPCH()
	if err != nil {
		return nil, err
	}
	return []session.Statement{all[0], all[2], all[5], all[11], all[13], {ID: "burn", SQL: workload.BurnSQL(percent)}}, nil
}

// plans are all recordings.
func (o *options) plans() map[name]plan {
	unchanged := func() ([]session.Statement, error) { return causes(0) }
	sleeping := func(slots int) plan {
		return plan{statements: func() ([]session.Statement, error) { return sleeps(o.sleep), nil }, setup: warm(), master: fmt.Sprintf("local[%d]", slots), passes: 1, hz: 20}
	}
	// Joins keep their kind when tables grow, so that rows alone change.
	fixed := map[string]string{"spark.sql.autoBroadcastJoinThreshold": "100m", "spark.sql.adaptive.autoBroadcastJoinThreshold": "100m"}
	none := map[string]string{"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold": "-1"}
	// Spark chooses numbers of tasks by the number of cores, unless it is told.
	split := map[string]string{
		"spark.sql.files.maxPartitionBytes": "4m", "spark.sql.files.openCostInBytes": "0", "spark.sql.shuffle.partitions": "8", "spark.sql.adaptive.coalescePartitions.enabled": "false",
	}
	change := func(statements func() ([]session.Statement, error), scale string, conf map[string]string) plan {
		return plan{statements: statements, scale: scale, master: "local[1]", passes: 2, hz: o.hz, conf: conf}
	}
	return map[name]plan{
		tpch:    {statements: workload.TPCH, scale: o.largerScale, master: "local[1]", passes: 2, hz: o.hz},
		own:     {statements: func() ([]session.Statement, error) { return discarded(workload.Own), nil }, master: "local[1]", passes: 2, hz: o.hz},
		base:    change(unchanged, "", fixed),
		again:   change(unchanged, "", fixed),
		larger:  change(unchanged, o.largerScale, fixed),
		merged:  change(unchanged, "", none),
		burned:  change(func() ([]session.Statement, error) { return causes(100) }, "", fixed),
		onefold: {statements: func() ([]session.Statement, error) { return expressionStatements(false), nil }, master: "local[1]", passes: 2, hz: o.hz},
		tenfold: {statements: func() ([]session.Statement, error) { return expressionStatements(true), nil }, master: "local[1]", passes: 2, hz: o.hz},
		cores1:  {statements: workload.TPCH, master: "local[1]", passes: 2, hz: o.hz, conf: split},
		cores2:  {statements: workload.TPCH, master: "local[2]", passes: 2, hz: o.hz, conf: split},
		sleep4:  sleeping(4),
		sleep8:  sleeping(8),
		sleep16: sleeping(16),
	}
}

// discarded are statements whose rows no driver collects.
func discarded(all []session.Statement) []session.Statement {
	out := make([]session.Statement, len(all))
	for i, s := range all {
		s.Discard = true
		out[i] = s
	}
	return out
}

// dir is where the session of a recording is.
func (o *options) dir(n name) string { return filepath.Join(o.work, string(n)) }

// folder is where a recording's results are.
func (o *options) folder(n name) string { return filepath.Join(o.dir(n), "out") }

// record makes a recording unless it may be reused and is there.
func (o *options) record(ctx context.Context, n name) error {
	if _, err := os.Stat(filepath.Join(o.folder(n), "recording")); o.reuse && err == nil {
		return nil
	}
	p := o.plans()[n]
	scale := p.scale
	if scale == "" {
		scale = o.scale
	}
	statements, err := p.statements()
	if err != nil {
		return err
	}
	for i := range statements {
		conf := maps.Clone(p.conf)
		if conf == nil {
			conf = map[string]string{}
		}
		maps.Copy(conf, statements[i].Conf)
		statements[i].Conf = conf
	}
	spec := session.Spec{Tables: workload.Tables(filepath.Join(o.data, "sf"+scale)), Statements: statements, Setup: p.setup, Passes: p.passes, Seed: 1}
	settings := session.Settings{
		Planflame: o.planflame, Spark: o.spark, Job: "test/jobs/passes.py", Dir: o.dir(n), Hz: p.hz, Master: p.master,
		Conf: []string{"spark.sql.codegen.cache.maxEntries=2000"},
	}
	if _, err := session.Run(ctx, settings, spec, func(line string) { fmt.Fprintln(os.Stderr, string(n)+": "+line) }); err != nil {
		return fmt.Errorf("recording %s: %w", n, err)
	}
	return nil
}

// executions are the statements of a recording, by the ids of their executions.
func (o *options) executions(n name) (map[int64]string, error) {
	all, err := session.Read(o.dir(n))
	if err != nil {
		return nil, err
	}
	out := map[int64]string{}
	for _, e := range all {
		out[e.ID] = e.Statement
	}
	return out, nil
}
