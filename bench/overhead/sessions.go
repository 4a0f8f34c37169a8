package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/planflame/planflame/bench/internal/report"
)

// sessionRun is one whole session: from the start of spark-submit to its end.
type sessionRun struct {
	Round     int     `json:"round"`
	Workload  string  `json:"workload"`
	Variant   string  `json:"variant"`
	CPU       float64 `json:"cpu_seconds"` // of the JVM and its Python
	Wall      float64 `json:"wall_seconds"`
	Collector float64 `json:"collector_cpu_seconds,omitempty"`
	// Samples, Lost and Refused are the Collector's own counts when Spark has ended, of the windows
	// that are over by then. Refused are events that could not be opened.
	Samples float64 `json:"samples,omitempty"`
	Lost    float64 `json:"lost,omitempty"`
	Refused float64 `json:"refused_events,omitempty"`
	Uploads int64   `json:"peer_uploads,omitempty"` // to /ingest; none in a session shorter than the peer's interval
	// Classes is the CPU by class of thread, in seconds.
	Classes map[string]float64 `json:"cpu_seconds_by_class"`
	// Pair is the same number in two sessions that ran beside each other, from 1; 0: it ran alone.
	Pair int  `json:"pair,omitempty"`
	Core *int `json:"core,omitempty"` // of a session of a pair
}

// comparison is a variant against stock over all rounds of a workload, or of all workloads.
type comparison struct {
	Workload string          `json:"workload"`
	Variant  string          `json:"variant"`
	CPU      report.Interval `json:"cpu_ratio"`
	Wall     report.Interval `json:"wall_ratio"`
	// Added is what each class of thread used beyond the stock session's, in seconds.
	Added map[string]mean `json:"added_cpu_seconds"`
}

// everything is the workload of a comparison over all of them but the start-up alone.
const everything = "all"

// sessions runs every variant of every workload once a round, in a random order; stock and null are
// always among them, or, with -beside, stock runs beside each.
func (b *bench) sessions(ctx context.Context) error {
	order := rand.New(rand.NewPCG(b.o.seed, 1))
	for round := range b.o.rounds {
		for _, w := range b.workloads {
			shuffled := slices.Clone(b.variants)
			order.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			for _, v := range shuffled {
				done, err := b.turn(ctx, v, w, round)
				if err != nil {
					return fmt.Errorf("round %d: %w", round+1, err)
				}
				for _, r := range done {
					r.Round = round
					b.say("round %d of %d, %-8s %-20s %6.2f s CPU, %6.2f s, Collector %.2f s, %.0f samples", round+1, b.o.rounds, w.Name, r.Variant, r.CPU, r.Wall, r.Collector, r.Samples)
					b.r.Sessions = append(b.r.Sessions, r)
				}
				if err := b.write(); err != nil { // what is there survives an interrupt
					return err
				}
			}
		}
		b.r.Comparisons = compare(b.r.Sessions)
		sessionFigures(b.r.Comparisons, b.r.Figures)
		b.accountFigures() // knows now what the flags cost
		if err := b.write(); err != nil {
			return err
		}
	}
	return nil
}

// turn runs a session of v; with -beside one of stock at the same time, and none where v is stock.
func (b *bench) turn(ctx context.Context, v variant, w workload, round int) ([]sessionRun, error) {
	if b.o.beside {
		if v.Name == stock {
			return nil, nil
		}
		return b.besideStock(ctx, v, w, round)
	}
	r, err := b.session(ctx, v, w, place{})
	return []sessionRun{r}, err
}

// place is where a session runs, and when.
type place struct {
	core  *int                        // the one core of it and its Collector; nil: all
	ready func(context.Context) error // is called when its Collector is up, and returns when it shall begin; nil: at once
}

// session runs one.
func (b *bench) session(ctx context.Context, v variant, w workload, at place) (sessionRun, error) {
	out := sessionRun{Workload: w.Name, Variant: v.Name}
	dir := filepath.Join(b.o.dir, w.Name+"-"+v.Name)
	if err := fresh(dir); err != nil {
		return out, err
	}
	var c *collector
	found := 0.
	if v.Hz > 0 {
		var err error
		if c, err = b.startCollector(ctx, reading{hz: v.Hz, mode: v.Mode, core: at.core}, dir); err != nil {
			return out, err
		}
	}
	var err error
	if at.ready != nil {
		err = at.ready(ctx)
	}
	ingested := b.sink.ingested.Load()
	var u usage
	if err == nil {
		spark := b.submit(v, w, dir)
		spark.core = at.core
		u, err = spark.run(ctx)
	}
	if v.Pushes {
		out.Uploads = b.sink.ingested.Load() - ingested
	}
	if c != nil {
		var sums map[string]float64
		var own usage
		var sumsErr, stopErr error
		sums, sumsErr = c.sumsOfSession(ctx)
		own, stopErr = c.stop()
		if err == nil && sumsErr != nil {
			err = fmt.Errorf("metrics of the Collector: %w", sumsErr)
		}
		if err == nil {
			err = stopErr
		}
		out.Collector, out.Samples, out.Lost, out.Refused = own.CPU.Seconds(), sums["samples"], sums["problems lost"], sums["jvm_events perf_open_failed"]
		found = sums["jvm_events found"]
	}
	if err != nil {
		return out, fmt.Errorf("%s, %s: %w", w.Name, v.Name, err)
	}
	if c != nil && found == 0 {
		return out, fmt.Errorf("%s, %s: the Collector found no JVM, see %s", w.Name, v.Name, dir)
	}
	if err := v.worked(dir); err != nil {
		return out, fmt.Errorf("%s, %s: %w", w.Name, v.Name, err)
	}
	if v.Pushes && out.Uploads == 0 {
		b.say("%s, %s: the profiler pushed nothing in this session", w.Name, v.Name)
	}
	out.CPU, out.Wall, out.Classes = u.CPU.Seconds(), u.Wall.Seconds(), map[string]float64{}
	for class, cpu := range u.Classes {
		out.Classes[class] = cpu.Seconds()
	}
	return out, nil
}

// worked reports whether the profiler of a variant has left what it writes in the session's folder.
func (v variant) worked(dir string) error {
	if v.Writes == "" {
		return nil
	}
	info, err := os.Stat(filepath.Join(dir, v.Writes))
	if err != nil {
		return fmt.Errorf("the profiler wrote nothing: %w", err)
	}
	if info.Size() == 0 {
		return fmt.Errorf("the profiler wrote nothing into %s", filepath.Join(dir, v.Writes))
	}
	return nil
}

// compare pairs each session with stock of its round and workload, or with the one that ran beside
// it.
func compare(all []sessionRun) []comparison {
	type key struct{ workload, variant string }
	cpu, wall, added := map[key][]float64{}, map[key][]float64{}, map[key][]map[string]float64{}
	var keys []key
	for _, r := range all {
		if r.Variant == stock {
			continue
		}
		at := slices.IndexFunc(all, func(s sessionRun) bool {
			return s.Variant == stock && s.Round == r.Round && s.Workload == r.Workload && s.Pair == r.Pair
		})
		if at < 0 {
			continue // the round is not complete
		}
		for _, w := range []string{r.Workload, everything} {
			if w == everything && r.Workload == startup {
				continue
			}
			k := key{w, r.Variant}
			if cpu[k] == nil {
				keys = append(keys, k)
			}
			cpu[k] = append(cpu[k], r.CPU/all[at].CPU)
			wall[k] = append(wall[k], r.Wall/all[at].Wall)
			added[k] = append(added[k], beyond(r.Classes, all[at].Classes))
		}
	}
	var out []comparison
	for _, k := range keys {
		out = append(out, comparison{k.workload, k.variant, report.IntervalOf(cpu[k]), report.IntervalOf(wall[k]), meansOf(added[k])})
	}
	slices.SortStableFunc(out, func(a, b comparison) int { return rank(a) - rank(b) })
	return out
}

// rank orders comparisons: all workloads first, null pairs first.
func rank(c comparison) int {
	w := slices.IndexFunc(workloads, func(w workload) bool { return w.Name == c.Workload }) // -1: everything
	v := slices.IndexFunc(variants, func(v variant) bool { return v.Name == c.Variant })
	return w*len(variants) + v
}

// headline is the variant that the figures are of.
const headline = "planflame-200"

// sessionFigures are the stable keys; ratios are of CPU.
func sessionFigures(all []comparison, figures map[string]float64) {
	for _, c := range all {
		switch {
		case c.Workload == everything && c.Variant == headline:
			figures["session_ratio_median"], figures["session_ratio_low"], figures["session_ratio_high"] = c.CPU.Median, c.CPU.Low, c.CPU.High
		case c.Workload == everything && c.Variant == null:
			figures["null_ratio_median"], figures["null_ratio_low"], figures["null_ratio_high"] = c.CPU.Median, c.CPU.Low, c.CPU.High
		case c.Workload == startup && c.Variant == headline:
			figures["startup_ratio"], figures["startup_ratio_low"], figures["startup_ratio_high"] = c.CPU.Median, c.CPU.Low, c.CPU.High
		case c.Workload == startup && c.Variant == null:
			figures["startup_null_ratio_low"], figures["startup_null_ratio_high"] = c.CPU.Low, c.CPU.High
		}
	}
}

// fresh makes an empty folder.
func fresh(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, 0o755)
}
