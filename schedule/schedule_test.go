package schedule

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// row are tasks that start at a time, one after the other, in seconds.
func row(start float64, runs ...float64) (out []Task) {
	for _, r := range runs {
		out = append(out, Task{Start: seconds(start), End: seconds(start + r)})
	}
	return out
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// twoStages are a stage of three tasks on two slots, and its child half a second later. The driver
// takes 0.1 s from one launch to the next, and 0.2 s from a task's end to the next start.
func twoStages() *Schedule {
	return &Schedule{
		Slots: 2, End: seconds(11),
		Stages: []Stage{
			{Start: seconds(1), End: seconds(5.5), Tasks: []Task{
				{Start: seconds(1), End: seconds(4)}, {Start: seconds(1.1), End: seconds(3.1)}, {Start: seconds(3.3), End: seconds(5.3)},
			}},
			{Start: seconds(6), End: seconds(9), Tasks: row(6, 3), Parents: []int{0}},
		},
	}
}

func TestPace(t *testing.T) {
	s := twoStages()
	s.Stages[1].Tasks = row(6.3, 2.7)
	assert.Equal(t, Pace{Launch: seconds(0.1), Gap: seconds(0.2), First: []time.Duration{0, seconds(0.3)}, Gaps: []time.Duration{seconds(0.2), seconds(0.2)}}, s.Pace())
	assert.Equal(t, Pace{First: []time.Duration{}, Gaps: []time.Duration{}}, (&Schedule{Slots: 3}).Pace(), "no task")
}

// TestGapsAreOfTheirStage has a stage whose tasks follow each other after 5 s, and one after 0.2 s.
func TestGapsAreOfTheirStage(t *testing.T) {
	s := &Schedule{Slots: 1, End: seconds(20), Stages: []Stage{
		{End: seconds(7), Tasks: []Task{{End: seconds(1)}, {Start: seconds(6), End: seconds(7)}}},
		{Start: seconds(7), End: seconds(11.4), Tasks: []Task{{Start: seconds(7), End: seconds(9)}, {Start: seconds(9.2), End: seconds(11.4)}}, Parents: []int{0}},
	}}
	assert.Equal(t, s.Stages[1].End, s.Replay(1, s.Pace())[1].End)
	assert.Equal(t, []time.Duration{seconds(5), seconds(0.2)}, s.Pace().Gaps)
}

func TestReplay(t *testing.T) {
	for _, test := range []struct {
		name         string
		slots        int
		first, child float64 // ends
		span         float64
	}{
		{"as it ran", 2, 5.5, 9, 11},
		{"one slot: 3 + 0.2 + 2 + 0.2 + 2 after 1, and the driver's 0.2", 1, 8.6, 12.1, 14.1},
		{"three slots: the longest task, 3 after 1, and the driver's 0.2", 3, 4.2, 7.7, 9.7},
		{"as many as you like", 100, 4.2, 7.7, 9.7},
	} {
		s := twoStages()
		got := s.Replay(test.slots, s.Pace())
		assert.InDelta(t, test.first, got[0].End.Seconds(), 1e-9, test.name)
		assert.InDelta(t, test.child, got[1].End.Seconds(), 1e-9, test.name)
		assert.InDelta(t, test.span, s.Span(got).Seconds(), 1e-9, test.name)
	}
}

// TestReplayOfTwoStagesAtOnce has two stages that wait for the same one: the one submitted first
// has the slots first.
func TestReplayOfTwoStagesAtOnce(t *testing.T) {
	s := &Schedule{Slots: 1, End: seconds(10), Stages: []Stage{
		{End: seconds(1), Tasks: row(0, 1)},
		{Start: seconds(1), End: seconds(4), Tasks: row(1, 3), Parents: []int{0}},
		{Start: seconds(2), End: seconds(9), Tasks: row(4, 5), Parents: []int{0}},
	}}
	got := s.Replay(1, s.Pace())
	assert.Equal(t, []time.Duration{seconds(1), seconds(4), seconds(9)}, []time.Duration{got[0].End, got[1].End, got[2].End})
	got = s.Replay(2, s.Pace())
	assert.Equal(t, seconds(4), got[1].End)
	assert.Equal(t, seconds(7), got[2].End, "its first task waited for a slot")
}

func TestStagesWithoutTasksTakeTheirTime(t *testing.T) {
	s := &Schedule{Slots: 2, End: seconds(9), Stages: []Stage{{Start: seconds(2), End: seconds(7)}}}
	assert.Equal(t, seconds(9), s.Span(s.Replay(8, s.Pace())))
}

// TestReplayLeavesOutExcess has a task that takes less in the replay than it did, one that takes
// more, and one that cannot take less than nothing.
func TestReplayLeavesOutExcess(t *testing.T) {
	tasks := row(0, 3, 1, 2)
	tasks[0].Excess, tasks[1].Excess, tasks[2].Excess = seconds(2), -seconds(4), seconds(9)
	s := &Schedule{Slots: 3, End: seconds(3), Stages: []Stage{{End: seconds(3), Tasks: tasks}}}
	assert.Equal(t, seconds(6), s.Span(s.Replay(1, s.Pace())))
	assert.Equal(t, seconds(5), s.Span(s.Replay(2, s.Pace())))
	assert.Equal(t, seconds(3), tasks[0].Duration())
}
