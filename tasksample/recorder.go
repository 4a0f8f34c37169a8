package tasksample

import (
	"maps"
	"slices"
	"time"
)

// Recorder makes the statistics of stages from the samples and ends of task attempts that one
// reader sees. Attempts become units, and each unit enters its stage's statistics once, when it is
// finished. Not safe for concurrent use.
//
//   - An attempt that ended well finishes its partition's unit, with all earlier attempts at the
//     partition that this reader saw end.
//   - A failed or killed attempt waits for such an end. An attempt may get no such end: the unit
//     ended on another executor, or this was the speculative copy that lost. Flush or the bound on
//     waiting attempts then makes it a fragment, whose CPU and samples count as a unit of their
//     own.
//   - An attempt that still runs is provisional: Open has its weights, the statistics do not. If
//     too many do, some lost their end: the samples of the oldest by number are forgotten.
type Recorder[K comparable] struct {
	maxWaiting int
	open       map[TaskAttemptID]*openAttempt[K]
	waiting    map[unitID]*waitingUnit[K]
	order      []unitID // of waiting, oldest first; may hold some that are gone
	stages     map[StageID]*Stage[K]
}

// Attempt names an attempt at a task.
type Attempt struct {
	ID        TaskAttemptID
	Stage     StageID
	Partition PartitionID
}

// AttemptEnd is what is known when an attempt ends.
type AttemptEnd struct {
	CPU    time.Duration // by the thread's own clock, what samples could have hit; < 0 counts as 0
	Tier   Tier          // the closest clock that sampled it
	Failed bool          // or killed
}

type unitID struct {
	stage     StageID
	partition PartitionID
}

type openAttempt[K comparable] struct {
	stage StageID
	unit  Unit[K]
}

type waitingUnit[K comparable] struct {
	unit Unit[K]
	tier Tier
	cpu  time.Duration
}

// NewRecorder returns a Recorder that keeps at most maxWaiting partitions with failed attempts
// waiting, and twice as many attempts that run; 0: DefaultMaxWaiting.
func NewRecorder[K comparable](maxWaiting int) *Recorder[K] {
	if maxWaiting <= 0 {
		maxWaiting = DefaultMaxWaiting
	}
	return &Recorder[K]{maxWaiting: maxWaiting, open: map[TaskAttemptID]*openAttempt[K]{}, waiting: map[unitID]*waitingUnit[K]{}, stages: map[StageID]*Stage[K]{}}
}

// DefaultMaxWaiting bounds the partitions whose failed attempts wait for a better one.
const DefaultMaxWaiting = 4096

// Sample takes a sample of an attempt; samples of one attempt come in their order in time.
func (r *Recorder[K]) Sample(a Attempt, key K, weight time.Duration) {
	o := r.open[a.ID]
	if o == nil {
		if len(r.open) >= 2*r.maxWaiting { // no JVM has so many threads: ends are lost, which the reader counts
			for _, id := range slices.Sorted(maps.Keys(r.open))[:r.maxWaiting] {
				delete(r.open, id)
			}
		}
		o = &openAttempt[K]{stage: a.Stage}
		r.open[a.ID] = o
	}
	o.unit.Sample(key, weight)
}

// End takes the end of an attempt. Samples of it that come later start an attempt again, which
// never ends: deliver them before.
func (r *Recorder[K]) End(a Attempt, e AttemptEnd) {
	done := &waitingUnit[K]{tier: e.Tier, cpu: max(e.CPU, 0)}
	if o := r.open[a.ID]; o != nil {
		done.unit = o.unit
		delete(r.open, a.ID)
	}
	id := unitID{a.Stage, a.Partition}
	if before := r.waiting[id]; before != nil {
		done.unit.Join(&before.unit)
		done.tier, done.cpu = max(done.tier, before.tier), done.cpu+before.cpu
		delete(r.waiting, id)
	}
	if !e.Failed {
		r.stage(a.Stage).Add(&done.unit, done.tier, done.cpu)
		return
	}
	r.waiting[id] = done
	r.order = append(r.order, id)
	r.shrink()
}

// shrink makes fragments of the oldest waiting attempts beyond the bound.
func (r *Recorder[K]) shrink() {
	for len(r.waiting) > r.maxWaiting {
		r.fragment(r.order[0])
		r.order = r.order[1:]
	}
	if len(r.order) > 2*r.maxWaiting+16 { // ids of units that have been finished
		kept := r.order[:0]
		seen := map[unitID]bool{}
		for _, id := range r.order {
			if r.waiting[id] != nil && !seen[id] {
				kept, seen[id] = append(kept, id), true
			}
		}
		r.order = kept
	}
}

func (r *Recorder[K]) fragment(id unitID) {
	if w := r.waiting[id]; w != nil {
		r.stage(id.stage).AddFragment(&w.unit, w.tier, w.cpu)
		delete(r.waiting, id)
	}
}

// Flush makes fragments of all attempts of a stage that wait for a better one: the stage is over.
func (r *Recorder[K]) Flush(stage StageID) {
	for id := range r.waiting {
		if id.stage == stage {
			r.fragment(id)
		}
	}
}

// FlushAll is Flush for all stages.
func (r *Recorder[K]) FlushAll() {
	for id := range r.waiting {
		r.fragment(id)
	}
}

// Open gives the weights of attempts that still run, for a live view: estimates without a known CPU
// and without an interval.
func (r *Recorder[K]) Open(yield func(stage StageID, key K, weight time.Duration, samples uint64)) {
	for _, o := range r.open {
		for key, k := range o.unit.keys {
			yield(o.stage, key, time.Duration(k.weight), k.samples)
		}
	}
}

// Take returns the statistics of the units that finished since the last Take, by stage: what
// travels. Merged over all Takes of all readers they are the sums of the whole stage.
func (r *Recorder[K]) Take() map[StageID]*Stage[K] {
	out := r.stages
	r.stages = map[StageID]*Stage[K]{}
	return out
}

func (r *Recorder[K]) stage(id StageID) *Stage[K] {
	s := r.stages[id]
	if s == nil {
		s = NewStage[K]()
		r.stages[id] = s
	}
	return s
}
