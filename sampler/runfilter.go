package sampler

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// runFilter says which samples of a JVM are worth unwinding: none of runs that were not drawn, of a
// query beyond its budget a part, else all. What it goes by comes from all tasks, sampled or not.
// The zero value, and nil, keep everything. One goroutine.
//
// The clocks of tasks run all the same. To switch them here would be late by a round, and what a
// task does first would have no samples.
type runFilter struct {
	fraction    float64 // π of a run; 0: runs are not drawn
	seed        uint64
	budget      *tasksample.QueryBudget
	application string // "" unknown
	runs        map[tasksample.ExecutionID]*filteredRun
	clock       uint64                     // counts uses of runs
	threads     map[uint32]*filteredThread // :: tid → thread
}

// filteredRun is an SQL execution.
type filteredRun struct {
	probability float64 // with which it was drawn
	leftOut     bool
	query       string  // "" not known yet
	offered     float64 // samples until then, which no budget was told of
	used        uint64  // runFilter.clock at its last use
}

// filteredThread are the tasks that ran on a thread, as far as samples of them may come.
type filteredThread struct {
	tasks    []filteredTask // in their order; all but the last have ended
	thinning tasksample.Thinning
}

// filteredTask is a task; what its thread did since the end of the one before is its own too.
type filteredTask struct {
	run *filteredRun    // nil: none
	end jvmlog.MonoTime // 0 while it runs
}

// Bounds of a runFilter: of executions whose tasks it remembers, and of threads.
const (
	mostFilteredRuns    = 1024
	mostFilteredThreads = 4096
)

func newRunFilter(s Settings) runFilter {
	f := runFilter{seed: s.Seed, budget: s.QueryBudget, runs: map[tasksample.ExecutionID]*filteredRun{}, threads: map[uint32]*filteredThread{}}
	if s.RunFraction > 0 && s.RunFraction < 1 {
		f.fraction = s.RunFraction
	}
	return f
}

// idle reports whether everything is kept.
func (f *runFilter) idle() bool { return f == nil || f.fraction == 0 && f.budget == nil }

// apply takes the application's id. Runs that were seen before it have been decided about, unless
// they are of another application: that one's executions have the same numbers.
func (f *runFilter) apply(r *jvmlog.Application) {
	id := r.ApplicationID()
	if f.idle() || id == f.application {
		return
	}
	if f.application != "" {
		clear(f.runs)
	}
	f.application = id
}

// plan takes the query of a run, and tells its budget what the run was offered until now.
func (f *runFilter) plan(r *jvmlog.Dictionary, now time.Time) {
	if f.idle() || f.budget == nil {
		return
	}
	run := f.run(r.Execution)
	if run == nil || run.query != "" {
		return
	}
	if run.query = r.Query(); run.query != "" {
		f.budget.Use(run.query, run.offered, now)
	}
}

// run is what was decided about an execution, when its first task or its plan was seen; nil outside
// of SQL. The least recently used goes when there are too many.
func (f *runFilter) run(id tasksample.ExecutionID) *filteredRun {
	if id == tasksample.NoExecution {
		return nil
	}
	run := f.runs[id]
	if run == nil {
		if len(f.runs) >= mostFilteredRuns {
			last, least := id, f.clock
			for other, r := range f.runs {
				if r.used <= least {
					last, least = other, r.used
				}
			}
			delete(f.runs, last)
		}
		run = &filteredRun{probability: 1}
		if f.fraction > 0 && f.application != "" {
			run.probability, run.leftOut = f.fraction, !tasksample.SelectRun(f.seed, f.application, id, f.fraction)
		}
		f.runs[id] = run
	}
	f.clock++
	run.used = f.clock
	return run
}

// event takes a task event, in their order, and says in it what was decided about its run.
func (f *runFilter) event(e *jvmlog.TaskEvent) {
	e.RunProbability, e.LeftOut = 0, false
	if f.idle() || e.Kind != jvmlog.TaskStart && e.Kind != jvmlog.TaskEnd {
		return
	}
	run := f.run(e.Execution)
	if run != nil && f.fraction > 0 {
		e.RunProbability, e.LeftOut = run.probability, run.leftOut
	}
	t := f.thread(e.TID)
	last := len(t.tasks) - 1
	open := last >= 0 && t.tasks[last].end == 0
	switch {
	case e.Kind == jvmlog.TaskStart && open: // its end is lost
		t.tasks[last].end = e.Time
		t.tasks = append(t.tasks, filteredTask{run: run})
	case e.Kind == jvmlog.TaskStart:
		t.tasks = append(t.tasks, filteredTask{run: run})
	case open:
		t.tasks[last].end = e.Time
	default: // its start is lost
		t.tasks = append(t.tasks, filteredTask{run: run, end: e.Time})
	}
}

func (f *runFilter) thread(tid uint32) *filteredThread {
	t := f.threads[tid]
	if t == nil {
		t = &filteredThread{thinning: tasksample.Thinning{Phase: rand.Float64()}}
		f.threads[tid] = t
	}
	return t
}

// use takes note that tasks of a run were offered so many samples by their clocks.
func (f *runFilter) use(id tasksample.ExecutionID, offered float64, now time.Time) {
	if f.idle() || f.budget == nil {
		return
	}
	switch run := f.run(id); {
	case run == nil || run.leftOut:
	case run.query == "":
		run.offered += offered
	default:
		f.budget.Use(run.query, offered, now)
	}
}

// part is the part of a thread's samples that is kept at a moment: of the samples of the task that
// ran then, or runs next. 1 if none is known.
func (f *runFilter) part(tid uint32, at jvmlog.MonoTime, now time.Time) float64 {
	if f.idle() || f.threads[tid] == nil {
		return 1
	}
	tasks := f.threads[tid].tasks
	i := slices.IndexFunc(tasks, func(t filteredTask) bool { return t.end == 0 || t.end >= at })
	if i < 0 || tasks[i].run == nil {
		return 1
	}
	switch run := tasks[i].run; {
	case run.leftOut:
		return 0
	case f.budget != nil && run.query != "":
		return f.budget.Kept(run.query, now)
	}
	return 1
}

// draw reports whether a thread's next sample is among the part that is kept.
func (f *runFilter) draw(tid uint32, kept float64) bool { return f.thread(tid).thinning.Keep(kept) }

// forget drops tasks that ended before all samples that may still come.
func (f *runFilter) forget(oldest jvmlog.MonoTime) {
	if f.idle() {
		return
	}
	for tid, t := range f.threads {
		gone := 0
		for gone < len(t.tasks)-1 && t.tasks[gone].end != 0 && t.tasks[gone].end < oldest { // the last says that the thread was seen
			gone++
		}
		t.tasks = slices.Delete(t.tasks, 0, gone)
		if len(f.threads) > mostFilteredThreads && (len(t.tasks) == 0 || t.tasks[len(t.tasks)-1].end != 0) {
			delete(f.threads, tid)
		}
	}
}
