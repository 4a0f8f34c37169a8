package window

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"unsafe"

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
	if most := a.settings.Tasks; most > 0 {
		room := min(len(r.Tasks), most-len(s.times.tasks))
		s.times.tasks = append(s.times.tasks, r.Tasks[:room]...)
		s.totals.LostTimes += uint64(len(r.Tasks) - room)
		if r.RunQueue != nil && len(s.times.queues) < most {
			s.times.queues = append(s.times.queues, *r.RunQueue)
		}
	}
	if r.Application != nil {
		lost := r.Application.MissedTasks + r.Application.LeftOut
		id := hash(r.Application.ApplicationID)
		s.totals.LostTimes += lost - min(lost, s.lostTimes[id])
		s.lostTimes[id] = lost
		forgetOldest(s.lostTimes, mostApplications)
	}
}

var hashSeed = maphash.MakeSeed()

// mostApplications bounds lostTimes. What a forgotten application has lost may count twice.
const mostApplications = 1 << 10

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

// KeepTasks changes Settings.Tasks. Call it before the first record.
func (a *Accumulator) KeepTasks(most int) { a.settings.Tasks = most }

// Dwell implements DwellConsumer.
func (a *Accumulator) Dwell(id sampler.JVMID, d pipeline.Dwell) {
	s := a.of(id)
	switch {
	case a.settings.Tasks == 0: // no one asked
	case len(s.times.dwells) < a.settings.Tasks && s.times.fits(dwellBytes(&d)):
		s.times.dwells = append(s.times.dwells, d)
	default:
		s.totals.LostTimes++
	}
}

// Watch implements DwellConsumer.
func (a *Accumulator) Watch(id sampler.JVMID, w pipeline.Watch) { a.of(id).times.watch = w }

// timesBytes bounds about what the times of one JVM and one Take use in memory. More are counted
// and left out. Beside a Collector's other bounds a window's is small (pipeline.Settings.Budget). A
// run has its own user's JVMs.
func (s *Settings) timesBytes() int {
	if s.Calibrate {
		return 64 << 20
	}
	return 4 << 20
}

type timesKey struct {
	application string
	id          int64
	attempt     tasksample.StageAttempt
}

// timesBook gathers Times.
type timesBook struct {
	room         int // bytes that may still be used by the next three, and by dwells
	applications map[string]pipeline.ApplicationTimes
	executions   map[timesKey]pipeline.ExecutionTimes
	stages       map[timesKey]pipeline.StageTimes
	tasks        []pipeline.TaskTimes
	queues       []pipeline.RunQueue
	dwells       []pipeline.Dwell
	watch        pipeline.Watch
}

func newTimesBook(room int) timesBook {
	return timesBook{
		room:         room,
		applications: map[string]pipeline.ApplicationTimes{}, executions: map[timesKey]pipeline.ExecutionTimes{}, stages: map[timesKey]pipeline.StageTimes{},
	}
}

// add takes a record. It reports whether there was room.
func (b *timesBook) add(r pipeline.TimesRecord) bool {
	switch {
	case r.Application != nil:
		return put(b, b.applications, r.Application.ApplicationID, *r.Application, applicationBytes)
	case r.Execution != nil:
		return put(b, b.executions, timesKey{r.Execution.ApplicationID, int64(r.Execution.ID), 0}, *r.Execution, executionBytes)
	case r.Stage != nil:
		return put(b, b.stages, timesKey{r.Stage.ApplicationID, int64(r.Stage.ID), r.Stage.Attempt}, *r.Stage, stageBytes)
	}
	return true
}

// The following are about what a record uses, in a map but for dwells. The key of a record that was
// replaced has its application's id once more.

func applicationBytes(x *pipeline.ApplicationTimes) int {
	return int(2*unsafe.Sizeof(*x)) + 2*len(x.ApplicationID)
}

func executionBytes(x *pipeline.ExecutionTimes) int {
	return int(2*unsafe.Sizeof(*x)) + 2*len(x.ApplicationID) + len(x.Query) + len(x.QueryName) + len(x.Plan) + len(x.RootNode)
}

func stageBytes(x *pipeline.StageTimes) int {
	return int(2*unsafe.Sizeof(*x)) + 2*len(x.ApplicationID) + len(x.Name) + 8*len(x.Parents)
}

func dwellBytes(d *pipeline.Dwell) int {
	n := int(2*unsafe.Sizeof(*d)) + len(d.File) + len(d.Path)
	for _, frame := range d.Frames {
		n += int(unsafe.Sizeof(frame)) + len(frame)
	}
	return n
}

// fits takes bytes of the room. It reports whether there were so many.
func (b *timesBook) fits(bytes int) bool {
	if bytes > b.room {
		return false
	}
	b.room -= bytes
	return true
}

func put[K comparable, V any](b *timesBook, to map[K]V, key K, value V, bytes func(*V) int) bool {
	more := bytes(&value)
	if before, known := to[key]; known {
		more -= bytes(&before)
	}
	if !b.fits(more) {
		return false
	}
	to[key] = value
	return true
}

// take returns what was gathered. lost are executions of earlier Takes that before had no room for.
func (b *timesBook) take(before inners) (out Times, lost uint64) {
	out.Applications = slices.SortedFunc(maps.Values(b.applications), func(x, y pipeline.ApplicationTimes) int { return int(x.StartedMS - y.StartedMS) })
	for _, key := range slices.SortedFunc(maps.Keys(b.executions), compareTimesKeys) {
		out.Executions = append(out.Executions, b.executions[key])
	}
	lost = before.nest(out.Executions)
	for _, key := range slices.SortedFunc(maps.Keys(b.stages), compareTimesKeys) {
		out.Stages = append(out.Stages, b.stages[key])
	}
	out.Tasks, out.RunQueues = b.tasks, b.queues
	out.Dwells, out.Watch = b.dwells, b.watch
	return out, lost
}

func compareTimesKeys(x, y timesKey) int {
	return cmp.Or(cmp.Compare(x.application, y.application), cmp.Compare(x.id, y.id), cmp.Compare(x.attempt, y.attempt))
}
