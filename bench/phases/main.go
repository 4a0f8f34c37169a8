package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
	"github.com/planflame/planflame/phase"
	"github.com/planflame/planflame/trial"
)

// options are the command line.
type options struct {
	out, spark, oldSpark, java, newJava, data, dir, planflame string
	conditions, sets                                          []string
	reuse                                                     bool
	draws, fleetDraws, passes, hz                             int
	seed                                                      uint64
	recorded                                                  map[string]bool // by this run
}

// results are what is written.
type results struct {
	Figures    map[string]float64  `json:"figures"`
	Command    string              `json:"command"`
	Started    time.Time           `json:"started"`
	Seconds    float64             `json:"seconds"`
	Measured   map[string]*outcome `json:"measured"`  // by condition
	Simulated  map[string]*outcome `json:"simulated"` // fleets of 2,000 queries
	Statements map[string]int      `json:"statements"`
	Jobs       *placed             `json:"jobs,omitempty"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "phases:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	o := options{recorded: map[string]bool{}}
	var names, sets string
	f := flag.NewFlagSet("phases", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/phases.json", "file for the results")
	f.StringVar(&o.dir, "dir", "build/bench/phases", "folder of the recordings")
	f.StringVar(&o.planflame, "planflame", "build/planflame", "the command")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of the newest Spark")
	f.StringVar(&o.oldSpark, "old-spark", "build/spark/3.5.7", "of the old Spark")
	f.StringVar(&o.java, "java", os.Getenv("JAVA_HOME"), "JAVA_HOME of all but jdk25")
	f.StringVar(&o.newJava, "new-java", "", "JAVA_HOME of jdk25")
	f.StringVar(&o.data, "data", "build/tpch/sf0.3", "folder of the TPC-H tables")
	f.StringVar(&names, "conditions", "jdk,spark,reader,codec,rdd", "changes that are judged, comma separated; rdd: jobs without SQL")
	f.StringVar(&sets, "sets", "tpch,own", "sets of statements, comma separated")
	f.BoolVar(&o.reuse, "reuse", false, "use recordings that are there")
	f.IntVar(&o.draws, "draws", 2000, "draws of each design and size")
	f.IntVar(&o.fleetDraws, "fleet-draws", 200, "draws from the simulated fleet")
	f.IntVar(&o.passes, "passes", 2, "runs of each statement in a recording")
	f.IntVar(&o.hz, "hz", 500, "samples a second")
	f.Uint64Var(&o.seed, "seed", 1, "of draws and orders")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.conditions, o.sets = strings.Split(names, ","), strings.Split(sets, ",")
	for _, name := range o.conditions {
		if name != jobs && !slices.ContainsFunc(conditions, func(c condition) bool { return c.name == name }) {
			return o, fmt.Errorf("-conditions: there is no %q", name)
		}
	}
	for _, s := range o.sets {
		if s != "tpch" && s != "own" {
			return o, fmt.Errorf("-sets: there is no %q", s)
		}
	}
	if o.draws < 1 || o.fleetDraws < 1 || o.passes < 1 || o.hz < 1 {
		return o, errors.New("-draws, -fleet-draws, -passes and -hz must be above 0")
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	began := time.Now()
	r := results{Figures: map[string]float64{}, Command: "go run ./bench/phases " + strings.Join(args, " "), Started: began.UTC(), Measured: map[string]*outcome{},
		Simulated: map[string]*outcome{}, Statements: map[string]int{}}
	for _, c := range conditions {
		if !slices.Contains(o.conditions, c.name) {
			continue
		}
		if err := r.condition(ctx, o, c); err != nil {
			return err
		}
		r.Seconds = time.Since(began).Seconds()
		if err := report.Write(o.out, r); err != nil { // what is there survives an interrupt
			return err
		}
	}
	if slices.Contains(o.conditions, jobs) {
		if r.Jobs, err = recordJobs(ctx, o); err != nil {
			return err
		}
		r.Jobs.figures(r.Figures)
		r.Seconds = time.Since(began).Seconds()
		if err := report.Write(o.out, r); err != nil {
			return err
		}
	}
	report.Figures(os.Stdout, r.Figures)
	return nil
}

// condition judges a change: in the statements that were measured, and in a simulated fleet.
func (r *results) condition(ctx context.Context, o options, c condition) error {
	f, err := measured(ctx, o, c)
	if err != nil {
		return err
	}
	r.Statements[c.name] = len(f.x)
	if r.Measured[c.name], err = judge(f, o.draws, o.seed); err != nil {
		return err
	}
	big := simulated(f, o.seed)
	if r.Simulated[c.name], err = judge(big, o.fleetDraws, o.seed); err != nil {
		return err
	}
	r.figures(c.name, big)
	return nil
}

// measured records both sides of a condition and compares statement by statement.
func measured(ctx context.Context, o options, c condition) (*fleet, error) {
	var sides [2]map[string]trial.Runs
	for i, name := range []string{c.before, c.after} {
		if !o.recorded[name] {
			if err := record(ctx, o, name); err != nil {
				return nil, fmt.Errorf("record %s: %w", filepath.Join(o.dir, name), err)
			}
			o.recorded[name] = true
		}
		var err error
		if sides[i], err = read(ctx, o, name); err != nil {
			return nil, err
		}
	}
	var queries []trial.Query
	var after []trial.Rerun
	for _, id := range slices.Sorted(maps.Keys(sides[0])) {
		was, is := sides[0][id], sides[1][id]
		if is.Count == 0 {
			continue // its plan has another name under the change
		}
		q := trial.Query{ID: id, CPU: phase.Mix{}}
		for _, op := range was.Operators {
			q.CPU[op.Kind] += op.CPU
		}
		q.Cost = q.CPU.Sum()
		compared := trial.AtOldRows(was, is)
		after = append(after, trial.Rerun{Query: len(queries), CPU: compared.CPU, Other: compared.Other})
		queries = append(queries, q)
	}
	return newFleet(queries, after), nil
}
