package sampler

import (
	"slices"
	"time"

	"go.uber.org/zap"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// rates follow the tasks of one JVM and decide, with the policy, at which rates they are sampled.
// All that they look at comes from all tasks, sampled or not. One goroutine.
type rates struct {
	settings Settings
	now      tasksample.Rates // in force; DetailHz 0: no detail
	running  map[uint32]running
	stages   map[tasksample.StageID]*stageFacts
	load     *load                      // of all JVMs of the sampler
	leasedAt jvmlog.MonoTime            // tasks that started before it used CPU which no one here has followed
	next     time.Time                  // when it is asked again
	looked   time.Time                  // when the progress of running tasks was added to load
	promoted []tasksample.TaskAttemptID // that still run
	runs     *runFilter                 // learns what tasks use; nil: no one asks
}

// running is a task that runs on a thread.
type running struct {
	task     tasksample.TaskAttemptID
	stage    tasksample.StageID
	run      tasksample.ExecutionID
	cpu      time.Duration // the thread's, when the task before ended
	told     time.Duration // the thread's up to which load has it; untold: none of it
	selected bool
}

// untold is the rate of a task that ran before we came.
const untold = time.Duration(-1)

// noTask is no task's id.
const noTask tasksample.TaskAttemptID = -1

// Bounds and times of rates.
const (
	askInterval  = 200 * time.Millisecond // between two questions to the policy, and two looks for stragglers
	lookInterval = time.Second            // between two looks at the CPU of running tasks for a policy that observes
	mostStages   = 1024                   // stages whose tasks' CPU is remembered
)

// stageFacts are the CPU of a stage's ended tasks.
type stageFacts struct {
	partitions uint32
	ended      uint64
	classes    map[tasksample.Class]uint64
}

func newRates(s Settings, l *load) rates {
	r := rates{settings: s, load: l, running: map[uint32]running{}, stages: map[tasksample.StageID]*stageFacts{}}
	r.now = tasksample.Rates{BaseHz: hz(s.BasePeriod), DetailHz: hz(s.DetailPeriod), Fraction: s.Fraction, Least: s.MinTasksPerStage}
	if s.Rates != nil {
		r.now = s.Rates.Rates(tasksample.StageFacts{})
		r.now.PromoteAfter = 0
	}
	return r
}

// hz is the rate of a period, 0 of none.
func hz(period time.Duration) float64 {
	if period <= 0 {
		return 0
	}
	return float64(time.Second) / float64(period)
}

// periodOf is the period of a rate, within what events can have; 0 of none.
func periodOf(hz float64) time.Duration {
	if hz <= 0 {
		return 0
	}
	return min(max(time.Duration(float64(time.Second)/hz+0.5), jvmlog.MinPeriod), jvmlog.MaxPeriod)
}

// periods are those that are asked for of the base and the detail event; 0: none. They differ.
// Events have periods drawn around them.
func (r *rates) periods() (base, detail time.Duration) {
	base, detail = periodOf(r.now.BaseHz), periodOf(r.now.DetailHz)
	return base, unlike(detail, base)
}

// unlike is the period of the detail clock, a nanosecond off where it is the base clock's: samples
// tell their clocks by the period.
func unlike(detail, base time.Duration) time.Duration {
	switch {
	case detail <= 0 || detail != base:
		return detail
	case detail > jvmlog.MinPeriod:
		return detail - 1
	}
	return detail + 1
}

// control is what is asked of an agent now.
func (r *rates) control(mode Mode) jvmlog.Settings {
	c := r.settings.control(mode)
	c.BasePeriod, c.DetailPeriod = r.periods()
	c.InclusionProbability, c.MinTasksPerStage = r.now.Fraction, r.now.Least
	if mode == ModeSelfOpened {
		c.Promoted = slices.Clone(r.promoted)
	}
	return c
}

// event takes a task event, in their order.
func (r *rates) event(e jvmlog.TaskEvent) {
	switch e.Kind {
	case jvmlog.TaskStart:
		run := running{task: e.Task, stage: e.Stage, run: e.Execution, cpu: time.Duration(e.ThreadCPUNanos), told: untold, selected: e.Flags&jvmlog.TaskSelected != 0}
		if e.Time >= r.leasedAt {
			run.told = run.cpu
		}
		if len(r.running) < mostClaimants { // tasks whose ends were lost are no reason to keep more
			r.running[e.TID] = run
		}
	case jvmlog.TaskEnd:
		run, ok := r.running[e.TID]
		delete(r.running, e.TID)
		r.promoted = slices.DeleteFunc(r.promoted, func(t tasksample.TaskAttemptID) bool { return t == e.Task })
		if cpu := time.Duration(e.ThreadCPUNanos) - run.cpu; ok && run.task == e.Task && cpu >= 0 {
			r.progress(&run, time.Duration(e.ThreadCPUNanos))
			r.stage(e).add(cpu)
		}
	}
}

// progress adds to load what a task's thread has used since it was added last.
func (r *rates) progress(run *running, now time.Duration) {
	if run.told != untold && now > run.told {
		r.load.used += now - run.told
		if r.closely(run) {
			r.load.closely += now - run.told
		}
		r.runs.use(run.run, (now-run.told).Seconds()*r.hz(run), time.Now())
	}
	run.told = max(run.told, now)
}

// hz is the rate at which clocks sample a task now.
func (r *rates) hz(run *running) float64 {
	if r.closely(run) {
		return r.now.BaseHz + r.now.DetailHz
	}
	return r.now.BaseHz
}

// closely reports whether a task is sampled at the detail rate, too.
func (r *rates) closely(run *running) bool {
	return run.selected || slices.Contains(r.promoted, run.task)
}

// look adds the progress of all running tasks, or a policy would take long tasks for none until
// they end.
func (r *rates) look(now time.Time, cpu func(tid uint32) (time.Duration, bool)) {
	if _, ok := r.settings.Rates.(observer); !ok && r.settings.QueryBudget == nil || now.Sub(r.looked) < lookInterval {
		return
	}
	r.looked = now
	for tid, run := range r.running {
		if used, ok := cpu(tid); ok {
			r.progress(&run, used)
			r.running[tid] = run
		}
	}
}

func (r *rates) stage(e jvmlog.TaskEvent) *stageFacts {
	s := r.stages[e.Stage]
	if s == nil {
		if len(r.stages) >= mostStages { // any: it is long over, or begins to be known again
			for id := range r.stages {
				delete(r.stages, id)
				break
			}
		}
		s = &stageFacts{partitions: e.Partitions, classes: map[tasksample.Class]uint64{}}
		r.stages[e.Stage] = s
	}
	return s
}

func (s *stageFacts) add(cpu time.Duration) {
	s.ended++
	s.classes[tasksample.ClassOf(cpu)]++
}

// facts are what a policy may know of a stage. The median is the middle of its class: a quarter of
// an octave at most beside the truth.
func (s *stageFacts) facts() tasksample.StageFacts {
	if s == nil {
		return tasksample.StageFacts{}
	}
	f := tasksample.StageFacts{Partitions: s.partitions, Ended: s.ended}
	classes := make([]tasksample.Class, 0, len(s.classes))
	for c := range s.classes {
		classes = append(classes, c)
	}
	slices.Sort(classes)
	below := uint64(0)
	for _, c := range classes {
		if below += s.classes[c]; 2*below >= s.ended {
			f.MedianCPU = c.Middle()
			break
		}
	}
	return f
}

// observer is a policy that wants to know the CPU that tasks use.
type observer interface {
	Observe(cpu, closely, over time.Duration)
}

// load is the CPU that the tasks of all JVMs used since the policy was told.
type load struct {
	used    time.Duration
	closely time.Duration // the part of it that tasks at the detail rate used
	last    time.Time
}

// tell tells a policy that wants to know, for all JVMs together.
func (l *load) tell(p tasksample.Policy, now time.Time) {
	if !l.last.IsZero() && now.Sub(l.last) < askInterval {
		return // for another JVM, just now
	}
	if o, ok := p.(observer); ok && !l.last.IsZero() {
		o.Observe(l.used, l.closely, now.Sub(l.last))
	}
	l.used, l.closely, l.last = 0, 0, now
}

// ask asks the policy, where it is time, and reports whether the rates have changed.
func (r *rates) ask(now time.Time) (changed bool) {
	r.load.tell(r.settings.Rates, now)
	want := r.settings.Rates.Rates(tasksample.StageFacts{})
	want.PromoteAfter = 0
	changed = want != r.now
	r.now = want
	return changed
}

// stragglers are the running tasks that have used more CPU than the policy lets them at the base
// rate; cpu reads a thread's CPU.
func (r *rates) stragglers(cpu func(tid uint32) (time.Duration, bool)) []tasksample.TaskAttemptID {
	r.promoted = slices.DeleteFunc(r.promoted, r.isOver) // whose end was missed
	var out []tasksample.TaskAttemptID
	for tid, run := range r.running {
		if run.selected || slices.Contains(r.promoted, run.task) || len(r.promoted)+len(out) >= jvmlog.MaxPromoted {
			continue
		}
		after := r.settings.Rates.Rates(r.stages[run.stage].facts()).PromoteAfter
		if after <= 0 {
			continue
		}
		if now, ok := cpu(tid); ok && now-run.cpu > after {
			out = append(out, run.task)
		}
	}
	slices.Sort(out)
	return out
}

// isOver reports whether a task is none of those that run.
func (r *rates) isOver(task tasksample.TaskAttemptID) bool {
	for _, run := range r.running {
		if run.task == task {
			return false
		}
	}
	return true
}

// adjust asks the policy what is to change, and changes it: in self-opened mode through the control
// page, in privileged mode by itself.
func (j *jvm) adjust(now time.Time) error {
	j.tids.Begin()
	if j.settings.Rates == nil && j.settings.QueryBudget != nil {
		j.rates.look(now, j.threadCPU)
	}
	if j.settings.Rates != nil && !now.Before(j.rates.next) {
		j.rates.next = now.Add(askInterval)
		j.rates.look(now, j.threadCPU)
		changed := j.rates.ask(now)
		more := j.rates.stragglers(j.threadCPU)
		j.rates.promoted = append(j.rates.promoted, more...)
		if changed || len(more) > 0 {
			if err := j.control.Write(j.rates.control(j.info.Mode)); err != nil {
				return err
			}
		}
		if changed && j.info.Mode == ModePrivileged {
			j.reopen()
		}
	}
	if j.info.Mode == ModePrivileged {
		j.switchDetail()
	}
	return nil
}

// threadCPU reads the CPU of a thread, by its number in the JVM's pid namespace.
func (j *jvm) threadCPU(tid uint32) (time.Duration, bool) {
	outer, err := j.tids.Outer(int(tid))
	if err != nil {
		return 0, false // it has ended
	}
	cpu, err := j.fs.ThreadCPU(j.info.PID, outer)
	return cpu, err == nil
}

// reopen closes all events that this sampler opened: they are opened at the new rates when the
// slots are looked at next. Until then the detail clock counts for no one.
func (j *jvm) reopen() {
	j.rings.mu.Lock()
	told := j.closeAll()
	j.rings.mu.Unlock()
	j.events = append(j.events, told...)
}

func (j *jvm) closeAll() (told []jvmlog.TaskEvent) {
	for _, t := range j.rings.threads {
		if t.closely != noTask {
			told = append(told, j.clocks(t, jvmlog.Now(), 0))
		}
		if err := j.rings.letGo(t); err != nil {
			j.logger.Warn("perf event could not be closed", zap.Error(err))
		}
	}
	return told
}

// clocks tells that the detail event of a thread was switched for the task t.closely.
func (j *jvm) clocks(t *thread, at jvmlog.MonoTime, on jvmlog.TaskFlags) jvmlog.TaskEvent {
	return jvmlog.TaskEvent{Time: at, Kind: jvmlog.TaskClocks, TID: t.slot.TID, Task: t.closely, Execution: tasksample.NoExecution,
		Flags: jvmlog.TaskByReader | on, InclusionProbability: 1}
}

// switchDetail switches the detail events for the tasks that run as far as is known, and tells the
// sink from when on they count. It is late by a drain interval; what the event takes after its task
// has ended does not count.
func (j *jvm) switchDetail() {
	j.rings.mu.Lock()
	told := j.switchThreads()
	j.rings.mu.Unlock()
	j.events = append(j.events, told...)
}

func (j *jvm) switchThreads() (told []jvmlog.TaskEvent) {
	for _, t := range j.rings.threads {
		if t.event == nil || t.detail.opened == 0 {
			continue
		}
		want := noTask
		run, ok := j.rates.running[t.slot.TID]
		if ok && t.present && (run.selected || slices.Contains(j.rates.promoted, run.task)) {
			want = run.task
		}
		if want == t.closely {
			continue
		}
		if t.base.opened != 0 { // else it is on all the time
			if err := t.event.SwitchDetail(want != noTask); err != nil {
				j.once("detail event could not be switched", err)
				continue
			}
		}
		if t.closely = want; want != noTask {
			told = append(told, j.clocks(t, j.since(t), jvmlog.TaskDetail))
		}
	}
	return told
}

// alwaysOn is for a detail clock that runs alone and is always on. Such a clock counts for a
// selected task from its start on: the task may have ended when threads are looked at next. ok: the
// clock runs on the task's thread.
func (j *jvm) alwaysOn(e jvmlog.TaskEvent) (told jvmlog.TaskEvent, ok bool) {
	if j.info.Mode != ModePrivileged || e.Kind != jvmlog.TaskStart || e.Flags&jvmlog.TaskSelected == 0 {
		return told, false
	}
	j.rings.mu.Lock()
	defer j.rings.mu.Unlock()
	for _, t := range j.rings.threads {
		if t.slot.TID == e.TID && t.present && t.event != nil && t.base.opened == 0 && t.detail.opened != 0 {
			t.closely = e.Task
			return j.clocks(t, j.since(t), jvmlog.TaskDetail), true
		}
	}
	return told, false
}

// since is from when on the detail event of a thread counts: from now on, or all along where it is
// always on.
func (j *jvm) since(t *thread) jvmlog.MonoTime {
	if t.base.opened == 0 {
		return 1
	}
	return jvmlog.Now()
}
