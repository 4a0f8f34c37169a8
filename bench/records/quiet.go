package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"

	"github.com/planflame/planflame/bench/internal/report"
)

// hardship is what makes tasks stand still though no record is slow.
type hardship struct {
	name string
	conf []string // of spark-submit
	load int      // processes that compute beside the job
}

var hardships = []hardship{
	{name: "cold"},
	{name: "heap", conf: []string{"--driver-memory", "600m"}},
	{name: "spill", conf: []string{"--conf", "spark.memory.fraction=0.02", "--conf", "spark.sql.autoBroadcastJoinThreshold=-1"}},
	{name: "load", load: 8},
}

// quietQueries of TPC-H have joins, sorts and aggregates.
const quietQueries = "1,3,9,13,18,21"

// quiet runs jobs without a slow record. Each session is a fresh JVM, with the next hardship.
func (o *options) quiet(ctx context.Context, r *results) error {
	r.Figures["false_records_clean"] += 0
	for i := range o.sessions {
		h := hardships[i%len(hardships)]
		name := fmt.Sprintf("quiet-%d-%s", i+1, h.name)
		s, err := o.quietSession(ctx, name, h)
		if err != nil {
			return err
		}
		r.Figures["jobs_clean"]++
		r.Figures["tasks_clean"] += float64(s.SlowRecords.Watched)
		r.Figures["false_records_clean"] += float64(len(s.SlowRecords.Records))
		for _, x := range s.SlowRecords.Records {
			r.Found = append(r.Found, fmt.Sprintf("%s: false: %v", name, x))
		}
	}
	return nil
}

func (o *options) quietSession(ctx context.Context, name string, h hardship) (*summary, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for range h.load {
		beside := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		if err := beside.Start(); err != nil {
			return nil, err
		}
		defer func() { stop(); _ = beside.Wait() }() // killed
	}
	s, _, err := o.planflameRun(ctx, name, []string{"run", "--records"}, append(h.conf, "test/jobs/tpch.py", "--data", o.data, "--queries", quietQueries)...)
	if err == nil && (s.SlowRecords == nil || s.SlowRecords.Unwatched > 0) {
		err = fmt.Errorf("%s: tasks were not watched: %+v", name, s.SlowRecords)
	}
	return s, err
}

// watched runs 16 tasks at once, whose records take 3 ms each. It reads what the watcher takes of a
// core.
func (o *options) watched(ctx context.Context, r *results) error {
	jar, err := o.compile(ctx)
	if err != nil {
		return err
	}
	path, err := filepath.Abs(filepath.Join(o.work, "steady.csv"))
	if err != nil {
		return err
	}
	in, err := writeInput(path, rand.New(rand.NewPCG(0, 23)), false)
	if err != nil {
		return err
	}
	steady := slowCase{program: "steady", source: "rdd", how: "sleep", in: in}
	s, _, err := o.planflameRun(ctx, "watched", []string{"run", "--records"}, append([]string{"--master", "local[16]"}, submit(jar, []slowCase{steady})...)...)
	if err != nil {
		return err
	}
	if s.SlowRecords == nil {
		return fmt.Errorf("watched: %s: no one watched records", o.results("watched"))
	}
	r.Figures["poller_share"], r.Figures["poller_share_steady"] = s.SlowRecords.Watcher, s.SlowRecords.Steady
	r.Figures["poller_period_seconds"] = s.SlowRecords.Period
	return nil
}

// cost compares the task CPU of queries with records watched and without, pair by pair. The order
// within a pair alternates.
func (o *options) cost(ctx context.Context, r *results) error {
	var ratios []float64
	for i := range o.sessions {
		var cpu [2]float64
		for k := range cpu {
			on := (k + i) % 2
			command := []string{"run"}
			if on == 1 {
				command = append(command, "--records")
			}
			s, _, err := o.planflameRun(ctx, fmt.Sprintf("cost-%d-%d", i+1, on), command, "test/jobs/tpch.py", "--data", o.data, "--queries", quietQueries)
			if err != nil {
				return err
			}
			cpu[on] = s.TaskCPU
		}
		ratios = append(ratios, cpu[1]/cpu[0])
	}
	found := report.IntervalOf(ratios)
	r.Figures["overhead_on"], r.Figures["overhead_on_low"], r.Figures["overhead_on_high"] = found.Median, found.Low, found.High
	return nil
}
