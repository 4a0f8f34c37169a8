package sparkprofile

import (
	"errors"
	"time"

	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/internal/refusal"
	"github.com/planflame/planflame/tasksample"
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
	// SamplingHz, if it is not 0, is how many samples are taken of a second of every task's CPU. It
	// is short for a fixed task_sampling with that base_hz and a fraction of 0.
	SamplingHz float64 `mapstructure:"sampling_hz"`
	// TaskSampling says which tasks are sampled how closely.
	TaskSampling TaskSampling `mapstructure:"task_sampling"`
	// StackBytes is how much of a thread's stack is copied into each sample. With 0 nothing is, and
	// stacks are the kernel's frame-pointer chain. A JVM without -XX:+PreserveFramePointer ends
	// that chain at its first compiled frame.
	StackBytes int `mapstructure:"stack_bytes"`
	// MaxSeries bounds the cumulative series of the metrics signal: operators at their places in
	// queries, and queries.
	MaxSeries int `mapstructure:"max_series"`
	// ServiceName is service.name of every JVM; "" takes the Spark application's name.
	ServiceName string `mapstructure:"service_name"`
	// Labels are the attributes of a JVM's resource, beside service.name, that the cumulative
	// series of the metrics signal keep: team, tenant and the like. Other attributes are on the
	// resource of profiles and of single executions only. An attribute that changes with every run
	// makes new series with every run.
	Labels []string `mapstructure:"labels"`
	// TrustedLabels are attributes that this node gives, and that no JVM may claim. Their names are
	// Labels, too.
	TrustedLabels []TrustedLabels `mapstructure:"trusted_labels"`
	// TaskAttributes adds spark.task.attempt.id and spark.partition.id to samples: many more
	// samples.
	TaskAttributes bool `mapstructure:"task_attributes"`
	// QuerySummary adds db.query.summary, the readable name of the query.
	QuerySummary bool `mapstructure:"query_summary"`
	// SampleCounts adds a second profile of type samples/count to each window.
	SampleCounts bool `mapstructure:"sample_counts"`
	// Recording says which recordings are kept on this node.
	Recording Recording `mapstructure:"recording"`

	scanInterval time.Duration // of tests; 0: the sampler's
}

// defaultConfig samples as `planflame run` does, but for the rates: see defaultTaskSampling.
func defaultConfig() *Config {
	return &Config{
		Window:       15 * time.Second,
		Mode:         "auto",
		StackBytes:   defaultStackBytes,
		MaxSeries:    2_000,
		TaskSampling: defaultTaskSampling(),
		Labels:       attributes.OfSeries(),
		Recording:    Recording{MaxBytes: defaultRecordingBytes},
	}
}

// Validate refuses what cannot work, naming the key.
func (c *Config) Validate() error {
	_, selectors := c.rules()
	_, given := c.trusted()
	return errors.Join(
		refusal.Outside("window", c.Window, time.Second, 10*time.Minute),
		refusal.NotOneOf("mode", c.Mode, "auto", "privileged", "self"),
		tasksample.RefuseHz("sampling_hz", c.SamplingHz),
		c.TaskSampling.refusals(c.SamplingHz != 0),
		c.refuseStack(),
		refusal.Outside("max_series", c.MaxSeries, 1, 100_000),
		attributes.ValidLabels(c.Labels),
		c.Recording.refusals(),
		selectors,
		given,
	)
}
