package sparkprofile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/planflame/planflame/internal/refusal"
	"github.com/planflame/planflame/tasksample"
)

// TaskSampling says which tasks are sampled how closely; tasksample has the formulas.
type TaskSampling struct {
	// Policy is fixed, budget (rates follow the load so that Budget holds) or tail (fixed, and
	// stragglers are sampled closely once they are known as such).
	Policy string `mapstructure:"policy"`
	// Rates are of every task and, besides, of a fraction of each stage's partitions.
	Rates  tasksample.Rates `mapstructure:",squash"`
	Budget Budget           `mapstructure:"budget"`
	// RunFraction is π of a run of a query, which is an SQL execution of an application: 1 samples
	// all. Of runs that are not drawn no sample is unwound or delivered, their tasks' clocks run
	// all the same, and their CPU is known. All nodes draw the same runs.
	RunFraction float64 `mapstructure:"run_fraction"`
	// Calibration says what estimates are made of. With window it is this node, of the units that
	// ended in a window, and there must be a base rate. With stage it is the connector
	// spark_calibration, of all units of a stage: this node tells their additive statistics and
	// estimates nothing. With a base rate window is as good.
	Calibration string `mapstructure:"calibration"`
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
	return TaskSampling{Policy: policyFixed, Rates: tasksample.Rates{BaseHz: 20, DetailHz: 200, Fraction: 0.05, Least: 3},
		Budget: Budget{SamplesPerSecond: 200, Nodes: 1}, RunFraction: 1, Calibration: calibrationWindow}
}

// refusals says what cannot work, naming the key; plain: sampling_hz takes the place of the rates.
func (t TaskSampling) refusals(plain bool) error {
	const section = "task_sampling::"
	rates := t.Rates
	if plain {
		rates.BaseHz = cmp.Or(rates.BaseHz, 1) // sampling_hz is the base rate
	}
	errs := []error{
		refusal.NotOneOf(section+"policy", t.Policy, policyFixed, policyBudget, policyTail),
		rates.Refusals(section),
		t.Budget.refusals(section+"budget::", t.Policy, plain),
		refusal.NotOneOf(section+"calibration", t.Calibration, calibrationWindow, calibrationStage),
		refusal.Outside(section+"run_fraction", t.RunFraction, minRunFraction, 1),
	}
	if t.Policy == policyTail && rates.DetailHz == 0 {
		errs = append(errs, errors.New(section+"detail_hz: 0, and policy tail is to sample stragglers with it"))
	}
	if t.Policy == policyTail && rates.BaseHz == 0 { // a straggler would count by itself, and once more by the selected tasks
		errs = append(errs, errors.New(section+"base_hz: 0, and "+section+"policy tail needs a base rate: selected tasks stand for stragglers too"))
	}
	if t.Calibration == calibrationWindow && rates.BaseHz == 0 && rates.Fraction < 1 { // a window of one node has too few selected tasks
		errs = append(errs, errors.New(section+"base_hz: 0, and "+section+"calibration window needs a base rate: set it to stage"))
	}
	return errors.Join(errs...)
}

// minRunFraction is the least π of runs: a weight of more than a thousand runs is no one's
// estimate.
const minRunFraction = 0.001

// refusals says what cannot work, and bounds that nothing asks for.
func (b Budget) refusals(section, policy string, plain bool) error {
	errs := []error{
		refusal.Outside(section+"query_samples_per_hour", b.QuerySamplesPerHour, 0, math.MaxFloat64),
		refusal.Below(section+"nodes", b.Nodes, 1),
	}
	if policy == policyBudget && !(b.SamplesPerSecond > 0) {
		errs = append(errs, fmt.Errorf("%ssamples_per_second: %g, want more than 0", section, b.SamplesPerSecond))
	}
	if b.QuerySamplesPerHour != 0 && (policy != policyBudget || plain) {
		errs = append(errs, fmt.Errorf("%squery_samples_per_hour: %g, and there is a budget with task_sampling::policy budget and without sampling_hz only", section, b.QuerySamplesPerHour))
	}
	return errors.Join(errs...)
}

// rates are those in force at the beginning: sampling_hz alone, or both tiers.
func (c *Config) rates() (base, detail float64) {
	switch t := c.TaskSampling; {
	case c.SamplingHz != 0:
		return c.SamplingHz, 0
	case t.Rates.Fraction == 0 && t.Policy != policyTail:
		return t.Rates.BaseHz, 0
	default:
		return t.Rates.BaseHz, t.Rates.DetailHz
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
