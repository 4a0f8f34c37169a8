package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
)

// options are the command line.
type options struct {
	out, spark, data, dir, planflame, master string
	parts, stages                            []string
	reuse                                    bool
	seed                                     uint64
	times                                    int
	cpu                                      int
	rounds                                   int
	repeats                                  int
	designs                                  []string
}

// results are what is written.
type results struct {
	Figures map[string]float64 `json:"figures"`
	Command string             `json:"command"`
	Started time.Time          `json:"started"`
	Seconds float64            `json:"seconds"`
	Spark   string             `json:"spark"`
	Seed    uint64             `json:"seed"`
	Offline *offline           `json:"offline,omitempty"`
	Live    *live              `json:"live,omitempty"`
	Idle    *idle              `json:"idle,omitempty"`
}

// part is a part of the bench by its name; it fills its own place in the report and its figures.
type part struct {
	name string
	run  func(context.Context, options, *results) error
}

// parts in the order in which they run.
var parts = []part{{"offline", runOffline}, {"live", runLive}, {"idle", runIdle}, {"tiny", runTiny}}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tasksample:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	var names, chosen, designs string
	var every []string
	for _, p := range parts {
		every = append(every, p.name)
	}
	f := flag.NewFlagSet("tasksample", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/tasksample.json", "file to write")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of a Spark")
	f.StringVar(&o.data, "data", "build/tpch/sf0.3", "folder of the TPC-H tables")
	f.StringVar(&o.dir, "work", "build/bench/tasksample", "folder for recordings and what is kept of them")
	f.StringVar(&o.planflame, "planflame", "build/planflame", "the command")
	f.StringVar(&o.master, "master", "local[2]", "Spark's master, but for the stage with speculation, which has a cluster of its own")
	f.StringVar(&names, "parts", strings.Join(every, ","), "parts, comma separated")
	f.StringVar(&chosen, "stages", "all", "names of the stages, comma separated, or all")
	f.BoolVar(&o.reuse, "reuse", false, "take the stages recorded last instead of recording them")
	f.Uint64Var(&o.seed, "seed", 1, "of all re-samplings")
	f.IntVar(&o.times, "times", 2000, "re-samplings of each stage and design")
	f.IntVar(&o.cpu, "cpu", 120, "CPU seconds of a stage at least: attempts of a smaller one are repeated as other partitions'")
	f.StringVar(&designs, "designs", "all", "names of the designs of the part live, comma separated, or all; \"1000 Hz\" is always run")
	f.IntVar(&o.repeats, "repeats", 1, "how often the part live runs its designs")
	f.IntVar(&o.rounds, "rounds", 7, "of the part idle: each runs every stage three times")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.times < 100 || o.cpu < 0 || o.rounds < 1 || o.repeats < 1 {
		return o, fmt.Errorf("-times %d, -cpu %d, -rounds %d, -repeats %d: at least 100, 0, 1, 1", o.times, o.cpu, o.rounds, o.repeats)
	}
	o.parts = strings.Split(names, ",")
	for _, p := range o.parts {
		if !slices.Contains(every, p) {
			return o, fmt.Errorf("-parts: there is no %q", p)
		}
	}
	if chosen != "all" {
		o.stages = strings.Split(chosen, ",")
	}
	if designs != "all" {
		o.designs = strings.Split(designs, ",")
	}
	for _, name := range o.designs {
		if !slices.ContainsFunc(liveDesigns, func(d liveDesign) bool { return d.Name == name }) {
			return o, fmt.Errorf("-designs: there is no %q", name)
		}
	}
	for _, name := range o.stages {
		if !slices.ContainsFunc(stages, func(s stage) bool { return s.Name == name }) {
			return o, fmt.Errorf("-stages: there is no %q", name)
		}
	}
	return o, nil
}

// chooses reports whether a stage is to be measured.
func (o options) chooses(s stage) bool { return o.stages == nil || slices.Contains(o.stages, s.Name) }

// population is the file of a stage's population.
func (o options) population(s stage) string { return filepath.Join(o.dir, fileName(s.Name)+".tasks") }

// workers is how many re-samplings run at a time.
func workers() int { return runtime.GOMAXPROCS(0) }

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	began := time.Now()
	r := results{Figures: map[string]float64{}, Command: "go run ./bench/tasksample " + strings.Join(args, " "), Started: began.UTC(), Spark: filepath.Base(o.spark), Seed: o.seed}
	for _, p := range parts {
		if !slices.Contains(o.parts, p.name) {
			continue
		}
		if err := p.run(ctx, o, &r); err != nil {
			return fmt.Errorf("part %s: %w", p.name, err)
		}
		r.Seconds = time.Since(began).Seconds()
		if err := report.Write(o.out, &r); err != nil {
			return err
		}
	}
	return nil
}
