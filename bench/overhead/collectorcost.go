package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// collectorCost is what the Collector itself needs.
type collectorCost struct {
	Master string `json:"master"`
	Hz     int    `json:"hz"`
	Warm   work   `json:"warm"`  // in warmed passes
	Whole  work   `json:"whole"` // from its start to its end: code, sources and plans of the JVMs' start are read once
	// Idle is its CPU in milliseconds a second while the session has nothing to do, and Beyond what
	// Warm has on top of that, in microseconds a sample.
	Idle   float64 `json:"idle_ms_per_second"`
	Beyond float64 `json:"us_per_sample_beyond_idle"`
	// PerSecond is how many samples a second there were in warmed passes: what it does by the round
	// and by the window is less of each where they are many.
	PerSecond float64 `json:"samples_per_second"`
	PeakMB    float64 `json:"peak_rss_mb"` // VmHWM, in 10^6 bytes
	// Heap, Files and Shared are what of the memory after the passes is its own, pages of its
	// binary and other files, and memory of the JVMs.
	Heap    float64            `json:"anonymous_mb"`
	Files   float64            `json:"file_mb"`
	Shared  float64            `json:"shared_mb"`
	Pushes  int64              `json:"pushes"`
	Metrics map[string]float64 `json:"metrics"` // its own, at the end
	Top     []function         `json:"top"`     // of its CPU profile in warmed passes, in a second run that profiled itself
	warmed  stretch
}

// work is CPU and what it was for.
type work struct {
	CPU             float64 `json:"cpu_seconds"`
	Samples         float64 `json:"samples"`
	MicrosPerSample float64 `json:"us_per_sample"`
}

func workOf(cpu time.Duration, samples float64) work {
	return work{CPU: cpu.Seconds(), Samples: samples, MicrosPerSample: cpu.Seconds() * 1e6 / samples}
}

// function is a line of a profile.
type function struct {
	Name       string  `json:"name"`
	Flat       float64 `json:"flat_share"`
	Cumulative float64 `json:"cumulative_share"`
}

// headlineHz is the rate of the figures that have goals.
const headlineHz = 200

// figure puts a figure of the Collector into the report; figures of another rate than the
// headline's have a key of their own.
func (b *bench) figure(key string, value float64) {
	if b.o.collectorHz != headlineHz {
		key = fmt.Sprintf("%s_%dhz", key, b.o.collectorHz)
	}
	b.r.Figures[key] = value
}

// measureCollector runs TPC-H under a Collector, then again under one that profiles itself.
func (b *bench) measureCollector(ctx context.Context) error {
	plain, err := b.underCollector(ctx, false)
	if err != nil {
		return err
	}
	b.say("Collector: %.1f µs a sample (%.2f s for %.0f), with its start %.1f µs (%.2f s for %.0f), %.0f MB (now %.0f of its own, %.0f of files, %.0f of the JVMs)", plain.Warm.MicrosPerSample, plain.Warm.CPU,
		plain.Warm.Samples, plain.Whole.MicrosPerSample, plain.Whole.CPU, plain.Whole.Samples, plain.PeakMB, plain.Heap, plain.Files, plain.Shared)
	b.say("Collector: %.1f ms a second while nothing runs, and %.1f µs a sample beyond that, at %.0f samples a second", plain.Idle, plain.Beyond, plain.PerSecond)
	b.r.Collector = &plain
	b.figure("collector_us_per_sample_beyond_idle", plain.Beyond)
	b.figure("collector_us_per_sample", plain.Warm.MicrosPerSample)
	b.figure("collector_us_per_sample_with_start", plain.Whole.MicrosPerSample)
	b.figure("collector_samples_per_second", plain.PerSecond)
	b.figure("collector_rss_mb", plain.PeakMB)
	self, err := b.underCollector(ctx, true)
	if err != nil {
		return fmt.Errorf("with its own profile: %w", err)
	}
	p, err := b.sink.selfProfile(self.warmed.from, self.warmed.to)
	if err != nil {
		return err
	}
	if p == nil {
		return errors.New("the Collector sent no profile of itself in warmed passes")
	}
	b.r.Collector.Top = top(p, 40)
	f, err := os.Create(filepath.Join(b.o.dir, "collector-cpu.pb.gz"))
	if err != nil {
		return err
	}
	return errors.Join(p.Write(f), f.Close())
}

// sampled is a Spark session under a Collector.
type sampled struct {
	dir       string
	collector *collector
	spark     *console
}

// startSampled starts a Collector, and a session with what it samples. Files of both go into a
// folder of that name.
func (b *bench) startSampled(ctx context.Context, name string, self bool) (*sampled, error) {
	s := &sampled{dir: filepath.Join(b.o.dir, name)}
	if err := fresh(s.dir); err != nil {
		return nil, err
	}
	home, err := b.sparkHome(s.dir)
	if err != nil {
		return nil, err
	}
	if s.collector, err = b.startCollector(ctx, reading{hz: b.o.collectorHz, mode: "privileged", self: self}, s.dir); err != nil {
		return nil, err
	}
	s.spark, err = b.startConsole(ctx, consoleSpec{name: name + "-console", master: b.o.collectorMaster, jvm: agentFlags, plugin: true,
		env: []string{"SPARK_HOME=" + home, "SPARK_LOCAL_IP=127.0.0.1"}})
	if err != nil {
		_, stopErr := s.collector.stop()
		return nil, errors.Join(err, stopErr)
	}
	return s, nil
}

func (b *bench) underCollector(ctx context.Context, self bool) (out collectorCost, err error) {
	out = collectorCost{Master: b.o.collectorMaster, Hz: b.o.collectorHz}
	pushed := b.sink.pushed.Load()
	s, err := b.startSampled(ctx, "collector", self)
	if err != nil {
		return out, err
	}
	c := s.collector
	out.warmed, err = b.passesUnder(ctx, c, s.spark, &out)
	memoryErr := out.memory(c.pid())
	if err == nil && !self {
		err = out.split(ctx, c.pid(), out.warmed)
	}
	if err = errors.Join(err, s.spark.close()); err == nil {
		err = pause(ctx, settling)
	}
	var sumsErr error
	out.Metrics, sumsErr = c.sums(ctx)
	own, stopErr := c.stop()
	if err := errors.Join(err, sumsErr, memoryErr, stopErr); err != nil {
		return out, err
	}
	out.Pushes = b.sink.pushed.Load() - pushed
	out.Whole = workOf(own.CPU, out.Metrics["samples"])
	return out, nil
}

// memory reads what the process with that pid takes.
func (c *collectorCost) memory(pid int) error {
	for field, into := range map[string]*float64{"VmHWM": &c.PeakMB, "RssAnon": &c.Heap, "RssFile": &c.Files, "RssShmem": &c.Shared} {
		kib, err := statusKiB(pid, field)
		if err != nil {
			return err
		}
		*into = float64(kib) * 1024 / 1e6
	}
	return nil
}

// settling is when the samples of the last window have been counted: the Collector does so at its
// end (15 s), two seconds after they were taken.
const settling = 20 * time.Second

// passesUnder runs warm passes, then the passes in which the Collector's CPU is compared with its
// samples. These go from the end of a window to the end of a later one. It runs more passes than
// asked for until such a window has ended.
func (b *bench) passesUnder(ctx context.Context, c *collector, spark *console, out *collectorCost) (stretch, error) {
	for range b.o.warm {
		if _, err := spark.queries(tpchQueries); err != nil {
			return stretch{}, err
		}
	}
	w := watch(ctx, c, b.sink.pushed.Load)
	const enough = 3
	for n := 0; n < b.o.passes || w.windows() < enough; n++ {
		if _, err := spark.queries(tpchQueries); err != nil {
			return stretch{}, errors.Join(err, w.close())
		}
		if n > b.o.passes+100 {
			return stretch{}, errors.Join(fmt.Errorf("the Collector counted no samples in %d passes, see %s", n, c.said.Name()), w.close())
		}
	}
	if err := w.close(); err != nil {
		return stretch{}, err
	}
	first, last := w.marks[0], w.marks[len(w.marks)-1]
	out.Warm = workOf(last.cpu-first.cpu, last.samples-first.samples)
	over := stretch{first.at, last.at, last.cpu - first.cpu, last.samples - first.samples}
	out.PerSecond = over.samples / over.wall().Seconds()
	return over, nil
}

// sparkHome is a SPARK_HOME of links: local-cluster writes its work folder there.
func (b *bench) sparkHome(dir string) (string, error) {
	real, err := filepath.Glob(filepath.Join(b.o.spark, "lib", "python3*", "site-packages", "pyspark"))
	if err != nil || len(real) != 1 {
		return "", fmt.Errorf("pyspark in %s: %d folders: %w", b.o.spark, len(real), errors.Join(err))
	}
	entries, err := os.ReadDir(real[0])
	if err != nil {
		return "", err
	}
	home := filepath.Join(dir, "spark")
	if err := os.Mkdir(home, 0o755); err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.Name() != "work" {
			if err := os.Symlink(filepath.Join(real[0], e.Name()), filepath.Join(home, e.Name())); err != nil {
				return "", err
			}
		}
	}
	return home, nil
}

// top are the functions with the most CPU in themselves and in what they call.
func top(p *profile.Profile, n int) []function {
	flat, cumulative := map[string]int64{}, map[string]int64{}
	var total int64
	for _, s := range p.Sample {
		v := s.Value[len(s.Value)-1]
		total += v
		seen := map[string]bool{}
		for i, l := range s.Location {
			for k, line := range l.Line {
				if line.Function == nil {
					continue
				}
				name := line.Function.Name
				if i == 0 && k == 0 {
					flat[name] += v
				}
				if !seen[name] {
					seen[name] = true
					cumulative[name] += v
				}
			}
		}
	}
	var out []function
	for name, v := range cumulative {
		out = append(out, function{name, float64(flat[name]) / float64(total), float64(v) / float64(total)})
	}
	slices.SortFunc(out, func(a, b function) int {
		return cmp.Or(cmp.Compare(b.Flat, a.Flat), cmp.Compare(b.Cumulative, a.Cumulative), strings.Compare(a.Name, b.Name))
	})
	// Half by themselves, half of our own with what they call.
	if len(out) > n/2 {
		rest := slices.DeleteFunc(slices.Clone(out[n/2:]), func(f function) bool { return !strings.HasPrefix(f.Name, module) })
		slices.SortFunc(rest, func(a, b function) int {
			return cmp.Or(cmp.Compare(b.Cumulative, a.Cumulative), strings.Compare(a.Name, b.Name))
		})
		out = append(out[:n/2], rest[:min(n-n/2, len(rest))]...)
	}
	return out
}

// module is what the names of our own functions begin with.
const module = "github.com/planflame/planflame/"
