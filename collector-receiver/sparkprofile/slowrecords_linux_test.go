package sparkprofile

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadatatest"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// playDwell plays a dwell of the task that feedTask plays: 0.9 s at the 600th of 1,000 records, for
// all of its time. more are pairs of what is otherwise, old and new.
func playDwell(sink sampler.Sink, id sampler.JVMID, more ...string) {
	dwell := `{"kind":"dwell","stage_id":11,"attempt":2,"task_id":17,"partition":19,"reading_ms":900,"records":1000,"begin_ns":2050000000,"end_ns":2950000000,"what":"record","at":600,
		"shuffle":false,"net_ms":850,"cpu_ms":720,"gc_ms":0,"queue_ms":0,"rows_out":1,"file":"part-00003.csv","path":"6f1c09ab","start":4096,"file_from":200,"file_to":200,"frames":["My.parse","My.run"]}`
	sink.Record(id, seconds(3), &jvmlog.Dwell{JSON: []byte(strings.NewReplacer(more...).Replace(dwell))})
}

func TestSlowRecordsOfAWindow(t *testing.T) {
	r, sink, tel := telling(t)
	r.slow.now = func() jvmlog.MonoTime { return seconds(43) }
	feedTask(r.collect, 1)
	playDwell(r.collect, 1)
	playDwell(r.collect, 1, `"what":"record"`, `"what":"before"`)
	playDwell(r.collect, 1, `"reading_ms":900`, `"reading_ms":900000`) // the others cost as much
	playDwell(r.collect, 1, `"end_ns":2950000000`, `"end_ns":2540000000`, `"net_ms":850`, `"net_ms":490`)
	r.collect.Watermark(1, seconds(30))
	now := r.collect.start.Add(15 * time.Second)
	require.NoError(t, r.deliver(context.Background(), now))
	require.Equal(t, 1, sink.LogRecordCount())
	rl := sink.AllLogs()[0].ResourceLogs().At(0)
	executor, _ := rl.Resource().Attributes().Get("spark.executor.id")
	assert.Equal(t, "5", executor.Str())
	record := rl.ScopeLogs().At(0).LogRecords().At(0)
	assert.Equal(t, "spark.record.slow", record.EventName())
	assert.Equal(t, "WARN", record.SeverityText())
	assert.Equal(t, now.Add(-40050*time.Millisecond).UTC(), record.Timestamp().AsTime(), "43 s less 2.95 s")
	assert.Equal(t, now.UTC(), record.ObservedTimestamp().AsTime())
	assert.Equal(t, "Record 400 of part-00003.csv +4096 took 0.9 s in task 17 of stage 11, partition 19 of tpch q06", record.Body().Str())
	assert.Equal(t, map[string]any{
		"spark.query.fingerprint": "q1-abc", "spark.query.name": "tpch q06", "spark.query.plan": "p1-def", "spark.sql.execution.id": int64(7), "spark.sql.operator.name": "Scan t",
		"spark.stage.id": int64(11), "spark.stage.attempt.number": int64(2), "spark.task.attempt.id": int64(17), "spark.partition.id": int64(19),
		"spark.record.duration": 0.9, "spark.record.cpu": 0.72, "spark.record.first": int64(400), "spark.record.last": int64(400), "spark.record.shuffle": false,
		"spark.record.file": "part-00003.csv", "spark.record.path": "6f1c09ab", "spark.record.offset": int64(4096), "spark.record.frames": []any{"My.parse", "My.run"},
	}, record.Attributes().AsRaw())
	metadatatest.AssertEqualReceiverSparkProfileSlowRecords(t, tel, []metricdata.DataPoint[int64]{{Value: 1}}, metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
}

// Where a record is, as its body says.
func TestPlacesOfSlowRecords(t *testing.T) {
	row := pipeline.Dwell{At: 600, Records: 1000, End: 3e9}
	batch, next, shuffled := row, row, row
	batch.Batch, batch.File, batch.FileTo = 100, "0a1b.parquet", 50
	next.Kind = pipeline.DwellNext
	shuffled.Shuffle, shuffled.File = true, "0a1b.parquet"
	for want, d := range map[string]pipeline.Dwell{
		"Record 600 of the partition":                row,
		"Records 451 to 600 of 0a1b.parquet +0":      batch,
		"Record 601 of the partition":                next,
		"Record 600 of those read of shuffles":       shuffled,
		"Record 600 of the rows from Python":         {At: 600, Records: 1000, Python: true, Shuffle: true},
		"Records 801 to 900 of 0a1b.parquet +0 took": {At: 800, Batch: 100, Records: 900, Kind: pipeline.DwellNext, File: "0a1b.parquet"},
	} {
		r := plog.NewLogRecord()
		slowRecord(r, &d)
		assert.Contains(t, r.Body().Str(), want)
		_, named := r.Attributes().Get("spark.record.file")
		assert.Equal(t, d.File != "" && !d.Shuffle, named, want)
	}
}

// A JVM has as many slow records in a minute as it may have events. What its watcher left out is
// counted once.
func TestSlowRecordsAreBounded(t *testing.T) {
	r, sink, tel := telling(t)
	feedTask(r.collect, 1)
	for task := range mostEvents + 2 {
		playDwell(r.collect, 1, `"task_id":17`, fmt.Sprintf(`"task_id":%d`, 1000+task), `"end_ns":2950000000`, `"end_ns":9000000000000000000`)
	}
	counts := &jvmlog.Dwell{JSON: []byte(`{"kind":"counts","dropped_task":3,"dropped_minute":4,"failures":5}`)}
	r.collect.Record(1, seconds(3), counts)
	r.collect.Watermark(1, seconds(30))
	now := r.collect.start.Add(15 * time.Second)
	require.NoError(t, r.deliver(context.Background(), now))
	require.Equal(t, mostEvents, sink.LogRecordCount())
	record := sink.AllLogs()[0].ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0)
	assert.Equal(t, now.UTC(), record.Timestamp().AsTime(), "no later than now")
	assert.NotContains(t, record.Attributes().AsRaw(), "spark.query.fingerprint", "no one saw the task")
	r.collect.Record(1, seconds(31), counts)
	require.NoError(t, r.deliver(context.Background(), now.Add(15*time.Second)))
	problems := problemsOf(t, tel)
	assert.EqualValues(t, 2, problems["overflow_event"])
	assert.EqualValues(t, 12, problems["lost_times"])
}
