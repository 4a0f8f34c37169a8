package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
)

// options are the command line.
type options struct {
	out, spark, data, dir, collector, plugin        string
	queries                                         []string
	sessions, passes, warmup, slow, others, joining int
	editions                                        int
	hz                                              int
	every                                           time.Duration
	seed                                            int64
	trials, history                                 int
	reuse                                           bool
	only                                            []string // sessions to record; nil: all
	also                                            []string // folders of sessions of bench/accuracy
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "shift:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	var names, only, also string
	f := flag.NewFlagSet("shift", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/shift.json", "file to write")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of a Spark")
	f.StringVar(&o.data, "data", "build/tpch/sf1", "folder of the TPC-H tables; all of lineitem is read while executors come and go, else editions of it, or a third")
	f.IntVar(&o.editions, "editions", 5, "of lineitem and orders, three tenths of the orders each, drawn by a seed of their own: each pass reads another")
	f.StringVar(&o.dir, "work", "build/bench/shift", "folder for records and tables")
	f.StringVar(&o.collector, "collector", "build/planflame-collector", "the Collector")
	f.StringVar(&o.plugin, "plugin", "build/plugin/planflame-spark.jar", "Spark's plugin")
	f.StringVar(&names, "queries", "all", "TPC-H queries that nothing happens to: q01,q06 …, or all, or none")
	f.IntVar(&o.sessions, "sessions", 3, "JVMs that run everything, one after the other")
	f.IntVar(&o.passes, "passes", 14, "counted passes of each")
	f.IntVar(&o.warmup, "warmup", 2, "passes before them, which are recorded and not counted")
	f.IntVar(&o.slow, "slow", 2, "passes after them, on a slower host")
	f.IntVar(&o.others, "others", 4, "passes on two executors, and as many with other partitions, too; 0: none")
	f.IntVar(&o.joining, "joining", 6, "passes while executors come and go, by dynamic allocation; 0: none")
	f.IntVar(&o.hz, "hz", 4000, "samples a second of every task's CPU")
	f.DurationVar(&o.every, "interrupts", 80*time.Microsecond, "between two interrupts of a task on the slower host")
	f.Int64Var(&o.seed, "seed", 1, "of the order of statements and of all re-samplings")
	f.IntVar(&o.trials, "trials", 100, "re-samplings of each session, operator and size")
	f.IntVar(&o.history, "history", 30, "runs as always before a shift, in each trial")
	f.StringVar(&only, "record", "all", "names of the sessions to record, the others being those recorded last: usual-0, usual-1, … executors, partitions, joining")
	f.StringVar(&also, "also", "", "folders of sessions that bench/accuracy recorded, comma separated: more runs to which nothing happened")
	f.BoolVar(&o.reuse, "reuse", false, "judge the sessions recorded last instead of recording")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	for _, n := range []struct {
		name   string
		value  int
		lowest int
	}{
		{"sessions", o.sessions, 1}, {"passes", o.passes, 2}, {"warmup", o.warmup, 0}, {"slow", o.slow, 0}, {"others", o.others, 0}, {"joining", o.joining, 0}, {"hz", o.hz, 1},
		{"trials", o.trials, 1}, {"history", o.history, 5}, {"editions", o.editions, 1},
	} {
		if n.value < n.lowest {
			return o, fmt.Errorf("-%s %d: at least %d", n.name, n.value, n.lowest)
		}
	}
	if o.every < 10*time.Microsecond {
		return o, fmt.Errorf("-interrupts %s: at least 10µs, which the kernel allows", o.every)
	}
	if also != "" {
		o.also = strings.Split(also, ",")
	}
	if only != "all" {
		o.only = strings.Split(only, ",")
	}
	switch names {
	case "none":
	case "all":
		for n := 1; n <= 22; n++ {
			o.queries = append(o.queries, fmt.Sprintf("q%02d", n))
		}
	default:
		o.queries = strings.Split(names, ",")
		slices.Sort(o.queries)
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	began := time.Now()
	all, err := queries(filepath.Join("test", "jobs", "tpch"), o.queries)
	if err != nil {
		return err
	}
	all = append(append(all, burns(basesAPass)...), reports(basesAPass)...)
	if !o.reuse {
		if err := o.recordAll(ctx, all); err != nil {
			return err
		}
	}
	r := results{Figures: map[string]float64{}, Command: "go run ./bench/shift " + strings.Join(args, " "), Started: began.UTC(), Spark: filepath.Base(o.spark), Seed: o.seed}
	if err := o.judge(&r); err != nil {
		return err
	}
	r.Seconds = time.Since(began).Seconds()
	r.print()
	return report.Write(o.out, &r)
}

// basesAPass is how often a query that has causes runs as always in a pass: histories take more
// runs than causes.
const basesAPass = 4

func (o *options) recordAll(ctx context.Context, all []variant) error {
	if err := linkSpark(o.spark, filepath.Join(o.dir, "home")); err != nil {
		return err
	}
	tables, err := o.prepareTables(ctx)
	if err != nil {
		return err
	}
	for _, p := range o.plans(all) {
		if o.only != nil && !slices.Contains(o.only, p.Name) {
			continue
		}
		if err := o.record(ctx, p, tables); err != nil {
			return fmt.Errorf("session %s: %w", p.Name, err)
		}
	}
	return nil
}
