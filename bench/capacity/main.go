package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
)

// options are the command line.
type options struct {
	out, spark, data, work, planflame string
	recording                         string
	executors                         []int
	applications                      int // 0: as many as executors
	passes                            int
}

// results are what is written.
type results struct {
	Figures   map[string]float64 `json:"figures"`
	Command   string             `json:"command"`
	Started   time.Time          `json:"started"`
	Seconds   float64            `json:"seconds"`
	Recording string             `json:"recording"`
	Replays   []replay           `json:"replays"`
	NotIn     []string           `json:"not_in"` // what costs a live Collector besides
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "capacity:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	var executors string
	f := flag.NewFlagSet("capacity", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/capacity.json", "file to write")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of a Spark")
	f.StringVar(&o.data, "data", "build/tpch/sf0.3", "folder of the TPC-H tables")
	f.StringVar(&o.work, "work", "build/bench/capacity", "folder of the recording, which is made if it is not there")
	f.StringVar(&o.planflame, "planflame", "build/planflame", "the command")
	f.StringVar(&o.recording, "recording", "", "a recording of one JVM at 220 Hz or more, in the place of the bench's own")
	f.StringVar(&executors, "executors", "1,10,100", "numbers of executors, rising, comma separated")
	f.IntVar(&o.applications, "applications", 0, "of how many applications the executors are; 0: each has its own")
	f.IntVar(&o.passes, "passes", 2, "of the queries in the recording")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	for text := range strings.SplitSeq(executors, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || len(o.executors) > 0 && n <= o.executors[len(o.executors)-1] {
			return o, fmt.Errorf("-executors %s: %q is not a number above the one before", executors, text)
		}
		o.executors = append(o.executors, n)
	}
	if o.applications < 0 {
		return o, fmt.Errorf("-applications %d is below 0", o.applications)
	}
	if len(o.executors) < 2 {
		return o, fmt.Errorf("-executors %s: memory is a difference, want two numbers or more", executors)
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	began := time.Now()
	if o.recording == "" {
		if o.recording, err = o.record(ctx); err != nil {
			return err
		}
	}
	if o.recording, err = filepath.Abs(o.recording); err != nil {
		return err
	}
	r := results{
		Command: "go run ./bench/capacity " + strings.Join(args, " "), Started: began.UTC(), Recording: o.recording,
		NotIn: []string{"rings", "unwinding", "symbol tables", "readings of /proc", "HTTP", "the sampler's memory"},
	}
	for _, n := range o.executors {
		one, err := o.replayed(ctx, n)
		if err != nil {
			return err
		}
		r.Replays = append(r.Replays, one)
		r.Figures, r.Seconds = figures(r.Replays), time.Since(began).Seconds()
		if err := report.Write(o.out, r); err != nil { // what is there survives an interrupt
			return err
		}
	}
	report.Figures(os.Stdout, r.Figures)
	return nil
}
