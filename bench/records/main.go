package main

import (
	"context"
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
)

// options are the command line.
type options struct {
	out, spark, data, work, planflame string
	parts                             []string
	hardships                         []hardship
	trials, passes, sessions          int
}

// results are what is written.
type results struct {
	Figures map[string]float64 `json:"figures"`
	Command string             `json:"command"`
	Started time.Time          `json:"started"`
	Seconds float64            `json:"seconds"`
	Spark   string             `json:"spark"`
	Found   []string           `json:"found"` // what is not as it should be: verdicts, flags, records
	Gains   [][2]float64       `json:"gains"` // seconds by trial: replayed, measured
}

var parts = map[string]func(o *options, ctx context.Context, r *results) error{
	"verdicts": (*options).verdicts, "gains": (*options).gains, "clean": (*options).clean,
	"found": (*options).found, "python": (*options).python, "keys": (*options).keys, "quiet": (*options).quiet, "watched": (*options).watched, "cases": (*options).cases, "cost": (*options).cost,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "records:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	var wanted, hard string
	f := flag.NewFlagSet("records", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/records.json", "file to write")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of a Spark")
	f.StringVar(&o.data, "data", "build/tpch/sf0.3", "folder of the TPC-H tables")
	f.StringVar(&o.work, "work", "build/bench/records", "folder for recordings")
	f.StringVar(&o.planflame, "planflame", "build/planflame", "the command")
	f.StringVar(&wanted, "parts", "verdicts,gains,clean,found,python,keys,cases,quiet,watched,cost", "parts to run, comma separated")
	f.StringVar(&hard, "hardships", "cold,heap,spill,load", "hardships of the part quiet, comma separated")
	f.IntVar(&o.trials, "trials", 3, "slow tasks of each cause, sessions with gains and with slow records, and sessions of each case study")
	f.IntVar(&o.passes, "passes", 1, "passes over the 22 queries")
	f.IntVar(&o.sessions, "sessions", 4, "pairs of JVMs without a slow record, and jobs with records watched, beside two without each")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.parts = strings.Split(wanted, ",")
	for _, p := range o.parts {
		if parts[p] == nil {
			return o, fmt.Errorf("-parts: there is no %q, but %s", p, strings.Join(slices.Sorted(maps.Keys(parts)), ", "))
		}
	}
	for name := range strings.SplitSeq(hard, ",") {
		i := slices.IndexFunc(hardships, func(h hardship) bool { return h.name == name })
		if i < 0 {
			return o, fmt.Errorf("-hardships: there is no %q", name)
		}
		o.hardships = append(o.hardships, hardships[i])
	}
	if o.trials < 1 || o.passes < 1 || o.sessions < 1 {
		return o, fmt.Errorf("-trials %d, -passes %d, -sessions %d: at least 1 each", o.trials, o.passes, o.sessions)
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	began := time.Now()
	r := results{
		Figures: map[string]float64{}, Command: "go run ./bench/records " + strings.Join(args, " "), Started: began.UTC(), Spark: filepath.Base(o.spark),
		Found: []string{}, Gains: [][2]float64{},
	}
	for _, p := range slices.Compact(o.parts) {
		if err := parts[p](&o, ctx, &r); err != nil {
			return fmt.Errorf("part %s: %w", p, err)
		}
		r.Seconds = time.Since(began).Seconds()
		if err := report.Write(o.out, r); err != nil {
			return err
		}
	}
	report.Figures(os.Stdout, r.Figures)
	return nil
}
