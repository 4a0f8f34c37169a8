package skew

import (
	"testing"
	"time"
)

// at is a task with its start and its end.
func at(start, end float64) Task {
	return Task{Start: seconds(start), End: seconds(end), Succeeded: true}
}

func TestReplay(t *testing.T) {
	two := []Task{at(0, 3), at(0, 1), at(1, 2), at(2, 3), at(3, 4)}
	for name, c := range map[string]struct {
		stages []Stage
		slots  int
		want   float64
	}{
		"nothing":       {nil, 2, 0},
		"one slot":      {[]Stage{{Completed: seconds(4), Tasks: two}}, 1, 7},
		"two slots":     {[]Stage{{Completed: seconds(4), Tasks: two}}, 2, 4},                        // 3 | 1 1 1 1
		"its own tail":  {[]Stage{{Completed: seconds(4.5), Tasks: two}}, 2, 4.5},                    // half a second after its last task
		"without tasks": {[]Stage{{Submitted: seconds(1), Completed: seconds(4), Tasks: nil}}, 2, 3}, // from its begin
		"no slots":      {[]Stage{{Completed: seconds(1), Tasks: []Task{at(0, 1)}}}, 0, 1},           // one at least
		"late":          {[]Stage{{Completed: seconds(9), Tasks: []Task{at(5, 9)}}}, 1, 9},           // the driver kept it from starting
		"one after the other": {[]Stage{ // 2 s, 1 s of the driver, 3 s
			{Completed: seconds(2), Tasks: []Task{at(0, 2)}}, {Submitted: seconds(3), Completed: seconds(6), Tasks: []Task{at(3, 6)}},
		}, 1, 6},
		"side by side": {[]Stage{ // the first has both slots for 1 s
			{Completed: seconds(2), Tasks: []Task{at(0, 1), at(0, 1)}}, {Completed: seconds(3), Tasks: []Task{at(1, 3)}},
		}, 2, 3},
		"after the later of two": {[]Stage{
			{Completed: seconds(2), Tasks: []Task{at(0, 2)}}, {Completed: seconds(5), Tasks: []Task{at(0, 5)}}, {Submitted: seconds(6), Completed: seconds(7), Tasks: []Task{at(6, 7)}},
		}, 2, 7},
	} {
		if got, without := replay(c.stages, nil, c.slots); got != seconds(c.want) || without != got {
			t.Errorf("%s: %v and %v, want %v s", name, got, without, c.want)
		}
	}
}

// TestReplayWithout shortens a task of the first of two stages, beside a stage that goes on.
func TestReplayWithout(t *testing.T) {
	recorded := []Stage{
		{Submitted: seconds(1), Completed: seconds(6), Tasks: []Task{at(4, 6)}},
		{Completed: seconds(10), Tasks: []Task{at(2, 4), at(0, 10), at(0, 2)}},
		{Submitted: seconds(11), Completed: seconds(13), Tasks: []Task{at(11, 13), at(11, 12)}},
	}
	all, without := replay(recorded, []Slow{{Stage: 1, Task: 1, Excess: 8}}, 2)
	if all != 13*time.Second {
		t.Errorf("recorded: %v", all)
	}
	// 2 s and 2 s on two slots, then 2 s of either stage; the third begins 1 s after the first has
	// ended, at 4, and takes 2 s.
	if without != 7*time.Second {
		t.Errorf("without: %v", without)
	}
	if recorded[1].Tasks[1].End != seconds(10) {
		t.Error("the recording has changed")
	}
}

// TestReplayOfParents shortens the parent of a stage, which ends just before a stage of another
// query does.
func TestReplayOfParents(t *testing.T) {
	recorded := []Stage{
		{Submitted: seconds(61), Completed: seconds(161), Tasks: []Task{at(61, 161)}, Parents: []int{2}},
		{Completed: seconds(60.5), Tasks: []Task{at(0, 60.5)}},
		{Completed: seconds(60), Tasks: []Task{at(0, 60)}},
	}
	slow := []Slow{{Stage: 2, Excess: 50}}
	if all, without := replay(recorded, slow, 2); all != seconds(161) || without != seconds(111) {
		t.Errorf("%v and %v", all, without)
	}
	recorded[0].Parents = []int{2, -1} // Spark had the output of another one: the driver went on when all was over
	if all, without := replay(recorded, slow, 2); all != seconds(161) || without != all {
		t.Errorf("%v and %v", all, without)
	}
}
