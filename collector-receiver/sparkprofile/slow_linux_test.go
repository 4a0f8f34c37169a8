package sparkprofile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadatatest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// telling is a receiver that tells of slow tasks and whose sampler does not run.
func telling(t *testing.T) (*sparkProfile, *consumertest.LogsSink, *componenttest.Telemetry) {
	t.Helper()
	sink := &consumertest.LogsSink{}
	r, tel := idle(t, nil, nil)
	r.tellSlow(sink)
	return r, sink, tel
}

// playDriver plays a driver's JVM with an application of eight slots.
func playDriver(sink sampler.Sink, id sampler.JVMID) {
	sink.JVMFound(sampler.JVM{ID: id, PID: 4_100_000 + int(id), Mode: sampler.ModeNone, Place: &procfs.Place{UID: 185}})
	sink.Record(id, seconds(1), &jvmlog.Application{JSON: []byte(`{"application_id": "app-3", "application_name": "nightly", "executor_id": "driver", "spark_version": "4.3.0", "labels": {"team": "margin"}}`)})
	playTimes(sink, id, `{"kind":"application","application_id":"app-3","started_ms":1,"slots":8}`)
}

func playTimes(sink sampler.Sink, id sampler.JVMID, json string) {
	sink.Record(id, seconds(2), &jvmlog.Times{JSON: []byte(json)})
}

// playStage plays the eight tasks of a stage, of one row and 0.25 s of CPU each. Seven take 1 s,
// the last takes 5 s and has 4.25 s of CPU. They start 10 s after 1970.
func playStage(sink sampler.Sink, id sampler.JVMID, stage, execution int) {
	var rows []string
	for i := range 8 {
		took, cpu := 1000, 250
		if i == 7 {
			took, cpu = 5000, 4250
		}
		rows = append(rows, fmt.Sprintf(`[%d,2,%d,%d,1,10000,%d,0,%d,%d000000,1]`, stage, 30+i, 40+i, 10_000+took, took, cpu))
	}
	playTimes(sink, id, `{"kind":"tasks","application_id":"app-3","columns":["stage_id","attempt","task_id","partition","succeeded","launched_ms","finished_ms","host","run_ms","cpu_ns","input_rows"],
		"tasks":[`+strings.Join(rows, ",")+`],"hosts":["node-5"]}`)
	playTimes(sink, id, fmt.Sprintf(`{"kind":"stage","application_id":"app-3","stage_id":%d,"attempt":2,"execution_id":%d,"submitted_ms":10000,"completed_ms":15000,"ended_tasks":8}`, stage, execution))
}

func TestSlowTasksOfAWindow(t *testing.T) {
	r, sink, tel := telling(t)
	playDriver(r.collect, 1)
	playStage(r.collect, 1, 11, 7)
	now := r.collect.start.Add(15 * time.Second)
	require.NoError(t, r.deliver(context.Background(), now))
	require.Empty(t, sink.AllLogs(), "the query is not known")
	playTimes(r.collect, 1, `{"kind":"execution","application_id":"app-3","execution_id":7,"query":"q1-abc","query_name":"tpch q06","plan":"p1-def"}`)
	now = now.Add(15 * time.Second)
	require.NoError(t, r.deliver(context.Background(), now))
	require.Len(t, sink.AllLogs(), 1)
	require.Equal(t, 1, sink.LogRecordCount())
	rl := sink.AllLogs()[0].ResourceLogs().At(0)
	assert.Equal(t, map[string]any{
		"service.name": "nightly", "host.name": r.shape.origin.Host, "process.pid": int64(4_100_001), "process.user.id": int64(185), "team": "margin",
		"spark.application.id": "app-3", "spark.application.name": "nightly", "spark.executor.id": "driver", "spark.version": "4.3.0",
	}, rl.Resource().Attributes().AsRaw())
	assert.Equal(t, scopeName, rl.ScopeLogs().At(0).Scope().Name())
	record := rl.ScopeLogs().At(0).LogRecords().At(0)
	assert.Equal(t, "spark.task.slow", record.EventName())
	assert.Equal(t, "WARN", record.SeverityText())
	assert.Equal(t, time.UnixMilli(15_000).UTC(), record.Timestamp().AsTime())
	assert.Equal(t, now.UTC(), record.ObservedTimestamp().AsTime())
	assert.Equal(t, "Task 37 of stage 11, partition 47 of tpch q06, took 5 s, its peers 1 s: computation skew", record.Body().Str())
	assert.Equal(t, map[string]any{
		"spark.query.fingerprint": "q1-abc", "spark.query.name": "tpch q06", "spark.query.plan": "p1-def", "spark.sql.execution.id": int64(7),
		"spark.stage.id": int64(11), "spark.stage.attempt.number": int64(2), "spark.task.attempt.id": int64(37), "spark.partition.id": int64(47),
		"spark.task.host": "node-5", "spark.task.verdict": "computation skew", "spark.task.duration": 5., "spark.task.excess": 4.,
		"spark.task.volume.ratio": 1., "spark.task.volume.of": "row", "spark.task.cpu.ratio": 17.,
	}, record.Attributes().AsRaw())
	metadatatest.AssertEqualReceiverSparkProfileSlowTasks(t, tel, []metricdata.DataPoint[int64]{
		{Value: 1, Attributes: attribute.NewSet(attribute.String("verdict", "computation skew"))},
	}, metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
}

// A JVM that reports no end of its execution is told of when it is gone, once. Nothing of it stays.
func TestSlowTasksOfAKilledDriver(t *testing.T) {
	r, sink, _ := telling(t)
	playDriver(r.collect, 1)
	playStage(r.collect, 1, 11, 7)
	r.collect.JVMGone(1)
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	require.Equal(t, 1, sink.LogRecordCount())
	record := sink.AllLogs()[0].ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0)
	assert.NotContains(t, record.Attributes().AsRaw(), "spark.query.fingerprint")
	assert.Contains(t, record.Body().Str(), "partition 47 of no known query,")
	assert.Empty(t, r.slow.jvms)
}

// A JVM has so many log records in a minute; a driver's clock ahead of the node's does not count.
func TestSlowTasksAreBounded(t *testing.T) {
	r, sink, tel := telling(t)
	playDriver(r.collect, 1)
	for stage := range mostEvents + 2 {
		playStage(r.collect, 1, stage, -1)
	}
	now := time.UnixMilli(11_000)
	r.collect.start = time.UnixMilli(10_000)
	require.NoError(t, r.deliver(context.Background(), now))
	require.Equal(t, mostEvents, sink.LogRecordCount())
	assert.Equal(t, now.UTC(), sink.AllLogs()[0].ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0).Timestamp().AsTime())
	for i, want := range []int{mostEvents, mostEvents + 1} { // in the same minute, and in the next
		playStage(r.collect, 1, 1000+i, -1)
		now = now.Add(30 * time.Second)
		require.NoError(t, r.deliver(context.Background(), now))
		require.Equal(t, want, sink.LogRecordCount())
	}
	assert.EqualValues(t, 3, problemsOf(t, tel)["overflow_event"])
}

// What finds no room, in the window or in the book, and what the next consumer refuses is counted.
func TestLostSlowTasks(t *testing.T) {
	r, _, tel := telling(t)
	playDriver(r.collect, 1)
	r.slow.to = consumertest.NewErr(errors.New("full"))
	playStage(r.collect, 1, 11, -1)
	require.ErrorContains(t, r.deliver(context.Background(), time.Now()), "full")
	assert.EqualValues(t, 1, problemsOf(t, tel)["refused_event"])

	for stage := range mostTimedTasks/8 + 1 {
		playStage(r.collect, 1, stage, 7)
	}
	r.collect.JVMFound(sampler.JVM{ID: 2})
	playStage(r.collect, 2, 11, 7)
	r.collect.JVMGone(2)
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	assert.EqualValues(t, 8+8, problemsOf(t, tel)["lost_times"], "a stage beyond the bound, and a stage of a driver without slots")
}
