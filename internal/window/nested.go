package window

import "github.com/planflame/planflame/internal/pipeline"

// nest takes out of executions what the executions that they run have as well. Tasks that run for
// an inner execution are none of the outer one's, and one of the same query is told once.
func nest(executions []pipeline.ExecutionTimes) {
	at := map[timesKey]int{} // → index in executions
	for i := range executions {
		x := &executions[i]
		x.TasksOf = x.ID
		at[timesKey{x.ApplicationID, int64(x.ID), 0}] = i
	}
	for i := range executions {
		x := &executions[i]
		k, known := at[timesKey{x.ApplicationID, int64(x.Root), 0}]
		if !known || k == i {
			continue
		}
		outer := &executions[k]
		outer.TaskFreeMS = max(0, outer.TaskFreeMS-(x.EndedMS-x.StartedMS-x.TaskFreeMS))
		if x.Query != "" && x.Query == outer.Query {
			x.Inner, outer.TasksOf = true, x.ID
		}
	}
}
