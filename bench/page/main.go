package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
)

// options are the command line.
type options struct {
	out, spark, data, work, planflame string
	parts                             []string
	hz, passes, diffHz, diffPasses    int
	reuse                             bool
}

// results are what is written.
type results struct {
	Figures map[string]float64 `json:"figures"`
	Command string             `json:"command"`
	Started time.Time          `json:"started"`
	Seconds float64            `json:"seconds"`
	Spark   string             `json:"spark"`
	Data    string             `json:"data"`
	Found   []string           `json:"found"` // what figures that should be 0 count, and names
}

// part measures one thing from recordings and sets its figures.
type part struct {
	name    string
	needs   []name
	measure func(o *options, ctx context.Context, r *results) error
}

var parts = []part{
	{"size", []name{large}, (*options).size},
	{"open", []name{large}, (*options).open},
	{"sums", []name{first}, (*options).sums},
	{"cells", []name{first}, (*options).cells},
	{"diff", []name{first, second}, (*options).diff},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	var scale float64
	var all []string
	for _, p := range parts {
		all = append(all, p.name)
	}
	var wanted string
	f := flag.NewFlagSet("page", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/page.json", "file to write")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of a Spark")
	f.StringVar(&o.data, "tpch", "build/tpch", "folder of the TPC-H tables, with a folder sfSCALE")
	f.Float64Var(&scale, "scale", 0.3, "scale of the TPC-H tables")
	f.StringVar(&o.work, "work", "build/bench/page", "folder for recordings and pages")
	f.StringVar(&o.planflame, "planflame", "build/planflame", "the command")
	f.StringVar(&wanted, "parts", strings.Join(all, ","), "parts to run, comma separated")
	f.IntVar(&o.hz, "hz", 5000, "samples a second of task CPU in the large recording")
	f.IntVar(&o.passes, "passes", 10, "passes over the 22 queries in the large recording; a million samples take 200 seconds of CPU at 5000 a second")
	f.IntVar(&o.diffHz, "diff-hz", 1000, "samples a second of task CPU in the recordings that are compared")
	f.IntVar(&o.diffPasses, "diff-passes", 3, "passes over the queries in each of them")
	f.BoolVar(&o.reuse, "reuse", false, "take recordings that the work folder has")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.data = filepath.Join(o.data, "sf"+strconv.FormatFloat(scale, 'g', -1, 64))
	o.parts = strings.Split(wanted, ",")
	for _, p := range o.parts {
		if !slices.Contains(all, p) {
			return o, fmt.Errorf("-parts: there is no %q, but %s", p, strings.Join(all, ", "))
		}
	}
	if o.hz < 1 || o.passes < 1 || o.diffHz < 1 || o.diffPasses < 1 {
		return o, fmt.Errorf("-hz %d, -passes %d, -diff-hz %d, -diff-passes %d: at least 1 each", o.hz, o.passes, o.diffHz, o.diffPasses)
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	began := time.Now()
	r := results{Figures: map[string]float64{}, Command: "go run ./bench/page " + strings.Join(args, " "), Started: began.UTC(), Spark: filepath.Base(o.spark), Data: filepath.Base(o.data), Found: []string{}}
	recorded := map[name]bool{}
	for _, p := range parts {
		if !slices.Contains(o.parts, p.name) {
			continue
		}
		for _, n := range p.needs {
			if recorded[n] {
				continue
			}
			if err := o.record(ctx, n); err != nil {
				return err
			}
			recorded[n] = true
		}
		if err := p.measure(&o, ctx, &r); err != nil {
			return fmt.Errorf("part %s: %w", p.name, err)
		}
		r.Seconds = time.Since(began).Seconds()
		if err := report.Write(o.out, r); err != nil { // what is there survives an interrupt
			return err
		}
	}
	report.Figures(os.Stdout, r.Figures)
	for _, line := range r.Found {
		fmt.Println(line)
	}
	return nil
}

// found notes a line of what a figure counts.
func (r *results) found(format string, args ...any) {
	r.Found = append(r.Found, fmt.Sprintf(format, args...))
}
