package skew

import "time"

// blame finds the culprits of slow tasks that their JVM's pauses made slow. All pauses that a task
// causes fall into its own time. So it has more of them than tasks that run beside it, unless these
// cause pauses themselves.
func blame(stages []Stage, slow []Slow) {
	for i := range slow {
		slow[i].Culprit = i
		if slow[i].Verdict != GC {
			continue
		}
		victim := slow[i].of(stages)
		for k := range slow {
			t := slow[k].of(stages)
			if t.explains(victim) && t.GC > slow[slow[i].Culprit].of(stages).GC {
				slow[i].Culprit = k
			}
		}
	}
}

func (s *Slow) of(stages []Stage) *Task { return &stages[s.Stage].Tasks[s.Task] }

// explains reports whether a task ran beside a victim through half or more of the victim's pauses,
// if its own were spread evenly over its time.
func (t *Task) explains(victim *Task) bool {
	if t.JVM == 0 || t.JVM != victim.JVM || t.duration() <= 0 {
		return false
	}
	both := min(t.End, victim.End) - max(t.Start, victim.Start)
	shared := time.Duration(t.GC.Seconds() * both.Seconds() / t.duration().Seconds() * float64(time.Second))
	return shared > 0 && shared >= victim.GC/2
}
