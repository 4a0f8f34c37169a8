package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"

	"github.com/planflame/planflame/bench/internal/report"
)

// want are the verdicts of the queries of test/jobs/slow.py, in their order.
var want = []string{"data skew", "computation skew", "wait", "computation skew"}

// trial is what one session says.
type trial struct {
	flagsFalse         int
	replayed, measured float64 // gains, in seconds
	found              []string
}

// judge holds a session against what was put into it: three runs of each query, of which the last
// has a slow task.
func judge(s *slowTasks, walls []float64) (t trial, err error) {
	n := len(want)
	if len(walls) != 3*n {
		return t, fmt.Errorf("%d runs of queries, not %d", len(walls), 3*n)
	}
	flagged := make([]int, n)
	right := make([]bool, n)
	for i := range s.Tasks {
		x := &s.Tasks[i]
		query := -1
		if x.Execution != nil {
			query = int(*x.Execution) - 2*n
		}
		if query < 0 || query >= n {
			t.flagsFalse++
			t.found = append(t.found, x.String())
			continue
		}
		flagged[query]++
		right[query] = x.Verdict == want[query]
	}
	for i := range want {
		if flagged[i] != 1 || !right[i] {
			t.found = append(t.found, fmt.Sprintf("%s: %d tasks flagged, the last one right: %v", want[i], flagged[i], right[i]))
		}
		t.measured += walls[2*n+i] - walls[n+i]
	}
	t.replayed = s.Wall - s.Without
	return t, nil
}

// gains runs the queries with and without slow tasks.
func (o *options) gains(ctx context.Context, r *results) error {
	var errors []float64
	for i := range o.trials {
		name := fmt.Sprintf("slow-%d", i+1)
		file := filepath.Join(o.work, name+".walls")
		s, err := o.session(ctx, name, "test/jobs/slow.py", "--warmup", "--seed", strconv.Itoa(i+1), "--walls", file)
		if err != nil {
			return err
		}
		walls, err := walls(file)
		if err != nil {
			return err
		}
		t, err := judge(s, walls)
		if err != nil {
			return err
		}
		r.Figures["flags_false"] += float64(t.flagsFalse)
		for _, f := range t.found {
			r.Found = append(r.Found, name+": "+f)
		}
		r.Gains = append(r.Gains, [2]float64{t.replayed, t.measured})
		errors = append(errors, math.Abs(t.replayed-t.measured)/t.measured)
	}
	r.Figures["flags_false"] += 0
	r.Figures["gain_error"] = report.Median(errors)
	return nil
}

// clean counts flags where no one put in a slow task. Stages are cut into tasks that have peers,
// which Spark's own settings would not do with so little data.
func (o *options) clean(ctx context.Context, r *results) error {
	s, _, err := o.planflameRun(ctx, "clean", []string{"run"},
		"--conf", "spark.sql.shuffle.partitions=16", "--conf", "spark.sql.adaptive.coalescePartitions.enabled=false",
		"--conf", "spark.sql.files.maxPartitionBytes=2m", "test/jobs/tpch.py", "--data", o.data, "--repeat", strconv.Itoa(o.passes))
	if err != nil {
		return err
	}
	stages, err := s.judged()
	if err != nil {
		return fmt.Errorf("clean: %w", err)
	}
	for i := range s.SlowTasks.Tasks {
		r.Found = append(r.Found, "clean: "+s.SlowTasks.Tasks[i].String())
	}
	r.Figures["stages_clean"] = float64(stages)
	r.Figures["flags_clean"] = 100 * float64(len(s.SlowTasks.Tasks)) / float64(stages)
	return nil
}

// judged is how many stages had enough tasks to be judged; an error if none had, or if figures are
// missing.
func (s *summary) judged() (stages int, err error) {
	if s.SlowTasks == nil || s.SlowTasks.Missing > 0 {
		return 0, fmt.Errorf("the figures of tasks are not whole: %+v", s.SlowTasks)
	}
	const least = 5 // docs/use/slow-tasks.md
	for _, q := range s.Queries {
		for _, stage := range q.Stages {
			if stage.Tasks >= least {
				stages++
			}
		}
	}
	if s.SlowTasks.Judged == 0 || stages == 0 {
		return 0, fmt.Errorf("%d tasks were judged, in %d stages of %d tasks or more: this shows nothing", s.SlowTasks.Judged, stages, least)
	}
	return stages, nil
}
