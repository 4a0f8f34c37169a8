package costmodel

import (
	"time"

	"github.com/planflame/planflame/schedule"
)

// enough is the part of what many slots save over one that is too little to count.
const enough = 0.02

// Enough returns the smallest number of slots that saves at least 98 % of what any number of them
// saves over one, and the time on them. More slots do not help then: the longest tasks and the
// driver decide.
func Enough(s *schedule.Schedule, pace schedule.Pace) (n int, span time.Duration) {
	most := 1
	for i := range s.Stages {
		most += len(s.Stages[i].Tasks)
	}
	on := func(n int) time.Duration { return s.Span(s.Replay(n, pace)) }
	best := on(most)
	span = best + time.Duration(enough*float64(on(1)-best))
	low, high := 0, 1
	for on(high) > span && high < most {
		low, high = high, min(2*high, most)
	}
	for high-low > 1 { // low is too few, high is enough
		if mid := (low + high) / 2; on(mid) <= span {
			high = mid
		} else {
			low = mid
		}
	}
	return high, on(high)
}
