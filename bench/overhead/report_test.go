package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/bench/internal/report"
	"github.com/planflame/planflame/sampler/perfevent"
)

func TestCompare(t *testing.T) {
	all := []sessionRun{
		{Round: 0, Workload: "tpch", Variant: "planflame-200", CPU: 30, Wall: 12, Classes: map[string]float64{"C2": 9, "planflame": 1}},
		{Round: 0, Workload: "tpch", Variant: stock, CPU: 20, Wall: 10, Classes: map[string]float64{"C2": 7, "GC": 3}},
		{Round: 0, Workload: "tpch", Variant: null, CPU: 22, Wall: 11},
		{Round: 1, Workload: "tpch", Variant: "planflame-200", CPU: 20, Wall: 9, Classes: map[string]float64{"C2": 12}},
		{Round: 1, Workload: "tpch", Variant: stock, CPU: 20, Wall: 10, Classes: map[string]float64{"C2": 8}},
		{Round: 0, Workload: startup, Variant: stock, CPU: 5, Wall: 5},
		{Round: 0, Workload: startup, Variant: "planflame-200", CPU: 6, Wall: 7},
		{Round: 2, Workload: "tpch", Variant: "planflame-200", CPU: 999, Wall: 999}, // stock of this round has not run
	}
	got := compare(all)
	of := func(cpu, wall float64) (report.Interval, report.Interval) {
		return report.IntervalOf([]float64{cpu}), report.IntervalOf([]float64{wall})
	}
	nullCPU, nullWall := of(1.1, 1.1)
	startCPU, startWall := of(1.2, 1.4)
	cpu, wall := report.IntervalOf([]float64{1.5, 1}), report.IntervalOf([]float64{1.2, 0.9})
	none := map[string]mean{}
	nullAdded := map[string]mean{"C2": {-7, 0}, "GC": {-3, 0}}
	added := map[string]mean{"C2": {3, 1}, "GC": {-1.5, 1.5}, "planflame": {0.5, 0.5}}
	assert.Equal(t, []comparison{
		{everything, null, nullCPU, nullWall, nullAdded},
		{everything, "planflame-200", cpu, wall, added},
		{"tpch", null, nullCPU, nullWall, nullAdded},
		{"tpch", "planflame-200", cpu, wall, added},
		{startup, "planflame-200", startCPU, startWall, none},
	}, got)

	figures := map[string]float64{}
	sessionFigures(got, figures)
	assert.Equal(t, map[string]float64{
		"session_ratio_median": 1.25, "session_ratio_low": 1, "session_ratio_high": 1.5,
		"null_ratio_median": 1.1, "null_ratio_low": 1.1, "null_ratio_high": 1.1,
		"startup_ratio": 1.2, "startup_ratio_low": 1.2, "startup_ratio_high": 1.2,
	}, figures)
}

func TestAPeerThatDidNotWorkIsAnError(t *testing.T) {
	dir := t.TempDir()
	peer := variant{Writes: "async.jfr"}
	assert.NoError(t, variant{}.worked(dir))
	assert.ErrorContains(t, peer.worked(dir), "async.jfr")
	path := filepath.Join(dir, "async.jfr")
	require.NoError(t, os.WriteFile(path, nil, 0o644))
	assert.ErrorContains(t, peer.worked(dir), path)
	require.NoError(t, os.WriteFile(path, []byte("FLR"), 0o644))
	assert.NoError(t, peer.worked(dir))
}

func TestAccountFigures(t *testing.T) {
	b := bench{r: results{Figures: map[string]float64{}, Account: []account{
		{Hz: 200, TaskCPU: 100, Sampling: 0.1, Tagging: 0.02, Agent: 0.02, Poller: 0.01, Plans: 0.04, Service: 0.01},
	}}}
	b.accountFigures()
	assert.InDelta(t, 0.002, b.r.Figures["profiler_share_200hz"], 1e-12)
	assert.InDelta(t, 0.0012, b.r.Figures["profiler_share_task_threads_200hz"], 1e-12)

	// A ratio that does not exclude 1 adds nothing, another does, and takes the place of the first.
	b.r.Comparisons = []comparison{{Workload: everything, Variant: flags, CPU: report.Interval{N: 7, Median: 1.03, Low: 0.99, High: 1.05}}}
	b.accountFigures()
	assert.InDelta(t, 0.002, b.r.Figures["profiler_share_200hz"], 1e-12)
	b.r.Comparisons[0].CPU.Low = 1.01
	b.accountFigures()
	b.accountFigures()
	assert.InDelta(t, 0.032, b.r.Figures["profiler_share_200hz"], 1e-12)
	assert.InDelta(t, 3, b.r.Account[0].Flags, 1e-12)
	assert.InDelta(t, 0.0312, b.r.Figures["profiler_share_task_threads_200hz"], 1e-12)
}

func TestTaskCost(t *testing.T) {
	raw := map[string]float64{"nothing": 300, "tags": 1500, "tags few": 1800, "tags all": 4200, "cold-nothing": 700, "cold-tags few": 4900}
	got := costOf(raw)
	assert.Equal(t, []float64{1500, 3900, 4200}, []float64{got.Unselected, got.Selected, got.Cold})
}

func TestFitByStack(t *testing.T) {
	// 7 ns a sample without a copy, 20 ns with one; the points without events belong to both.
	got, err := fitByStack([]burnPoint{
		{level{}, point{0, 0, 1000}}, {level{8000, 0}, point{0, 10, 1070}}, {level{8000, 8192}, point{0, 10, 1200}},
		{level{}, point{1, 0, 2000}}, {level{8000, 0}, point{1, 20, 2140}}, {level{8000, 8192}, point{1, 20, 2400}},
	})
	require.NoError(t, err)
	assert.InDelta(t, 7, got[0].Slope, 1e-9)
	assert.InDelta(t, 20, got[8192].Slope, 1e-9)
	_, err = fitByStack([]burnPoint{{level{}, point{0, 0, 1000}}})
	assert.ErrorContains(t, err, "no point")
}

func TestCounter(t *testing.T) {
	c := counter{
		library: func(addr uint64) bool { return addr >= 0x700 && addr < 0x800 },
		kernel: func(addr uint64) string {
			return map[uint64]string{1: "__x64_sys_rt_sigreturn", 2: "clear_page_erms"}[addr]
		},
	}
	for _, s := range []perfevent.Sample{
		{User: []uint64{0x100, 0x750}},                     // in what the library calls
		{User: []uint64{0x700}, Kernel: []uint64{1}},       // a system call of the library: the library's
		{User: []uint64{0x100}, Kernel: []uint64{2, 1, 3}}, // a signal is being delivered
		{User: []uint64{0x100}, Kernel: []uint64{2}},
		{User: []uint64{0x800}},
	} {
		c.sample(&s)
	}
	assert.Equal(t, asyncCost{Samples: 5, Library: 2, Signals: 1}, c.cost)
}

func TestShares(t *testing.T) {
	got := shares([]asyncCost{{Samples: 1000, Signals: 10}, {IntervalMillis: 5, Samples: 2000, Library: 60, Signals: 40}, {IntervalMillis: 50}})
	assert.InDelta(t, 0.01, got[0].Share, 1e-12)
	assert.InDelta(t, 0.04, got[1].Share, 1e-12)
	assert.Zero(t, got[2].Share)
}

func TestParseMetrics(t *testing.T) {
	got, err := parseMetrics(strings.NewReader(`# HELP otelcol_receiver_spark_profile_samples Samples.
otelcol_receiver_spark_profile_samples{otel_scope_name="a"} 1200
otelcol_receiver_spark_profile_samples{otel_scope_name="b"} 30
otelcol_receiver_spark_profile_problems{otel_scope_name="a",problem="lost"} 4
otelcol_receiver_spark_profile_problems{otel_scope_name="a",problem="weak"} 5e+02
otelcol_process_uptime 17
`))
	require.NoError(t, err)
	assert.Equal(t, map[string]float64{"samples": 1230, "problems lost": 4, "problems weak": 500}, got)
	_, err = parseMetrics(strings.NewReader("otelcol_receiver_spark_profile_samples many\n"))
	assert.ErrorContains(t, err, "samples many")
}

func TestTop(t *testing.T) {
	fn := func(name string) *profile.Location {
		return &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: name}}}}
	}
	leaf, middle, root := fn("leaf"), fn(module+"middle"), fn("root")
	p := &profile.Profile{Sample: []*profile.Sample{
		{Location: []*profile.Location{leaf, middle, middle, root}, Value: []int64{1, 60}},
		{Location: []*profile.Location{middle, root}, Value: []int64{1, 30}},
		{Location: []*profile.Location{root}, Value: []int64{1, 10}},
	}}
	assert.Equal(t, []function{{"leaf", 0.6, 0.6}, {module + "middle", 0.3, 0.9}, {"root", 0.1, 1}}, top(p, 10))
	assert.Equal(t, []function{{"leaf", 0.6, 0.6}, {module + "middle", 0.3, 0.9}}, top(p, 2), "one by itself, one of ours with what it calls")
}

func TestStartupRatio(t *testing.T) {
	c := startupCost{Stock: []float64{10, 12, 11}, Sessions: []startupSession{{Agent: 0.1, Poller: 0.02, Service: 0.15}, {Agent: 0.17, Poller: 0.04, Plans: 0.03, Service: 0.05}, {Agent: 0.5, Service: 0.5}}}
	c.sum(0.05) // 0.22, 0.24, 0.95
	assert.InDelta(t, 1+0.24/11, c.Ratio, 1e-9)
}

// The keys of the rate that has goals are stable; another rate's figures never stand under them.
func TestFiguresOfAnotherRate(t *testing.T) {
	for hz, want := range map[int]string{200: "collector_rss_mb", 1600: "collector_rss_mb_1600hz"} {
		b := bench{o: options{collectorHz: hz}, r: results{Figures: map[string]float64{}}}
		b.figure("collector_rss_mb", 183)
		assert.Equal(t, map[string]float64{want: 183}, b.r.Figures)
	}
}
