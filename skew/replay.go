package skew

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/schedule"
)

// replay is how long a job takes, from its first stage to its last, in a replay of its tasks. It
// takes all as they ran, and without as they would without the excess of the slow ones.
func replay(stages []Stage, slow []Slow, slots int) (all, without time.Duration) {
	if len(stages) == 0 {
		return 0, 0
	}
	s := schedule.Schedule{Slots: slots}
	tasks := make([]map[int]*schedule.Task, len(stages)) // by index in their stage
	places := map[int]int{}                              // of stages in the schedule
	for _, i := range sorted(len(stages), func(i int) time.Duration { return stages[i].Submitted }) {
		stage := schedule.Stage{Start: stages[i].Submitted, End: stages[i].Completed, Tasks: make([]schedule.Task, len(stages[i].Tasks))}
		tasks[i] = map[int]*schedule.Task{}
		for at, k := range launched(&stages[i]) {
			stage.Tasks[at] = schedule.Task{Start: stages[i].Tasks[k].Start, End: stages[i].Tasks[k].End}
			tasks[i][k] = &stage.Tasks[at]
		}
		named := make([]int, len(stages[i].Parents))
		for k, parent := range stages[i].Parents {
			named[k] = -1
			if at, known := places[parent]; known {
				named[k] = at
			}
		}
		at := len(s.Stages)
		places[i] = at
		s.Stages, s.End = append(s.Stages, stage), max(s.End, stage.End)
		s.Stages[at].Parents = s.After(at, named)
	}
	pace, begin := s.Pace(), s.Stages[0].Start
	span := func() time.Duration { return s.Span(s.Replay(slots, pace)) - begin }
	all = span()
	for i := range slow {
		tasks[slow[i].Stage][slow[i].Task].Excess = slow[i].excess()
	}
	return all, span()
}

// launched are the tasks of a stage in the order of their launch.
func launched(s *Stage) []int {
	return sorted(len(s.Tasks), func(i int) time.Duration { return s.Tasks[i].Start })
}

// sorted are the indices below n in the order of their times.
func sorted(n int, time func(i int) time.Duration) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(time(a), time(b)) })
	return out
}
