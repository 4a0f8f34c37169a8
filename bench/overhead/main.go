// Overhead measures what planflame costs on real Spark, beside what other profilers cost in the
// same run.
//
//	sessions   whole sessions, stock against each variant, in a random order, null pairs among them ─▶ ratios with sign-test intervals
//	samples    the kernel's work for a sample, by regression over rates, and async-profiler's share of task CPU, counted from outside
//	tasks      the plugin's and the agent's work at a task's start and end, in a loop
//	account    samples, tasks and threads of the agent in a TPC-H pass × their cost ─▶ share of task CPU
//	collector  CPU a sample and memory of the Collector over 16 task threads
//	idle       CPU, system calls and memory of the Collector beside JVMs that idle
//
// A ratio of two sessions cannot resolve less than the width of the null pairs. Below that the
// account decides.
//
//	go run ./bench/overhead -out build/bench/overhead.json
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/bench/internal/report"
)

// options are the command line.
type options struct {
	out, spark, data, dir           string
	collector, plugin, agent, peers string
	parts, variants, workloads      string
	rounds, passes, repeat, warm    int
	tiny, distinct, wide            int
	master, memory                  string
	collectorMaster                 string
	collectorHz                     int
	seed                            uint64
	beside                          bool
}

// bench is a run of it.
type bench struct {
	o         options
	variants  []variant
	workloads []workload
	sink      *sink
	pairs     int // sessions that ran beside stock so far
	r         results
}

// results are what is written.
type results struct {
	Figures     map[string]float64 `json:"figures"`
	Command     string             `json:"command"`
	Started     time.Time          `json:"started"`
	Seconds     float64            `json:"seconds"`
	Spark       string             `json:"spark"`
	CPUs        int                `json:"cpus"`
	Comparisons []comparison       `json:"comparisons,omitempty"`
	Sessions    []sessionRun       `json:"sessions,omitempty"`
	Samples     *sampleCost        `json:"sample_cost,omitempty"`
	Tasks       *taskCost          `json:"task_cost,omitempty"`
	Account     []account          `json:"account,omitempty"`
	Collector   *collectorCost     `json:"collector,omitempty"`
	Idle        *idleCost          `json:"idle,omitempty"`
	Startup     *startupCost       `json:"startup,omitempty"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("overhead", flag.ContinueOnError)
	f.StringVar(&o.out, "out", "build/bench/overhead.json", "file to write")
	f.StringVar(&o.spark, "spark", "build/spark/4.3.0", "virtual environment of a Spark")
	f.StringVar(&o.data, "data", "build/tpch/sf1", "folder of the TPC-H tables")
	f.StringVar(&o.dir, "work", "build/bench/overhead", "folder for logs and classes")
	f.StringVar(&o.collector, "collector", "build/planflame-collector", "the Collector")
	f.StringVar(&o.plugin, "plugin", "build/plugin/planflame-spark.jar", "the Spark plugin")
	f.StringVar(&o.agent, "agent", "build/native/libplanflame.so", "the agent's library")
	f.StringVar(&o.peers, "peers", "build/peers", "folder of scripts/fetch-peers")
	f.StringVar(&o.parts, "parts", "all", "what is measured, comma separated: "+strings.Join(partNames(), ", "))
	f.StringVar(&o.variants, "variants", "all", "of whole sessions, comma separated; stock and null are always among them")
	f.StringVar(&o.workloads, "workloads", "all", "of whole sessions, comma separated")
	f.IntVar(&o.rounds, "rounds", 7, "of whole sessions: each runs every variant of every workload once")
	f.IntVar(&o.passes, "passes", 10, "rounds within a warmed session")
	f.IntVar(&o.warm, "warm", 4, "rounds before anything is measured in a warmed session")
	f.IntVar(&o.repeat, "repeat", 3, "how often each TPC-H query of a whole session runs")
	f.IntVar(&o.tiny, "tiny", 20_000, "tasks of the workload tiny")
	f.IntVar(&o.distinct, "distinct", 500, "queries of the workload distinct")
	f.IntVar(&o.wide, "wide", 300, "columns of the workload wide")
	f.StringVar(&o.master, "master", "local[2]", "of whole sessions")
	f.StringVar(&o.memory, "memory", "4g", "of the driver")
	f.StringVar(&o.collectorMaster, "collector-master", "local-cluster[2,8,2048]", "what the Collector of the part collector samples")
	f.IntVar(&o.collectorHz, "collector-hz", headlineHz, "of the part collector; with more, few cores give as many samples a second as sixteen threads that all run")
	f.BoolVar(&o.beside, "beside", false, "run each whole session at the same time as a stock one, each on one core")
	f.Uint64Var(&o.seed, "seed", 7, "of the order")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q is no flag", f.Arg(0))
	}
	for name, n := range map[string]int{"-rounds": o.rounds, "-passes": o.passes, "-warm": o.warm, "-repeat": o.repeat, "-tiny": o.tiny, "-distinct": o.distinct, "-wide": o.wide, "-collector-hz": o.collectorHz} {
		if n < 1 {
			return o, fmt.Errorf("%s %d: at least 1", name, n)
		}
	}
	return o, o.absolute()
}

// absolute makes paths absolute that programs get which may run elsewhere.
func (o *options) absolute() error {
	for _, p := range []*string{&o.spark, &o.data, &o.dir, &o.collector, &o.plugin, &o.agent, &o.peers} {
		abs, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	return nil
}

// part is one kind of measurement.
type part struct {
	name string
	run  func(*bench, context.Context) error
}

// parts in the order in which they run: account needs what samples and tasks found.
var parts = []part{
	{"tasks", (*bench).tasks},
	{"samples", (*bench).samples},
	{"account", (*bench).account},
	{"collector", (*bench).measureCollector},
	{"idle", (*bench).measureIdle},
	{"startup", (*bench).startup},
	{"sessions", (*bench).sessions},
}

// partNames stands apart from parts, whose functions parse flags' names in errors.
func partNames() []string {
	return []string{"tasks", "samples", "account", "collector", "idle", "startup", "sessions"}
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	b := &bench{o: o, r: results{
		Figures: map[string]float64{}, Command: "go run ./bench/overhead " + strings.Join(args, " "), Started: time.Now().UTC(),
		Spark: filepath.Base(o.spark), CPUs: runtime.NumCPU(),
	}}
	wanted, err := chosen("-parts", o.parts, parts, func(p part) string { return p.name })
	if err != nil {
		return err
	}
	if err := b.choose(); err != nil {
		return err
	}
	if err := b.check(wanted); err != nil {
		return err
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	if b.sink, err = newSink(); err != nil {
		return err
	}
	for _, p := range wanted {
		b.say("part %s", p.name)
		if err = p.run(b, ctx); err != nil {
			err = fmt.Errorf("part %s: %w", p.name, err)
			break
		}
		if err = b.write(); err != nil {
			break
		}
	}
	return errors.Join(err, b.sink.close())
}

// choose finds the variants and workloads.
func (b *bench) choose() error {
	list := b.o.variants
	if list != "all" {
		for _, always := range []string{stock, null} {
			if !strings.Contains(","+list+",", ","+always+",") {
				list += "," + always
			}
		}
	}
	var err error
	if b.variants, err = chosen("-variants", list, variants, func(v variant) string { return v.Name }); err != nil {
		return err
	}
	b.workloads, err = chosen("-workloads", b.o.workloads, workloads, func(w workload) string { return w.Name })
	return err
}

// check names what is missing, before an hour is spent.
func (b *bench) check(wanted []part) error {
	needed := map[string]string{
		filepath.Join(b.o.spark, "bin", "spark-submit"): "scripts/fetch-spark " + filepath.Base(b.o.spark),
		filepath.Join(b.o.data, "lineitem.parquet"):     "scripts/fetch-tpch " + strings.TrimPrefix(filepath.Base(b.o.data), "sf"),
		b.o.collector: "make build", b.o.plugin: "make plugin", b.o.agent: "make native",
	}
	want := func(name string) bool {
		return slices.ContainsFunc(wanted, func(p part) bool { return p.name == name })
	}
	peers := want("samples") || want("sessions") && slices.ContainsFunc(b.variants, variant.needsPeers)
	if peers {
		needed[filepath.Join(b.o.peers, ".complete")] = "scripts/fetch-peers"
	}
	var err error
	if want("idle") {
		if _, e := exec.LookPath("strace"); e != nil {
			err = fmt.Errorf("-parts idle counts system calls: %w", e)
		}
	}
	if b.o.beside {
		if _, e := twoCores(); e != nil {
			err = errors.Join(err, e)
		}
		if !want("sessions") {
			err = errors.Join(err, errors.New("-beside is for the part sessions, which is not among -parts"))
		}
	}
	for path, mend := range needed {
		if _, e := os.Stat(path); e != nil {
			err = errors.Join(err, fmt.Errorf("%w: run %s", e, mend))
		}
	}
	return err
}

// filler puts values into the words in braces of variants and workloads.
func (b *bench) filler(dir string) func(string) string {
	return strings.NewReplacer("{dir}", dir, "{peers}", b.o.peers, "{server}", b.sink.URL, "{data}", b.o.data, "{repeat}", strconv.Itoa(b.o.repeat),
		"{tiny}", strconv.Itoa(b.o.tiny), "{distinct}", strconv.Itoa(b.o.distinct), "{wide}", strconv.Itoa(b.o.wide)).Replace
}

// say tells the user one line.
func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%7.1f s  %s\n", time.Since(b.r.Started).Seconds(), fmt.Sprintf(format, args...))
}

func (b *bench) write() error {
	b.r.Seconds = time.Since(b.r.Started).Seconds()
	return report.Write(b.o.out, b.r)
}

func pathWith(first string) string { return first + string(os.PathListSeparator) + os.Getenv("PATH") }
