package skew

import "testing"

// Twelve tasks of 1 s on two slots of a JVM. Partition 2 allocates for 8 s, in which the JVM pauses
// for 6 s. Its neighbors of that time take 4 s each.
func TestCulprit(t *testing.T) {
	garbage := func(start, end, gc float64, jvm int) Task {
		x := body(end-start, 1, 1000)
		x.Start, x.End, x.GC, x.JVM = seconds(start), seconds(end), seconds(gc), jvm
		return x
	}
	tasks := []Task{garbage(0, 1, 0, 1), garbage(0, 1, 0, 1), garbage(1, 9, 6, 1), garbage(1, 5, 3, 1), garbage(5, 9, 2.9, 1)}
	for i := range 8 {
		tasks = append(tasks, garbage(9+float64(i), 10+float64(i), 0, 1))
	}
	culprits := func() map[int]int {
		out := map[int]int{}
		r := Judge([]Stage{{Completed: seconds(17), Tasks: tasks}}, 1)
		for _, s := range r.Slow {
			if s.Verdict != GC {
				t.Errorf("task %d: %s", s.Task, s.Verdict)
			}
			out[s.Task] = r.Slow[s.Culprit].Task
		}
		return out
	}
	check := func(what string, a, b, c int) {
		t.Helper()
		if got := culprits(); len(got) != 3 || got[2] != a || got[3] != b || got[4] != c {
			t.Errorf("%s: culprits %v", what, got)
		}
	}
	check("its neighbors are victims", 2, 2, 2)
	tasks[4].JVM = 2
	check("another JVM", 2, 2, 4)
	tasks[4].JVM = 1
	tasks[3].GC = seconds(3.2) // more than partition 2 explains: 1.2 s of its pauses fall before 5 s, if they are spread evenly
	tasks[2].Start, tasks[2].GC = seconds(3), seconds(3.5)
	tasks[4].GC = seconds(3.6)
	check("little of the pauses while both ran; more of its own", 4, 3, 4)
	tasks[2].JVM = 0
	check("not known in which JVM", 2, 3, 4)
}
