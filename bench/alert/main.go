package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/planflame/planflame/bench/internal/report"
)

// options are the command line.
type options struct {
	out, spark, data, dir, collector, plugin, tools, submit string
	before, after, trials                                   int
	reuse                                                   bool
	team                                                    string // label of this run's applications: alerts of others do not count
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "alert:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	o := options{team: fmt.Sprintf("bench-alert-%d", os.Getpid())}
	f := flag.NewFlagSet("alert", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/alert.json", "file to write")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of a Spark")
	f.StringVar(&o.data, "data", "build/tpch/sf2", "folder of the TPC-H tables")
	f.StringVar(&o.dir, "work", "build/bench/alert", "folder for records and tables")
	f.StringVar(&o.collector, "collector", "build/planflame-collector", "the Collector")
	f.StringVar(&o.plugin, "plugin", "build/plugin/planflame-spark.jar", "Spark's plugin")
	f.StringVar(&o.tools, "tools", "build/tools", "folder of prometheus and alertmanager")
	f.StringVar(&o.submit, "submit", "", "command that takes spark-submit's arguments; Spark's own if empty")
	f.IntVar(&o.before, "before", 12, "applications as always")
	f.IntVar(&o.after, "after", 8, "shifted applications at most")
	f.IntVar(&o.trials, "trials", 400, "simulated histories of each size of shift")
	f.BoolVar(&o.reuse, "reuse", false, "report the last run again")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	for _, n := range []struct {
		name          string
		value, lowest int
	}{{"before", o.before, 2}, {"after", o.after, 1}, {"trials", o.trials, 1}} {
		if n.value < n.lowest {
			return o, fmt.Errorf("-%s %d: at least %d", n.name, n.value, n.lowest)
		}
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	var r *record
	if o.reuse {
		r, err = readRecord(filepath.Join(o.dir, "record.json"))
	} else {
		r, err = o.run(ctx)
	}
	if err != nil {
		return err
	}
	rep, err := o.report(ctx, r)
	if err != nil {
		return err
	}
	rep.Command = "go run ./bench/alert " + strings.Join(args, " ")
	rep.print()
	return report.Write(o.out, rep)
}
