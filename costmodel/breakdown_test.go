package costmodel

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/schedule"
)

// row are tasks that start at a time, one after the other, in seconds.
func row(start float64, runs ...float64) (out []schedule.Task) {
	for _, r := range runs {
		out = append(out, schedule.Task{Start: seconds(start), End: seconds(start + r)})
	}
	return out
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func TestEnough(t *testing.T) {
	s := &schedule.Schedule{Slots: 1, End: seconds(16), Stages: []schedule.Stage{{End: seconds(16), Tasks: []schedule.Task{
		{End: seconds(4)}, {Start: seconds(4), End: seconds(8)}, {Start: seconds(8), End: seconds(12)}, {Start: seconds(12), End: seconds(16)},
	}}}}
	n, span := Enough(s, s.Pace())
	assert.Equal(t, 4, n)
	assert.Equal(t, seconds(4), span)
}

func TestBreak(t *testing.T) {
	// Four slots of 10 s each run eight tasks of 2 s. One of them takes 5 s, with 2 s more CPU and
	// 0.5 s more GC. Then come 1 s of another stage on all slots, and 1 s of gaps.
	tasks := []schedule.Task{}
	for i := range 8 {
		start := 2 * float64(i/4)
		tasks = append(tasks, schedule.Task{Start: seconds(start), End: seconds(start + 2), CPU: seconds(1)})
	}
	tasks[7].End, tasks[7].CPU, tasks[7].GC = seconds(7), seconds(3), seconds(0.5)
	s := &schedule.Schedule{Slots: 4, Stages: []schedule.Stage{{End: seconds(9), Tasks: tasks}, {Start: seconds(7), End: seconds(8), Tasks: row(7, 1, 1, 1, 1)}}}
	got := Break(s, 0)
	assert.Equal(t, Breakdown{
		Wall: seconds(9), Work: seconds(4), LastWave: 0, Stragglers: seconds(3), Others: seconds(1), Gaps: seconds(1), Tasks: 8,
		Late: []Straggler{{Task: 7, Factor: 2.5, Excess: seconds(3), CPU: seconds(2), GC: seconds(0.5), Waiting: seconds(0.5)}},
	}, got)
	assert.Equal(t, Breakdown{Wall: seconds(5), Gaps: seconds(5)}, Break(&schedule.Schedule{Slots: 1, Stages: []schedule.Stage{{End: seconds(5)}}}, 0), "no task")
}

func TestBreakHasTheLastWave(t *testing.T) {
	s := &schedule.Schedule{Slots: 2, Stages: []schedule.Stage{{End: seconds(4), Tasks: []schedule.Task{{End: seconds(2)}, {End: seconds(2)}, {Start: seconds(2), End: seconds(4)}}}}}
	got := Break(s, 0)
	assert.Equal(t, Breakdown{Wall: seconds(4), Work: seconds(3), LastWave: seconds(1), Tasks: 3}, got)
}
