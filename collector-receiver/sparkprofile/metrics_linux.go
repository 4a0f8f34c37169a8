package sparkprofile

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadata"
	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
)

// metrics turns the cumulative counts of sampler and pipeline into the receiver's counters, once a
// window. One goroutine at a time.
type metrics struct {
	t        *metadata.TelemetryBuilder
	counts   pipeline.Counts
	totals   sampler.Totals
	samplers map[sampler.JVMID]sampler.Stats
	failures uint64 // of the accountant
	unkept   uint64 // samples that are in no recording
	pushed   uint64 // series in use that made room
	folded   uint64 // additions to the overflow series
	named    map[estimated]bool
	told     time.Duration // CPU of tasks in all profiles so far

	calibration string // Config.TaskSampling.Calibration
}

// estimated is whose CPU is estimated.
type estimated struct{ query, operator string }

// mostEstimated bounds the series of estimates.
const mostEstimated = 300

func newMetrics(t *metadata.TelemetryBuilder, calibration string) *metrics {
	return &metrics{t: t, calibration: calibration, samplers: map[sampler.JVMID]sampler.Stats{}, named: map[estimated]bool{}}
}

// window counts what a window brought.
func (m *metrics) window(ctx context.Context, w delivery, totals sampler.Totals) {
	m.jvms(ctx, totals)
	m.pipeline(ctx, w.counts)
	m.add(ctx, received{FoldedStacks: w.profile.FoldedStacks})
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
func (m *metrics) stage(ctx context.Context, s *window.StageStatistics) {
	for key, e := range s.Estimate.Keys {
		who := metric.WithAttributes(m.estimated(key)...)
		m.t.ReceiverSparkProfileEstimatedCPU.Add(ctx, e.CPU.Seconds()/s.RunProbability, who)
		m.t.ReceiverSparkProfileEstimatedCPUVariance.Add(ctx, square(e.SE.Seconds()/s.RunProbability), who)
	}
	if !s.Estimate.Valid {
		m.t.ReceiverSparkProfileInvalidCPU.Add(ctx, (s.Estimate.CPU - s.Estimate.Unsampled).Seconds())
	}
}

// estimated are the attributes of an operator, or the attributes of all that are too many.
func (m *metrics) estimated(key semconv.Operator) []attribute.KeyValue {
	operator, _ := key.Shown()
	who := estimated{key.Query, operator}
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
	m.grown(ctx, now, last)
	m.add(ctx, received{Gone: gone(now) - gone(last)})
	m.t.ReceiverSparkProfileUntoldCPU.Add(ctx, (now.UntoldCPU - last.UntoldCPU).Seconds())
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
	m.grown(ctx, now, last)
	m.t.ReceiverSparkProfileSamples.Add(ctx, int64(now.Labelled-last.Labelled))
}

// jvm counts what a window brought of one JVM. Its totals are of the window, its sampler's
// statistics are cumulative.
func (m *metrics) jvm(ctx context.Context, j *window.JVMProfile) {
	now := j.Sampler
	last, known := m.samplers[j.JVM.ID]
	if !known {
		// An agent that lives longer than this Collector has spent CPU beside task_cpu that is not
		// counted here either.
		last.AgentCPUNanos = j.JVM.Header.AgentCPUNanos
	}
	now.AgentCPUNanos = max(now.AgentCPUNanos, last.AgentCPUNanos) // there may be no statistics of it yet
	m.samplers[j.JVM.ID] = now
	m.grown(ctx, now, last)
	m.accounts(ctx, j)
	for i := range j.Entries {
		if e := &j.Entries[i]; e.Labels.Group == pipeline.GroupTasks {
			m.told += e.CPU
		}
	}
	if j.Gone {
		delete(m.samplers, j.JVM.ID)
	}
	m.t.ReceiverSparkProfileAgentCPU.Add(ctx, time.Duration(now.AgentCPUNanos-last.AgentCPUNanos).Seconds())
	m.t.ReceiverSparkProfileMissedRecordBytes.Add(ctx, int64(now.MissedRecords-last.MissedRecords))
	m.add(ctx, received{LostTimes: j.Totals.LostTimes})
	m.t.ReceiverSparkProfileTasks.Add(ctx, int64(j.Totals.Tasks))
	m.t.ReceiverSparkProfileSampledCPU.Add(ctx, j.Totals.Raw.Seconds())
	m.t.ReceiverSparkProfileTaskCPU.Add(ctx, j.Totals.TaskCPU.Seconds())
	m.t.ReceiverSparkProfileKernelCPU.Add(ctx, j.Totals.Kernel.Seconds())
	m.t.ReceiverSparkProfileLeftOutCPU.Add(ctx, j.Totals.LeftOut.Seconds())
}

// refused counts a window that the next consumer did not take, or not in time.
func (m *metrics) refused(ctx context.Context) { m.t.ReceiverSparkProfileRefusedWindows.Add(ctx, 1) }

// costs counts what the metrics signal leaves out.
func (m *metrics) costs(ctx context.Context, out *told, table *costmetrics.SeriesTable) {
	m.add(ctx, received{
		FailedExecutions: uint64(out.failed), NamelessExecutions: uint64(out.nameless), IncompleteRows: uint64(out.incomplete), OverflowUnits: out.unkeyed,
		PushedOutSeries: table.PushedOut - m.pushed, OverflowSeries: table.Folded - m.folded,
	})
	m.pushed, m.folded = table.PushedOut, table.Folded
}
