package sparkprofile

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/slowtask"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/skew"
	"github.com/planflame/planflame/tasksample"
)

const (
	// mostTimedTasks bounds the tasks of one JVM and one window whose figures are kept, of 0.25 KiB
	// each.
	mostTimedTasks = 1 << 13
	// mostEvents bounds the log records of one JVM in a minute.
	mostEvents = 100
)

// slowEvents makes log records of the slow tasks that drivers on this node report, and of the slow
// records that executors report. One goroutine at a time.
type slowEvents struct {
	to    consumer.Logs
	shape *shape
	now   func() jvmlog.MonoTime
	jvms  map[sampler.JVMID]*slowJVM
}

// slowJVM is a JVM that reports tasks or dwells.
type slowJVM struct {
	slowtask.Book
	lost    uint64 // of Book.Lost, what is counted already
	dropped uint64 // by its watcher of records, what is counted already
	minute  time.Time
	told    int // since minute
}

// slowWindow is what one window tells of slow tasks and slow records.
type slowWindow struct {
	logs     plog.Logs
	verdicts map[skew.Verdict]int64
	records  int64
	lost     uint64 // tasks without room; what a watcher of records left out
	beyond   uint64 // slow tasks and slow records without a log record
}

// tellSlow makes the receiver tell next of slow tasks and slow records. It is called before Start.
func (r *sparkProfile) tellSlow(next consumer.Logs) {
	r.slow = &slowEvents{to: next, shape: &r.shape, now: jvmlog.Now, jvms: map[sampler.JVMID]*slowJVM{}}
	r.collect.sums.KeepTasks(mostTimedTasks)
}

func (r *sparkProfile) deliverSlow(ctx context.Context, w delivery) error {
	if r.slow == nil {
		return nil
	}
	out := r.slow.window(w)
	r.metrics.slow(ctx, &out)
	n := out.logs.LogRecordCount()
	if n == 0 {
		return nil
	}
	if err := r.slow.to.ConsumeLogs(ctx, out.logs); err != nil {
		r.metrics.add(ctx, received{RefusedEvents: uint64(n)})
		return fmt.Errorf("deliver the events of the window from %s: %w", w.start.Format(time.RFC3339), err)
	}
	return nil
}

// slow counts what a window tells of slow tasks.
func (m *metrics) slow(ctx context.Context, out *slowWindow) {
	for verdict, n := range out.verdicts {
		m.t.ReceiverSparkProfileSlowTasks.Add(ctx, n, metric.WithAttributes(attribute.String("verdict", string(verdict))))
	}
	m.t.ReceiverSparkProfileSlowRecords.Add(ctx, out.records)
	m.add(ctx, received{LostTimes: out.lost, OverflowEvents: out.beyond})
}

// window judges the stages that ended, and the dwells of tasks.
func (s *slowEvents) window(w delivery) slowWindow {
	out := slowWindow{logs: plog.NewLogs(), verdicts: map[skew.Verdict]int64{}}
	until := w.start.Add(w.duration)
	for i := range w.profile.JVMs {
		j := &w.profile.JVMs[i]
		d := s.jvms[j.JVM.ID]
		if d == nil && len(j.Times.Applications)+len(j.Times.Tasks)+len(j.Times.Dwells) == 0 && j.Times.Watch == (pipeline.Watch{}) {
			continue // it reports neither
		}
		if d == nil {
			d = &slowJVM{}
			s.jvms[j.JVM.ID] = d
		}
		s.tell(&out, j, d, until)
		if j.Gone {
			delete(s.jvms, j.JVM.ID)
		}
	}
	return out
}

// tell adds the log records of a JVM, as many as it may have.
func (s *slowEvents) tell(out *slowWindow, j *window.JVMProfile, d *slowJVM, now time.Time) {
	tasks, records := d.Add(&j.Times, j.Gone), slowRecords(j.Times.Dwells)
	out.lost += d.newlyLost(&j.Times.Watch)
	for i := range tasks {
		out.verdicts[tasks[i].Judged.Verdict]++
	}
	out.records += int64(len(records))
	if now.Sub(d.minute) >= time.Minute {
		d.minute, d.told = now, 0
	}
	all := len(tasks) + len(records)
	tasks = tasks[:min(len(tasks), mostEvents-d.told)]
	records = records[:min(len(records), mostEvents-d.told-len(tasks))]
	told := len(tasks) + len(records)
	d.told += told
	out.beyond += uint64(all - told)
	if told == 0 {
		return
	}
	rl := out.logs.ResourceLogs().AppendEmpty()
	s.shape.resource(rl.Resource().Attributes(), j)
	sl := rl.ScopeLogs().AppendEmpty()
	sl.Scope().SetName(scopeName)
	sl.Scope().SetVersion(s.shape.version)
	for i := range tasks {
		event(sl.LogRecords().AppendEmpty(), semconv.EventSlowTask, time.UnixMilli(tasks[i].Of.FinishedMS), now)
		slowTask(sl.LogRecords().At(i), &tasks[i])
	}
	for _, of := range records {
		r := sl.LogRecords().AppendEmpty()
		event(r, semconv.EventSlowRecord, now.Add(-time.Duration(s.now()-of.End)), now)
		slowRecord(r, of)
	}
}

// newlyLost counts what was lost since the last call. A window without counts of the watcher has
// zeros.
func (d *slowJVM) newlyLost(w *pipeline.Watch) uint64 {
	dropped := max(w.DroppedTask+w.DroppedMinute+w.Failures, d.dropped)
	out := d.Lost - d.lost + dropped - d.dropped
	d.lost, d.dropped = d.Lost, dropped
	return out
}

// event begins an event. A JVM may say that it ends after now.
func event(r plog.LogRecord, name string, end, now time.Time) {
	if end.After(now) {
		end = now
	}
	r.SetEventName(name)
	r.SetTimestamp(pcommon.NewTimestampFromTime(end))
	r.SetObservedTimestamp(pcommon.NewTimestampFromTime(now))
	r.SetSeverityNumber(plog.SeverityNumberWarn)
	r.SetSeverityText("WARN")
}

// pair is an attribute; an empty one is left out.
type pair struct{ key, value string }

func putTexts(a pcommon.Map, all ...pair) {
	for _, known := range all {
		if known.value != "" {
			a.PutStr(known.key, known.value)
		}
	}
}

// taskIDs say which task it is, and of which execution.
type taskIDs struct {
	execution tasksample.ExecutionID
	stage     tasksample.StageID
	attempt   tasksample.StageAttempt
	id        tasksample.TaskAttemptID
	partition int
}

func (t taskIDs) put(a pcommon.Map) {
	if t.execution != tasksample.NoExecution {
		a.PutInt(semconv.ExecutionID, int64(t.execution))
	}
	a.PutInt(semconv.StageID, int64(t.stage))
	a.PutInt(semconv.StageAttempt, int64(t.attempt))
	a.PutInt(semconv.TaskAttemptID, int64(t.id))
	a.PutInt(semconv.PartitionID, int64(t.partition))
}

// slowTask tells of a slow task.
func slowTask(r plog.LogRecord, s *slowtask.Slow) {
	r.Body().SetStr(fmt.Sprintf("Task %d of stage %d, partition %d of %s, took %.3g s, its peers %.3g s: %s", s.Of.ID, s.Of.Stage, s.Of.Partition,
		cmp.Or(s.QueryName, s.Query, noQuery), s.Judged.Seconds, s.Judged.Peer, s.Judged.Verdict))
	a := r.Attributes()
	putTexts(a, pair{semconv.QueryFingerprint, s.Query}, pair{semconv.QueryName, s.QueryName}, pair{semconv.QueryPlan, s.Plan}, pair{semconv.TaskHost, s.Of.Host},
		pair{semconv.TaskVerdict, string(s.Judged.Verdict)}, pair{semconv.TaskVolumeOf, string(s.Judged.Measure)})
	taskIDs{s.Execution, s.Of.Stage, s.Of.StageAttempt, s.Of.ID, s.Of.Partition}.put(a)
	a.PutDouble(semconv.TaskDuration, s.Judged.Seconds)
	a.PutDouble(semconv.TaskExcess, s.Judged.Excess)
	a.PutDouble(semconv.TaskVolumeRatio, s.Judged.Volume)
	if s.Judged.CPURatio > 0 {
		a.PutDouble(semconv.TaskCPURatio, s.Judged.CPURatio)
	}
}

// noQuery is in a body if the query is not known.
const noQuery = "no known query"
