package sparkprofile

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// A driver tells the times of an execution. One that ended before this Collector found its JVM, and
// one that comes again, tell nothing new.
func TestTimesOfQueries(t *testing.T) {
	r, sink, tel := costly(t, nil)
	feed(r.collect, 1)
	now := r.collect.start.Add(15 * time.Second)
	tell := func(id, endedMS int64, query string) {
		r.collect.Record(1, seconds(33), &jvmlog.Times{JSON: fmt.Appendf(nil, `{"kind":"execution","application_id":"app-3","execution_id":%d,"query":%q,"query_name":"tpch q06",
			"started_ms":%d,"ended_ms":%d,"task_free_ms":700,"held_us":5000000,"idle_us":300000,"cpu_ns":2000000000}`, id, query, endedMS-4000, endedMS)})
	}
	tell(7, now.UnixMilli()-1, "q1-abc")
	tell(7, now.UnixMilli()-1, "q1-abc")
	tell(8, now.UnixMilli()-2, "q1-abc")
	tell(9, now.UnixMilli()-3, "")
	tell(6, time.Unix(0, 0).UnixMilli(), "q1-abc")
	r.collect.Record(1, seconds(33), &jvmlog.Times{JSON: []byte(`{"kind":"application","application_id":"app-3","missed_tasks":5,"left_out":6}`)})
	require.NoError(t, r.deliver(context.Background(), now))
	points, _ := shown(t, sink.AllMetrics()[0])
	for name, want := range map[string]float64{"wall": 8, "driver": 1.4, "waiting": 6, "idle": 0.6} {
		p := points["spark.sql.query."+name+".time s"]
		require.Len(t, p, 1, name)
		assert.InDelta(t, want, p[0].value, 1e-9, name)
		assert.Equal(t, map[string]any{"spark.query.fingerprint": "q1-abc", "spark.query.name": "tpch q06"}, p[0].attributes, name)
	}
	require.Len(t, points["spark.sql.query.cpu.time s"], 1, "the same series")
	problems, err := tel.GetMetric("otelcol_receiver_spark_profile_problems")
	require.NoError(t, err)
	lost := attribute.NewSet(attribute.String("problem", "lost_times"))
	for _, p := range problems.Data.(metricdata.Sum[int64]).DataPoints {
		if p.Attributes.Equals(&lost) {
			assert.Equal(t, int64(11), p.Value)
			return
		}
	}
	t.Fatal("no lost_times")
}

// A batch of a stream is one run, and its wall time is told once, though an execution of the same
// query runs for it. That one may be told in the window before.
func TestTimesOfNestedQueries(t *testing.T) {
	for name, apart := range map[string]bool{"in one window": false, "over two": true} {
		r, sink, _ := costly(t, nil)
		feed(r.collect, 1)
		now := r.collect.start.Add(15 * time.Second)
		tell := func(id, ms, taskFreeMS int64) {
			r.collect.Record(1, seconds(33), &jvmlog.Times{JSON: fmt.Appendf(nil, `{"kind":"execution","application_id":"app-3","execution_id":%d,"root_id":3,"query":"q1-abc","query_name":"tpch q06",
				"started_ms":%d,"ended_ms":%d,"task_free_ms":%d}`, id, now.UnixMilli()-ms, now.UnixMilli(), taskFreeMS)})
		}
		tell(4, 4000, 1000)
		if apart {
			require.NoError(t, r.deliver(context.Background(), now))
		}
		tell(3, 9000, 7000)
		require.NoError(t, r.deliver(context.Background(), now.Add(time.Millisecond)))
		metrics := sink.AllMetrics()
		points, _ := shown(t, metrics[len(metrics)-1])
		for metric, want := range map[string]float64{"runs {run}": 1, "wall.time s": 9, "driver.time s": 4} {
			p := points["spark.sql.query."+metric]
			require.Len(t, p, 1, "%s: %s", name, metric)
			assert.InDelta(t, want, p[0].value, 1e-9, "%s: %s", name, metric)
		}
	}
}
