package tasksample

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Rates say how closely the tasks of a stage are sampled. Tags are users' keys.
type Rates struct {
	BaseHz   float64 `mapstructure:"base_hz"`             // of every task, samples a second of its CPU; 0: pure task sampling
	DetailHz float64 `mapstructure:"detail_hz"`           // of selected and promoted tasks, besides BaseHz
	Fraction float64 `mapstructure:"fraction"`            // of the stage's units that are selected
	Least    uint32  `mapstructure:"min_tasks_per_stage"` // … at least so many
	// PromoteAfter is the CPU after which a task that was not selected goes to the detail rate too;
	// 0: never.
	PromoteAfter time.Duration `mapstructure:"-"`
}

// Periods of a clock, in CPU time of its thread (FORMAT.md, "Control page").
const (
	MinPeriod = 100 * time.Microsecond
	MaxPeriod = time.Minute
)

// RefuseHz returns an error that names the key unless a clock can have that rate, or it is 0: none.
func RefuseHz(key string, hz float64) error {
	const low, high = float64(time.Second) / float64(MaxPeriod), float64(time.Second) / float64(MinPeriod)
	if hz == 0 || hz >= low && hz <= high {
		return nil
	}
	return fmt.Errorf("%s: %g, want %.3g to %g, or 0 for none", key, hz, low, high)
}

// StageFacts are what a policy may know of a stage. All of it comes from all tasks, sampled or not:
// rates that followed what the samples show would bias the estimates.
type StageFacts struct {
	Partitions uint32        // 0 unknown
	Ended      uint64        // units that have ended
	MedianCPU  time.Duration // of those
}

// Policy decides the rates of a stage. It may be asked again while the stage runs. A sample's
// weight is 1 / (the rate in force when it was taken), so a change of rate costs precision but adds
// no bias.
type Policy interface {
	Rates(StageFacts) Rates
}

// Fixed is the policy of fixed rates and a fixed fraction.
type Fixed Rates

// Rates implements Policy.
func (f Fixed) Rates(StageFacts) Rates { return Rates(f) }

// Refusals says what is wrong with rates, by their keys below a section.
func (r Rates) Refusals(section string) error {
	errs := []error{RefuseHz(section+"base_hz", r.BaseHz), RefuseHz(section+"detail_hz", r.DetailHz)}
	if !(r.Fraction >= 0 && r.Fraction <= 1) {
		errs = append(errs, fmt.Errorf("%sfraction: %g, want 0 to 1", section, r.Fraction))
	}
	if r.BaseHz == 0 && (r.DetailHz == 0 || r.Fraction == 0) {
		errs = append(errs, fmt.Errorf("%sbase_hz: 0 samples selected tasks only, and detail_hz or fraction is 0", section))
	}
	return errors.Join(errs...)
}

// Tail is a policy that promotes stragglers. A task whose CPU exceeds Multiple times the median of
// the stage's ended tasks is sampled at the detail rate from then on. Its CPU is known whether it
// is sampled or not, so the rule depends on all-task data only.
type Tail struct {
	Of       Policy
	Multiple float64
	MinEnded uint64        // units that must have ended before the median is believed
	Least    time.Duration // no task is promoted before it has used so much CPU: switching has a price
}

// NewTail promotes once ten units of a stage have ended, and no task before it has used 200 ms:
// until then a closer look brings little.
func NewTail(of Policy, multiple float64) Tail {
	return Tail{Of: of, Multiple: multiple, MinEnded: 10, Least: 200 * time.Millisecond}
}

// Rates implements Policy.
func (t Tail) Rates(s StageFacts) Rates {
	r := t.Of.Rates(s)
	if s.Ended >= max(t.MinEnded, 1) && s.MedianCPU > 0 && t.Multiple > 0 {
		r.PromoteAfter = max(time.Duration(t.Multiple*float64(s.MedianCPU)), t.Least, 1)
	}
	return r
}

// Budget is a policy that keeps the number of samples within bounds: all rates of another policy
// are scaled with the same factor
//
//	min(1, NodeHz / (c · base + max(d, fraction · c) · detail))
//
// where c is the CPU seconds that this node's tasks use in a second, smoothed, and d the part of c
// in tasks at the detail rate. In small stages d is more than fraction · c, for Rates.Least tasks
// of each are selected. Strobelight's dynamic sampling does the like by the number of hosts (Meta,
// 2025). QueryBudget bounds single queries. Not safe for concurrent use.
type Budget struct {
	Of     Policy
	NodeHz float64 // samples a second on this node; 0: no bound
	// Smoothing is the time constant of c and d; 0: DefaultSmoothing.
	Smoothing time.Duration

	load    float64 // c
	closely float64 // d
	seen    bool
	scale   float64 // of the node's bound, in force
}

// DefaultSmoothing is the default of Budget.Smoothing.
const DefaultSmoothing = time.Minute

// minChange is the least relative change of the factor for which clocks are set again: that costs
// system calls.
const minChange = 0.2

// Observe takes the CPU that all tasks of the node used over a time, sampled or not, and the part
// of it that tasks at the detail rate used.
func (b *Budget) Observe(cpu, closely, over time.Duration) {
	if over <= 0 || cpu < 0 || closely < 0 {
		return
	}
	constant, part := b.Smoothing, 1.0
	if constant <= 0 {
		constant = DefaultSmoothing
	}
	if b.seen {
		part = -math.Expm1(-float64(over) / float64(constant))
	}
	b.seen = true
	b.load += (float64(cpu)/float64(over) - b.load) * part
	b.closely += (float64(closely)/float64(over) - b.closely) * part
}

// Rates implements Policy.
func (b *Budget) Rates(s StageFacts) Rates {
	r := b.Of.Rates(s)
	if r.BaseHz+r.DetailHz <= 0 {
		return r
	}
	wanted := 1.0
	if hz := b.load*r.BaseHz + max(b.closely, r.Fraction*b.load)*r.DetailHz; b.NodeHz > 0 && hz > 0 {
		wanted = min(1, b.NodeHz/hz)
	}
	if b.scale == 0 || math.Abs(wanted-b.scale) > minChange*b.scale || wanted == 1 {
		b.scale = wanted
	}
	r.BaseHz *= b.scale
	r.DetailHz *= b.scale
	return r
}
