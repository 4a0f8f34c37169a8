package outcome

import (
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// judge adds what the stages' estimates say of the operators.
func (s *sums) judge(stages []window.StageStatistics) {
	for i := range stages {
		st := &stages[i]
		stage := st.Labels
		stage.Execution = s.outermost(st.Application, stage.Execution)
		for key, e := range st.Estimate.Keys {
			if op := s.judged(key, &stage); op != nil {
				op.certainty.Add(window.StageEstimate{CPU: e.CPU, Low: e.Low, High: e.High, SE: e.SE, Valid: st.Estimate.Valid, Why: st.Estimate.Why}, 1)
			}
		}
	}
}

// judged is the operator that a stage's estimate is about. A stage may run the code of a query that
// is not its own. Then it is that query's operator in the plan that ran for the stage's execution,
// or outside of every execution as the stage did.
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
