package session

import "time"

// Schedule is how the attempts of a stage filled the slots of all executors. The driver's launch
// and finish times of neighboring attempts overlap: it launches the next one before it has booked
// the last one's result. So what an attempt used is its executor's own account, and the span the
// driver's.
type Schedule struct {
	Tasks int           // attempts
	Slots int           // of all executors that the application had
	Busy  time.Duration // Σ of deserialization, run and serialization of the result, whole milliseconds each; 0 of an attempt that left no metrics
	Span  time.Duration // from the first launch to the last finish
}

// Idle is the share of the slots' time within the stage in which none of its attempts ran, 0 … 1; 0
// for no stage.
func (s Schedule) Idle() float64 {
	if s.Slots == 0 || s.Span <= 0 {
		return 0
	}
	return max(0, 1-s.Busy.Seconds()/(float64(s.Slots)*s.Span.Seconds()))
}

// Schedules reads the event logs in a folder: by SQL execution, the schedule of the stage that took
// longest.
func Schedules(dir string) (map[int64]Schedule, error) {
	type stage struct {
		execution   int64
		first, last int64 // ms
		busy        int64
		tasks       int
	}
	stages, slots := map[int]*stage{}, 0
	err := readEvents(dir, func(e *event, execution int64) {
		s := stages[e.StageID]
		if s == nil {
			s = &stage{execution: execution, first: e.Task.Launch}
			stages[e.StageID] = s
		}
		s.first, s.last = min(s.first, e.Task.Launch), max(s.last, e.Task.Finish)
		if m := e.Metrics; m != nil {
			s.busy += m.DeserializeTime + m.RunTime + m.SerializeTime
		}
		s.tasks++
	}, func(cores int) { slots += cores })
	out := map[int64]Schedule{}
	for _, s := range stages {
		if span := time.Duration(s.last-s.first) * time.Millisecond; span > out[s.execution].Span {
			out[s.execution] = Schedule{Tasks: s.tasks, Slots: slots, Busy: time.Duration(s.busy) * time.Millisecond, Span: span}
		}
	}
	return out, err
}
