package sparkprofile

import (
	"errors"
	"fmt"
	"math/bits"
	"time"

	"github.com/planflame/planflame/internal/attributes"
)

// Config is the user's YAML of the receiver.
type Config struct {
	// Window is how much time one profile covers.
	Window time.Duration `mapstructure:"window"`
	// Include lists which JVMs are sampled: those that a selector matches. Empty: all.
	Include []Selector `mapstructure:"include"`
	// Exclude lists which of them are not.
	Exclude []Selector `mapstructure:"exclude"`
	// Mode says who opens the perf events: auto, privileged (this process) or self (the JVM).
	Mode string `mapstructure:"mode"`
	// SamplingHz, where it is not 0, is how many samples are taken of a second of every task's CPU:
	// short for a fixed task_sampling with that base_hz and a fraction of 0.
	SamplingHz float64 `mapstructure:"sampling_hz"`
	// TaskSampling says which tasks are sampled how closely.
	TaskSampling TaskSampling `mapstructure:"task_sampling"`
	// ScanInterval is the time between two looks for new JVMs.
	ScanInterval time.Duration `mapstructure:"scan_interval"`
	// DrainInterval is the least time between two readings of the rings; they are read later where
	// none can fill.
	DrainInterval time.Duration `mapstructure:"drain_interval"`
	// StackBytes is how much of a thread's stack is copied into each sample; with 0 there is none,
	// and stacks are the kernel's frame-pointer chain, which a JVM without
	// -XX:+PreserveFramePointer ends at its first compiled frame.
	StackBytes int `mapstructure:"stack_bytes"`
	// RingPages is the size of a task thread's ring in pages of 4 KiB, which takes 1 + RingPages
	// pages of locked memory; 0 leaves it to the sampler, which goes by the rate. Where memory may
	// not be locked, rings are halved until they fit.
	RingPages int `mapstructure:"ring_pages"`
	// Hold is how long a sample waits for late records (compiled code, sources) before it is named.
	Hold time.Duration `mapstructure:"hold"`
	// PlanWait is how long, beyond Hold, it waits for its query's plan before it is counted as
	// pending.
	PlanWait time.Duration `mapstructure:"plan_wait"`
	// MaxStacks bounds the distinct stacks of one JVM and window.
	MaxStacks int `mapstructure:"max_stacks"`
	// MaxSeries bounds the cumulative series of the metrics signal: operators at their places in
	// queries, and queries.
	MaxSeries int `mapstructure:"max_series"`
	// ExecutionIdle is after how long without a task an SQL execution is taken to be over, where
	// the JVM's agent is too old to tell its end.
	ExecutionIdle time.Duration `mapstructure:"execution_idle"`
	// ServiceName is service.name of every JVM; "" takes the Spark application's name.
	ServiceName string `mapstructure:"service_name"`
	// Labels are the attributes of a JVM's resource, beside service.name, that the cumulative
	// series of the metrics signal keep: team, tenant … What is not among them is on the resource
	// of profiles and of single executions only. An attribute that changes with every run makes new
	// series with every run.
	Labels []string `mapstructure:"labels"`
	// TaskAttributes adds spark.task.attempt.id and spark.partition.id to samples: many more
	// samples.
	TaskAttributes bool `mapstructure:"task_attributes"`
	// QuerySummary adds db.query.summary, the readable name of the query.
	QuerySummary bool `mapstructure:"query_summary"`
	// SampleCounts adds a second profile of type samples/count to each window.
	SampleCounts bool `mapstructure:"sample_counts"`
}

// Bounds of the configuration; those of the period are of FORMAT.md's control page.
const (
	minWindow    = time.Second
	maxWindow    = 10 * time.Minute
	minPeriod    = 100 * time.Microsecond
	maxPeriod    = time.Minute
	maxStack     = 65_528
	maxRingPages = 1024
	maxSeries    = 100_000
	maxDrain     = 2 * time.Second // the lease is lost after 5 s
	minInterval  = time.Millisecond
	mostCopied   = 40e6 // bytes that events which the JVM opens may copy in a second of a thread's CPU
	sampleBytes  = 1024 // that a sample is reckoned to hold beside the copy
)

// defaultConfig samples as `planflame run` does, but for the rates: see defaultTaskSampling.
func defaultConfig() *Config {
	c := &Config{
		Window:       15 * time.Second,
		Mode:         "auto",
		Hold:         2 * time.Second,
		PlanWait:     10 * time.Second,
		MaxStacks:    200_000,
		MaxSeries:    2_000,
		TaskSampling: defaultTaskSampling(),
		Labels:       attributes.OfOwners(),

		ExecutionIdle: 5 * time.Minute,
	}
	samplerDefaults(c)
	return c
}

// Validate refuses what cannot work, naming the key.
func (c *Config) Validate() error {
	var errs []error
	between := func(key string, v, low, high time.Duration) {
		if v < low || v > high {
			errs = append(errs, fmt.Errorf("%s: %s, want %s to %s", key, v, low, high))
		}
	}
	between("window", c.Window, minWindow, maxWindow)
	switch c.Mode {
	case "auto", "privileged", "self":
	default:
		errs = append(errs, fmt.Errorf("mode: %q is not auto, privileged or self", c.Mode))
	}
	rate := func(key string, v float64) {
		if low, high := hz(maxPeriod), hz(minPeriod); v != 0 && !(v >= low && v <= high) {
			errs = append(errs, fmt.Errorf("%s: %g, want %.3g to %g, or 0 for none", key, v, low, high))
		}
	}
	rate("sampling_hz", c.SamplingHz)
	rate("task_sampling::base_hz", c.TaskSampling.BaseHz)
	rate("task_sampling::detail_hz", c.TaskSampling.DetailHz)
	errs = append(errs, c.TaskSampling.validate(c.SamplingHz != 0)...)
	between("scan_interval", c.ScanInterval, minInterval, time.Hour)
	between("drain_interval", c.DrainInterval, minInterval, maxDrain)
	if c.StackBytes < 0 || c.StackBytes > maxStack || c.StackBytes%8 != 0 {
		errs = append(errs, fmt.Errorf("stack_bytes: %d, want 0 to %d in steps of 8", c.StackBytes, maxStack))
	}
	if copied := (float64(c.StackBytes) + sampleBytes) * c.totalHz(); c.Mode != "privileged" && copied > mostCopied {
		errs = append(errs, fmt.Errorf("sampling_hz or task_sampling: %g Hz in all with stack_bytes: %d copy %.0f MB of stack in a second of a thread's CPU, want %.0f or less unless mode is privileged",
			c.totalHz(), c.StackBytes, copied/1e6, mostCopied/1e6))
	}
	if c.RingPages < 0 || c.RingPages > maxRingPages || bits.OnesCount(uint(c.RingPages)) > 1 {
		errs = append(errs, fmt.Errorf("ring_pages: %d, want a power of two up to %d, or 0 for as many as the rate needs", c.RingPages, maxRingPages))
	}
	between("hold", c.Hold, minInterval, time.Minute)
	between("plan_wait", c.PlanWait, minInterval, 10*time.Minute)
	if c.MaxStacks < 1 {
		errs = append(errs, fmt.Errorf("max_stacks: %d, want at least 1", c.MaxStacks))
	}
	if c.MaxSeries < 1 || c.MaxSeries > maxSeries {
		errs = append(errs, fmt.Errorf("max_series: %d, want 1 to %d", c.MaxSeries, maxSeries))
	}
	errs = append(errs, attributes.ValidLabels(c.Labels))
	if _, err := c.rules(); err != nil {
		errs = append(errs, err)
	}
	between("execution_idle", c.ExecutionIdle, time.Second, 24*time.Hour)
	return errors.Join(errs...)
}

func hz(period time.Duration) float64 { return float64(time.Second) / float64(period) }
