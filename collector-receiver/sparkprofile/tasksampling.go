package sparkprofile

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// TaskSampling says which tasks are sampled how closely; tasksample has the formulas.
type TaskSampling struct {
	// Policy is fixed, budget (rates follow the load so that Budget holds) or tail (fixed, and
	// stragglers are sampled closely once they are known as such).
	Policy string `mapstructure:"policy"`
	// BaseHz is how many samples are taken of a second of every task's CPU; 0: only selected tasks
	// are sampled.
	BaseHz float64 `mapstructure:"base_hz"`
	// DetailHz more are taken of a second of the CPU of selected tasks; 0: none are selected.
	DetailHz float64 `mapstructure:"detail_hz"`
	// Fraction of each stage's partitions is selected …
	Fraction float64 `mapstructure:"fraction"`
	// … at least so many.
	MinTasksPerStage uint32 `mapstructure:"min_tasks_per_stage"`
	// Seed of the selection. Executors on nodes with the same seed select the same partitions of a
	// stage: each of them once.
	Seed   uint64 `mapstructure:"seed"`
	Budget Budget `mapstructure:"budget"`
	// RunFraction is π of a run of a query, which is an SQL execution of an application: 1 samples
	// all. Of runs that are not drawn no sample is unwound or delivered, their tasks' clocks run
	// all the same, and their CPU is known. Nodes with the same seed draw the same runs.
	RunFraction float64 `mapstructure:"run_fraction"`
	// Calibration says what estimates are made of: window (this node, of the units that ended in a
	// window) or stage (the connector spark_calibration, of all units of a stage: this node tells
	// their additive statistics and estimates nothing). With a base rate window is as good.
	Calibration string `mapstructure:"calibration"`
	// TailMultiple is by how much a task's CPU exceeds that of its stage's median task before it is
	// sampled closely: policy tail.
	TailMultiple float64 `mapstructure:"tail_multiple"`
}

// Budget bounds the number of samples: policy budget.
type Budget struct {
	// SamplesPerSecond on this node, over all of its JVMs.
	SamplesPerSecond float64 `mapstructure:"samples_per_second"`
	// QuerySamplesPerHour of each query on all nodes together are unwound and delivered; 0: there
	// is no bound.
	QuerySamplesPerHour float64 `mapstructure:"query_samples_per_hour"`
	// Nodes are those that share QuerySamplesPerHour, in equal parts: at least as many as ever run
	// one query.
	Nodes int `mapstructure:"nodes"`
}

// Policies of TaskSampling.
const (
	policyFixed  = "fixed"
	policyBudget = "budget"
	policyTail   = "tail"
)

// Values of TaskSampling.Calibration.
const (
	calibrationWindow = "window"
	calibrationStage  = "stage"
)

func defaultTaskSampling() TaskSampling {
	return TaskSampling{Policy: policyFixed, BaseHz: 20, DetailHz: 200, Fraction: 0.05, MinTasksPerStage: 3,
		Budget: Budget{SamplesPerSecond: 200, Nodes: 1}, RunFraction: 1, Calibration: calibrationWindow, TailMultiple: 4}
}

// validate refuses what cannot work, naming the key; plain: sampling_hz takes the place of the
// rates.
func (t TaskSampling) validate(plain bool) (errs []error) {
	switch t.Policy {
	case policyFixed, policyBudget, policyTail:
	default:
		errs = append(errs, fmt.Errorf("task_sampling::policy: %q is not fixed, budget or tail", t.Policy))
	}
	if !(t.Fraction >= 0 && t.Fraction <= 1) {
		errs = append(errs, fmt.Errorf("task_sampling::fraction: %g, want 0 to 1", t.Fraction))
	}
	if !plain && t.BaseHz == 0 && (t.DetailHz == 0 || t.Fraction == 0) {
		errs = append(errs, errors.New("task_sampling::base_hz: 0 samples selected tasks only, and detail_hz or fraction is 0"))
	}
	if t.Policy == policyBudget && !(t.Budget.SamplesPerSecond > 0) {
		errs = append(errs, fmt.Errorf("task_sampling::budget::samples_per_second: %g, want more than 0", t.Budget.SamplesPerSecond))
	}
	errs = append(errs, t.Budget.validate(t.Policy, plain)...)
	if t.Calibration != calibrationWindow && t.Calibration != calibrationStage {
		errs = append(errs, fmt.Errorf("task_sampling::calibration: %q is not window or stage", t.Calibration))
	}
	if !(t.RunFraction >= minRunFraction && t.RunFraction <= 1) {
		errs = append(errs, fmt.Errorf("task_sampling::run_fraction: %g, want %g to 1", t.RunFraction, minRunFraction))
	}
	if t.Policy == policyTail && !(t.TailMultiple >= 1) {
		errs = append(errs, fmt.Errorf("task_sampling::tail_multiple: %g, want 1 or more", t.TailMultiple))
	}
	if t.Policy == policyTail && t.DetailHz == 0 {
		errs = append(errs, errors.New("task_sampling::detail_hz: 0, and policy tail is to sample stragglers with it"))
	}
	return errs
}

// minRunFraction is the least π of runs: a weight of more than a thousand runs is no one's
// estimate.
const minRunFraction = 0.001

// validate refuses a bound of queries that cannot hold, or that nothing asks for.
func (b Budget) validate(policy string, plain bool) (errs []error) {
	if !(b.QuerySamplesPerHour >= 0) || math.IsInf(b.QuerySamplesPerHour, 1) {
		errs = append(errs, fmt.Errorf("task_sampling::budget::query_samples_per_hour: %g, want 0 for no bound, or more", b.QuerySamplesPerHour))
	}
	if b.Nodes < 1 {
		errs = append(errs, fmt.Errorf("task_sampling::budget::nodes: %d, want 1 or more", b.Nodes))
	}
	if b.QuerySamplesPerHour != 0 && (policy != policyBudget || plain) {
		errs = append(errs, fmt.Errorf("task_sampling::budget::query_samples_per_hour: %g, and there is a budget with task_sampling::policy budget and without sampling_hz only", b.QuerySamplesPerHour))
	}
	return errs
}

// rates are those in force at the beginning: sampling_hz alone, or both tiers.
func (c *Config) rates() (base, detail float64) {
	switch t := c.TaskSampling; {
	case c.SamplingHz != 0:
		return c.SamplingHz, 0
	case t.Fraction == 0 && t.Policy != policyTail:
		return t.BaseHz, 0
	default:
		return t.BaseHz, t.DetailHz
	}
}

// totalHz is how many samples are taken of a second of a selected task's CPU.
func (c *Config) totalHz() float64 {
	base, detail := c.rates()
	return base + detail
}

// period is the thread CPU time between two samples of the clock that runs all the time, or of the
// only one.
func (c *Config) period() time.Duration {
	base, detail := c.rates()
	if base == 0 {
		base = detail
	}
	return periodOf(base)
}

// periodOf is the thread CPU time between two samples at a rate, 0 of none.
func periodOf(hz float64) time.Duration {
	if hz == 0 {
		return 0
	}
	return time.Duration(float64(time.Second)/hz + 0.5)
}
