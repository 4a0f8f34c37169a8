package window

import (
	"math"
	"time"
)

// Certainty adds up how sure the CPU of an operator is, over the stages that it runs in. They are
// sampled on their own, so variances add, and so do the squares of what their intervals reach down
// and up (Zou and Donner, Statistics in Medicine 2008). The zero value is ready to use.
type Certainty struct {
	cpu, variance, down, up float64 // seconds, and squares of seconds
	doubtful                float64 // of cpu: in stages whose interval is not valid
	why                     string
	most                    float64 // CPU of the stage that why is about
}

// StageEstimate is what the samples of one stage tell of an operator.
type StageEstimate struct {
	CPU, Low, High, SE time.Duration // Low to High is the 95 % interval
	Valid              bool
	Why                string // it is not valid
}

// Add adds a stage, of which a part between 0 and 1 counts.
func (c *Certainty) Add(e StageEstimate, part float64) {
	cpu := part * e.CPU.Seconds()
	c.cpu += cpu
	c.variance += part * square(e.SE.Seconds())
	c.down += part * square((e.CPU - e.Low).Seconds())
	c.up += part * square((e.High - e.CPU).Seconds())
	if e.Valid {
		return
	}
	c.doubtful += cpu
	if c.why == "" || cpu > c.most {
		c.why, c.most = e.Why, cpu
	}
}

// OperatorCPU is what an operator used, in seconds. Python workers' is exact where Below and Above
// are 0, else it lies between Python - Below and Python + Above.
type OperatorCPU struct {
	JVM, Python, Below, Above float64
	Exact                     bool // JVM is: no sample is behind it
}

// Interval is a 95 % interval in seconds. CI95 is nil if nothing is known.
type Interval struct {
	CI95  *[2]float64
	SE    float64 // standard error
	Valid bool
	Why   string // it cannot be trusted
}

// doubt is the share of an operator's CPU from which on stages without a valid interval make its
// own invalid.
const doubt = 0.05

// Interval is the interval of an operator's CPU. Python workers' moves it, and widens it only where
// it is not exact. Nothing is known where no stage has statistics, as in recordings without ends of
// tasks.
func (c *Certainty) Interval(of OperatorCPU) Interval {
	low, high := of.Python-of.Below, of.Python+of.Above
	if of.Exact {
		return Interval{CI95: &[2]float64{low + of.JVM, high + of.JVM}, Valid: true}
	}
	if c.cpu <= 0 {
		return Interval{Why: "no task that it ran in has ended"}
	}
	out := Interval{CI95: &[2]float64{low + max(0, of.JVM-math.Sqrt(c.down)), high + of.JVM + math.Sqrt(c.up)}, SE: math.Sqrt(c.variance)}
	if out.Valid = c.doubtful <= doubt*c.cpu; !out.Valid {
		out.Why = c.why
	}
	return out
}

func square(x float64) float64 { return x * x }

// WeakMark is the part of an operator's CPU in doubt from which on every drawing marks it.
const WeakMark = 0.1
