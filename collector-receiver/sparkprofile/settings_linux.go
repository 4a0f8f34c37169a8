package sparkprofile

import (
	"fmt"
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// samplerDefaults sets what the sampler has a default of its own for, so that there is one place
// that says it. RingPages stays 0: the sampler sizes rings by the rate.
func samplerDefaults(c *Config) {
	c.ScanInterval = sampler.DefaultScanInterval
	c.DrainInterval = sampler.DefaultDrainInterval
	c.StackBytes = sampler.DefaultStackBytes
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
	out := sampler.Settings{Mode: policy, StackBytes: stack, RingPages: c.RingPages, ScanInterval: c.ScanInterval, DrainInterval: c.DrainInterval}
	if out.Select, err = c.rules(); err != nil {
		return sampler.Settings{}, err
	}
	out.RoundInterval = min(max(roundInterval, c.DrainInterval), max(c.Hold/2, c.DrainInterval))
	base, detail := c.rates()
	out.BasePeriod, out.DetailPeriod = sampler.NoBase, periodOf(detail)
	if base != 0 {
		out.BasePeriod = periodOf(base)
	}
	if detail != 0 {
		t := c.TaskSampling
		out.Fraction, out.MinTasksPerStage = t.Fraction, t.MinTasksPerStage
	}
	out.RunFraction, out.Seed = c.TaskSampling.RunFraction, c.TaskSampling.Seed
	if c.SamplingHz == 0 {
		out.Rates = c.TaskSampling.rates(detail)
		if out.QueryBudget, err = c.TaskSampling.queryBudget(); err != nil {
			return sampler.Settings{}, fmt.Errorf("task_sampling::budget::query_samples_per_hour: %w", err)
		}
	}
	return out, nil
}

// queryBudget is this node's part of the budget of each query; nil where there is no bound.
func (t TaskSampling) queryBudget() (*tasksample.QueryBudget, error) {
	if t.Policy != policyBudget || t.Budget.QuerySamplesPerHour == 0 {
		return nil, nil
	}
	return tasksample.NewQueryBudget(t.Budget.QuerySamplesPerHour / float64(t.Budget.Nodes))
}

// roundInterval is the time between two rounds in which samples are unwound and named: a collector
// wakes up into cold caches, so that few rounds with many samples cost less than many with few
// (docs/architecture.md). No one waits for samples, which are held for Hold.
const roundInterval = time.Second

// A straggler is known as such once ten tasks of its stage have ended, and after 200 ms of CPU:
// before, a closer look brings little.
const (
	tailEnded = 10
	tailLeast = 200 * time.Millisecond
)

// rates is the policy that changes rates while tasks run; nil where none does. detailHz is 0 where
// nothing is ever selected: no event is opened for it.
func (t TaskSampling) rates(detailHz float64) tasksample.Policy {
	fixed := tasksample.Fixed{BaseHz: t.BaseHz, DetailHz: detailHz, Fraction: t.Fraction, Least: t.MinTasksPerStage}
	switch t.Policy {
	case policyBudget:
		return &tasksample.Budget{Of: fixed, NodeHz: t.Budget.SamplesPerSecond}
	case policyTail:
		return tasksample.Tail{Of: fixed, Multiple: t.TailMultiple, MinEnded: tailEnded, Least: tailLeast}
	}
	return nil
}
