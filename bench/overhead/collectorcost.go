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

	"github.com/google/pprof/profile"
)

// collectorCost is what the Collector itself needs.
type collectorCost struct {
	Master          string             `json:"master"`
	Hz              int                `json:"hz"`
	CPU             float64            `json:"cpu_seconds"` // from its start to its end
	Samples         float64            `json:"samples"`
	MicrosPerSample float64            `json:"us_per_sample"`
	PeakMB          float64            `json:"peak_rss_mb"` // VmHWM, in 10^6 bytes
	JVMCPU          float64            `json:"jvm_cpu_seconds"`
	Pushes          int64              `json:"pushes"`
	Metrics         map[string]float64 `json:"metrics"` // its own, at the end
	Top             []function         `json:"top"`     // of its CPU profile, in a second run that profiled itself
}

// function is a line of a profile.
type function struct {
	Name       string  `json:"name"`
	Flat       float64 `json:"flat_share"`
	Cumulative float64 `json:"cumulative_share"`
}

// measureCollector runs TPC-H under a Collector at 200 Hz, then again under one that profiles itself.
func (b *bench) measureCollector(ctx context.Context) error {
	plain, err := b.underCollector(ctx, false)
	if err != nil {
		return err
	}
	b.say("Collector: %.1f µs a sample (%.2f s for %.0f), %.0f MB", plain.MicrosPerSample, plain.CPU, plain.Samples, plain.PeakMB)
	b.r.Collector = &plain
	b.r.Figures["collector_us_per_sample"], b.r.Figures["collector_rss_mb"] = plain.MicrosPerSample, plain.PeakMB
	if _, err := b.underCollector(ctx, true); err != nil {
		return fmt.Errorf("with its own profile: %w", err)
	}
	p, err := b.sink.selfProfile()
	if err != nil {
		return err
	}
	if p == nil {
		return errors.New("the Collector sent no profile of itself")
	}
	b.r.Collector.Top = top(p, 40)
	f, err := os.Create(filepath.Join(b.o.dir, "collector-cpu.pb.gz"))
	if err != nil {
		return err
	}
	return errors.Join(p.Write(f), f.Close())
}

func (b *bench) underCollector(ctx context.Context, self bool) (out collectorCost, err error) {
	dir := filepath.Join(b.o.dir, "collector")
	if err := fresh(dir); err != nil {
		return out, err
	}
	home, err := b.sparkHome(dir)
	if err != nil {
		return out, err
	}
	out = collectorCost{Master: b.o.collectorMaster, Hz: 200}
	c, err := b.startCollector(ctx, reading{hz: out.Hz, mode: "privileged", self: self}, dir)
	if err != nil {
		return out, err
	}
	pushed := b.sink.pushed.Load()
	submit := b.submit(variant{Name: "collector", JVM: agentFlags, Plugin: true}, workload{"collector", []string{"jobs/tpch.py", "--data", "{data}",
		"--queries", b.o.collectorQueries, "--repeat", "{repeat}"}}, dir)
	submit.args[slices.Index(submit.args, b.o.master)] = b.o.collectorMaster
	submit.env = append(submit.env, "SPARK_HOME="+home, "SPARK_LOCAL_IP=127.0.0.1")
	u, err := submit.run(ctx)
	var sumsErr, peakErr, stopErr error
	out.Metrics, sumsErr = c.sums(ctx)
	peak, peakErr := statusKiB(c.pid(), "VmHWM")
	own, stopErr := c.stop()
	if err := errors.Join(err, sumsErr, peakErr, stopErr); err != nil {
		return out, err
	}
	out.JVMCPU, out.CPU, out.PeakMB = u.CPU.Seconds(), own.CPU.Seconds(), float64(peak)*1024/1e6
	out.Samples, out.Pushes = out.Metrics["samples"], b.sink.pushed.Load()-pushed
	if out.Samples == 0 {
		return out, fmt.Errorf("the Collector got no sample, see %s", dir)
	}
	out.MicrosPerSample = out.CPU * 1e6 / out.Samples
	return out, nil
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
	// Half by themselves, half with what they call.
	if len(out) > n/2 {
		rest := out[n/2:]
		slices.SortFunc(rest, func(a, b function) int {
			return cmp.Or(cmp.Compare(b.Cumulative, a.Cumulative), strings.Compare(a.Name, b.Name))
		})
		out = out[:min(n, len(out))]
	}
	return out
}
