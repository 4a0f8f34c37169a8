package outcome

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
)

// programMS is how long an application whose first query has begun ran none: no execution, no
// planning of one, no stage.
func programMS(t *window.Times, a *pipeline.ApplicationTimes) (sum int64) {
	var spans [][2]int64
	for i := range t.Executions {
		if x := &t.Executions[i]; x.ApplicationID == a.ApplicationID {
			spans = append(spans, [2]int64{x.StartedMS - x.AnalysisMS - x.OptimizationMS - x.PlanningMS, x.EndedMS})
		}
	}
	for i := range t.Stages {
		if st := &t.Stages[i]; st.ApplicationID == a.ApplicationID {
			spans = append(spans, [2]int64{st.SubmittedMS, st.CompletedMS})
		}
	}
	if len(spans) == 0 {
		return 0
	}
	end := cmp.Or(a.EndedMS, a.UntilMS)
	slices.SortFunc(spans, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	until := spans[0][0]
	for _, span := range append(spans, [2]int64{end, end}) {
		sum += max(0, span[0]-until)
		until = max(until, span[1])
	}
	return sum
}
