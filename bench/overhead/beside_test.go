package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// A session's stock is the one that ran beside it, not the round's first.
func TestCompareBesideStock(t *testing.T) {
	got := compare([]sessionRun{
		{Workload: "q6", Variant: stock, CPU: 10, Wall: 1, Pair: 1},
		{Workload: "q6", Variant: flags, CPU: 11, Wall: 2, Pair: 1},
		{Workload: "q6", Variant: stock, CPU: 20, Wall: 4, Pair: 2},
		{Workload: "q6", Variant: null, CPU: 21, Wall: 3, Pair: 2},
	})
	require.Len(t, got, 4)
	for i, want := range []struct {
		variant   string
		cpu, wall float64
	}{{null, 1.05, 0.75}, {flags, 1.1, 2}} {
		assert.Equal(t, want.variant, got[i].Variant)
		assert.InDelta(t, want.cpu, got[i].CPU.Median, 1e-12)
		assert.InDelta(t, want.wall, got[i].Wall.Median, 1e-12)
	}
}

func TestGateOpensForAll(t *testing.T) {
	g := newGate(2)
	var group errgroup.Group
	group.Go(func() error { return g.pass(context.Background()) })
	group.Go(func() error { return g.pass(context.Background()) })
	require.NoError(t, group.Wait())

	// The other never comes.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, newGate(2).pass(ctx), context.Canceled)
}

func TestOnOneCore(t *testing.T) {
	all, err := cores()
	require.NoError(t, err)
	require.NotEmpty(t, all)
	last := all[len(all)-1]
	said := filepath.Join(t.TempDir(), "said")
	_, err = command{args: []string{"grep", "Cpus_allowed_list", "/proc/self/status"}, said: said, core: &last}.run(context.Background())
	require.NoError(t, err)
	text, err := os.ReadFile(said)
	require.NoError(t, err)
	assert.Equal(t, strconv.Itoa(last), strings.Fields(string(text))[1])
	none := 1 << 15
	assert.ErrorContains(t, on(&none, func() error { return errors.New("was started") }), "keep to core 32768")
}

func TestByClass(t *testing.T) {
	seen := map[int]seenThread{}
	for i, t := range []struct {
		comm string
		cpu  time.Duration
	}{
		{"Executor task l", 100}, {"Executo..orker-2", 20}, {"C2 CompilerThre", 3000}, {"C1 CompilerThre", 700}, {"GC Thread#0", 50}, {"G1 Conc#0", 5},
		{"Service Thread", 9}, {"planflame-agent", 2}, {"planfla..poller", 1}, {"planflame-plans", 4}, {"Thread-4", 10_000},
	} {
		seen[i] = seenThread{thread{comm: t.comm}.class(), t.cpu}
	}
	assert.Equal(t, map[string]time.Duration{
		"tasks": 120, "C2": 3000, "C1": 700, "GC": 55, "Service Thread": 9, "planflame-agent": 2, "planflame-poller": 1, "planflame-plans": 4, "rest": 20_000 - 3891,
	}, byClass(seen, 20_000), "what is not seen is the rest's")
}

func TestRunTellsClasses(t *testing.T) {
	// A quarter of a second of CPU as a task and three quarters as C2, however fast the machine is.
	burning := `burn() { printf "$1" > /proc/$$/comm; while read cpu rest < /proc/$$/schedstat; [ $cpu -lt $2 ]; do :; done; }
burn "Executor task l" 250000000; burn "C2 CompilerThre" 1000000000`
	u, err := command{args: []string{"sh", "-c", burning}, said: filepath.Join(t.TempDir(), "said")}.run(context.Background())
	require.NoError(t, err)
	assert.InDelta(t, u.CPU.Seconds(), (u.Classes["C2"] + u.Classes["rest"]).Seconds(), 1e-9)
	assert.Greater(t, u.Classes["C2"], u.CPU/4, "the last quarter of a second may be unread")
	assert.NotContains(t, u.Classes, "tasks", "a thread is of one class, its last")
}

func TestMeansOf(t *testing.T) {
	assert.Empty(t, meansOf(nil))
	assert.Equal(t, map[string]mean{"C2": {2, 0}}, meansOf([]map[string]float64{{"C2": 2}}))
	// 1, 3 and none: mean 4/3, squares (1/9 + 25/9 + 16/9) / 2 = 7/3, over three.
	got := meansOf([]map[string]float64{{"C2": 1}, {"C2": 3}, {}})
	assert.InDelta(t, 4./3, got["C2"].Mean, 1e-12)
	assert.InDelta(t, 0.8819171, got["C2"].SE, 1e-7)
	assert.Equal(t, map[string]float64{"a": 2, "b": -5}, beyond(map[string]float64{"a": 3}, map[string]float64{"a": 1, "b": 5}))
}
