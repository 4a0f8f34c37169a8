package skew

import (
	"cmp"
	"slices"
	"time"

	"github.com/planflame/planflame/schedule"
)

// replay is how long a job takes, from its first stage to its last, in a replay of its tasks. It
// takes all as they ran, and without as they would without the excess of the slow ones. A stage
// waits for the one that had ended last before it.
func replay(stages []Stage, slow []Slow, slots int) (all, without time.Duration) {
	if len(stages) == 0 {
		return 0, 0
	}
	s := schedule.Schedule{Slots: slots}
	tasks := make([]map[int]*schedule.Task, len(stages)) // by index in their stage
	for _, i := range sorted(len(stages), func(i int) time.Duration { return stages[i].Submitted }) {
		stage := schedule.Stage{Start: stages[i].Submitted, End: stages[i].Completed, Tasks: make([]schedule.Task, len(stages[i].Tasks))}
		tasks[i] = map[int]*schedule.Task{}
		for at, k := range launched(&stages[i]) {
			stage.Tasks[at] = schedule.Task{Start: stages[i].Tasks[k].Start, End: stages[i].Tasks[k].End}
			tasks[i][k] = &stage.Tasks[at]
		}
		if p := before(s.Stages, stage.Start); p >= 0 {
			stage.Parents = []int{p}
		}
		s.Stages, s.End = append(s.Stages, stage), max(s.End, stage.End)
	}
	pace, begin := s.Pace(), s.Stages[0].Start
	span := func() time.Duration { return s.Span(s.Replay(slots, pace)) - begin }
	all = span()
	for i := range slow {
		tasks[slow[i].Stage][slow[i].Task].Excess = slow[i].excess()
	}
	return all, span()
}

// before is the stage that ended last until some time; -1 none.
func before(stages []schedule.Stage, until time.Duration) int {
	last := -1
	for i := range stages {
		if stages[i].End <= until && (last < 0 || stages[i].End > stages[last].End) {
			last = i
		}
	}
	return last
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
