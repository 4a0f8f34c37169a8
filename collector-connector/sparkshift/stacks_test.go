package sparkshift

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/connector/connectortest"
	"go.opentelemetry.io/collector/connector/xconnector"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadata"
	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadatatest"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
)

// records are the log records of the events told so far.
func (r *rig) records() (out []plog.LogRecord) {
	for _, ld := range r.logs.AllLogs() {
		for _, rl := range ld.ResourceLogs().All() {
			for _, sl := range rl.ScopeLogs().All() {
				for _, rec := range sl.LogRecords().All() {
					out = append(out, rec)
				}
			}
		}
	}
	return out
}

// The event of a shift names the stack that grew, whatever numbers the JVMs gave to classes; what
// is over has none; and stacks outlive the process.
func TestTheStackThatGrewIsTold(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	stored := func(c *Config) { c.Storage = &storageID }
	rng := rand.New(rand.NewPCG(1, 2))
	r := newRig(t, storing{m}, stored)
	n := 0
	for ; n < 20; n++ {
		r.night(rng, n, 1)
	}
	r.shutdown()
	require.Contains(t, string(m.values[stacksKey(history, 0)]), match)
	require.Contains(t, m.values, stacksKey(history, 19))
	r = newRig(t, storing{m}, stored)
	for ; n < 22; n++ {
		r.night(rng, n, 1.3)
	}
	require.Equal(t, []string{"spark.sql.cost.shift"}, r.events())
	rec := r.records()[0]
	assert.Regexp(t, `core-hours a week; the stack that changed most: java.util.regex.Matcher.match, 10\d s a run, was 50\.?\d* s$`, rec.Body().Str())
	a := rec.Attributes().AsRaw()
	assert.Equal(t, []any{ownFrame, find, match}, a["spark.sql.cost.stack"])
	assert.InDelta(t, 50, a["spark.sql.cost.stack.from"], 2)
	assert.InDelta(t, 101, a["spark.sql.cost.stack.to"], 3)

	for ; n < 25; n++ {
		r.night(rng, n, 1)
	}
	require.Equal(t, []string{"spark.sql.cost.shift", "spark.sql.cost.resolved"}, r.events())
	assert.NotContains(t, r.records()[1].Attributes().AsRaw(), "spark.sql.cost.stack", "what is over has no stack that grew")
	metadatatest.AssertEqualConnectorSparkShiftDropped(t, r.telemetry, points("dropped", allDropped, nil), metricdatatest.IgnoreTimestamp())
}

// What became cheaper has the stack that fell, and a further shift is held against the runs since
// the last one alone.
func TestStacksOfFurtherSteps(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	n := 0
	night := func(times int, matching, own float64) { // CPU in match, and of the filter's generated method itself
		for range times {
			w := newWindow()
			p := w.of("app-3", "cpu", "nanoseconds")
			method := fmt.Sprintf(gen, n%3+1)
			w.sample(p, int64(n), method+">"+above, own, nil)
			w.sample(p, int64(n), find+">"+method+">"+above, 50, nil)
			w.sample(p, int64(n), match+">"+find+">"+method+">"+above, matching, nil)
			require.NoError(t, r.stacks.ConsumeProfiles(context.Background(), w.pd))
			r.send(nightly(rng, n, (own+50+matching)/170))
			n++
		}
	}
	night(20, 60, 60)
	night(8, 160, 60)
	night(12, 160, 200)
	said := r.attributesOf(semconv.MetricCostShiftedSince, "filter@22")
	assert.Equal(t, []any{"app-3/28", "app-3/19"}, []any{said["spark.sql.cost.since.run"], said["spark.sql.cost.before.run"]}, "the last step, and the last good run before the first")
	assert.Contains(t, said["spark.sql.cost.stack"], ownFrame+": ")
	night(3, 160, 20)
	var told []string
	for _, rec := range r.records() {
		a := rec.Attributes().AsRaw()
		if stack, ok := a["spark.sql.cost.stack"].([]any); ok {
			tens := func(key string) float64 { return 10 * math.Round(a[key].(float64)/10) }
			told = append(told, fmt.Sprint(a["spark.sql.cost.event"], " ", stack[len(stack)-1], " ", tens("spark.sql.cost.stack.from"), " ", tens("spark.sql.cost.stack.to")))
		} else {
			told = append(told, fmt.Sprint(a["spark.sql.cost.event"]))
		}
	}
	assert.Equal(t, []string{"shift " + match + " 60 160", "shift " + ownFrame + " 270 410", "cheaper " + ownFrame + " 410 230"}, told)
}

// A drift so slow that the runs of its reference are forgotten when it shows, has its stack, too,
// and whatever restarts come between.
func TestTheStackOfASlowDrift(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	config := func(c *Config) { c.Storage = &storageID }
	rng := rand.New(rand.NewPCG(1, 2))
	r := newRig(t, storing{m}, config)
	n, factor := 0, 1.
	for ; n < 40; n++ {
		r.night(rng, n, factor)
	}
	for ; len(r.events()) == 0 && n < 400; n++ {
		factor *= 1.0006
		r.night(rng, n, factor)
		if n == 100 {
			r.shutdown()
			require.Contains(t, m.values, referencesKey(history))
			require.Greater(t, r.engine.stacks.queries[history].runs[0].id.Execution, int64(35))
			r = newRig(t, storing{m}, config)
		}
	}
	require.Equal(t, []string{"spark.sql.cost.drift"}, r.events())
	require.Greater(t, n, 105)
	a := r.records()[0].Attributes().AsRaw()
	assert.Equal(t, []any{ownFrame, find, match}, a["spark.sql.cost.stack"])
	assert.InDelta(t, 50, a["spark.sql.cost.stack.from"], 3)
	assert.InDelta(t, 50+170*(factor-1), a["spark.sql.cost.stack.to"], 4)

	// The reference that has ended goes, and its room with it.
	b := &r.engine.stacks
	q := b.queries[history]
	for id := range q.references {
		assert.NotEqual(t, filterKey, id.Key)
	}
	nodes := q.held
	for _, s := range q.runs {
		nodes += s.nodes
	}
	assert.Equal(t, nodes, b.nodes)
}

// References outlive the stacks of all runs, restarts too, and go with the query's history, in
// memory and stored.
func TestReferencesWithoutRuns(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	config := func(c *Config) { c.Storage, c.Judging.MaxQueries = &storageID, 1 }
	rng := rand.New(rand.NewPCG(1, 2))
	r := newRig(t, storing{m}, config)
	n := 0
	for ; n < 30; n++ {
		r.night(rng, n, 1)
	}
	for ; n < 110; n++ {
		r.send(nightly(rng, n, 1)) // no profiles come
	}
	r.shutdown()
	r = newRig(t, storing{m}, config)
	b := &r.engine.stacks
	require.Empty(t, b.queries[history].runs)
	require.Len(t, b.queries[history].references, 1)
	assert.Equal(t, 5, b.nodes)
	assert.Empty(t, b.unsaved, "what was read is not written again")
	factor := 1.
	for ; len(r.events()) == 0 && n < 400; n++ {
		factor *= 1.0006
		r.night(rng, n, factor)
	}
	require.Equal(t, []string{"spark.sql.cost.drift"}, r.events())
	assert.Contains(t, r.records()[0].Attributes().AsRaw(), "spark.sql.cost.stack")

	m = &memory{values: map[string][]byte{}}
	r = newRig(t, storing{m}, config)
	for n = range 30 {
		r.night(rng, n, 1)
	}
	b = &r.engine.stacks
	require.Contains(t, m.values, referencesKey(history))
	other := nightly(rng, n, 1)
	for _, metric := range other.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
		metric.Gauge().DataPoints().At(0).Attributes().PutStr("spark.query.fingerprint", "q1-other")
	}
	r.send(other)
	r.engine.tick(context.Background(), false)
	assert.Zero(t, b.nodes)
	assert.Empty(t, b.queries)
	for key := range m.values {
		assert.NotContains(t, key, "stacks/")
	}
}

// Where there is no room, runs go before references.
func TestReferencesAreBounded(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 30 {
		r.night(rng, n, 1)
	}
	b := &r.engine.stacks
	q := b.queries[history]
	require.Len(t, q.references, 1)
	b.most = 8
	b.makeRoom()
	assert.Empty(t, q.runs)
	assert.Equal(t, 5, b.nodes)
	b.most = 4
	b.makeRoom()
	assert.Zero(t, b.nodes)
	assert.Empty(t, b.queries)
}

// Each operator of an event has its own stack.
func TestStacksOfTwoOperators(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 22 {
		factor := 1.
		if n >= 20 {
			factor = 1.5
		}
		w := newWindow()
		p := w.of("app-3", "cpu", "nanoseconds")
		w.sample(p, int64(n), find+">"+above, 170*factor, nil)
		w.sample(p, int64(n), "Decimal.add>"+above, 110*factor, map[string]any{"spark.sql.operator.id": "aggregate@44"})
		require.NoError(t, r.stacks.ConsumeProfiles(context.Background(), w.pd))
		md := nightly(rng, n, factor)
		for _, m := range md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
			if dp := m.Gauge().DataPoints().At(0); m.Name() == semconv.MetricExecutionOperatorCPU && text(dp.Attributes(), semconv.OperatorID) == "aggregate@44" {
				dp.SetDoubleValue(dp.DoubleValue() * factor)
			}
		}
		r.send(md)
	}
	require.Equal(t, []string{"spark.sql.cost.shift"}, r.events())
	told := map[any]any{}
	for _, of := range r.records()[0].Attributes().AsRaw()["spark.sql.cost.operators"].([]any) {
		told[of.(map[string]any)["spark.sql.operator.id"]] = of.(map[string]any)["spark.sql.cost.stack"]
	}
	assert.Equal(t, map[any]any{"filter@22": []any{find}, "aggregate@44": []any{"Decimal.add"}}, told)
}

// Where no run before or none since came with stacks, or none are kept, the event is as it was.
func TestAShiftWithoutStacks(t *testing.T) {
	for name, c := range map[string]struct {
		with   func(n int) bool
		change func(*Config)
	}{
		"none":             {func(int) bool { return false }, nil},
		"before alone":     {func(n int) bool { return n < 20 }, nil},
		"since alone":      {func(n int) bool { return n >= 20 }, nil},
		"none are kept":    {func(int) bool { return true }, func(c *Config) { c.MaxStackNodes = 0 }},
		"no room for more": {func(int) bool { return true }, func(c *Config) { c.MaxStackNodes = 4 }},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, componenttest.NewNopHost(), c.change)
			rng := rand.New(rand.NewPCG(1, 2))
			for n := range 22 {
				factor := 1.
				if n >= 20 {
					factor = 1.3
				}
				if c.with(n) {
					r.night(rng, n, factor)
				} else {
					r.send(nightly(rng, n, factor))
				}
			}
			require.Equal(t, []string{"spark.sql.cost.shift"}, r.events())
			rec := r.records()[0]
			assert.NotContains(t, rec.Attributes().AsRaw(), "spark.sql.cost.stack")
			assert.Regexp(t, `core-hours a week$`, rec.Body().Str())
		})
	}
}

// branches gives a run so many stacks: one node more with the operator's own.
func (r *rig) branches(execution int64, n int) {
	w := newWindow()
	p := w.of("app-3", "cpu", "nanoseconds")
	for i := range n {
		w.sample(p, execution, fmt.Sprintf("f%d>", i)+above, 1, nil)
	}
	require.NoError(r.t, r.stacks.ConsumeProfiles(context.Background(), w.pd))
}

// Stacks of open runs have at most half of the room where there is a need of it: the largest go.
// They go, too, when no cost came of their run for long.
func TestStacksOfOpenRunsAreBounded(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), func(c *Config) { c.MaxStackNodes = 40 })
	b := &r.engine.stacks
	r.clock = begin.Add(time.Hour)
	for e := range int64(4) {
		r.branches(e, 8+int(e%2)) // nine or ten nodes
	}
	require.Equal(t, 38, b.openNodes)
	r.branches(5, 9)
	assert.Equal(t, []int{9, 9, 10, 10}, openSizes(b), "one of the two largest went")
	r.send(nightly(rand.New(rand.NewPCG(1, 2)), 0, 1))
	assert.Equal(t, 9, b.nodes)
	assert.Equal(t, 29, b.openNodes)
	r.branches(6, 19)
	assert.LessOrEqual(t, b.openNodes, 31)
	assert.Equal(t, 9, b.nodes, "a judged run stays while open ones have more than half")
	require.Positive(t, b.dropped)
	dropped := int64(1 + b.dropped + len(b.open))
	r.clock = r.clock.Add(r.engine.config.Waiting.SettleOpen + time.Second)
	r.engine.tick(context.Background(), false)
	assert.Empty(t, b.open)
	assert.Zero(t, b.openNodes)
	assert.Equal(t, 9, b.nodes)
	metadatatest.AssertEqualConnectorSparkShiftDropped(t, r.telemetry, points("dropped", allDropped, map[string]int64{"stacks": dropped}), metricdatatest.IgnoreTimestamp())

	// There are no more open runs than may be waited for: the one that nothing came of for longest
	// goes.
	r = newRig(t, componenttest.NewNopHost(), func(c *Config) { c.Waiting.MaxOpenRuns = 3 })
	for e := range int64(5) {
		r.clock = r.clock.Add(time.Second)
		r.branches(e, 1)
		r.branches(1, 1)
	}
	var open []int64
	for id := range r.engine.stacks.open {
		open = append(open, id.Execution)
	}
	assert.ElementsMatch(t, []int64{1, 3, 4}, open)
	assert.Equal(t, 2, r.engine.stacks.dropped)

	// A tree of one operator is pruned while its run is open.
	r = newRig(t, componenttest.NewNopHost(), nil)
	r.branches(11, 3*mostOpenNodes)
	assert.LessOrEqual(t, r.engine.stacks.openNodes, 2*mostOpenNodes)
	assert.Greater(t, r.engine.stacks.openNodes, mostOpenNodes/2)
}

func openSizes(b *stackBook) (out []int) {
	for _, o := range b.open {
		out = append(out, o.nodes)
	}
	slices.Sort(out)
	return out
}

// If there is no room, the oldest judged run of the query with the most nodes goes. Each query
// keeps only its newest runs. What goes is also deleted from the storage.
func TestStacksOfJudgedRunsAreBounded(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	r := newRig(t, storing{m}, func(c *Config) { c.Storage = &storageID; c.MaxStackNodes = 100 })
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 12 {
		r.branches(int64(n), 9)
		r.send(nightly(rng, n, 1))
	}
	other := func(n int) {
		r.branches(int64(n), 9)
		md := nightly(rng, n, 1)
		for _, metric := range md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
			metric.Gauge().DataPoints().At(0).Attributes().PutStr("spark.query.fingerprint", "q1-other")
		}
		r.send(md)
	}
	b := &r.engine.stacks
	require.Len(t, b.queries[history].runs, 10)
	assert.Equal(t, int64(2), b.queries[history].runs[0].id.Execution)
	for n := 12; n < 15; n++ {
		other(n)
	}
	assert.Len(t, b.queries[history].runs, 7)
	assert.Len(t, b.queries[otherHistory].runs, 3)
	assert.Equal(t, 100, b.nodes)
	stored := 0
	for key := range m.values {
		if strings.HasPrefix(key, "stacks/") {
			stored++
		}
	}
	assert.Equal(t, 10, stored)
	metadatatest.AssertEqualConnectorSparkShiftDropped(t, r.telemetry, points("dropped", allDropped, map[string]int64{"stacks": 5}), metricdatatest.IgnoreTimestamp())

	r = newRig(t, componenttest.NewNopHost(), nil)
	for n := range mostStackRuns + 5 {
		r.night(rng, n, 1)
	}
	b = &r.engine.stacks
	require.Len(t, b.queries[history].runs, mostStackRuns)
	assert.Equal(t, int64(5), b.queries[history].runs[0].id.Execution)
	slots := map[int]bool{}
	nodes := b.queries[history].held
	for _, s := range b.queries[history].runs {
		slots[s.slot] = true
		nodes += s.nodes
		for _, of := range s.operators {
			assert.InDelta(t, 17_000, of.Samples, 1000)
		}
	}
	assert.Len(t, slots, mostStackRuns)
	assert.Equal(t, nodes, b.nodes)
}

// Stacks of runs that are not judged, or were before, go at once and are no loss; stacks of a part
// that comes late are added.
func TestStacksOfRunsThatAreNotJudged(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	b := &r.engine.stacks
	r.night(rng, 3, 1)
	tree := func() float64 { return b.queries[history].runs[0].operators[filterKey].Tree.Total() }
	require.InDelta(t, 170, tree(), 1)
	r.night(rng, 3, 1) // the same again
	r.outcomes(map[string]int64{"judged": 1, "duplicate": 1})
	assert.Empty(t, b.open)
	assert.InDelta(t, 170, tree(), 1)

	r.stackOf(3, 30)
	r.send(request(part{"app-3", "6", "node-8", 3, begin.Add(3*time.Hour + time.Second), 30, []cost{{"filter@22", "Op filter@22", "result", 30, 0.3, 1e5, 3000}}}))
	r.outcomes(map[string]int64{"judged": 1, "duplicate": 1, "amended": 1})
	require.Len(t, b.queries[history].runs, 1)
	assert.InDelta(t, 200, tree(), 1)

	r.night(rng, 1, 1) // late
	r.outcomes(map[string]int64{"judged": 1, "duplicate": 1, "amended": 1, "late": 1})
	require.Len(t, b.queries[history].runs, 2)
	assert.Equal(t, int64(1), b.queries[history].runs[0].id.Execution)

	r.stackOf(4, 30)
	md := nightly(rng, 4, 1)
	for _, metric := range md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
		metric.Gauge().DataPoints().At(0).Attributes().PutBool("spark.sql.execution.sampled", false)
	}
	r.send(md)
	r.outcomes(map[string]int64{"judged": 1, "duplicate": 1, "amended": 1, "late": 1, "not_sampled": 1})
	assert.Empty(t, b.open)
	metadatatest.AssertEqualConnectorSparkShiftDropped(t, r.telemetry, points("dropped", allDropped, nil), metricdatatest.IgnoreTimestamp())
}

var filterKey = shift.Key{Stage: "result", Operator: "filter@22"}

// stackOf gives a run CPU of one stack.
func (r *rig) stackOf(execution int64, cpu float64) {
	w := newWindow()
	w.sample(w.of("app-3", "cpu", "nanoseconds"), execution, find+">"+above, cpu, nil)
	require.NoError(r.t, r.stacks.ConsumeProfiles(context.Background(), w.pd))
}

// A run of which there are stacks of operators without a cost alone takes no place.
func TestStacksOfNoCost(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	w := newWindow()
	w.sample(w.of("app-3", "cpu", "nanoseconds"), 1, find+">"+above, 3, map[string]any{"spark.sql.operator.id": "sort@99"})
	require.NoError(t, r.stacks.ConsumeProfiles(context.Background(), w.pd))
	r.send(nightly(rand.New(rand.NewPCG(1, 2)), 1, 1))
	assert.Empty(t, r.engine.stacks.open)
	assert.Empty(t, r.engine.stacks.queries)
}

// Where stacks came of a tenth of a cost, they count for a tenth of its samples.
func TestPartOfARunsStacks(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	r.stackOf(1, 17)
	r.send(nightly(rand.New(rand.NewPCG(1, 2)), 1, 1))
	assert.InDelta(t, 1700, r.engine.stacks.queries[history].runs[0].operators[filterKey].Samples, 100)
}

// What the storage refuses is written at the next look, and what went meanwhile is not.
func TestStacksThatCouldNotBeStored(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	r := newRig(t, storing{m}, func(c *Config) { c.Storage = &storageID })
	rng := rand.New(rand.NewPCG(1, 2))
	r.night(rng, 0, 1)
	m.fail = true
	r.night(rng, 1, 1)
	require.Contains(t, m.values, stacksKey(history, 0))
	require.NotContains(t, m.values, stacksKey(history, 1))
	b := &r.engine.stacks
	b.drop(history, b.queries[history], 0)
	m.fail = false
	r.engine.tick(context.Background(), false)
	assert.NotContains(t, m.values, stacksKey(history, 0))
	assert.Contains(t, m.values, stacksKey(history, 1))
	assert.Empty(t, b.unsaved)
}

// A query without a history has no stacks, in memory or stored.
func TestStacksGoWithTheHistory(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	r := newRig(t, storing{m}, func(c *Config) { c.Storage = &storageID; c.Judging.MaxQueries = 1 })
	rng := rand.New(rand.NewPCG(1, 2))
	r.night(rng, 1, 1)
	require.Contains(t, m.values, stacksKey(history, 0))
	other := nightly(rng, 2, 1)
	for _, metric := range other.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
		metric.Gauge().DataPoints().At(0).Attributes().PutStr("spark.query.fingerprint", "q1-other")
	}
	r.send(other)
	r.engine.tick(context.Background(), false)
	assert.NotContains(t, m.values, stacksKey(history, 0))
	assert.Zero(t, r.engine.stacks.nodes)
}

// What is stored and cannot be read is counted; what is of no run that the history has is deleted,
// and all if none are kept.
func TestStoredStacksThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		most     int
		failures int64
	}{
		"no JSON":         {"{", 100, 1},
		"another version": {`{"version":2}`, 100, 1},
		"no tree":         {`{"version":1,"application":"app-3","execution":1,"operators":[{"operator":"filter@22","samples":3}]}`, 100, 1},
		"no samples":      {`{"version":1,"application":"app-3","execution":1,"operators":[{"operator":"filter@22","tree":{"cpu":1}}]}`, 100, 1},
		"no CPU":          {`{"version":1,"application":"app-3","execution":1,"operators":[{"operator":"filter@22","samples":3,"tree":{}}]}`, 100, 1},
		"another run":     {`{"version":1,"application":"app-3","execution":2,"operators":[{"operator":"filter@22","samples":3,"tree":{"cpu":1}}]}`, 100, 0},
		"none are kept":   {`{"version":1,"application":"app-3","execution":1,"operators":[{"operator":"filter@22","samples":3,"tree":{"cpu":1}}]}`, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := &memory{values: map[string][]byte{}}
			stored := func(cfg *Config) { cfg.Storage, cfg.MaxStackNodes = &storageID, 100 }
			r := newRig(t, storing{m}, stored)
			r.night(rand.New(rand.NewPCG(1, 2)), 1, 1)
			r.shutdown()
			m.values[stacksKey(history, 0)] = []byte(c.text)
			r = newRig(t, storing{m}, func(cfg *Config) { stored(cfg); cfg.MaxStackNodes = c.most })
			assert.Equal(t, 1, r.engine.fleet.Queries())
			assert.Zero(t, r.engine.stacks.nodes)
			metadatatest.AssertEqualConnectorSparkShiftFailures(t, r.telemetry, points("output", allOutputs, map[string]int64{"storage": c.failures}), metricdatatest.IgnoreTimestamp())
			if c.failures == 0 {
				r.engine.tick(context.Background(), false)
				assert.NotContains(t, m.values, stacksKey(history, 0))
			}
		})
	}
}

// The same of references. Those that stand no more are deleted.
func TestStoredReferencesThatCannotBeRead(t *testing.T) {
	const good = `{"version":1,"references":[{"stage":"result","operator":"filter@22","samples":3,"tree":{"cpu":1},"end":%d,"runs":2}]}`
	for name, c := range map[string]struct {
		text     string
		failures int64
	}{
		"no JSON":         {"{", 1},
		"another version": {`{"version":2}`, 1},
		"no tree":         {`{"version":1,"references":[{"operator":"filter@22","samples":3,"runs":2}]}`, 1},
		"no runs":         {`{"version":1,"references":[{"operator":"filter@22","samples":3,"tree":{"cpu":1}}]}`, 1},
		"not standing":    {fmt.Sprintf(good, 77), 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := &memory{values: map[string][]byte{}}
			config := func(cfg *Config) { cfg.Storage = &storageID }
			r := newRig(t, storing{m}, config)
			r.night(rand.New(rand.NewPCG(1, 2)), 1, 1)
			r.shutdown()
			m.values[referencesKey(history)] = []byte(c.text)
			r = newRig(t, storing{m}, config)
			q := r.engine.stacks.queries[history]
			assert.Empty(t, q.references)
			assert.Equal(t, q.runs[0].nodes, r.engine.stacks.nodes)
			metadatatest.AssertEqualConnectorSparkShiftFailures(t, r.telemetry, points("output", allOutputs, map[string]int64{"storage": c.failures}), metricdatatest.IgnoreTimestamp())
			r.engine.tick(context.Background(), false)
			assert.NotContains(t, m.values, referencesKey(history))
		})
	}
}

// Profiles may end before metrics do: the engine goes on until an output's side is shut down, or no
// side is left.
func TestTheStacksSideDoesNotStopTheEngine(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	require.NoError(t, r.stacks.Shutdown(context.Background()))
	r.send(nightly(rand.New(rand.NewPCG(1, 2)), 1, 1))
	r.outcomes(map[string]int64{"judged": 1})
	r.shutdown()
	assert.Empty(t, engines.by)

	alone, err := NewFactory().(xconnector.Factory).CreateProfilesToLogs(context.Background(), connectortest.NewNopSettings(metadata.Type), defaultConfig(), consumertest.NewNop())
	require.NoError(t, err)
	require.NoError(t, alone.Start(context.Background(), componenttest.NewNopHost()))
	require.NoError(t, alone.Shutdown(context.Background()))
	require.NoError(t, alone.Shutdown(context.Background()))
	assert.Empty(t, engines.by)
}
