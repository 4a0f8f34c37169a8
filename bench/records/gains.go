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

// clean counts flags where no one put in a slow task.
func (o *options) clean(ctx context.Context, r *results) error {
	s, err := o.session(ctx, "clean", "test/jobs/tpch.py", "--data", o.data, "--repeat", strconv.Itoa(o.passes))
	if err != nil {
		return err
	}
	for i := range s.Tasks {
		r.Found = append(r.Found, "clean: "+s.Tasks[i].String())
	}
	r.Figures["stages_clean"] = float64(s.Stages)
	r.Figures["flags_clean"] = 100 * float64(len(s.Tasks)) / float64(s.Stages)
	return nil
}
