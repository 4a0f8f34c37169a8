package window

import (
	"cmp"
	"maps"
	"slices"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

var (
	_ pipeline.TimesConsumer = (*Accumulator)(nil)
	_ pipeline.DwellConsumer = (*Accumulator)(nil)
)

// Times implements TimesConsumer.
func (a *Accumulator) Times(id sampler.JVMID, r pipeline.TimesRecord) {
	s := a.of(id)
	if !s.times.add(r) {
		s.totals.LostTimes++
	}
	if a.settings.Tasks {
		room := min(len(r.Tasks), mostTasks-len(s.times.tasks))
		s.times.tasks = append(s.times.tasks, r.Tasks[:room]...)
		if r.RunQueue != nil && len(s.times.queues) < mostTasks {
			s.times.queues = append(s.times.queues, *r.RunQueue)
		}
	}
	if r.Application != nil {
		lost := r.Application.MissedTasks + r.Application.LeftOut
		s.totals.LostTimes += lost - min(lost, s.lostTimes[r.Application.ApplicationID])
		s.lostTimes[r.Application.ApplicationID] = lost
	}
}

// Times are what a driver's log told of times since the last Take: each application, execution and
// stage attempt once, as it was told last.
type Times struct {
	Applications []pipeline.ApplicationTimes // in order of their start
	Executions   []pipeline.ExecutionTimes   // in order of application and id, as Stages
	Stages       []pipeline.StageTimes
	Tasks        []pipeline.TaskTimes // by Settings.Tasks, as they came; RunQueues too
	RunQueues    []pipeline.RunQueue
	Dwells       []pipeline.Dwell // of the tasks of this JVM, by Settings.Tasks, as they came
	Watch        pipeline.Watch
}

// Dwell implements DwellConsumer.
func (a *Accumulator) Dwell(id sampler.JVMID, d pipeline.Dwell) {
	if s := a.of(id); a.settings.Tasks {
		s.times.dwells = append(s.times.dwells, d)
	}
}

// Watch implements DwellConsumer.
func (a *Accumulator) Watch(id sampler.JVMID, w pipeline.Watch) { a.of(id).times.watch = w }

// mostTimes bounds the stages, and the executions, of one JVM and one Take. More are counted and
// left out.
const mostTimes = 1 << 16

// mostTasks bounds the tasks of one JVM and one Take, of 0.25 KiB each. More are left out; the
// tasks of their stages do not add up to what the stages have.
const mostTasks = 1 << 20

type timesKey struct {
	application string
	id          int64
	attempt     tasksample.StageAttempt
}

// timesBook gathers Times.
type timesBook struct {
	applications map[string]pipeline.ApplicationTimes
	executions   map[timesKey]pipeline.ExecutionTimes
	stages       map[timesKey]pipeline.StageTimes
	tasks        []pipeline.TaskTimes
	queues       []pipeline.RunQueue
	dwells       []pipeline.Dwell
	watch        pipeline.Watch
}

func newTimesBook() timesBook {
	return timesBook{
		applications: map[string]pipeline.ApplicationTimes{}, executions: map[timesKey]pipeline.ExecutionTimes{}, stages: map[timesKey]pipeline.StageTimes{},
	}
}

// add takes a record. It reports whether there was room.
func (b *timesBook) add(r pipeline.TimesRecord) bool {
	switch {
	case r.Application != nil:
		return put(b.applications, r.Application.ApplicationID, *r.Application)
	case r.Execution != nil:
		return put(b.executions, timesKey{r.Execution.ApplicationID, int64(r.Execution.ID), 0}, *r.Execution)
	case r.Stage != nil:
		return put(b.stages, timesKey{r.Stage.ApplicationID, int64(r.Stage.ID), r.Stage.Attempt}, *r.Stage)
	}
	return true
}

func put[K comparable, V any](to map[K]V, key K, value V) bool {
	if _, known := to[key]; !known && len(to) >= mostTimes {
		return false
	}
	to[key] = value
	return true
}

// take returns what was gathered.
func (b *timesBook) take() Times {
	var out Times
	out.Applications = slices.SortedFunc(maps.Values(b.applications), func(x, y pipeline.ApplicationTimes) int { return int(x.StartedMS - y.StartedMS) })
	for _, key := range slices.SortedFunc(maps.Keys(b.executions), compareTimesKeys) {
		out.Executions = append(out.Executions, b.executions[key])
	}
	nest(out.Executions)
	for _, key := range slices.SortedFunc(maps.Keys(b.stages), compareTimesKeys) {
		out.Stages = append(out.Stages, b.stages[key])
	}
	out.Tasks, out.RunQueues = b.tasks, b.queues
	out.Dwells, out.Watch = b.dwells, b.watch
	return out
}

func compareTimesKeys(x, y timesKey) int {
	return cmp.Or(cmp.Compare(x.application, y.application), cmp.Compare(x.id, y.id), cmp.Compare(x.attempt, y.attempt))
}
