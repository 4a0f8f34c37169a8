package sparkprofile

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadata"
	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
)

// metrics turns the cumulative counts of sampler and pipeline into the receiver's counters, once a window. One goroutine at a time.
type metrics struct {
	t        *metadata.TelemetryBuilder
	counts   pipeline.Counts
	totals   sampler.Totals
	samplers map[sampler.JVMID]sampler.Stats
	failures uint64 // of the accountant
	pushed   uint64 // series that made room
	folded   uint64 // additions to the overflow series
	named    map[estimated]bool

	calibration string // Config.TaskSampling.Calibration
}

// estimated is whose CPU is estimated.
type estimated struct{ query, operator string }

// mostEstimated bounds the series of estimates.
const mostEstimated = 300

func newMetrics(t *metadata.TelemetryBuilder, calibration string) *metrics {
	return &metrics{t: t, calibration: calibration, samplers: map[sampler.JVMID]sampler.Stats{}, named: map[estimated]bool{}}
}

// begin makes the series of all problems and events, at 0: a series that is born with its first problem never shows that as an increase.
func (m *metrics) begin(ctx context.Context) {
	for _, name := range problems {
		m.t.ReceiverSparkProfileProblems.Add(ctx, 0, metric.WithAttributes(attribute.String("problem", name)))
	}
	for _, name := range events {
		m.t.ReceiverSparkProfileJvmEvents.Add(ctx, 0, metric.WithAttributes(attribute.String("event", name)))
	}
	m.t.ReceiverSparkProfileRefusedWindows.Add(ctx, 0)
	m.t.ReceiverSparkProfileRefusedCPU.Add(ctx, 0)
}

// window counts what a window brought.
func (m *metrics) window(ctx context.Context, w window, totals sampler.Totals) {
	m.jvms(ctx, totals)
	m.pipeline(ctx, w.counts)
	m.problem(ctx, "folded", w.profile.FoldedStacks)
	for i := range w.profile.JVMs {
		m.jvm(ctx, &w.profile.JVMs[i])
	}
	if m.calibration == calibrationStage {
		return // the connector spark_calibration estimates, and says so
	}
	for i := range w.profile.Stages {
		m.stage(ctx, &w.profile.Stages[i])
	}
}

// stage counts what the tasks of a stage that ended in this window say.
func (m *metrics) stage(ctx context.Context, s *pipeline.StageStatistics) {
	for key, e := range s.Estimate.Keys {
		who := metric.WithAttributes(m.estimated(key)...)
		m.t.ReceiverSparkProfileEstimatedCPU.Add(ctx, e.CPU.Seconds()/s.RunProbability, who)
		m.t.ReceiverSparkProfileEstimatedCPUVariance.Add(ctx, square(e.SE.Seconds()/s.RunProbability), who)
	}
	if !s.Estimate.Valid {
		m.t.ReceiverSparkProfileInvalidCPU.Add(ctx, (s.Estimate.CPU - s.Estimate.Unsampled).Seconds())
	}
}

// estimated are the attributes of an operator, or those of all that are too many.
func (m *metrics) estimated(key pipeline.OperatorKey) []attribute.KeyValue {
	who := estimated{key.Query, key.Operator}
	if key.Bucket != attribution.BucketNone {
		who.operator = "[" + string(key.Bucket) + "]"
	}
	if !m.named[who] {
		if len(m.named) >= mostEstimated {
			who = estimated{"", "other"}
		} else {
			m.named[who] = true
		}
	}
	return []attribute.KeyValue{attribute.String("query", who.query), attribute.String("operator", who.operator)}
}

func (m *metrics) jvms(ctx context.Context, now sampler.Totals) {
	last := m.totals
	m.totals = now
	m.event(ctx, "found", now.Found-last.Found)
	m.event(ctx, "gone", gone(now)-gone(last))
	m.event(ctx, "refused", now.Refused-last.Refused)
	m.event(ctx, "lease_refused", now.LeaseRefused-last.LeaseRefused)
	m.event(ctx, "unjudged", now.Unjudged-last.Unjudged)
	m.event(ctx, "scan_failed", now.ScanErrors-last.ScanErrors)
	m.event(ctx, "ring_damaged", now.DamagedRings-last.DamagedRings)
	m.problem(ctx, "bad_sample", now.BadSamples-last.BadSamples)
	m.problem(ctx, "pushed_out_query", now.PushedOutQueries-last.PushedOutQueries)
	m.t.ReceiverSparkProfileLogFill.Record(ctx, now.LogFill)
	for state, n := range map[string]int{"live": now.Live, "waiting": now.Waiting, "unselected": now.Left, "unreadable": now.Unreadable} {
		m.t.ReceiverSparkProfileJvms.Record(ctx, int64(n), metric.WithAttributes(attribute.String("state", state)))
	}
}

// gone is how many of the JVMs that were read are read no more.
func gone(t sampler.Totals) uint64 { return t.Found - uint64(t.Live) }

func (m *metrics) pipeline(ctx context.Context, now pipeline.Counts) {
	last := m.counts
	m.counts = now
	m.t.ReceiverSparkProfileSamples.Add(ctx, int64(now.Labelled-last.Labelled))
	m.problem(ctx, "early", now.Early-last.Early)
	m.problem(ctx, "pending", now.Pending-last.Pending)
	m.problem(ctx, "surplus", now.Surplus-last.Surplus)
	m.notKept(ctx, "run", now.LeftOut-last.LeftOut)
	m.problem(ctx, "no_stage", now.NoStage-last.NoStage)
	m.problem(ctx, "outside_tasks", now.OutsideTasks-last.OutsideTasks)
	m.problem(ctx, "unnamed_frame", now.UnnamedFrames-last.UnnamedFrames)
	m.problem(ctx, "unnamed_method", now.UnnamedMethod-last.UnnamedMethod)
	m.problem(ctx, "lost_start", now.LostStarts-last.LostStarts)
	m.problem(ctx, "lost_end", now.LostEnds-last.LostEnds)
	m.problem(ctx, "bad_plan", now.BadPlans-last.BadPlans)
	m.problem(ctx, "bad_source", now.BadSources-last.BadSources)
	m.problem(ctx, "bad_record", now.BadRecords-last.BadRecords)
	m.problem(ctx, "forgotten_plan", now.ForgottenPlan-last.ForgottenPlan)
	m.problem(ctx, "unknown_jvm", now.UnknownJVM-last.UnknownJVM)
	m.problem(ctx, "disputed", now.Disputed-last.Disputed)
	m.problem(ctx, "weak", now.Weak-last.Weak)
	m.problem(ctx, "unplaced_python", now.UnplacedPython-last.UnplacedPython)
	m.problem(ctx, "overflow_thread", now.OverflowThreads-last.OverflowThreads)
	m.problem(ctx, "unplaced_rows", now.UnplacedRows-last.UnplacedRows)
	m.problem(ctx, "idle_execution", now.IdleEnds-last.IdleEnds)
	m.problem(ctx, "early_execution", now.EarlyEnds-last.EarlyEnds)
	m.problem(ctx, "dropped_label", now.DroppedLabels-last.DroppedLabels)
	m.problem(ctx, "cut_execution", now.CutExecutions-last.CutExecutions)
}

// jvm counts what a window brought of one JVM. Its totals are of the window, its sampler's statistics are cumulative.
func (m *metrics) jvm(ctx context.Context, j *pipeline.JVMProfile) {
	now := j.Sampler
	last, known := m.samplers[j.JVM.ID]
	if !known {
		// An agent that lives longer than this Collector has spent CPU beside task_cpu that is not counted here either.
		last.AgentCPUNanos = j.JVM.Header.AgentCPUNanos
	}
	now.AgentCPUNanos = max(now.AgentCPUNanos, last.AgentCPUNanos) // there may be no statistics of it yet
	m.samplers[j.JVM.ID] = now
	m.agent(ctx, now, last)
	m.accounts(ctx, j)
	if j.Gone {
		delete(m.samplers, j.JVM.ID)
	}
	m.problem(ctx, "lost", now.Lost-last.Lost)
	m.problem(ctx, "throttled", now.Throttled-last.Throttled)
	m.problem(ctx, "truncated", now.Truncated-last.Truncated)
	m.problem(ctx, "missed_task_event", now.MissedTaskEvents-last.MissedTaskEvents)
	m.problem(ctx, "bad_record", now.BadRecords-last.BadRecords)
	m.problem(ctx, "overrun", now.Overrun-last.Overrun)
	m.problem(ctx, "name_failed", now.NameFailures-last.NameFailures)
	m.problem(ctx, "name_deferred", now.NamesDeferred-last.NamesDeferred)
	m.notKept(ctx, "run", now.LeftOut-last.LeftOut)
	m.notKept(ctx, "budget", now.Thinned-last.Thinned)
	m.event(ctx, "perf_open_failed", now.PerfOpenFailures-last.PerfOpenFailures)
	m.t.ReceiverSparkProfileRepairedSamples.Add(ctx, int64(now.Repaired-last.Repaired))
	m.t.ReceiverSparkProfileMissedRecordBytes.Add(ctx, int64(now.MissedRecords-last.MissedRecords))
	m.problem(ctx, "lost_times", j.Totals.LostTimes)
	m.t.ReceiverSparkProfileTasks.Add(ctx, int64(j.Totals.Tasks))
	m.t.ReceiverSparkProfileSampledCPU.Add(ctx, j.Totals.Raw.Seconds())
	m.t.ReceiverSparkProfileTaskCPU.Add(ctx, j.Totals.TaskCPU.Seconds())
	m.t.ReceiverSparkProfileKernelCPU.Add(ctx, j.Totals.Kernel.Seconds())
	m.t.ReceiverSparkProfileLeftOutCPU.Add(ctx, j.Totals.LeftOut.Seconds())
}

// agent counts what the agent of a JVM counted.
func (m *metrics) agent(ctx context.Context, now, last sampler.Stats) {
	m.problem(ctx, "agent_dropped_record", now.AgentDroppedRecords-last.AgentDroppedRecords)
	m.problem(ctx, "agent_dropped_thread", now.AgentDroppedThreads-last.AgentDroppedThreads)
	m.problem(ctx, "agent_dropped_source", now.AgentDroppedSources-last.AgentDroppedSources)
	m.problem(ctx, "agent_dropped_rows", now.AgentDroppedRows-last.AgentDroppedRows)
	m.problem(ctx, "agent_dropped_plan", now.AgentDroppedDicts-last.AgentDroppedDicts)
	m.problem(ctx, "agent_refused_control", now.AgentControlRejections-last.AgentControlRejections)
	m.t.ReceiverSparkProfileAgentDroppedRecordBytes.Add(ctx, int64(now.AgentDroppedBytes-last.AgentDroppedBytes))
	m.t.ReceiverSparkProfileAgentCPU.Add(ctx, time.Duration(now.AgentCPUNanos-last.AgentCPUNanos).Seconds())
}

// refused counts a window that the next consumer did not take.
func (m *metrics) refused(ctx context.Context, w window) {
	var cpu time.Duration
	for i := range w.profile.JVMs {
		for k := range w.profile.JVMs[i].Entries {
			cpu += w.profile.JVMs[i].Entries[k].CPU
		}
	}
	m.t.ReceiverSparkProfileRefusedWindows.Add(ctx, 1)
	m.t.ReceiverSparkProfileRefusedCPU.Add(ctx, cpu.Seconds())
}

// lostWindow counts a window that was not taken in time. Its CPU is not known.
func (m *metrics) lostWindow(ctx context.Context) {
	m.t.ReceiverSparkProfileRefusedWindows.Add(ctx, 1)
}

// costs counts what the metrics signal leaves out.
func (m *metrics) costs(ctx context.Context, out *told, table *costmetrics.SeriesTable) {
	m.problem(ctx, "failed_execution", uint64(out.failed))
	m.problem(ctx, "nameless_execution", uint64(out.nameless))
	m.problem(ctx, "incomplete_rows", uint64(out.incomplete))
	m.problem(ctx, "overflow_unit", out.unkeyed)
	m.problem(ctx, "pushed_out_series", table.PushedOut-m.pushed)
	m.problem(ctx, "overflow_series", table.Folded-m.folded)
	m.pushed, m.folded = table.PushedOut, table.Folded
}

// problem counts n items; nothing is recorded for 0.
func (m *metrics) problem(ctx context.Context, name string, n uint64) {
	if n > 0 {
		m.t.ReceiverSparkProfileProblems.Add(ctx, int64(n), metric.WithAttributes(attribute.String("problem", name)))
	}
}

// notKept counts samples that were taken and not kept, as the configuration wants it: those that were kept weigh the more.
func (m *metrics) notKept(ctx context.Context, why string, n uint64) {
	if n > 0 {
		m.t.ReceiverSparkProfileNotKeptSamples.Add(ctx, int64(n), metric.WithAttributes(attribute.String("why", why)))
	}
}

func (m *metrics) event(ctx context.Context, name string, n uint64) {
	if n > 0 {
		m.t.ReceiverSparkProfileJvmEvents.Add(ctx, int64(n), metric.WithAttributes(attribute.String("event", name)))
	}
}
