package shift

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// RunID is one SQL execution of one application. A run enters a history once by it.
type RunID struct {
	Application string
	Execution   int64
}

// String is "application/execution".
func (id RunID) String() string { return fmt.Sprintf("%s/%d", id.Application, id.Execution) }

// Key is an operator within one plan: where it runs and which one it is. Operator alone is kept
// across plans.
type Key struct {
	Stage    string `json:"stage"` // place of the stage in the plan, "exchange>aggregate@f9f4f436"
	Operator string `json:"id"`    // role@signature, "aggregate@f9f4f436"
}

// Role is the operator's id up to its signature: "aggregate".
func (k Key) Role() string {
	role, _, _ := strings.Cut(k.Operator, "@")
	return role
}

// Cost is what one operator of one run cost.
type Cost struct {
	Key
	// Name is what people read: physical name and first words of the arguments. Its first word is
	// the physical class.
	Name string
	// CPU is the estimate in seconds, > 0; an operator without any is left out of the run.
	CPU float64
	// Variance is the variance of the estimate of CPU by sampling, in s². 0: CPU²/Samples, and
	// without Samples CPU is exact.
	Variance float64
	// Rows is how many rows the operator worked on; 0: not known.
	Rows float64
	// Samples is the number of samples behind CPU; 0: not known.
	Samples float64
}

// Part is the share of a run that one executor had. Parts add up.
type Part struct {
	ID   string  // unique within the run: the executor's id, the same in all runs of the application
	Host string  // "" where not known
	CPU  float64 // of its tasks in seconds; 0: it had none, or no one knows
}

// Run is one finished SQL execution of a query.
type Run struct {
	ID    RunID
	Query string // what names its history: the fingerprint, or the fingerprint of one owner's query
	Name  string // what people call the query
	Plan  string // fingerprint of the plan
	End   time.Time
	// CPU is the CPU of all tasks of the run in seconds, operators and everything else.
	CPU       float64
	Operators []Cost // each Key once
	Parts     []Part // each ID once
	// Labels are handed on with events: tenant, team, owner, service. At most 32.
	Labels map[string]string
	// Version is Spark's.
	Version string
}

// Limits of a run that is taken in.
const (
	maxLabels     = 32
	maxText       = 1024
	maxParts      = 4096
	maxCPU        = 1e12
	maxRows       = 1e18
	leastRelative = 1e-12
)

// Validate says what makes the run unfit to be taken in. Every error names the run.
func (r *Run) Validate() error {
	var errs []error
	bad := func(format string, a ...any) {
		errs = append(errs, fmt.Errorf("run %s: "+format, append([]any{r.ID}, a...)...))
	}
	if r.ID.Application == "" || len(r.ID.Application) > maxText {
		bad("application id of %d bytes", len(r.ID.Application))
	}
	if r.Query == "" || len(r.Query) > maxText {
		bad("query fingerprint of %d bytes", len(r.Query))
	}
	if len(r.Plan) > maxText || len(r.Name) > maxText || len(r.Version) > maxText {
		bad("plan, name or version longer than %d bytes", maxText)
	}
	if y := r.End.Year(); y < 2000 || y > 2200 {
		bad("end %s", r.End)
	}
	if !within(r.CPU, 0, maxCPU) {
		bad("CPU %g s", r.CPU)
	}
	if len(r.Parts) > maxParts {
		bad("%d parts, at most %d", len(r.Parts), maxParts)
	}
	for _, p := range r.Parts {
		if len(p.ID) > maxText || len(p.Host) > maxText {
			bad("part %.20q: longer than %d bytes", p.ID, maxText)
		}
		if !within(p.CPU, 0, maxCPU) {
			bad("part %.20q: CPU %g s", p.ID, p.CPU)
		}
	}
	if len(r.Labels) > maxLabels {
		bad("%d labels, at most %d", len(r.Labels), maxLabels)
	}
	for k, v := range r.Labels {
		if len(k) > maxText || len(v) > maxText {
			bad("label %.20q: longer than %d bytes", k, maxText)
		}
	}
	seen := make(map[Key]bool, len(r.Operators))
	for _, o := range r.Operators {
		switch {
		case o.Operator == "" || len(o.Operator) > maxText || len(o.Stage) > maxText || len(o.Name) > maxText:
			bad("operator %.40q: id, stage or name empty or longer than %d bytes", o.Operator, maxText)
		case seen[o.Key]:
			bad("operator %q of stage %q twice", o.Operator, o.Stage)
		case !(o.CPU > 0) || o.CPU > maxCPU:
			bad("operator %q: CPU %g s", o.Operator, o.CPU)
		case !within(o.Variance, 0, maxCPU*maxCPU):
			bad("operator %q: variance %g s²", o.Operator, o.Variance)
		case !within(o.Rows, 0, maxRows) || !within(o.Samples, 0, maxRows):
			bad("operator %q: %g rows, %g samples", o.Operator, o.Rows, o.Samples)
		}
		seen[o.Key] = true
	}
	return errors.Join(errs...)
}

func within(v, low, high float64) bool { return v >= low && v <= high && !math.IsNaN(v) }

// Sampling is the variance of CPU by sampling, in s²: as stated, else as the samples tell; 0: CPU
// is exact.
func (c *Cost) Sampling() float64 {
	if c.Variance > 0 || c.Samples <= 0 {
		return c.Variance
	}
	return c.CPU * c.CPU / max(c.Samples, 1)
}

// relative is the variance of the log of CPU by the delta method.
func (c *Cost) relative() float64 {
	if v := c.Sampling(); v > 0 {
		return max(v/(c.CPU*c.CPU), leastRelative)
	}
	return 0
}

// Support is how many samples CPU stands on: those that its sampling error says, and no more than
// there were. Infinite where CPU is exact.
func (c *Cost) Support() float64 {
	n := math.Inf(1)
	if v := c.relative(); v > 0 {
		n = 1 / v
	}
	if c.Samples > 0 {
		n = min(n, c.Samples)
	}
	return n
}

// add adds what the operator cost elsewhere in the run. Rows or samples that are not known of both
// are not known of the sum.
func (c *Cost) add(o *Cost) {
	c.Variance = c.Sampling() + o.Sampling()
	c.CPU += o.CPU
	sum := func(a, b float64) float64 {
		if a == 0 || b == 0 {
			return 0
		}
		return a + b
	}
	c.Rows, c.Samples = sum(c.Rows, o.Rows), sum(c.Samples, o.Samples)
}

// class is the physical operator, the first word of the name.
func (c *Cost) class() string { return class(c.Name) }

func class(name string) string {
	c, _, _ := strings.Cut(name, " ")
	return c
}
