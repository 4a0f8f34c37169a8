package sparkprofile

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadatatest"
	"github.com/planflame/planflame/internal/pipeline"
)

// account plays what an accountant reads of the JVM of feed.
func account(r *sparkProfile) {
	ms := time.Millisecond
	for i, a := range []pipeline.Account{
		{
			Process: 330 * ms, Workers: 230 * ms, Daemons: 17 * ms, Children: 19 * ms, Overflow: 3,
			Threads: map[string]time.Duration{"Executor task l": 41 * ms, "GC Thread": 130 * ms, "C2 CompilerThre": 60 * ms, "C1 CompilerThre": 11 * ms, "mine": 70 * ms},
		},
		{Process: 340 * ms, Last: true, Threads: map[string]time.Duration{"GC Thread": 133 * ms}},
	} {
		r.collect.locked(func(p *pipeline.Pipeline) { p.Account(1, seconds(2+float64(i)/10), a) })
	}
	r.collect.finish()
}

// What runs beside the tasks is exported under a group of its own.
func TestWindowOfWhatRunsBesideTheTasks(t *testing.T) {
	next := &consumertest.ProfilesSink{}
	r, _ := idle(t, next, nil)
	feed(r.collect, 1)
	account(r)
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	pd := next.AllProfiles()[0]
	p := pd.ResourceProfiles().At(0).ScopeProfiles().At(0).Profiles()
	require.Equal(t, 1, p.Len())
	cpu := map[string]int64{}
	for i := range p.At(0).Samples().Len() {
		s := p.At(0).Samples().At(i)
		a := attributesOf(t, pd.Dictionary(), s)
		group, _ := a["spark.cpu.group"].(string)
		name := a["spark.sql.operator.id"].(string)
		cpu[group+" "+name] += s.Values().At(0)
		if group != "" && name != "[python worker]" {
			require.NotContains(t, a, "spark.stage.id")
		}
	}
	assert.Equal(t, map[string]int64{
		" scan@22": 20e6, " [task framework]": 10e6, " [kernel (not sampled)]": 9e6,
		"threads [gc]": 133e6, "threads [jit]": 71e6, "threads [other threads]": 70e6, "threads [ended threads]": 25e6,
		// The plan of feed has no Python node: the stage's own.
		"children [python worker]": 230e6, "children [python daemon]": 17e6, "children [child processes]": 19e6,
	}, cpu)
}

func TestMetricsOfWhatRunsBesideTheTasks(t *testing.T) {
	r, tel := idle(t, consumertest.NewNop(), nil)
	feed(r.collect, 1)
	account(r)
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	require.NoError(t, r.deliver(context.Background(), time.Now())) // adds nothing
	points := func(key string, values map[string]float64) (out []metricdata.DataPoint[float64]) {
		for v, n := range values {
			out = append(out, metricdata.DataPoint[float64]{Value: n, Attributes: attribute.NewSet(attribute.String(key, v))})
		}
		return out
	}
	ignore := []metricdatatest.Option{metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars()}
	metadatatest.AssertEqualReceiverSparkProfileJvmCPU(t, tel, points("part", map[string]float64{
		"tasks": 0.041, "gc": 0.133, "jit": 0.071, "other": 0.070, "ended": 0.025,
	}), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileChildrenCPU(t, tel, points("child", map[string]float64{
		"python_worker_unplaced": 0.230, "python_daemon": 0.017, "other": 0.019,
	}), ignore...)
}

// Every bucket of a thread has a value of the attribute part.
func TestPartsAreComplete(t *testing.T) {
	for _, bucket := range pipeline.ThreadBuckets() {
		assert.NotEmpty(t, parts[bucket], "%s", bucket)
	}
}
