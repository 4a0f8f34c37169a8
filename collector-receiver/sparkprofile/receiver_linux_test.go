package sparkprofile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/consumer/xconsumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/collector/receiver/receivertest"
	"go.opentelemetry.io/collector/receiver/xreceiver"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadata"
	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadatatest"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/tasksample"
)

// idle builds a receiver whose sampler does not run, so that tests drive its sink.
func idle(t *testing.T, next xconsumer.Profiles, change func(*Config)) (*sparkProfile, *componenttest.Telemetry) {
	t.Helper()
	cfg := defaultConfig()
	if change != nil {
		change(cfg)
	}
	require.NoError(t, cfg.Validate())
	tel := componenttest.NewTelemetry()
	t.Cleanup(func() { require.NoError(t, tel.Shutdown(context.Background())) })
	set := receivertest.NewNopSettings(metadata.Type)
	set.TelemetrySettings = tel.NewTelemetrySettings()
	r, err := newReceiver(cfg, set, nil)
	require.NoError(t, err)
	r.profiles = next
	return r, tel
}

// Code of the scenario; each piece is 0x100 bytes long.
const (
	scanCode = 0x1000 // FileScanRDD: decides for the scan
	runCode  = 0x2000 // Executor$TaskRunner.run: the framework's
)

// seconds is a moment on the JVM's clock.
func seconds(s float64) jvmlog.MonoTime { return jvmlog.MonoTime(s * 1e9) }

// feed plays what a sampler reads of one executor that runs one task of one query. It has two
// samples in the scan and one in the framework. It has 40 ms of CPU by the thread's own account, of
// which 9 ms in the kernel.
func feed(sink sampler.Sink, id sampler.JVMID) {
	feedTask(sink, id)
	sink.Watermark(id, seconds(30))
}

// feedTask is feed before its watermark.
func feedTask(sink sampler.Sink, id sampler.JVMID) {
	sink.JVMFound(sampler.JVM{
		ID: id, PID: 4_100_000 + int(id), Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{JDKVersion: "17.0.15", AgentCPUNanos: 211_000_000},
		Place: &procfs.Place{Container: procfs.Container{ID: "c0ffee", PodUID: "8a1b-pod"}, UID: 185},
	})
	sink.Record(id, seconds(1), &jvmlog.Application{JSON: []byte(`{"application_id": "app-3", "application_name": "nightly", "executor_id": "5", "spark_version": "4.3.0"}`)})
	for i, c := range []struct {
		addr          uint64
		class, method string
	}{
		{scanCode, "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1", "hasNext"},
		{runCode, "org.apache.spark.executor.Executor$TaskRunner", "run"},
	} {
		m := jvmlog.MethodID(i + 1)
		sink.Record(id, seconds(1), &jvmlog.Method{ID: m, Class: c.class, Name: c.method, SourceFile: "F.scala", Flags: jvmlog.MethodHasLines, Lines: []jvmlog.LineEntry{{StartBCI: 0, Line: 70 + uint32(i)}}})
		sink.Record(id, seconds(1), &jvmlog.CodeLoad{
			Address: c.addr, Size: 0x100, Level: 4, Method: m, Flags: jvmlog.CodeInlines,
			PCs: []jvmlog.PCRegion{{End: 0x100, First: 0, Count: 1}}, Frames: []jvmlog.CodeFrame{{Method: m, BCI: 0}},
		})
	}
	sink.Record(id, seconds(1), &jvmlog.Dictionary{Execution: 7, JSON: []byte(`{"version": 1, "execution_id": 7, "update": 0,
		"query": "q1-abc", "query_name": "tpch q06", "plan": "p1-def", "nodes": [
		{"parent": -1, "class": "org.apache.spark.sql.execution.FileSourceScanExec", "name": "Scan parquet", "text": "FileScan parquet [a#1]",
		 "operator": "scan@22", "operator_name": "Scan t", "role": "scan", "codegen": -1, "stage": "result>scan@22",
		 "metrics": [{"id": 52, "name": "number of output rows", "type": "sum"}]}]}`)})
	sink.Record(id, seconds(1), &jvmlog.Stage{Stage: 11, StageAttempt: 2, Execution: 7, Accumulators: []tasksample.AccumulatorID{52}})
	sink.Thread(id, jvmlog.Thread{Slot: 0, TID: 13, StartTime: seconds(1), Flags: jvmlog.ThreadTask, BasePeriodNS: 10_000_000, Name: "Executor task launch worker-0"})
	task := jvmlog.TaskEvent{
		TID: 13, Task: 17, Stage: 11, StageAttempt: 2, Partition: 19, Partitions: 23, Execution: 7, InclusionProbability: 1,
	}
	start := task
	start.Index, start.Time, start.Kind = 0, seconds(2), jvmlog.TaskStart
	sink.TaskEvent(id, start)
	for i, stack := range [][]uint64{{scanCode + 0x10, runCode + 0x10}, {scanCode + 0x10, runCode + 0x10}, {runCode + 0x20}} {
		sink.Sample(id, sampler.Sample{Time: seconds(2.1 + float64(i)/10), TID: 13, Period: 10 * time.Millisecond, Addrs: stack})
	}
	end := task
	end.Index, end.Time, end.Kind = 1, seconds(3), jvmlog.TaskEnd
	end.ThreadCPUNanos, end.UserNanos, end.SystemNanos = 40_000_000, 31_000_000, 9_000_000
	sink.TaskEvent(id, end)
	sink.Stats(id, sampler.Stats{
		Samples: 3, Lost: 29, Throttled: 31, Truncated: 37, Repaired: 41, MissedTaskEvents: 43, MissedRecords: 47, BadRecords: 53,
		PerfOpenFailures: 59, NameFailures: 167, NamesDeferred: 173, Overrun: 179, AgentDroppedRecords: 181, AgentDroppedBytes: 191,
		AgentDroppedThreads: 193, AgentDroppedSources: 197, AgentDroppedDicts: 199, AgentControlRejections: 223, AgentDroppedRows: 239, AgentCPUNanos: 438_000_000,
	})
}

func TestWindow(t *testing.T) {
	next := &consumertest.ProfilesSink{}
	r, _ := idle(t, next, func(c *Config) { c.SampleCounts, c.QuerySummary = true, true })
	feed(r.collect, 1)
	began := r.collect.start
	require.NoError(t, r.deliver(context.Background(), began.Add(15*time.Second)))
	require.Len(t, next.AllProfiles(), 1)
	pd := next.AllProfiles()[0]

	d := pd.Dictionary()
	assert.Empty(t, d.StringTable().At(0))
	assert.Equal(t, pprofile.NewLocation(), d.LocationTable().At(0))
	assert.Equal(t, pprofile.NewFunction(), d.FunctionTable().At(0))
	assert.Equal(t, pprofile.NewStack(), d.StackTable().At(0))
	assert.Equal(t, pprofile.NewKeyValueAndUnit(), d.AttributeTable().At(0))
	assert.Equal(t, pprofile.NewMapping(), d.MappingTable().At(0))
	assert.Equal(t, pprofile.NewLink(), d.LinkTable().At(0))

	require.Equal(t, 1, pd.ResourceProfiles().Len())
	rp := pd.ResourceProfiles().At(0)
	assert.Equal(t, map[string]any{
		"service.name": "nightly", "host.name": r.shape.origin.Host, "process.pid": int64(4_100_001), "process.user.id": int64(185),
		"container.id": "c0ffee", "k8s.pod.uid": "8a1b-pod", "spark.application.id": "app-3", "spark.application.name": "nightly", "spark.executor.id": "5", "spark.version": "4.3.0",
	}, rp.Resource().Attributes().AsRaw())
	require.Equal(t, 2, rp.ScopeProfiles().At(0).Profiles().Len())

	scan := map[string]any{
		"spark.query.fingerprint": "q1-abc", "spark.query.name": "tpch q06", "db.query.summary": "tpch q06", "spark.query.plan": "p1-def",
		"spark.sql.execution.id": int64(7), "spark.stage.id": int64(11), "spark.stage.attempt.number": int64(2), "spark.stage.name": "result>scan@22",
		"spark.sql.operator.id": "scan@22", "spark.sql.operator.name": "Scan t",
	}
	bucket := func(name string) map[string]any {
		m := map[string]any{}
		for k, v := range scan {
			m[k] = v
		}
		m["spark.sql.operator.id"], m["spark.sql.operator.name"] = name, name
		return m
	}
	const scanFrame = "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1.hasNext F.scala:70 jvm"
	const runFrame = "org.apache.spark.executor.Executor$TaskRunner.run F.scala:71 jvm"
	type row struct {
		attributes map[string]any
		stack      []string
		value      int64
	}
	for i, test := range []struct {
		name, unit string
		rows       []row
	}{
		{"cpu", "nanoseconds", []row{
			{scan, []string{scanFrame, "Scan t :0 planflame", runFrame}, 20_000_000},
			{bucket("[task framework]"), []string{runFrame, "[task framework] :0 planflame"}, 10_000_000},
			{bucket("[kernel (not sampled)]"), []string{"[kernel (not sampled)] :0 planflame"}, 9_000_000},
		}},
		{"samples", "count", []row{
			{scan, []string{scanFrame, "Scan t :0 planflame", runFrame}, 2},
			{bucket("[task framework]"), []string{runFrame, "[task framework] :0 planflame"}, 1},
		}},
	} {
		p := rp.ScopeProfiles().At(0).Profiles().At(i)
		assert.Equal(t, test.name, d.StringTable().At(int(p.SampleType().TypeStrindex())))
		assert.Equal(t, test.unit, d.StringTable().At(int(p.SampleType().UnitStrindex())))
		assert.Equal(t, "cpu", d.StringTable().At(int(p.PeriodType().TypeStrindex())))
		assert.Equal(t, "nanoseconds", d.StringTable().At(int(p.PeriodType().UnitStrindex())))
		assert.Equal(t, int64(50_000_000), p.Period())
		assert.Equal(t, pcommon.NewTimestampFromTime(began), p.Time())
		assert.Equal(t, uint64(15_000_000_000), p.DurationNano())
		var rows []row
		for _, s := range p.Samples().All() {
			require.Equal(t, 1, s.Values().Len())
			rows = append(rows, row{attributesOf(t, d, s), stackOf(t, d, s), s.Values().At(0)})
		}
		assert.ElementsMatch(t, test.rows, rows, test.name)
	}

	require.NoError(t, r.deliver(context.Background(), began.Add(30*time.Second)))
	assert.Len(t, next.AllProfiles(), 1, "an empty window is not delivered")
	require.NoError(t, r.Shutdown(context.Background()))
}

func attributesOf(t *testing.T, d pprofile.ProfilesDictionary, s pprofile.Sample) map[string]any {
	t.Helper()
	m, err := pprofile.FromAttributeIndices(d.AttributeTable(), s, d)
	require.NoError(t, err)
	return m.AsRaw()
}

// stackOf is the stack as "function file:line type", leaf first.
func stackOf(t *testing.T, d pprofile.ProfilesDictionary, s pprofile.Sample) (frames []string) {
	t.Helper()
	for _, i := range d.StackTable().At(int(s.StackIndex())).LocationIndices().All() {
		l := d.LocationTable().At(int(i))
		require.Equal(t, 1, l.Lines().Len())
		f := d.FunctionTable().At(int(l.Lines().At(0).FunctionIndex()))
		kind, err := pprofile.FromAttributeIndices(d.AttributeTable(), l, d)
		require.NoError(t, err)
		frameType, _ := kind.Get("profile.frame.type")
		frames = append(frames, fmt.Sprintf("%s %s:%d %s", d.StringTable().At(int(f.NameStrindex())),
			d.StringTable().At(int(f.FilenameStrindex())), l.Lines().At(0).Line(), frameType.Str()))
	}
	return frames
}

func TestTaskAttributesAndServiceName(t *testing.T) {
	next := &consumertest.ProfilesSink{}
	r, _ := idle(t, next, func(c *Config) { c.TaskAttributes = true; c.ServiceName = "ours" })
	feed(r.collect, 1)
	feed(r.collect, 2)
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	pd := next.AllProfiles()[0]
	require.Equal(t, 2, pd.ResourceProfiles().Len())
	for i, rp := range pd.ResourceProfiles().All() {
		service, _ := rp.Resource().Attributes().Get("service.name")
		assert.Equal(t, "ours", service.Str())
		pid, _ := rp.Resource().Attributes().Get("process.pid")
		assert.Equal(t, int64(4_100_001+i), pid.Int())
		p := rp.ScopeProfiles().At(0).Profiles()
		require.Equal(t, 1, p.Len())
		a := attributesOf(t, pd.Dictionary(), p.At(0).Samples().At(0))
		assert.Equal(t, int64(17), a["spark.task.attempt.id"])
		assert.Equal(t, int64(19), a["spark.partition.id"])
		assert.NotContains(t, a, "db.query.summary")
	}
}

// Every count of sampler and pipeline reaches a metric of its own.
func TestMetrics(t *testing.T) {
	r, tel := idle(t, consumertest.NewNop(), nil)
	feed(r.collect, 1)
	r.collect.JVMGone(1)
	w := r.collect.take(time.Now())
	w.counts.Early, w.counts.Pending, w.counts.NoStage, w.counts.OutsideTasks, w.counts.UnnamedFrames, w.counts.UnnamedMethod = 61, 67, 71, 73, 79, 257
	w.counts.LostStarts, w.counts.LostEnds, w.counts.BadPlans, w.counts.BadSources, w.counts.BadRecords = 83, 89, 97, 101, 103
	w.counts.ForgottenPlan, w.counts.UnknownJVM, w.counts.Disputed, w.counts.Weak = 107, 109, 113, 127
	w.counts.UnplacedRows, w.counts.IdleEnds, w.counts.EarlyEnds = 227, 229, 233
	w.counts.CutExecutions, w.counts.DroppedLabels, w.counts.OverBudget, w.counts.ClaimedLabels = 241, 251, 307, 313
	w.profile.FoldedStacks = 131
	totals := sampler.Totals{Live: 1, Waiting: 2, Unreadable: 3, Left: 5, Unjudged: 167, Found: 137, Refused: 139, LeaseRefused: 149, BadSamples: 151, DamagedRings: 157, ScanErrors: 163, LogFill: 0.25,
		Changed: 263, LetGo: 269, Behind: 271, RefusedCode: 277, AmbiguousCode: 341, Ahead: 281, CutCPU: 283, RefusedThreads: 293, RefusedEvents: 311, UntoldTasks: 317, UntoldCPU: 331 * time.Millisecond}
	r.metrics.window(context.Background(), w, totals)
	again := w
	again.profile.JVMs, again.profile.FoldedStacks = nil, 0
	r.metrics.window(context.Background(), again, totals) // cumulative counts that did not grow add nothing

	points := func(key string, values map[string]int64) (out []metricdata.DataPoint[int64]) {
		for v, n := range values {
			out = append(out, metricdata.DataPoint[int64]{Value: n, Attributes: attribute.NewSet(attribute.String(key, v))})
		}
		return out
	}
	one := func(n int64) []metricdata.DataPoint[int64] { return []metricdata.DataPoint[int64]{{Value: n}} }
	cpu := func(s float64) []metricdata.DataPoint[float64] { return []metricdata.DataPoint[float64]{{Value: s}} }
	ignore := []metricdatatest.Option{metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars()}
	metadatatest.AssertEqualReceiverSparkProfileProblems(t, tel, points("problem", map[string]int64{
		"behind": 271, "code_refused": 277, "ambiguous_code": 341, "ahead": 281, "cut_cpu": 283, "thread_refused": 293, "over_budget": 307, "task_event_refused": 311, "untold_task": 317,
		"lost": 29, "throttled": 31, "truncated": 37, "missed_task_event": 43, "bad_record": 53 + 103, "early": 61, "pending": 67, "no_stage": 71,
		"outside_tasks": 73, "unnamed_frame": 79, "unnamed_method": 257, "lost_start": 83, "lost_end": 89, "bad_plan": 97, "bad_source": 101, "forgotten_plan": 107,
		"unknown_jvm": 109, "disputed": 113, "weak": 127, "folded": 131, "bad_sample": 151, "name_failed": 167 + 173,
		"overrun": 179, "agent_dropped_record": 181, "agent_dropped_thread": 193, "agent_dropped_source": 197, "agent_dropped_plan": 199,
		"agent_refused_control": 223, "unplaced_rows": 227, "idle_execution": 229, "early_execution": 233, "agent_dropped_rows": 239, "cut_execution": 241, "dropped_label": 251, "claimed_label": 313,
	}), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileJvmEvents(t, tel, points("event", map[string]int64{
		"found": 137, "refused": 139, "changed": 263, "let_go": 269, "lease_refused": 149, "ring_damaged": 157, "scan_failed": 163, "unjudged": 167, "gone": 136, "perf_open_failed": 59,
	}), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileJvms(t, tel, points("state", map[string]int64{"live": 1, "waiting": 2, "unreadable": 3, "unselected": 5}), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileLogFill(t, tel, cpu(0.25), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileMissedRecordBytes(t, tel, one(47), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileAgentCPU(t, tel, cpu(0.227), ignore...) // 438 - 211 ms
	metadatatest.AssertEqualReceiverSparkProfileSamples(t, tel, one(3), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileTasks(t, tel, one(1), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileSampledCPU(t, tel, cpu(0.030), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileTaskCPU(t, tel, cpu(0.040), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileKernelCPU(t, tel, cpu(0.009), ignore...)
	metadatatest.AssertEqualReceiverSparkProfileUntoldCPU(t, tel, cpu(0.331), ignore...)
}

// The agent's CPU is counted from the moment at which this Collector found the JVM, whenever the
// first statistics come.
func TestAgentCPUBeforeTheFirstStatistics(t *testing.T) {
	r, tel := idle(t, consumertest.NewNop(), nil)
	jvm := window.JVMProfile{JVM: sampler.JVM{ID: 3, Header: jvmlog.Header{AgentCPUNanos: 5_000_000}}}
	for _, nanos := range []uint64{0, 7_000_000, 7_000_000, 16_000_000} {
		jvm.Sampler.AgentCPUNanos = nanos
		r.metrics.jvm(context.Background(), &jvm)
	}
	metadatatest.AssertEqualReceiverSparkProfileAgentCPU(t, tel, []metricdata.DataPoint[float64]{{Value: 0.011}},
		metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
}

func TestRefusedWindowIsCounted(t *testing.T) {
	r, tel := idle(t, consumertest.NewErr(errors.New("queue is full")), nil)
	feed(r.collect, 1)
	require.ErrorContains(t, r.deliver(context.Background(), time.Now()), "queue is full")
	ignore := []metricdatatest.Option{metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars()}
	metadatatest.AssertEqualReceiverSparkProfileRefusedWindows(t, tel, []metricdata.DataPoint[int64]{{Value: 1}}, ignore...)
}

func TestFactoryMakesTheReceiver(t *testing.T) {
	r, err := NewFactory().(xreceiver.Factory).CreateProfiles(context.Background(), receivertest.NewNopSettings(metadata.Type), defaultConfig(), consumertest.NewNop())
	require.NoError(t, err)
	require.NoError(t, r.Shutdown(context.Background()))
}

// The real sampler looks at this process alone, so as to leave the JVMs of others their readers,
// and whatever was collected is delivered by Shutdown, held samples included.
func TestLifecycle(t *testing.T) {
	next := &consumertest.ProfilesSink{}
	set := receivertest.NewNopSettings(metadata.Type)
	cfg := defaultConfig()
	cfg.Window = time.Second
	cfg.scanInterval = 10 * time.Millisecond
	r, err := newReceiver(cfg, set, func(pid int) bool { return pid == os.Getpid() })
	require.NoError(t, err)
	costs := &consumertest.MetricsSink{}
	r.profiles, r.costsTo = next, costs
	require.NoError(t, r.Start(context.Background(), componenttest.NewNopHost()))
	feed(&withoutWatermark{r.collect}, 1_000_000)
	require.Eventually(t, func() bool { return r.sampler.Totals().Rounds > 3 }, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, r.Shutdown(context.Background()))
	require.NoError(t, r.Shutdown(context.Background()), "a second time")
	var resources []int64
	for _, pd := range next.AllProfiles() {
		for _, rp := range pd.ResourceProfiles().All() {
			pid, _ := rp.Resource().Attributes().Get("process.pid")
			resources = append(resources, pid.Int())
		}
	}
	assert.True(t, slices.Contains(resources, 5_100_000), "%v", resources)
	require.NotEmpty(t, costs.AllMetrics())
	points, _ := shown(t, costs.AllMetrics()[len(costs.AllMetrics())-1])
	assert.InDelta(t, 0.040, points["spark.sql.query.cpu.time s"][0].value, 1e-9)
}

// withoutWatermark leaves the samples held back.
type withoutWatermark struct{ *collecting }

func (w *withoutWatermark) Watermark(sampler.JVMID, jvmlog.MonoTime) {}

func TestShutdownBeforeStart(t *testing.T) {
	r, _ := idle(t, consumertest.NewNop(), nil)
	require.NoError(t, r.Shutdown(context.Background()))
	require.NoError(t, r.Shutdown(context.Background()))
}
