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
		"one slot":      {[]Stage{{0, seconds(4), two}}, 1, 7},
		"two slots":     {[]Stage{{0, seconds(4), two}}, 2, 4},              // 3 | 1 1 1 1
		"its own tail":  {[]Stage{{0, seconds(4.5), two}}, 2, 4.5},          // half a second after its last task
		"without tasks": {[]Stage{{seconds(1), seconds(4), nil}}, 2, 3},     // from its begin
		"no slots":      {[]Stage{{0, seconds(1), []Task{at(0, 1)}}}, 0, 1}, // one at least
		"late":          {[]Stage{{0, seconds(9), []Task{at(5, 9)}}}, 1, 9}, // the driver kept it from starting
		"one after the other": {[]Stage{ // 2 s, 1 s of the driver, 3 s
			{0, seconds(2), []Task{at(0, 2)}}, {seconds(3), seconds(6), []Task{at(3, 6)}},
		}, 1, 6},
		"side by side": {[]Stage{ // the first has both slots for 1 s
			{0, seconds(2), []Task{at(0, 1), at(0, 1)}}, {0, seconds(3), []Task{at(1, 3)}},
		}, 2, 3},
		"after the later of two": {[]Stage{
			{0, seconds(2), []Task{at(0, 2)}}, {0, seconds(5), []Task{at(0, 5)}}, {seconds(6), seconds(7), []Task{at(6, 7)}},
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
		{seconds(1), seconds(6), []Task{at(4, 6)}},
		{0, seconds(10), []Task{at(2, 4), at(0, 10), at(0, 2)}},
		{seconds(11), seconds(13), []Task{at(11, 13), at(11, 12)}},
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
