package outcome

import (
	"math"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// certainty adds up how sure the CPU of an operator is, over the stages that it runs in. They are
// sampled on their own, so variances add, and so do the squares of what their intervals reach down
// and up (Zou and Donner, Statistics in Medicine 2008).
type certainty struct {
	cpu, variance, down, up float64 // seconds, and squares of seconds
	doubtful                float64 // of cpu: in stages whose interval is not valid
	why                     string
	most                    float64 // CPU of the stage that why is about
}

func (c *certainty) add(e tasksample.Estimate, r *tasksample.Result[semconv.Operator]) {
	cpu := e.CPU.Seconds()
	c.cpu += cpu
	c.variance += square(e.SE.Seconds())
	c.down += square(cpu - e.Low.Seconds())
	c.up += square(e.High.Seconds() - cpu)
	if r.Valid {
		return
	}
	c.doubtful += cpu
	if c.why == "" || cpu > c.most {
		c.why, c.most = r.Why, cpu
	}
}

// doubt is the share of an operator's CPU from which on stages without a valid interval make its
// own invalid.
const doubt = 0.05

// show writes what is known into an operator. Python workers' CPU is exact, so it moves the
// interval and does not widen it. Nothing is known where no stage has statistics, as in recordings
// without ends of tasks.
func (c *certainty) show(o *Operator) {
	if c == nil || c.cpu <= 0 {
		o.Why = "no task that it ran in has ended"
		return
	}
	o.CPUSecondsSE = math.Sqrt(c.variance)
	o.CI95 = &[2]float64{o.PythonCPUSeconds + max(0, o.JVMCPUSeconds-math.Sqrt(c.down)), o.CPUSeconds + math.Sqrt(c.up)}
	if o.Valid = c.doubtful <= doubt*c.cpu; !o.Valid {
		o.Why = c.why
	}
}

func square(x float64) float64 { return x * x }

// judge adds what the stages' estimates say of the operators.
func (s *sums) judge(stages []window.StageStatistics) {
	for i := range stages {
		st := &stages[i]
		for key, e := range st.Estimate.Keys {
			if op := s.judged(key, &st.Labels); op != nil {
				if op.certainty == nil {
					op.certainty = &certainty{}
				}
				op.certainty.add(e, &st.Estimate)
			}
		}
	}
}

// judged is the operator that a stage's estimate is about. Of a query that is not the stage's own,
// whose code the stage runs, it is that with the plan that ran for the stage's execution, or
// outside of every execution as the stage did.
func (s *sums) judged(key semconv.Operator, stage *pipeline.Labels) *operatorSums {
	if key.ID == "" {
		return nil
	}
	at := operatorKey{key.Place, key.ID}
	if key.Query == stage.Query {
		if q := s.queries[queryKey{key.Query, stage.Plan}]; q != nil {
			return q.operators[at]
		}
		return nil
	}
	for k, q := range s.queries {
		ran := q.executions[stage.Execution] || q.outside && stage.Execution == tasksample.NoExecution
		if k.query == key.Query && ran && q.operators[at] != nil {
			return q.operators[at]
		}
	}
	return nil
}
