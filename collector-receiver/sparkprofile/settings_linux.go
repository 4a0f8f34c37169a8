package sparkprofile

import (
	"fmt"
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

const defaultStackBytes = sampler.DefaultStackBytes

// refuseStack says what is wrong with stack_bytes, by itself or with the rates: a JVM's agent
// refuses settings by which its events would copy more than that.
func (c *Config) refuseStack() error {
	if c.StackBytes < 0 || c.StackBytes > jvmlog.MaxStackBytes || c.StackBytes%8 != 0 {
		return fmt.Errorf("stack_bytes: %d, want 0 to %d in steps of 8", c.StackBytes, jvmlog.MaxStackBytes)
	}
	copied := float64(c.StackBytes+jvmlog.SampleBytes) * c.totalHz()
	if c.Mode == "privileged" || !(copied > jvmlog.MostCopiedBytes) {
		return nil
	}
	return fmt.Errorf("sampling_hz or task_sampling: %g Hz in all with stack_bytes: %d copy %.0f MB of stack in a second of a thread's CPU, want %.0f or less unless mode is privileged",
		c.totalHz(), c.StackBytes, copied/1e6, jvmlog.MostCopiedBytes/1e6)
}

// settings are the sampler's.
func (c *Config) settings() (sampler.Settings, error) {
	policy, err := sampler.ParsePolicy(c.Mode)
	if err != nil {
		return sampler.Settings{}, fmt.Errorf("mode: %w", err)
	}
	stack := c.StackBytes
	if stack == 0 {
		stack = -1 // in the sampler's settings 0 is the default
	}
	out := sampler.Settings{Mode: policy, StackBytes: stack, ScanInterval: c.scanInterval, RoundInterval: roundInterval, Tells: true, ReadCode: true}
	if out.Select, err = c.rules(); err != nil {
		return sampler.Settings{}, err
	}
	base, detail := c.rates()
	out.BasePeriod, out.DetailPeriod = sampler.NoBase, periodOf(detail)
	if base != 0 {
		out.BasePeriod = periodOf(base)
	}
	if detail != 0 {
		out.Fraction, out.MinTasksPerStage = c.TaskSampling.Rates.Fraction, c.TaskSampling.Rates.Least
	}
	out.RunFraction = c.TaskSampling.RunFraction
	if c.SamplingHz == 0 {
		out.Rates = c.TaskSampling.policy(detail)
		if out.QueryBudget, err = c.TaskSampling.queryBudget(); err != nil {
			return sampler.Settings{}, fmt.Errorf("task_sampling::budget::query_samples_per_hour: %w", err)
		}
	}
	return out, nil
}

// queryBudget is this node's part of the budget of each query; nil if there is no bound.
func (t TaskSampling) queryBudget() (*tasksample.QueryBudget, error) {
	if t.Policy != policyBudget || t.Budget.QuerySamplesPerHour == 0 {
		return nil, nil
	}
	return tasksample.NewQueryBudget(t.Budget.QuerySamplesPerHour / float64(t.Budget.Nodes))
}

// roundInterval is the time between two rounds in which samples are unwound and named. A collector
// wakes up into cold caches, so that few rounds with many samples cost less than many with few
// (docs/decisions/0008-large-rounds.md). No one waits for samples, which the pipeline holds for
// two.
const roundInterval = time.Second

// tailMultiple is by how much a task's CPU exceeds the CPU of its stage's median task before it is
// sampled closely.
const tailMultiple = 4

// policy is what changes rates while tasks run; nil where nothing does. detailHz is 0 where nothing
// is ever selected: no event is opened for it.
func (t TaskSampling) policy(detailHz float64) tasksample.Policy {
	fixed := tasksample.Fixed(t.Rates)
	fixed.DetailHz = detailHz
	switch t.Policy {
	case policyBudget:
		return &tasksample.Budget{Of: fixed, NodeHz: t.Budget.SamplesPerSecond}
	case policyTail:
		return tasksample.NewTail(fixed, tailMultiple)
	}
	return nil
}
