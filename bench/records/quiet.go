package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/planflame/planflame/bench/internal/report"
)

// hardship is what makes tasks stand still though no record is slow.
type hardship struct {
	name string
	conf []string // of spark-submit
	load int      // processes that compute beside the job
}

const tpchQueries = 22

const withoutBroadcasts = "spark.sql.autoBroadcastJoinThreshold=-1"

var hardships = []hardship{
	{name: "cold"},
	{name: "heap", conf: []string{"--driver-memory", "600m", "--conf", withoutBroadcasts}}, // whose tables do not spill
	{name: "spill", conf: []string{"--conf", "spark.memory.fraction=0.02", "--conf", withoutBroadcasts}},
	{name: "load", load: 8},
}

// cleanJobs are so many jobs of one JVM.
type cleanJobs struct {
	name string
	jobs int
	args []string // of spark-submit
}

// quiet runs jobs without a slow record: the queries of TPC-H in one fresh JVM, the programs in
// another. Each pair of JVMs has the next hardship.
func (o *options) quiet(ctx context.Context, r *results) error {
	jar, err := o.compile(ctx)
	if err != nil {
		return err
	}
	java := []string{"--class", programsClass, jar}
	path, err := filepath.Abs(filepath.Join(o.work, "quiet.csv"))
	if err != nil {
		return err
	}
	in, err := writeInput(path, rand.New(rand.NewPCG(0, 23)), false)
	if err != nil {
		return err
	}
	var cases []slowCase
	for _, program := range programs {
		for _, source := range []string{"rdd", "csv", "parquet"} {
			cases = append(cases, slowCase{program: program, source: source, how: "sleep", in: in})
		}
	}
	cases = append(cases, slowCase{program: "grouped", source: "rdd", how: "sleep", in: in})
	for i := range o.sessions {
		h := o.hardships[i%len(o.hardships)]
		name := fmt.Sprintf("quiet-%d-%s", i+1, h.name)
		for _, jobs := range []cleanJobs{
			{name, tpchQueries, []string{"test/jobs/tpch.py", "--data", o.data}}, {name + "-programs", len(cases), submit(java, cases)},
		} {
			if err := o.quietSession(ctx, r, h, jobs); err != nil {
				return err
			}
		}
	}
	return nil
}

// quietSession runs clean jobs. All records that it names are false.
func (o *options) quietSession(ctx context.Context, r *results, h hardship, j cleanJobs) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for range h.load {
		beside := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		if err := beside.Start(); err != nil {
			return err
		}
		defer func() { stop(); _ = beside.Wait() }() // killed
	}
	s, _, err := o.planflameRun(ctx, j.name, []string{"run", "--records"}, slices.Concat(h.conf, j.args)...)
	if err != nil {
		return err
	}
	if s.SlowRecords == nil || s.SlowRecords.Unwatched > 0 {
		return fmt.Errorf("%s: tasks were not watched: %+v", j.name, s.SlowRecords)
	}
	r.Figures["jobs_clean"] += float64(j.jobs)
	r.Figures["tasks_clean"] += float64(s.SlowRecords.Watched)
	r.Figures["false_records_clean"] += float64(len(s.SlowRecords.Records))
	for _, x := range s.SlowRecords.Records {
		r.Found = append(r.Found, fmt.Sprintf("%s: false: %v", j.name, x))
	}
	return nil
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
	s, _, err := o.planflameRun(ctx, "watched", []string{"run", "--records"}, append([]string{"--master", "local[16]", "--class", programsClass, jar}, steady.argument())...)
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

// costQueries of TPC-H have joins, sorts and aggregates.
const costQueries = "1,3,9,13,18,21"

// cost compares the task CPU of queries with records watched and without, and without once more,
// three sessions at a time. Their order rotates.
func (o *options) cost(ctx context.Context, r *results) error {
	var on, null []float64
	for i := range o.sessions {
		var cpu [3]float64
		for k := range cpu {
			variant := (k + i) % len(cpu)
			command := []string{"run"}
			if variant == 2 {
				command = append(command, "--records")
			}
			s, _, err := o.planflameRun(ctx, fmt.Sprintf("cost-%d-%d", i+1, variant), command, "test/jobs/tpch.py", "--data", o.data, "--queries", costQueries)
			if err != nil {
				return err
			}
			cpu[variant] = s.TaskCPU
		}
		on, null = append(on, 2*cpu[2]/(cpu[0]+cpu[1])), append(null, cpu[1]/cpu[0])
	}
	for name, ratios := range map[string][]float64{"overhead_on": on, "overhead_null": null} {
		found := report.IntervalOf(ratios)
		r.Figures[name], r.Figures[name+"_low"], r.Figures[name+"_high"] = found.Median, found.Low, found.High
	}
	return nil
}
