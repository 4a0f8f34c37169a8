package sampler

import (
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// told is what the sink has handed on of what it got of each JVM. Safe for concurrent use.
type told struct {
	mu   sync.Mutex
	by   map[JVMID]jvmlog.Told
	news chan struct{}
}

// Told says what of each JVM's samples and tasks is handed on, with Settings.Tells. The rest is
// lost if this process is killed, and the sampler after it counts that.
func (s *Sampler) Told(by map[JVMID]jvmlog.Told) {
	s.told.mu.Lock()
	s.told.by = by
	s.told.mu.Unlock()
	select {
	case s.told.news <- struct{}{}:
	default:
	}
}

// storeTold says to the readers after this one what was handed on.
func (s *Sampler) storeTold() {
	s.told.mu.Lock()
	by := s.told.by
	s.told.mu.Unlock()
	for _, j := range s.jvms {
		if t, ok := by[j.info.ID]; ok && j.control.SetTold(t) != nil {
			j.due = time.Time{} // its lease is lost: the round meets it again, and says so
		}
	}
}

// lostTasks adds up the CPU of tasks whose samples died with the reader before. Task ends have it
// exactly. The part of a task within the time in question has the same part of its CPU.
type lostTasks struct {
	jvmlog.Lost
	// sampled says that the threads' own rings have what no one had read.
	sampled bool
	open    map[uint32]jvmlog.TaskEvent // :: tid → the start of the task that runs
	tasks   uint64
	cpu     time.Duration
}

// newLostTasks begins to look for what the reader before lost. If its rings are gone with it, that
// goes on until now.
func (j *jvm) newLostTasks() lostTasks {
	u := lostTasks{Lost: j.control.Lost(), sampled: j.info.Mode == ModeSelfOpened}
	if u.To == 0 {
		return u
	}
	u.open = map[uint32]jvmlog.TaskEvent{}
	if !u.sampled {
		u.To = j.leasedAt
	}
	return u
}

// event takes a task event; read says that the reader before had read it.
func (u *lostTasks) event(e *jvmlog.TaskEvent, read bool) {
	if u.To == 0 || !read && (u.sampled || e.Time > u.To) {
		return
	}
	switch e.Kind {
	case jvmlog.TaskStart:
		u.open[e.TID] = *e
	case jvmlog.TaskEnd:
		if start, ok := u.open[e.TID]; ok && start.Task == e.Task {
			u.ran(start, e.Time, e.ThreadCPUNanos)
		}
		delete(u.open, e.TID)
	}
}

// ran adds a task that has used the CPU of its thread's clock up to some time.
func (u *lostTasks) ran(start jvmlog.TaskEvent, until jvmlog.MonoTime, cpu uint64) {
	from, to := max(start.Time, u.From), min(until, u.To)
	if from >= to || cpu <= start.ThreadCPUNanos {
		return
	}
	u.tasks++
	u.cpu += time.Duration(float64(cpu-start.ThreadCPUNanos) * float64(to-from) / float64(until-start.Time))
}

// before is the part of the CPU of a task that still runs that the reader before has told. If this
// sampler opens the task's event, it tells without samples what the task used until then. The part
// that was told must not count again.
func (u *lostTasks) before(start *jvmlog.TaskEvent, now jvmlog.MonoTime, cpu uint64) uint64 {
	if u.sampled || u.From <= start.Time || now <= u.From || cpu <= start.ThreadCPUNanos {
		return 0
	}
	return uint64(float64(cpu-start.ThreadCPUNanos) * float64(u.From-start.Time) / float64(now-start.Time))
}

// countUntold counts, once, what the reader before lost. If this sampler has opened their events,
// tasks that still run have lost nothing: before says why.
func (j *jvm) countUntold() {
	u := &j.lost
	if u.To == 0 {
		return
	}
	if u.sampled {
		for tid, start := range u.open {
			if cpu, ok := j.threadCPU(tid); ok {
				u.ran(start, jvmlog.Now(), uint64(cpu))
			}
		}
	}
	if u.cpu -= min(u.cpu, u.Later); u.cpu == 0 {
		u.tasks = 0 // all was handed on
	}
	j.totals.UntoldTasks += u.tasks
	j.totals.UntoldCPU += u.cpu
	if u.tasks > 0 {
		j.logger.Warn("a reader of this JVM died with samples that it had not handed on", zap.Int("pid", j.info.PID), zap.Uint64("tasks", u.tasks), zap.Duration("cpu", u.cpu))
	}
	j.lost = lostTasks{}
}
