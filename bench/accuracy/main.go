// Accuracy measures how far planflame's cost of an operator is from the truth, on real Spark. It
// makes one operator of a query burn more CPU. Then it compares that operator's growth with the
// growth of the tasks' CPU by Spark's own account (LLSS's method, Stuart 2020).
//
// What makes it fair:
//
//   - the burn allocates nothing and cannot be folded
//   - all forms of a query read the same columns
//   - hash tables stay in the cache
//   - E compares the growth from one burn to two
//   - passes are interleaved and pooled before dividing
//
// Usage:
//
//	go run ./bench/accuracy -out build/bench/accuracy.json
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
	"github.com/planflame/planflame/bench/internal/session"
)

// options are the command line.
type options struct {
	out, spark, data, dir string
	rates                 []rate
	passes                int
	families              string
	conf, master          string
	reuse                 bool
	fresh                 int // plans a session; 0: the families are measured

	classes string // folder of the compiled function; "" where nothing runs
}

// rate is how many sessions (JVMs) run at how many samples a second.
type rate struct{ hz, sessions int }

// results are what is written.
type results struct {
	Figures  map[string]float64 `json:"figures"`
	Command  string             `json:"command"`
	Started  time.Time          `json:"started"`
	Seconds  float64            `json:"seconds"`
	Spark    string             `json:"spark"`
	Families map[string]string  `json:"families"` // name → SQL of level 1
	Results  []result           `json:"results"`
	Fresh    []freshResult      `json:"fresh,omitempty"`
}

// result is one family at one rate.
type result struct {
	Family   string   `json:"family"`
	Group    string   `json:"group"`
	Hz       int      `json:"hz"`
	Operator string   `json:"operator"`
	Marginal estimate `json:"marginal"` // level 1 → 2: the figure
	Absolute estimate `json:"absolute"` // level 0 → 2
	// Cold is the marginal E of the passes that warm the JVMs up: each statement's first execution.
	// Nil for one session.
	Cold *estimate `json:"cold,omitempty"`
	// Baselines are the marginal E of the same samples without some of planflame's evidence.
	Baselines map[string]float64 `json:"baselines"`
}

// baselines are what other profilers see, name → what is left out of the samples. Besides, there is
// bySQLMetrics.
var baselines = map[string]string{
	"frame-pointer chain alone": "stack-repair,line-repair",
	"without line repair":       "line-repair",
	"method names alone":        "lines",
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	var rates string
	f := flag.NewFlagSet("accuracy", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/accuracy.json", "file to write")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of a Spark")
	f.StringVar(&o.data, "data", "build/tpch/sf0.3", "folder of the TPC-H tables")
	f.StringVar(&o.dir, "work", "build/bench/accuracy", "folder for recordings and logs")
	f.IntVar(&o.fresh, "fresh", 0, "instead of the families, a filter's share of the growth that 40 hashes bring, first passes included, over so many plans a session")
	f.StringVar(&rates, "rates", "200x5,1000x2,100x1,20x1,2x1", "samples a second × sessions, comma separated")
	f.IntVar(&o.passes, "passes", 6, "counted passes in a session")
	f.StringVar(&o.families, "families", "all", "names or groups (pure, llss, own, whole, udf, other), comma separated, or all")
	f.StringVar(&o.conf, "conf", "", "further settings of Spark, key=value, comma separated")
	f.StringVar(&o.master, "master", "local[2]", "Spark's master")
	f.BoolVar(&o.reuse, "reuse", false, "judge what is recorded in -work again, without baselines, and run nothing")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.passes < 2 {
		return o, fmt.Errorf("-passes %d: at least 2, for the spread", o.passes)
	}
	if o.fresh != 0 && (o.fresh < 2 || o.fresh > mostFresh) {
		return o, fmt.Errorf("-fresh %d: from 2, for the spread, to %d, whose code fits in Spark's cache", o.fresh, mostFresh)
	}
	for _, r := range strings.Split(rates, ",") {
		hz, n, _ := strings.Cut(r, "x")
		h, err1 := strconv.Atoi(hz)
		s, err2 := strconv.Atoi(n)
		if err := errors.Join(err1, err2); err != nil || h < 1 || s < 1 {
			return o, fmt.Errorf("-rates %q: not HZxSESSIONS", r)
		}
		o.rates = append(o.rates, rate{h, s})
	}
	return o, nil
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	chosen, err := choose(o.families)
	if err != nil {
		return err
	}
	if !o.reuse && o.fresh == 0 {
		if o.classes, err = compileFunction(ctx, o.spark, o.dir); err != nil {
			return err
		}
	}
	began := time.Now()
	r := results{Command: "go run ./bench/accuracy " + strings.Join(args, " "), Started: began.UTC(), Spark: filepath.Base(o.spark), Families: map[string]string{}}
	for _, f := range chosen {
		r.Families[f.Name] = f.statement(1).SQL
	}
	for _, rate := range o.rates {
		if o.fresh > 0 {
			fresh, err := measureFresh(ctx, o, rate)
			if err != nil {
				return err
			}
			r.Fresh = append(r.Fresh, fresh...)
		} else {
			results, err := measure(ctx, o, rate, chosen)
			if err != nil {
				return err
			}
			r.Results = append(r.Results, results...)
		}
		r.Figures, r.Seconds = figures(r.Results), time.Since(began).Seconds()
		for _, x := range r.Fresh {
			r.Figures[fmt.Sprintf("%s_growth_share_%dhz", x.Family, x.Hz)] = 1 + x.All.E
		}
		if err := report.Write(o.out, r); err != nil { // what is there survives an interrupt
			return err
		}
	}
	return nil
}

// choose finds families by name or group; a name with a comma in it has its group only.
func choose(names string) ([]family, error) {
	if names == "all" {
		return families, nil
	}
	var out []family
	for _, name := range strings.Split(names, ",") {
		n := len(out)
		for _, f := range families {
			if f.Name == name || f.Group == name {
				out = append(out, f)
			}
		}
		if len(out) == n {
			return nil, fmt.Errorf("-families: there is no %q", name)
		}
	}
	return out, nil
}

// record is what makes a session, or reads it again.
func (o options) record() func(context.Context, session.Settings, session.Spec, func(string)) ([]session.Execution, error) {
	if !o.reuse {
		return session.Run
	}
	return func(_ context.Context, s session.Settings, _ session.Spec, _ func(string)) ([]session.Execution, error) {
		return session.Read(s.Dir)
	}
}

func (o options) sparkConf() []string {
	if o.conf == "" {
		return nil
	}
	return strings.Split(o.conf, ",")
}

// measure runs the sessions of one rate.
func measure(ctx context.Context, o options, r rate, chosen []family) ([]result, error) {
	record := o.record()
	passes := map[string]map[string][]growth{"": {}, bySQLMetrics: {}} // baseline → family → passes
	for name := range baselines {
		passes[name] = map[string][]growth{}
	}
	if o.reuse {
		passes = map[string]map[string][]growth{"": {}}
	}
	first := map[string][]growth{} // family → passes that warm up
	for n := range r.sessions {
		spec := session.Spec{Tables: tables(o.data), Functions: map[string]string{function: functionClass}, Warmup: 1, Passes: o.passes, Seed: int64(1000*r.hz + n)}
		name := fmt.Sprintf("%dhz-%d", r.hz, n)
		files, err := filepath.Abs(filepath.Join(o.dir, "tables"))
		if err != nil {
			return nil, err
		}
		for _, f := range chosen {
			for level := range levels {
				spec.Statements = append(spec.Statements, f.statement(level))
				spec.Setup = append(spec.Setup, f.setup(level, files)...)
			}
		}
		settings := session.Settings{Planflame: "build/planflame", Spark: o.spark, Job: "test/jobs/passes.py", Dir: filepath.Join(o.dir, name), Hz: r.hz, Master: o.master, Baselines: baselines,
			Conf: append(o.sparkConf(), "spark.driver.extraClassPath="+o.classes)}
		executions, err := record(ctx, settings, spec, func(line string) {
			fmt.Fprintf(os.Stderr, "%d Hz, session %d of %d, %s\n", r.hz, n+1, r.sessions, line)
		})
		if err != nil {
			return nil, err
		}
		for _, f := range chosen {
			add := func(to map[string][]growth, baseline string, wanted func(int) bool) error {
				g, err := collect(f, n, executions, baseline, wanted)
				if err != nil {
					return fmt.Errorf("session %s: %w", name, err)
				}
				to[f.Name] = append(to[f.Name], g...)
				return nil
			}
			err := add(first, "", cold)
			for baseline := range passes {
				err = errors.Join(err, add(passes[baseline], baseline, warm))
			}
			if err != nil {
				return nil, err
			}
		}
	}
	var out []result
	for _, f := range chosen {
		x := result{Family: f.Name, Group: f.Group, Hz: r.hz, Operator: f.Role, Baselines: map[string]float64{},
			Marginal: estimateE(passes[""][f.Name], 1), Absolute: estimateE(passes[""][f.Name], 0)}
		for name := range passes {
			if name != "" {
				x.Baselines[name], _ = pooled(passes[name][f.Name], 1, -1)
			}
		}
		if r.sessions > 1 {
			c := estimateE(first[f.Name], 1)
			x.Cold = &c
			fmt.Fprintf(os.Stderr, "%-22s %4d Hz  cold: E %+6.2f %% ± %.2f (growth %.1f s)\n", f.Name, r.hz, 100*c.E, 100*c.SE, c.TrueSeconds)
		}
		fmt.Fprintf(os.Stderr, "%-22s %4d Hz  E %+6.2f %% ± %.2f (growth %.1f s, %.1f × the reference); from the reference %+6.2f %%\n", f.Name, r.hz,
			100*x.Marginal.E, 100*x.Marginal.SE, x.Marginal.TrueSeconds, 1/x.Marginal.ReferenceShare, 100*x.Absolute.E)
		for name, e := range x.Baselines {
			fmt.Fprintf(os.Stderr, "    %s: E %+.1f %%\n", name, 100*e)
		}
		out = append(out, x)
	}
	return out, nil
}

func tables(data string) map[string]string {
	out := map[string]string{}
	for _, t := range []string{"lineitem", "supplier", "orders", "part"} {
		out[t] = filepath.Join(data, t+".parquet")
	}
	return out
}

// figures are the stable keys.
func figures(all []result) map[string]float64 {
	out := map[string]float64{}
	for _, r := range all {
		suffix := fmt.Sprintf("_%dhz", r.Hz)
		switch r.Group {
		case "pure":
			if r.Hz == 200 {
				var sum, worst float64
				for _, e := range r.Marginal.BySession {
					sum += math.Abs(e)
					worst = max(worst, math.Abs(e))
				}
				out["pure_error_mean"], out["pure_error_worst"] = sum/float64(len(r.Marginal.BySession)), worst
			}
		case "llss":
			out["mean_abs_error"+suffix] += math.Abs(r.Marginal.E) / float64(count(all, "llss", r.Hz))
			out["worst_bound"+suffix] = max(out["worst_bound"+suffix], r.Marginal.Bound)
		case "own":
			out["llss_own_form_error"+suffix] += math.Abs(r.Absolute.E) / float64(count(all, "own", r.Hz))
		case "whole":
			out["llss_whole_query_error"+suffix] += math.Abs(r.Absolute.E) / float64(count(all, "whole", r.Hz))
		case "udf":
			out["worst_error_udf"+suffix] = max(out["worst_error_udf"+suffix], math.Abs(r.Marginal.E))
		case "other":
			out["worst_error_other"+suffix] = max(out["worst_error_other"+suffix], math.Abs(r.Marginal.E))
			if r.Cold != nil {
				out["worst_error_other_cold"+suffix] = max(out["worst_error_other_cold"+suffix], math.Abs(r.Cold.E))
			}
		}
	}
	return out
}

func count(all []result, group string, hz int) int {
	n := 0
	for _, r := range all {
		if r.Group == group && r.Hz == hz {
			n++
		}
	}
	return n
}
