package window

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// StageWork is what the tasks of one stage did in one JVM, beside their CPU.
type StageWork struct {
	Labels  pipeline.Labels // of the stage: its operator, bucket, task and partition are empty
	Tasks   uint64          // attempts that ended well
	Counted uint64          // attempts whose rows are known
	Rows    []pipeline.OperatorRows
}

// workSums is the StageWork of one JVM by stage.
type workSums map[tasksample.StageID]*StageWork

func (w workSums) of(l pipeline.Labels) *StageWork {
	st := w[l.Stage]
	if st == nil {
		st = &StageWork{}
		w[l.Stage] = st
	}
	l.Operator, l.OperatorName, l.Role, l.Part, l.Bucket, l.Task, l.Partition, l.StageAttempt = "", "", "", "", "", -1, -1, 0
	if st.Labels.StagePlace == "" {
		st.Labels = l // what came before may not have known the plan
	}
	return st
}

// task takes the end of a task.
func (w workSums) task(t *pipeline.TaskCPU) {
	if st := w.of(t.Labels); !t.Failed {
		st.Tasks++
	}
}

// rows takes the rows of some tasks.
func (w workSums) rows(r *pipeline.Rows) {
	st := w.of(r.Labels)
	st.Counted += r.Tasks
	for _, o := range r.Operators {
		i := slices.IndexFunc(st.Rows, func(have pipeline.OperatorRows) bool { return have.Operator == o.Operator })
		if i < 0 {
			st.Rows = append(st.Rows, o)
			continue
		}
		st.Rows[i].Rows += o.Rows
	}
}

// take returns what was added since the last Take, by stage.
func (w workSums) take() (out []StageWork) {
	for _, st := range w {
		out = append(out, *st)
	}
	clear(w)
	slices.SortFunc(out, func(a, b StageWork) int { return cmp.Compare(a.Labels.Stage, b.Labels.Stage) })
	return out
}

// stageKey tells the attempts of a stage apart.
type stageKey struct {
	stage   tasksample.StageID
	attempt tasksample.StageAttempt
}
