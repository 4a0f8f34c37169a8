package costmetrics

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

var begin = time.Date(2026, 11, 1, 2, 3, 4, 5, time.UTC)

// minute is the n-th window.
func minute(n int) Window {
	return Window{begin.Add(time.Duration(n) * time.Minute), begin.Add(time.Duration(n+1) * time.Minute)}
}

// scan and framework are the keys of the tests: the second has another query and place than its
// stage.
var (
	scan      = semconv.Operator{Query: "q1-abc", Place: "result", ID: "scan@22", Name: "Scan t", Role: "scan"}
	framework = semconv.Operator{Query: "", Place: "", Bucket: "task framework"}
)

// small is a stage of three units: 40 ms with samples scan, scan, framework of 10 ms each, 3 ms
// without a clock, and a fragment of 5 ms.
func small() *tasksample.Stage[semconv.Operator] {
	s := tasksample.NewStage[semconv.Operator]()
	var u tasksample.Unit[semconv.Operator]
	u.Sample(scan, 10*time.Millisecond)
	u.Sample(scan, 10*time.Millisecond)
	u.Sample(framework, 10*time.Millisecond)
	s.Add(&u, tasksample.TierSelected, 40*time.Millisecond)
	s.Add(nil, tasksample.TierNone, 3*time.Millisecond)
	s.AddFragment(nil, tasksample.TierBase, 5*time.Millisecond)
	return s
}

// resource is a JVM's.
func resource(md pmetric.Metrics, pid int64) pmetric.ResourceMetrics {
	rm := md.ResourceMetrics().AppendEmpty()
	a := rm.Resource().Attributes()
	a.PutStr(semconv.ApplicationID, "app-3")
	a.PutStr(semconv.HostName, "node-7")
	a.PutStr(semconv.ExecutorID, "5")
	a.PutInt(semconv.PID, pid)
	return rm
}

func tellSmall(md pmetric.Metrics) {
	TellStage(resource(md, 13), Scope{"s", "v"}, minute(2), &StageSums{Execution: 7, Stage: 11, Probability: 0.5, Query: "q1-abc", Name: "tpch q06", Place: "result", Statistics: small()})
}

// wire carries metrics over OTLP.
func wire(t testing.TB, md pmetric.Metrics) pmetric.Metrics {
	t.Helper()
	b, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(md)
	require.NoError(t, err)
	out, err := (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(b)
	require.NoError(t, err)
	return out
}

// Checks every point of a stage against values computed by hand. Class 50 holds 33.6 to 47.5 ms,
// class 43 holds 2.97 to 4.19 ms, and class 44 holds 4.19 to 5.93 ms.
func TestTellStage(t *testing.T) {
	md := pmetric.NewMetrics()
	tellSmall(md)
	got := map[string]any{}
	sm := md.ResourceMetrics().At(0).ScopeMetrics().At(0)
	assert.Equal(t, map[string]any{"spark.sql.execution.id": int64(7), "spark.stage.id": int64(11), "spark.sql.execution.probability": 0.5,
		"spark.query.fingerprint": "q1-abc", "spark.query.name": "tpch q06", "spark.stage.name": "result"}, sm.Scope().Attributes().AsRaw())
	for _, m := range sm.Metrics().All() {
		assert.Equal(t, pmetric.AggregationTemporalityDelta, m.Sum().AggregationTemporality())
		assert.True(t, m.Sum().IsMonotonic())
		for _, dp := range m.Sum().DataPoints().All() {
			assert.Equal(t, begin.Add(2*time.Minute), dp.StartTimestamp().AsTime())
			assert.Equal(t, begin.Add(3*time.Minute), dp.Timestamp().AsTime())
			a := dp.Attributes()
			name := []string{strings.TrimPrefix(m.Name(), "spark.sql.execution.stage."), m.Unit()}
			for _, key := range []string{semconv.SamplingClass, semconv.SamplingTier, semconv.OperatorID, semconv.OperatorName, semconv.OperatorRole, semconv.CPUBucket} {
				if v, ok := a.Get(key); ok {
					name = append(name, v.AsString())
				}
			}
			if q, ok := a.Get(semconv.QueryFingerprint); ok {
				name = append(name, "query="+q.AsString())
			}
			value := any(dp.DoubleValue())
			if dp.ValueType() == pmetric.NumberDataPointValueTypeInt {
				value = dp.IntValue()
			}
			got[strings.Join(name, " ")] = value
		}
	}
	of, other := "50 selected scan@22 Scan t scan", "50 selected task framework query="
	assert.Equal(t, map[string]any{
		"units {unit} 50 selected": int64(1), "cpu.time ns 50 selected": 40e6, "samples {sample} 50 selected": int64(3), "weight ns 50 selected": 30e6,
		"unit.squares ns2 50 selected": 900e12, "sample.squares ns2 50 selected": 300e12, "first.squares ns2 50 selected": 100e12,
		"key.samples {sample} " + of: int64(2), "key.weight ns " + of: 20e6, "key.changes ns2 " + of: 50e12, "key.squares ns2 " + of: 400e12, "key.products ns2 " + of: 600e12,
		"key.samples {sample} " + other: int64(1), "key.weight ns " + other: 10e6, "key.changes ns2 " + other: 50e12, "key.squares ns2 " + other: 100e12, "key.products ns2 " + other: 300e12,
		"units {unit} 43 none": int64(1), "cpu.time ns 43 none": 3e6, "units {unit} 44 base": int64(1), "cpu.time ns 44 base": 5e6,
		"fragments {attempt}": int64(1), "fragment.cpu.time ns": 5e6,
	}, got)
}

// reading gathers parts.
type reading map[PartID]*Part

func (r reading) find(id PartID, _ pcommon.Map) *Part {
	if r[id] == nil {
		r[id] = NewPart()
	}
	return r[id]
}

// What is told is what is read, over OTLP; the same request again changes nothing and is counted.
func TestReadStage(t *testing.T) {
	md := pmetric.NewMetrics()
	tellSmall(md)
	md = wire(t, md)
	parts := reading{}
	n := md.DataPointCount()
	assert.Equal(t, Counts{Taken: n}, Read(md, parts.find))
	assert.Equal(t, Counts{Duplicate: n}, Read(md, parts.find))
	id := PartID{RunID{Application: "app-3", Execution: 7, Stage: -1}, "node-7\x0013\x005", begin.Add(3 * time.Minute).UnixNano()}
	require.Equal(t, []PartID{id}, slices.Collect(maps.Keys(parts)))
	assert.Equal(t, map[tasksample.StageID]*StageSums{11: {Execution: 7, Stage: 11, Probability: 0.5, Query: "q1-abc", Name: "tpch q06", Place: "result", Statistics: small()}}, parts[id].Stages)
	assert.Nil(t, parts[id].Total)
	assert.Equal(t, 1+1+3+2, parts[id].Entries())
	assert.Equal(t, Counts{Duplicate: n}, Read(md, func(PartID, pcommon.Map) *Part { return nil }), "of a part that is closed")
}

// A stage outside of SQL is a run by itself, and so is a JVM whose application no one knows.
func TestReadRunIDs(t *testing.T) {
	md := pmetric.NewMetrics()
	rm := resource(md, 13)
	rm.Resource().Attributes().Remove(semconv.ApplicationID)
	TellStage(rm, Scope{}, minute(2), &StageSums{Execution: tasksample.NoExecution, Stage: 11, Probability: 1, Statistics: small()})
	parts := reading{}
	Read(wire(t, md), parts.find)
	jvm := "node-7\x0013\x005"
	assert.Equal(t, []PartID{{RunID{JVM: jvm, Execution: tasksample.NoExecution, Stage: 11}, jvm, begin.Add(3 * time.Minute).UnixNano()}}, slices.Collect(maps.Keys(parts)))
}

// The end of an execution, with each flag by itself, and rows that are known and not.
func TestTellEnd(t *testing.T) {
	x := Execution{ID: 7, Query: "q1-abc", Name: "tpch q06", Plan: "p1-def", End: begin.Add(17 * time.Second)}
	left, leftOut := x, x
	left.Left, leftOut.LeftOut = true, true
	for name, want := range map[string]Total{
		"over": {Execution: x, CPU: 1_234_567_891}, "left": {Execution: left, CPU: 3}, "left out": {Execution: leftOut, CPU: 5}, "failed": {Execution: x, Failed: true, CPU: 0},
	} {
		t.Run(name, func(t *testing.T) {
			md := pmetric.NewMetrics()
			TellEnd(resource(md, 13), Scope{"s", "v"}, minute(3), &End{Total: want, Rows: []PartRows{
				{Place: "result", Operator: "scan@22", Name: "Scan t", Rows: 1900, Known: true}, {Place: "result", Operator: "join@3", Name: "Join"}, {Place: "result", Operator: "sort@4", Known: true}},
				Python: []PartPython{{"result", "python@5", "MapInPandas f", 1_500_000_007}, {"", "[python worker]", "[python worker]", 11}}})
			md = wire(t, md)
			parts := reading{}
			assert.Equal(t, Counts{Taken: 6}, Read(md, parts.find))
			assert.Equal(t, Counts{Duplicate: 6}, Read(md, parts.find))
			require.Len(t, parts, 1)
			for id, p := range parts {
				assert.Equal(t, begin.Add(4*time.Minute).UnixNano(), id.End)
				assert.Equal(t, &want, p.Total)
				assert.Equal(t, map[OperatorAt]*PartRows{
					{"result", "scan@22"}: {Place: "result", Operator: "scan@22", Name: "Scan t", Rows: 1900, Known: true},
					{"result", "join@3"}:  {Place: "result", Operator: "join@3", Name: "Join"},
					{"result", "sort@4"}:  {Place: "result", Operator: "sort@4", Known: true}}, p.Rows)
				assert.Equal(t, map[OperatorAt]*PartPython{
					{"result", "python@5"}: {"result", "python@5", "MapInPandas f", 1_500_000_007}, {"", "[python worker]"}: {"", "[python worker]", "[python worker]", 11}}, p.Python)
				assert.Equal(t, 1+3+2, p.Entries())
			}
		})
	}
}

// Each way in which a point can make no sense.
func TestSenselessPoints(t *testing.T) {
	each := func(md pmetric.Metrics, f func(string, pmetric.Metric)) {
		for _, m := range md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
			f(strings.TrimPrefix(m.Name(), "spark.sql.execution."), m)
		}
	}
	points := func(md pmetric.Metrics, f func(string, pmetric.NumberDataPoint)) {
		each(md, func(name string, m pmetric.Metric) {
			for _, dp := range m.Sum().DataPoints().All() {
				f(name, dp)
			}
		})
	}
	scope := func(md pmetric.Metrics) pcommon.Map {
		return md.ResourceMetrics().At(0).ScopeMetrics().At(0).Scope().Attributes()
	}
	const all, inCells, ofKeys, metrics = 23, 21, 10, 14
	for name, c := range map[string]struct {
		senseless int
		change    func(pmetric.Metrics)
	}{
		"nothing":            {0, func(pmetric.Metrics) {}},
		"no stage":           {all, func(md pmetric.Metrics) { scope(md).Remove(semconv.StageID) }},
		"negative stage":     {all, func(md pmetric.Metrics) { scope(md).PutInt(semconv.StageID, -1) }},
		"no probability":     {all, func(md pmetric.Metrics) { scope(md).Remove(semconv.ExecutionProbability) }},
		"probability of 0":   {all, func(md pmetric.Metrics) { scope(md).PutDouble(semconv.ExecutionProbability, 0) }},
		"execution's text":   {all, func(md pmetric.Metrics) { scope(md).PutStr(semconv.ExecutionID, "7") }},
		"negative execution": {all, func(md pmetric.Metrics) { scope(md).PutInt(semconv.ExecutionID, -1) }},
		"no time": {all, func(md pmetric.Metrics) {
			points(md, func(_ string, dp pmetric.NumberDataPoint) { dp.SetTimestamp(0) })
		}},
		"class": {inCells, func(md pmetric.Metrics) {
			points(md, func(_ string, dp pmetric.NumberDataPoint) {
				if _, ok := dp.Attributes().Get(semconv.SamplingClass); ok {
					dp.Attributes().PutInt(semconv.SamplingClass, 128)
				}
			})
		}},
		"tier": {inCells, func(md pmetric.Metrics) {
			points(md, func(_ string, dp pmetric.NumberDataPoint) { dp.Attributes().PutStr(semconv.SamplingTier, "some") })
		}},
		"neither operator nor bucket": {ofKeys, func(md pmetric.Metrics) {
			points(md, func(_ string, dp pmetric.NumberDataPoint) {
				dp.Attributes().Remove(semconv.OperatorID)
				dp.Attributes().Remove(semconv.CPUBucket)
			})
		}},
		"operator and bucket": {ofKeys, func(md pmetric.Metrics) {
			points(md, func(_ string, dp pmetric.NumberDataPoint) {
				dp.Attributes().PutStr(semconv.OperatorID, "scan@22")
				dp.Attributes().PutStr(semconv.CPUBucket, "gc")
			})
		}},
		"negative": {all, func(md pmetric.Metrics) {
			points(md, func(_ string, dp pmetric.NumberDataPoint) {
				dp.SetDoubleValue(-dp.DoubleValue())
			})
		}},
		"kinds of number": {all, func(md pmetric.Metrics) {
			points(md, func(_ string, dp pmetric.NumberDataPoint) {
				if dp.ValueType() == pmetric.NumberDataPointValueTypeInt {
					dp.SetDoubleValue(3)
				} else {
					dp.SetIntValue(3)
				}
			})
		}},
		"more than 292 years": {2, func(md pmetric.Metrics) {
			points(md, func(name string, dp pmetric.NumberDataPoint) {
				if name == "stage.weight" || name == "stage.unit.squares" {
					dp.SetDoubleValue(1e38)
				}
			})
		}},
		"cumulative": {metrics, func(md pmetric.Metrics) {
			each(md, func(_ string, m pmetric.Metric) {
				m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
			})
		}},
		"gauges": {metrics, func(md pmetric.Metrics) { each(md, func(_ string, m pmetric.Metric) { m.SetEmptyGauge() }) }},
	} {
		t.Run(name, func(t *testing.T) {
			md := pmetric.NewMetrics()
			tellSmall(md)
			require.Equal(t, all, md.DataPointCount())
			c.change(md)
			parts := reading{}
			got := Read(wire(t, md), parts.find)
			assert.Equal(t, c.senseless, got.Senseless)
			assert.Zero(t, got.Duplicate)
		})
	}
}

// A cell that lacks one of its points counts as if no clock had run; units and their CPU stay.
func TestMakeSound(t *testing.T) {
	whole := small()
	assert.Zero(t, MakeSound(whole))
	assert.Equal(t, small(), whole)
	md := pmetric.NewMetrics()
	tellSmall(md)
	lost := 0
	for i, m := range md.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().All() {
		for k := range m.Sum().DataPoints().Len() {
			cut := pmetric.NewMetrics()
			md.CopyTo(cut)
			at := -1
			cut.ResourceMetrics().At(0).ScopeMetrics().At(0).Metrics().At(i).Sum().DataPoints().RemoveIf(func(pmetric.NumberDataPoint) bool { at++; return at == k })
			parts := reading{}
			Read(cut, parts.find)
			for _, p := range parts {
				s := p.Stages[11].Statistics
				n := MakeSound(s)
				units := s.Facts().Ended
				switch name := strings.TrimPrefix(m.Name(), "spark.sql.execution.stage."); name {
				case "fragments", "fragment.cpu.time", "key.changes":
					assert.Zero(t, n, name) // nothing else tells of it
				case "units", "cpu.time":
					assert.Equal(t, 1, n, name)
					assert.EqualValues(t, 2, units)
				default:
					lost++
					assert.Equal(t, 1, n, name)
					assert.EqualValues(t, 3, units)
					assert.Equal(t, tasksample.TierNone, slices.MaxFunc(slices.Collect(maps.Keys(s.Cells)), func(a, b tasksample.Cell) int { return int(a.Class) - int(b.Class) }).Tier)
				}
			}
		}
	}
	assert.Equal(t, 5+8, lost)
}

func TestUnkeyed(t *testing.T) {
	got := Unkeyed(small())
	assert.Equal(t, 3, Entries(got))
	assert.Equal(t, 5, Entries(small()))
	r := got.Estimate()
	assert.Equal(t, 48*time.Millisecond, r.CPU)
	assert.Equal(t, r.CPU, r.Unsampled)
	assert.EqualValues(t, 1, got.Fragments)
	assert.InDelta(t, 5e6, got.FragmentsCPU, 0)
}

// FuzzRead: whatever comes, what is read is in range, sound after MakeSound, and can be estimated.
func FuzzRead(f *testing.F) {
	md := pmetric.NewMetrics()
	tellSmall(md)
	TellEnd(resource(md, 13), Scope{}, minute(2), &End{Total: Total{Execution: Execution{ID: 7, Query: "q1-abc", End: begin}, CPU: 3},
		Rows: []PartRows{{Place: "r", Operator: "o", Rows: 3, Known: true}, {Operator: "p"}}, Python: []PartPython{{"r", "o", "", 5}}})
	b, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(md)
	require.NoError(f, err)
	f.Add(b)
	rng := rand.New(rand.NewPCG(3, 5))
	for range 20 {
		c := slices.Clone(b)
		c[rng.IntN(len(c))] ^= byte(1 << rng.IntN(8))
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		md, err := (&pmetric.ProtoUnmarshaler{}).UnmarshalMetrics(b)
		if err != nil {
			return
		}
		parts := reading{}
		Read(md, parts.find)
		for _, p := range parts {
			for _, s := range p.Stages {
				MakeSound(s.Statistics)
				r := s.Statistics.Estimate()
				for key, e := range r.Keys {
					if e.CPU < 0 || e.SE < 0 || e.CPU > r.CPU+r.CPU/1000+1 {
						t.Fatalf("%v: %s ± %s of %s", key, e.CPU, e.SE, r.CPU)
					}
				}
			}
		}
	})
}
