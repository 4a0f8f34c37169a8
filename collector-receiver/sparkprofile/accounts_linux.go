package sparkprofile

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
)

// accountClock bounds what is missing of a JVM's clock, or a Python worker's, when it ends: a
// collector lives with more than a run's table does.
const accountClock = 250 * time.Millisecond

// accountInterval is the time between two readings of all threads: a window has seven. What threads
// use that end in between is a bucket of its own.
const accountInterval = 2 * time.Second

// newAccountant reads the exact CPU of the JVMs' threads and child processes into the pipeline.
func newAccountant(c *collecting) *pipeline.Accountant {
	return pipeline.NewAccountant(pipeline.AccountantSettings{Interval: accountInterval, Clock: accountClock}, c.account)
}

// parts are the values of the attribute part, by bucket.
var parts = map[attribution.Bucket]string{
	attribution.BucketGC: "gc", attribution.BucketJIT: "jit", pipeline.BucketVM: "vm", pipeline.BucketShuffle: "shuffle", pipeline.BucketDriver: "driver",
	pipeline.BucketExecutor: "executor", pipeline.BucketProfiler: "profiler", pipeline.BucketPythonFeed: "python_feed", pipeline.BucketOtherThreads: "other",
	pipeline.BucketUnseen: "ended",
}

// accounts counts what a window brought of one JVM beside its tasks.
func (m *metrics) accounts(ctx context.Context, j *window.JVMProfile) {
	part := func(name string, seconds float64) {
		if seconds > 0 {
			m.t.ReceiverSparkProfileJvmCPU.Add(ctx, seconds, metric.WithAttributes(attribute.String("part", name)))
		}
	}
	part("tasks", j.Totals.TaskThreads.Seconds())
	for i := range j.Entries {
		if e := &j.Entries[i]; e.Labels.Group == pipeline.GroupThreads {
			part(parts[e.Labels.Bucket], e.CPU.Seconds())
		}
	}
	daemons := daemonCPU(j)
	for child, cpu := range map[string]time.Duration{
		"python_worker":          j.Totals.Workers - j.Totals.Unplaced,
		"python_worker_unplaced": j.Totals.Unplaced,
		"python_daemon":          daemons,
		"other":                  j.Totals.Children - j.Totals.Workers - daemons,
	} {
		if cpu > 0 {
			m.t.ReceiverSparkProfileChildrenCPU.Add(ctx, cpu.Seconds(), metric.WithAttributes(attribute.String("child", child)))
		}
	}
}

// unread counts readings of /proc that could not be had; failures is cumulative.
func (m *metrics) unread(ctx context.Context, failures uint64) {
	m.add(ctx, received{AccountFailures: failures - m.failures})
	m.failures = failures
}

// unrecorded counts samples that are in no recording; lost is cumulative.
func (m *metrics) unrecorded(ctx context.Context, lost uint64) {
	m.add(ctx, received{Unrecorded: lost - m.unkept})
	m.unkept = lost
}

// daemonCPU is the CPU of Python daemons.
func daemonCPU(j *window.JVMProfile) (sum time.Duration) {
	for i := range j.Entries {
		if e := &j.Entries[i]; e.Labels.Bucket == pipeline.BucketPythonDaemon {
			sum += e.CPU
		}
	}
	return sum
}
