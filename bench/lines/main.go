package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
	"github.com/planflame/planflame/bench/internal/session"
	"github.com/planflame/planflame/bench/internal/workload"
)

// options are the command line.
type options struct {
	out, spark, data, ownData, dir, planflame, plugin string
	sets                                              []string
	hz, warmup, passes, mutations                     int
	reuse                                             map[string]bool
	recordOnly                                        bool
}

// results are what is written.
type results struct {
	Figures map[string]float64    `json:"figures"`
	Command string                `json:"command"`
	Started time.Time             `json:"started"`
	Seconds float64               `json:"seconds"`
	Spark   string                `json:"spark"`
	Data    string                `json:"data"`
	Run     string                `json:"recorded_run"` // how CPU was recorded
	Sets    map[string]*setResult `json:"sets"`
	Shares  *shares               `json:"shares"` // of the recorded run
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "lines:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	var sets, reuse string
	f := flag.NewFlagSet("lines", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/attribution.json", "file to write")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of a Spark")
	f.StringVar(&o.data, "data", "build/tpch/sf0.3", "folder of the TPC-H tables for the set tpch")
	f.StringVar(&o.ownData, "own-data", "build/tpch/sf0.01", "folder of the TPC-H tables for the set own, whose statements give all their rows to the driver")
	f.StringVar(&o.dir, "work", "build/bench/attribution", "folder for recordings, cases and logs")
	f.StringVar(&o.planflame, "planflame", "build/planflame", "the command")
	f.StringVar(&o.plugin, "plugin", "build/plugin/planflame-spark.jar", "its Spark plugin")
	f.StringVar(&sets, "sets", "own,tpch", "sets of statements, comma separated: own, tpch")
	f.IntVar(&o.hz, "hz", 1000, "samples a second of task CPU in the recorded run of tpch; 0: none, lines count one each")
	f.IntVar(&o.warmup, "warmup", 2, "passes over all statements that are not counted")
	f.IntVar(&o.passes, "passes", 2, "passes that are")
	f.IntVar(&o.mutations, "mutations", 12, "changes of each plan node at most, for the second oracle")
	f.StringVar(&reuse, "reuse", "", "what to take from the last run in the work folder, comma separated: recorded, cases")
	f.BoolVar(&o.recordOnly, "record-only", false, "only the recorded run and its shares, no lines; -reuse recorded may follow")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	for _, s := range strings.Split(sets, ",") {
		if s != "own" && s != "tpch" {
			return o, fmt.Errorf("-sets: there is no %q", s)
		}
		o.sets = append(o.sets, s)
	}
	o.reuse = map[string]bool{}
	for _, r := range strings.FieldsFunc(reuse, func(c rune) bool { return c == ',' }) {
		if r != "recorded" && r != "cases" {
			return o, fmt.Errorf("-reuse: there is no %q", r)
		}
		o.reuse[r] = true
	}
	if o.hz < 0 || o.warmup < 0 || o.passes < 1 || o.mutations < 0 {
		return o, fmt.Errorf("-hz %d, -warmup %d, -passes %d, -mutations %d: at least 0, 0, 1, 0", o.hz, o.warmup, o.passes, o.mutations)
	}
	return o, nil
}

// conf are the settings of both runs: a class must stay compiled for all passes, and its text be
// whole in both.
func (o options) conf() []string { return []string{"spark.sql.codegen.cache.maxEntries=2000"} }

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	began := time.Now()
	r := results{Command: "go run ./bench/lines " + strings.Join(args, " "), Started: began.UTC(), Spark: filepath.Base(o.spark), Data: fmt.Sprintf("tpch %s, own %s", filepath.Base(o.data), filepath.Base(o.ownData)),
		Figures: map[string]float64{}, Sets: map[string]*setResult{}}
	for _, name := range o.sets {
		statements := workload.Own
		if name == "tpch" {
			if statements, err = workload.TPCH(); err != nil {
				return err
			}
		}
		var w *weights
		if name == "tpch" && o.hz > 0 {
			r.Run = fmt.Sprintf("planflame run --hz %d, local[2], %s, passes in drawn order: %d to warm up, then %d counted", o.hz, strings.Join(o.conf(), " "), o.warmup, o.passes)
			if w, r.Shares, err = o.record(ctx, statements); err != nil {
				return err
			}
		}
		if !o.recordOnly {
			if r.Sets[name], err = o.oracle(ctx, name, statements, w); err != nil {
				return err
			}
		}
		r.figures(name)
		r.Seconds = time.Since(began).Seconds()
		if err := report.Write(o.out, r); err != nil { // what is there survives an interrupt
			return err
		}
	}
	return nil
}

// record runs statements under planflame.
func (o options) record(ctx context.Context, statements []session.Statement) (*weights, *shares, error) {
	s := session.Spec{Tables: workload.Tables(o.data), Statements: statements, Warmup: o.warmup, Passes: o.passes, Seed: 1}
	settings := session.Settings{Planflame: o.planflame, Spark: o.spark, Job: "test/jobs/passes.py", Dir: filepath.Join(o.dir, "recorded"), Hz: o.hz, Conf: o.conf()}
	var executions []session.Execution
	var err error
	if kept := filepath.Join(o.dir, "executions.json"); o.reuse["recorded"] {
		err = readJSON(kept, &executions)
	} else {
		if executions, err = session.Run(ctx, settings, s, func(line string) { fmt.Fprintln(os.Stderr, line) }); err == nil {
			err = report.Write(kept, executions)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	counted := map[int64]string{}
	var all []nodeCPU
	var spark time.Duration
	for _, e := range executions {
		if e.Pass < 0 {
			continue
		}
		counted[e.ID] = e.Statement
		spark += e.TaskCPU
		for operator, x := range e.Operators {
			all = append(all, nodeCPU{e.Statement, operator, x.CPU})
		}
	}
	shared := shareOut(all, spark)
	w, err := weigh(filepath.Join(settings.Dir, "out", "recording"), counted)
	return w, &shared, err
}

// oracle examines statements and judges.
func (o options) oracle(ctx context.Context, name string, statements []session.Statement, w *weights) (*setResult, error) {
	h := harness{spark: o.spark, plugin: o.plugin, source: "bench/lines/harness", job: "test/jobs/lines.py", dir: filepath.Join(o.dir, name), say: os.Stderr}
	cases, data := filepath.Join(h.dir, "cases"), o.data
	if name == "own" {
		data = o.ownData
	}
	if !o.reuse["cases"] {
		var err error
		if cases, err = h.examine(ctx, spec{Tables: workload.Tables(data), Statements: statements, Mutations: o.mutations}, o.conf()); err != nil {
			return nil, err
		}
	}
	t := newTally(w)
	for _, s := range statements {
		c, err := readCase(filepath.Join(cases, s.ID+".json"))
		if err != nil {
			return nil, err
		}
		t.Statements++
		for i := range c.Units {
			j, err := c.judge(&c.Units[i])
			if err != nil {
				return nil, fmt.Errorf("statement %s, class %s: %w", s.ID, c.Units[i].Class, err)
			}
			t.add(s.ID, j)
		}
	}
	result := t.finish()
	fmt.Fprintf(os.Stderr, "%s: %d classes, lines: %.0f right, %.0f wrong, %.0f disputed, %.0f not judged; mutations: %d confined, %d lines agree, %d do not\n", name, result.Classes,
		result.Lines.Right, result.Lines.Wrong, result.Lines.Disputed, result.Lines.NotJudged, result.Mutations.Confined, result.Mutations.Agree, result.Mutations.Disagree)
	return &result, nil
}

// figures sets the stable keys.
func (r *results) figures(set string) {
	if r.Shares != nil {
		r.Figures["plan_node_share"], r.Figures["named_share"] = r.Shares.Node, r.Shares.Named
	}
	x := r.Sets[set]
	if x == nil {
		return
	}
	suffix, s := "", x.CPU
	if set == "own" {
		suffix, s = "_own", &x.Lines
	} else if s == nil {
		return // not weighed: no figure
	}
	r.Figures["lines_right_share"+suffix] = s.rightShare()
	r.Figures["lines_disputed_share"+suffix] = share(s.Disputed, s.total())
	r.Figures["lines_judged_share"+suffix] = share(s.Right+s.Wrong, s.total())
}

func readJSON(path string, v any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
