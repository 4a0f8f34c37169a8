package sparkprofile

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadatatest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// drawnRun says in task events that their run was drawn with π 0.25, or left out.
type drawnRun struct {
	sampler.Sink
	leftOut bool
}

func (d *drawnRun) TaskEvent(id sampler.JVMID, e jvmlog.TaskEvent) {
	e.RunProbability, e.LeftOut = 0.25, d.leftOut
	d.Sink.TaskEvent(id, e)
}

func (d *drawnRun) Stats(id sampler.JVMID, s sampler.Stats) {
	s.LeftOut, s.Thinned = 5, 7
	d.Sink.Stats(id, s)
}

// A run that was drawn stands for four in what operators cost; its own cost, which histories are
// made of, is its own. The kernel's time is known.
func TestCostsOfARunThatWasDrawn(t *testing.T) {
	r, sink, _ := costly(t, nil)
	feed(&drawnRun{Sink: r.collect}, 1)
	rowsAndEnd(r.collect, 1, 1, false)
	require.NoError(t, r.deliver(context.Background(), r.collect.start.Add(15*time.Second)))
	points, _ := shown(t, sink.AllMetrics()[0])
	value := func(metric, operator string) float64 {
		for _, p := range points[metric] {
			if name, ok := p.attributes["spark.sql.operator.id"]; !ok || name == operator {
				return p.value
			}
		}
		t.Fatalf("no %s of %q in %v", metric, operator, points)
		return 0
	}
	variance := 0.031 * 0.031 * (100.*2/9 + 50) / 900 // see TestCostsOfAWindow
	assert.InDelta(t, 4*0.0206667, value("spark.sql.operator.cpu.time s", "scan@22"), 1e-6)
	assert.InDelta(t, 16*variance, value("spark.sql.operator.cpu.variance s2", "scan@22"), 0.01*variance)
	assert.InDelta(t, 0.009, value("spark.sql.operator.cpu.time s", "[kernel (not sampled)]"), 1e-9)
	assert.InDelta(t, 0.040, value("spark.sql.query.cpu.time s", ""), 1e-9)
	assert.InDelta(t, 1900, value("spark.sql.operator.rows {row}", "scan@22"), 0, "of all runs")
	assert.InDelta(t, 0.0206667, value("spark.sql.execution.operator.cpu.time s", "scan@22"), 1e-6)
	assert.InDelta(t, variance, value("spark.sql.execution.operator.cpu.variance s2", "scan@22"), 0.01*variance)
	assert.NotContains(t, points["spark.sql.execution.cpu.time s"][0].attributes, "spark.sql.execution.sampled")
}

// Of a run that was left out the CPU is told, by query and run, and nothing of operators but their
// rows.
func TestCostsOfARunThatWasLeftOut(t *testing.T) {
	r, sink, tel := costly(t, nil)
	feed(&drawnRun{Sink: r.collect, leftOut: true}, 1)
	rowsAndEnd(r.collect, 1, 1, false)
	require.NoError(t, r.deliver(context.Background(), r.collect.start.Add(15*time.Second)))
	points, _ := shown(t, sink.AllMetrics()[0])
	require.Len(t, points["spark.sql.execution.cpu.time s"], 1)
	run := points["spark.sql.execution.cpu.time s"][0]
	assert.InDelta(t, 0.040, run.value, 1e-9)
	assert.Equal(t, false, run.attributes["spark.sql.execution.sampled"])
	assert.NotContains(t, points, "spark.sql.execution.operator.cpu.time s")
	assert.NotContains(t, points, "spark.sql.execution.operator.rows {row}")
	assert.InDelta(t, 0.040, points["spark.sql.query.cpu.time s"][0].value, 1e-9)
	for _, p := range points["spark.sql.operator.cpu.time s"] {
		if p.attributes["spark.sql.operator.id"] != "[kernel (not sampled)]" {
			assert.Zero(t, p.value, "%v", p.attributes) // a series that its rows began
		}
	}
	ignore := []metricdatatest.Option{metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars()}
	why := func(of string, n int64) metricdata.DataPoint[int64] {
		return metricdata.DataPoint[int64]{Value: n, Attributes: attribute.NewSet(attribute.String("why", of))}
	}
	// 5 samples the sampler left out, 3 more had slipped through.
	metadatatest.AssertEqualReceiverSparkProfileNotKeptSamples(t, tel, []metricdata.DataPoint[int64]{why("run", 8), why("budget", 7)}, ignore...)
	metadatatest.AssertEqualReceiverSparkProfileLeftOutCPU(t, tel, []metricdata.DataPoint[float64]{{Value: 0.031}}, ignore...)
}
