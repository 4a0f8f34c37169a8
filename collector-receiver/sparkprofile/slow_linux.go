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

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/slowtask"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
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

// slowTasks makes log records of the slow tasks that drivers on this node report. One goroutine at
// a time.
type slowTasks struct {
	to      consumer.Logs
	shape   *shape
	drivers map[sampler.JVMID]*driver
}

// driver is a JVM that reports tasks.
type driver struct {
	slowtask.Book
	lost   uint64 // of Book.Lost, what is counted already
	minute time.Time
	told   int // since minute
}

// slowWindow is what one window tells of slow tasks.
type slowWindow struct {
	logs     plog.Logs
	verdicts map[skew.Verdict]int64
	lost     uint64 // tasks without room
	beyond   uint64 // slow tasks without a log record
}

// tellSlowTasks makes the receiver tell next of slow tasks. It is called before Start.
func (r *sparkProfile) tellSlowTasks(next consumer.Logs) {
	r.slow = &slowTasks{to: next, shape: &r.shape, drivers: map[sampler.JVMID]*driver{}}
	r.collect.sums.KeepTasks(mostTimedTasks)
}

func (r *sparkProfile) deliverSlowTasks(ctx context.Context, w delivery) error {
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
		return fmt.Errorf("deliver the slow tasks of the window from %s: %w", w.start.Format(time.RFC3339), err)
	}
	return nil
}

// slow counts what a window tells of slow tasks.
func (m *metrics) slow(ctx context.Context, out *slowWindow) {
	for verdict, n := range out.verdicts {
		m.t.ReceiverSparkProfileSlowTasks.Add(ctx, n, metric.WithAttributes(attribute.String("verdict", string(verdict))))
	}
	m.add(ctx, received{LostTimes: out.lost, OverflowEvents: out.beyond})
}

// window judges the stages that ended.
func (s *slowTasks) window(w delivery) slowWindow {
	out := slowWindow{logs: plog.NewLogs(), verdicts: map[skew.Verdict]int64{}}
	until := w.start.Add(w.duration)
	for i := range w.profile.JVMs {
		j := &w.profile.JVMs[i]
		d := s.drivers[j.JVM.ID]
		if d == nil && len(j.Times.Applications)+len(j.Times.Tasks) == 0 {
			continue // it is no driver
		}
		if d == nil {
			d = &driver{}
			s.drivers[j.JVM.ID] = d
		}
		s.tell(&out, j, d, until)
		if j.Gone {
			delete(s.drivers, j.JVM.ID)
		}
	}
	return out
}

// tell adds the log records of a driver's slow tasks, as many as it may have.
func (s *slowTasks) tell(out *slowWindow, j *window.JVMProfile, d *driver, now time.Time) {
	slow := d.Add(&j.Times, j.Gone)
	out.lost += d.Lost - d.lost
	d.lost = d.Lost
	if now.Sub(d.minute) >= time.Minute {
		d.minute, d.told = now, 0
	}
	for i := range slow {
		out.verdicts[slow[i].Judged.Verdict]++
	}
	told := slow[:min(len(slow), mostEvents-d.told)]
	d.told += len(told)
	out.beyond += uint64(len(slow) - len(told))
	if len(told) == 0 {
		return
	}
	rl := out.logs.ResourceLogs().AppendEmpty()
	s.shape.resource(rl.Resource().Attributes(), j)
	sl := rl.ScopeLogs().AppendEmpty()
	sl.Scope().SetName(scopeName)
	sl.Scope().SetVersion(s.shape.version)
	for i := range told {
		slowTask(sl.LogRecords().AppendEmpty(), &told[i], now)
	}
}

// slowTask is the event of a slow task.
func slowTask(r plog.LogRecord, s *slowtask.Slow, now time.Time) {
	end := time.UnixMilli(s.Of.FinishedMS)
	if end.After(now) {
		end = now
	}
	r.SetEventName(semconv.EventSlowTask)
	r.SetTimestamp(pcommon.NewTimestampFromTime(end))
	r.SetObservedTimestamp(pcommon.NewTimestampFromTime(now))
	r.SetSeverityNumber(plog.SeverityNumberWarn)
	r.SetSeverityText("WARN")
	r.Body().SetStr(fmt.Sprintf("Task %d of stage %d, partition %d of %s, took %.3g s, its peers %.3g s: %s", s.Of.ID, s.Of.Stage, s.Of.Partition,
		cmp.Or(s.QueryName, s.Query, "no known query"), s.Judged.Seconds, s.Judged.Peer, s.Judged.Verdict))
	a := r.Attributes()
	for _, known := range []struct{ key, value string }{
		{semconv.QueryFingerprint, s.Query}, {semconv.QueryName, s.QueryName}, {semconv.QueryPlan, s.Plan}, {semconv.TaskHost, s.Of.Host},
		{semconv.TaskVerdict, string(s.Judged.Verdict)}, {semconv.TaskVolumeOf, string(s.Judged.Measure)},
	} {
		if known.value != "" {
			a.PutStr(known.key, known.value)
		}
	}
	if s.Execution != tasksample.NoExecution {
		a.PutInt(semconv.ExecutionID, int64(s.Execution))
	}
	a.PutInt(semconv.StageID, int64(s.Of.Stage))
	a.PutInt(semconv.StageAttempt, int64(s.Of.StageAttempt))
	a.PutInt(semconv.TaskAttemptID, int64(s.Of.ID))
	a.PutInt(semconv.PartitionID, int64(s.Of.Partition))
	a.PutDouble(semconv.TaskDuration, s.Judged.Seconds)
	a.PutDouble(semconv.TaskExcess, s.Judged.Excess)
	a.PutDouble(semconv.TaskVolumeRatio, s.Judged.Volume)
	if s.Judged.CPURatio > 0 {
		a.PutDouble(semconv.TaskCPURatio, s.Judged.CPURatio)
	}
}
