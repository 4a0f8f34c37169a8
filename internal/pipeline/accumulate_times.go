package pipeline

import "github.com/planflame/planflame/sampler"

var _ TimesConsumer = (*Accumulator)(nil)

// Times implements TimesConsumer.
func (a *Accumulator) Times(id sampler.JVMID, r TimesRecord) {
	s := a.of(id)
	if !s.times.add(r) {
		s.totals.LostTimes++
	}
	if r.Application != nil {
		lost := r.Application.MissedTasks + r.Application.LeftOut
		s.totals.LostTimes += lost - min(lost, s.lostTimes[r.Application.ApplicationID])
		s.lostTimes[r.Application.ApplicationID] = lost
	}
}
