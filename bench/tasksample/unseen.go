package main

import "github.com/planflame/planflame/tasksample"

// unseenClass asks about units of at least twice the size of three quarters of all. It reports
// whether such units hold five per cent of the CPU and fewer than five of them are selected. It
// looks at the units themselves, not at the estimator's bands.
func unseenClass(stage *tasksample.Stage[byte], all float64) bool {
	var units uint64
	for _, c := range stage.Cells {
		units += c.Units
	}
	for border := tasksample.Class(127); border > 0; border-- {
		var above, selected uint64
		var cpu float64
		for id, c := range stage.Cells {
			if id.Class >= border {
				above, cpu = above+c.Units, cpu+c.CPU
				if id.Tier == tasksample.TierSelected {
					selected += c.Units
				}
			}
		}
		if 4*above > units {
			return false // border is the class of the upper quartile
		}
		if cpu >= 0.05*all && selected < 5 && gap(stage, border) {
			return true
		}
	}
	return false
}

// gap reports whether the octave and a half below a class is (nearly) empty: what is above stands
// apart from the rest.
func gap(stage *tasksample.Stage[byte], border tasksample.Class) bool {
	var above, below uint64
	for id, c := range stage.Cells {
		switch {
		case id.Class >= border:
			above += c.Units
		case id.Class >= border-3:
			below += c.Units
		}
	}
	return 10*below < above
}
