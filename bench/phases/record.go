package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/planflame/planflame/bench/internal/session"
	"github.com/planflame/planflame/bench/internal/workload"
	"github.com/planflame/planflame/trial"
)

// condition is what changes, and what it is held against.
type condition struct {
	name, before, after string // names of recordings
}

// conditions in their order. Snappy is not Spark's codec for shuffles by default, so it has a
// recording of its own.
var conditions = []condition{{"jdk", "usual", "jdk25"}, {"spark", "old", "usual"}, {"reader", "usual", "reader"}, {"codec", "snappy", "zstd"}}

// recording is a session of all statements.
type recording struct {
	old  bool // the old line of Spark
	java string
	conf []string
}

func recordings(o options) map[string]recording {
	return map[string]recording{
		"usual":  {java: o.java},
		"old":    {java: o.java, old: true},
		"jdk25":  {java: o.newJava},
		"reader": {java: o.java, conf: []string{"spark.sql.parquet.enableVectorizedReader=false"}},
		"snappy": {java: o.java, conf: []string{"spark.io.compression.codec=snappy"}},
		"zstd":   {java: o.java, conf: []string{"spark.io.compression.codec=zstd"}},
	}
}

// statements are what a session runs. Rows go to the noop sink.
func statements(sets []string) (out []session.Statement, err error) {
	if slices.Contains(sets, "tpch") {
		if out, err = workload.TPCH(); err != nil {
			return nil, err
		}
	}
	if slices.Contains(sets, "own") {
		out = append(out, workload.Own...)
	}
	for i := range out {
		out[i].Discard = true
	}
	return out, nil
}

// record runs a session, unless it is there and may be used again.
func record(ctx context.Context, o options, name string) error {
	dir := filepath.Join(o.dir, name)
	if _, err := os.Stat(filepath.Join(dir, "out", "summary.json")); err == nil && o.reuse {
		return nil
	}
	all, err := statements(o.sets)
	if err != nil {
		return err
	}
	r := recordings(o)[name]
	spark := o.spark
	if r.old {
		spark = o.oldSpark
	}
	if err := os.Setenv("JAVA_HOME", r.java); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "phases: recording", name)
	// The first pass runs cold in all recordings, as in a job.
	spec := session.Spec{Tables: workload.Tables(o.data), Statements: all, Passes: o.passes, Seed: int64(o.seed)}
	settings := session.Settings{Planflame: o.planflame, Spark: spark, Job: "test/jobs/passes.py", Dir: dir, Hz: o.hz, Conf: r.conf, Master: "local[1]"}
	_, err = session.Run(ctx, settings, spec, func(line string) { fmt.Fprintln(os.Stderr, " ", line) })
	return err
}

// population is what is known of all statements in a recording, by planflame trial plan.
type population struct {
	Queries []struct {
		ID    string     `json:"query"`
		Usual trial.Runs `json:"usual"`
	} `json:"queries"`
}

// everything is more re-runs than there are statements.
const everything = "1000"

// read reads a recording with the command that users have.
func read(ctx context.Context, o options, name string) (map[string]trial.Runs, error) {
	cmd := exec.CommandContext(ctx, o.planflame, "trial", "plan", "--json", "--name", "all", "--runs", everything, filepath.Join(o.dir, name, "out"))
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("read recording %s: %w", name, err)
	}
	var p population
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&p); err != nil {
		return nil, fmt.Errorf("decode plan of recording %s: %w", name, err)
	}
	out := map[string]trial.Runs{}
	for _, q := range p.Queries {
		out[q.ID] = q.Usual
	}
	return out, nil
}
