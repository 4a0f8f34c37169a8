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
	out, spark, data, work, planflame string
	scale, largerScale                string
	parts                             []string
	hz, sleep                         int
	reuse, recordOnly                 bool
}

// results are what is written.
type results struct {
	Figures map[string]float64 `json:"figures"`
	Command string             `json:"command"`
	Started time.Time          `json:"started"`
	Seconds float64            `json:"seconds"`
	Spark   string             `json:"spark"`
	Data    string             `json:"data"`
	Lines   []string           `json:"lines"` // what stands behind the figures
}

// part measures one thing from recordings and sets its figures.
type part struct {
	name    string
	needs   []name
	measure func(o *options, r *results) error
}

var parts = []part{
	{"schedule", []name{sleep4, sleep8, sleep16}, (*options).schedule},
	{"cores", []name{cores1, cores2}, (*options).cores},
	{"bridge", []name{base, larger, merged, burned}, (*options).bridge},
	{"cost", []name{own, tpch}, (*options).cost},
	{"expensive", []name{onefold, tenfold}, (*options).expensive},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "model:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	var all []string
	for _, p := range parts {
		all = append(all, p.name)
	}
	var wanted string
	f := flag.NewFlagSet("model", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/model.json", "file to write")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of a Spark")
	f.StringVar(&o.data, "tpch", "build/tpch", "folder of the TPC-H tables, with a folder sfSCALE")
	f.StringVar(&o.scale, "scale", "0.3", "scale of the TPC-H tables")
	f.StringVar(&o.largerScale, "larger", "1", "scale of the tables of more rows, parts bridge and cost")
	f.StringVar(&o.work, "work", "build/bench/model", "folder for recordings")
	f.StringVar(&o.planflame, "planflame", "build/planflame", "the command")
	f.StringVar(&wanted, "parts", strings.Join(all, ","), "parts to run, comma separated")
	f.IntVar(&o.hz, "hz", 500, "samples a second of task CPU, parts bridge and cost")
	f.IntVar(&o.sleep, "sleep", 150, "milliseconds that a sleeping task sleeps in the median, part schedule; longer ones suffer less from a busy machine")
	f.BoolVar(&o.reuse, "reuse", false, "take recordings that the work folder has")
	f.BoolVar(&o.recordOnly, "record-only", false, "make the recordings, measure nothing")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.parts = strings.Split(wanted, ",")
	for _, p := range o.parts {
		if !slices.Contains(all, p) {
			return o, fmt.Errorf("-parts: there is no %q, but %s", p, strings.Join(all, ", "))
		}
	}
	if o.hz < 1 {
		return o, fmt.Errorf("-hz %d: at least 1", o.hz)
	}
	if o.sleep < 1 {
		return o, fmt.Errorf("-sleep %d: at least 1", o.sleep)
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	began := time.Now()
	r := results{Figures: map[string]float64{}, Command: "go run ./bench/model " + strings.Join(args, " "), Started: began.UTC(), Spark: filepath.Base(o.spark), Data: "tpch sf" + o.scale + ", sf" + o.largerScale, Lines: []string{}}
	for _, p := range parts {
		if !slices.Contains(o.parts, p.name) {
			continue
		}
		for _, n := range p.needs {
			if err := o.record(ctx, n); err != nil {
				return err
			}
		}
		if o.recordOnly {
			continue
		}
		if err := p.measure(&o, &r); err != nil {
			return fmt.Errorf("part %s: %w", p.name, err)
		}
		r.Seconds = time.Since(began).Seconds()
		if err := report.Write(o.out, r); err != nil { // what is there survives an interrupt
			return err
		}
	}
	report.Figures(os.Stdout, r.Figures)
	return nil
}

// line notes what stands behind a figure.
func (r *results) line(format string, args ...any) {
	r.Lines = append(r.Lines, fmt.Sprintf(format, args...))
}
