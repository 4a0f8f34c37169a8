package sparkshift

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadatatest"
	"github.com/planflame/planflame/shift"
)

// Each request comes to both sides and is taken once; a point again replaces the first; executors
// add up.
func TestPartsOfARun(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), func(c *Config) { c.Waiting.Settle = 2 * time.Minute })
	end := begin.Add(3 * time.Minute)
	first := part{"app-3", "5", "node-7", 11, end, 30, []cost{{"scan@1", "Scan t", "s1", 13, 0.25, 1900, 1300}, {"filter@2", "Filter a", "s1", 7, 0.07, 0, 700}}}
	second := part{"app-3", "6", "node-8", 11, end.Add(time.Second), 0, []cost{{"scan@1", "Scan t", "s1", 23, 0.5, 3100, 2300}}}
	r.send(request(first))
	r.send(request(first, second))
	require.Len(t, r.engine.open.by, 1)
	r.clock = r.clock.Add(2 * time.Minute)
	runs := r.engine.open.settled(r.clock)
	require.Len(t, runs, 1)
	assert.Equal(t, &shift.Run{
		ID: shift.RunID{Application: "app-3", Execution: 11}, Query: history, Name: "tpch q06", Plan: "p1-def", End: end.Add(time.Second),
		CPU: 53, Version: "4.3.0", Labels: map[string]string{"service.name": "nightly", "team": "margin"},
		Parts: []shift.Part{{ID: "5", Host: "node-7", CPU: 30}, {ID: "6", Host: "node-8", CPU: 23}},
		Operators: []shift.Cost{
			{Key: shift.Key{Stage: "s1", Operator: "filter@2"}, Name: "Filter a", CPU: 7, Variance: 0.07, Samples: 700},
			{Key: shift.Key{Stage: "s1", Operator: "scan@1"}, Name: "Scan t", CPU: 36, Variance: 0.75, Rows: 5000, Samples: 3600},
		},
	}, runs[0].Run)
}

// Rows of an executor without CPU of the operator count, and an operator without any CPU is in no
// run.
func TestRowsOfAPartWithoutCPU(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), func(c *Config) { c.Waiting.Settle = 2 * time.Minute })
	r.send(request(part{"app-3", "5", "node-7", 11, begin, 30, []cost{{"scan@1", "Scan t", "s1", 13, 0.25, 1900, 1300}, {"filter@2", "Filter a", "s1", 0, 0, 70, 0}}},
		part{"app-3", "6", "node-8", 11, begin, 1, []cost{{"scan@1", "Scan t", "s1", 0, 0, 500, 0}}}))
	r.clock = r.clock.Add(2 * time.Minute)
	runs := r.engine.open.settled(r.clock)
	require.Len(t, runs, 1)
	assert.Equal(t, []shift.Cost{{Key: shift.Key{Stage: "s1", Operator: "scan@1"}, Name: "Scan t", CPU: 13, Variance: 0.25, Rows: 2400, Samples: 1300}}, runs[0].Operators)
}

// The error of a part that states none comes from its samples, 23²/2300, not none.
func TestPartWithoutVariance(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), func(c *Config) { c.Waiting.Settle = 2 * time.Minute })
	r.send(request(part{"app-3", "5", "node-7", 11, begin, 0, []cost{{"scan@1", "Scan t", "s1", 13, 0.25, 1900, 1300}}},
		part{"app-3", "6", "node-8", 11, begin, 0, []cost{{"scan@1", "Scan t", "s1", 23, 0, 3100, 2300}}}))
	r.clock = r.clock.Add(2 * time.Minute)
	runs := r.engine.open.settled(r.clock)
	require.Len(t, runs, 1)
	assert.InDelta(t, 0.25+0.23, runs[0].Operators[0].Variance, 1e-12)
}

// An executor that left before the run was over does not bring its judgement about; another's end
// does. After a long wait it is dropped.
func TestExecutorsThatLeft(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), func(c *Config) { c.Waiting.Settle, c.Waiting.SettleOpen = 2*time.Minute, 20*time.Minute })
	left := func(execution int64) pmetric.Metrics {
		md := request(part{"app-3", "5", "node-7", execution, begin, 0, []cost{{"scan@1", "Scan t", "s1", 13, 0.25, 1900, 1300}}})
		for _, m := range md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
			m.Gauge().DataPoints().At(0).Attributes().PutBool("spark.sql.execution.ended", false)
		}
		return md
	}
	r.send(left(11))
	r.send(left(12))
	r.clock = r.clock.Add(10 * time.Minute)
	r.engine.tick(context.Background(), false)
	require.Len(t, r.engine.open.by, 2)
	r.send(request(part{"app-3", "6", "node-8", 12, begin.Add(9 * time.Minute), 0, []cost{{"scan@1", "Scan t", "s1", 23, 0.5, 3100, 2300}}}))
	require.Len(t, r.engine.open.by, 2)
	r.clock = r.clock.Add(2 * time.Minute)
	r.engine.tick(context.Background(), false)
	r.outcomes(map[string]int64{"judged": 1})
	r.clock = r.clock.Add(8 * time.Minute)
	r.engine.tick(context.Background(), false)
	r.outcomes(map[string]int64{"judged": 1, "left": 1})
	assert.Empty(t, r.engine.open.by)
	text, err := r.engine.fleet.Encode(history)
	require.NoError(t, err)
	assert.Contains(t, string(text), `[0,36,0.75,5000,3600]`)
	assert.NotContains(t, string(text), `"id":11`)
}

// A re-run of a trial is in no history and is not judged, whatever the configuration keeps of
// labels, at the end of the process too.
func TestRunsOfTrials(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), func(c *Config) { c.Waiting.Settle, c.Labels = 2*time.Minute, nil })
	run := func(execution int64, trial string) pmetric.Metrics {
		md := request(part{"app-3", "5", "node-7", execution, begin, 19, []cost{{"scan@1", "Scan t", "s1", 13, 0.25, 1900, 1300}}})
		if trial != "" {
			md.ResourceMetrics().At(0).Resource().Attributes().PutStr("trial", trial)
		}
		return md
	}
	r.send(run(11, "jdk25"))
	r.send(run(12, ""))
	r.clock = r.clock.Add(2 * time.Minute)
	r.engine.tick(context.Background(), false)
	r.outcomes(map[string]int64{"judged": 1, "trial": 1})
	r.send(run(13, "jdk25"))
	r.engine.tick(context.Background(), true)
	r.outcomes(map[string]int64{"judged": 1, "trial": 2})
	text, err := r.engine.fleet.Encode("q1-abc")
	require.NoError(t, err)
	assert.Contains(t, string(text), `"id":12`)
	for _, dropped := range []string{`"id":11`, `"id":13`} {
		assert.NotContains(t, string(text), dropped)
	}
}

// A run that was not drawn has a CPU and no operators. It does not count as a run that cost
// nothing: it is dropped. This holds too if only a part of it was sampled because a Collector
// started in the middle, and at the end of the process.
func TestRunsThatWereNotSampled(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), func(c *Config) { c.Waiting.Settle = 2 * time.Minute })
	notDrawn := func(executor string, execution int64) pmetric.Metrics {
		md := request(part{"app-3", executor, "node-7", execution, begin, 30, nil})
		md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(0).Gauge().DataPoints().At(0).Attributes().PutBool("spark.sql.execution.sampled", false)
		return md
	}
	requests := []pmetric.Metrics{notDrawn("5", 11), notDrawn("5", 12), request(part{"app-3", "6", "node-8", 12, begin, 17, []cost{{"scan@1", "Scan t", "s1", 13, 0.25, 1900, 1300}}}),
		request(part{"app-3", "5", "node-7", 13, begin, 19, []cost{{"scan@1", "Scan t", "s1", 13, 0.25, 1900, 1300}}})}
	for _, md := range requests {
		r.send(md)
	}
	r.clock = r.clock.Add(2 * time.Minute)
	r.engine.tick(context.Background(), false)
	r.outcomes(map[string]int64{"judged": 1, "not_sampled": 2})
	r.send(notDrawn("5", 14))
	r.engine.tick(context.Background(), true)
	r.outcomes(map[string]int64{"judged": 1, "not_sampled": 3})
	text, err := r.engine.fleet.Encode(history)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"id":13`)
	for _, dropped := range []string{`"id":11`, `"id":12`, `"id":14`} {
		assert.NotContains(t, string(text), dropped)
	}
	runs, dropped := Runs(requests, begin)
	assert.Zero(t, dropped)
	require.Len(t, runs, 1)
	assert.EqualValues(t, 13, runs[0].ID.Execution)
}

// A run that is still waited for at the end of the process is stored and not judged: half of a run
// would be cheaper. Its other part comes after the restart and completes it.
func TestShutdownJudgesNoOpenRun(t *testing.T) {
	m := &memory{values: map[string][]byte{}}
	stored := func(c *Config) { c.Storage = &storageID }
	rng := rand.New(rand.NewPCG(3, 7))
	r := newRig(t, storing{m}, stored)
	for n := range 20 {
		r.send(nightly(rng, n, 1))
	}
	half := func(executor string) pmetric.Metrics {
		return request(part{"app-3", executor, "node-7", 20, begin.Add(20 * time.Hour), 0, []cost{{"scan@11", "Op scan@11", "result", 100, 1, 5e5, 10_000}}})
	}
	r.clock = begin.Add(20 * time.Hour)
	require.NoError(t, r.in[0].ConsumeMetrics(context.Background(), half("5")))
	r.shutdownSides()
	r.outcomes(map[string]int64{"judged": 20, "late": 1})
	assert.Empty(t, r.events())
	require.NoError(t, r.telemetry.Shutdown(context.Background()))
	r.in = nil

	r = newRig(t, storing{m}, stored)
	r.clock = begin.Add(20 * time.Hour)
	r.send(half("6"))
	r.outcomes(map[string]int64{"amended": 1})
	assert.Contains(t, string(m.values[keyQuery+history]), `200,2,1000000,20000]`)
}

// A run again and parts that come late change no verdict and are counted.
func TestLateParts(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), nil)
	scan := []cost{{"scan@1", "Scan t", "s1", 13, 0.17, 1900, 1300}}
	r.send(request(part{"app-3", "5", "node-7", 11, begin, 0, scan}))
	r.send(request(part{"app-3", "5", "node-7", 11, begin, 0, scan}))
	r.send(request(part{"app-3", "6", "node-8", 11, begin, 0, scan}))
	r.send(request(part{"app-3", "5", "node-7", 10, begin.Add(-time.Hour), 0, scan}))
	metadatatest.AssertEqualConnectorSparkShiftRuns(t, r.telemetry, points("outcome", allOutcomes, map[string]int64{"judged": 1, "duplicate": 1, "amended": 1, "late": 1}), metricdatatest.IgnoreTimestamp())
}

// Open runs are bounded: the one that waited longest is judged early.
func TestOpenRunsAreBounded(t *testing.T) {
	r := newRig(t, componenttest.NewNopHost(), func(c *Config) { c.Waiting.MaxOpenRuns = 2; c.Waiting.Settle = 30 * time.Minute })
	for n := range 3 {
		r.send(request(part{"app-3", "5", "node-7", int64(n), begin, 0, []cost{{operator: "scan@1", cpu: 13}}}))
	}
	assert.Len(t, r.engine.open.by, 2)
	metadatatest.AssertEqualConnectorSparkShiftDropped(t, r.telemetry, points("dropped", allDropped, map[string]int64{"open_run": 1}), metricdatatest.IgnoreTimestamp())
	metadatatest.AssertEqualConnectorSparkShiftRuns(t, r.telemetry, points("outcome", allOutcomes, map[string]int64{"judged": 1}), metricdatatest.IgnoreTimestamp())
}

// Whoever has the requests has the runs: parts put together, and those left out that no one told
// the end of.
func TestRuns(t *testing.T) {
	first := part{"app-3", "5", "node-7", 11, begin, 30, []cost{{"scan@1", "Scan t", "s1", 13, 0.25, 1900, 1300}}}
	second := part{"app-3", "6", "node-8", 11, begin.Add(time.Second), 0, []cost{{"scan@1", "Scan t", "s1", 23, 0.5, 3100, 2300}}}
	ahead := part{"app-3", "5", "node-7", 12, begin.Add(time.Hour), 7, nil}
	left := request(part{"app-4", "5", "node-7", 2, begin, 0, []cost{{"scan@1", "Scan t", "s1", 17, 0.25, 1900, 1300}}})
	for _, m := range left.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
		for _, p := range m.Gauge().DataPoints().All() {
			p.Attributes().PutBool("spark.sql.execution.ended", false)
		}
	}
	runs, dropped := Runs([]pmetric.Metrics{request(first), left, request(ahead), request(second)}, begin)
	require.Len(t, runs, 1)
	assert.Equal(t, shift.RunID{Application: "app-3", Execution: 11}, runs[0].ID)
	assert.Equal(t, []shift.Part{{ID: "5", Host: "node-7", CPU: 30}, {ID: "6", Host: "node-8", CPU: 23}}, runs[0].Parts)
	assert.Equal(t, 53., runs[0].CPU)
	assert.Equal(t, 36., runs[0].Operators[0].CPU)
	assert.Equal(t, 1, dropped)
}
